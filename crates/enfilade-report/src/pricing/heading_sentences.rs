//! Sentences of the heading of a price report: the verdicts in brief, and the evidence for them.

use super::assumption_ends;
use super::points_format::format_price_points;
use super::price_findings::PriceFindings;
use super::price_sentences::{
    describe_price_range, explain_price_verdict, lacks_one_price, worth_sentence,
};
use crate::text::labels::capitalize_first;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{MIN_PRICES_FOR_SCALE, WeaponPrice};

/// The largest number of names in a heading: three take four lines on a narrow screen.
const MAX_NAMES_IN_HEADING: usize = 3;

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
pub fn weapon_reading_order(findings: &PriceFindings) -> Vec<usize> {
    let weapons = &findings.pricing.weapons;
    let key = |w: usize| {
        let weapon = &weapons[w];
        let wrong = weapon.finding_on_price().filter(|judged| judged.verdict.is_price_wrong());
        let even = weapon.even_price_if_any().map_or(f64::INFINITY, |even| even.price.best);
        match (wrong, weapon.even_price_if_any()) {
            (Some(judged), _) => (0, -judged.residual.abs()),
            (None, Some(_)) if lacks_one_price(weapon) => (1, -even),
            (None, Some(_)) => (2, -even),
            (None, None) => (3, 0.0),
        }
    };
    let mut order: Vec<usize> = findings.indices_of_reported_weapons().collect();
    order.sort_by(|a, b| {
        let (a, b) = (key(*a), key(*b));
        a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
    });
    order
}

/// Summarizes the whole arsenal in a sentence or two: the wrong prices first, and then the others.
pub fn arsenal_verdict_sentences(findings: &PriceFindings) -> Vec<String> {
    let weapons = &findings.pricing.weapons;
    if let [only] = findings.indices_of_reported_weapons().collect::<Vec<_>>()[..] {
        let worth = asks_price_of_single_weapon(findings)
            .then(|| worth_sentence(only, findings.pricing))
            .flatten();
        return std::iter::once(single_weapon_sentence(only, findings)).chain(worth).collect();
    }
    let all = weapon_reading_order(findings);
    let count = |such: &dyn Fn(&WeaponPrice) -> bool| -> usize {
        all.iter().filter(|w| such(&weapons[**w])).count()
    };
    let found = |verdict| count(&|weapon| weapon.verdict_on_price() == Some(verdict));
    let wrong = all
        .iter()
        .filter(|w| weapons[**w].verdict_on_price().is_some_and(PriceVerdict::is_price_wrong));
    let wrong: Vec<String> = wrong.map(|w| replace_control_chars(&weapons[*w].name)).collect();
    let (judged, open) = (count(&|w| w.verdict_on_price().is_some()), found(PriceVerdict::Open));
    let mut texts = Vec::new();
    if open > 0 && open == judged {
        texts.push(format!(
            "None of {} prices is wrong beyond doubt: any price in its range plays alike.",
            number_in_words(judged)
        ));
    } else {
        texts.extend((judged > 0).then(|| wrong_prices_sentence(&wrong, judged)));
        texts.extend(sentence_with_count_if_any(
            count(&lacks_one_price),
            ["unit has no one price", "units have no one price"],
        ));
        texts.extend(sentence_with_count_if_any(
            found(PriceVerdict::Right),
            ["is right", "are right"],
        ));
        let rest = open + wrong.len() + found(PriceVerdict::NoOnePrice) == judged;
        let other = if rest { "the other " } else { "" };
        let alike = || {
            let number = number_in_words(open);
            format!("For {other}{number} any price in the range plays alike.")
        };
        texts.extend((open > 0).then(alike));
    }
    let new = count(&|w| w.price.is_none() && w.even.is_ok());
    texts.extend(sentence_with_count_if_any(new, ["has no price yet", "have no price yet"]));
    let unpriced = count(&|w| w.even.is_err());
    texts.extend(sentence_with_count_if_any(
        unpriced,
        ["is not priced here", "are not priced here"],
    ));
    texts
}

/// A sentence on a number of weapons, of one or of several; `None` for none of them.
fn sentence_with_count_if_any(count: usize, [one, several]: [&str; 2]) -> Option<String> {
    let rest = if count == 1 { one } else { several };
    (count > 0).then(|| format!("{} {rest}.", capitalize_first(&number_in_words(count))))
}

/// Whether only one weapon is described and its price is the question: its price and its worth are
/// the heading then.
pub(super) fn asks_price_of_single_weapon(findings: &PriceFindings) -> bool {
    let [only] = findings.indices_of_reported_weapons().collect::<Vec<_>>()[..] else {
        return false;
    };
    let weapon = &findings.pricing.weapons[only];
    weapon.price.is_none() && weapon.even.is_ok() && !lacks_one_price(weapon)
}

fn wrong_prices_sentence(wrong: &[String], judged: usize) -> String {
    let of = number_in_words(judged);
    let Some(last) = wrong.len().checked_sub(1) else {
        return format!("None of {of} prices is wrong beyond doubt.");
    };
    let mut names = wrong[..wrong.len().min(MAX_NAMES_IN_HEADING)].join(", ");
    if last >= MAX_NAMES_IN_HEADING {
        names += &format!(" and {} more", wrong.len() - MAX_NAMES_IN_HEADING);
    }
    let count = wrong.len();
    format!(
        "{} of {of} prices {} wrong beyond doubt: {names}.",
        capitalize_first(&number_in_words(count)),
        if count == 1 { "is" } else { "are" }
    )
}

/// Summarizes a single weapon.
fn single_weapon_sentence(only: usize, findings: &PriceFindings) -> String {
    let weapon = &findings.pricing.weapons[only];
    let (name, reason) =
        (replace_control_chars(&weapon.name), explain_price_verdict(weapon, findings.pricing));
    match weapon.even_price_if_any() {
        Some(even) if asks_price_of_single_weapon(findings) => {
            let (best, alike) = (
                format_price_points(even.rounded.best),
                describe_price_range(even, findings.pricing),
            );
            format!("{} should cost about {best}: {alike}.", capitalize_first(&name))
        }
        _ => format!("{}: {reason}.", capitalize_first(&name)),
    }
}

/// Describes the ground of all prices: the scale, the prices of the list, the assumptions.
pub fn price_basis_sentences(findings: &PriceFindings) -> Vec<String> {
    let pricing = findings.pricing;
    let mut sentences = Vec::new();
    match &pricing.scale {
        None => sentences.push(format!(
            "Fewer than {} other units have a price, so these are points of the troops they meet.",
            number_in_words(MIN_PRICES_FOR_SCALE)
        )),
        Some(scale) if scale.do_prices_disagree_with_scale() => {
            let (low, high) = (scale.k.low, scale.k.high);
            let one =
                pricing.reference_unit.map(|one| replace_control_chars(&pricing.weapons[one].name));
            let beside = one.map_or_else(String::new, |one| format!(", beside {one}"));
            sentences.push(format!(
                "These prices follow no one scale: a point of worth costs {low:.2} to {high:.2} here. What is \
                 sure is how units compare with one another{beside}."
            ));
        }
        Some(_) => {}
    }
    if let Some(twice) =
        pricing.scale.as_ref().and_then(|scale| scale.price_factor_of_double_worth())
    {
        let who = match twice.best > 2.0 {
            true => "cheap units are a bargain, dear ones pay too much",
            false => "dear units are a bargain, cheap ones pay too much",
        };
        sentences.push(format!(
            "In this list twice the worth costs {:.1} times as much ({:.1} to {:.1}): {who}.",
            twice.best, twice.low, twice.high
        ));
    }
    if findings.only.is_some() && pricing.scale.is_some() {
        sentences.push(
            "The other weapons met under the usual assumptions alone: the whole file may give a \
             narrower range."
                .to_owned(),
        );
    }
    sentences.push(order_and_targeting_sentence(findings));
    sentences
}

/// Describes the order of activation and the choice of targets, and the assumption with the largest
/// effect on prices.
fn order_and_targeting_sentence(findings: &PriceFindings) -> String {
    let assumptions = &findings.evidence.assumptions;
    let (mut texts, mut has_range) = (Vec::new(), false);
    for preset in &doctrine::WORD_ASSUMPTIONS {
        let of = assumptions.iter().find(|of| of.name == preset.name);
        let default = of.map_or(0.0, |assumed| assumed.default);
        texts.push(doctrine::format_assumption_phrase(preset.name, default));
        has_range |= of.is_some_and(|assumed| assumed.low != assumed.high);
    }
    let mut sentence = format!("Assumed: {}.", texts.join("; "));
    if !has_range {
        sentence += " Neither was tried otherwise (turns, fire).";
    }
    let pricing = findings.pricing;
    if let Some(place) = assumption_ends::assumptions_by_effect(pricing).first() {
        let name = replace_control_chars(&pricing.assumptions[*place]);
        sentence += &format!(" Of what can be set, {name} moves these prices most.");
    }
    sentence
}
