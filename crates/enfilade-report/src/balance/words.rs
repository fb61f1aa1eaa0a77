//! Sentences about prices, the same in every form of the report.

use indexmap::IndexMap;

use super::findings::Findings;
use crate::figures;
use crate::words::clean;
use enfilade_model::form::shown::grouped;
use enfilade_pricing::evidence::{Evidence, Model};
use enfilade_pricing::price::ladder::LIMIT;
use enfilade_pricing::price::lean::{Lean, Moved};
use enfilade_pricing::price::lever::Write;
use enfilade_pricing::price::sensitivity::Swing;
use enfilade_pricing::price::spread::PRIOR;
use enfilade_pricing::price::verdict::{OPPONENTS, Verdict};
use enfilade_pricing::price::worth::{Bound, REACH};
use enfilade_pricing::price::{Anchor, Fair, Judged, Priced, Pricing, Ranged, Unpriced};

/// What a price does not see. It stands on every report.
pub const BLIND: [(&str, &str); 4] = [
    ("manoeuvre", "nobody outflanks, withdraws or waits for a better shot; forces meet and fight"),
    ("objectives", "a side wins by what is left of the other, not by holding ground"),
    ("command", "orders, initiative and leaders are what the scenario gives both sides alike"),
    ("the players", "both sides fire at what is there; nobody bluffs, tires or knows the table"),
];

/// What these prices do not see: what no battle holds, and what these scenarios could hold and do
/// not.
pub fn blind(findings: &Findings) -> Vec<(&'static str, String)> {
    let mut blind: Vec<_> = BLIND.iter().map(|(what, how)| (*what, (*how).to_owned())).collect();
    let never = &findings.evidence.never;
    if !never.is_empty() {
        let names = listed(never.iter().map(|label| clean(label)));
        blind.push(("these scenarios", format!("none of them has {names}")));
    }
    blind
}

/// Rate of false discoveries at which a wrong price counts as found.
pub const RATE: f64 = 0.10;

/// Points as they are printed: one decimal below 10, none above.
pub fn points(value: f64) -> String {
    if value.abs() < 9.95 {
        return format!("{value:.1}");
    }
    format!("{value:.0}")
}

/// A share in whole percents.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// In whose points an anchor tells prices.
pub fn measure(anchor: Anchor) -> &'static str {
    match anchor {
        Anchor::Reference => "the reference troops",
        Anchor::Arsenal => "this arsenal",
    }
}

/// What is said of a weapon's price, in a word or two.
pub fn verdict(weapon: &Priced) -> String {
    let said = match (&weapon.fair, weapon.verdict()) {
        (Err(_), _) => "not priced here",
        (Ok(_), None) => "new",
        (Ok(_), Some(verdict)) => verdict.word(),
    };
    said.to_owned()
}

/// Why, in one line.
pub fn reason(weapon: &Priced, pricing: &Pricing) -> String {
    let fair = match &weapon.fair {
        Ok(fair) => fair,
        Err(why) => return unpriced(why),
    };
    let off = |residual: f64| percent(residual.abs().exp_m1());
    // Where nothing can be told there is still something to do: the line that would narrow it.
    let lever = || match (&fair.lever, settled(fair)) {
        (Some(lever), Some(then)) => {
            let then = (points(then.low), points(then.high));
            format!("{} for {} – {}", lever.write.short(), then.0, then.1)
        }
        _ => "nothing is in doubt".to_owned(),
    };
    match &fair.judged {
        None => lever(),
        Some(judged) => match judged.verdict {
            Verdict::Fine => format!("within {} of the best guess", percent(pricing.tolerance)),
            Verdict::Over => format!("{} more than the best guess", off(judged.residual)),
            Verdict::Under => format!("best guess {} more", off(judged.residual)),
            Verdict::CannotTell => lever(),
        },
    }
}

/// Why a weapon is not priced.
pub fn unpriced(why: &Unpriced) -> String {
    match why {
        Unpriced::Harmless => "it never harms anybody in these scenarios".to_owned(),
        Unpriced::Unseen(what) => format!("what it is for is not fought here: {}", clean(what)),
        Unpriced::Flat => "its curves are too flat to say what it is worth".to_owned(),
        Unpriced::Beyond(Bound::AtLeast) => {
            "it wins against the largest force that was tried".to_owned()
        }
        Unpriced::Beyond(Bound::AtMost) => "it is worth less than the smallest force".to_owned(),
    }
}

/// The range that a fair price would have if the line of its lever were written; `None` where there is no
/// lever.
pub fn settled(fair: &Fair) -> Option<Ranged> {
    let half = fair.lever.as_ref()?.half.exp();
    let best = fair.price.best;
    Some(Ranged { best, low: best / half, high: best * half })
}

/// All that is to be said of the weapon at this position, in one sentence: both numbers first.
pub fn why(position: usize, pricing: &Pricing) -> String {
    let weapon = &pricing.weapons[position];
    let mut parts = vec![both(weapon)];
    match &weapon.fair {
        Err(why) => parts.push(format!("not priced here: {}", unpriced(why))),
        Ok(fair) => {
            parts.extend(fair.judged.as_ref().map(|judged| judgement(weapon, judged, fair)));
            parts.extend(narrower(fair));
        }
    }
    parts.extend(home(position, pricing));
    parts.extend(floor(weapon));
    parts.extend(chance(weapon, pricing));
    format!("{}.", parts.join("; "))
}

/// Its worth, and what is paid for it.
fn both(weapon: &Priced) -> String {
    let worth = format!("worth {} points of the reference troops", points(weapon.worth.best));
    match weapon.priced() {
        None => worth,
        Some(fair) => {
            let price = fair.price;
            let range = format!("{} to {}", points(price.low), points(price.high));
            match fair.anchor {
                Anchor::Reference => format!("{worth} ({range})"),
                Anchor::Arsenal => {
                    let best = points(price.best);
                    format!("{worth}, for which this arsenal pays {best} ({range})")
                }
            }
        }
    }
}

fn judgement(weapon: &Priced, judged: &Judged, fair: &Fair) -> String {
    let price = maybe_points(weapon.price);
    let more = percent(judged.residual.abs().exp_m1());
    match judged.verdict {
        Verdict::Fine => format!("{price} is fine"),
        Verdict::Over => format!("{price} is over, {more} more than the best guess"),
        Verdict::Under => format!("{price} is under, the best guess is {more} more"),
        Verdict::CannotTell => {
            let best = points(fair.price.best);
            format!("whether {price} is right cannot be told, the best guess is {best}")
        }
    }
}

fn maybe_points(price: Option<f64>) -> String {
    price.map_or("no price".to_owned(), points)
}

/// What would narrow its interval, and to what.
fn narrower(fair: &Fair) -> Option<String> {
    let (lever, then) = (fair.lever.as_ref()?, settled(fair)?);
    let (low, high) = (points(then.low), points(then.high));
    let about = match lever.write {
        Write::Assumption(..) => "",
        Write::Opponent | Write::Weapons => "about ",
    };
    let line = clean(&lever.write.line());
    Some(format!("with {line} the range would be {about}{low} to {high}"))
}

/// The scenarios in which it is worth most and least.
fn home(position: usize, pricing: &Pricing) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let table = pricing.worths.get(&Model::Default)?;
    let said = |scenario: usize| {
        let worth = table[position][scenario].log.exp();
        let name = clean(&pricing.scenarios[scenario].name);
        format!("in “{name}” ({})", points(worth))
    };
    let (best, worst) = (said(weapon.best), said(weapon.worst));
    let differ = weapon.best != weapon.worst;
    differ.then(|| format!("it is worth most {best}, least {worst}"))
}

/// What its like is worth that never fires.
fn floor(weapon: &Priced) -> Option<String> {
    let floor = points(weapon.floor?);
    Some(match weapon.floored {
        share if share > 0.0 => format!(
            "one who never fires is worth {floor}, and in {} of the mix it is worth no more",
            percent(share)
        ),
        _ => format!("one who never fires is worth {floor}"),
    })
}

/// A caution where the finding may be chance, or a bound is all there is.
fn chance(weapon: &Priced, pricing: &Pricing) -> Option<String> {
    let judged = weapon.judged();
    if let Some(judged) = judged.filter(|judged| judged.verdict.wrong() && judged.q > RATE) {
        let count = pricing.weapons.len();
        let q = judged.q;
        return Some(format!("among {count} weapons this can be chance (q = {q:.2})"));
    }
    let bounded = percent(weapon.bounded);
    (weapon.bounded > 0.0).then(|| format!("in {bounded} of the mix its worth is only a bound"))
}

/// Findings that the report leads with, the farthest off first.
const LED: usize = 8;

/// The whole arsenal in a sentence or two: what is found, what survives everything, what is left.
pub fn verdicts(pricing: &Pricing) -> String {
    let all = &pricing.weapons;
    let count = |verdict: Verdict| all.iter().filter(|w| w.verdict() == Some(verdict)).count();
    let new = all.iter().filter(|w| w.price.is_none()).count();
    let unpriced = all.iter().filter(|w| w.fair.is_err()).count();
    let mut parts = vec![
        format!("{} fine", count(Verdict::Fine)),
        format!("{} over", count(Verdict::Over)),
        format!("{} under", count(Verdict::Under)),
        format!("{} cannot be told", count(Verdict::CannotTell)),
    ];
    if unpriced > 0 {
        parts.push(format!("{unpriced} not priced here"));
    }
    if new > 0 {
        parts.push(format!("{new} without a price"));
    }
    let said = format!("Of {} weapons: {}.", all.len(), parts.join(", "));
    let sure = |w: &&Priced| w.judged().is_some_and(|judged| judged.robust && judged.q <= RATE);
    let mut robust: Vec<&Priced> = all.iter().filter(sure).collect();
    let far = |w: &Priced| w.judged().map_or(0.0, |judged| judged.residual.abs());
    // The largest errors first, since the list is cut.
    robust.sort_by(|a, b| far(b).total_cmp(&far(a)));
    let name = |w: &&Priced| format!("{} ({})", clean(&w.name), verdict(w));
    let mut names: Vec<String> = robust.iter().take(LED).map(name).collect();
    if robust.len() > LED {
        names.push(format!("and {} more", robust.len() - LED));
    }
    match names.is_empty() {
        true => said,
        false => format!(
            "{said} Wrong under every mix, every assumption and on both scales, with at most {} false \
             findings: {}.",
            percent(RATE),
            names.join(", ")
        ),
    }
}

/// How the prices were made, one sentence a line.
pub fn method(findings: &Findings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut lines = vec![battles(findings), WORTH.to_owned()];
    lines.extend(scale(pricing));
    lines.push(interval(pricing));
    lines.push(format!(
        "Fine: the 90 % interval lies within {} of the price. Over, under: the 95 % interval excludes \
         it and the best guess is off by more than that. Cannot tell: all else, and everything with \
         fewer than {OPPONENTS} opponents.",
        percent(pricing.tolerance)
    ));
    lines.push(format!(
        "A price to try is at most {} away, or one step, on the ladder: {}.",
        percent(LIMIT),
        pricing.ladder.words()
    ));
    if findings.only.is_some() {
        lines.push(BRIEF.to_owned());
    }
    lines.extend(exchange(pricing));
    if pricing.weapons.iter().any(|weapon| weapon.bounded > 0.0) {
        lines.push(format!(
            "Where a curve never passes one half, the worth is the end of its grid; up to {REACH} \
             times that is allowed for in the interval."
        ));
    }
    lines.extend(pricing.notes.iter().map(|note| clean(note)));
    lines.extend(notes(findings.evidence));
    lines
}

/// What the columns of the tables beyond the first mean.
pub const MEANINGS: [&str; 6] = [
    "worth: points of reference troops against which it wins half of its battles, as the mean of \
     the logarithms under the designer's mix",
    "never fires, on the floor: what its like is worth that only stands there, and the share of the \
     mix in which the weapon is worth no more",
    "mixes: the designer's weights; uniform: every scenario alike; adversarial: what an opponent \
     picks who knows what each is worth all in all, whatever it costs; Nash: the worst he could pick, \
     a bound",
    "q: the rate of false findings among all that are at least as clear",
    "place: first and last possible place among all prices, 1 for the most overpriced",
    "shares: what the square of the range loses when its cause is taken away",
];

const BRIEF: &str = "The other weapons were fought with every assumption at its default only: what an \
    assumption changes for all alike is not taken out, so the range is somewhat wider than that of the \
    whole arsenal.";

const WORTH: &str = "Worth is in points of the reference troops. The best guess is what this arsenal \
    pays for that worth; where fewer than eight other weapons have a price, both are one number.";

/// The logarithm by which a price ten times too high may move another best guess, a tenth, before the
/// report says why.
const MOVED: f64 = 0.1;

/// Weapons that are named where a note is about them; of more their number is given.
const NAMED: usize = 3;

/// What the contests remark, each remark once, with the weapons and scenarios it is about when not
/// all.
fn notes(evidence: &Evidence) -> Vec<String> {
    let mut about: IndexMap<&str, IndexMap<usize, Vec<usize>>> = IndexMap::new();
    for note in &evidence.notes {
        let weapons = about.entry(&note.text).or_default();
        weapons.entry(note.weapon).or_default().push(note.scenario);
    }
    let said = |(text, weapons): (&str, IndexMap<usize, Vec<usize>>)| {
        let (all, text) = (evidence.weapons.len(), clean(text));
        let everywhere = |met: &Vec<usize>| met.len() == evidence.scenarios.len();
        if weapons.len() == all && weapons.values().all(everywhere) {
            return format!("Note: {text}");
        }
        if weapons.len() > NAMED {
            return format!("Note ({} of {all} weapons): {text}", weapons.len());
        }
        let named = weapons.iter().map(|(&weapon, met)| {
            let name = clean(&evidence.weapons[weapon].name);
            let place = |&met: &usize| format!("“{}”", clean(&evidence.scenarios[met].name));
            match everywhere(met) {
                true => name,
                false => format!("{name} in {}", listed(met.iter().map(place))),
            }
        });
        format!("Note ({}): {text}", listed(named))
    };
    about.into_iter().map(said).collect()
}

fn listed(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}

fn battles(findings: &Findings) -> String {
    let trials = findings.pricing.weapons.iter().filter_map(|weapon| weapon.trials);
    let simulated = trials.clone().count();
    let how = match simulated {
        0 => "all of them exact".to_owned(),
        _ => format!(
            "of {simulated} of {} weapons partly simulated, with {} meetings in all (seed {})",
            findings.pricing.weapons.len(),
            grouped(trials.sum()),
            findings.seed
        ),
    };
    format!(
        "Indifference prices from {} battles of force against force, {how}.",
        grouped(findings.evidence.battles.len() as u64)
    )
}

/// What the arsenal pays for worth, and who is not heard.
fn scale(pricing: &Pricing) -> Vec<String> {
    let Some(fit) = &pricing.line else {
        return Vec::new();
    };
    let (slope, doubt) = (fit.line.slope, fit.slope_doubt());
    let twice = |slope: f64| 2f64.powf(slope);
    let (low, high) = (twice((slope - doubt).max(0.0)), twice(slope + doubt));
    let mut lines = vec![format!(
        "Twice the worth costs {:.1} times here ({low:.1} to {high:.1}). Every weapon is judged by the \
         line through the other priced weapons, so its own price moves nothing of its own answer.",
        twice(slope)
    )];
    // A slope of 1 is one factor for all worths, which is more easily said.
    if (slope - doubt..=slope + doubt).contains(&1.0) {
        let factor = fit.line.at(fit.middle) - fit.middle;
        lines.push(format!(
            "That may be one factor: a point of worth costs about {:.2}.",
            factor.exp()
        ));
    }
    let names = pricing.unused.iter().map(|&w| clean(&pricing.weapons[w].name));
    if !pricing.unused.is_empty() {
        lines.push(format!(
            "Not used for the line, because their prices are far from it: {}.",
            listed(names)
        ));
    }
    lines.extend(pricing.lean().map(|lean| leans(lean, pricing)));
    lines
}

/// How much best guesses lean on single prices of others.
fn leans(lean: Lean, pricing: &Pricing) -> String {
    let name = |w: usize| clean(&pricing.weapons[w].name);
    let by =
        |moved: Moved| format!("{} by {}", name(moved.guess), figures::change(moved.by.exp_m1()));
    let (without, tenfold) = (lean.without, lean.tenfold);
    let wild = match tenfold.by.abs() > MOVED {
        true => {
            ": so much that one ten times too high is not told from a right one for certain. More \
                 weapons with prices would steady it"
        }
        false => "",
    };
    format!(
        "The most that one price moves the best guess of another: {} left out moves {}, {} ten times as \
         high moves {}. Prices scatter by {} about the line{wild}.",
        name(without.price),
        by(without),
        name(tenfold.price),
        by(tenfold),
        percent(lean.scatter)
    )
}

fn interval(pricing: &Pricing) -> String {
    let opponents = match pricing.opponents {
        1 => format!(
            "one opponent, so that what is known of other arsenals stands in (a spread of {} over \
             opponents)",
            percent(PRIOR.0)
        ),
        all => format!(
            "{all} opponents (as even as {:.1} of equal weight)",
            pricing.effective_opponents
        ),
    };
    let line = match pricing.line {
        Some(_) => "the line through the other weapons, ",
        None => "",
    };
    format!(
        "Ranges cover 95 %: {line}{opponents}, scenarios, assumptions within their ranges, and \
         rolled battles, in quadrature."
    )
}

fn exchange(pricing: &Pricing) -> Option<String> {
    let said = |what: &str, worth: Option<f64>| {
        worth.map(|worth| format!("{what} is worth {worth:.2} of a kill"))
    };
    let exchange = pricing.exchange;
    let parts = [said("a pin", exchange.pin_per_kill), said("a break", exchange.break_per_kill)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| format!("By what brings nerve back, {}.", parts.join(", ")))
}

/// What each cause in the table of sensitivity means, one sentence a line.
pub fn causes(pricing: &Pricing) -> Vec<String> {
    let said = |swing: &Swing| format!("{}: {}", clean(&swing.name), clean(&swing.about));
    pricing.swings.iter().map(said).collect()
}
