//! One design: a value for every number, and the values of the wants.

use crate::comparison_verdict::{ComparisonVerdict, TieNearOrOpenMark};
use crate::design_order::{count_changes, total_step_count};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::SolvedGrids;
use crate::wanted_cells::WantWithCells;

/// A design.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundDesign {
    /// By number: the place of its value.
    pub values: Vec<u16>,
    /// By want: its value in the design.
    pub reached: Vec<WantValueInDesign>,
    /// Number of changed numbers.
    pub changes: u64,
    /// Number of steps from the current numbers.
    pub steps: u64,
}

/// A want in a design.
#[derive(Clone, Debug, PartialEq)]
pub struct WantValueInDesign {
    /// The quantity; of several cells, that of the worst.
    pub value: f64,
    /// Whether the want is met.
    pub is_met: bool,
    /// Its position at the edge.
    pub mark: Option<TieNearOrOpenMark>,
    /// Its miss in tolerances.
    pub miss: f64,
    /// Its value less the target, in tolerances.
    pub distance: f64,
}

/// Builds a design with the values of its wants.
pub(crate) fn build_with_wants(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    values: Vec<u16>,
) -> FoundDesign {
    let wants = question.cells.wants.iter();
    FoundDesign {
        reached: wants.map(|want| worst_comparison_of_want(want, grids, &values)).collect(),
        changes: count_changes(&values, &question.numbers),
        steps: total_step_count(&values, &question.numbers),
        values,
    }
}

/// Evaluates a want in a design: the worst of its comparisons.
fn worst_comparison_of_want(
    want: &WantWithCells,
    grids: &SolvedGrids,
    values: &[u16],
) -> WantValueInDesign {
    let parts: Vec<_> =
        want.parts.iter().map(|part| grids.judge_comparison(part, values)).collect();
    let order = |a: &&ComparisonVerdict, b: &&ComparisonVerdict| {
        a.miss.total_cmp(&b.miss).then_with(|| b.value.total_cmp(&a.value))
    };
    let worst = parts.iter().max_by(order);
    WantValueInDesign {
        value: worst.map_or(f64::NAN, |worst| worst.value),
        is_met: parts.iter().all(|part| part.is_met),
        mark: parts.iter().filter_map(|part| part.mark).max(),
        miss: worst.map_or(0.0, |worst| worst.miss),
        distance: worst.map_or(f64::NAN, |worst| worst.distance),
    }
}
