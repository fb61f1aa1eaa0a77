//! Whether a price is right, too dear, too cheap, open, or none of one unit alone.
//!
//! Each verdict is a test. A price is *right* if the 90 % interval lies within the tolerance of it:
//! two one-sided tests at 5 % (Schuirmann 1987). It is *too dear* or *too cheap* if the 95 %
//! interval excludes it and the even price is off by more than the tolerance: a difference too
//! small to matter is not called wrong, however sure it is. Otherwise any price in the range plays
//! alike, and below [`MIN_OPPONENTS_TO_JUDGE`] opponents there are no verdicts.

use super::price_uncertainty::LogPriceUncertainty;
use enfilade_engine::exact::approximation::Approximation;

/// Default share by which a right price may be off.
pub const DEFAULT_PRICE_TOLERANCE: f64 = 0.25;

/// Opponents below which there are intervals and no verdicts.
pub const MIN_OPPONENTS_TO_JUDGE: usize = 3;

/// A verdict on a price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PriceVerdict {
    /// Within the tolerance of the even price.
    Right,
    /// Too high.
    TooDear,
    /// Too low.
    TooCheap,
    /// Neither is shown: any price in the range plays alike.
    Open,
    /// A price that is even against one opponent is not against another, and no evidence ends that.
    NoOnePrice,
}

impl PriceVerdict {
    /// Computes the verdict on a price whose log is off by `residual` from the even price.
    pub fn from_log_residual(
        residual: f64,
        doubt: &LogPriceUncertainty,
        tolerance: f64,
        opponents: usize,
    ) -> PriceVerdict {
        let off = residual.abs();
        let within = tolerance.ln_1p();
        if opponents < MIN_OPPONENTS_TO_JUDGE {
            PriceVerdict::Open
        } else if is_at_most_with_tolerance(off + doubt.half_width_with_miss_chance(0.10), within) {
            PriceVerdict::Right
        // A difference too small to matter is not called wrong, however sure it is.
        } else if is_at_most_with_tolerance(off, doubt.half_width_with_miss_chance(0.05))
            || is_at_most_with_tolerance(off, within)
        {
            PriceVerdict::Open
        } else if residual > 0.0 {
            PriceVerdict::TooDear
        } else {
            PriceVerdict::TooCheap
        }
    }

    /// `right`, `too dear`, `too cheap`, `open` or `no one price`.
    pub fn label_in_reports(self) -> &'static str {
        match self {
            PriceVerdict::Right => "right",
            PriceVerdict::TooDear => "too dear",
            PriceVerdict::TooCheap => "too cheap",
            PriceVerdict::Open => "open",
            PriceVerdict::NoOnePrice => "no one price",
        }
    }

    /// Whether the price is found wrong.
    pub fn is_price_wrong(self) -> bool {
        matches!(self, PriceVerdict::TooDear | PriceVerdict::TooCheap)
    }
}

/// Whether a number is at most another; a price that is off by exactly the tolerance is within it.
fn is_at_most_with_tolerance(a: f64, b: f64) -> bool {
    Approximation::from_accumulated_rounding(a)
        .is_at_most_within_error(Approximation::from_accumulated_rounding(b))
}

#[cfg(test)]
mod tests {
    use super::super::worth_pool::LogWorthWithUncertainty;
    use super::*;

    /// An uncertainty whose half widths are 1.96 and 1.645 times this.
    fn doubt(error: f64) -> LogPriceUncertainty {
        let df = f64::INFINITY;
        let known =
            LogWorthWithUncertainty { log: 0.0, variance: error * error, df, effects: Vec::new() };
        LogPriceUncertainty { factor: None, worth: known, concentration: 0.1 }
    }

    /// ln 1.25 is 0.2231.
    #[test]
    fn verdicts_are_tests() {
        let of = |residual: f64, error: f64| {
            PriceVerdict::from_log_residual(residual, &doubt(error), 0.25, 3)
        };
        // 1.645 · 0.1 = 0.1645.
        assert_eq!(of(0.05, 0.1), PriceVerdict::Right);
        assert_eq!(of(-0.05, 0.1), PriceVerdict::Right);
        assert_eq!(of(0.07, 0.1), PriceVerdict::Open);
        assert_eq!(of(0.21, 0.1), PriceVerdict::Open);
        assert_eq!(of(0.23, 0.1), PriceVerdict::TooDear);
        assert_eq!(of(-0.23, 0.1), PriceVerdict::TooCheap);
        assert_eq!(of(-0.23, 0.12), PriceVerdict::Open);
        // Off by 25 % to the last digit or two, up and down, and sure: within the tolerance.
        let edge = 0.25f64.ln_1p();
        for off in [edge, edge * (1.0 + 4.0 * f64::EPSILON), -edge * (1.0 + 4.0 * f64::EPSILON)] {
            assert_eq!(of(off, 1e-15), PriceVerdict::Right, "{off}");
        }
        assert_eq!(of(edge * (1.0 + 1e-9), 1e-15), PriceVerdict::TooDear);
        // Sure, and too small to matter.
        assert_eq!(of(0.2, 0.03), PriceVerdict::Open);
        assert_eq!(PriceVerdict::from_log_residual(2.0, &doubt(0.1), 0.25, 2), PriceVerdict::Open);
    }
}
