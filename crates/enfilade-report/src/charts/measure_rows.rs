//! Forest of one measure, cell by cell: the exact value is an upright line, the simulated one a dot
//! with its interval.

use super::chart_data;
use super::chart_plan::ResolvedChartSpec;
use super::interval_rows::{ForestPlot, ForestPlotRow};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::plot_frame::ChartTitleAndCaption;
use crate::drawing::Scene;
use crate::text::sentences;
use enfilade_study::answer::Answer;

/// Draws the forest of the plan's measure.
///
/// # Errors
/// A sentence, if no cell has the measure.
pub fn draw_forest_of_measure(
    plan: &ResolvedChartSpec<'_>,
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let rows = plan.cells.iter().filter_map(|cell| forest_row_of_cell(plan, cell));
    let forest = ForestPlot {
        rows: rows.collect(),
        axis_title: chart_data::measure_axis_title(&plan.measure),
        from_zero: true,
        ..ForestPlot::default()
    };
    forest.draw_forest(words)
}

fn forest_row_of_cell(plan: &ResolvedChartSpec<'_>, cell: &Answer) -> Option<ForestPlotRow> {
    let point = chart_data::drawn_value_of_measure(cell, &plan.measure.name)?;
    let mut marks = Vec::new();
    if let Some(e) = point.simulated {
        marks.push((
            MarkerShape::Dot,
            IntervalAroundValue::from_value_and_ends(e.value, e.low, e.high),
        ));
    }
    if cell.measure_answer_by_name(&plan.measure.name)?.exact.is_some_and(f64::is_finite) {
        marks.push((MarkerShape::Upright, IntervalAroundValue::from_exact_value(point.value)));
    }
    let place = sentences::describe_cell_place(cell);
    let name = sentences::replace_control_chars(&cell.name);
    let across = plan.cells.iter().any(|other| other.contest != cell.contest);
    Some(ForestPlotRow {
        name: if across && place != name { format!("{name}, {place}") } else { place },
        marks,
        text: chart_data::format_short_value(point.value, plan.measure.kind.is_shown_in_percent()),
        ..ForestPlotRow::default()
    })
}
