//! Running bound of the rounding error of a probability.
//!
//! A probability is a sum of products of numbers that are not negative. So no digits cancel: each
//! rounding changes the result by at most 2⁻⁵³ of its size, and the roundings on the longest path
//! from the first die to an ending bound them all. They are counted beside the probability, which
//! costs one whole number for each vertex ([`ProbabilityWithRoundings`]). After n of them a
//! computed p is at most p · n·2⁻⁵³ ÷ (1 − n·2⁻⁵³) away from the true one ([`relative_error`]).
//!
//! An operation without a rounding is not counted: halves and doubles, and the first probability
//! that arrives at a vertex. So the odds of coins have a bound of 0.

use std::ops::AddAssign;

/// Size of a rounding, relative to the number that is rounded: 2⁻⁵³.
const ROUNDING_UNIT: f64 = f64::EPSILON / 2.0;

/// Bound of the error of one node whose share is below the normal numbers: a shared face is off by
/// at most 2⁻¹⁰⁷⁵, and so is each product with a number of faces, of which there are at most 255.
const UNDERFLOW_ERROR_PER_NODE: f64 = f64::MIN_POSITIVE * f64::EPSILON * 512.0;

/// Bounds of the errors of a distribution.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundingErrorBound {
    /// Largest number of roundings behind a probability.
    pub roundings: u64,
    /// Bound of the errors of all probabilities together that are not relative to them: the
    /// residual of solved loops, and numbers below the normal ones.
    pub absolute: f64,
    /// Bound of the error of the mean of each tally; empty if it was not counted.
    pub tally_means: Vec<f64>,
}

impl RoundingErrorBound {
    /// Number of roundings that is assumed of a distribution whose roundings were not counted: one
    /// from a file of an earlier version. It allows for 10⁻¹¹ of a probability.
    pub const UNCOUNTED_ROUNDINGS: u64 = 90_000;

    /// Returns the bound of the error of a probability.
    ///
    /// ```
    /// use enfilade_engine::exact::RoundingErrorBound;
    /// let once = RoundingErrorBound { roundings: 1, ..RoundingErrorBound::default() };
    /// assert!(once.error_of_probability(1.0) <= 2.0 * f64::EPSILON);
    /// assert_eq!(RoundingErrorBound::default().error_of_probability(0.5), 0.0);
    /// ```
    pub fn error_of_probability(&self, probability: f64) -> f64 {
        relative_error(self.roundings) * probability + self.absolute
    }
}

/// Returns the largest relative error of a sum of products after this many roundings.
pub(super) fn relative_error(roundings: u64) -> f64 {
    if roundings == 0 {
        return 0.0;
    }
    // Two more, for the roundings of the bound and of its product with a probability.
    let sum = (roundings + 2) as f64 * ROUNDING_UNIT;
    if sum < 1.0 { sum / (1.0 - sum) } else { f64::INFINITY }
}

/// Bounds the error of nodes whose shares were below the normal numbers.
pub(super) fn underflow_error(nodes: u64) -> f64 {
    nodes as f64 * UNDERFLOW_ERROR_PER_NODE
}

/// Probability with the number of roundings behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct ProbabilityWithRoundings {
    /// Computed probability.
    pub(super) value: f64,
    /// Number of roundings of the part that was rounded most often.
    pub(super) roundings: u64,
}

impl ProbabilityWithRoundings {
    /// The probability of the opening state.
    pub(super) const ONE: ProbabilityWithRoundings =
        ProbabilityWithRoundings { value: 1.0, roundings: 0 };

    /// Returns the probability of one face of a die with `sides` faces.
    pub(super) fn divide_by_sides(self, sides: u8) -> ProbabilityWithRoundings {
        ProbabilityWithRoundings {
            value: self.value / f64::from(sides),
            roundings: self.roundings + u64::from(!sides.is_power_of_two()),
        }
    }

    /// Returns the probability of several faces, given that of one.
    pub(super) fn multiply_by_faces(self, faces: u8) -> ProbabilityWithRoundings {
        ProbabilityWithRoundings {
            value: self.value * f64::from(faces),
            roundings: self.roundings + u64::from(!faces.is_power_of_two()),
        }
    }

    /// Returns the probability of two independent events.
    pub(super) fn multiply(self, other: ProbabilityWithRoundings) -> ProbabilityWithRoundings {
        ProbabilityWithRoundings {
            value: self.value * other.value,
            roundings: self.roundings + other.roundings + 1,
        }
    }

    /// Returns whether the number is too small for a rounding to be relative to its size.
    pub(super) fn is_below_normal(self) -> bool {
        self.value < f64::MIN_POSITIVE
    }
}

impl AddAssign for ProbabilityWithRoundings {
    fn add_assign(&mut self, more: ProbabilityWithRoundings) {
        let rounds = u64::from(self.value != 0.0);
        self.value += more.value;
        self.roundings = self.roundings.max(more.roundings) + rounds;
    }
}

/// Returns the probabilities, and the largest number of roundings behind one.
pub(super) fn values_and_most_roundings(
    all: impl Iterator<Item = ProbabilityWithRoundings>,
) -> (Vec<f64>, u64) {
    let mut most = 0;
    let values = all.map(|one| {
        most = most.max(one.roundings);
        one.value
    });
    (values.collect(), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two of three faces of a d6: a division, a product and nothing to add to.
    #[test]
    fn roundings_are_counted() {
        let face = ProbabilityWithRoundings::ONE.divide_by_sides(6);
        assert_eq!(face.roundings, 1);
        assert_eq!(face.multiply_by_faces(3).roundings, 2);
        assert_eq!(face.multiply_by_faces(4).roundings, 1);
        let mut sum = ProbabilityWithRoundings::default();
        sum += face;
        assert_eq!(sum.roundings, 1);
        sum += face.multiply_by_faces(3);
        assert_eq!((sum.roundings, sum.value), (3, 1.0 / 6.0 + 3.0 / 6.0));
        assert_eq!(face.multiply(sum).roundings, 5);
    }

    #[test]
    fn coins_have_no_error() {
        let mut heads = ProbabilityWithRoundings::default();
        (0..2).for_each(|_| heads += ProbabilityWithRoundings::ONE.divide_by_sides(4));
        // Adding is counted, although a half is exact: only the operation is looked at.
        assert_eq!((heads.value, heads.roundings), (0.5, 1));
        assert_eq!(ProbabilityWithRoundings::ONE.divide_by_sides(2).roundings, 0);
        assert_eq!(relative_error(0), 0.0);
    }

    /// The bound is above n units for every n, and infinite where nothing is known.
    #[test]
    fn the_bound_is_no_smaller_than_its_roundings() {
        for n in [1u64, 2, 1000, 1 << 40] {
            let bound = relative_error(n);
            assert!(bound > n as f64 * ROUNDING_UNIT && bound < 4.0 * n as f64 * ROUNDING_UNIT);
        }
        assert_eq!(relative_error(1 << 60), f64::INFINITY);
        assert!(underflow_error(1) > 0.0 && underflow_error(1 << 40) < 1e-300);
    }
}
