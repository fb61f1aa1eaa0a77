//! Fractions for decisions, so that equal options compare as equal.

use std::cmp::Ordering;
use std::ops::{Add, Mul};

use dashu_int::ops::{BitTest, Gcd};
use dashu_int::{IBig, Sign, UBig};

/// Fraction in lowest terms with a positive denominator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    count_above_in_registers: IBig,
    below: UBig,
}

impl Fraction {
    pub(crate) fn zero() -> Fraction {
        Fraction::from(0)
    }

    /// Creates `part` of `whole`, which is positive.
    pub(crate) fn ratio_of_u8(part: u8, whole: u8) -> Fraction {
        Fraction::new(part.into(), whole.into())
    }

    /// Creates `part` of `whole`, which is positive.
    pub(crate) fn ratio_of_u64(part: u64, whole: u64) -> Fraction {
        Fraction::new(part.into(), whole.into())
    }

    fn new(above: IBig, below: UBig) -> Fraction {
        let divisor = (&above).gcd(&below);
        if divisor == UBig::ONE {
            return Fraction { count_above_in_registers: above, below };
        }
        Fraction {
            count_above_in_registers: above / IBig::from(divisor.clone()),
            below: below / divisor,
        }
    }

    /// Returns 1 ÷ (1 − this) for less than 1; `None` for 1, a loop without an exit.
    pub(crate) fn one_over_one_minus(&self) -> Option<Fraction> {
        let left = IBig::from(self.below.clone()) - &self.count_above_in_registers;
        (left > IBig::ZERO).then(|| Fraction::new(self.below.clone().into(), left.into_parts().1))
    }

    /// Returns the quotient by `divisor`, which is positive.
    pub(crate) fn divide(&self, divisor: &Fraction) -> Fraction {
        let above = &self.count_above_in_registers * IBig::from(divisor.below.clone());
        let (_, below) =
            (&divisor.count_above_in_registers * IBig::from(self.below.clone())).into_parts();
        Fraction::new(above, below)
    }

    /// Returns the product with `part`.
    pub(crate) fn multiply_by_integer(&self, part: i64) -> Fraction {
        Fraction::new(&self.count_above_in_registers * IBig::from(part), self.below.clone())
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.count_above_in_registers == IBig::ZERO
    }

    /// Returns the nearest fraction to a number among the multiples of the power of two at or below
    /// `step`.
    pub(crate) fn round_f64_to_binary_step(value: f64, step: f64) -> Fraction {
        let bits = step.log2().floor() as i32;
        let parts = (value / 2f64.powi(bits)).round();
        let whole = Fraction::new(IBig::from(parts as i128), UBig::ONE);
        let power = UBig::ONE << bits.unsigned_abs() as usize;
        match bits < 0 {
            true => Fraction::new(whole.count_above_in_registers, power),
            false => Fraction::new(whole.count_above_in_registers * IBig::from(power), UBig::ONE),
        }
    }

    /// Returns numerator and denominator.
    pub(crate) fn as_parts(&self) -> (&IBig, &UBig) {
        (&self.count_above_in_registers, &self.below)
    }

    /// Returns the number of binary digits of the longer of numerator and denominator.
    pub(crate) fn bit_length_of_longer_part(&self) -> usize {
        self.count_above_in_registers.bit_len().max(self.below.bit_len())
    }

    /// Returns the nearest number of 64 bits, but for the last digit.
    pub(crate) fn to_f64(&self) -> f64 {
        let (sign, above) = self.count_above_in_registers.clone().into_parts();
        // The quotient keeps 64 bits and one more.
        let bits = |n: &UBig| n.bit_len() as i32;
        let up = 64 - (bits(&above) - bits(&self.below));
        let shift = up.unsigned_abs() as usize;
        let quotient = if up >= 0 {
            (above << shift) / &self.below
        } else {
            above / (self.below.clone() << shift)
        };
        let quotient = u128::try_from(quotient).map_or(f64::NAN, |quotient| quotient as f64);
        let size = quotient * 2f64.powi(-up);
        if sign == Sign::Negative { -size } else { size }
    }
}

impl From<i32> for Fraction {
    fn from(whole: i32) -> Fraction {
        Fraction { count_above_in_registers: whole.into(), below: UBig::ONE }
    }
}

impl Add for &Fraction {
    type Output = Fraction;

    fn add(self, other: &Fraction) -> Fraction {
        if self.below == other.below {
            return Fraction::new(
                &self.count_above_in_registers + &other.count_above_in_registers,
                self.below.clone(),
            );
        }
        let above = &self.count_above_in_registers * IBig::from(other.below.clone())
            + &other.count_above_in_registers * IBig::from(self.below.clone());
        Fraction::new(above, &self.below * &other.below)
    }
}

impl Mul for &Fraction {
    type Output = Fraction;

    fn mul(self, other: &Fraction) -> Fraction {
        Fraction::new(
            &self.count_above_in_registers * &other.count_above_in_registers,
            &self.below * &other.below,
        )
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let left = &self.count_above_in_registers * IBig::from(other.below.clone());
        left.cmp(&(&other.count_above_in_registers * IBig::from(self.below.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(above: i32, below: u32) -> Fraction {
        Fraction::new(above.into(), below.into())
    }

    #[test]
    fn sums_products_and_order_by_hand() {
        assert_eq!(&of(1, 6) + &of(1, 3), of(1, 2));
        assert_eq!(&of(-2, 3) * &of(3, 4), of(-1, 2));
        assert!(of(-1, 2) < of(1, 3) && of(2, 6) == of(1, 3));
        assert_eq!(of(5, 6).one_over_one_minus(), Some(of(6, 1)));
        assert_eq!(of(1, 1).one_over_one_minus(), None);
    }

    #[test]
    fn numbers_far_beyond_a_float_have_a_quotient() {
        let huge = |n: u32| UBig::from(6u8).pow(n as usize);
        let near = Fraction::new(huge(900).into(), huge(901));
        assert!((near.to_f64() - 1.0 / 6.0).abs() < 1e-16);
        let tenth = Fraction {
            count_above_in_registers: huge(500).into(),
            below: huge(500) * UBig::from(10u8),
        };
        assert!((tenth.to_f64() - 0.1).abs() < 1e-16);
        assert_eq!([of(-7, 2).to_f64(), of(0, 1).to_f64()], [-3.5, 0.0]);
        assert_eq!(Fraction::from(i32::MIN).to_f64(), f64::from(i32::MIN));
        // More digits above than below by 100: the quotient is cut, not extended.
        let power = Fraction::new(-(IBig::ONE << 100), UBig::ONE);
        assert_eq!(power.to_f64(), -(2f64.powi(100)));
        assert!(
            (Fraction::new(huge(50).into(), UBig::from(7u8)).to_f64() / (6f64.powi(50) / 7.0)
                - 1.0)
                .abs()
                < 1e-15
        );
    }
}
