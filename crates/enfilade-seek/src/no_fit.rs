//! Why nothing fits: the nearest design, and a smallest set of wants that cannot be met together.

use crate::design_join::{DesignJoin, PartSelection};
use crate::seek_design::{SeekDesign, build_design};
use crate::seek_question::SeekQuestion;
use crate::solved_grids::SolvedGrids;

/// The reason why nothing fits.
#[derive(Debug)]
pub struct NoFitReport {
    /// The design whose worst miss is least.
    pub nearest: Option<SeekDesign>,
    /// A want that no design meets alone, and the design that comes nearest to it.
    pub impossible: Option<(usize, SeekDesign)>,
    /// The range of the values of that want.
    pub reach: Option<ValueReach>,
    /// A condition without which the conditions leave designs, and the number of these designs.
    pub conditions: Option<(String, u64)>,
    /// Wants and conditions that cannot be met together; without any one of them the rest can.
    pub excluding: Vec<ExcludingPart>,
}

/// Position of all values of a quantity relative to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueReach {
    /// All of them below.
    Below,
    /// All of them above.
    Above,
    /// On both sides.
    Around,
}

/// One of the wants or conditions that exclude each other.
#[derive(Clone, Debug, PartialEq)]
pub struct ExcludingPart {
    /// Its text in the file.
    pub text: String,
    /// Whether the want is a condition between numbers.
    pub is_condition: bool,
    /// Designs that meet it alone.
    pub alone: u64,
    /// Designs that meet all the others of the set.
    pub without: u64,
}

/// Explains from the solved grids why nothing fits.
pub(crate) fn explain_no_fit(question: &SeekQuestion, known: &SolvedGrids) -> NoFitReport {
    let near = |selection: &PartSelection| {
        let near = DesignJoin::new(question, known, selection, &[]).find_nearest();
        near.map(|(_, _, values)| build_design(question, known, values))
    };
    let wants = question.wanted.wants.len();
    let impossible = (0..wants).find_map(|want| {
        let mut alone = PartSelection::select_none(question);
        alone.wants[want] = true;
        if has_design(question, known, &alone) {
            return None;
        }
        Some((want, near(&alone)?))
    });
    let reach = impossible.as_ref().map(|(want, _)| value_reach(question, known, *want));
    NoFitReport {
        nearest: near(&PartSelection::select_all(question)),
        impossible,
        reach,
        conditions: find_excluding_condition(question, known),
        excluding: find_excluding_parts(question, known),
    }
}

/// Finds the range of a want that no design meets.
fn value_reach(question: &SeekQuestion, known: &SolvedGrids, want: usize) -> ValueReach {
    let open = |_: usize| false;
    let design = vec![0; question.numbers.len()];
    let side = |part: &crate::wanted_cells::WantComparison| {
        let left = known.evaluate_partial_term(&part.left, &design, &open);
        let right = known.evaluate_right_side(&part.right, &design, &open);
        if left.hi < right.lo { -1 } else { i32::from(left.lo > right.hi) }
    };
    let parts = &question.wanted.wants[want].parts;
    match parts.iter().map(side).collect::<Vec<_>>().as_slice() {
        [-1] => ValueReach::Below,
        [1] => ValueReach::Above,
        _ => ValueReach::Around,
    }
}

/// Finds a condition without which the conditions leave designs, if all together leave none.
fn find_excluding_condition(question: &SeekQuestion, known: &SolvedGrids) -> Option<(String, u64)> {
    let mut all = PartSelection::select_none(question);
    all.conditions.fill(true);
    if question.conditions.is_empty() || has_design(question, known, &all) {
        return None;
    }
    (0..question.conditions.len()).rev().find_map(|at| {
        let mut without = all.clone();
        without.conditions[at] = false;
        let left = count_designs(question, known, &without);
        (left > 0).then(|| (question.conditions[at].text.clone(), left))
    })
}

/// Whether any design meets the selection.
fn has_design(question: &SeekQuestion, known: &SolvedGrids, selection: &PartSelection) -> bool {
    let mut any = false;
    DesignJoin::new(question, known, selection, &[]).visit_designs(&mut |_| {
        any = true;
        false
    });
    any
}

/// Counts the designs that meet the selection.
fn count_designs(question: &SeekQuestion, known: &SolvedGrids, selection: &PartSelection) -> u64 {
    let join = DesignJoin::new(question, known, selection, &[]);
    let (mut all, times) = (0_u64, join.designs_per_match());
    join.visit_designs(&mut |_| {
        all = all.saturating_add(times);
        true
    });
    all
}

/// Finds a smallest set of wants and conditions that cannot be met together: from the last to the
/// first, each is dropped if the rest still has no design.
fn find_excluding_parts(question: &SeekQuestion, known: &SolvedGrids) -> Vec<ExcludingPart> {
    let (wants, conditions) = (question.wanted.wants.len(), question.conditions.len());
    let mut set = PartSelection::select_all(question);
    if has_design(question, known, &set) {
        return Vec::new();
    }
    let all = wants + conditions;
    for at in (0..all).rev() {
        set.set_selected(at, false);
        if has_design(question, known, &set) {
            set.set_selected(at, true);
        }
    }
    (0..all)
        .filter(|at| set.is_selected(*at))
        .map(|at| describe_excluding(question, known, &set, at))
        .collect()
}

/// Describes one of a set that cannot be met together.
fn describe_excluding(
    question: &SeekQuestion,
    known: &SolvedGrids,
    set: &PartSelection,
    at: usize,
) -> ExcludingPart {
    let (mut alone, mut without) = (PartSelection::select_none(question), set.clone());
    alone.set_selected(at, true);
    without.set_selected(at, false);
    let wants = &question.wanted.wants;
    let text = match wants.get(at) {
        Some(want) => want.text.clone(),
        None => question.conditions[at - wants.len()].text.clone(),
    };
    ExcludingPart {
        text,
        is_condition: at >= wants.len(),
        alone: count_designs(question, known, &alone),
        without: count_designs(question, known, &without),
    }
}
