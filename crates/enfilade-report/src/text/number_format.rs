//! Decimals of numbers by their precision.
//!
//! A simulated percentage is printed to the decimal that holds the first digit of its standard
//! error; an exact one to two decimals, or to three digits if it is small. A possible event never
//! prints as 0, an uncertain one never as 100.

use enfilade_model::form::sanitize::group_digits;
use enfilade_stats::intervals::Interval;

/// The largest number of decimals printed.
const MAX_PRINTED_DECIMALS: usize = 15;

/// The distance from 1 below which a probability counts as certain: the possible error of an exact
/// number.
const CERTAINTY_TOLERANCE: f64 = 1e-12;

/// The smallest probability whose first three digits are among the decimals; for a smaller one,
/// which is equally precise, the power of ten is printed.
const MIN_DECIMAL_PROBABILITY: f64 = 1e-15;

/// The smallest number of decimals of an exact percentage.
const MIN_EXACT_PERCENT_DECIMALS: usize = 2;

/// Returns the decimal of the first digit of a positive `size`: 0 for 1 and more, 2 for 0.05.
pub fn decimals_to_first_digit(size: f64) -> usize {
    if !(size.is_finite() && size > 0.0) {
        return MIN_EXACT_PERCENT_DECIMALS;
    }
    // The first digit is the one that `{:e}` prints, free of the rounding of a logarithm.
    let written = format!("{size:e}");
    let exponent = written.rsplit('e').next().and_then(|e| e.parse().ok());
    let exponent: i32 = exponent.unwrap_or(0);
    usize::try_from(-exponent).unwrap_or(0).min(MAX_PRINTED_DECIMALS)
}

/// Formats an exact probability in percent, without the sign: `46.94`, `0.000310`, `99.99970`, `0`,
/// `100`.
///
/// ```
/// use enfilade_report::text::number_format::format_exact_percent;
/// assert_eq!(format_exact_percent(4867.0 / 10368.0), "46.94");
/// assert_eq!(format_exact_percent(1.0 / 46656.0), "0.00214");
/// ```
pub fn format_exact_percent(p: f64) -> String {
    if p == 0.0 || p == 1.0 || !p.is_finite() {
        return format!("{}", 100.0 * p);
    }
    if 0.0 < p && p < MIN_DECIMAL_PROBABILITY {
        return format!("{:.2e}", 100.0 * p);
    }
    let from_one = (1.0 - p).abs();
    if from_one < CERTAINTY_TOLERANCE {
        // Truncated and not rounded, because it is not certain.
        let below = if p < 1.0 { 1.0 - CERTAINTY_TOLERANCE } else { 1.0 };
        return format!("{:.10}", 100.0 * below);
    }
    let decimals = (decimals_to_first_digit(100.0 * p.abs().min(from_one)) + 2)
        .clamp(MIN_EXACT_PERCENT_DECIMALS, MAX_PRINTED_DECIMALS);
    format!("{:.decimals$}", 100.0 * p)
}

/// Formats an exact mean to four decimals, or to three digits if it is small.
pub fn format_exact_mean(mean: f64) -> String {
    if mean == 0.0 || !mean.is_finite() {
        return format!("{mean}");
    }
    let decimals = (decimals_to_first_digit(mean.abs()) + 2).clamp(4, MAX_PRINTED_DECIMALS);
    format!("{mean:.decimals$}")
}

/// Formats a probability in whole percent for a reader who has the exact one elsewhere, without the
/// sign; below one percent, and above 99, with the first digit that distinguishes it from 0 or 100.
///
/// ```
/// use enfilade_report::text::number_format::format_short_percent;
/// assert_eq!(format_short_percent(4867.0 / 10368.0), "47");
/// assert_eq!(format_short_percent(1.0 / 46656.0), "0.002");
/// assert_eq!(format_short_percent(0.9964), "99.6");
/// ```
pub fn format_short_percent(p: f64) -> String {
    let from_end = 100.0 * p.min(1.0 - p);
    if !p.is_finite() || from_end <= 0.0 {
        return format!("{}", (100.0 * p).round());
    }
    if from_end >= 1.0 {
        return format!("{:.0}", 100.0 * p);
    }
    if from_end < SMALLEST_SHORT {
        return if p < 0.5 { "<0.0001" } else { ">99.9999" }.to_owned();
    }
    format!("{:.*}", decimals_to_first_digit(from_end), 100.0 * p)
}

/// The smallest percentage that [`format_short_percent`] prints as a number.
const SMALLEST_SHORT: f64 = 1e-4;

/// Formats a mean to one decimal for a reader who has the exact one elsewhere; a small one to its
/// first digit, and a whole one without decimals.
///
/// ```
/// use enfilade_report::text::number_format::format_short_mean;
/// assert_eq!([4.3333, 0.0321, 2.0].map(format_short_mean), ["4.3", "0.03", "2"]);
/// ```
pub fn format_short_mean(mean: f64) -> String {
    if !mean.is_finite() || (mean - mean.round()).abs() < CERTAINTY_TOLERANCE {
        return format!("{}", mean.round() + 0.0);
    }
    format!("{mean:.*}", decimals_to_first_digit(mean.abs()).max(1))
}

/// Formats a simulated probability in percent with half the width of its interval: `46.94 ± 0.05`.
///
/// An event that was never seen reads `0 of 1 000 000, < 0.00037`, and one that was always seen
/// `1000000 of 1 000 000, > 99.99963`.
pub fn format_simulated_percent(p: f64, interval: Interval, trials: u64) -> String {
    if p <= 0.0 {
        let decimals = decimals_for_two_digits(interval.high);
        let bound = round_bound_outward(100.0 * interval.high, decimals, f64::ceil);
        return format!("0 of {}, < {bound:.decimals$}", group_digits(trials));
    }
    if p >= 1.0 {
        let decimals =
            limit_decimals_to_precision(99.0, decimals_for_two_digits(1.0 - interval.low));
        let bound = round_bound_outward(100.0 * interval.low, decimals, f64::floor);
        let all = group_digits(trials);
        return format!("{all} of {all}, > {bound:.decimals$}");
    }
    format_value_and_half_width(100.0 * p, 100.0 * interval.width() / 2.0)
}

/// Returns the decimals for two digits of a bound that is `distance` from the end.
fn decimals_for_two_digits(distance: f64) -> usize {
    (decimals_to_first_digit(100.0 * distance) + 1).min(MAX_PRINTED_DECIMALS)
}

/// Limits the decimals of a bound to the precision of a number of its size: for 99 the fourteenth
/// is noise.
fn limit_decimals_to_precision(bound: f64, decimals: usize) -> usize {
    let whole = bound.abs().max(1.0).log10().floor() as usize;
    decimals.min(MAX_PRINTED_DECIMALS.saturating_sub(whole + 1).max(1))
}

/// Rounds a bound to its last decimal, in the direction in which it remains a bound.
fn round_bound_outward(bound: f64, decimals: usize, round: fn(f64) -> f64) -> f64 {
    // Scaled by a power of ten, so at most 15 decimals stay exact enough to round.
    let scale = 10f64.powi(decimals as i32);
    round(bound * scale) / scale
}

/// Formats a simulated mean with half the width of its interval: `1.2345 ± 0.0006`; if only the
/// smallest or largest possible value was seen, that value with the other end: `0, < 0.00037`.
pub fn format_simulated_mean(mean: f64, interval: Interval) -> String {
    if interval.width() == 0.0 {
        return format!("{mean}");
    }
    let decimals = decimals_for_two_digits(interval.width() / 100.0);
    if mean <= interval.low && mean < interval.high {
        let decimals = limit_decimals_to_precision(interval.high, decimals);
        let bound = round_bound_outward(interval.high, decimals, f64::ceil);
        return format!("{mean}, < {bound:.decimals$}");
    }
    if mean >= interval.high && mean > interval.low {
        let decimals = limit_decimals_to_precision(interval.low, decimals);
        let bound = round_bound_outward(interval.low, decimals, f64::floor);
        return format!("{mean}, > {bound:.decimals$}");
    }
    format_value_and_half_width(mean, interval.width() / 2.0)
}

/// Formats a difference of probabilities in percentage points with the wider half of its interval:
/// `+1.20 ± 0.10`.
///
/// ```
/// use enfilade_report::text::number_format::percent_difference_plus_minus;
/// use enfilade_stats::intervals::Interval;
/// let interval = Interval { low: -0.0131, high: -0.0113 };
/// assert_eq!(percent_difference_plus_minus(-0.0123, interval), "-1.23 ± 0.10");
/// ```
pub fn percent_difference_plus_minus(value: f64, interval: Interval) -> String {
    let Interval { low, high } = interval;
    let percent = Interval { low: 100.0 * low, high: 100.0 * high };
    mean_difference_plus_minus(100.0 * value, percent)
}

/// Formats a difference of means with the wider half of its interval: `+0.034 ± 0.006`.
pub fn mean_difference_plus_minus(value: f64, interval: Interval) -> String {
    let half = (value - interval.low).max(interval.high - value);
    if half <= 0.0 {
        return if value == 0.0 { "0".to_owned() } else { format!("{value:+}") };
    }
    let decimals = decimals_to_first_digit(half / 2.0);
    format!("{value:+.decimals$} ± {half:.decimals$}")
}

/// Rounds the value to the decimal of the first digit of its standard error, which is about half of
/// the half-width.
fn format_value_and_half_width(value: f64, half: f64) -> String {
    let decimals = decimals_to_first_digit(half / 2.0);
    format!("{value:.decimals$} ± {half:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let cases = [(0, "0"), (999, "999"), (1000, "1 000"), (10_000_000, "10 000 000")];
        for (n, shown) in cases {
            assert_eq!(group_digits(n), shown);
        }
    }

    #[test]
    fn the_first_digit_decides() {
        let cases = [(1.0, 0), (7.0, 0), (250.0, 0), (0.9, 1), (0.1, 1), (0.05, 2), (0.01, 2)];
        for (size, decimals) in cases {
            assert_eq!(decimals_to_first_digit(size), decimals, "{size}");
        }
        assert_eq!(decimals_to_first_digit(1e-300), MAX_PRINTED_DECIMALS);
        assert_eq!(decimals_to_first_digit(0.0), MIN_EXACT_PERCENT_DECIMALS);
        assert_eq!(decimals_to_first_digit(f64::NAN), MIN_EXACT_PERCENT_DECIMALS);
    }

    #[test]
    fn the_possible_is_not_zero_and_the_uncertain_not_a_hundred() {
        assert_eq!(format_exact_percent(0.0), "0");
        assert_eq!(format_exact_percent(1.0), "100");
        assert_eq!(format_exact_percent(0.5), "50.00");
        assert_eq!(format_exact_percent(3.1e-6), "0.000310");
        assert_eq!(format_exact_percent(1.0 - 3e-6), "99.999700");
        assert_eq!(format_exact_percent(1e-13), "0.0000000000100");
        assert_eq!(format_exact_percent(1.0 - 1e-11), "99.99999999900");
        // All significant digits of the number appear, and no others.
        assert_eq!(format_exact_percent(1.000_000_000_000_001_4e-300), "1.00e-298");
        assert_eq!(format_exact_percent(0.999_999_999_999_999_7), "99.9999999999");
        assert_eq!(format_exact_percent(1.0 - 1e-13), "99.9999999999");
        assert_eq!(format_exact_percent(f64::NAN), "NaN");
        assert_eq!(format_exact_mean(2.0), "2.0000");
        assert_eq!(format_exact_mean(0.0001234), "0.000123");
        assert_eq!(format_exact_mean(0.0), "0");
    }

    #[test]
    fn simulated_numbers_follow_their_standard_error() {
        let around = |low, high| Interval { low, high };
        // Standard error 0.05 percentage points: half a width of 0.1.
        let found = format_simulated_percent(0.469_42, around(0.468_44, 0.470_4), 1_000_000);
        assert_eq!(found, "46.94 ± 0.10");
        assert_eq!(format_simulated_mean(1.234_567, around(1.233, 1.236)), "1.2346 ± 0.0015");
    }

    #[test]
    fn a_mean_at_an_end_is_said_with_its_bound() {
        let found = format_simulated_mean(0.0, Interval { low: 0.0, high: 3.842e-6 });
        assert_eq!(found, "0, < 0.0000039");
        let found = format_simulated_mean(3.0, Interval { low: 2.988, high: 3.0 });
        assert_eq!(found, "3, > 2.988");
        // Only one value is possible.
        let found = format_simulated_mean(2.0, Interval { low: 2.0, high: 2.0 });
        assert_eq!(found, "2");
    }

    #[test]
    fn nothing_seen_is_said_with_its_bound() {
        let interval = Interval { low: 0.0, high: 3.689e-6 };
        assert_eq!(format_simulated_percent(0.0, interval, 1_000_000), "0 of 1 000 000, < 0.00037");
        let interval = Interval { low: 0.0, high: 3.611e-6 };
        assert_eq!(format_simulated_percent(0.0, interval, 1_000_000), "0 of 1 000 000, < 0.00037");
        let interval = Interval { low: 1.0 - 3.689e-6, high: 1.0 };
        let all = format_simulated_percent(1.0, interval, 1_000_000);
        assert_eq!(all, "1 000 000 of 1 000 000, > 99.99963");
    }

    /// Numbers of 64 bits near 100 are 1.4e-14 apart: two digits of a bound that is 3.7e-13 from it
    /// would exceed their precision.
    #[test]
    fn a_bound_has_no_digits_that_its_number_has_not() {
        let interval = Interval { low: 1.0 - 3.7e-15, high: 1.0 };
        let all = format_simulated_percent(1.0, interval, 1_000_000_000_000_000);
        assert!(all.ends_with("> 99.9999999999996"), "{all}");
        let interval = Interval { low: 1e6 - 3.7e-10, high: 1e6 };
        assert_eq!(format_simulated_mean(1e6, interval), "1000000, > 999999.99999999");
    }
}
