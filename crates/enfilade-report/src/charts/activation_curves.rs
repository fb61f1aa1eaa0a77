//! How soon a target falls: the probability that it is out of action within n activations.

use super::axis_scale::AxisScale;
use super::chart_plan::ResolvedChartSpec;
use super::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use super::plot_frame::{ChartTitleAndCaption, thin_out_and_note};
use super::{at_least_curves, chart_data};
use crate::drawing::Scene;
use crate::text::labels;
use enfilade_stats::repeated_trials;
use enfilade_study::answer::Answer;

/// The largest number of curves.
const MAX_ACTIVATION_CURVES: usize = 8;

/// The smallest and the largest number of activations that are drawn.
const MIN_AND_MAX_ACTIVATIONS: (usize, usize) = (6, 40);

/// The share at which a curve has arrived.
const CURVE_ARRIVED_SHARE: f64 = 0.95;

/// The model of how activations add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActivationsAddUpModel {
    /// Each activation alone puts the target out of action with the probability of this measure, or
    /// leaves it unchanged.
    Repeated(String),
    /// The values of this outcome field add up until this much is reached.
    Accumulated(String, i64),
    /// The outcome field is the number of the activation in which it happened, 0 for never: the
    /// action plays several with everything that persists between them.
    Reported(String),
}

impl ActivationsAddUpModel {
    /// Chooses the model that a chart names, or else the most informative one: reported if the
    /// action reports it, repeated otherwise.
    pub fn choose_for_chart(plan: &ResolvedChartSpec<'_>) -> ActivationsAddUpModel {
        let spec = plan.spec;
        match (&spec.field, spec.needed) {
            (Some(field), Some(needed)) => {
                ActivationsAddUpModel::Accumulated(field.clone(), needed)
            }
            (Some(field), None) => ActivationsAddUpModel::Reported(field.clone()),
            _ if spec.measure.is_some() => {
                ActivationsAddUpModel::Repeated(plan.measure.name.to_string())
            }
            _ => {
                let fields = &plan.cells[0].fields;
                match fields.iter().find(|field| field.tries) {
                    Some(field) => ActivationsAddUpModel::Reported(field.name.to_string()),
                    None => ActivationsAddUpModel::Repeated(plan.measure.name.to_string()),
                }
            }
        }
    }

    /// Describes the assumption for the caption.
    pub fn describe_assumption(&self, plan: &ResolvedChartSpec<'_>) -> String {
        match self {
            ActivationsAddUpModel::Repeated(_) => format!(
                "Assumed: every activation is alike and independent, and one that fails leaves no trace; within n: 1 − (1 − p)ⁿ, \
                 p the chance of “{}” in one.",
                labels::measure_label(&plan.measure)
            ),
            ActivationsAddUpModel::Accumulated(field, needed) => format!(
                "Assumed: activations are alike and independent, and “{}” adds up until it reaches {needed}; nothing recovers.",
                at_least_curves::display_name_of_field(&plan.cells, field)
            ),
            ActivationsAddUpModel::Reported(field) => format!(
                "From the law of “{}”: one contest with all its activations, in which damage persists.",
                at_least_curves::display_name_of_field(&plan.cells, field)
            ),
        }
    }

    /// Computes P(within n) for n from 1 on, as shares; `None` if the cell lacks the data.
    fn compute_chances_within(&self, cell: &Answer, activations: usize) -> Option<Vec<f64>> {
        match self {
            ActivationsAddUpModel::Repeated(measure) => {
                let p = chart_data::drawn_value_of_measure(cell, measure)?.value / 100.0;
                // Only a probability can be repeated.
                (0.0..=1.0)
                    .contains(&p)
                    .then(|| repeated_trials::chances_at_least_once(p, activations))
            }
            ActivationsAddUpModel::Accumulated(field, needed) => {
                let law = chart_data::field_distribution_in_percent(cell, field)?;
                let law: Vec<_> = law.into_iter().map(|(k, share)| (k, share / 100.0)).collect();
                repeated_trials::chances_to_reach_total(&law, *needed, activations)
            }
            ActivationsAddUpModel::Reported(field) => {
                let law = chart_data::field_distribution_in_percent(cell, field)?;
                let last = usize::try_from(*law.keys().next_back()?).ok()?;
                let mut sum = 0.0;
                let add = |n: usize| {
                    sum += law.get(&(n as i64)).copied().unwrap_or(0.0) / 100.0;
                    sum
                };
                Some((1..=last.min(activations)).map(add).collect())
            }
        }
    }
}

/// Draws the curves of some cells.
///
/// # Errors
/// A sentence, if there is nothing to draw.
pub fn draw_chance_within_curves(
    plan: &ResolvedChartSpec<'_>,
    cells: &[&Answer],
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let chain = ActivationsAddUpModel::choose_for_chart(plan);
    let (drawn, words) = thin_out_and_note(cells.to_vec(), MAX_ACTIVATION_CURVES, "cells", words);
    let (legend, names) = chart_data::differing_axis_and_labels(&drawn);
    let curve = |(cell, name): (&&Answer, String)| {
        Some((name, chain.compute_chances_within(cell, MIN_AND_MAX_ACTIVATIONS.1)?))
    };
    let curves: Vec<_> = drawn.iter().zip(names).filter_map(curve).collect();
    let arrives = |curve: &[f64]| {
        curve.iter().position(|&p| p >= CURVE_ARRIVED_SHARE).map_or(curve.len(), |i| i + 1)
    };
    // Up to where the slowest curve arrives: beyond that all are flat.
    let reach = curves.iter().map(|(_, curve)| arrives(curve)).max();
    let Some(reach) = reach.filter(|reach| *reach > 0) else {
        return Err("no cell has the probability that the target falls".to_owned());
    };
    let reach = reach.max(MIN_AND_MAX_ACTIVATIONS.0);
    let series = |(name, curve): &(String, Vec<f64>)| {
        curve_with_median(name, &curve[..curve.len().min(reach)])
    };
    let lines = LineChart {
        series: curves.iter().map(series).collect(),
        across: HorizontalAxisKind::Numbers(AxisScale::with_round_ends(
            [reach as f64].into_iter(),
            0.0,
        )),
        x_title: "activations".to_owned(),
        up: AxisScale::with_round_ends([100.0].into_iter(), 0.0),
        y_title: "out of action within n, %".to_owned(),
        legend: format!("{legend}: median").trim_start_matches(": ").to_owned(),
        level: Some((50.0, "one half".to_owned())),
    };
    lines.draw_line_chart(&words)
}

/// Builds a curve from 0 activations on, with its median marked and named.
fn curve_with_median(name: &str, curve: &[f64]) -> CurveSeries {
    let point = |(n, p): (usize, &f64)| ((n + 1) as f64, 100.0 * p);
    // Before the first activation nothing has happened: all curves begin there.
    let mut points = vec![(0.0, 0.0)];
    points.extend(curve.iter().enumerate().map(point));
    let median = curve.iter().position(|&p| p >= 0.5).map(|i| i + 1);
    let text = median.map_or(format!("over {}", curve.len()), |n| n.to_string());
    CurveSeries {
        name: name.to_owned(),
        note: format!(": {text}"),
        large: median.map(|n| points[n]).into_iter().collect(),
        points,
        ..CurveSeries::default()
    }
}
