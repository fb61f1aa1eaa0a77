//! Numbers with twice the digits, as the sum of two floats, for checking a result (Dekker 1971).

use std::ops::{Add, Sub};

/// Number of some 106 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DoubleDouble {
    high: f64,
    low: f64,
}

impl DoubleDouble {
    pub(crate) const ZERO: DoubleDouble = DoubleDouble { high: 0.0, low: 0.0 };

    pub(crate) fn from_f64(value: f64) -> DoubleDouble {
        DoubleDouble { high: value, low: 0.0 }
    }

    /// Returns the sum of two numbers with its rounding error.
    fn sum_with_error(a: f64, b: f64) -> DoubleDouble {
        let high = a + b;
        let from_b = high - a;
        DoubleDouble { high, low: (a - (high - from_b)) + (b - from_b) }
    }

    /// Returns the product with `factor`, a whole number.
    pub(crate) fn multiply_by_integer(self, factor: u8) -> DoubleDouble {
        let factor = f64::from(factor);
        let high = self.high * factor;
        DoubleDouble::sum_with_error(high, self.high.mul_add(factor, -high) + self.low * factor)
    }

    /// Returns the quotient by `divisor`, a whole number.
    pub(crate) fn divide_by_integer(self, divisor: u8) -> DoubleDouble {
        let divisor = f64::from(divisor);
        let high = self.high / divisor;
        let left = (-high).mul_add(divisor, self.high) + self.low;
        DoubleDouble::sum_with_error(high, left / divisor)
    }

    pub(crate) fn to_f64(self) -> f64 {
        self.high + self.low
    }
}

impl Add for DoubleDouble {
    type Output = DoubleDouble;

    fn add(self, other: DoubleDouble) -> DoubleDouble {
        let high = DoubleDouble::sum_with_error(self.high, other.high);
        let low = DoubleDouble::sum_with_error(self.low, other.low);
        let first = DoubleDouble::sum_with_error(high.high, high.low + low.high);
        DoubleDouble::sum_with_error(first.high, first.low + low.low)
    }
}

impl Sub for DoubleDouble {
    type Output = DoubleDouble;

    fn sub(self, other: DoubleDouble) -> DoubleDouble {
        self + DoubleDouble { high: -other.high, low: -other.low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_that_one_number_loses_are_kept() {
        let tiny = DoubleDouble::from_f64(2f64.powi(-80));
        let sum = DoubleDouble::from_f64(1.0) + tiny;
        assert_eq!((sum - DoubleDouble::from_f64(1.0)).to_f64(), 2f64.powi(-80));
        let third = DoubleDouble::from_f64(1.0).divide_by_integer(3);
        let gap = (third + third + third - DoubleDouble::from_f64(1.0)).to_f64();
        assert!(gap.abs() < 1e-31, "{gap:e}");
        // 1/7 · 255 ÷ 255 is 1/7 again.
        let seventh = DoubleDouble::from_f64(1.0).divide_by_integer(7);
        assert!(
            (seventh.multiply_by_integer(255).divide_by_integer(255) - seventh).to_f64().abs()
                < 1e-32
        );
        assert_eq!((sum - sum).to_f64(), 0.0);
    }
}
