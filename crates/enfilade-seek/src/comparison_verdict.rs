//! Whether a comparison holds: less, equal or more, with the error of both sides.
//!
//! Equality comes from [`Approximation`](enfilade_engine::exact::approximation): within the bound
//! of their errors numbers are equal, so `<` and `>=` never both hold and never both fail.

use enfilade_engine::exact::approximation::COMPUTED_RELATIVE_ERROR;

use crate::solved_grids::{QuantityBounds, SolvedGrids};
use crate::want::WantSign;
use crate::wanted_cells::WantComparisonOverCells;

/// Position of a design at the edge of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TieNearOrOpenMark {
    /// Equal to the last digit, by fractions.
    Tie,
    /// Equal within the bound of rounding.
    Near,
    /// Open: an uncertain value reaches over the edge.
    Open,
}

impl TieNearOrOpenMark {
    /// The sign that is printed.
    pub fn printed_sign(self) -> &'static str {
        match self {
            TieNearOrOpenMark::Tie => "=",
            TieNearOrOpenMark::Near => "≈",
            TieNearOrOpenMark::Open => "?",
        }
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ComparisonVerdict {
    pub is_met: bool,
    pub mark: Option<TieNearOrOpenMark>,
    /// The left side.
    pub value: f64,
    /// Distance from the target in tolerances; 0 if the comparison holds.
    pub miss: f64,
    /// The left side less the right one, in tolerances.
    pub distance: f64,
}

/// Distance of a comparison beyond its edge: the least possible, with the bound of the error and
/// the unit.
struct ComparisonEdgeDistance {
    least: f64,
    error: f64,
    unit: f64,
}

fn distance_beyond_edge(
    part: &WantComparisonOverCells,
    left: QuantityBounds,
    right: QuantityBounds,
) -> ComparisonEdgeDistance {
    let size = right.lo.abs().max(right.hi.abs());
    let tolerance = if part.relative { part.tolerance * size } else { part.tolerance };
    let (below, above) = (left.lo - right.hi, right.lo - left.hi);
    let least = match part.sign {
        WantSign::AtMost | WantSign::Less => below,
        WantSign::AtLeast | WantSign::More => above,
        WantSign::Equal => below.max(above).max(0.0),
    };
    let unit = match (tolerance > 0.0, part.is_share) {
        (true, _) => tolerance,
        (false, true) => 0.01,
        (false, false) => (0.01 * size).max(1e-6),
    };
    // The sum here adds one or two more roundings.
    let ends = [left.lo, left.hi].into_iter().filter(|end| end.is_finite());
    let scale = ends.map(f64::abs).fold(0.0, f64::max);
    let error = left.error + right.error + f64::EPSILON * (size + scale + tolerance);
    ComparisonEdgeDistance { least: least - tolerance, error, unit }
}

impl SolvedGrids {
    /// Whether the bounds of a design decide a comparison: it holds for all values between them, or
    /// for none.
    pub fn is_comparison_certain(&self, part: &WantComparisonOverCells, design: &[u16]) -> bool {
        let left = self.bounds_of_term_in_design(&part.left_side, design);
        let right = self.bounds_of_right_side(&part.right, design, &|_| true);
        if left.is_empty() || right.is_empty() {
            return true;
        }
        let ComparisonEdgeDistance { least, error, .. } = distance_beyond_edge(part, left, right);
        let (below, above) = (left.hi - right.lo, right.hi - left.lo);
        let most = match part.sign {
            WantSign::AtMost | WantSign::Less => below,
            WantSign::AtLeast | WantSign::More => above,
            WantSign::Equal => below.max(above),
        };
        let size = right.lo.abs().min(right.hi.abs());
        let tolerance = if part.relative { part.tolerance * size } else { part.tolerance };
        let is_solved = left.lo == left.hi && right.lo == right.hi;
        is_solved || least > error || most - tolerance < -error
    }

    /// The least miss of a comparison in tolerances, over all values of the open numbers.
    pub fn least_miss_over_open_numbers(
        &self,
        part: &WantComparisonOverCells,
        design: &[u16],
        is_fixed: &dyn Fn(usize) -> bool,
    ) -> f64 {
        let left = self.bounds_of_partly_fixed_term(&part.left_side, design, is_fixed);
        let right = self.bounds_of_right_side(&part.right, design, is_fixed);
        if left.is_empty() || right.is_empty() {
            return f64::INFINITY;
        }
        let ComparisonEdgeDistance { least, error, unit } = distance_beyond_edge(part, left, right);
        if least <= error { 0.0 } else { least / unit }
    }

    /// Decides a comparison for a whole design.
    pub fn judge_comparison(
        &self,
        part: &WantComparisonOverCells,
        design: &[u16],
    ) -> ComparisonVerdict {
        let left = self.bounds_of_term_in_design(&part.left_side, design);
        let right = self.bounds_of_right_side(&part.right, design, &|_| true);
        if left.is_empty() || right.is_empty() {
            return ComparisonVerdict {
                is_met: false,
                mark: None,
                value: f64::NAN,
                miss: f64::INFINITY,
                distance: f64::NAN,
            };
        }
        let ComparisonEdgeDistance { least, error, unit } = distance_beyond_edge(part, left, right);
        let (value, distance) = (left.lo, (left.lo - right.lo) / unit);
        if least < -error {
            return ComparisonVerdict { is_met: true, mark: None, value, miss: 0.0, distance };
        }
        if least > error {
            let miss = least / unit;
            return ComparisonVerdict { is_met: false, mark: None, value, miss, distance };
        }
        let size = left.lo.abs().max(right.lo.abs()).max(1e-300);
        let mark = match error / size {
            exact if exact <= 8.0 * f64::EPSILON => TieNearOrOpenMark::Tie,
            open if open > 1000.0 * COMPUTED_RELATIVE_ERROR => TieNearOrOpenMark::Open,
            _ => TieNearOrOpenMark::Near,
        };
        let is_met = mark == TieNearOrOpenMark::Open
            || !matches!(part.sign, WantSign::Less | WantSign::More);
        ComparisonVerdict {
            is_met,
            mark: Some(mark),
            value,
            miss: if is_met { 0.0 } else { f64::MIN_POSITIVE },
            distance,
        }
    }
}
