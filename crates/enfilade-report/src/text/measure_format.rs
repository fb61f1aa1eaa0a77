//! How the values of a measure are written.
//!
//! What a table, a chart or a comparison prints of a measure depends on whether it is a share of one, and this is where that is
//! asked; they only say which of its values they want.

use crate::text::number_format::{
    difference_mean, difference_percent, exact_mean, exact_percent, simulated_mean,
    simulated_percent,
};
use enfilade_stats::intervals::Interval;
use enfilade_study::answer::Estimate;

/// A number as people read it: the hyphen before or in it is a minus. What machines read keeps the hyphen.
pub fn with_true_minus(number: &str) -> String {
    number.replace('-', "−")
}

/// An exact value in full: `46.94`.
pub fn exact(share: bool, value: f64) -> String {
    with_true_minus(&if share { exact_percent(value) } else { exact_mean(value) })
}

/// A simulated value with its interval: `46.95 ± 0.10`.
pub fn simulated(share: bool, estimate: &Estimate, trials: u64) -> String {
    with_true_minus(&match share {
        true => simulated_percent(estimate.value, interval(estimate), trials),
        false => simulated_mean(estimate.value, interval(estimate)),
    })
}

/// An exact difference, with its sign.
pub fn exact_difference(share: bool, value: f64) -> String {
    let size = exact(share, value.abs());
    match value {
        _ if value > 0.0 => format!("+{size}"),
        _ if value < 0.0 => format!("−{size}"),
        _ => size,
    }
}

/// A simulated difference with its sign and its interval.
pub fn simulated_difference(share: bool, estimate: &Estimate) -> String {
    with_true_minus(&match share {
        true => difference_percent(estimate.value, interval(estimate)),
        false => difference_mean(estimate.value, interval(estimate)),
    })
}

/// A change in whole percent of what was before: `+45 %`, `−5 %`; what rounds to nothing has no sign.
pub fn change(part: f64) -> String {
    match (100.0 * part).round() {
        whole if whole > 0.0 => format!("+{whole} %"),
        whole if whole < 0.0 => format!("−{} %", -whole),
        _ => "0 %".to_owned(),
    }
}

fn interval(estimate: &Estimate) -> Interval {
    Interval { low: estimate.low, high: estimate.high }
}

/// Decimals of a difference in a chart.
pub fn decimals_of_difference(share: bool) -> usize {
    if share { 1 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn a_change_that_rounds_to_nothing_has_no_sign() {
        let said = [0.452, -0.236, 0.004, -0.004, 0.0, 12.0].map(change);
        assert_eq!(said, ["+45 %", "−24 %", "0 %", "0 %", "0 %", "+1200 %"]);
    }
}
