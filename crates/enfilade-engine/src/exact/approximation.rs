//! Comparison of computed numbers: less, equal or more, within a bound of their error.
//!
//! A chance of exactly 1/2 may be stored as 0.49999999999999994, because it was added up from
//! rounded parts. So no measure is compared with `<` or `==`: its [`Approximation`] is, and this
//! file alone defines which numbers are equal.
//!
//! # The bound
//!
//! A chance is a sum of products of chances that are not negative, so every rounding on the way is
//! relative and the relative errors only add up: after n of them the error is at most n · 2⁻⁵³ of
//! the chance. They are counted while a distribution is solved
//! ([`RoundingErrorBound`](crate::exact::RoundingErrorBound)). For a mean with weights of both
//! signs the parts count by their size, before they cancel. The probability that is unfinished
//! after the last round is added, and so is the residual of solved loops.
//!
//! [`COMPUTED_RELATIVE_ERROR`] allows for 90 000 roundings. It is the error of numbers whose
//! roundings are not counted: simulated ones, where it is far below their intervals, tallies in
//! loops, and numbers from files of earlier versions.

use std::cmp::Ordering;

use dashu_int::{IBig, UBig};

use crate::exact::measure_fraction::FractionOrRoot;

/// Relative error of a number whose roundings were not counted.
pub const COMPUTED_RELATIVE_ERROR: f64 = 1e-11;

/// Largest relative error of a number that was rounded once.
const ROUNDED_RELATIVE_ERROR: f64 = f64::EPSILON / 2.0;

/// Computed number with a bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approximation {
    /// Computed value.
    pub value: f64,
    /// Largest distance from the true number; not negative.
    pub error: f64,
}

impl Approximation {
    /// Creates a number with its error.
    pub fn new(value: f64, error: f64) -> Approximation {
        Approximation { value, error }
    }

    /// Creates a number that was rounded many times, never at a size larger than its own.
    pub fn from_accumulated_rounding(value: f64) -> Approximation {
        Approximation::new(value, COMPUTED_RELATIVE_ERROR * value.abs())
    }

    /// Creates a number that was rounded once: a number from a file, or a fraction as a number of
    /// 64 bits.
    pub fn from_rounded(value: f64) -> Approximation {
        Approximation::new(value, ROUNDED_RELATIVE_ERROR * value.abs())
    }

    /// Compares two numbers. Numbers whose error intervals overlap are equal.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use enfilade_engine::exact::approximation::Approximation;
    /// let half = Approximation::from_accumulated_rounding(0.49999999999999994);
    /// assert_eq!(half.compare_overlapping_as_equal(Approximation::from_rounded(0.5)), Ordering::Equal);
    /// assert_eq!(half.compare_overlapping_as_equal(Approximation::from_rounded(0.501)), Ordering::Less);
    /// ```
    pub fn compare_overlapping_as_equal(self, other: Approximation) -> Ordering {
        let distance = self.value - other.value;
        match distance.abs() <= self.error + other.error {
            // Of infinities only the sign is determined.
            true => Ordering::Equal,
            false => self.value.partial_cmp(&other.value).unwrap_or(Ordering::Equal),
        }
    }

    /// Returns whether this number is less than `other` or equal to it.
    pub fn is_at_most_within_error(self, other: Approximation) -> bool {
        self.compare_overlapping_as_equal(other).is_le()
    }

    /// Returns whether this number is more than `other` or equal to it.
    pub fn is_at_least_within_error(self, other: Approximation) -> bool {
        self.compare_overlapping_as_equal(other).is_ge()
    }

    /// Returns whether an exact number is at most the error away from the value, without rounding.
    ///
    /// ```
    /// use enfilade_engine::exact::approximation::Approximation;
    /// use enfilade_engine::exact::measure_fraction::FractionOrRoot;
    /// let third = FractionOrRoot::from_fraction(1.into(), 3u8.into());
    /// assert!(Approximation::from_rounded(1.0 / 3.0).contains_exact_number(&third));
    /// assert!(!Approximation::new(1.0 / 3.0, 0.0).contains_exact_number(&third));
    /// ```
    pub fn contains_exact_number(self, exact: &FractionOrRoot) -> bool {
        if !(self.value.is_finite() && self.error.is_finite()) {
            return true;
        }
        let [value, error] = [self.value, self.error].map(scale_by_two_to_1074);
        let (low, high) = (&value - &error, value + error);
        match exact {
            FractionOrRoot::Fraction(numerator, denominator) => {
                let exact = numerator.clone() << BITS_BELOW_POINT;
                let denominator = IBig::from(denominator.clone());
                low * &denominator <= exact && exact <= high * denominator
            }
            FractionOrRoot::Root(numerator, denominator) => {
                let exact = IBig::from(numerator.clone()) << (2 * BITS_BELOW_POINT);
                let denominator = IBig::from(denominator.clone());
                let is_below = low <= IBig::ZERO || &low * &low * &denominator <= exact;
                is_below && high >= IBig::ZERO && exact <= &high * &high * denominator
            }
        }
    }

    /// Returns the number to sort by: without its last digits, so that numbers that compare as
    /// equal have equal keys. Returns `None` if the error spans the boundary of two keys.
    ///
    /// Unlike [`compare_overlapping_as_equal`](Approximation::compare_overlapping_as_equal), keys
    /// are transitive.
    pub fn sorting_key_if_certain(self) -> Option<f64> {
        let ends = [self.value - self.error, self.value + self.error];
        let [low, high] = ends.map(round_to_sorting_key);
        if ends[0] <= 0.0 && ends[1] >= 0.0 {
            return Some(0.0);
        }
        (low == high).then_some(low)
    }

    /// Returns the number to sort by; the nearest key if the error spans two of them.
    pub fn nearest_sorting_key(self) -> f64 {
        self.sorting_key_if_certain().unwrap_or_else(|| round_to_sorting_key(self.value))
    }
}

/// Number of bits below the point that every `f64` fits into.
const BITS_BELOW_POINT: usize = 1074;

/// Returns a finite number times 2¹⁰⁷⁴, which is whole.
fn scale_by_two_to_1074(number: f64) -> IBig {
    let bits = number.to_bits();
    let (exponent, fraction) = ((bits >> 52) & 0x7ff, bits & ((1 << 52) - 1));
    let size = match exponent {
        0 => UBig::from(fraction),
        _ => UBig::from(fraction | 1 << 52) << (exponent as usize - 1),
    };
    if number < 0.0 { -IBig::from(size) } else { size.into() }
}

/// Mask of the last bits of a number, which a key omits: some twenty bounds wide, so that the error
/// of few numbers reaches over the boundary of their key.
const SORTING_KEY_MASK: u64 = 0xF_FFFF;

/// Rounds to 32 bits behind the first: some nine decimal digits.
fn round_to_sorting_key(value: f64) -> f64 {
    // Adding zero turns −0 into 0.
    f64::from_bits(((value + 0.0).to_bits() + SORTING_KEY_MASK / 2) & !SORTING_KEY_MASK)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbours of a number that sums of rounded parts may reach.
    fn around(value: f64) -> [f64; 5] {
        let step = |n: i64| f64::from_bits((value.to_bits() as i64 + n) as u64);
        [step(-4), step(-1), value, step(1), step(4)]
    }

    #[test]
    fn a_tie_is_a_tie_on_both_sides() {
        for (n, d) in [(1.0, 2.0), (1.0, 3.0), (31.0, 36.0), (-1.0, 3.0), (7.0, 2.0)] {
            let wanted = Approximation::from_rounded(n / d);
            for value in around(n / d) {
                let value = Approximation::from_accumulated_rounding(value);
                assert_eq!(value.compare_overlapping_as_equal(wanted), Ordering::Equal, "{n}/{d}");
                assert!(
                    value.is_at_least_within_error(wanted) && value.is_at_most_within_error(wanted)
                );
                assert_eq!(value.nearest_sorting_key(), wanted.nearest_sorting_key());
            }
        }
    }

    #[test]
    fn what_differs_by_more_than_the_bound_differs() {
        for scale in [1e-9, 1.0, 1e9] {
            let wanted = Approximation::from_rounded(0.5 * scale);
            let below = Approximation::from_accumulated_rounding(
                0.5 * scale * (1.0 - 3.0 * COMPUTED_RELATIVE_ERROR),
            );
            let above = Approximation::from_accumulated_rounding(
                0.5 * scale * (1.0 + 3.0 * COMPUTED_RELATIVE_ERROR),
            );
            assert_eq!(below.compare_overlapping_as_equal(wanted), Ordering::Less);
            assert_eq!(above.compare_overlapping_as_equal(wanted), Ordering::Greater);
            assert!(below.nearest_sorting_key() <= wanted.nearest_sorting_key());
        }
    }

    /// 10⁻¹⁵ is not 0: a chance has correct last digits however small it is.
    #[test]
    fn the_possible_is_more_than_nothing() {
        let nothing = Approximation::from_rounded(0.0);
        assert_eq!(
            Approximation::from_accumulated_rounding(1e-15).compare_overlapping_as_equal(nothing),
            Ordering::Greater
        );
        assert_eq!(
            Approximation::from_accumulated_rounding(0.0).compare_overlapping_as_equal(nothing),
            Ordering::Equal
        );
        assert_eq!(Approximation::new(-1e-17, 1e-16).sorting_key_if_certain(), Some(0.0));
        assert_eq!(
            Approximation::new(1e-15, 1e-16).compare_overlapping_as_equal(nothing),
            Ordering::Greater
        );
    }

    /// Halfway between two keys the key is undetermined, and a number that was rounded once nearly
    /// always has one.
    #[test]
    fn at_the_edge_of_two_keys_it_says_that_it_does_not_know() {
        let edge =
            f64::from_bits(0.3f64.to_bits() & !SORTING_KEY_MASK | SORTING_KEY_MASK.div_ceil(2));
        assert_eq!(Approximation::from_accumulated_rounding(edge).sorting_key_if_certain(), None);
        assert!(Approximation::from_accumulated_rounding(0.3).sorting_key_if_certain().is_some());
        let aside = f64::from_bits(edge.to_bits() + 4);
        assert!(Approximation::from_rounded(aside).sorting_key_if_certain().is_some());
    }

    #[test]
    fn numbers_are_scaled_without_rounding() {
        let one = IBig::ONE << BITS_BELOW_POINT;
        assert_eq!(scale_by_two_to_1074(1.0), one);
        assert_eq!(scale_by_two_to_1074(-0.75) * IBig::from(4), one * IBig::from(-3));
        assert_eq!(scale_by_two_to_1074(f64::from_bits(1)), IBig::ONE);
        assert_eq!(scale_by_two_to_1074(0.0), IBig::ZERO);
    }

    /// A third is not the nearest number, and no more than half a unit away from it.
    #[test]
    fn a_third_is_within_half_a_unit_and_not_within_a_tenth() {
        let third = FractionOrRoot::from_fraction(1.into(), 3u8.into());
        let within = |error| Approximation::new(1.0 / 3.0, error).contains_exact_number(&third);
        assert!(within(f64::EPSILON / 8.0) && !within(f64::EPSILON / 80.0) && !within(0.0));
        let root = FractionOrRoot::from_root(2u8.into(), 1u8.into());
        let within = |error| Approximation::new(2f64.sqrt(), error).contains_exact_number(&root);
        assert!(within(f64::EPSILON) && !within(0.0));
        let half = FractionOrRoot::from_fraction(1.into(), 2u8.into());
        assert!(Approximation::new(0.5, 0.0).contains_exact_number(&half));
    }
}
