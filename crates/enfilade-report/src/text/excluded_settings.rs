//! Sentences on the settings that a search leaves out: how many settings break which check of a
//! rulebook, and, without a result, which condition is missed and by how much.

use crate::text::{labels, measure_format, sentences};
use enfilade_model::combat::MeasureHead;
use enfilade_model::form::sanitize::group_digits;
use enfilade_study::answer::Answer;
use enfilade_study::search::omitted_cells::{CellWithMissDistance, CellsOmittedBySearch};
use enfilade_study::search::{CellSearch, ComparisonOperator, MeasureBoundCondition};

/// The largest number of checks listed by name.
const MAX_CHECKS_NAMED: usize = 3;

/// Returns a sentence for each check that some of `of` settings break.
pub fn sentences_on_broken_checks(left_out: &CellsOmittedBySearch, of: u64) -> Vec<String> {
    let sentence = |(check, count): (&String, &u64)| {
        let (count, of, check) =
            (group_digits(*count), group_digits(of), sentences::replace_control_chars(check));
        format!("{count} of {of} settings break the check `{check}` and are left out.")
    };
    let mut sentences: Vec<_> =
        left_out.broken_checks.iter().take(MAX_CHECKS_NAMED).map(sentence).collect();
    let more: u64 = left_out.broken_checks.values().skip(MAX_CHECKS_NAMED).sum();
    if more > 0 {
        sentences.push(format!("{} more break other checks.", group_digits(more)));
    }
    sentences
}

/// Explains in one line why none of `of` settings is a result: the conditions that none meets
/// alone, or else the setting that comes nearest to all of them.
pub fn explain_empty_search(
    search: &CellSearch,
    left_out: &CellsOmittedBySearch,
    of: u64,
) -> String {
    let settings = of - left_out.count_cells_breaking_checks();
    let breaking_settings = match settings {
        1 => "the setting does not meet".to_owned(),
        _ => format!("none of {} settings meets", group_digits(settings)),
    };
    let why = conditions_no_setting_meets(search, left_out);
    let why = if why.is_empty() { String::new() } else { format!(": {}", why.join("; ")) };
    format!("{breaking_settings} the conditions of [sweep]{why}")
}

fn conditions_no_setting_meets(
    search: &CellSearch,
    left_out: &CellsOmittedBySearch,
) -> Vec<String> {
    let nearest = &left_out.nearest;
    let alone = search.keep.iter().zip(&nearest.alone);
    let alone = alone.filter_map(|(condition, near)| {
        let near = near.as_ref().filter(|near| near.miss > 0.0)?;
        describe_nearest_to_condition(condition, near)
    });
    let mut why: Vec<_> = alone.collect();
    if let (true, Some(near)) = (why.is_empty(), &nearest.together) {
        let missed = search.keep.iter().filter_map(|condition| {
            let (head, value) = measure_and_value_text(condition, &near.what)?;
            Some(format!(
                "{} {value}, not {}",
                labels::measure_label(head),
                format_comparison_and_bound(condition, head)
            ))
        });
        let missed: Vec<_> = missed.collect();
        why.push(format!(
            "each condition is met by some, all together by none; the nearest is {} with {}",
            labels::describe_cell_place(&near.what),
            missed.join(" and ")
        ));
    }
    if left_out.unknown > 0 {
        let unknown = group_digits(left_out.unknown);
        why.push(format!("for {unknown} a measure in the conditions has no value"));
    }
    why
}

/// Describes how near any setting comes to a condition that none meets.
fn describe_nearest_to_condition(
    condition: &MeasureBoundCondition,
    near: &CellWithMissDistance<Answer>,
) -> Option<String> {
    let (head, value) = measure_and_value_text(condition, &near.what)?;
    let most = match condition.sign {
        ComparisonOperator::Less | ComparisonOperator::AtMost => "at least",
        ComparisonOperator::More | ComparisonOperator::AtLeast => "at most",
        ComparisonOperator::Equal => "nearest at",
    };
    let (name, place) = (labels::measure_label(head), labels::describe_cell_place(&near.what));
    Some(format!(
        "{name} is {most} {value}, not {} ({place})",
        format_comparison_and_bound(condition, head)
    ))
}

/// Returns the measure of a condition and its value in a cell, if it is available.
fn measure_and_value_text<'a>(
    condition: &MeasureBoundCondition,
    cell: &'a Answer,
) -> Option<(&'a MeasureHead, String)> {
    let measure = cell.measure_answer_by_name(&condition.measure)?;
    let share = measure.head.kind.is_shown_in_percent();
    let value =
        measure_format::format_exact_percent_or_mean(share, measure.best_available_value()?);
    Some((&measure.head, if share { value + " %" } else { value }))
}

/// Formats a condition: `at least 50 %`.
fn format_comparison_and_bound(condition: &MeasureBoundCondition, head: &MeasureHead) -> String {
    format_bound_in_words(condition, head.kind.is_shown_in_percent())
}

/// Formats the sign and the bound of a condition: `at least 50 %`.
pub fn format_bound_in_words(condition: &MeasureBoundCondition, share: bool) -> String {
    let sign = match condition.sign {
        ComparisonOperator::Less => "below",
        ComparisonOperator::AtMost => "at most",
        ComparisonOperator::More => "above",
        ComparisonOperator::AtLeast => "at least",
        ComparisonOperator::Equal => "exactly",
    };
    // A tenth of a percent has no exact binary form.
    let short =
        |bound: f64| measure_format::with_true_minus(&format!("{}", (bound * 1e9).round() / 1e9));
    match share {
        true => format!("{sign} {} %", short(condition.bound * 100.0)),
        false => format!("{sign} {}", short(condition.bound)),
    }
}
