//! The standard deviation of a bounded, integer-valued measure and its interval.
//!
//! The variance is the mean of the squared distances from the mean, so it has the interval of a
//! [`mean`](super::mean) of bounded values: the standard error of a mean of squares, √((m₄ −
//! s⁴)/n), where m₄ is the fourth central moment, plus the largest possible square times z²/n for
//! values that were not seen. The deviation's interval is the root of the variance's. The usual
//! interval, s ± z·√((m₄ − s⁴)/n)/(2s), divides by a deviation that may be 0 and ignores values
//! that were not seen: a thousand trials without a kill.
//!
//! At a deviation of 0 the root makes the interval as wide as 1.96·d/√n, where d is the largest
//! distance from the mean; elsewhere the width is soon that of the usual way. The bound of Maurer
//! and Pontil, "Empirical Bernstein bounds and sample variance penalization" (2009, theorem 10), is
//! valid for every bounded distribution and has 2.72·span/√n to each side of every deviation. This
//! one is checked by enumeration (`tests/it/spread.rs`), for two values and for three.
//!
//! Not here: the estimate that divides by n − 1. The reported deviation is that of the trials,
//! which is too small by one part in 2n on average; the interval has room for that.

use super::intervals::{ConfidenceLevel, Interval};

/// Standard deviation with its interval, in the unit of the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviationEstimate {
    /// Deviation of the trials, not negative; exactly 0 when all values are equal.
    pub value: f64,
    /// Interval of the deviation, within 0 and half the span.
    pub interval: Interval,
}

/// Computes the standard deviation of values with their counts, each value between `low` and
/// `high`, which are the smallest and largest *possible* values, seen or not.
///
/// The counts add up to less than 2⁶⁴. Without trials the interval is 0 to half the span, and the
/// deviation is the middle of the interval.
///
/// ```
/// use enfilade_stats::{deviation::estimate_deviation, intervals::ConfidenceLevel};
/// let coin = estimate_deviation(&[(0, 500), (1, 500)], 0, 1, ConfidenceLevel::P95);
/// assert_eq!(coin.value, 0.5);
/// assert_eq!(estimate_deviation(&[(7, 1000)], 0, 20, ConfidenceLevel::P95).value, 0.0);
/// ```
pub fn estimate_deviation(
    counted: &[(i32, u64)],
    low: i32,
    high: i32,
    level: ConfidenceLevel,
) -> DeviationEstimate {
    let trials: u128 = counted.iter().map(|&(_, count)| u128::from(count)).sum();
    // Popoviciu: no deviation is more than half the span.
    let largest = (f64::from(high) - f64::from(low)) / 2.0;
    if trials == 0 {
        return deviation_with_interval_ends(largest / 2.0, 0.0, largest);
    }
    let n = trials as f64;
    let moments = MomentsOfCountedValues::from_counts(counted, trials);
    let standard_error = (moments.variance_of_squares / n).sqrt();
    let farthest = (f64::from(high) - moments.mean).max(moments.mean - f64::from(low));
    let half = level.normal_quantile() * standard_error
        + farthest * farthest * level.normal_quantile() * level.normal_quantile() / n;
    let variance = moments.variance;
    let (bottom, top) = (variance - half, variance + half);
    deviation_with_interval_ends(variance.sqrt(), bottom.max(0.0).sqrt(), top.sqrt().min(largest))
}

fn deviation_with_interval_ends(value: f64, low: f64, high: f64) -> DeviationEstimate {
    DeviationEstimate { value, interval: Interval { low, high } }
}

/// Moments of counted values.
struct MomentsOfCountedValues {
    mean: f64,
    variance: f64,
    /// The variance of the squared distances from the mean, m₄ − s⁴.
    variance_of_squares: f64,
}

impl MomentsOfCountedValues {
    /// Computes the moments in whole numbers as long as possible, about the whole number nearest to
    /// the mean. Distances from there add up to at most n/2, and their squares to at least as much
    /// as the distances: the subtracted square of the remaining distance, δ², is at most half the
    /// sum, and no digits are lost.
    fn from_counts(counted: &[(i32, u64)], trials: u128) -> MomentsOfCountedValues {
        let n = trials as f64;
        let weighted = |&(value, count): &(i32, u64)| i128::from(value) * i128::from(count);
        let near = divide_to_nearest_integer(counted.iter().map(weighted).sum(), trials as i128);
        let away = |value: i32| i128::from(value) - near;
        let sum = |&(value, count): &(i32, u64)| away(value) * i128::from(count);
        let square =
            |&(value, count): &(i32, u64)| away(value).unsigned_abs().pow(2) * u128::from(count);
        let rest = counted.iter().map(sum).sum::<i128>() as f64 / n;
        let variance = counted.iter().map(square).sum::<u128>() as f64 / n - rest * rest;
        let spread = |&(value, count): &(i32, u64)| {
            let square = (away(value) as f64 - rest).powi(2);
            (square - variance).powi(2) * count as f64
        };
        MomentsOfCountedValues {
            mean: near as f64 + rest,
            variance,
            variance_of_squares: counted.iter().map(spread).sum::<f64>() / n,
        }
    }
}

/// Returns the whole number nearest to `sum / n`.
fn divide_to_nearest_integer(sum: i128, n: i128) -> i128 {
    (sum + n / 2).div_euclid(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn close(found: f64, expected: f64) {
        let error = (found - expected).abs();
        assert!(error <= 1e-14 * expected, "{found} instead of {expected}");
    }

    /// A d6, each face ten times: variance 35/12; the squared distances are 25/4, 9/4 and 1/4,
    /// whose own variance is (625 + 81 + 1)/48 − (35/12)² = 56/9; so the variance has half a width
    /// of 1.95996·√(56/540) + 6.25·3.84146/60 = 1.031320.
    #[test]
    fn a_die_by_hand() {
        let faces = [1, 2, 3, 4, 5, 6].map(|face| (face, 10));
        let found = estimate_deviation(&faces, 1, 6, ConfidenceLevel::P95);
        close(found.value, (35.0f64 / 12.0).sqrt());
        let (low, high) = (found.interval.low.powi(2), found.interval.high.powi(2));
        assert!((low - (35.0 / 12.0 - 1.031_320)).abs() < 1e-5, "{low}");
        assert!((high - (35.0 / 12.0 + 1.031_320)).abs() < 1e-5, "{high}");
    }

    #[test]
    fn a_constant_has_none_and_may_still_have_some() {
        for value in [-1_000_000_007, -3, 0, 3, 1_000_000_007] {
            for count in [1, 7, 1000, 10_000_000_000_000, u64::MAX] {
                let found = estimate_deviation(
                    &[(value, count)],
                    value - 1,
                    value + 3,
                    ConfidenceLevel::P95,
                );
                assert_eq!((found.value, found.interval.low), (0.0, 0.0));
                let unseen = 3.0 * ConfidenceLevel::P95.normal_quantile() / (count as f64).sqrt();
                let high = unseen.min(2.0);
                assert!((found.interval.high / high - 1.0).abs() < 1e-12, "{found:?}");
            }
        }
    }

    /// √(p(1 − p)) with p = 1 of 10¹³, and beside a large value.
    #[test]
    fn a_tiny_deviation_keeps_its_digits() {
        let n = 10_000_000_000_000;
        let expected = (1e-13 * (1.0 - 1e-13f64)).sqrt();
        for value in [0, 1_000_000_000, -2_000_000_000] {
            let found = estimate_deviation(
                &[(value, n - 1), (value + 1, 1)],
                value,
                value + 1,
                ConfidenceLevel::P95,
            );
            close(found.value, expected);
            assert!(found.interval.contains(expected));
        }
    }

    #[test]
    fn large_values_and_counts_do_not_overflow() {
        let half = u64::MAX / 2;
        let ends = [(i32::MAX, half), (i32::MIN, half)];
        let found = estimate_deviation(&ends, i32::MIN, i32::MAX, ConfidenceLevel::P95);
        close(found.value, 2f64.powi(31) - 0.5);
        assert!(found.interval.contains(found.value));
    }

    #[test]
    fn the_interval_stays_within_what_is_possible() {
        let few = estimate_deviation(&[(-2, 1), (7, 1)], -2, 7, ConfidenceLevel::P95);
        assert_eq!((few.value, few.interval.low, few.interval.high), (4.5, 0.0, 4.5));
        let nothing = estimate_deviation(&[(3, 0)], -2, 7, ConfidenceLevel::P95);
        assert_eq!((nothing.value, nothing.interval.high), (2.25, 4.5));
    }

    /// Squares of distances summed pair by pair: Σ Σ (x − y)² ÷ (2n²) is the variance.
    #[test]
    fn it_is_the_one_of_all_pairs() {
        let counted = [(-7, 3), (0, 11), (2, 1), (40, 5)];
        let mut pairs = 0.0;
        for (x, a) in counted {
            for (y, b) in counted {
                pairs += f64::from(x - y).powi(2) * (a * b) as f64;
            }
        }
        let found = estimate_deviation(&counted, -7, 40, ConfidenceLevel::P95);
        close(found.value, (pairs / (2.0 * 400.0)).sqrt());
    }
}
