//! From answers to curves: a measure along one axis, one curve per value of another.

use super::axis_scale::Scale;
use super::chart_data::{self, Axis};
use super::chart_plan::Plan;
use super::line_chart::{Across, Lines, Series};
use super::markers::Span;
use super::plot_frame::{Words, thinned};
use crate::drawing::Scene;
use enfilade_study::answer::Answer;

/// The largest number of curves that a reader can distinguish.
const MOST: usize = 12;

/// The largest number of values along x: of numbers, of words.
const VALUES: (usize, usize) = (2000, 60);

/// Draws the curves of the plan's measure along `x`, one per value of `by`; of more than [`MOST`],
/// an even choice from first to last. All slices share the scale of y.
///
/// # Errors
/// A sentence, if there is nothing to draw or too much.
pub fn draw(
    plan: &Plan<'_>,
    cells: &[&Answer],
    (x, by): (&Axis, Option<&Axis>),
    words: &Words,
) -> Result<Scene, String> {
    let numbers = x.numbers();
    check(x, numbers.is_some())?;
    let names: Vec<_> =
        by.map_or(vec![String::new()], Axis::labels).into_iter().enumerate().collect();
    let (drawn, words) = thinned(names, MOST, "curves", words);
    // Numbers are at their values, because steps may be uneven, and words one after the other.
    let at = |position: usize| numbers.as_ref().map_or(position as f64, |all| all[position]);
    let series = |(index, name): &(usize, String)| {
        let own = |cell: &&&Answer| by.is_none_or(|by| by.position(cell) == Some(*index));
        let own: Vec<_> = cells.iter().filter(own).copied().collect();
        series(&own, &plan.measure.name, |cell| Some(at(x.position(cell)?)), name.clone())
    };
    let lines = Lines {
        series: drawn.iter().map(series).collect(),
        across: across(x),
        x_title: x.title.clone(),
        up: scale(plan),
        y_title: chart_data::measured(&plan.measure),
        legend: by.map_or(String::new(), |by| by.name.clone()),
        level: None,
    };
    lines.draw(&words)
}

/// Checks that there is room for the values of `x`.
fn check(x: &Axis, numbers: bool) -> Result<(), String> {
    let most = if numbers { VALUES.0 } else { VALUES.1 };
    if x.len() <= most {
        return Ok(());
    }
    let (axis, count) = (&x.name, x.len());
    Err(format!("{axis} has {count} values; curves show up to {most} of this kind"))
}

fn across(x: &Axis) -> Across {
    match x.numbers() {
        Some(numbers) => Across::Numbers(Scale::near(&numbers)),
        None => Across::Words(x.labels()),
    }
}

/// Builds one curve with its simulated values.
fn series(
    cells: &[&Answer],
    measure: &str,
    x: impl Fn(&Answer) -> Option<f64>,
    name: String,
) -> Series {
    let mut series = Series { name, ..Series::default() };
    for cell in cells {
        let Some(x) = x(cell) else { continue };
        let point = chart_data::point(cell, measure);
        // A cell without the measure breaks the curve, because the values between its neighbours
        // are unknown.
        let value = point.as_ref().map_or(f64::NAN, |point| point.value);
        series.points.push((x, value));
        let simulated = point.and_then(|point| point.simulated);
        let span = simulated.map(|e| Span::within(e.value, e.low, e.high));
        series.marks.extend(span.map(|span| (x, span)));
    }
    series.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    series.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    series
}

/// Returns a scale that contains the measure of every cell of the plan.
fn scale(plan: &Plan<'_>) -> Scale {
    let points = plan.cells.iter().filter_map(|cell| chart_data::point(cell, &plan.measure.name));
    let ends = points.flat_map(|p| {
        let simulated = p.simulated.map(|e| [e.low, e.high]);
        [p.value].into_iter().chain(simulated.into_iter().flatten())
    });
    Scale::around(ends, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn a_cell_without_the_measure_breaks_the_curve() {
        let mut cells = test_answers::grid();
        cells[1].measures.retain(|measure| measure.head.name != "p_kill");
        let cells: Vec<_> = cells.iter().take(3).collect();
        let place = |cell: &Answer| {
            let found = cells.iter().position(|known| std::ptr::eq(*known, cell));
            found.map(|place| place as f64)
        };
        let kills = series(&cells, "p_kill", place, String::new());
        let known: Vec<_> = kills.points.iter().map(|(_, y)| y.is_finite()).collect();
        assert_eq!(known, [true, false, true]);
        assert_eq!(kills.marks.len(), 2);
    }
}
