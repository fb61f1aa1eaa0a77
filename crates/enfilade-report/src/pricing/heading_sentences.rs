//! Sentences of the heading of a price report: the verdicts in brief, and the evidence for them.

use super::points_format::comma_separated_names;
use super::price_findings::PriceFindings;
use super::price_sentences::{
    assumptions_by_effect, describe_new_price, explain_price_verdict, is_found_wrong,
    lacks_one_price, worth_sentence,
};
use crate::text::labels::capitalize_first;
use crate::text::sentences::replace_control_chars;
use enfilade_pricing::doctrine;
use enfilade_pricing::price::verdict::PriceVerdict;
use enfilade_pricing::price::{MIN_PRICES_FOR_SCALE, PriceScale, RangedValue, WeaponPrice};

/// The largest number of names in a heading: three take four lines on a narrow screen.
const MAX_NAMES_IN_HEADING: usize = 3;

/// Writes a small number in words.
fn number_in_words(count: usize) -> String {
    const NUMBER_WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    NUMBER_WORDS.get(count).map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Returns the weapons in reading order: wrong ones first, the farthest off before the others, then
/// those without one price, then by even price, and unpriced ones last.
pub fn weapon_reading_order(findings: &PriceFindings) -> Vec<usize> {
    let key = |w: usize| {
        let weapon = &findings.pricing.weapons[w];
        let wrong = weapon.finding_on_price().filter(|judged| judged.verdict.is_price_wrong());
        match (wrong, weapon.even_price_if_any()) {
            (Some(judged), _) => (0, -judged.residual.abs()),
            (None, Some(even)) => (if lacks_one_price(weapon) { 1 } else { 2 }, -even.price.best),
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
    let order = weapon_reading_order(findings);
    if let [only] = order[..] {
        return single_weapon_sentences(only, findings).collect();
    }
    let all: Vec<&WeaponPrice> = order.iter().map(|w| &findings.pricing.weapons[*w]).collect();
    let count = |such: &dyn Fn(&WeaponPrice) -> bool| all.iter().filter(|one| such(one)).count();
    let found = |verdict| count(&|weapon| weapon.verdict_on_price() == Some(verdict));
    let wrong = all.iter().filter(|weapon| is_found_wrong(weapon));
    let wrong: Vec<&str> = wrong.map(|weapon| &*weapon.name).collect();
    let (judged, open) = (count(&|w| w.verdict_on_price().is_some()), found(PriceVerdict::Open));
    let mut texts = Vec::new();
    if open > 0 && open == judged {
        texts.push(Some(format!(
            "None of {} prices is wrong beyond doubt: any price in its range plays alike.",
            number_in_words(judged)
        )));
    } else {
        let rest = open + wrong.len() + found(PriceVerdict::NoOnePrice) == judged;
        let other = if rest { "the other " } else { "" };
        let number = number_in_words(open);
        texts.extend([
            (judged > 0).then(|| wrong_prices_sentence(&wrong, judged)),
            sentence_with_count_if_any(
                count(&lacks_one_price),
                ["unit has no one price", "units have no one price"],
            ),
            sentence_with_count_if_any(found(PriceVerdict::Right), ["is right", "are right"]),
            (open > 0).then(|| format!("For {other}{number} any price in the range plays alike.")),
        ]);
    }
    let new = count(&|w| w.price.is_none() && w.even.is_ok());
    texts.push(sentence_with_count_if_any(new, ["has no price yet", "have no price yet"]));
    let unpriced = ["is not priced here", "are not priced here"];
    texts.push(sentence_with_count_if_any(count(&|w| w.even.is_err()), unpriced));
    texts.into_iter().flatten().collect()
}

/// A sentence on a number of weapons, of one or of several; `None` for none of them.
fn sentence_with_count_if_any(count: usize, [one, several]: [&str; 2]) -> Option<String> {
    let rest = if count == 1 { one } else { several };
    (count > 0).then(|| format!("{} {rest}.", capitalize_first(&number_in_words(count))))
}

fn wrong_prices_sentence(wrong: &[&str], judged: usize) -> String {
    let of = number_in_words(judged);
    if wrong.is_empty() {
        return format!("None of {of} prices is wrong beyond doubt.");
    }
    let mut names = comma_separated_names(wrong.iter().take(MAX_NAMES_IN_HEADING));
    if wrong.len() > MAX_NAMES_IN_HEADING {
        names += &format!(" and {} more", wrong.len() - MAX_NAMES_IN_HEADING);
    }
    let count = capitalize_first(&number_in_words(wrong.len()));
    let is = if wrong.len() == 1 { "is" } else { "are" };
    format!("{count} of {of} prices {is} wrong beyond doubt: {names}.")
}

/// Whether only one weapon is described and its price is the question: its price and its worth are
/// the heading then.
pub(super) fn asks_price_of_single_weapon(findings: &PriceFindings) -> bool {
    let mut weapons = findings.indices_of_reported_weapons().map(|w| &findings.pricing.weapons[w]);
    let only = weapons.next().filter(|_| weapons.next().is_none());
    only.is_some_and(|one| one.price.is_none() && one.even.is_ok() && !lacks_one_price(one))
}

/// Summarizes a single weapon.
fn single_weapon_sentences(only: usize, findings: &PriceFindings) -> impl Iterator<Item = String> {
    let (pricing, weapon) = (findings.pricing, &findings.pricing.weapons[only]);
    let name = capitalize_first(&replace_control_chars(&weapon.name));
    let asked = weapon.even_price_if_any().filter(|_| asks_price_of_single_weapon(findings));
    let first = match asked {
        Some(even) => format!("{name} {}.", describe_new_price(even, pricing)),
        None => format!("{name}: {}.", explain_price_verdict(weapon, pricing)),
    };
    std::iter::once(first).chain(asked.and_then(|_| worth_sentence(only, pricing)))
}

/// Describes the ground of all prices: the scale, the prices of the list, the assumptions.
pub fn price_basis_sentences(findings: &PriceFindings) -> Vec<String> {
    let mut sentences = match &findings.pricing.scale {
        Some(scale) => scale_sentences(scale, findings),
        None => vec![format!(
            "Fewer than {} other units have a price, so these are points of the troops they meet.",
            number_in_words(MIN_PRICES_FOR_SCALE)
        )],
    };
    sentences.push(order_and_targeting_sentence(findings));
    sentences
}

fn scale_sentences(scale: &PriceScale, findings: &PriceFindings) -> Vec<String> {
    let mut sentences = Vec::new();
    if scale.do_prices_disagree_with_scale() {
        let (low, high, pricing) = (scale.k.low, scale.k.high, findings.pricing);
        let beside = pricing.reference_unit.map_or_else(String::new, |one| {
            format!(", beside {}", replace_control_chars(&pricing.weapons[one].name))
        });
        sentences.push(format!(
            "These prices follow no one scale: a point of worth costs {low:.2} to {high:.2} here. What is \
             sure is how units compare with one another{beside}."
        ));
    }
    if let Some(RangedValue { best, low, high }) = scale.price_factor_of_double_worth() {
        let (gains, pays) = if best > 2.0 { ("cheap", "dear") } else { ("dear", "cheap") };
        sentences.push(format!(
            "In this list twice the worth costs {best:.1} times as much ({low:.1} to {high:.1}): {gains} units \
             are a bargain, {pays} ones pay too much."
        ));
    }
    sentences.extend(findings.only.is_some().then(|| DEFAULTS_ONLY_NOTE.to_owned()));
    sentences
}

const DEFAULTS_ONLY_NOTE: &str = "The other weapons met under the usual assumptions alone: the whole file may give a \
    narrower range.";

/// Describes the order of activation and the choice of targets, and the assumption with the largest
/// effect on prices.
fn order_and_targeting_sentence(findings: &PriceFindings) -> String {
    let (mut texts, mut has_range) = (Vec::new(), false);
    for preset in &doctrine::WORD_ASSUMPTIONS {
        let of = findings.evidence.assumptions.iter().find(|of| of.name == preset.name);
        let default = of.map_or(0.0, |assumed| assumed.default);
        texts.push(doctrine::format_assumption_phrase(preset.name, default));
        has_range |= of.is_some_and(|assumed| assumed.low != assumed.high);
    }
    let mut sentence = format!("Assumed: {}.", texts.join("; "));
    if !has_range {
        sentence += " Neither was tried otherwise (turns, fire).";
    }
    if let Some(&place) = assumptions_by_effect(findings.pricing).first() {
        let name = replace_control_chars(&findings.pricing.assumptions[place]);
        sentence += &format!(" Of what can be set, {name} moves these prices most.");
    }
    sentence
}
