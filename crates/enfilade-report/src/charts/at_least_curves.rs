//! The probability of at least k, by k, with mean and median marked: from answers to curves.

use super::axis_scale::AxisScale;
use super::chart_data;
use super::line_chart::{CurveSeries, HorizontalAxisKind, LineChart};
use super::plot_frame::{ChartTitleAndCaption, thin_out_and_note};
use crate::drawing::Scene;
use crate::text::sentences::replace_control_chars;
use enfilade_study::answer::Answer;

/// The largest number of curves.
const MAX_AT_LEAST_CURVES: usize = 6;

/// The widest range of k.
const MAX_COUNT_RANGE: i64 = 2000;

/// Draws one curve per cell for the outcome field `field`.
///
/// # Errors
/// A sentence, if there is nothing to draw or too much.
pub fn draw_at_least_curves(
    cells: &[&Answer],
    field: &str,
    words: &ChartTitleAndCaption,
) -> Result<Scene, String> {
    let (drawn, words) = thin_out_and_note(cells.to_vec(), MAX_AT_LEAST_CURVES, "cells", words);
    let (legend, names) = chart_data::differing_axis_and_labels(&drawn);
    let tail = |(cell, name): (&&Answer, String)| {
        FieldTailDistribution::from_field_of_cell(cell, field, name)
    };
    let tails: Vec<_> = drawn.iter().zip(names).filter_map(tail).collect();
    let low = tails.iter().map(|tail| tail.low).min();
    let high = tails.iter().map(FieldTailDistribution::highest_field_value).max();
    let (Some(low), Some(high)) = (low, high) else {
        let field = display_name_of_field(cells, field);
        return Err(format!("no cell counts {field}, or it counts further than {MAX_COUNT_RANGE}"));
    };
    if high - low > MAX_COUNT_RANGE {
        let field = display_name_of_field(cells, field);
        return Err(format!(
            "{field} runs from {low} to {high}; up to {MAX_COUNT_RANGE} values are drawn"
        ));
    }
    let lines = LineChart {
        series: tails.iter().map(FieldTailDistribution::to_curve_series).collect(),
        across: HorizontalAxisKind::Numbers(AxisScale::with_close_ends(&[low as f64, high as f64])),
        x_title: display_name_of_field(cells, field),
        up: AxisScale::with_round_ends([100.0].into_iter(), 0.0),
        y_title: "at least k, %".to_owned(),
        legend: format!("{legend}: mean, median").trim_start_matches(": ").to_owned(),
        level: None,
    };
    lines.draw_line_chart(&words)
}

/// Returns a player's name of the field.
pub fn display_name_of_field(cells: &[&Answer], field: &str) -> String {
    let mut heads = cells.iter().flat_map(|cell| cell.fields.iter());
    let head = heads.find(|head| head.name == field);
    head.map_or(replace_control_chars(field), |head| replace_control_chars(&head.display_name()))
}

/// The distribution of one field as P(at least k).
struct FieldTailDistribution {
    name: String,
    low: i64,
    /// P(at least low + i) in percent.
    at_least: Vec<f64>,
    mean: f64,
    median: i64,
}

impl FieldTailDistribution {
    fn from_field_of_cell(
        cell: &Answer,
        field: &str,
        name: String,
    ) -> Option<FieldTailDistribution> {
        let law = chart_data::field_distribution_in_percent(cell, field)?;
        let (low, high) = (*law.keys().next()?, *law.keys().next_back()?);
        if high - low > MAX_COUNT_RANGE {
            return None;
        }
        let share = |k: i64| law.get(&k).copied().unwrap_or(0.0);
        let mut at_least: Vec<_> = (low..=high).map(share).collect();
        let total: f64 = at_least.iter().sum();
        let mean = law.iter().map(|(k, share)| share * *k as f64).sum::<f64>();
        for i in (1..at_least.len()).rev() {
            at_least[i - 1] += at_least[i];
        }
        // The largest k that is reached with a probability of at least one half.
        let half = at_least.iter().rposition(|&share| share >= total / 2.0);
        Some(FieldTailDistribution {
            name,
            low,
            median: low + half.unwrap_or(0) as i64,
            at_least,
            mean: if total > 0.0 { mean / total } else { 0.0 },
        })
    }

    fn highest_field_value(&self) -> i64 {
        self.low + self.at_least.len() as i64 - 1
    }

    fn to_curve_series(&self) -> CurveSeries {
        let points = self.at_least.iter().zip(self.low..);
        let points: Vec<_> = points.map(|(share, k)| (k as f64, *share)).collect();
        let median = usize::try_from(self.median - self.low).unwrap_or(0);
        CurveSeries {
            name: self.name.clone(),
            note: format!(": {:.2}, {}", self.mean, self.median),
            large: vec![points[median]],
            feet: vec![self.mean],
            points,
            ..CurveSeries::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    /// 20, 12 and 4 of 36 at 0, 1 and 2: at least 1 in 16, at least 2 in 4; mean 20/36, median 0.
    #[test]
    fn tails_add_up_from_the_top() {
        let mut answer = test_answers::squad_answer_from_36ths(Vec::new(), 4, 12);
        for (outcome, value) in answer.outcomes.iter_mut().zip([0, 1, 2]) {
            outcome.values = vec![value, 0];
        }
        let tail = FieldTailDistribution::from_field_of_cell(&answer, "eliminated", String::new())
            .expect("there is such a field");
        let expected = [100.0, 1600.0 / 36.0, 400.0 / 36.0];
        assert!(tail.at_least.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((tail.mean - 20.0 / 36.0).abs() < 1e-9);
        assert_eq!(tail.median, 0);
        assert!(
            FieldTailDistribution::from_field_of_cell(&answer, "routed", String::new()).is_none()
        );
    }
}
