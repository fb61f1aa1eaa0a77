//! Format of the values of a measure.
//!
//! Values in a table, a chart or a comparison have other formats for shares of one than for other
//! measures, and only this module makes the distinction.

use crate::text::number_format::{
    format_exact_mean, format_exact_percent, format_simulated_mean, format_simulated_percent,
    mean_difference_plus_minus, percent_difference_plus_minus,
};
use enfilade_stats::intervals::Interval;
use enfilade_study::answer::Estimate;

/// Replaces the hyphen before or in a number by a minus, for people. Numbers for machines keep the
/// hyphen.
pub fn with_true_minus(number: &str) -> String {
    number.replace('-', "−")
}

/// Formats an exact value in full: `46.94`.
pub fn format_exact_percent_or_mean(share: bool, value: f64) -> String {
    with_true_minus(&if share { format_exact_percent(value) } else { format_exact_mean(value) })
}

/// Formats the bound of an error in the unit of [`format_exact_percent_or_mean`], two digits rounded up:
/// `2.3e-14`; `0` for a number without an error.
pub fn format_error_rounded_up(share: bool, error: f64) -> String {
    let error = if share { 100.0 * error } else { error };
    let shown = format!("{error:.1e}");
    // The product with 100 is rounded itself, which is no reason for another digit.
    let is_below = shown.parse().is_ok_and(|shown: f64| shown < error * (1.0 - 1e-12));
    match error {
        0.0 => "0".to_owned(),
        _ if error.is_infinite() => "unknown".to_owned(),
        // 5 % more rounds up what was rounded down.
        _ if is_below => format!("{:.1e}", error * 1.05),
        _ => shown,
    }
}

/// Formats a simulated value with its interval: `46.95 ± 0.10`.
pub fn format_simulated_value(share: bool, estimate: &Estimate, trials: u64) -> String {
    with_true_minus(&match share {
        true => format_simulated_percent(estimate.value, interval_of_estimate(estimate), trials),
        false => format_simulated_mean(estimate.value, interval_of_estimate(estimate)),
    })
}

/// Formats an exact difference with its sign.
pub fn format_exact_difference(share: bool, value: f64) -> String {
    let size = format_exact_percent_or_mean(share, value.abs());
    match value {
        _ if value > 0.0 => format!("+{size}"),
        _ if value < 0.0 => format!("−{size}"),
        _ => size,
    }
}

/// Formats a simulated difference with its sign and its interval.
pub fn format_simulated_difference(share: bool, estimate: &Estimate) -> String {
    with_true_minus(&match share {
        true => percent_difference_plus_minus(estimate.value, interval_of_estimate(estimate)),
        false => mean_difference_plus_minus(estimate.value, interval_of_estimate(estimate)),
    })
}

/// Formats a relative change in whole percent: `+45 %`, `−5 %`; a change that rounds to zero has no
/// sign.
pub fn format_percent_change(part: f64) -> String {
    match (100.0 * part).round() {
        whole if whole > 0.0 => format!("+{whole} %"),
        whole if whole < 0.0 => format!("−{} %", -whole),
        _ => "0 %".to_owned(),
    }
}

fn interval_of_estimate(estimate: &Estimate) -> Interval {
    Interval { low: estimate.low, high: estimate.high }
}

/// Returns the decimals of a difference in a chart.
pub fn chart_difference_decimals(share: bool) -> usize {
    if share { 1 } else { 3 }
}

#[cfg(test)]
mod tests {
    use super::format_percent_change;

    #[test]
    fn a_change_that_rounds_to_nothing_has_no_sign() {
        let said = [0.452, -0.236, 0.004, -0.004, 0.0, 12.0].map(format_percent_change);
        assert_eq!(said, ["+45 %", "−24 %", "0 %", "0 %", "0 %", "+1200 %"]);
    }
}
