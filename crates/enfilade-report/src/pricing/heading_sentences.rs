//! Sentences of the heading of a price report: the verdicts in brief, and the evidence for them.

use super::assumption_ends;
use super::points_format::format_points;
use super::price_findings::PriceFindings;
use super::price_sentences::{
    capitalize, describe_range, explain_price, has_no_one_price, worth_sentence,
};
use crate::text::sentences::sanitize;
use enfilade_pricing::doctrine;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{MIN_PRICES, WeaponPrice};

/// The largest number of names in a heading: three take four lines on a narrow screen.
const MAX_HEADING_NAMES: usize = 3;

/// Writes a small number in words.
pub(super) fn number_in_words(count: usize) -> String {
    const NUMBER_WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    NUMBER_WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Returns the weapons in reading order: wrong ones first, the farthest off before the others, then
/// those without one price, then by even price, and unpriced ones last.
pub fn reading_order(findings: &PriceFindings) -> Vec<usize> {
    let weapons = &findings.pricing.weapons;
    let key = |w: usize| {
        let weapon = &weapons[w];
        let wrong = weapon.price_finding().filter(|judged| judged.verdict.is_wrong());
        let even = weapon.even_price().map_or(f64::INFINITY, |even| even.price.best);
        match (wrong, weapon.even_price()) {
            (Some(judged), _) => (0, -judged.residual.abs()),
            (None, Some(_)) if has_no_one_price(weapon) => (1, -even),
            (None, Some(_)) => (2, -even),
            (None, None) => (3, 0.0),
        }
    };
    let mut order: Vec<usize> = findings.weapons_to_describe().collect();
    order.sort_by(|a, b| {
        let (a, b) = (key(*a), key(*b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    order
}

/// Summarizes the whole arsenal in a sentence or two: the wrong prices first, and then the others.
pub fn verdict_sentences(findings: &PriceFindings) -> Vec<String> {
    let weapons = &findings.pricing.weapons;
    if let [only] = findings.weapons_to_describe().collect::<Vec<_>>()[..] {
        let worth =
            is_single_candidate(findings).then(|| worth_sentence(only, findings.pricing)).flatten();
        return std::iter::once(single_weapon_sentence(only, findings)).chain(worth).collect();
    }
    let all = reading_order(findings);
    let with = |such: &dyn Fn(&WeaponPrice) -> bool| -> usize {
        all.iter().filter(|w| such(&weapons[**w])).count()
    };
    let wrong: Vec<String> = all
        .iter()
        .filter(|w| weapons[**w].price_verdict().is_some_and(PriceVerdict::is_wrong))
        .map(|w| sanitize(&weapons[*w].name))
        .collect();
    let judged = with(&|w| w.price_verdict().is_some());
    let mut said = Vec::new();
    if judged > 0 {
        said.push(wrong_prices_sentence(&wrong, judged));
    }
    let apart = with(&has_no_one_price);
    if apart > 0 {
        let have = if apart == 1 { "unit has" } else { "units have" };
        said.push(format!("{} {have} no one price.", capitalize(&number_in_words(apart))));
    }
    let right = with(&|w| w.price_verdict() == Some(PriceVerdict::Right));
    if right > 0 {
        said.push(format!("{} {} right.", capitalize(&number_in_words(right)), is_or_are(right)));
    }
    let open = with(&|w| w.price_verdict() == Some(PriceVerdict::Open));
    if open > 0 && open == judged {
        said = vec![format!(
            "None of {} prices is wrong beyond doubt: any price in its range plays alike.",
            number_in_words(judged)
        )];
    } else if open > 0 {
        let other = if open < judged { "the other " } else { "" };
        let split = with(&|w| w.price_verdict() == Some(PriceVerdict::NoOnePrice));
        let other = if open + wrong.len() + split == judged { other } else { "" };
        said.push(format!(
            "For {other}{} any price in the range plays alike.",
            number_in_words(open)
        ));
    }
    let new = with(&|w| w.price.is_none() && w.even.is_ok());
    if new > 0 {
        let have = if new == 1 { "has" } else { "have" };
        said.push(format!("{} {have} no price yet.", capitalize(&number_in_words(new))));
    }
    let unpriced = with(&|w| w.even.is_err());
    if unpriced > 0 {
        said.push(format!(
            "{} {} not priced here.",
            capitalize(&number_in_words(unpriced)),
            is_or_are(unpriced)
        ));
    }
    said
}

/// Whether only one weapon is described and its price is the question: its price and its worth are
/// the heading then.
pub(super) fn is_single_candidate(findings: &PriceFindings) -> bool {
    let [only] = findings.weapons_to_describe().collect::<Vec<_>>()[..] else { return false };
    let weapon = &findings.pricing.weapons[only];
    weapon.price.is_none() && weapon.even.is_ok() && !has_no_one_price(weapon)
}

fn is_or_are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn wrong_prices_sentence(wrong: &[String], judged: usize) -> String {
    let of = number_in_words(judged);
    let Some(last) = wrong.len().checked_sub(1) else {
        return format!("None of {of} prices is wrong beyond doubt.");
    };
    let mut names = wrong[..wrong.len().min(MAX_HEADING_NAMES)].join(", ");
    if last >= MAX_HEADING_NAMES {
        names += &format!(" and {} more", wrong.len() - MAX_HEADING_NAMES);
    }
    let count = wrong.len();
    format!(
        "{} of {of} prices {} wrong beyond doubt: {names}.",
        capitalize(&number_in_words(count)),
        is_or_are(count)
    )
}

/// Summarizes a single weapon.
fn single_weapon_sentence(only: usize, findings: &PriceFindings) -> String {
    let weapon = &findings.pricing.weapons[only];
    let (name, reason) = (sanitize(&weapon.name), explain_price(weapon, findings.pricing));
    match weapon.even_price() {
        Some(even) if is_single_candidate(findings) => {
            let (best, alike) =
                (format_points(even.rounded.best), describe_range(even, findings.pricing));
            format!("{} should cost about {best}: {alike}.", capitalize(&name))
        }
        _ => format!("{}: {reason}.", capitalize(&name)),
    }
}

/// Describes the ground of all prices: the scale, the prices of the list, the assumptions.
pub fn ground_sentences(findings: &PriceFindings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut said = Vec::new();
    match &pricing.scale {
        None => said.push(format!(
            "Fewer than {} other units have a price, so these are points of the troops they meet.",
            number_in_words(MIN_PRICES)
        )),
        Some(scale) if scale.is_in_doubt() => {
            let (low, high) = (scale.k.low, scale.k.high);
            let one = pricing.reference_unit.map(|one| sanitize(&pricing.weapons[one].name));
            let beside = one.map_or_else(String::new, |one| format!(", beside {one}"));
            said.push(format!(
                "These prices follow no one scale: a point of worth costs {low:.2} to {high:.2} here. What is \
                 sure is how units compare with one another{beside}."
            ));
        }
        Some(_) => {}
    }
    if let Some(twice) = pricing.scale.as_ref().and_then(|scale| scale.price_of_double()) {
        let who = match twice.best > 2.0 {
            true => "cheap units are a bargain, dear ones pay too much",
            false => "dear units are a bargain, cheap ones pay too much",
        };
        said.push(format!(
            "In this list twice the worth costs {:.1} times as much ({:.1} to {:.1}): {who}.",
            twice.best, twice.low, twice.high
        ));
    }
    if findings.only.is_some() && pricing.scale.is_some() {
        said.push(
            "The other weapons met under the usual assumptions alone: the whole file may give a \
             narrower range."
                .to_owned(),
        );
    }
    said.push(setting_sentence(findings));
    said
}

/// Describes the order of activation and the choice of targets, and the assumption with the largest
/// effect on prices.
fn setting_sentence(findings: &PriceFindings) -> String {
    let assumptions = &findings.evidence.assumptions;
    let of = |preset: &doctrine::WordPreset| assumptions.iter().find(|of| of.name == preset.name);
    let said = doctrine::WORD_PRESETS.iter().map(|preset| {
        doctrine::format_assumption(preset.name, of(preset).map_or(0.0, |assumed| assumed.default))
    });
    let said = said.collect::<Vec<_>>().join("; ");
    let tried = |preset| of(preset).is_some_and(|assumed| assumed.low != assumed.high);
    let untried = match doctrine::WORD_PRESETS.iter().any(tried) {
        true => String::new(),
        false => " Neither was tried otherwise (turns, fire).".to_owned(),
    };
    let pricing = findings.pricing;
    let moves =
        assumption_ends::largest_effects(pricing).first().map_or_else(String::new, |place| {
            let name = sanitize(&pricing.assumptions[*place]);
            format!(" Of what can be set, {name} moves these prices most.")
        });
    format!("Assumed: {said}.{untried}{moves}")
}
