//! Whether a comparison holds: less, equal or more, with the error of both sides.
//!
//! Equality comes from [`Approximation`](enfilade_engine::exact::approximation): within the bound
//! of their errors numbers are equal, so `<` and `>=` never both hold and never both fail.

use enfilade_engine::exact::approximation::BOUND;

use crate::bounds::{Known, Range};
use crate::want::Sign;
use crate::wanted::Comparison;

/// Position of a design at the edge of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// Equal to the last digit, by fractions.
    Tie,
    /// Equal within the bound of rounding.
    Near,
    /// Open: an uncertain value reaches over the edge.
    Open,
}

impl Mark {
    /// The sign that is printed.
    pub fn sign(self) -> &'static str {
        match self {
            Mark::Tie => "=",
            Mark::Near => "≈",
            Mark::Open => "?",
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Verdict {
    pub holds: bool,
    pub mark: Option<Mark>,
    /// The left side.
    pub value: f64,
    /// Distance from the target in tolerances; 0 if the comparison holds.
    pub miss: f64,
}

/// Distance of a comparison beyond its edge: the least possible, with the bound of the error and
/// the unit.
struct Excess {
    least: f64,
    error: f64,
    unit: f64,
}

fn excess(part: &Comparison, left: Range, right: Range) -> Excess {
    let size = right.lo.abs().max(right.hi.abs());
    let tolerance = if part.relative { part.tolerance * size } else { part.tolerance };
    let (below, above) = (left.lo - right.hi, right.lo - left.hi);
    let least = match part.sign {
        Sign::AtMost | Sign::Less => below,
        Sign::AtLeast | Sign::More => above,
        Sign::Equal => below.max(above).max(0.0),
    };
    let unit = match (tolerance > 0.0, part.is_share) {
        (true, _) => tolerance,
        (false, true) => 0.01,
        (false, false) => (0.01 * size).max(1e-6),
    };
    // The sum here adds one or two more roundings.
    let error = left.error + right.error + f64::EPSILON * (size + left.lo.abs() + tolerance);
    Excess { least: least - tolerance, error, unit }
}

impl Known {
    /// Whether a comparison may still hold for some values of the open numbers.
    pub fn may_hold(
        &self,
        part: &Comparison,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> bool {
        let left = self.partial(&part.left, design, is_fixed);
        let right = self.right(&part.right, design, is_fixed);
        if left.is_none() || right.is_none() {
            return false;
        }
        let Excess { least, error, .. } = excess(part, left, right);
        least <= error
    }

    /// The least miss of a comparison in tolerances, over all values of the open numbers.
    pub fn least_miss(
        &self,
        part: &Comparison,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> f64 {
        let left = self.partial(&part.left, design, is_fixed);
        let right = self.right(&part.right, design, is_fixed);
        if left.is_none() || right.is_none() {
            return f64::INFINITY;
        }
        let Excess { least, error, unit } = excess(part, left, right);
        if least <= error { 0.0 } else { least / unit }
    }

    /// Decides a comparison for a whole design.
    pub fn verdict(&self, part: &Comparison, design: &[u16]) -> Verdict {
        let left = self.term(&part.left, design);
        let right = self.right(&part.right, design, &|_| true);
        if left.is_none() || right.is_none() {
            return Verdict { holds: false, mark: None, value: f64::NAN, miss: f64::INFINITY };
        }
        let Excess { least, error, unit } = excess(part, left, right);
        let value = left.lo;
        if least < -error {
            return Verdict { holds: true, mark: None, value, miss: 0.0 };
        }
        if least > error {
            return Verdict { holds: false, mark: None, value, miss: least / unit };
        }
        let size = left.lo.abs().max(right.lo.abs()).max(1e-300);
        let mark = match error / size {
            exact if exact <= 8.0 * f64::EPSILON => Mark::Tie,
            open if open > 1000.0 * BOUND => Mark::Open,
            _ => Mark::Near,
        };
        let holds = mark == Mark::Open || !matches!(part.sign, Sign::Less | Sign::More);
        Verdict {
            holds,
            mark: Some(mark),
            value,
            miss: if holds { 0.0 } else { f64::MIN_POSITIVE },
        }
    }
}
