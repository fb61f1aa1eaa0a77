//! Arithmetic of loops: numbers of 64 bits, or fractions.

use super::fraction::Fraction;

/// Number of a loop's system. Subtraction is never needed.
pub(crate) trait Number: Clone {
    fn nothing() -> Self;
    /// Creates the share of `faces` faces of a die.
    fn of(faces: u8, sides: u8) -> Self;
    /// Adds another number to this one.
    fn add(&mut self, other: &Self);
    fn times(&self, other: &Self) -> Self;
    fn over(&self, divisor: &Self) -> Self;
    fn is_nothing(&self) -> bool;
    /// Returns whether division by this number loses no digits, and whether it is short enough.
    fn divides(&self) -> bool;
}

/// Least number of 64 bits by which products of two can still be divided: below it digits are lost.
const LEAST: f64 = 1e-290;

impl Number for f64 {
    fn nothing() -> f64 {
        0.0
    }

    fn of(faces: u8, sides: u8) -> f64 {
        f64::from(faces) / f64::from(sides)
    }

    fn add(&mut self, other: &f64) {
        *self += other;
    }

    fn times(&self, other: &f64) -> f64 {
        self * other
    }

    fn over(&self, divisor: &f64) -> f64 {
        self / divisor
    }

    fn is_nothing(&self) -> bool {
        *self == 0.0
    }

    fn divides(&self) -> bool {
        *self >= LEAST
    }
}

/// Largest number of binary digits of a fraction.
pub(crate) const MOST_BITS: usize = 4096;

impl Number for Fraction {
    fn nothing() -> Fraction {
        Fraction::zero()
    }

    fn of(faces: u8, sides: u8) -> Fraction {
        Fraction::share(faces, sides)
    }

    fn add(&mut self, other: &Fraction) {
        *self = &*self + other;
    }

    fn times(&self, other: &Fraction) -> Fraction {
        self * other
    }

    fn over(&self, divisor: &Fraction) -> Fraction {
        Fraction::over(self, divisor)
    }

    fn is_nothing(&self) -> bool {
        self.is_zero()
    }

    fn divides(&self) -> bool {
        !self.is_zero() && self.bits() <= MOST_BITS
    }
}
