//! Why nothing fits: the nearest design, and a smallest set of wants that cannot be met together.

use crate::design_join::{DesignSearch, WantAndConditionMask};
use crate::scope_solver::SolvedScopes;
use crate::seek_design::{FoundDesign, build_with_wants};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::SolvedGrids;

/// The reason why nothing fits.
#[derive(Debug, Default)]
pub struct NoFitReport {
    /// The design whose worst miss is least.
    pub nearest: Option<FoundDesign>,
    /// A want that no design meets alone, and the design that comes nearest to it.
    pub impossible: Option<(usize, FoundDesign)>,
    /// The range of the values of that want.
    pub reach: Option<BelowOrAboveTarget>,
    /// A condition without which the conditions leave designs, and the number of these designs.
    pub conditions: Option<(String, u64)>,
    /// Wants and conditions that cannot be met together; without any one of them the rest can.
    pub excluding: Vec<ConflictingWantOrCondition>,
}

/// Position of all values of a quantity relative to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BelowOrAboveTarget {
    /// All of them below.
    Below,
    /// All of them above.
    Above,
    /// On both sides.
    Around,
}

/// One of the wants or conditions that exclude each other.
#[derive(Clone, Debug, PartialEq)]
pub struct ConflictingWantOrCondition {
    /// Its text in the file.
    pub text: String,
    /// Whether the want is a condition between numbers.
    pub is_condition: bool,
    /// Designs that meet it alone.
    pub alone: u64,
    /// Designs that meet all the others of the set.
    pub without: u64,
}

/// Explains from the solved grids why nothing fits. If some designs were not decided, only the
/// nearest of the others is known.
pub(crate) fn explain_no_fit(
    question: &SeekQuestion,
    known: &SolvedScopes,
    is_decided: bool,
) -> NoFitReport {
    let grids = &known.grids;
    let near = |selection: &WantAndConditionMask| {
        let join = DesignSearch::new(question, grids, selection, &[]);
        let near = join.min_miss_design_where(&|design| known.is_design_solved(design));
        near.map(|(_, _, values)| build_with_wants(question, grids, values))
    };
    if !is_decided {
        let nearest = near(&WantAndConditionMask::select_all(question));
        return NoFitReport { nearest, ..NoFitReport::default() };
    }
    let want_count = question.cells.wants.len();
    let impossible = (0..want_count).find_map(|want| {
        let mut alone = WantAndConditionMask::select_none(question);
        alone.wants[want] = true;
        if has_matching_design(question, grids, &alone) {
            return None;
        }
        Some((want, near(&alone)?))
    });
    let reach =
        impossible.as_ref().map(|(want, _)| side_of_reachable_values(question, grids, *want));
    NoFitReport {
        nearest: near(&WantAndConditionMask::select_all(question)),
        impossible,
        reach,
        conditions: find_condition_blocking_all(question, grids),
        excluding: find_excluding_parts(question, grids),
    }
}

/// Finds the range of a want that no design meets.
fn side_of_reachable_values(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    want: usize,
) -> BelowOrAboveTarget {
    let open = |_: usize| false;
    let design = vec![0; question.numbers.len()];
    let side = |part: &crate::wanted_cells::WantComparisonOverCells| {
        let left = grids.bounds_of_partly_fixed_term(&part.left_side, &design, &open);
        let right = grids.bounds_of_right_side(&part.right, &design, &open);
        if left.hi < right.lo { -1 } else { i32::from(left.lo > right.hi) }
    };
    let parts = &question.cells.wants[want].parts;
    match parts.iter().map(side).collect::<Vec<_>>().as_slice() {
        [-1] => BelowOrAboveTarget::Below,
        [1] => BelowOrAboveTarget::Above,
        _ => BelowOrAboveTarget::Around,
    }
}

/// Finds a condition without which the conditions leave designs, if all together leave none.
fn find_condition_blocking_all(
    question: &SeekQuestion,
    grids: &SolvedGrids,
) -> Option<(String, u64)> {
    let mut all = WantAndConditionMask::select_none(question);
    all.conditions.fill(true);
    if question.conditions.is_empty() || has_matching_design(question, grids, &all) {
        return None;
    }
    (0..question.conditions.len()).rev().find_map(|at| {
        let mut without = all.clone();
        without.conditions[at] = false;
        let left = count_matching_designs(question, grids, &without);
        (left > 0).then(|| (question.conditions[at].text.clone(), left))
    })
}

/// Whether any design meets the selection.
fn has_matching_design(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    selection: &WantAndConditionMask,
) -> bool {
    let mut any = false;
    DesignSearch::new(question, grids, selection, &[]).visit_fitting_designs(&mut |_| {
        any = true;
        false
    });
    any
}

/// Counts the designs that meet the selection.
fn count_matching_designs(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    selection: &WantAndConditionMask,
) -> u64 {
    let join = DesignSearch::new(question, grids, selection, &[]);
    let (mut all, times) = (0_u64, join.designs_per_solution());
    join.visit_fitting_designs(&mut |_| {
        all = all.saturating_add(times);
        true
    });
    all
}

/// Finds a smallest set of wants and conditions that cannot be met together: from the last to the
/// first, each is dropped if the rest still has no design.
fn find_excluding_parts(
    question: &SeekQuestion,
    grids: &SolvedGrids,
) -> Vec<ConflictingWantOrCondition> {
    let (want_count, conditions) = (question.cells.wants.len(), question.conditions.len());
    let mut set = WantAndConditionMask::select_all(question);
    if has_matching_design(question, grids, &set) {
        return Vec::new();
    }
    let all = want_count + conditions;
    for at in (0..all).rev() {
        set.set_want_or_condition_selected(at, false);
        if has_matching_design(question, grids, &set) {
            set.set_want_or_condition_selected(at, true);
        }
    }
    (0..all)
        .filter(|at| set.is_want_or_condition_selected(*at))
        .map(|at| conflict_with_design_counts(question, grids, &set, at))
        .collect()
}

/// Describes one of a set that cannot be met together.
fn conflict_with_design_counts(
    question: &SeekQuestion,
    grids: &SolvedGrids,
    set: &WantAndConditionMask,
    at: usize,
) -> ConflictingWantOrCondition {
    let (mut alone, mut without) = (WantAndConditionMask::select_none(question), set.clone());
    alone.set_want_or_condition_selected(at, true);
    without.set_want_or_condition_selected(at, false);
    let wants = &question.cells.wants;
    let text = match wants.get(at) {
        Some(want) => want.text.clone(),
        None => question.conditions[at - wants.len()].text.clone(),
    };
    ConflictingWantOrCondition {
        text,
        is_condition: at >= wants.len(),
        alone: count_matching_designs(question, grids, &alone),
        without: count_matching_designs(question, grids, &without),
    }
}
