//! Sentences about prices, which all reports share.

use super::points_format::{format_ends, format_price_points};
use super::price_findings::PriceFindings;
use crate::text::labels::capitalize_first;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine;
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence};
use enfilade_pricing::price::best_addition::ArsenalAddition;
use enfilade_pricing::price::price_steps::PriceRounding;
use enfilade_pricing::price::verdict::{MIN_OPPONENTS_TO_JUDGE, PriceVerdict};
use enfilade_pricing::price::worth::WorthBound;
use enfilade_pricing::price::{ArsenalPrices, EvenPrice, RangedValue, UnpricedReason, WeaponPrice};

/// The blind spots of a price, which every report names.
pub const PRICE_BLIND_SPOTS: [(&str, &str); 4] = [
    ("manoeuvre", "nobody outflanks, withdraws or waits for a better shot; forces meet and fight"),
    ("objectives", "a side wins by what is left of the other, not by holding ground"),
    ("command", "orders, initiative and leaders are what the scenario gives both sides alike"),
    ("the players", "both sides fire at what is there; nobody bluffs, tires or knows the table"),
];

/// Lists the blind spots of these prices: those of all battles, and those that these scenarios
/// could cover and do not.
pub fn list_blind_spots(findings: &PriceFindings) -> Vec<(&'static str, String)> {
    let mut blind: Vec<_> =
        PRICE_BLIND_SPOTS.iter().map(|(what, how)| (*what, (*how).to_owned())).collect();
    let never = &findings.evidence.never;
    if !never.is_empty() {
        let names = comma_separated_names(never.iter().map(|label| replace_control_chars(label)));
        blind.push(("these scenarios", format!("none of them has {names}")));
    }
    blind
}

/// Formats a share in whole percent.
pub fn format_whole_percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Returns the verdict on a weapon's price in a word or two.
pub fn verdict_in_words(weapon: &WeaponPrice) -> String {
    let text = match (&weapon.even, weapon.verdict_on_price()) {
        (Err(_), _) => "not priced here",
        (Ok(_), None) if weapon.price.is_some() => "by decision",
        (Ok(_), None) if lacks_one_price(weapon) => PriceVerdict::NoOnePrice.label_in_reports(),
        (Ok(_), None) => "new",
        (Ok(_), Some(verdict)) => verdict.label_in_reports(),
    };
    text.to_owned()
}

/// Whether the unit has no one price, and is not wrong against every opponent.
pub(super) fn lacks_one_price(weapon: &WeaponPrice) -> bool {
    let apart = weapon.even_price_if_any().is_some_and(|even| even.opponent_prices.is_some());
    apart && !weapon.verdict_on_price().is_some_and(PriceVerdict::is_price_wrong)
}

/// Returns both ends shown for an even price, on the steps of the game: those of its range, or
/// without one price those of the prices case by case.
pub(super) fn shown_price_range(even: &EvenPrice, steps: PriceRounding) -> (f64, f64) {
    match even.opponent_prices {
        Some(apart) => (steps.round_to_nearest(apart.low), steps.round_to_nearest(apart.high)),
        None => (even.rounded.low, even.rounded.high),
    }
}

/// Explains why a weapon is not priced.
pub fn explain_unpriced_weapon(why: &UnpricedReason) -> String {
    match why {
        UnpricedReason::Harmless(sums) => explain_harmlessness(sums),
        UnpricedReason::NotModelled(what) => {
            format!("what it is for is not fought here: {}", replace_control_chars(what))
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
fn explain_harmlessness(sums: &[String]) -> String {
    let never = "it never harms anybody in these scenarios";
    match sums {
        [] => never.to_owned(),
        [one] => format!("{never}: {} everywhere", replace_control_chars(one)),
        sums => {
            format!(
                "{never}: {}",
                comma_separated_names(sums.iter().map(|sum| replace_control_chars(sum)))
            )
        }
    }
}

/// Returns the range that an even price would have with the addition of its lever; `None` without
/// one.
pub fn range_after_best_addition(even: &EvenPrice) -> Option<RangedValue> {
    let half = even.best_addition.as_ref()?.half;
    Some(RangedValue::from_log_and_half(even.price.best.ln(), half))
}

/// Explains the verdict on its price in one line.
pub fn explain_price_verdict(weapon: &WeaponPrice, pricing: &ArsenalPrices) -> String {
    let even = match &weapon.even {
        Ok(even) => even,
        Err(why) => return format!("not priced here: {}", explain_unpriced_weapon(why)),
    };
    let (price, best) =
        (weapon.price.map_or_else(String::new, format_price_points), even.rounded.best);
    let RangedValue { low, high, .. } = even.rounded;
    let surely = match low == high {
        true => format!("surely about {}", format_price_points(best)),
        false => format!("surely between {}", format_ends((low, high), "and")),
    };
    if let Some(apart) = even.opponent_prices.filter(|_| lacks_one_price(weapon)) {
        let [low, high] = [apart.low, apart.high]
            .map(|price| format_price_points(pricing.steps.round_to_nearest(price)));
        let [worst, best] =
            apart.opponents.map(|w| replace_control_chars(&pricing.weapons[w].name));
        let mean = format_price_points(even.rounded.best);
        return format!(
            "it has no one price: {mean} on average, {low} beside {worst}, {high} beside {best}"
        );
    }
    match even.finding.map(|judged| judged.verdict) {
        None if weapon.price.is_some() => format!("{price} is right by decision"),
        None => {
            let range = describe_price_range(even, pricing);
            format!("it should cost about {}: {range}", format_price_points(best))
        }
        Some(PriceVerdict::Right) => {
            format!("{price} is right within {}: {surely}", format_whole_percent(pricing.tolerance))
        }
        Some(PriceVerdict::TooDear) => {
            format!("{price} is too dear: {surely}, so {} at most", format_price_points(high))
        }
        Some(PriceVerdict::TooCheap) => {
            format!("{price} is too cheap: {surely}, so {} at least", format_price_points(low))
        }
        Some(PriceVerdict::Open | PriceVerdict::NoOnePrice) => {
            explain_missing_verdict(weapon, even, pricing)
        }
    }
}

/// Describes the range: with few opponents it is mainly about opponents that the file lacks.
pub(super) fn describe_price_range(even: &EvenPrice, pricing: &ArsenalPrices) -> String {
    let RangedValue { best, low, high } = even.rounded;
    let all = format_ends((low, high), "to");
    match pricing.opponents < MIN_OPPONENTS_TO_JUDGE {
        true => {
            let best = format_price_points(best);
            format!("{best} here, {all} against opponents that are not in the file")
        }
        false if low == high => "no other step of this game's prices is in its range".to_owned(),
        false => format!("any price from {all} plays alike"),
    }
}

/// Explains why there is no verdict: inside the range any price plays alike, and outside it the
/// tolerance may apply.
fn explain_missing_verdict(
    weapon: &WeaponPrice,
    even: &EvenPrice,
    pricing: &ArsenalPrices,
) -> String {
    let price = weapon.price.unwrap_or(even.price.best);
    if (even.price.low..=even.price.high).contains(&price) {
        return describe_price_range(even, pricing);
    }
    let why = match pricing.opponents < MIN_OPPONENTS_TO_JUDGE {
        true => format!("there are verdicts from {MIN_OPPONENTS_TO_JUDGE} opponents on"),
        false => format!("it is off by no more than {}", format_whole_percent(pricing.tolerance)),
    };
    let all = format_ends((even.rounded.low, even.rounded.high), "to");
    format!("{} is outside {all}, but {why}", format_price_points(price))
}

/// Builds all sentences about the weapon at this index: the reason, its worth, the addition that
/// would settle it, and the effect of each assumption.
pub fn all_sentences_on_weapon(position: usize, findings: &PriceFindings) -> Vec<String> {
    let (pricing, evidence) = (findings.pricing, findings.evidence);
    let weapon = &pricing.weapons[position];
    let mut texts = vec![format!("{}.", capitalize_first(&explain_price_verdict(weapon, pricing)))];
    texts.extend(worth_sentence(position, pricing));
    texts.extend(eighth_copy_sentence(weapon));
    if let Some(even) = weapon.even_price_if_any() {
        texts.extend(worth_in_units_sentence(even, pricing));
        texts.extend(coarse_rounding_sentence(even, pricing));
        texts.extend(range_narrowing_line_sentence(even, evidence));
        texts.extend(influential_assumptions_sentence(even, evidence, pricing));
    }
    texts
}

/// Joins these sentences to one text.
pub fn weapon_sentences_text(position: usize, findings: &PriceFindings) -> String {
    all_sentences_on_weapon(position, findings).join(" ")
}

/// Describes the worth, and where it is largest and smallest.
pub(super) fn worth_sentence(position: usize, pricing: &ArsenalPrices) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let table = pricing.worths.get(&AssumptionCase::Default)?;
    let mut text = format!(
        "It counts for {} points of the troops it meets",
        format_price_points(weapon.worth.best)
    );
    if weapon.best != weapon.worst {
        let at = |scenario: usize| {
            let worth = table[position][scenario].log.exp();
            let name = replace_control_chars(&pricing.scenarios[scenario].name);
            format!("in “{name}” ({})", format_price_points(worth))
        };
        let (best, worst) = (at(weapon.best), at(weapon.worst));
        text += &format!("; it is worth most {best}, least {worst}");
    }
    if let Some(floor) = weapon.idle_worth {
        text += &format!("; if it never fires, for {}", format_price_points(floor));
    }
    if weapon.bounded_share > 0.0 {
        text += &format!(
            "; in {} of the battles that is only a bound",
            format_whole_percent(weapon.bounded_share)
        );
    }
    Some(text + ".")
}

/// How far the eighth copy is from the first before a sentence gives it.
const MENTIONED_COPY_CHANGE: f64 = 0.10;

/// The worth of the eighth copy, where it is not that of the first.
fn eighth_copy_sentence(weapon: &WeaponPrice) -> Option<String> {
    let off = weapon.eighth? - 1.0;
    let how = if off > 0.0 { "more" } else { "less" };
    let sentence =
        || format!("The eighth is worth {} {how} than the first.", format_whole_percent(off.abs()));
    (off.abs() > MENTIONED_COPY_CHANGE).then(sentence)
}

/// The error of a rounded price from which it is mentioned.
const MIN_MENTIONED_ROUNDING: f64 = 0.05;

/// Describes the rounding, if the steps of the game are coarse at this price.
fn coarse_rounding_sentence(even: &EvenPrice, pricing: &ArsenalPrices) -> Option<String> {
    let step = pricing.steps.step_if_coarse(even.price.best)?;
    let off = even.rounded.best / even.price.best - 1.0;
    let side = if off > 0.0 { "dear" } else { "cheap" };
    let felt = match off.abs() < MIN_MENTIONED_ROUNDING {
        true => String::new(),
        false => {
            format!(
                ": {} is {} {side}",
                format_price_points(even.rounded.best),
                format_whole_percent(off.abs())
            )
        }
    };
    Some(format!("Steps of {} are coarse for this unit{felt}.", format_price_points(step)))
}

/// Compares the weapon with the unit of reference.
fn worth_in_units_sentence(even: &EvenPrice, pricing: &ArsenalPrices) -> Option<String> {
    let (beside, one) = (even.in_reference_units?, pricing.reference_unit?);
    let name = replace_control_chars(&pricing.weapons[one].name);
    let (best, low, high) = (beside.best, beside.low, beside.high);
    (low < high).then(|| format!("It counts for {best:.2} of {name} ({low:.2} to {high:.2})."))
}

/// Describes the addition that would narrow the range most, and the range after it.
fn range_narrowing_line_sentence(even: &EvenPrice, evidence: &BattleEvidence) -> Option<String> {
    let (lever, then) = (even.best_addition.as_ref()?, range_after_best_addition(even)?);
    let range = format_ends((then.low, then.high), "to");
    let line = replace_control_chars(&lever.write.hint_for_file());
    Some(match &lever.write {
        ArsenalAddition::Assumption(name, value) => {
            let about = evidence.assumptions.iter().find(|assumption| assumption.name == *name);
            let about = about.map_or(name.as_str(), |assumption| assumption.about.as_str());
            format!(
                "What would settle it: {}? If {value}: {range} ({line}).",
                replace_control_chars(about)
            )
        }
        ArsenalAddition::Opponent | ArsenalAddition::Weapons => {
            format!("What would settle it: {line}; about {range} then.")
        }
    })
}

/// The largest number of assumptions of which both ends are described.
pub(super) const MAX_ASSUMPTIONS_SHOWN: usize = 3;

/// Returns the distance between the ends of an assumption.
pub(super) fn log_price_effect_of_assumption(even: &EvenPrice, place: usize) -> f64 {
    (even.assumption_prices[place].1 / even.assumption_prices[place].0).ln().abs()
}

/// Describes the prices at the ends of the most influential assumptions; assumptions in words, such
/// as the order of activation and the choice of targets, are always included.
fn influential_assumptions_sentence(
    even: &EvenPrice,
    evidence: &BattleEvidence,
    pricing: &ArsenalPrices,
) -> Option<String> {
    let mut order: Vec<usize> = (0..even.assumption_prices.len()).collect();
    order.sort_by(|a, b| {
        log_price_effect_of_assumption(even, *b)
            .total_cmp(&log_price_effect_of_assumption(even, *a))
    });
    let on = |price: f64| format_price_points(pricing.steps.round_to_nearest(price));
    let best = format_price_points(even.rounded.best);
    let is_word = |place: &usize| {
        let of = &evidence.assumptions[*place];
        of.low != of.high && doctrine::word_of_assumption_value(&of.name, of.default).is_some()
    };
    let moves = |place: &usize| {
        on(even.assumption_prices[*place].0) != best || on(even.assumption_prices[*place].1) != best
    };
    let (words, mut numbers): (Vec<usize>, Vec<usize>) = order.iter().partition(|at| is_word(at));
    numbers.retain(moves);
    numbers.truncate(MAX_ASSUMPTIONS_SHOWN);
    order.retain(|place| words.contains(place) || numbers.contains(place));
    let texts = order.iter().flat_map(|&place| {
        let (of, (low, high)) = (&evidence.assumptions[place], even.assumption_prices[place]);
        let ends = [(of.low, low), (of.high, high)].into_iter().filter(|end| end.0 != of.default);
        ends.map(|(value, price)| {
            let (price, what) = (
                on(price),
                replace_control_chars(&doctrine::format_assumption_phrase(&of.name, value)),
            );
            if price == best { format!("the same if {what}") } else { format!("{price} if {what}") }
        })
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| format!("Instead of {best}: {}.", texts.join("; ")))
}

/// Joins names.
pub(super) fn comma_separated_names(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join(", ")
}
