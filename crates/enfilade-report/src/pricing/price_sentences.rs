//! Sentences about prices, which all reports share.

use super::points_format::format_points;
use super::price_findings::PriceFindings;
use crate::text::sentences::sanitize;
use enfilade_pricing::doctrine;
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_pricing::price::best_addition::FileAddition;
use enfilade_pricing::price::price_steps::PriceSteps;
use enfilade_pricing::price::verdict::{MIN_OPPONENTS, PriceVerdict};
use enfilade_pricing::price::worth::WorthBound;
use enfilade_pricing::price::{EvenPrice, Pricing, RangedValue, UnpricedReason, WeaponPrice};

/// The blind spots of a price, which every report names.
pub const BLIND_SPOTS: [(&str, &str); 4] = [
    ("manoeuvre", "nobody outflanks, withdraws or waits for a better shot; forces meet and fight"),
    ("objectives", "a side wins by what is left of the other, not by holding ground"),
    ("command", "orders, initiative and leaders are what the scenario gives both sides alike"),
    ("the players", "both sides fire at what is there; nobody bluffs, tires or knows the table"),
];

/// Lists the blind spots of these prices: those of all battles, and those that these scenarios
/// could cover and do not.
pub fn list_blind_spots(findings: &PriceFindings) -> Vec<(&'static str, String)> {
    let mut blind: Vec<_> =
        BLIND_SPOTS.iter().map(|(what, how)| (*what, (*how).to_owned())).collect();
    let never = &findings.evidence.never;
    if !never.is_empty() {
        let names = join_names(never.iter().map(|label| sanitize(label)));
        blind.push(("these scenarios", format!("none of them has {names}")));
    }
    blind
}

/// Formats a share in whole percent.
pub fn whole_percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Returns the verdict on a weapon's price in a word or two.
pub fn verdict_phrase(weapon: &WeaponPrice) -> String {
    let said = match (&weapon.even, weapon.price_verdict()) {
        (Err(_), _) => "not priced here",
        (Ok(_), None) if weapon.price.is_some() => "by decision",
        (Ok(_), None) if has_no_one_price(weapon) => PriceVerdict::NoOnePrice.label(),
        (Ok(_), None) => "new",
        (Ok(_), Some(verdict)) => verdict.label(),
    };
    said.to_owned()
}

/// Whether the unit has no one price, and is not wrong against every opponent.
pub(super) fn has_no_one_price(weapon: &WeaponPrice) -> bool {
    let apart = weapon.even_price().is_some_and(|even| even.opponent_prices.is_some());
    apart && !weapon.price_verdict().is_some_and(PriceVerdict::is_wrong)
}

/// Returns both ends shown for an even price, on the steps of the game: those of its range, or
/// without one price those of the prices case by case.
pub(super) fn display_range(even: &EvenPrice, steps: PriceSteps) -> (f64, f64) {
    match even.opponent_prices {
        Some(apart) => (steps.round_to_nearest(apart.low), steps.round_to_nearest(apart.high)),
        None => (even.rounded.low, even.rounded.high),
    }
}

/// Explains why a weapon is not priced.
pub fn explain_unpriced(why: &UnpricedReason) -> String {
    match why {
        UnpricedReason::Harmless(sums) => harmless(sums),
        UnpricedReason::NotModelled(what) => {
            format!("what it is for is not fought here: {}", sanitize(what))
        }
        UnpricedReason::Flat => "its curves are too flat to say what it is worth".to_owned(),
        UnpricedReason::OutsideCurves(WorthBound::AtLeast) => {
            "it wins against the largest force that was tried".to_owned()
        }
        UnpricedReason::OutsideCurves(WorthBound::AtMost) => {
            "it is worth less than the smallest force".to_owned()
        }
    }
}

/// Why it harms nobody: the sum that rules it out, or all of them.
fn harmless(sums: &[String]) -> String {
    let never = "it never harms anybody in these scenarios";
    match sums {
        [] => never.to_owned(),
        [one] => format!("{never}: {} everywhere", sanitize(one)),
        sums => format!("{never}: {}", join_names(sums.iter().map(|sum| sanitize(sum)))),
    }
}

/// Returns the range that an even price would have with the addition of its lever; `None` without
/// one.
pub fn range_after_addition(even: &EvenPrice) -> Option<RangedValue> {
    let half = even.best_addition.as_ref()?.half;
    Some(RangedValue::from_log(even.price.best.ln(), half))
}

/// Formats both ends of a range.
fn format_range(price: RangedValue) -> String {
    format!("{} to {}", format_points(price.low), format_points(price.high))
}

/// Explains the verdict on its price in one line.
pub fn explain_price(weapon: &WeaponPrice, pricing: &Pricing) -> String {
    let even = match &weapon.even {
        Ok(even) => even,
        Err(why) => return format!("not priced here: {}", explain_unpriced(why)),
    };
    let (all, price) =
        (format_range(even.rounded), weapon.price.map_or_else(String::new, format_points));
    let surely = match even.rounded.low == even.rounded.high {
        true => format!("surely about {}", format_points(even.rounded.best)),
        false => format!("surely between {}", all.replace(" to ", " and ")),
    };
    if let Some(apart) = even.opponent_prices.filter(|_| has_no_one_price(weapon)) {
        let [low, high] = [apart.low, apart.high]
            .map(|price| format_points(pricing.steps.round_to_nearest(price)));
        let [worst, best] = apart.opponents.map(|w| sanitize(&pricing.weapons[w].name));
        let mean = format_points(even.rounded.best);
        return format!(
            "it has no one price: {mean} on average, {low} beside {worst}, {high} beside {best}"
        );
    }
    match even.finding.map(|judged| judged.verdict) {
        None if weapon.price.is_some() => format!("{price} is right by decision"),
        None => {
            format!(
                "it should cost about {}: {}",
                format_points(even.rounded.best),
                describe_range(even, pricing)
            )
        }
        Some(PriceVerdict::Right) => {
            format!("{price} is right within {}: {surely}", whole_percent(pricing.tolerance))
        }
        Some(PriceVerdict::TooDear) => format!(
            "{price} is too dear: {surely}, so {} at most",
            format_points(even.rounded.high)
        ),
        Some(PriceVerdict::TooCheap) => format!(
            "{price} is too cheap: {surely}, so {} at least",
            format_points(even.rounded.low)
        ),
        Some(PriceVerdict::Open | PriceVerdict::NoOnePrice) => {
            explain_no_verdict(weapon, even, pricing)
        }
    }
}

/// Describes the range: with few opponents it is mainly about opponents that the file lacks.
pub(super) fn describe_range(even: &EvenPrice, pricing: &Pricing) -> String {
    let all = format_range(even.rounded);
    match pricing.opponents < MIN_OPPONENTS {
        true => {
            let best = format_points(even.rounded.best);
            format!("{best} here, {all} against opponents that are not in the file")
        }
        false => format!("any price from {all} plays alike"),
    }
}

/// Explains why there is no verdict: inside the range any price plays alike, and outside it the
/// tolerance may apply.
fn explain_no_verdict(weapon: &WeaponPrice, even: &EvenPrice, pricing: &Pricing) -> String {
    let (all, price) = (format_range(even.rounded), weapon.price.unwrap_or(even.price.best));
    let inside = (even.price.low..=even.price.high).contains(&price);
    if inside {
        return describe_range(even, pricing);
    }
    let why = match pricing.opponents < MIN_OPPONENTS {
        true => format!("there are verdicts from {MIN_OPPONENTS} opponents on"),
        false => format!("it is off by no more than {}", whole_percent(pricing.tolerance)),
    };
    format!("{} is outside {all}, but {why}", format_points(price))
}

/// Builds all sentences about the weapon at this index: the reason, its worth, the addition that
/// would settle it, and the effect of each assumption.
pub fn weapon_sentences(position: usize, findings: &PriceFindings) -> Vec<String> {
    let (pricing, evidence) = (findings.pricing, findings.evidence);
    let weapon = &pricing.weapons[position];
    let mut said = vec![format!("{}.", capitalize(&explain_price(weapon, pricing)))];
    said.extend(worth_sentence(position, pricing));
    said.extend(eighth(weapon));
    if let Some(even) = weapon.even_price() {
        said.extend(comparison_sentence(even, pricing));
        said.extend(rounding_sentence(even, pricing));
        said.extend(addition_sentence(even, evidence));
        said.extend(assumption_sentence(even, evidence, pricing));
    }
    said
}

/// Joins these sentences to one text.
pub fn weapon_text(position: usize, findings: &PriceFindings) -> String {
    weapon_sentences(position, findings).join(" ")
}

pub(super) fn capitalize(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().collect::<String>() + letters.as_str()
    })
}

/// Describes the worth, and where it is largest and smallest.
pub(super) fn worth_sentence(position: usize, pricing: &Pricing) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let table = pricing.worths.get(&AssumptionCase::Default)?;
    let mut said =
        format!("It counts for {} points of the troops it meets", format_points(weapon.worth.best));
    if weapon.best != weapon.worst {
        let at = |scenario: usize| {
            let worth = table[position][scenario].log.exp();
            let name = sanitize(&pricing.scenarios[scenario].name);
            format!("in “{name}” ({})", format_points(worth))
        };
        let (best, worst) = (at(weapon.best), at(weapon.worst));
        said += &format!("; it is worth most {best}, least {worst}");
    }
    if let Some(floor) = weapon.idle_worth {
        said += &format!("; if it never fires, for {}", format_points(floor));
    }
    if weapon.bounded_share > 0.0 {
        said += &format!(
            "; in {} of the battles that is only a bound",
            whole_percent(weapon.bounded_share)
        );
    }
    Some(said + ".")
}

/// How far the eighth copy is from the first before a sentence gives it.
const GROWN: f64 = 0.10;

/// The worth of the eighth copy, where it is not that of the first.
fn eighth(weapon: &WeaponPrice) -> Option<String> {
    let off = weapon.eighth? - 1.0;
    let how = if off > 0.0 { "more" } else { "less" };
    let sentence =
        || format!("The eighth is worth {} {how} than the first.", whole_percent(off.abs()));
    (off.abs() > GROWN).then(sentence)
}

/// The error of a rounded price from which it is mentioned.
const FELT_ROUNDING: f64 = 0.05;

/// Describes the rounding, if the steps of the game are coarse at this price.
fn rounding_sentence(even: &EvenPrice, pricing: &Pricing) -> Option<String> {
    let step = pricing.steps.coarse_step_at(even.price.best)?;
    let off = even.rounded.best / even.price.best - 1.0;
    let side = if off > 0.0 { "dear" } else { "cheap" };
    let felt = match off.abs() < FELT_ROUNDING {
        true => String::new(),
        false => {
            format!(": {} is {} {side}", format_points(even.rounded.best), whole_percent(off.abs()))
        }
    };
    Some(format!("Steps of {} are coarse for this unit{felt}.", format_points(step)))
}

/// Compares the weapon with the unit of reference.
fn comparison_sentence(even: &EvenPrice, pricing: &Pricing) -> Option<String> {
    let (beside, one) = (even.in_reference_units?, pricing.reference_unit?);
    let name = sanitize(&pricing.weapons[one].name);
    let (best, low, high) = (beside.best, beside.low, beside.high);
    (low < high).then(|| format!("It counts for {best:.2} of {name} ({low:.2} to {high:.2})."))
}

/// Describes the addition that would narrow the range most, and the range after it.
fn addition_sentence(even: &EvenPrice, evidence: &BattleEvidence) -> Option<String> {
    let (lever, then) = (even.best_addition.as_ref()?, range_after_addition(even)?);
    let range = format!("{} to {}", format_points(then.low), format_points(then.high));
    let line = sanitize(&lever.write.file_line());
    Some(match &lever.write {
        FileAddition::Assumption(name, value) => {
            let about = evidence.assumptions.iter().find(|assumption| assumption.name == *name);
            let about = about.map_or(name.as_str(), |assumption| assumption.about.as_str());
            format!("What would settle it: {}? If {value}: {range} ({line}).", sanitize(about))
        }
        FileAddition::Opponent | FileAddition::Weapons => {
            format!("What would settle it: {line}; about {range} then.")
        }
    })
}

/// The largest number of assumptions of which both ends are described.
pub(super) const MAX_ASSUMPTIONS: usize = 3;

/// Returns the distance between the ends of an assumption.
pub(super) fn effect_size(even: &EvenPrice, place: usize) -> f64 {
    (even.assumption_prices[place].1 / even.assumption_prices[place].0).ln().abs()
}

/// Describes the prices at the ends of the most influential assumptions; assumptions in words, such
/// as the order of activation and the choice of targets, are always included.
fn assumption_sentence(
    even: &EvenPrice,
    evidence: &BattleEvidence,
    pricing: &Pricing,
) -> Option<String> {
    let mut order: Vec<usize> = (0..even.assumption_prices.len()).collect();
    order.sort_by(|a, b| effect_size(even, *b).total_cmp(&effect_size(even, *a)));
    let on = |price: f64| format_points(pricing.steps.round_to_nearest(price));
    let best = format_points(even.rounded.best);
    let is_word = |place: &usize| {
        let of = &evidence.assumptions[*place];
        of.low != of.high && doctrine::find_word(&of.name, of.default).is_some()
    };
    let moves = |place: &usize| {
        on(even.assumption_prices[*place].0) != best || on(even.assumption_prices[*place].1) != best
    };
    let (words, mut numbers): (Vec<usize>, Vec<usize>) = order.iter().partition(|at| is_word(at));
    numbers.retain(moves);
    numbers.truncate(MAX_ASSUMPTIONS);
    order.retain(|place| words.contains(place) || numbers.contains(place));
    let said = order.iter().flat_map(|&place| {
        let (of, (low, high)) = (&evidence.assumptions[place], even.assumption_prices[place]);
        let ends = [(of.low, low), (of.high, high)].into_iter().filter(|end| end.0 != of.default);
        ends.map(|(value, price)| {
            let (price, what) =
                (on(price), sanitize(&doctrine::format_assumption(&of.name, value)));
            if price == best { format!("the same if {what}") } else { format!("{price} if {what}") }
        })
    });
    let said: Vec<String> = said.collect();
    (!said.is_empty()).then(|| format!("Instead of {best}: {}.", said.join("; ")))
}

/// Joins names.
pub(super) fn join_names(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
