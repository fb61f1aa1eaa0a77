//! Arithmetic of loops: numbers of 64 bits, or fractions.

use super::fraction::Fraction;

/// Number of a loop's system. Subtraction is never needed.
pub(crate) trait LoopSystemNumber: Clone {
    fn zero() -> Self;
    /// Creates the share of `faces` faces of a die.
    fn from_faces(faces: u8, sides: u8) -> Self;
    /// Adds another number to this one.
    fn add(&mut self, other: &Self);
    fn product_with(&self, other: &Self) -> Self;
    fn divide(&self, divisor: &Self) -> Self;
    fn is_zero(&self) -> bool;
    /// Returns whether division by this number loses no digits, and whether it is short enough.
    fn can_divide_without_loss(&self) -> bool;
}

/// Least number of 64 bits by which products of two can still be divided: below it digits are lost.
const MIN_LOSSLESS_DIVISOR: f64 = 1e-290;

impl LoopSystemNumber for f64 {
    fn zero() -> f64 {
        0.0
    }

    fn from_faces(faces: u8, sides: u8) -> f64 {
        f64::from(faces) / f64::from(sides)
    }

    fn add(&mut self, other: &f64) {
        *self += other;
    }

    fn product_with(&self, other: &f64) -> f64 {
        self * other
    }

    fn divide(&self, divisor: &f64) -> f64 {
        self / divisor
    }

    fn is_zero(&self) -> bool {
        *self == 0.0
    }

    fn can_divide_without_loss(&self) -> bool {
        *self >= MIN_LOSSLESS_DIVISOR
    }
}

/// Largest number of binary digits of a fraction.
pub(crate) const MAX_FRACTION_BITS: usize = 4096;

impl LoopSystemNumber for Fraction {
    fn zero() -> Fraction {
        Fraction::zero()
    }

    fn from_faces(faces: u8, sides: u8) -> Fraction {
        Fraction::ratio_of_u8(faces, sides)
    }

    fn add(&mut self, other: &Fraction) {
        *self = &*self + other;
    }

    fn product_with(&self, other: &Fraction) -> Fraction {
        self * other
    }

    fn divide(&self, divisor: &Fraction) -> Fraction {
        Fraction::divide(self, divisor)
    }

    fn is_zero(&self) -> bool {
        self.is_zero()
    }

    fn can_divide_without_loss(&self) -> bool {
        !self.is_zero() && self.bit_length_of_longer_part() <= MAX_FRACTION_BITS
    }
}
