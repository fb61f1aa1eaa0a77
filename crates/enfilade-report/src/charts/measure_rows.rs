//! Forest of one measure, cell by cell: the exact value is an upright line, the simulated one a dot
//! with its interval.

use super::chart_data;
use super::chart_plan::Plan;
use super::forest::{Forest, Row};
use super::markers::{Glyph, Span};
use super::plot_frame::Words;
use crate::drawing::Scene;
use crate::text::sentences;
use enfilade_study::answer::Answer;

/// Draws the forest of the plan's measure.
///
/// # Errors
/// A sentence, if no cell has the measure.
pub fn draw(plan: &Plan<'_>, words: &Words) -> Result<Scene, String> {
    let rows = plan.cells.iter().filter_map(|cell| row(plan, cell));
    let forest = Forest {
        rows: rows.collect(),
        measured: chart_data::measured(&plan.measure),
        from_zero: true,
        ..Forest::default()
    };
    forest.draw(words)
}

fn row(plan: &Plan<'_>, cell: &Answer) -> Option<Row> {
    let point = chart_data::point(cell, &plan.measure.name)?;
    let mut marks = Vec::new();
    if let Some(e) = point.simulated {
        marks.push((Glyph::Dot, Span::within(e.value, e.low, e.high)));
    }
    if cell.measure(&plan.measure.name)?.exact.is_some_and(f64::is_finite) {
        marks.push((Glyph::Upright, Span::exact(point.value)));
    }
    let place = sentences::place(cell);
    let name = sentences::clean(&cell.name);
    let across = plan.cells.iter().any(|other| other.contest != cell.contest);
    Some(Row {
        name: if across && place != name { format!("{name}, {place}") } else { place },
        marks,
        text: chart_data::short(point.value, plan.measure.kind.is_share()),
    })
}
