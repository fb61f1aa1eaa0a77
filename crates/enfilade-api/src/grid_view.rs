//! The grid of a contest as a page draws it: its axes in words, and its measures as columns.

use serde::Serialize;
use serde_json::Value as Json;

use enfilade_model::catalogue::RulebookAction;
use enfilade_model::form::Value;
use enfilade_report::headline_measure;
use enfilade_report::text::median_tries;
use enfilade_report::text::sentences::{describe_cell_place, replace_control_chars};
use enfilade_study::answer::Answer;
use enfilade_study::experiment::GridCell;
use enfilade_study::parameters::value_to_json;

/// The largest number of cells named one by one.
const MAX_NAMED_CELLS: usize = 5;

/// A grid: its axes, and the numbers of its cells, the last axis fastest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GridNumbersView {
    axes: Vec<AxisView>,
    measures: Vec<MeasureColumn>,
    headline: Option<String>,
    remarks: Vec<String>,
    /// The cells that a search keeps, in a sentence; null without a search, absent if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sought: Option<Option<String>>,
}

/// An axis, with its values in words and in the syntax of a form.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct AxisView {
    path: String,
    label: String,
    unit: Option<String>,
    words: Vec<String>,
    #[cfg_attr(test, ts(type = "unknown[]"))]
    values: Vec<Json>,
}

/// A measure of all cells.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MeasureColumn {
    name: String,
    label: String,
    share: bool,
    values: Vec<Option<f64>>,
}

/// Builds the view of the cells of one contest; cells without an answer yet have no number.
///
/// Cells that are `excluded`, because they break a check of the rulebook, have a place and no
/// number; the faults are listed with the measures.
pub fn build_grid_view(
    cells: &[GridCell],
    excluded: &[&Answer],
    answers: &[Answer],
) -> Option<GridNumbersView> {
    let first = cells.first()?;
    let mut places: Vec<_> = cells.iter().map(|cell| (cell.index, &cell.axes)).collect();
    places.extend(excluded.iter().map(|row| (row.cell, &row.axes)));
    places.sort_by_key(|(index, _)| *index);
    let (begin, count) = (places[0].0, places.len());
    let steps: Vec<_> = places.into_iter().map(|(_, axes)| axes).collect();
    let axes = first.axes.iter().enumerate();
    let axes = axes.map(|(at, (path, _))| axis_view(&first.action, &steps, at, path));
    let all: Vec<&Answer> = answers.iter().collect();
    let head = headline_measure::choose_headline_measure(&all);
    Some(GridNumbersView {
        axes: axes.collect(),
        measures: measure_columns(begin, count, answers),
        headline: head.map(|head| head.name.to_string()),
        remarks: cells_breaking_checks_lines(excluded),
        sought: None,
    })
}

/// Lists the cells that have no number because they break a check; of many, the first.
fn cells_breaking_checks_lines(excluded: &[&Answer]) -> Vec<String> {
    let describe = |row: &&Answer| {
        format!("{}: {}", describe_cell_place(row), replace_control_chars(&row.notes.join("; ")))
    };
    let mut remarks: Vec<_> = excluded.iter().take(MAX_NAMED_CELLS).map(describe).collect();
    if excluded.len() > MAX_NAMED_CELLS {
        remarks.push(format!("{} more cells break a check.", excluded.len() - MAX_NAMED_CELLS));
    }
    remarks
}

fn axis_view(
    action: &RulebookAction,
    steps: &[&Vec<(String, Value)>],
    at: usize,
    path: &str,
) -> AxisView {
    let mut values: Vec<&Value> = Vec::new();
    for value in steps.iter().map(|axes| &axes[at].1) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    // In a player's words if the field has some; the syntax of the file comes with them.
    let field = action.fields.find_field_at_path(path);
    let word = |value: &&Value| match field {
        Some(field) => replace_control_chars(&field.display_value(value)),
        None => replace_control_chars(&value.to_string()),
    };
    let label = field.map(|field| field.display_name().to_string());
    AxisView {
        path: path.to_owned(),
        label: label.unwrap_or_else(|| replace_control_chars(path)),
        unit: field.map(|field| field.unit.to_string()),
        words: values.iter().map(word).collect(),
        values: values.iter().map(|value| value_to_json(value)).collect(),
    }
}

/// The measures of all cells, each with a number per cell.
fn measure_columns(begin: usize, count: usize, answers: &[Answer]) -> Vec<MeasureColumn> {
    let heads = enfilade_report::text::sentences::collect_measures(answers);
    let column = |head: &std::sync::Arc<enfilade_model::combat::MeasureHead>| {
        let mut values = vec![None; count];
        for answer in answers {
            let measures = answer
                .measure_answer_by_name(&head.name)
                .and_then(|found| median_tries::measure_number_or_median(answer, found));
            if let Some(place) = values.get_mut(answer.cell - begin) {
                *place = measures;
            }
        }
        MeasureColumn {
            name: head.name.to_string(),
            label: median_tries::measure_or_median_label(head),
            share: head.kind.is_shown_in_percent(),
            values,
        }
    };
    heads.iter().map(column).collect()
}
