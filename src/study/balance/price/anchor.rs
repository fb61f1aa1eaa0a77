//! In which points a price is fair: those of the reference troops, or those of the arsenal itself.
//!
//! Against the reference a weapon is worth what it wins against. But when every weapon of a game
//! is priced, the level of the reference is no news to anybody: were all prices doubled, nothing would change. Against the
//! arsenal only what a weapon is worth beside the others counts: what all gain in
//! a scenario is taken out, and a rising line through the logarithms of price and worth, which
//! wrong prices hardly move, says what the arsenal pays for so much worth.

use super::Anchor;
use crate::stats::line::{Line, rising, weighted_median};

/// Weapons below which an arsenal has no price level of its own.
pub const LEAST: usize = 8;

/// Takes out of every scenario what the arsenal as a whole gains there beyond its prices.
pub fn centred(logs: &[Vec<f64>], prices: &[f64]) -> Vec<Vec<f64>> {
    let level = |scenario: usize| {
        let gains = logs.iter().zip(prices);
        let gains = gains.map(|(row, price)| (row[scenario] - price.ln(), 1.0));
        weighted_median(gains.collect()).unwrap_or(0.0)
    };
    let levels = logs.first().map_or(0, Vec::len);
    let levels: Vec<f64> = (0..levels).map(level).collect();
    let row = |row: &Vec<f64>| {
        row.iter()
            .zip(&levels)
            .map(|(log, level)| log - level)
            .collect()
    };
    logs.iter().map(row).collect()
}

/// What is paid for a worth: log price by log worth.
///
/// `weights` are how much each weapon's price counts.
pub fn curve(anchor: Anchor, worths: &[f64], prices: &[f64], weights: &[f64]) -> Line {
    if anchor == Anchor::Reference {
        return Line::IDENTITY;
    }
    let points = worths
        .iter()
        .zip(prices)
        .map(|(worth, price)| (*worth, price.ln()));
    let points: Vec<_> = points.collect();
    rising(&points, weights).unwrap_or(Line::IDENTITY)
}
