//! Measures of a distribution in whole numbers.
//!
//! A distribution is passed as pairs of a weight and its numerator, in any order, where equal
//! weights may repeat; the numerators add up to the common denominator. Weights may be negative.

use std::fmt;

use dashu_int::ops::{BitTest, Gcd, SquareRoot};
use dashu_int::{IBig, Sign, UBig};

use enfilade_model::combat::{ExactRatio, MeasureHead, MeasureKind, OUTSIDE_CONDITION};

/// Exact number: a fraction in lowest terms, or an irrational root of one.
///
/// Displayed as `-3/2` or as `√(35/12)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FractionOrRoot {
    /// Returns numerator and denominator.
    Fraction(IBig, UBig),
    /// Numerator and denominator under the root.
    Root(UBig, UBig),
}

impl FractionOrRoot {
    /// Creates a fraction in lowest terms. The denominator must be positive.
    pub fn from_fraction(numerator: IBig, denominator: UBig) -> FractionOrRoot {
        let (sign, size) = numerator.into_parts();
        let (size, denominator) = reduce_fraction(size, denominator);
        FractionOrRoot::Fraction(IBig::from_parts(sign, size), denominator)
    }

    /// Creates the root of a fraction: a fraction itself where both terms are squares. The
    /// denominator must be positive.
    ///
    /// ```
    /// use enfilade_engine::exact::measure_fraction::FractionOrRoot;
    /// let root = |n: u8, d: u8| FractionOrRoot::from_root(n.into(), d.into()).to_string();
    /// assert_eq!((root(35, 12).as_str(), root(27, 12).as_str()), ("√(35/12)", "3/2"));
    /// ```
    pub fn from_root(numerator: UBig, denominator: UBig) -> FractionOrRoot {
        let (numerator, denominator) = reduce_fraction(numerator, denominator);
        match (root_of_perfect_square(&numerator), root_of_perfect_square(&denominator)) {
            (Some(n), Some(d)) => FractionOrRoot::Fraction(n.into(), d),
            _ => FractionOrRoot::Root(numerator, denominator),
        }
    }

    /// Returns the nearest number of 64 bits; for a root, the root of the nearest number.
    ///
    /// ```
    /// use enfilade_engine::exact::measure_fraction::FractionOrRoot;
    /// let third = FractionOrRoot::from_fraction(1.into(), 3u8.into());
    /// assert_eq!(third.to_f64(), 1.0 / 3.0);
    /// ```
    pub fn to_f64(&self) -> f64 {
        match self {
            FractionOrRoot::Fraction(numerator, denominator) => {
                let (sign, size) = numerator.clone().into_parts();
                let size = divide_to_f64(size, denominator.clone());
                if sign == Sign::Negative { -size } else { size }
            }
            FractionOrRoot::Root(numerator, denominator) => {
                divide_to_f64(numerator.clone(), denominator.clone()).sqrt()
            }
        }
    }
}

/// Divides to the nearest number of 64 bits.
fn divide_to_f64(numerator: UBig, denominator: UBig) -> f64 {
    if numerator.is_zero() {
        return 0.0;
    }
    // Shifted so that the whole quotient has 66 or 67 bits: more than a float stores.
    let shift = 66 + denominator.bit_len() as i64 - numerator.bit_len() as i64;
    let by = usize::try_from(shift.abs()).unwrap_or(usize::MAX);
    let (numerator, denominator) = match shift >= 0 {
        true => (numerator << by, denominator),
        false => (numerator, denominator << by),
    };
    let whole = &numerator / &denominator;
    let rest = numerator - &whole * denominator;
    let whole = u128::try_from(whole).unwrap_or(u128::MAX);
    // The remainder only decides between the two sides of a tie.
    let rounded = (whole | u128::from(!rest.is_zero())) as f64;
    // In two steps, because 2 to the whole exponent may be out of range where the quotient is not.
    let half = (-shift / 2) as i32;
    rounded * 2f64.powi(half) * 2f64.powi(-shift as i32 - half)
}

impl fmt::Display for FractionOrRoot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FractionOrRoot::Fraction(numerator, denominator) => {
                write!(f, "{numerator}/{denominator}")
            }
            FractionOrRoot::Root(numerator, denominator) => {
                write!(f, "√({numerator}/{denominator})")
            }
        }
    }
}

/// Reduces a fraction to lowest terms. The denominator must be positive.
pub fn reduce_fraction(numerator: UBig, denominator: UBig) -> (UBig, UBig) {
    let divisor = (&numerator).gcd(&denominator);
    (numerator / &divisor, denominator / divisor)
}

/// Returns the root of a square number; `None` for every other number.
fn root_of_perfect_square(square: &UBig) -> Option<UBig> {
    let root = square.sqrt();
    (&root * &root == *square).then_some(root)
}

/// Computes the value of a measure from the weights of the endings, in the unit of the measure.
///
/// `None` for a quantile that the numerators do not reach, though those of a whole law do; for a
/// condition that no ending meets; and for a tally: no law knows it.
pub fn compute_measure_fraction<'a>(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, &'a UBig)> + Clone,
    denominator: &UBig,
) -> Option<FractionOrRoot> {
    if !head.is_conditional() {
        return unconditional_fraction(head, law, denominator);
    }
    let law = law.filter(|(weight, _)| *weight != OUTSIDE_CONDITION);
    let ways: UBig = law.clone().map(|(_, ways)| ways).sum();
    if ways.is_zero() { None } else { unconditional_fraction(head, law, &ways) }
}

fn unconditional_fraction<'a>(
    head: &MeasureHead,
    law: impl Iterator<Item = (i32, &'a UBig)> + Clone,
    denominator: &UBig,
) -> Option<FractionOrRoot> {
    let (above, below) = (head.scale.numerator, head.scale.denominator);
    Some(match head.kind {
        MeasureKind::Event | MeasureKind::Mean => {
            let sum: IBig = law.map(|(weight, ways)| IBig::from(weight) * ways).sum();
            FractionOrRoot::from_fraction(sum * above, denominator * below)
        }
        MeasureKind::Deviation => {
            let (numerator, denominator) = compute_variance(law, denominator);
            let square = |side: u32| UBig::from(side).pow(2);
            FractionOrRoot::from_root(numerator * square(above), denominator * square(below))
        }
        MeasureKind::Quantile(share) => {
            let weight = weight_quantile(law, denominator, share)?;
            FractionOrRoot::from_fraction(IBig::from(weight) * above, below.into())
        }
        MeasureKind::Tally(_) | MeasureKind::Tallied(..) => return None,
    })
}

/// Computes the variance of the weight, in the square of its unit, as numerator and denominator in
/// lowest terms.
///
/// With the numerators nᵢ over N and the weights wᵢ it is (N·Σ wᵢ²nᵢ − (Σ wᵢnᵢ)²) ÷ N². Counting
/// from the least weight changes nothing and keeps every number positive.
pub fn compute_variance<'a>(
    law: impl Iterator<Item = (i32, &'a UBig)> + Clone,
    denominator: &UBig,
) -> (UBig, UBig) {
    let least = law.clone().map(|(weight, _)| weight).min().unwrap_or(0);
    let (mut sum, mut squares) = (UBig::ZERO, UBig::ZERO);
    for (weight, ways) in law {
        let weighted = ways * UBig::from(weight.abs_diff(least));
        squares += &weighted * UBig::from(weight.abs_diff(least));
        sum += weighted;
    }
    reduce_fraction(denominator * squares - &sum * &sum, denominator * denominator)
}

/// Returns the least possible weight at or below which the distribution has a probability of at
/// least `share`, above 0 and at most 1.
///
/// Returns `None` if the numerators do not reach the share.
pub fn weight_quantile<'a>(
    law: impl Iterator<Item = (i32, &'a UBig)>,
    denominator: &UBig,
    share: ExactRatio,
) -> Option<i32> {
    let mut possible: Vec<_> = law.filter(|(_, ways)| !ways.is_zero()).collect();
    possible.sort_unstable();
    let wanted = denominator * UBig::from(share.numerator);
    let mut reached = UBig::ZERO;
    let place = possible.iter().position(|(_, ways)| {
        reached += *ways * UBig::from(share.denominator);
        reached >= wanted
    });
    place.map(|at| possible[at].0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Distribution of n dice with `sides` sides: every throw is one row.
    fn throws(n: u32, sides: u8) -> Vec<(i32, UBig)> {
        let mut sums = vec![0];
        for _ in 0..n {
            let faces = |sum: i32| (1..=i32::from(sides)).map(move |face| sum + face);
            sums = sums.into_iter().flat_map(faces).collect();
        }
        sums.into_iter().map(|sum| (sum, UBig::ONE)).collect()
    }

    fn variance_of(law: &[(i32, UBig)]) -> (UBig, UBig) {
        let all = law.iter().map(|(_, ways)| ways).sum::<UBig>();
        compute_variance(law.iter().map(|(w, ways)| (*w, ways)), &all)
    }

    fn quantile_of(law: &[(i32, UBig)], (numerator, denominator): (u32, u32)) -> Option<i32> {
        let share = ExactRatio { numerator, denominator };
        let all = law.iter().map(|(_, ways)| ways).sum::<UBig>();
        weight_quantile(law.iter().map(|(w, ways)| (*w, ways)), &all, share)
    }

    fn ratio(numerator: u64, denominator: u64) -> (UBig, UBig) {
        (numerator.into(), denominator.into())
    }

    fn shown((numerator, denominator): (UBig, UBig)) -> String {
        FractionOrRoot::from_root(numerator, denominator).to_string()
    }

    #[test]
    fn dice_by_hand() {
        assert_eq!(variance_of(&throws(1, 6)), ratio(35, 12));
        assert_eq!(variance_of(&throws(2, 6)), ratio(35, 6));
        assert_eq!(variance_of(&throws(3, 6)), ratio(35, 4));
        assert_eq!(shown(variance_of(&throws(2, 6))), "√(35/6)");
        // A d2 deviates by a half, a d7 by √4.
        assert_eq!(shown(variance_of(&throws(1, 2))), "1/2");
        assert_eq!(shown(variance_of(&throws(1, 7))), "2/1");
        let d6 = throws(1, 6);
        let found = [(1, 2), (9, 10), (5, 6), (1, 100), (1, 1)].map(|q| quantile_of(&d6, q));
        assert_eq!(found, [3, 6, 5, 1, 6].map(Some));
    }

    /// 3 at odds of 1 to 3 against −1: mean 0, squares 9/4 and 3/4.
    #[test]
    fn weights_may_be_negative() {
        let law = [(3, UBig::from(10u8)), (-1, UBig::from(30u8))];
        assert_eq!(variance_of(&law), ratio(3, 1));
        assert_eq!(quantile_of(&law, (3, 4)), Some(-1));
        assert_eq!(quantile_of(&law, (76, 100)), Some(3));
        let ends = [(i32::MIN, UBig::ONE), (i32::MAX, UBig::ONE)];
        assert_eq!(shown(variance_of(&ends)), "4294967295/2");
    }

    #[test]
    fn a_constant_has_none() {
        let law = [(-7, UBig::from(10u8)), (-7, UBig::from(2u8)), (5, UBig::ZERO)];
        assert_eq!(shown(variance_of(&law)), "0/1");
        assert_eq!([(1, 2), (1, 1)].map(|q| quantile_of(&law, q)), [Some(-7); 2]);
    }

    /// The mean of squares about the mean, throw by throw, and the throw of the wanted rank.
    #[test]
    fn throws_one_by_one() {
        for (n, sides) in [(1, 4), (2, 3), (3, 6), (4, 4), (2, 20)] {
            let law = throws(n, sides);
            let all = law.len() as i64;
            let sum: i64 = law.iter().map(|(w, _)| i64::from(*w)).sum();
            let square = |(w, _): &(i32, UBig)| (i64::from(*w) * all - sum).pow(2);
            let squares: i64 = law.iter().map(square).sum();
            let (found, below) = variance_of(&law);
            assert_eq!(found * UBig::from(all.pow(3) as u64), below * UBig::from(squares as u64));
            let mut sorted: Vec<_> = law.iter().map(|(w, _)| *w).collect();
            sorted.sort_unstable();
            for percent in 1..=100 {
                let rank = (i64::from(percent) * all + 99) / 100;
                let expected = sorted[rank as usize - 1];
                assert_eq!(quantile_of(&law, (percent, 100)), Some(expected));
            }
        }
    }

    /// The other arithmetic is the oracle here, far beyond the range of `u128`.
    #[test]
    fn large_numerators_agree_with_floating_point() {
        let huge = UBig::from(6u8).pow(300);
        let law: Vec<_> = throws(2, 6).into_iter().map(|(w, ways)| (w, ways * &huge)).collect();
        assert_eq!(variance_of(&law), ratio(35, 6));
        assert_eq!(quantile_of(&law, (1, 2)), Some(7));
    }

    /// Every fraction of small whole numbers, which a processor divides to the nearest.
    #[test]
    fn the_nearest_number_is_found() {
        let huge = UBig::from(6u8).pow(400);
        for numerator in -40i32..=40 {
            for denominator in 1u32..=40 {
                let (n, d) = (IBig::from(numerator), UBig::from(denominator));
                let expected = f64::from(numerator) / f64::from(denominator);
                assert_eq!(FractionOrRoot::from_fraction(n.clone(), d.clone()).to_f64(), expected);
                // Not reduced, and far beyond 64 bits.
                let wide = FractionOrRoot::Fraction(n * IBig::from(huge.clone()), d * &huge);
                assert_eq!(wide.to_f64(), expected);
            }
        }
        let rare = FractionOrRoot::from_fraction(1.into(), UBig::from(2u8).pow(1000)).to_f64();
        assert_eq!(rare, 2f64.powi(-1000));
        // Halfway between two numbers and a little more: up.
        let above = (UBig::ONE << 200usize) + (UBig::ONE << 147usize) + UBig::ONE;
        let found = FractionOrRoot::from_fraction(above.into(), UBig::ONE << 200usize).to_f64();
        assert_eq!(found, 1.0 + f64::EPSILON);
        assert_eq!(
            FractionOrRoot::from_root(35u8.into(), 12u8.into()).to_f64(),
            (35.0f64 / 12.0).sqrt()
        );
    }

    #[test]
    fn figures_show_themselves() {
        let fraction =
            |n: i32, d: u32| FractionOrRoot::from_fraction(n.into(), d.into()).to_string();
        assert_eq!(fraction(-6, 4), "-3/2");
        assert_eq!([fraction(12, 6), fraction(0, 6)], ["2/1", "0/1"]);
        let root = |n: u8, d: u8| FractionOrRoot::from_root(n.into(), d.into()).to_string();
        assert_eq!([root(0, 9), root(8, 9)], ["0/1", "√(8/9)"]);
    }
}
