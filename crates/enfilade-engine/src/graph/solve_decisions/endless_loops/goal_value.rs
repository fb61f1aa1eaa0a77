//! Worth of a vertex: a fraction, or a number of 64 bits where fractions would be too long.

use std::cmp::Ordering;

use crate::graph::fraction::Fraction;
use crate::graph::loop_number::LoopSystemNumber;

/// Largest difference of equal options, as a share of the goal's span, where numbers are rounded.
const MAX_RELATIVE_TIE: f64 = 1.0 / (1u64 << 36) as f64;

/// Value of the goal: a fraction, or a number of 64 bits.
pub(super) trait GoalValueNumber: LoopSystemNumber {
    fn from_fraction(mean: &Fraction) -> Self;
    fn to_mean(&self, span: f64) -> Fraction;
    fn compare_with_tolerance(&self, other: &Self, span: f64) -> Ordering;
    fn to_f64(&self) -> f64;
}

impl GoalValueNumber for Fraction {
    fn from_fraction(mean: &Fraction) -> Fraction {
        mean.clone()
    }

    fn to_mean(&self, _: f64) -> Fraction {
        self.clone()
    }

    fn compare_with_tolerance(&self, other: &Fraction, _: f64) -> Ordering {
        self.cmp(other)
    }

    fn to_f64(&self) -> f64 {
        Fraction::to_f64(self)
    }
}

impl GoalValueNumber for f64 {
    fn from_fraction(mean: &Fraction) -> f64 {
        mean.to_f64()
    }

    /// Rounds to a part of the span, so that equal values stay equal for earlier decisions.
    fn to_mean(&self, span: f64) -> Fraction {
        Fraction::round_f64_to_binary_step(*self, span * MAX_RELATIVE_TIE)
    }

    fn compare_with_tolerance(&self, other: &f64, span: f64) -> Ordering {
        let apart = self - other;
        if apart.abs() <= span * MAX_RELATIVE_TIE { Ordering::Equal } else { apart.total_cmp(&0.0) }
    }

    fn to_f64(&self) -> f64 {
        *self
    }
}
