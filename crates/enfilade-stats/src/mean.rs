//! The mean of a bounded, integer-valued measure and its interval.
//!
//! The normal interval, mean ± z·s/√n, ignores values that were not seen: after a thousand trials
//! without a kill it gives no chance to any. So it is widened by span·z²/n, where the span is the
//! largest possible value less the smallest: the term that empirical Bernstein bounds (Maurer and
//! Pontil 2009) add for the same reason. At 95 % the added share of the span, 3.84/n, is more than
//! the 3.69/n that an outcome never seen may still have.
//!
//! No interval for a mean is valid for every bounded distribution without being much wider; this
//! one is checked by enumeration on small cases (`tests/it/statistics.rs`), for two values and for
//! three.

use super::intervals::{ConfidenceLevel, Interval};

/// Mean with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanEstimate {
    /// Mean of the trials.
    pub value: f64,
    /// Interval of the mean, within the possible values.
    pub interval: Interval,
    /// Standard error of the mean.
    pub standard_error: f64,
}

/// Computes the mean of values with their counts, each value between `low` and `high`, which are
/// the smallest and largest *possible* values, seen or not.
///
/// Without trials the interval is the whole range of possible values, and the mean is its middle.
///
/// ```
/// use enfilade_stats::{intervals::ConfidenceLevel, mean::estimate_mean_of_counts};
/// let kills = estimate_mean_of_counts(&[(0, 900), (1, 90), (2, 10)], 0, 10, ConfidenceLevel::P95);
/// assert_eq!(kills.value, 0.11);
/// assert!(kills.interval.contains(0.12));
/// ```
pub fn estimate_mean_of_counts(
    counted: &[(i32, u64)],
    low: i32,
    high: i32,
    level: ConfidenceLevel,
) -> MeanEstimate {
    let trials: u128 = counted.iter().map(|&(_, count)| u128::from(count)).sum();
    let (low, high) = (f64::from(low), f64::from(high));
    if trials == 0 {
        return MeanEstimate {
            value: (low + high) / 2.0,
            interval: Interval { low, high },
            standard_error: f64::INFINITY,
        };
    }
    let n = trials as f64;
    // Whole numbers as long as possible: 2³¹ times 2⁶⁴ trials fit.
    let weighted = |&(value, count): &(i32, u64)| i128::from(value) * i128::from(count);
    let value = counted.iter().map(weighted).sum::<i128>() as f64 / n;
    let square = |&(x, count): &(i32, u64)| (f64::from(x) - value).powi(2) * count as f64;
    let variance = counted.iter().map(square).sum::<f64>() / n;
    let standard_error = (variance / n).sqrt();
    let half = level.normal_quantile() * standard_error
        + (high - low) * level.normal_quantile() * level.normal_quantile() / n;
    MeanEstimate {
        value,
        interval: Interval { low: (value - half).max(low), high: (value + half).min(high) },
        standard_error,
    }
}

/// Computes the mean of a count that has no bound, from its sum and the variance of one trial.
///
/// The normal interval is widened by z²/n: one unit times the share of trials that may have been
/// missed. Larger unseen units are not covered. Without trials the mean is 0 and the interval is
/// unbounded.
///
/// ```
/// use enfilade_stats::{intervals::ConfidenceLevel, mean::mean_from_sum_and_variance};
/// let rounds = mean_from_sum_and_variance(6_000, 1_000, 30.0, ConfidenceLevel::P95);
/// assert_eq!(rounds.value, 6.0);
/// assert!(rounds.interval.contains(5.7) && !rounds.interval.contains(5.6));
/// ```
pub fn mean_from_sum_and_variance(
    sum: i128,
    trials: u64,
    variance: f64,
    level: ConfidenceLevel,
) -> MeanEstimate {
    if trials == 0 {
        return MeanEstimate {
            value: 0.0,
            interval: Interval { low: f64::NEG_INFINITY, high: f64::INFINITY },
            standard_error: f64::INFINITY,
        };
    }
    let n = trials as f64;
    let value = sum as f64 / n;
    let standard_error = (variance / n).sqrt();
    let half = level.normal_quantile() * standard_error
        + level.normal_quantile() * level.normal_quantile() / n;
    MeanEstimate {
        value,
        interval: Interval { low: value - half, high: value + half },
        standard_error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 0 forty times, 3 sixty times: mean 1.8, variance 9·0.24 = 2.16, standard error
    /// √0.0216 = 0.14697; half a width of 1.95996·0.14697 + 3·3.84146/100 = 0.40330.
    #[test]
    fn the_interval_is_normal_and_a_little_more() {
        let found = estimate_mean_of_counts(&[(0, 40), (3, 60)], 0, 3, ConfidenceLevel::P95);
        assert!((found.value - 1.8).abs() < 1e-15);
        assert!((found.standard_error - 0.0216f64.sqrt()).abs() < 1e-15);
        assert!((found.interval.width() / 2.0 - 0.403_30).abs() < 1e-5);
    }

    /// Half a width of 1.95996·√(4/100) + 3.84146/100 = 0.39199 + 0.03841.
    #[test]
    fn a_sum_has_the_same_interval_with_a_span_of_one() {
        let found = mean_from_sum_and_variance(-250, 100, 4.0, ConfidenceLevel::P95);
        assert_eq!((found.value, found.standard_error), (-2.5, 0.2));
        assert!((found.interval.width() / 2.0 - 0.430_41).abs() < 1e-5);
        assert!(
            mean_from_sum_and_variance(0, 0, 0.0, ConfidenceLevel::P95).interval.contains(1e300)
        );
    }

    #[test]
    fn what_was_never_seen_is_still_possible() {
        let found = estimate_mean_of_counts(&[(0, 1000)], 0, 5, ConfidenceLevel::P95);
        assert_eq!(found.interval.low, 0.0);
        assert!((found.interval.high - 5.0 * 3.841_46 / 1000.0).abs() < 1e-6);
    }

    #[test]
    fn the_interval_stays_within_what_is_possible() {
        let found = estimate_mean_of_counts(&[(-2, 1), (7, 1)], -2, 7, ConfidenceLevel::P95);
        assert_eq!((found.interval.low, found.interval.high), (-2.0, 7.0));
        let nothing = estimate_mean_of_counts(&[], -2, 7, ConfidenceLevel::P95);
        assert_eq!((nothing.interval.low, nothing.interval.high), (-2.0, 7.0));
    }

    #[test]
    fn large_counts_do_not_overflow() {
        let found = estimate_mean_of_counts(
            &[(i32::MAX, u64::MAX), (i32::MIN, u64::MAX)],
            i32::MIN,
            i32::MAX,
            ConfidenceLevel::P95,
        );
        assert!((found.value + 0.5).abs() < 1e-6);
    }
}
