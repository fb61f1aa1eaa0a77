//! The quantile of an integer-valued measure and its interval, for every distribution.
//!
//! The quantile at a share q is the least value v with P(V ≤ v) ≥ q; that of the trials is the
//! least v that at least q of them reach or stay below. The interval goes from one order statistic
//! to another (W. R. Thompson, "On confidence ranges for the median and other expectation
//! distributions", 1936; Scheffé and Tukey, 1945, for distributions with steps): with k trials at
//! or below v, v is below the interval when even the upper end of the
//! [proportion](super::intervals) k/n does not exceed q, and the first v at which the lower end
//! reaches q is its top. It covers at least as often as the intervals of proportions do, so for
//! every distribution and every n up to 10¹³.
//!
//! A trial that did not end counts as one whose value is above all others.

use super::intervals::{ConfidenceLevel, proportion_interval};

/// Quantile with its interval; `None` where the trials that ended do not reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantileEstimate {
    /// Quantile of the trials.
    pub value: Option<i32>,
    /// Lower end of the interval.
    pub low: Option<i32>,
    /// Upper end of the interval.
    pub high: Option<i32>,
}

/// Values with their counts, and the trials that did not end.
#[derive(Clone, Debug)]
pub struct RankedValues {
    /// Each value once, rising, with the trials at or below it.
    reached: Vec<(i32, u64)>,
    trials: u64,
    unsettled: u64,
}

impl RankedValues {
    /// Collects values with their counts, in any order and with repetitions, and `unsettled` more
    /// trials whose value is above all others.
    ///
    /// Smallest and largest *possible* values that were not seen may be included with a count of 0:
    /// an interval ends there when the trials are too few to exclude them. The trials are together
    /// less than 2⁶⁴.
    pub fn from_counts(counted: &[(i32, u64)], unsettled: u64) -> RankedValues {
        let mut reached = counted.to_vec();
        reached.sort_unstable();
        let mut sum = 0;
        for (_, count) in &mut reached {
            sum += *count;
            *count = sum;
        }
        // Of equal values the last one counts them all.
        reached.reverse();
        reached.dedup_by_key(|(value, _)| *value);
        reached.reverse();
        RankedValues { reached, trials: sum + unsettled, unsettled }
    }

    /// Computes the quantile at the share `numerator / denominator`, which lies between 0 and 1.
    ///
    /// An upper end beyond all trials is the largest value passed, unless some trials did not end.
    /// Without trials the interval covers all values passed, and there is no value.
    ///
    /// ```
    /// use enfilade_stats::{intervals::ConfidenceLevel, quantile::RankedValues};
    /// let kills = RankedValues::from_counts(&[(0, 900), (1, 90), (2, 10)], 0);
    /// let found = kills.estimate_quantile((9, 10), ConfidenceLevel::P95);
    /// assert_eq!((found.low, found.value, found.high), (Some(0), Some(0), Some(1)));
    /// ```
    pub fn estimate_quantile(
        &self,
        (numerator, denominator): (u32, u32),
        level: ConfidenceLevel,
    ) -> QuantileEstimate {
        let q = f64::from(numerator) / f64::from(denominator);
        let ends = |count: u64| proportion_interval(count, self.trials, level);
        let wanted = u128::from(self.trials) * u128::from(numerator);
        let enough = |count: u64| u128::from(count) * u128::from(denominator) >= wanted;
        let last = self.reached.last().map(|(value, _)| *value);
        let top = last.filter(|_| self.unsettled == 0);
        QuantileEstimate {
            value: self.first_value_with_enough_trials(|count| count > 0 && enough(count)),
            low: self.first_value_with_enough_trials(|count| ends(count).high > q),
            high: self
                .first_value_with_enough_trials(|count| self.trials > 0 && ends(count).low >= q)
                .or(top),
        }
    }

    /// Finds the least value whose trials at or below it pass `enough`, as all greater counts then
    /// do.
    fn first_value_with_enough_trials(&self, enough: impl Fn(u64) -> bool) -> Option<i32> {
        let place = self.reached.partition_point(|&(_, count)| !enough(count));
        self.reached.get(place).map(|(value, _)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(counted: &[(i32, u64)], unsettled: u64, share: (u32, u32)) -> [Option<i32>; 3] {
        let found = RankedValues::from_counts(counted, unsettled)
            .estimate_quantile(share, ConfidenceLevel::P95);
        [found.low, found.value, found.high]
    }

    fn d6(each: u64) -> Vec<(i32, u64)> {
        (1..=6).map(|face| (face, each)).collect()
    }

    /// Ten of each face: 30 of 60 at or below 3, 54 of 60 reached by the sixth. For the median the
    /// order statistics 22 and 39 of the table for n = 60: faces 3 and 4.
    #[test]
    fn a_die_by_hand() {
        assert_eq!(of(&d6(10), 0, (1, 2)), [Some(3), Some(3), Some(4)]);
        assert_eq!(of(&d6(10), 0, (9, 10))[1], Some(6));
        assert_eq!(of(&d6(10), 0, (5, 6))[1], Some(5));
        assert_eq!(of(&d6(10), 0, (1, 1000))[1], Some(1));
    }

    /// The upper quartile of 16: the 8th and the 16th value, because P(B ≤ 7) = 0.0075 and
    /// P(B ≤ 8) = 0.0271, P(B ≥ 16) = 0.0100 and P(B ≥ 15) = 0.0635.
    #[test]
    fn ends_are_order_statistics() {
        let values: Vec<_> = (1..=16).map(|i| (10 * i, 1)).collect();
        assert_eq!(of(&values, 0, (3, 4)), [Some(80), Some(120), Some(160)]);
        // The median of ten: the 2nd and the 9th value, P(B ≤ 1) = 11/1024.
        let values: Vec<_> = (1..=10).map(|i| (i, 1)).collect();
        assert_eq!(of(&values, 0, (1, 2)), [Some(2), Some(5), Some(9)]);
    }

    #[test]
    fn few_trials_exclude_nothing_that_is_possible() {
        let possible = [(-4, 0), (3, 1), (9, 0)];
        assert_eq!(of(&possible, 0, (1, 2)), [Some(-4), Some(3), Some(9)]);
        assert_eq!(of(&[(-4, 0), (9, 0)], 0, (1, 2)), [Some(-4), None, Some(9)]);
        assert_eq!(of(&[], 0, (1, 2)), [None; 3]);
    }

    #[test]
    fn what_did_not_end_is_above_all() {
        let counted = [(1, 400), (2, 400)];
        assert_eq!(of(&counted, 200, (1, 2)), [Some(2), Some(2), Some(2)]);
        assert_eq!(of(&counted, 200, (4, 5)), [Some(2), Some(2), None]);
        assert_eq!(of(&counted, 200, (9, 10)), [None, None, None]);
        assert_eq!(of(&[], 200, (1, 2)), [None, None, None]);
    }

    #[test]
    fn order_and_repetition_do_not_matter() {
        let mixed = [(3, 5), (-1, 2), (3, 6), (-1, 7), (0, 0)];
        let sorted = [(-1, 9), (0, 0), (3, 11)];
        for share in [(1, 10), (9, 20), (1, 2), (99, 100)] {
            assert_eq!(of(&mixed, 0, share), of(&sorted, 0, share));
        }
    }

    /// The share is compared in whole numbers: 7 of 10 is 0.7, and one trial less is not.
    #[test]
    fn a_share_is_reached_exactly() {
        let n = 10_000_000_000_000;
        assert_eq!(of(&[(0, 7), (1, 3)], 0, (7, 10))[1], Some(0));
        assert_eq!(of(&[(0, 7 * n / 10), (1, 3 * n / 10)], 0, (7, 10))[1], Some(0));
        assert_eq!(of(&[(0, 7 * n / 10 - 1), (1, 3 * n / 10 + 1)], 0, (7, 10))[1], Some(1));
        assert_eq!(of(&[(0, u64::MAX)], 0, (u32::MAX - 1, u32::MAX))[1], Some(0));
    }

    /// Binomial terms summed outright: the ends are never inside the exact ones.
    #[test]
    fn ends_are_those_of_the_binomial_law() {
        for n in 1..=60u64 {
            let values: Vec<_> = (1..=n as i32).map(|i| (i, 1)).collect();
            for share in [(1, 20), (1, 4), (1, 2), (2, 3), (9, 10)] {
                let q = f64::from(share.0) / f64::from(share.1);
                let mut term = (1.0 - q).powi(n as i32);
                let mut below = vec![0.0, term];
                for k in 0..n {
                    term *= (n - k) as f64 / (k + 1) as f64 * q / (1.0 - q);
                    below.push(below[k as usize + 1] + term);
                }
                // below[k] is P(B < k); rank 0 is "nothing is excluded".
                let low = (1..=n).filter(|&k| below[k as usize] <= 0.025).max();
                let high = (1..=n).find(|&k| 1.0 - below[k as usize] <= 0.025);
                let expected = [low.unwrap_or(1), high.unwrap_or(n)].map(|k| Some(k as i32));
                let found = of(&values, 0, share);
                assert_eq!([found[0], found[2]], expected, "{n} at {share:?}");
            }
        }
    }
}
