//! The grid of a contest as a page draws it: its axes in words, and its measures as columns.

use serde_json::{Value as Json, json};

use crate::catalogue::Action;
use crate::form::Value;
use crate::report::headline_measure;
use crate::report::text::median_tries;
use crate::report::text::sentences::{clean, place};
use crate::study::answer::Answer;
use crate::study::experiment::Cell;
use crate::study::parameters::json_value;

/// Cells that are named one by one.
const NAMED: usize = 5;

/// The cells of one contest with what is known of them; cells that are not answered yet have no number.
///
/// Cells that are `excluded`, because they break a check of the rulebook, have a place and no number; what
/// is wrong with each stands beside the measures.
pub fn json(cells: &[Cell], excluded: &[&Answer], answers: &[Answer]) -> Json {
    let Some(first) = cells.first() else { return Json::Null };
    let mut places: Vec<_> = cells.iter().map(|cell| (cell.index, &cell.axes)).collect();
    places.extend(excluded.iter().map(|row| (row.cell, &row.axes)));
    places.sort_by_key(|(index, _)| *index);
    let (begin, count) = (places[0].0, places.len());
    let steps: Vec<_> = places.into_iter().map(|(_, axes)| axes).collect();
    let axes = first.axes.iter().enumerate();
    let axes = axes.map(|(at, (path, _))| axis(&first.action, &steps, at, path));
    let all: Vec<&Answer> = answers.iter().collect();
    let head = headline_measure::of(&all);
    json!({
        "axes": axes.collect::<Vec<_>>(),
        "measures": measures(begin, count, answers),
        "headline": head.map(|head| head.name.clone()),
        "remarks": remarks(excluded),
    })
}

/// Which cells have no number for a check that they break; of many, the first.
fn remarks(excluded: &[&Answer]) -> Vec<String> {
    let said = |row: &&Answer| format!("{}: {}", place(row), clean(&row.notes.join("; ")));
    let mut remarks: Vec<_> = excluded.iter().take(NAMED).map(said).collect();
    if excluded.len() > NAMED {
        remarks.push(format!("{} more cells break a check.", excluded.len() - NAMED));
    }
    remarks
}

fn axis(action: &Action, steps: &[&Vec<(String, Value)>], at: usize, path: &str) -> Json {
    let mut values: Vec<&Value> = Vec::new();
    for value in steps.iter().map(|axes| &axes[at].1) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    // In a player's words where the field has such; what a form writes into a file stands beside them.
    let field = action.fields.at(path);
    let word = |value: &&Value| match field {
        Some(field) => clean(&field.value_label(value)),
        None => clean(&value.to_string()),
    };
    let label = field.map(|field| field.label_or_name().to_string());
    json!({
        "path": path,
        "label": label.unwrap_or_else(|| clean(path)),
        "unit": field.map(|field| &field.unit),
        "words": values.iter().map(word).collect::<Vec<_>>(),
        "values": values.iter().map(|value| json_value(value)).collect::<Vec<_>>(),
    })
}

/// The measures of all cells, each with a number per cell.
fn measures(begin: usize, count: usize, answers: &[Answer]) -> Vec<Json> {
    let heads = crate::report::text::sentences::measures(answers);
    let column = |head: &std::sync::Arc<crate::combat::MeasureHead>| {
        let mut values = vec![Json::Null; count];
        for answer in answers {
            let found =
                answer.measure(&head.name).and_then(|found| median_tries::number(answer, found));
            if let (Some(place), Some(value)) = (values.get_mut(answer.cell - begin), found) {
                *place = value.into();
            }
        }
        json!({
            "name": head.name,
            "label": median_tries::label(head),
            "share": head.kind.is_share(),
            "values": values,
        })
    };
    heads.iter().map(column).collect()
}
