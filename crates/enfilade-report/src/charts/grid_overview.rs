//! Overview of a large grid, one picture per contest: the spread of the most informative measure at
//! every value of every axis.

use super::interval_rows::{ForestPlot, ForestPlotRow};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::{ChartDrawing, ChartTitleAndCaption, plot_frame};
use crate::answers::grid_digest::{ContestDigest, LargeRunDigest, ValueStatistics};
use crate::text::labels;
use crate::text::sentences::replace_control_chars;
use enfilade_model::form::sanitize::group_digits;

/// The largest number of values of one axis that are drawn; of more, an even choice from first to
/// last.
const MAX_DRAWN_AXIS_VALUES: usize = 12;

/// Draws the overviews of all contests with axes.
pub fn draw_contest_overviews(digest: &LargeRunDigest) -> Vec<ChartDrawing> {
    digest.contests.iter().filter_map(draw_mean_per_axis_value).collect()
}

fn draw_mean_per_axis_value(gist: &ContestDigest) -> Option<ChartDrawing> {
    let measure = gist.measure.as_ref()?;
    let factor = measure.kind.display_factor();
    let rows: Vec<_> = gist
        .along
        .iter()
        .flat_map(|(axis, values)| {
            // Of a long axis an even choice from the first to the last.
            plot_frame::evenly_spaced_indices(values.len(), MAX_DRAWN_AXIS_VALUES)
                .into_iter()
                .filter_map(|at| values.get_index(at))
                .map(|(value, spread)| {
                    row_of_value_range(
                        &replace_control_chars(&format!("{axis} {value}")),
                        spread,
                        factor,
                    )
                })
                .collect::<Vec<_>>()
        })
        .collect();
    let label = labels::measure_label(measure);
    let title = format!("{}, axis by axis", labels::capitalize_first(&label));
    let forest = ForestPlot {
        rows,
        axis_title: labels::measure_label_with_unit(measure),
        text_head: "mean".to_owned(),
        from_zero: true,
        ..ForestPlot::default()
    };
    let caption = format!(
        "Dot: mean over all {} cells with this value; bar: the lowest and the highest of them.",
        group_digits(gist.cells),
    );
    let words = ChartTitleAndCaption {
        title: title.clone(),
        subtitle: String::new(),
        caption: caption.clone(),
    };
    let scene = forest.draw_forest(&words).ok()?;
    let name = format!("{}-overview-{}", gist.contest + 1, measure.name);
    Some(ChartDrawing { name, contest: gist.contest, title, caption, scene })
}

fn row_of_value_range(name: &str, spread: &ValueStatistics, factor: f64) -> ForestPlotRow {
    let mean = spread.mean() * factor;
    let span =
        IntervalAroundValue::from_value_and_ends(mean, spread.low * factor, spread.high * factor);
    ForestPlotRow {
        name: name.to_owned(),
        marks: vec![(MarkerShape::Dot, span)],
        text: format!("{mean:.1}"),
        ..ForestPlotRow::default()
    }
}
