//! Sentences about prices, which all reports share.

use super::assumption_ends;
use super::findings::Findings;
use super::points_format::points;
use crate::text::sentences::clean;
use enfilade_pricing::doctrine;
use enfilade_pricing::evidence::{Evidence, Model};
use enfilade_pricing::price::lever::Write;
use enfilade_pricing::price::steps::Steps;
use enfilade_pricing::price::verdict::{OPPONENTS, Verdict};
use enfilade_pricing::price::worth::Bound;
use enfilade_pricing::price::{Even, LEAST, Priced, Pricing, Ranged, Unpriced};

/// The blind spots of a price, which every report names.
pub const BLIND: [(&str, &str); 4] = [
    ("manoeuvre", "nobody outflanks, withdraws or waits for a better shot; forces meet and fight"),
    ("objectives", "a side wins by what is left of the other, not by holding ground"),
    ("command", "orders, initiative and leaders are what the scenario gives both sides alike"),
    ("the players", "both sides fire at what is there; nobody bluffs, tires or knows the table"),
];

/// Lists the blind spots of these prices: those of all battles, and those that these scenarios
/// could cover and do not.
pub fn blind(findings: &Findings) -> Vec<(&'static str, String)> {
    let mut blind: Vec<_> = BLIND.iter().map(|(what, how)| (*what, (*how).to_owned())).collect();
    let never = &findings.evidence.never;
    if !never.is_empty() {
        let names = listed(never.iter().map(|label| clean(label)));
        blind.push(("these scenarios", format!("none of them has {names}")));
    }
    blind
}

/// Formats a share in whole percent.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Returns the verdict on a weapon's price in a word or two.
pub fn verdict(weapon: &Priced) -> String {
    let said = match (&weapon.even, weapon.verdict()) {
        (Err(_), _) => "not priced here",
        (Ok(_), None) if weapon.price.is_some() => "by decision",
        (Ok(_), None) if is_apart(weapon) => Verdict::NoOnePrice.word(),
        (Ok(_), None) => "new",
        (Ok(_), Some(verdict)) => verdict.word(),
    };
    said.to_owned()
}

/// Whether it has no one price, and is not wrong against every opponent.
pub(super) fn is_apart(weapon: &Priced) -> bool {
    let apart = weapon.priced().is_some_and(|even| even.apart.is_some());
    apart && !weapon.verdict().is_some_and(Verdict::wrong)
}

/// Returns both ends shown for an even price, on the steps of the game: those of its range, or
/// without one price those of the prices case by case.
pub(super) fn ends(even: &Even, steps: Steps) -> (f64, f64) {
    match even.apart {
        Some(apart) => (steps.nearest(apart.low), steps.nearest(apart.high)),
        None => (even.shown.low, even.shown.high),
    }
}

/// Explains why a weapon is not priced.
pub fn unpriced(why: &Unpriced) -> String {
    match why {
        Unpriced::Harmless(sums) => harmless(sums),
        Unpriced::Unseen(what) => format!("what it is for is not fought here: {}", clean(what)),
        Unpriced::Flat => "its curves are too flat to say what it is worth".to_owned(),
        Unpriced::Beyond(Bound::AtLeast) => {
            "it wins against the largest force that was tried".to_owned()
        }
        Unpriced::Beyond(Bound::AtMost) => "it is worth less than the smallest force".to_owned(),
    }
}

/// Why it harms nobody: the sum that rules it out, or all of them.
fn harmless(sums: &[String]) -> String {
    let never = "it never harms anybody in these scenarios";
    match sums {
        [] => never.to_owned(),
        [one] => format!("{never}: {} everywhere", clean(one)),
        sums => format!("{never}: {}", listed(sums.iter().map(|sum| clean(sum)))),
    }
}

/// Returns the range that an even price would have with the addition of its lever; `None` without
/// one.
pub fn settled(even: &Even) -> Option<Ranged> {
    let half = even.lever.as_ref()?.half;
    Some(Ranged::about(even.price.best.ln(), half))
}

/// Formats both ends of a range.
fn to(price: Ranged) -> String {
    format!("{} to {}", points(price.low), points(price.high))
}

/// Explains the verdict on its price in one line.
pub fn reason(weapon: &Priced, pricing: &Pricing) -> String {
    let even = match &weapon.even {
        Ok(even) => even,
        Err(why) => return format!("not priced here: {}", unpriced(why)),
    };
    let (all, price) = (to(even.shown), weapon.price.map_or_else(String::new, points));
    let surely = format!("surely between {}", all.replace(" to ", " and "));
    if let Some(apart) = even.apart.filter(|_| is_apart(weapon)) {
        let [low, high] = [apart.low, apart.high].map(|price| points(pricing.steps.nearest(price)));
        let [worst, best] = apart.beside.map(|w| clean(&pricing.weapons[w].name));
        let mean = points(even.shown.best);
        return format!(
            "it has no one price: {mean} on average, {low} beside {worst}, {high} beside {best}"
        );
    }
    match even.judged.map(|judged| judged.verdict) {
        None if weapon.price.is_some() => format!("{price} is right by decision"),
        None => {
            format!("it should cost about {}: {}", points(even.shown.best), alike(even, pricing))
        }
        Some(Verdict::Right) => {
            format!("{price} is right within {}: {surely}", percent(pricing.tolerance))
        }
        Some(Verdict::TooDear) => format!(
            "{price} is too dear: {surely}, so {} at most",
            points(pricing.steps.below(even.price.high))
        ),
        Some(Verdict::TooCheap) => format!(
            "{price} is too cheap: {surely}, so {} at least",
            points(pricing.steps.above(even.price.low))
        ),
        Some(Verdict::Open | Verdict::NoOnePrice) => open(weapon, even, pricing),
    }
}

/// Describes the range: with few opponents it is mainly about opponents that the file lacks.
fn alike(even: &Even, pricing: &Pricing) -> String {
    let all = to(even.shown);
    match pricing.opponents < OPPONENTS {
        true => {
            let best = points(even.shown.best);
            format!("{best} here, {all} against opponents that are not in the file")
        }
        false => format!("any price from {all} plays alike"),
    }
}

/// Explains why there is no verdict: inside the range any price plays alike, and outside it the
/// tolerance may apply.
fn open(weapon: &Priced, even: &Even, pricing: &Pricing) -> String {
    let (all, price) = (to(even.shown), weapon.price.unwrap_or(even.price.best));
    let inside = (even.price.low..=even.price.high).contains(&price);
    if inside {
        return alike(even, pricing);
    }
    let why = match pricing.opponents < OPPONENTS {
        true => format!("there are verdicts from {OPPONENTS} opponents on"),
        false => format!("it is off by no more than {}", percent(pricing.tolerance)),
    };
    format!("{} is outside {all}, but {why}", points(price))
}

/// Builds all sentences about the weapon at this index: the reason, its worth, the addition that
/// would settle it, and the effect of each assumption.
pub fn sentences(position: usize, findings: &Findings) -> Vec<String> {
    let (pricing, evidence) = (findings.pricing, findings.evidence);
    let weapon = &pricing.weapons[position];
    let mut said = vec![format!("{}.", capital(&reason(weapon, pricing)))];
    said.extend(counts(position, pricing));
    said.extend(eighth(weapon));
    if let Some(even) = weapon.priced() {
        said.extend(compared(even, pricing));
        said.extend(coarse(even, pricing));
        said.extend(narrower(even, evidence));
        said.extend(assumed(even, evidence, pricing));
    }
    said
}

/// Joins these sentences to one text.
pub fn why(position: usize, findings: &Findings) -> String {
    sentences(position, findings).join(" ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// Describes the worth, and where it is largest and smallest.
fn counts(position: usize, pricing: &Pricing) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let table = pricing.worths.get(&Model::Default)?;
    let mut said =
        format!("It counts for {} points of the troops it meets", points(weapon.worth.best));
    if weapon.best != weapon.worst {
        let at = |scenario: usize| {
            let worth = table[position][scenario].log.exp();
            let name = clean(&pricing.scenarios[scenario].name);
            format!("in “{name}” ({})", points(worth))
        };
        let (best, worst) = (at(weapon.best), at(weapon.worst));
        said += &format!("; it is worth most {best}, least {worst}");
    }
    if let Some(floor) = weapon.floor {
        said += &format!("; if it never fires, for {}", points(floor));
    }
    if weapon.bounded > 0.0 {
        said += &format!("; in {} of the battles that is only a bound", percent(weapon.bounded));
    }
    Some(said + ".")
}

/// How far the eighth copy is from the first before a sentence gives it.
const GROWN: f64 = 0.10;

/// The worth of the eighth copy, where it is not that of the first.
fn eighth(weapon: &Priced) -> Option<String> {
    let off = weapon.eighth? - 1.0;
    let how = if off > 0.0 { "more" } else { "less" };
    let sentence = || format!("The eighth is worth {} {how} than the first.", percent(off.abs()));
    (off.abs() > GROWN).then(sentence)
}

/// The error of a rounded price from which it is mentioned.
const FELT: f64 = 0.05;

/// Describes the rounding, if the steps of the game are coarse at this price.
fn coarse(even: &Even, pricing: &Pricing) -> Option<String> {
    let step = pricing.steps.coarse(even.price.best)?;
    let off = even.shown.best / even.price.best - 1.0;
    let side = if off > 0.0 { "dear" } else { "cheap" };
    let felt = match off.abs() < FELT {
        true => String::new(),
        false => format!(": {} is {} {side}", points(even.shown.best), percent(off.abs())),
    };
    Some(format!("Steps of {} are coarse for this unit{felt}.", points(step)))
}

/// Compares the weapon with the unit of reference.
fn compared(even: &Even, pricing: &Pricing) -> Option<String> {
    let (beside, one) = (even.beside?, pricing.beside?);
    let name = clean(&pricing.weapons[one].name);
    let (best, low, high) = (beside.best, beside.low, beside.high);
    (low < high).then(|| format!("It counts for {best:.2} of {name} ({low:.2} to {high:.2})."))
}

/// Describes the addition that would narrow the range most, and the range after it.
fn narrower(even: &Even, evidence: &Evidence) -> Option<String> {
    let (lever, then) = (even.lever.as_ref()?, settled(even)?);
    let range = format!("{} to {}", points(then.low), points(then.high));
    let line = clean(&lever.write.line());
    Some(match &lever.write {
        Write::Assumption(name, value) => {
            let about = evidence.assumptions.iter().find(|assumption| assumption.name == *name);
            let about = about.map_or(name.as_str(), |assumption| assumption.about.as_str());
            format!("What would settle it: {}? If {value}: {range} ({line}).", clean(about))
        }
        Write::Opponent | Write::Weapons => {
            format!("What would settle it: {line}; about {range} then.")
        }
    })
}

/// The largest number of assumptions of which both ends are described.
pub(super) const TOLD: usize = 3;

/// Returns the distance between the ends of an assumption.
pub(super) fn moved(even: &Even, place: usize) -> f64 {
    (even.ends[place].1 / even.ends[place].0).ln().abs()
}

/// Describes the prices at the ends of the most influential assumptions; assumptions in words, such
/// as the order of activation and the choice of targets, are always included.
fn assumed(even: &Even, evidence: &Evidence, pricing: &Pricing) -> Option<String> {
    let mut order: Vec<usize> = (0..even.ends.len()).collect();
    order.sort_by(|a, b| moved(even, *b).total_cmp(&moved(even, *a)));
    let on = |price: f64| points(pricing.steps.nearest(price));
    let best = points(even.shown.best);
    let is_word = |place: &usize| {
        let of = &evidence.assumptions[*place];
        of.low != of.high && doctrine::word(&of.name, of.default).is_some()
    };
    let moves = |place: &usize| on(even.ends[*place].0) != best || on(even.ends[*place].1) != best;
    let (words, mut numbers): (Vec<usize>, Vec<usize>) = order.iter().partition(|at| is_word(at));
    numbers.retain(moves);
    numbers.truncate(TOLD);
    order.retain(|place| words.contains(place) || numbers.contains(place));
    let said = order.iter().flat_map(|&place| {
        let (of, (low, high)) = (&evidence.assumptions[place], even.ends[place]);
        let ends = [(of.low, low), (of.high, high)].into_iter().filter(|end| end.0 != of.default);
        ends.map(|(value, price)| {
            let (price, what) = (on(price), clean(&doctrine::sentence(&of.name, value)));
            if price == best { format!("the same if {what}") } else { format!("{price} if {what}") }
        })
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("Instead of {best}: {}.", said.join("; ")))
}

/// The largest number of names in a heading: three take four lines on a narrow screen.
const LED: usize = 3;

/// Writes a small number in words.
pub(super) fn number(count: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Returns the weapons in reading order: wrong ones first, the farthest off before the others, then
/// those without one price, then by even price, and unpriced ones last.
pub fn order(findings: &Findings) -> Vec<usize> {
    let weapons = &findings.pricing.weapons;
    let key = |w: usize| {
        let weapon = &weapons[w];
        let wrong = weapon.judged().filter(|judged| judged.verdict.wrong());
        let even = weapon.priced().map_or(f64::INFINITY, |even| even.price.best);
        match (wrong, weapon.priced()) {
            (Some(judged), _) => (0, -judged.residual.abs()),
            (None, Some(_)) if is_apart(weapon) => (1, -even),
            (None, Some(_)) => (2, -even),
            (None, None) => (3, 0.0),
        }
    };
    let mut order: Vec<usize> = findings.told().collect();
    order.sort_by(|a, b| {
        let (a, b) = (key(*a), key(*b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    order
}

/// Summarizes the whole arsenal in a sentence or two: the wrong prices first, and then the others.
pub fn verdicts(findings: &Findings) -> Vec<String> {
    let weapons = &findings.pricing.weapons;
    if let [only] = findings.told().collect::<Vec<_>>()[..] {
        return vec![alone(only, findings)];
    }
    let all = order(findings);
    let with = |such: &dyn Fn(&Priced) -> bool| -> usize {
        all.iter().filter(|w| such(&weapons[**w])).count()
    };
    let wrong: Vec<String> = all
        .iter()
        .filter(|w| weapons[**w].verdict().is_some_and(Verdict::wrong))
        .map(|w| clean(&weapons[*w].name))
        .collect();
    let judged = with(&|w| w.verdict().is_some());
    let mut said = Vec::new();
    if judged > 0 {
        said.push(wrong_ones(&wrong, judged));
    }
    let apart = with(&is_apart);
    if apart > 0 {
        let have = if apart == 1 { "unit has" } else { "units have" };
        said.push(format!("{} {have} no one price.", capital(&number(apart))));
    }
    let right = with(&|w| w.verdict() == Some(Verdict::Right));
    if right > 0 {
        said.push(format!("{} {} right.", capital(&number(right)), is(right)));
    }
    let open = with(&|w| w.verdict() == Some(Verdict::Open));
    if open > 0 && open == judged {
        said = vec![format!(
            "None of {} prices is wrong beyond doubt: any price in its range plays alike.",
            number(judged)
        )];
    } else if open > 0 {
        let other = if open < judged { "the other " } else { "" };
        let split = with(&|w| w.verdict() == Some(Verdict::NoOnePrice));
        let other = if open + wrong.len() + split == judged { other } else { "" };
        said.push(format!("For {other}{} any price in the range plays alike.", number(open)));
    }
    let new = with(&|w| w.price.is_none() && w.even.is_ok());
    if new > 0 {
        let have = if new == 1 { "has" } else { "have" };
        said.push(format!("{} {have} no price yet.", capital(&number(new))));
    }
    let unpriced = with(&|w| w.even.is_err());
    if unpriced > 0 {
        said.push(format!("{} {} not priced here.", capital(&number(unpriced)), is(unpriced)));
    }
    said
}

fn is(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn wrong_ones(wrong: &[String], judged: usize) -> String {
    let of = number(judged);
    let Some(last) = wrong.len().checked_sub(1) else {
        return format!("None of {of} prices is wrong beyond doubt.");
    };
    let mut names = wrong[..wrong.len().min(LED)].join(", ");
    if last >= LED {
        names += &format!(" and {} more", wrong.len() - LED);
    }
    let count = wrong.len();
    format!("{} of {of} prices {} wrong beyond doubt: {names}.", capital(&number(count)), is(count))
}

/// Summarizes a single weapon.
fn alone(only: usize, findings: &Findings) -> String {
    let weapon = &findings.pricing.weapons[only];
    let (name, reason) = (clean(&weapon.name), reason(weapon, findings.pricing));
    match weapon.priced() {
        Some(even) if weapon.price.is_none() && !is_apart(weapon) => {
            let (best, alike) = (points(even.shown.best), alike(even, findings.pricing));
            format!("{} should cost about {best}: {alike}.", capital(&name))
        }
        _ => format!("{}: {reason}.", capital(&name)),
    }
}

/// Describes the ground of all prices: the scale, the prices of the list, the assumptions.
pub fn grounds(findings: &Findings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut said = Vec::new();
    match &pricing.scale {
        None => said.push(format!(
            "Fewer than {} other units have a price, so these are points of the troops they meet.",
            number(LEAST)
        )),
        Some(scale) if scale.in_doubt() => {
            let (low, high) = (scale.k.low, scale.k.high);
            let one = pricing.beside.map(|one| clean(&pricing.weapons[one].name));
            let beside = one.map_or_else(String::new, |one| format!(", beside {one}"));
            said.push(format!(
                "These prices follow no one scale: a point of worth costs {low:.2} to {high:.2} here. What is \
                 sure is how units compare with one another{beside}."
            ));
        }
        Some(_) => {}
    }
    if let Some(twice) = pricing.scale.as_ref().and_then(|scale| scale.twice()) {
        let who = match twice.best > 2.0 {
            true => "cheap units are a bargain, dear ones pay too much",
            false => "dear units are a bargain, cheap ones pay too much",
        };
        said.push(format!(
            "In this list twice the worth costs {:.1} times as much ({:.1} to {:.1}): {who}.",
            twice.best, twice.low, twice.high
        ));
    }
    said.push(setting(findings));
    said
}

/// Describes the order of activation and the choice of targets, and the assumption with the largest
/// effect on prices.
fn setting(findings: &Findings) -> String {
    let assumptions = &findings.evidence.assumptions;
    let of = |preset: &doctrine::WordPreset| assumptions.iter().find(|of| of.name == preset.name);
    let said = doctrine::WORDS.iter().map(|preset| {
        doctrine::sentence(preset.name, of(preset).map_or(0.0, |assumed| assumed.default))
    });
    let said = said.collect::<Vec<_>>().join("; ");
    let tried = |preset| of(preset).is_some_and(|assumed| assumed.low != assumed.high);
    let untried = match doctrine::WORDS.iter().any(tried) {
        true => String::new(),
        false => " Neither was tried otherwise (turns, fire).".to_owned(),
    };
    let pricing = findings.pricing;
    let moves = assumption_ends::movers(pricing).first().map_or_else(String::new, |place| {
        let name = clean(&pricing.assumptions[*place]);
        format!(" Of what can be set, {name} moves these prices most.")
    });
    format!("Assumed: {said}.{untried}{moves}")
}

/// Joins names.
pub(super) fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
