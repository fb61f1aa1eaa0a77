//! A picture of two experiments side by side.
//!
//! Over two axes the differences are a heat map about zero; otherwise every cell is a row with both
//! values, the one of A a ring and the one of B a dot.

use super::axis_groups::{AxisValueGroups, GroupingColumns};
use super::chart_data::{self, ChartAxis};
use super::heatmap::HeatMap;
use super::interval_rows::{ForestPlot, ForestPlotRow};
use super::markers::{IntervalAroundValue, MarkerShape};
use super::outcome_bars;
use super::plot_frame::ChartTitleAndCaption;
use crate::drawing::Scene;
use crate::headline_measure;
use crate::text::{labels, measure_format, sentences};
use std::sync::Arc;

use enfilade_model::combat::MeasureHead;
use enfilade_study::answer::{Answer, MeasureAnswer};
use enfilade_study::comparison::{CellPair, ExperimentComparison};

/// Draws a comparison, and returns the measure drawn and its picture.
///
/// # Errors
/// A sentence, if nothing can be drawn.
pub fn draw_comparison(
    comparison: &ExperimentComparison<'_>,
    names: (&str, &str),
) -> Result<(Arc<MeasureHead>, Scene), String> {
    let first = comparison.pairs.first().ok_or("no cell has a partner")?;
    let contest = first.a.contest;
    let own = |pair: &&CellPair<'_>| pair.a.contest == contest;
    let one: Vec<_> = comparison.pairs.iter().filter(own).collect();
    let head = headline_measure_in_both(&one).ok_or("no measure is in both")?;
    let all =
        || comparison.pairs.iter().filter(|pair| pair.difference_of_measure(&head.name).is_some());
    let same_action = all().all(|pair| pair.a.action == first.a.action);
    // Values of two actions have no common axis, even if their measures share a name.
    let pairs: Vec<_> = if same_action { all().collect() } else { one };
    // For one cell on each side two whole distributions are more informative than two numbers.
    if let [CellPair { a, b, .. }] = pairs[..]
        && same_action
        && !a.outcomes.is_empty()
    {
        let words = ChartTitleAndCaption {
            title: format!(
                "{} and {}: what happens",
                sentences::replace_control_chars(names.0),
                sentences::replace_control_chars(names.1)
            ),
            ..texts_of_comparison(&pairs, &head, names)
        };
        return Ok((
            head,
            outcome_bars::draw_two_distributions([a, b], [names.0, names.1], &words)?,
        ));
    }
    let words = texts_of_comparison(&pairs, &head, names);
    let scene = match build_heat_map(&pairs, &head) {
        Some(map) => map.draw_heat_map(&words),
        None => build_forest(&pairs, &head, names).draw_forest(&words),
    }?;
    Ok((head, scene))
}

/// Chooses the most informative measure over A and B together, among those that both have.
fn headline_measure_in_both(pairs: &[&CellPair<'_>]) -> Option<Arc<MeasureHead>> {
    let cells: Vec<_> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let head = headline_measure::choose_headline_measure(&cells)?;
    let in_both = |name: &str| pairs.iter().any(|pair| pair.difference_of_measure(name).is_some());
    if in_both(&head.name) {
        return Some(head);
    }
    let first = pairs.first()?.differences.first()?;
    Some(Arc::clone(&first.a.head))
}

fn texts_of_comparison(
    pairs: &[&CellPair<'_>],
    head: &MeasureHead,
    (a, b): (&str, &str),
) -> ChartTitleAndCaption {
    let cells: Vec<_> = pairs.iter().flat_map(|pair| [pair.a, pair.b]).collect();
    let exact = pairs
        .iter()
        .all(|pair| pair.difference_of_measure(&head.name).is_some_and(|d| d.exact.is_some()));
    let covers = match exact {
        true => "Differences are exact.",
        false => "Differences of simulated values; their 95 % intervals are in the table.",
    };
    ChartTitleAndCaption {
        title: format!(
            "{}: {} less {}",
            labels::capitalize_first(&labels::measure_label(head)),
            sentences::replace_control_chars(b),
            sentences::replace_control_chars(a)
        ),
        subtitle: String::new(),
        caption: format!("{} {covers}", chart_data::describe_chart_method(&cells)),
    }
}

/// Builds the heat map of differences over two axes, if there are two.
fn build_heat_map(pairs: &[&CellPair<'_>], head: &MeasureHead) -> Option<HeatMap> {
    let cells: Vec<&Answer> = pairs.iter().map(|pair| pair.a).collect();
    let [(y, _), (x, _)] = &cells.first()?.axes[..] else {
        return None;
    };
    // Cells of another contest would lie on the same places.
    if cells.iter().any(|cell| cell.contest != cells[0].contest) {
        return None;
    }
    let (x, y) =
        (ChartAxis::from_axis_of_cells(&cells, x)?, ChartAxis::from_axis_of_cells(&cells, y)?);
    let mut values = vec![None; x.len() * y.len()];
    for pair in pairs {
        let value = pair.difference_of_measure(&head.name).and_then(|found| found.best_available());
        if let (Some(column), Some(row)) = (x.index_of_cell(pair.a), y.index_of_cell(pair.a)) {
            values[row * x.len() + column] =
                value.map(|value| head.kind.display_factor() * value.value);
        }
    }
    let heads = |axis: &ChartAxis| {
        AxisValueGroups::new(axis, &cells[0].system, GroupingColumns::default())
            .side_names_and_axis_indices(&axis.title)
            .0
    };
    let text = |value: &Option<f64>| {
        value.map_or("–".to_owned(), |value| {
            format_with_sign(value, head.kind.is_shown_in_percent())
        })
    };
    Some(HeatMap {
        texts: values.iter().map(text).collect(),
        columns: heads(&x),
        rows: heads(&y),
        values,
        among: Vec::new(),
        middle: Some(0.0),
        color_title: format!("difference, {}", unit_of_difference(head)),
    })
}

fn unit_of_difference(head: &MeasureHead) -> String {
    if head.kind.is_shown_in_percent() {
        "points of %".to_owned()
    } else {
        labels::measure_label(head)
    }
}

/// Formats a difference: `+5.3`, `-0.8`, `0`.
fn format_with_sign(value: f64, share: bool) -> String {
    let decimals = measure_format::chart_difference_decimals(share);
    let text = format!("{value:+.decimals$}");
    // A value that rounds to zero has no sign, so that no "-0.0" appears.
    match text.trim_start_matches(['+', '-']).parse() {
        Ok(0.0) => "0".to_owned(),
        _ => text,
    }
}

/// Builds the rows with both values of every cell.
fn build_forest(pairs: &[&CellPair<'_>], head: &MeasureHead, (a, b): (&str, &str)) -> ForestPlot {
    let cells: Vec<&Answer> = pairs.iter().map(|pair| pair.a).collect();
    let (_, names) = chart_data::differing_axis_and_labels(&cells);
    let row = |(pair, name): (&&CellPair<'_>, String)| {
        let found = pair.difference_of_measure(&head.name)?;
        let difference = found.best_available()?;
        Some(ForestPlotRow {
            name,
            marks: vec![
                (MarkerShape::Ring, measure_interval(found.a, head)?),
                (MarkerShape::Dot, measure_interval(found.b, head)?),
            ],
            text: format_with_sign(
                head.kind.display_factor() * difference.value,
                head.kind.is_shown_in_percent(),
            ),
            ..ForestPlotRow::default()
        })
    };
    ForestPlot {
        rows: pairs.iter().zip(names).filter_map(row).collect(),
        axis_title: chart_data::measure_axis_title(head),
        text_head: format!("B less A, {}", unit_of_difference(head)),
        series: vec![
            (MarkerShape::Ring, format!("A: {}", sentences::replace_control_chars(a))),
            (MarkerShape::Dot, format!("B: {}", sentences::replace_control_chars(b))),
        ],
        reference: None,
        from_zero: true,
        factors: false,
    }
}

fn measure_interval(measure: &MeasureAnswer, head: &MeasureHead) -> Option<IntervalAroundValue> {
    let scale = head.kind.display_factor();
    if let Some(exact) = measure.exact {
        return Some(IntervalAroundValue::from_exact_value(scale * exact));
    }
    let e = measure.simulated?;
    Some(IntervalAroundValue::from_value_and_ends(scale * e.value, scale * e.low, scale * e.high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_nothing_has_no_sign() {
        assert_eq!(format_with_sign(5.26, true), "+5.3");
        assert_eq!(format_with_sign(-0.04, true), "0");
        assert_eq!(format_with_sign(-1.5, false), "-1.500");
        assert_eq!(format_with_sign(0.0, false), "0");
    }
}
