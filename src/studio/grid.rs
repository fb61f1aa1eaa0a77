//! The grid of a contest as a page draws it: its axes in words, and its measures as columns.

use serde_json::{Value as Json, json};

use crate::form::Value;
use crate::report::headline;
use crate::report::until;
use crate::report::words::clean;
use crate::study::answer::Answer;
use crate::study::experiment::Cell;
use crate::study::params::json_value;

/// The cells of one contest with what is known of them; cells that are not answered yet have no number.
pub fn json(cells: &[Cell], answers: &[Answer]) -> Json {
    let Some(first) = cells.first() else { return Json::Null };
    let axes = first.axes.iter().enumerate().map(|(at, (path, _))| axis(cells, at, path));
    let all: Vec<&Answer> = answers.iter().collect();
    let head = headline::of(&all);
    json!({
        "axes": axes.collect::<Vec<_>>(),
        "measures": measures(first.index, cells.len(), answers),
        "headline": head.map(|head| head.name.clone()),
    })
}

fn axis(cells: &[Cell], at: usize, path: &str) -> Json {
    let mut values: Vec<&Value> = Vec::new();
    for value in cells.iter().map(|cell| &cell.axes[at].1) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    // In a player's words where the field has such; what a form writes into a file stands beside them.
    let field = cells[0].action.fields.at(path);
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
    let heads = crate::report::words::measures(answers);
    let column = |head: &std::sync::Arc<crate::combat::MeasureHead>| {
        let mut values = vec![Json::Null; count];
        for answer in answers {
            let found = answer.measure(&head.name).and_then(|found| until::number(answer, found));
            if let (Some(place), Some(value)) = (values.get_mut(answer.cell - begin), found) {
                *place = value.into();
            }
        }
        json!({
            "name": head.name,
            "label": until::label(head),
            "share": head.kind.is_share(),
            "values": values,
        })
    };
    heads.iter().map(column).collect()
}
