//! From answers to curves: a measure along one axis, one curve per value of another.

use super::axis_scale::AxisScale;
use super::chart_data::{self, ChartAxis};
use super::chart_plan::ResolvedChartSpec;
use super::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use super::markers::IntervalAroundValue;
use super::plot_frame::{ChartTitleAndCaption, thin_out_and_note};
use crate::drawing::Scene;
use enfilade_study::answer::Answer;

/// The largest number of curves that a reader can distinguish.
const MAX_DISTINCT_CURVES: usize = 12;

/// The largest number of values along x: of numbers, of words.
const MAX_NUMBERS_AND_WORDS: (usize, usize) = (2000, 60);

/// The largest number of values along x that have a tick each.
const MAX_VALUE_TICKS: usize = 16;

/// Draws the curves of the plan's measure along `x`, one per value of `by`; of more than
/// [`MAX_DISTINCT_CURVES`], an even choice from first to last. All slices share the scale of y.
///
/// # Errors
/// A sentence, if there is nothing to draw or too much.
pub fn draw_measure_curves(
    plan: &ResolvedChartSpec<'_>,
    cells: &[&Answer],
    (x, by): (&ChartAxis, Option<&ChartAxis>),
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let numbers = x.values_as_numbers();
    check_axis_not_too_long(x, numbers.is_some())?;
    let names: Vec<_> = by
        .map_or(vec![String::new()], ChartAxis::labels_of_values)
        .into_iter()
        .enumerate()
        .collect();
    let (drawn, words) = thin_out_and_note(names, MAX_DISTINCT_CURVES, "curves", words);
    // Numbers are at their values, because steps may be uneven, and words one after the other.
    let at = |position: usize| numbers.as_ref().map_or(position as f64, |all| all[position]);
    let series = |(index, name): &(usize, String)| {
        let own = |cell: &&&Answer| by.is_none_or(|by| by.index_of_cell(cell) == Some(*index));
        let own: Vec<_> = cells.iter().filter(own).copied().collect();
        build_curve_of_cells(
            &own,
            &plan.measure.name,
            |cell| Some(at(x.index_of_cell(cell)?)),
            name.clone(),
        )
    };
    let lines = LineChart {
        series: drawn.iter().map(series).collect(),
        across: kind_of_axis(x),
        x_title: x.title.clone(),
        up: scale_of_measure(plan),
        y_title: chart_data::measure_axis_title(&plan.measure),
        legend: by.map_or(String::new(), |by| by.name.clone()),
        level: None,
    };
    lines.draw_line_chart(&words)
}

/// Checks that there is room for the values of `x`.
fn check_axis_not_too_long(x: &ChartAxis, numbers: bool) -> Result<(), String> {
    let most = if numbers { MAX_NUMBERS_AND_WORDS.0 } else { MAX_NUMBERS_AND_WORDS.1 };
    if x.len() <= most {
        return Ok(());
    }
    let (axis, count) = (&x.name, x.len());
    Err(format!("{axis} has {count} values; curves show up to {most} of this kind"))
}

fn kind_of_axis(x: &ChartAxis) -> HorizontalAxisKind {
    match x.values_as_numbers() {
        Some(numbers) => {
            let scale = AxisScale::with_close_ends(&numbers);
            let mut ticks: Vec<_> = numbers.into_iter().zip(x.labels_of_values()).collect();
            ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
            match ticks.len() <= MAX_VALUE_TICKS {
                true => HorizontalAxisKind::ValuesOnScale(scale, ticks),
                false => HorizontalAxisKind::Numbers(scale),
            }
        }
        None => HorizontalAxisKind::Words(x.labels_of_values()),
    }
}

/// Builds one curve with its simulated values.
fn build_curve_of_cells(
    cells: &[&Answer],
    measure: &str,
    x: impl Fn(&Answer) -> Option<f64>,
    name: String,
) -> CurveSeries {
    let mut series = CurveSeries { name, ..CurveSeries::default() };
    for cell in cells {
        let Some(x) = x(cell) else { continue };
        let point = chart_data::drawn_value_of_measure(cell, measure);
        // A cell without the measure breaks the curve, because the values between its neighbours
        // are unknown.
        let value = point.as_ref().map_or(f64::NAN, |point| point.value);
        series.points.push((x, value));
        let simulated = point.and_then(|point| point.simulated);
        let span =
            simulated.map(|e| IntervalAroundValue::from_value_and_ends(e.value, e.low, e.high));
        series.marks.extend(span.map(|span| (x, span)));
    }
    series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    series.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    series
}

/// Returns a scale that contains the measure of every cell of the plan.
fn scale_of_measure(plan: &ResolvedChartSpec<'_>) -> AxisScale {
    let points = plan
        .cells
        .iter()
        .filter_map(|cell| chart_data::drawn_value_of_measure(cell, &plan.measure.name));
    let ends = points.flat_map(|p| {
        let simulated = p.simulated.map(|e| [e.low, e.high]);
        [p.value].into_iter().chain(simulated.into_iter().flatten())
    });
    AxisScale::with_round_ends(ends, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn a_cell_without_the_measure_breaks_the_curve() {
        let mut cells = test_answers::build_grid();
        cells[1].measures.retain(|measure| measure.head.name != "p_kill");
        let cells: Vec<_> = cells.iter().take(3).collect();
        let place = |cell: &Answer| {
            let found = cells.iter().position(|known| std::ptr::eq(*known, cell));
            found.map(|place| place as f64)
        };
        let kills = build_curve_of_cells(&cells, "p_kill", place, String::new());
        let known: Vec<_> = kills.points.iter().map(|(_, y)| y.is_finite()).collect();
        assert_eq!(known, [true, false, true]);
        assert_eq!(kills.marks.len(), 2);
    }
}
