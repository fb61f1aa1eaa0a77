//! Measures of a distribution in floating point.
//!
//! A distribution is passed as pairs of a weight and its probability, in any order, where equal
//! weights may repeat; the unfinished probability is passed beside it. Nothing is renormalised.

use super::convergence::NEGLIGIBLE_UNFINISHED;
use super::rounding_error::{RoundingErrorBound, relative_error};
use enfilade_model::combat::{ExactRatio, MeasureHead, MeasureKind, OUTSIDE_CONDITION};

/// Distance below a share at which cumulated probability counts as having reached it: the error of
/// a distribution, which is also below the distance of two distributions that differ.
const QUANTILE_SHARE_TOLERANCE: f64 = 1e-12;

/// Computes the value of a measure from the weights of the endings, in the unit of the measure.
///
/// `None` for a quantile that what is settled does not reach, for a condition that no ending meets,
/// and for a tally: no law knows it. What is `unsettled` meets no condition.
pub fn compute_measure_value(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, f64)> + Clone,
    unsettled: f64,
) -> Option<f64> {
    if head.is_conditional() {
        let (law, _) = restrict_to_condition(law)?;
        return unconditional_measure_value(head, law.into_iter(), 0.0);
    }
    unconditional_measure_value(head, law, unsettled)
}

/// The law of the endings that meet the condition of a measure, and their probability; `None` where
/// that is 0.
pub fn restrict_to_condition(
    law: impl Iterator<Item = (i32, f64)>,
) -> Option<(Vec<(i32, f64)>, f64)> {
    let mut inside: Vec<_> =
        law.filter(|&(weight, p)| weight != OUTSIDE_CONDITION && p > 0.0).collect();
    let share: f64 = inside.iter().map(|(_, p)| p).sum();
    inside.iter_mut().for_each(|(_, p)| *p /= share);
    (share > 0.0).then_some((inside, share))
}

fn unconditional_measure_value(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, f64)> + Clone,
    unsettled: f64,
) -> Option<f64> {
    let value = match head.kind {
        MeasureKind::Event | MeasureKind::Mean => compute_mean(law, unsettled),
        MeasureKind::Deviation => compute_deviation(law, unsettled),
        MeasureKind::Quantile(share) => f64::from(weight_quantile(law, share)?),
        MeasureKind::Tally(_) | MeasureKind::Tallied(..) => return None,
    };
    Some(value * head.scale.to_f64())
}

/// Returns whether a measure is undefined for a contest that may `never` end, because unending
/// trials have no value that could be averaged.
pub(super) fn is_undefined_if_endless(head: &MeasureHead, never: bool) -> bool {
    // What meets a condition has ended.
    let is_average = matches!(head.kind, MeasureKind::Mean | MeasureKind::Deviation);
    never && is_average && !head.is_conditional()
}

/// Returns a bound of the distance of [`compute_measure_value`] from the true value of the measure,
/// in its unit.
///
/// Every part of a sum has the error of its probability, and the sum is rounded once for each part.
/// The `unsettled` part may weigh as much as any ending, or a weight that no ending has, and so may
/// the error that is not relative to a probability. A weight that is the same in every ending has
/// no error, and a quantile is one of the weights. The error of the scale comes on top.
pub fn measure_error_bound(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, f64)> + Clone,
    unsettled: f64,
    rounding: &RoundingErrorBound,
) -> f64 {
    let error = if head.is_conditional() {
        conditional_error_bound(head, law, unsettled, rounding)
    } else {
        let open = unsettled + rounding.absolute;
        MeasureErrorInputs { law, roundings: rounding.roundings, unsettled, open }
            .error_of_kind(head.kind)
    };
    error * head.scale.to_f64()
}

/// Bounds the error that the scale of a measure adds to its `value`: the scale is a rounded
/// quotient, and the product with it is rounded once more. Numbers without another error have this
/// one, such as a weight that is the same in every ending.
pub(super) fn scaling_error(scale: ExactRatio, value: f64) -> f64 {
    if scale == ExactRatio::ONE { 0.0 } else { relative_error(2) * value.abs() }
}

/// Bounds the error under a condition: a quotient is off by what its two parts are off by.
fn conditional_error_bound(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, f64)> + Clone,
    unsettled: f64,
    rounding: &RoundingErrorBound,
) -> f64 {
    let open = unsettled + rounding.absolute;
    let Some((law, share)) = restrict_to_condition(law) else {
        return 0.0;
    };
    if share <= open {
        return f64::INFINITY;
    }
    // Numerator and denominator, the sum of the denominator, and the quotient.
    let roundings = 2 * rounding.roundings + law.len() as u64 + 1;
    let law = law.into_iter();
    let (unsettled, open) = (unsettled / share, 2.0 * open / (share - open));
    MeasureErrorInputs { law, roundings, unsettled, open }.error_of_kind(head.kind)
}

/// Parts of the error of a measure.
struct MeasureErrorInputs<L> {
    /// Weights with their probabilities.
    law: L,
    /// Number of roundings behind a probability.
    roundings: u64,
    /// Unfinished probability.
    unsettled: f64,
    /// Probability that may have any weight: the unfinished one, and errors that are not relative.
    open: f64,
}

impl<L: Iterator<Item = (i32, f64)> + Clone> MeasureErrorInputs<L> {
    /// Returns the error in the unit of the weight.
    fn error_of_kind(&self, kind: MeasureKind) -> f64 {
        match kind {
            MeasureKind::Quantile(_) | MeasureKind::Tally(_) | MeasureKind::Tallied(..) => 0.0,
            _ if self.is_constant() => 0.0,
            MeasureKind::Event => self.error_of_mean_about_origin(0) + self.open,
            MeasureKind::Mean => {
                self.error_of_mean_about_origin(0) + self.open * self.largest_absolute_weight()
            }
            MeasureKind::Deviation => self.error_of_deviation(),
        }
    }

    /// Returns whether all endings have one weight and all trials end.
    fn is_constant(&self) -> bool {
        let mut weights = self.law.clone().map(|(weight, _)| weight);
        let first = weights.next();
        self.unsettled <= NEGLIGIBLE_UNFINISHED && weights.all(|weight| Some(weight) == first)
    }

    fn largest_absolute_weight(&self) -> f64 {
        let size = |(weight, _): (i32, f64)| f64::from(weight.unsigned_abs());
        self.law.clone().map(size).fold(1.0, f64::max)
    }

    /// Bounds the rounding of the mean of the weights, counted from `origin`: parts count by their
    /// size, before those of both signs cancel. Each part is a product, and is added once.
    fn error_of_mean_about_origin(&self, origin: i32) -> f64 {
        let away = |(weight, p): (i32, f64)| (f64::from(weight) - f64::from(origin)).abs() * p;
        let parts = self.law.clone().map(away).filter(|part| *part != 0.0);
        let (count, size) = parts.fold((0, 0.0), |(count, sum), part| (count + 1, sum + part));
        relative_error(self.roundings + 2 * count + 1) * size
    }

    /// Bounds the error of the deviation.
    ///
    /// The squares are taken about a computed mean, which adds the square of its error to the
    /// variance, and at most the error itself to the root. The error of a root is at most the root
    /// of the error.
    fn error_of_deviation(&self) -> f64 {
        let possible = self.law.clone().filter(|(_, p)| *p > 0.0);
        let (origin, count) = possible
            .fold((None, 0), |(origin, count), (weight, _)| (origin.or(Some(weight)), count + 1));
        let deviation = compute_deviation(self.law.clone(), self.unsettled);
        // A difference and its square round three times, and each square is weighed and added.
        let rounded = relative_error(self.roundings + 2 * count + 6) * deviation;
        rounded
            + self.error_of_mean_about_origin(origin.unwrap_or(0))
            + (4.0 * self.open).sqrt() * self.largest_absolute_weight()
    }
}

/// Computes the mean of the weight, in its unit; the `unsettled` part weighs 0.
///
/// A probability, the mean of a weight of 0 or 1, is then a lower bound, short by at most the
/// unfinished part. A weight that is the same in every ending is not a sum of rounded shares: a
/// certain event has exactly 1 less the unfinished part, where that is more than the rounds sum to.
pub fn compute_mean(law: impl Iterator<Item = (i32, f64)> + Clone, unsettled: f64) -> f64 {
    let mut weights = law.clone().map(|(weight, _)| weight);
    match weights.next() {
        Some(all) if weights.all(|weight| weight == all) => {
            let unsettled = if unsettled <= NEGLIGIBLE_UNFINISHED { 0.0 } else { unsettled };
            f64::from(all) * (1.0 - unsettled)
        }
        _ => law.map(|(weight, p)| f64::from(weight) * p).fold(0.0, |sum, share| sum + share),
    }
}

/// Computes the standard deviation of the weight, in its unit; the `unsettled` part weighs 0.
///
/// Exactly 0 if all possible endings weigh the same. Computed in two passes, about the mean and
/// from a possible weight, so that a large weight costs no digits. As a root it is less sharp near
/// 0: an unfinished part of 10⁻¹⁵ is 3·10⁻⁸ of deviation.
///
/// ```
/// use enfilade_engine::exact::measure_value::compute_deviation;
/// let d6 = (1..=6).map(|face| (face, 1.0 / 6.0));
/// assert!((compute_deviation(d6, 0.0) - (35.0f64 / 12.0).sqrt()).abs() < 1e-15);
/// ```
pub fn compute_deviation(law: impl Iterator<Item = (i32, f64)>, unsettled: f64) -> f64 {
    let possible: Vec<_> = law.chain([(0, unsettled)]).filter(|&(_, p)| p > 0.0).collect();
    let Some(&(origin, _)) = possible.first() else {
        return 0.0;
    };
    let away = |weight: i32| f64::from(weight) - f64::from(origin);
    let mean: f64 = possible.iter().map(|&(w, p)| p * away(w)).sum();
    let square = |&(w, p): &(i32, f64)| p * (away(w) - mean).powi(2);
    possible.iter().map(square).sum::<f64>().sqrt()
}

/// Returns the least possible weight at or below which the distribution has a probability of at
/// least `share`, above 0 and below 1; `None` if the finished part does not reach the share.
///
/// The unfinished part counts as larger than every weight. A probability that misses the share by
/// rounding, 10⁻¹² at most, has reached it.
///
/// ```
/// use enfilade_model::combat::ExactRatio;
/// use enfilade_engine::exact::measure_value::weight_quantile;
/// let d6 = (1..=6).map(|face| (face, 1.0 / 6.0));
/// let nine_of_ten = ExactRatio { numerator: 9, denominator: 10 };
/// assert_eq!(weight_quantile(d6, nine_of_ten), Some(6));
/// ```
pub fn weight_quantile(law: impl Iterator<Item = (i32, f64)>, share: ExactRatio) -> Option<i32> {
    let mut possible: Vec<_> = law.filter(|&(_, p)| p > 0.0).collect();
    possible.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let mut reached = 0.0;
    let place = possible.iter().position(|&(_, p)| {
        reached += p;
        reached >= share.to_f64() - QUANTILE_SHARE_TOLERANCE
    });
    place.map(|at| possible[at].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distribution of n dice of six sides, one convolution at a time.
    fn dice(n: u32) -> Vec<(i32, f64)> {
        let mut law = vec![(0, 1.0)];
        for _ in 0..n {
            let (first, last) = (law[0].0, law[law.len() - 1].0);
            let shares = |sum: i32| {
                let faces = law.iter().filter(|(w, _)| (1..=6).contains(&(sum - w)));
                (sum, faces.map(|(_, p)| p / 6.0).sum())
            };
            law = (first + 1..=last + 6).map(shares).collect();
        }
        law
    }

    fn quantile_of(law: &[(i32, f64)], (numerator, denominator): (u32, u32)) -> Option<i32> {
        let share = ExactRatio { numerator, denominator };
        weight_quantile(law.iter().copied(), share)
    }

    #[track_caller]
    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 4e-15 * expected, "{found} instead of {expected}");
    }

    /// A die has the variance 35/12, and n dice n times that.
    #[test]
    fn dice_by_hand() {
        for n in 1..=12 {
            close(compute_deviation(dice(n).into_iter(), 0.0).powi(2), f64::from(n) * 35.0 / 12.0);
        }
    }

    #[test]
    fn a_large_weight_costs_no_digits() {
        for away in [-2_000_000_000, -5, 2_000_000_000] {
            let law = dice(2).into_iter().map(|(w, p)| (w + away, p));
            close(compute_deviation(law, 0.0).powi(2), 35.0 / 6.0);
        }
        let ends = [(i32::MIN, 0.5), (i32::MAX, 0.5)];
        close(compute_deviation(ends.into_iter(), 0.0), 2f64.powi(31) - 0.5);
    }

    /// Thirds of one ending add up to 1 less rounding, and impossible endings do not count.
    #[test]
    fn a_constant_has_exactly_none() {
        let third = 1.0 / 3.0;
        let law = [(9, 0.0), (7, third), (7, third), (7, third), (-1_000_000, 0.0)];
        assert_eq!(compute_deviation(law.into_iter(), 0.0), 0.0);
        assert_eq!(compute_deviation([].into_iter(), 0.0), 0.0);
    }

    /// 2 or not over, a half each: counts as 2 or 0.
    #[test]
    fn what_is_not_settled_weighs_nothing() {
        assert_eq!(compute_deviation([(2, 0.5)].into_iter(), 0.5), 1.0);
        assert_eq!(compute_deviation([(0, 0.5)].into_iter(), 0.5), 0.0);
    }

    #[test]
    fn rare_weights_keep_their_digits() {
        let p = 1e-13;
        let law = [(41, 1.0 - p), (42, p)];
        close(compute_deviation(law.into_iter(), 0.0), (p * (1.0 - p)).sqrt());
    }

    /// Every quantile of n dice against the least sum whose ways, counted, reach the share.
    #[test]
    fn quantiles_by_counting() {
        for n in 1..=6 {
            let all = 6u64.pow(n);
            let ways = |(sum, p): (i32, f64)| (sum, (p * all as f64).round() as u64);
            let counted: Vec<_> = dice(n).into_iter().map(ways).collect();
            for denominator in [2, 3, 4, 6, 10, 36, 100, 216] {
                for numerator in 1..denominator {
                    let mut reached = 0;
                    let expected = counted.iter().find(|(_, ways)| {
                        reached += ways * u64::from(denominator);
                        reached >= all * u64::from(numerator)
                    });
                    let found = quantile_of(&dice(n), (numerator, denominator));
                    assert_eq!(found, expected.map(|(sum, _)| *sum), "{n} dice");
                }
            }
        }
    }

    /// Ten times a tenth is less than 1 in floating point, three of ten more than three tenths.
    #[test]
    fn a_share_reached_but_for_rounding_is_reached() {
        let tenths: Vec<_> = (1..=10).rev().map(|w| (w - 5, 0.1)).collect();
        for tenth in 1..10 {
            assert_eq!(quantile_of(&tenths, (tenth, 10)), Some(tenth as i32 - 5));
        }
        let median = |first| quantile_of(&[(1, first), (2, 0.5)], (1, 2));
        assert_eq!([0.5 - 1e-11, 0.5 - 1e-13].map(median), [Some(2), Some(1)]);
    }

    #[test]
    fn what_is_not_settled_is_above_all() {
        let law = [(3, 0.25), (-8, 0.5), (9, 0.0)];
        let found = [(1, 2), (3, 4), (4, 5)].map(|share| quantile_of(&law, share));
        assert_eq!(found, [Some(-8), Some(3), None]);
    }

    /// Thirds are rounded, a certain event is not; a third that is not over is lost.
    #[test]
    fn means_by_hand() {
        let thirds = |a, b, c| [a, b, c].map(|w| (w, 1.0 / 3.0)).into_iter();
        assert_eq!(compute_mean(thirds(7, 7, 7), 0.0), 7.0);
        close(compute_mean(thirds(1, 2, 6), 0.0), 3.0);
        assert_eq!(compute_mean([(4, 0.5)].into_iter(), 0.5), 2.0);
        assert_eq!(compute_mean([].into_iter(), 1.0), 0.0);
    }

    /// Two thirds are no number of 64 bits, so a constant of −2 thirds has an error, and −2 none.
    #[test]
    fn a_scaled_constant_has_the_error_of_its_scale() {
        let third = ExactRatio { numerator: 1, denominator: 3 };
        let error = scaling_error(third, -2.0 / 3.0);
        assert!((f64::EPSILON / 3.0..2.0 * f64::EPSILON).contains(&error), "{error}");
        assert_eq!(scaling_error(ExactRatio::ONE, -2.0), 0.0);
    }
}
