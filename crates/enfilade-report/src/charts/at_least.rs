//! The probability of at least k, by k, with mean and median marked: from answers to curves.

use super::axis_scale::Scale;
use super::chart_data;
use super::line_chart::{Across, Lines, Series};
use super::plot_frame::{Words, thinned};
use crate::drawing::Scene;
use crate::text::sentences::clean;
use enfilade_study::answer::Answer;

/// The largest number of curves.
const MOST: usize = 6;

/// The widest range of k.
const WIDEST: i64 = 2000;

/// Draws one curve per cell for the outcome field `field`.
///
/// # Errors
/// A sentence, if there is nothing to draw or too much.
pub fn draw(cells: &[&Answer], field: &str, words: &Words) -> Result<Scene, String> {
    let (drawn, words) = thinned(cells.to_vec(), MOST, "cells", words);
    let (legend, names) = chart_data::told_apart(&drawn);
    let tail = |(cell, name): (&&Answer, String)| Tail::of(cell, field, name);
    let tails: Vec<_> = drawn.iter().zip(names).filter_map(tail).collect();
    let low = tails.iter().map(|tail| tail.low).min();
    let high = tails.iter().map(Tail::high).max();
    let (Some(low), Some(high)) = (low, high) else {
        let field = label(cells, field);
        return Err(format!("no cell counts {field}, or it counts further than {WIDEST}"));
    };
    if high - low > WIDEST {
        let field = label(cells, field);
        return Err(format!("{field} runs from {low} to {high}; up to {WIDEST} values are drawn"));
    }
    let lines = Lines {
        series: tails.iter().map(Tail::series).collect(),
        across: Across::Numbers(Scale::near(&[low as f64, high as f64])),
        x_title: label(cells, field),
        up: Scale::around([100.0].into_iter(), 0.0),
        y_title: "at least k, %".to_owned(),
        legend: format!("{legend}: mean, median").trim_start_matches(": ").to_owned(),
        level: None,
    };
    lines.draw(&words)
}

/// Returns a player's name of the field.
pub fn label(cells: &[&Answer], field: &str) -> String {
    let mut heads = cells.iter().flat_map(|cell| cell.fields.iter());
    let head = heads.find(|head| head.name == field);
    head.map_or(clean(field), |head| clean(&head.label_or_name()))
}

/// The distribution of one field as P(at least k).
struct Tail {
    name: String,
    low: i64,
    /// P(at least low + i) in percent.
    at_least: Vec<f64>,
    mean: f64,
    median: i64,
}

impl Tail {
    fn of(cell: &Answer, field: &str, name: String) -> Option<Tail> {
        let law = chart_data::law_of(cell, field)?;
        let (low, high) = (*law.keys().next()?, *law.keys().next_back()?);
        if high - low > WIDEST {
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
        Some(Tail {
            name,
            low,
            median: low + half.unwrap_or(0) as i64,
            at_least,
            mean: if total > 0.0 { mean / total } else { 0.0 },
        })
    }

    fn high(&self) -> i64 {
        self.low + self.at_least.len() as i64 - 1
    }

    fn series(&self) -> Series {
        let points = self.at_least.iter().zip(self.low..);
        let points: Vec<_> = points.map(|(share, k)| (k as f64, *share)).collect();
        let median = usize::try_from(self.median - self.low).unwrap_or(0);
        Series {
            name: self.name.clone(),
            note: format!(": {:.2}, {}", self.mean, self.median),
            large: vec![points[median]],
            feet: vec![self.mean],
            points,
            ..Series::default()
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
        let mut answer = test_answers::answer(Vec::new(), 4, 12);
        for (outcome, value) in answer.outcomes.iter_mut().zip([0, 1, 2]) {
            outcome.values = vec![value, 0];
        }
        let tail = Tail::of(&answer, "eliminated", String::new()).expect("there is such a field");
        let expected = [100.0, 1600.0 / 36.0, 400.0 / 36.0];
        assert!(tail.at_least.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!((tail.mean - 20.0 / 36.0).abs() < 1e-9);
        assert_eq!(tail.median, 0);
        assert!(Tail::of(&answer, "routed", String::new()).is_none());
    }
}
