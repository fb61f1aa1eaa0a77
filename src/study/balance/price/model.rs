//! What the assumptions change: the worth of a weapon with one of them at an end of its range.
//!
//! One at a time: that two assumptions at their ends together change more, or less, than the sum
//! is not seen.

use super::mixes::mean;
use super::worth::{Table, Worths};
use super::{Anchor, worth};
use crate::stats::line::weighted_median;
use crate::study::balance::evidence::Model;

/// Change of the log worth at the low and the high end of an assumption.
pub type Ends = (f64, f64);

/// The change of every weapon's mixed worth by every assumption, `[weapon][assumption]`.
///
/// With the arsenal as anchor, what changes for all weapons alike is taken out.
pub fn effects(worths: &Worths, assumptions: usize, mix: &[f64], anchor: Anchor) -> Vec<Vec<Ends>> {
    let default = means(worths.default(), mix);
    let changes = |model: Model| -> Vec<f64> {
        let Some(table) = worths.by_model.get(&model) else {
            return vec![0.0; default.len()];
        };
        let pairs = means(table, mix).into_iter().zip(&default);
        let changes: Vec<f64> = pairs.map(|(moved, default)| moved - default).collect();
        let common = match anchor {
            Anchor::Reference => None,
            Anchor::Arsenal => weighted_median(changes.iter().map(|&c| (c, 1.0)).collect()),
        };
        let common = common.unwrap_or(0.0);
        changes.into_iter().map(|change| change - common).collect()
    };
    let ends = |i: usize| (changes(Model::Low(i)), changes(Model::High(i)));
    let ends: Vec<_> = (0..assumptions).map(ends).collect();
    let weapon = |w: usize| ends.iter().map(|(low, high)| (low[w], high[w])).collect();
    (0..default.len()).map(weapon).collect()
}

fn means(table: &Table, mix: &[f64]) -> Vec<f64> {
    let rows = worth::logs(table);
    rows.iter().map(|row| mean(row, mix)).collect()
}
