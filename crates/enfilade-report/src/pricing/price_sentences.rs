//! Sentences about prices, which all reports share.

use super::points_format::{comma_separated_names, format_ends, format_price_points};
use super::price_findings::PriceFindings;
use crate::text::labels::capitalize_first;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine;
use enfilade_pricing::evidence::{AssumptionCase, BattleEvidence, PriceAssumption};
use enfilade_pricing::price::best_addition::ArsenalFileAddition;
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
    let mut blind = PRICE_BLIND_SPOTS.map(|(what, how)| (what, how.to_owned())).to_vec();
    let never = &findings.evidence.never;
    if !never.is_empty() {
        let names = comma_separated_names(never);
        blind.push(("these scenarios", format!("none of them has {names}")));
    }
    blind
}

/// Formats a share in whole percent.
pub fn format_whole_percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// Returns the verdict on a weapon's price in a word or two.
pub fn verdict_in_words(weapon: &WeaponPrice) -> &'static str {
    match (&weapon.even, weapon.verdict_on_price()) {
        (Err(_), _) => "not priced here",
        (Ok(_), None) if weapon.price.is_some() => "by decision",
        (Ok(_), None) if lacks_one_price(weapon) => PriceVerdict::NoOnePrice.label_in_reports(),
        (Ok(_), None) => "new",
        (Ok(_), Some(verdict)) => verdict.label_in_reports(),
    }
}

/// Whether the unit has no one price, and is not wrong against every opponent.
pub(super) fn lacks_one_price(weapon: &WeaponPrice) -> bool {
    let apart = weapon.even_price_if_any().is_some_and(|even| even.opponent_prices.is_some());
    apart && !is_found_wrong(weapon)
}

/// Whether the price of the weapon is found wrong.
pub(super) fn is_found_wrong(weapon: &WeaponPrice) -> bool {
    weapon.verdict_on_price().is_some_and(PriceVerdict::is_price_wrong)
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
        UnpricedReason::Harmless(sums) => {
            let never = "it never harms anybody in these scenarios";
            // The sum that rules it out, or all of them.
            match (sums.len(), comma_separated_names(sums)) {
                (0, _) => never.to_owned(),
                (1, sum) => format!("{never}: {sum} everywhere"),
                (_, sums) => format!("{never}: {sums}"),
            }
        }
        UnpricedReason::NotModelled(what) => {
            format!("what it is for is not fought here: {}", replace_control_chars(what))
        }
        UnpricedReason::Flat => "its curves are too flat to say what it is worth".to_owned(),
        UnpricedReason::OutsideCurves(bound) => match bound {
            WorthBound::AtLeast => "it wins against the largest force that was tried".to_owned(),
            WorthBound::AtMost => "it is worth less than the smallest force".to_owned(),
        },
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
    let price = weapon.price.map_or_else(String::new, format_price_points);
    let RangedValue { best, low, high } = even.rounded;
    let between = if low == high { "about" } else { "between" };
    let surely = format!("surely {between} {}", format_ends((low, high), "and"));
    let [best, low, high] = [best, low, high].map(format_price_points);
    if let Some(apart) = even.opponent_prices.filter(|_| lacks_one_price(weapon)) {
        let (low, high) = shown_price_range(even, pricing.steps);
        let [low, high] = [low, high].map(format_price_points);
        let [worst, kindest] =
            apart.opponents.map(|w| replace_control_chars(&pricing.weapons[w].name));
        return format!(
            "it has no one price: {best} on average, {low} beside {worst}, {high} beside {kindest}"
        );
    }
    match even.finding.map(|judged| judged.verdict) {
        None if weapon.price.is_some() => format!("{price} is right by decision"),
        None => format!("it {}", describe_new_price(even, pricing)),
        Some(PriceVerdict::Right) => {
            format!("{price} is right within {}: {surely}", format_whole_percent(pricing.tolerance))
        }
        Some(PriceVerdict::TooDear) => format!("{price} is too dear: {surely}, so {high} at most"),
        Some(PriceVerdict::TooCheap) => {
            format!("{price} is too cheap: {surely}, so {low} at least")
        }
        Some(PriceVerdict::Open | PriceVerdict::NoOnePrice) => {
            explain_missing_verdict(weapon.price.unwrap_or(even.price.best), even, pricing)
        }
    }
}

/// Describes the price of a candidate.
pub(super) fn describe_new_price(even: &EvenPrice, pricing: &ArsenalPrices) -> String {
    let best = format_price_points(even.rounded.best);
    format!("should cost about {best}: {}", describe_price_range(even, pricing))
}

/// Describes the range: with few opponents it is mainly about opponents that the file lacks.
fn describe_price_range(even: &EvenPrice, pricing: &ArsenalPrices) -> String {
    let RangedValue { best, low, high } = even.rounded;
    let (best, all) = (format_price_points(best), format_ends((low, high), "to"));
    if pricing.opponents < MIN_OPPONENTS_TO_JUDGE {
        format!("{best} here, {all} against opponents that are not in the file")
    } else if low == high {
        "no other step of this game's prices is in its range".to_owned()
    } else {
        format!("any price from {all} plays alike")
    }
}

/// Explains why there is no verdict: inside the range any price plays alike, and outside it the
/// tolerance may apply.
fn explain_missing_verdict(price: f64, even: &EvenPrice, pricing: &ArsenalPrices) -> String {
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

/// Describes the worth, and where it is largest and smallest.
pub(super) fn worth_sentence(position: usize, pricing: &ArsenalPrices) -> Option<String> {
    let weapon = &pricing.weapons[position];
    let table = pricing.worths.get(&AssumptionCase::Default)?;
    let worth = format_price_points(weapon.worth.best);
    let mut text = format!("It counts for {worth} points of the troops it meets");
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
        let share = format_whole_percent(weapon.bounded_share);
        text += &format!("; in {share} of the battles that is only a bound");
    }
    Some(text + ".")
}

/// How far the eighth copy is from the first before a sentence gives it.
const MENTIONED_COPY_CHANGE: f64 = 0.10;

/// The worth of the eighth copy, where it is not that of the first.
fn eighth_copy_sentence(weapon: &WeaponPrice) -> Option<String> {
    let off = weapon.eighth? - 1.0;
    let (by, how) = (format_whole_percent(off.abs()), if off > 0.0 { "more" } else { "less" });
    (off.abs() > MENTIONED_COPY_CHANGE)
        .then(|| format!("The eighth is worth {by} {how} than the first."))
}

/// The error of a rounded price from which it is mentioned.
const MIN_MENTIONED_ROUNDING: f64 = 0.05;

/// Describes the rounding, if the steps of the game are coarse at this price.
fn coarse_rounding_sentence(even: &EvenPrice, pricing: &ArsenalPrices) -> Option<String> {
    let step = pricing.steps.step_if_coarse(even.price.best)?;
    let mut text = format!("Steps of {} are coarse for this unit", format_price_points(step));
    let off = even.rounded.best / even.price.best - 1.0;
    if off.abs() >= MIN_MENTIONED_ROUNDING {
        let side = if off > 0.0 { "dear" } else { "cheap" };
        let (best, off) = (format_price_points(even.rounded.best), format_whole_percent(off.abs()));
        text += &format!(": {best} is {off} {side}");
    }
    Some(text + ".")
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
    let ArsenalFileAddition::Assumption(name, value) = &lever.write else {
        return Some(format!("What would settle it: {line}; about {range} then."));
    };
    let about = evidence.assumptions.iter().find(|assumption| assumption.name == *name);
    let about = replace_control_chars(about.map_or(name, |assumption| &assumption.about));
    Some(format!("What would settle it: {about}? If {value}: {range} ({line})."))
}

/// The largest number of assumptions of which both ends are described.
const MAX_ASSUMPTIONS_SHOWN: usize = 3;

/// Logarithms of a price, from one end to the other, below which an assumption moves nothing.
const MIN_LOG_PRICE_EFFECT: f64 = 0.01;

/// Returns the assumptions that move even prices most, the largest effect first.
pub(super) fn assumptions_by_effect(pricing: &ArsenalPrices) -> Vec<usize> {
    let even = pricing.weapons.iter().filter_map(WeaponPrice::even_price_if_any);
    let even: Vec<&EvenPrice> = even.collect();
    let mut effects = sort_assumption_effects(&even);
    effects.retain(|(_, effect)| *effect > MIN_LOG_PRICE_EFFECT * even.len() as f64);
    effects.into_iter().map(|(place, _)| place).take(MAX_ASSUMPTIONS_SHOWN).collect()
}

/// Returns each assumption with the distances between the prices at its ends, the largest first.
fn sort_assumption_effects(even: &[&EvenPrice]) -> Vec<(usize, f64)> {
    let effect = |place: usize| -> f64 {
        let ends = even.iter().map(|even| even.assumption_prices[place]);
        ends.map(|(low, high)| (high / low).ln().abs()).sum()
    };
    let places = 0..even.first().map_or(0, |even| even.assumption_prices.len());
    let mut effects: Vec<(usize, f64)> = places.map(|place| (place, effect(place))).collect();
    effects.sort_by(|a, b| b.1.total_cmp(&a.1));
    effects
}

/// Returns the ends of an assumption, with the two things given; one end may be the default.
pub(super) fn ends_other_than_default<T>(
    of: &PriceAssumption,
    (low, high): (T, T),
) -> impl Iterator<Item = (f64, T)> {
    [(of.low, low), (of.high, high)].into_iter().filter(|(value, _)| *value != of.default)
}

/// Describes the prices at the ends of the most influential assumptions; assumptions in words, such
/// as the order of activation and the choice of targets, are always included.
fn influential_assumptions_sentence(
    even: &EvenPrice,
    evidence: &BattleEvidence,
    pricing: &ArsenalPrices,
) -> Option<String> {
    let on = |price: f64| format_price_points(pricing.steps.round_to_nearest(price));
    let best = format_price_points(even.rounded.best);
    let is_word = |place: &usize| {
        let of = &evidence.assumptions[*place];
        of.low != of.high && doctrine::word_of_assumption_value(&of.name, of.default).is_some()
    };
    let moves = |place: &usize| {
        let (low, high) = even.assumption_prices[*place];
        on(low) != best || on(high) != best
    };
    let effects = sort_assumption_effects(&[even]).into_iter();
    let mut order: Vec<usize> = effects.map(|(place, _)| place).collect();
    let numbers = order.iter().copied().filter(|place| !is_word(place) && moves(place));
    let numbers: Vec<usize> = numbers.take(MAX_ASSUMPTIONS_SHOWN).collect();
    order.retain(|place| is_word(place) || numbers.contains(place));
    let texts = order.iter().flat_map(|&place| {
        let of = &evidence.assumptions[place];
        let ends = ends_other_than_default(of, even.assumption_prices[place]);
        ends.map(|(value, price)| {
            let price = if on(price) == best { "the same".to_owned() } else { on(price) };
            let phrase = doctrine::format_assumption_phrase(&of.name, value);
            format!("{price} if {}", replace_control_chars(&phrase))
        })
    });
    let texts: Vec<String> = texts.collect();
    (!texts.is_empty()).then(|| format!("Instead of {best}: {}.", texts.join("; ")))
}
