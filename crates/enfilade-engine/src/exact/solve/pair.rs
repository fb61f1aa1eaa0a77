//! Numbers with twice the digits, as the sum of two floats, for checking a result (Dekker 1971).

use std::ops::{Add, Sub};

/// Number of some 106 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Pair {
    high: f64,
    low: f64,
}

impl Pair {
    pub(crate) const NOTHING: Pair = Pair { high: 0.0, low: 0.0 };

    pub(crate) fn of(value: f64) -> Pair {
        Pair { high: value, low: 0.0 }
    }

    /// Returns the sum of two numbers with its rounding error.
    fn sum(a: f64, b: f64) -> Pair {
        let high = a + b;
        let from_b = high - a;
        Pair { high, low: (a - (high - from_b)) + (b - from_b) }
    }

    /// Returns the product with `factor`, a whole number.
    pub(crate) fn times(self, factor: u8) -> Pair {
        let factor = f64::from(factor);
        let high = self.high * factor;
        Pair::sum(high, self.high.mul_add(factor, -high) + self.low * factor)
    }

    /// Returns the quotient by `divisor`, a whole number.
    pub(crate) fn over(self, divisor: u8) -> Pair {
        let divisor = f64::from(divisor);
        let high = self.high / divisor;
        let left = (-high).mul_add(divisor, self.high) + self.low;
        Pair::sum(high, left / divisor)
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

impl Add for Pair {
    type Output = Pair;

    fn add(self, other: Pair) -> Pair {
        let high = Pair::sum(self.high, other.high);
        let low = Pair::sum(self.low, other.low);
        let first = Pair::sum(high.high, high.low + low.high);
        Pair::sum(first.high, first.low + low.low)
    }
}

impl Sub for Pair {
    type Output = Pair;

    fn sub(self, other: Pair) -> Pair {
        self + Pair { high: -other.high, low: -other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_one_number_loses_are_kept() {
        let tiny = Pair::of(2f64.powi(-80));
        let sum = Pair::of(1.0) + tiny;
        assert_eq!((sum - Pair::of(1.0)).to_f64(), 2f64.powi(-80));
        let third = Pair::of(1.0).over(3);
        let gap = (third + third + third - Pair::of(1.0)).to_f64();
        assert!(gap.abs() < 1e-31, "{gap:e}");
        // 1/7 · 255 ÷ 255 is 1/7 again.
        let seventh = Pair::of(1.0).over(7);
        assert!((seventh.times(255).over(255) - seventh).to_f64().abs() < 1e-32);
        assert_eq!((sum - sum).to_f64(), 0.0);
    }
}
