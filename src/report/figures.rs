//! How the values of a measure are written.
//!
//! What a table, a chart or a comparison prints of a measure depends on its kind, and this is where
//! that is asked; they only say which of its values they want.

use crate::combat::MeasureKind;
use crate::stats::decimals::{
    difference_mean, difference_percent, exact_mean, exact_percent, simulated_mean,
    simulated_percent,
};
use crate::stats::intervals::Interval;
use crate::study::answer::Estimate;

/// An exact value in full: `46.94`.
pub fn exact(kind: MeasureKind, value: f64) -> String {
    if kind.is_share() { exact_percent(value) } else { exact_mean(value) }
}

/// A simulated value with its interval: `46.95 ± 0.10`.
pub fn simulated(kind: MeasureKind, estimate: &Estimate, trials: u64) -> String {
    match kind.is_share() {
        true => simulated_percent(estimate.value, interval(estimate), trials),
        false => simulated_mean(estimate.value, interval(estimate)),
    }
}

/// An exact difference, with its sign.
pub fn exact_difference(kind: MeasureKind, value: f64) -> String {
    let size = exact(kind, value.abs());
    match value {
        _ if value > 0.0 => format!("+{size}"),
        _ if value < 0.0 => format!("-{size}"),
        _ => size,
    }
}

/// A simulated difference with its sign and its interval.
pub fn simulated_difference(kind: MeasureKind, estimate: &Estimate) -> String {
    match kind.is_share() {
        true => difference_percent(estimate.value, interval(estimate)),
        false => difference_mean(estimate.value, interval(estimate)),
    }
}

fn interval(estimate: &Estimate) -> Interval {
    Interval { low: estimate.low, high: estimate.high }
}

/// What differences are counted in.
#[cfg(feature = "charts")]
pub fn unit_of_difference(kind: MeasureKind, name: &str) -> &str {
    if kind.is_share() { "points of %" } else { name }
}

/// Decimals of a difference in a chart.
#[cfg(feature = "charts")]
pub fn decimals_of_difference(kind: MeasureKind) -> usize {
    if kind.is_share() { 1 } else { 3 }
}
