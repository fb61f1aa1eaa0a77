//! An answer in one sentence: the events in the game's words, each with its number once, the worst
//! first: `Kill in 19 of 100, only break in 38, only pin in 11, no effect in 32.`

use crate::card::outcome_stack::{self, OutcomeBandShare};
use crate::headline_measure::{choose_headline_measure, measure_best_value};
use crate::outcome_category::{
    self, HarmGainOrNeutral, NO_EFFECT, OTHER_OUTCOMES_LABEL, OutcomeCategory,
};
use crate::text::labels::{capitalize_first, cell_place_among_others};
use crate::text::median_tries::{self, MedianTriesUntilEvent};
use crate::text::number_format::{format_short_mean, format_short_percent};
use enfilade_model::combat::OutcomeFieldHead;
use enfilade_study::answer::{Answer, MeasureAnswer};

/// The largest number of measures in a sentence about an answer without harm.
const MAX_MEASURES: usize = 3;

/// Describes the shares of a stack; empty if the stack is.
pub(crate) fn describe_stack(answer: &Answer, stack: &[OutcomeBandShare]) -> Option<String> {
    let categories = outcome_category::categories_most_important_first(&[answer]);
    let shares: Vec<_> = stack.iter().filter(|one| one.share > 0.0).collect();
    if let [only] = &shares[..]
        && only.rest
    {
        return Some("Nothing happens.".to_owned());
    }
    let prefix = common_prefix_to_colon(&shares);
    let phrases = shares.iter().enumerate().map(|(at, one)| {
        let word = one.label.strip_prefix(prefix).filter(|_| at > 0).unwrap_or(&one.label);
        let word = if one.label == OTHER_OUTCOMES_LABEL { "none of these" } else { word };
        let only = if one.rest { "" } else { word_before_partial_event(answer, &categories, one) };
        let of = if at == 0 { " of 100" } else { "" };
        format!("{only}{word} in {}{of}", spell_out_under_and_over(&one.text))
    });
    let text = phrases.collect::<Vec<_>>().join(", ");
    (!text.is_empty()).then(|| format!("{}.", capitalize_first(&text)))
}

/// Returns the beginning up to a colon that all labels share, as of `their champion: fallen`.
fn common_prefix_to_colon<'s>(shares: &[&'s OutcomeBandShare]) -> &'s str {
    let first = shares.first().and_then(|one| one.label.rfind(": ").map(|at| &one.label[..at + 2]));
    first.filter(|first| shares.iter().all(|one| one.label.starts_with(first))).unwrap_or("")
}

/// Returns the word before an event that also happens in outcomes that count as something worse, so
/// that its share is not read as its probability; empty if it happens in no others.
fn word_before_partial_event(
    answer: &Answer,
    categories: &[OutcomeCategory],
    one: &OutcomeBandShare,
) -> &'static str {
    let own = categories.iter().find(|category| *category.word == *one.label);
    match own.filter(|own| own.probability(answer) > one.share + 1e-9) {
        Some(own) if own.weight == HarmGainOrNeutral::Harm => "only ",
        Some(_) => "otherwise ",
        None => "",
    }
}

/// Formats whole percents as a number of cases of 100: `19`, `under 1`.
fn spell_out_under_and_over(text: &str) -> String {
    match text.split_at_checked(1) {
        Some(("<", number)) => format!("under {number}"),
        Some((">", number)) => format!("over {number}"),
        _ => text.to_owned(),
    }
}

/// Describes the first measures: those that the rulebook shows first, and no event that never
/// happens where others do.
pub(crate) fn describe_first_measures(answer: &Answer) -> Option<String> {
    let has_number =
        |m: &&MeasureAnswer| median_tries::measure_number_or_median(answer, m).is_some();
    let mut measures: Vec<_> = answer.measures.iter().filter(has_number).collect();
    measures.sort_by_key(|measure| !measure.head.headline);
    let is_never = |m: &&MeasureAnswer| {
        m.head.kind.is_shown_in_percent() && m.best_available_value() == Some(0.0)
    };
    if measures.iter().any(|measure| !is_never(measure)) {
        measures.retain(|measure| !is_never(measure));
    }
    measures.truncate(MAX_MEASURES);
    let is_counted = |m: &&&MeasureAnswer| {
        m.head.kind.is_shown_in_percent() && m.best_available_value() != Some(1.0)
    };
    let first_share = measures.iter().position(|measure| is_counted(&measure));
    let phrase = |(at, measure): (usize, &&MeasureAnswer)| {
        describe_measure(answer, measure, first_share == Some(at))
    };
    let phrases: Vec<_> = measures.iter().enumerate().map(phrase).collect();
    (!phrases.is_empty()).then(|| format!("{}.", capitalize_first(&phrases.join(", "))))
}

fn describe_measure(answer: &Answer, measure: &MeasureAnswer, first_share: bool) -> String {
    let label = median_tries::measure_or_median_label(&measure.head);
    if !measure.head.kind.is_shown_in_percent() {
        return format!("{label} {}", format_measure_value_short(answer, measure, &label));
    }
    let of = if first_share { " of 100" } else { "" };
    let number = match measure.best_available_value().unwrap_or(0.0) {
        1.0 => return format!("{label} always"),
        share if share > 0.0 && share < 0.005 => "under 1".to_owned(),
        share if (0.995..1.0).contains(&share) => "over 99".to_owned(),
        share => format!("{:.0}", 100.0 * share),
    };
    format!("{label} in {number}{of}")
}

/// Formats the number of a measure as it is read first, under its `label`: `10 %`, `1.3 units`,
/// without a unit that the label names.
pub(crate) fn format_measure_value_short(
    answer: &Answer,
    measure: &MeasureAnswer,
    label: &str,
) -> String {
    if let Some(until) = MedianTriesUntilEvent::from_measure(answer, measure) {
        return until.median_and_share_text();
    }
    let unit = &*measure.head.unit;
    match median_tries::measure_number_or_median(answer, measure) {
        None => "–".to_owned(),
        Some(share) if measure.head.kind.is_shown_in_percent() => {
            format!("{} %", format_short_percent(share))
        }
        Some(mean) if unit.is_empty() || label.contains(unit) => format_short_mean(mean),
        Some(mean) => format!("{} {unit}", format_short_mean(mean)),
    }
}

/// Describes the finding of a contest: its only answer, or the ends of its headline measure over
/// the grid: `Killed: from 6 % at firepower 1 to 22 % at firepower 8.`
pub(crate) fn describe_contest_finding(cells: &[Answer]) -> Option<String> {
    if let [only] = cells {
        let stack = outcome_stack::compute_outcome_shares(only);
        return describe_stack(only, &stack).or_else(|| describe_first_measures(only));
    }
    let head = choose_headline_measure(&cells.iter().collect::<Vec<_>>())?;
    let value =
        |cell: &Answer| cell.measure_answer_by_name(&head.name).and_then(measure_best_value);
    let known: Vec<_> = cells.iter().filter_map(|cell| Some((value(cell)?, cell))).collect();
    let least = known.iter().min_by(|a, b| a.0.total_cmp(&b.0))?;
    let most = known.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
    let number = |value: f64| match head.kind.is_shown_in_percent() {
        true => format!("{} %", format_short_percent(value)),
        false => format!("{} {}", format_short_mean(value), head.unit).trim().to_owned(),
    };
    let label = capitalize_first(&median_tries::measure_or_median_label(&head));
    if most.0 - least.0 < 1e-9 {
        return Some(format!("{label}: {} everywhere.", number(most.0)));
    }
    let place = |cell: &Answer| cell_place_among_others(cell, cells);
    Some(format!(
        "{label}: from {} at {} to {} at {}.",
        number(least.0),
        place(least.1),
        number(most.0),
        place(most.1)
    ))
}

/// Returns the name of the rest of a stack beside other categories: the first word of a list, such
/// as `steady`, would be read as the share of all steady outcomes if harm of another kind happens
/// in them, too.
pub(crate) fn unambiguous_rest_label(answer: &Answer, label: &str) -> String {
    let fields = &answer.fields;
    let lists = fields.iter().filter(|field| !field.otherwise.is_empty());
    let lists: Vec<_> = lists.filter(|field| label.contains(&*field.otherwise)).collect();
    if lists.is_empty() {
        return label.to_owned();
    }
    let categories = outcome_category::categories_most_important_first(&[answer]);
    let category_of = |values: &[i32]| {
        outcome_category::category_and_count(&categories, fields, values).map(|(at, _)| at)
    };
    let in_lists =
        |field: &OutcomeFieldHead| lists.iter().any(|first| is_word_of_same_list(field, first));
    let elsewhere = |values: &[i32]| {
        let mut own = fields.iter().zip(values).filter(|(field, _)| in_lists(field));
        own.all(|(_, value)| *value == 0)
    };
    let mut happening =
        answer.outcomes.iter().filter(|outcome| outcome.best_available_chance() > 0.0);
    let is_ambiguous = happening
        .any(|outcome| category_of(&outcome.values).is_some() && elsewhere(&outcome.values));
    if is_ambiguous { NO_EFFECT.to_owned() } else { label.to_owned() }
}

/// Whether a field is a word of the list to whose second word `first` belongs.
fn is_word_of_same_list(field: &OutcomeFieldHead, first: &OutcomeFieldHead) -> bool {
    let list =
        |field: &OutcomeFieldHead| field.about.rsplit_once(": ").map(|(list, _)| list.to_owned());
    field.name == first.name || (list(first).is_some() && list(field) == list(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::outcome_stack::compute_outcome_shares;
    use crate::test_answers;

    /// 4 and 12 of 36: 11.1 and 33.3 percent, and in 20 nothing happens.
    #[test]
    fn every_event_has_its_number_once() {
        let answer = &test_answers::build_exact_only()[0];
        let stack = compute_outcome_shares(answer);
        let said = describe_stack(answer, &stack);
        assert_eq!(said.as_deref(), Some("Kill in 11 of 100, break in 33, no effect in 56."));
    }

    #[test]
    fn measures_are_read_with_a_decimal_at_most() {
        let answer = &test_answers::build_exact_only()[0];
        let said = describe_first_measures(answer).expect("a sentence");
        assert!(said.contains(" in 11 of 100"), "{said}");
        assert!(!said.contains("11.11"), "{said}");
    }

    #[test]
    fn bounds_are_words() {
        assert_eq!(spell_out_under_and_over("<1"), "under 1");
        assert_eq!(spell_out_under_and_over(">99"), "over 99");
        assert_eq!(spell_out_under_and_over("42"), "42");
    }
}
