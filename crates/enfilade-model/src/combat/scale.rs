//! Exact factors and shares.

/// Exact factor, or exact share: `numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactRatio {
    /// Numerator, not negative.
    pub numerator: u32,
    /// Denominator, positive.
    pub denominator: u32,
}

impl ExactRatio {
    /// The factor one.
    pub const ONE: ExactRatio = ExactRatio { numerator: 1, denominator: 1 };

    /// Returns the factor as a floating-point number.
    pub fn to_f64(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}
