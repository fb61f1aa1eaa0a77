//! Why nothing fits: the nearest design, and a smallest set of wants that cannot be met together.

use crate::bounds::Known;
use crate::design::{SeekDesign, design};
use crate::join::{Join, Selection};
use crate::question::SeekQuestion;

/// The reason why nothing fits.
#[derive(Debug)]
pub struct Missing {
    /// The design whose worst miss is least.
    pub nearest: Option<SeekDesign>,
    /// A want that no design meets alone, and the design that comes nearest to it.
    pub impossible: Option<(usize, SeekDesign)>,
    /// The range of the values of that want.
    pub reach: Option<Reach>,
    /// A condition without which the conditions leave designs, and the number of these designs.
    pub conditions: Option<(String, u64)>,
    /// Wants and conditions that cannot be met together; without any one of them the rest can.
    pub excluding: Vec<Excluding>,
}

/// Position of all values of a quantity relative to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// All of them below.
    Below,
    /// All of them above.
    Above,
    /// On both sides.
    Around,
}

/// One of the wants or conditions that exclude each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Excluding {
    /// Its text in the file.
    pub text: String,
    /// Whether it is a condition between numbers.
    pub is_condition: bool,
    /// Designs that meet it alone.
    pub alone: u64,
    /// Designs that meet all the others of the set.
    pub without: u64,
}

/// Explains from the solved grids why nothing fits.
pub(crate) fn missing(question: &SeekQuestion, known: &Known) -> Missing {
    let near = |selection: &Selection| {
        let near = Join::new(question, known, selection, &[]).nearest();
        near.map(|(_, _, values)| design(question, known, values))
    };
    let wants = question.wanted.wants.len();
    let impossible = (0..wants).find_map(|want| {
        let mut alone = Selection::none(question);
        alone.wants[want] = true;
        if fits(question, known, &alone) {
            return None;
        }
        Some((want, near(&alone)?))
    });
    let reach = impossible.as_ref().map(|(want, _)| reach(question, known, *want));
    Missing {
        nearest: near(&Selection::all(question)),
        impossible,
        reach,
        conditions: conditions_alone(question, known),
        excluding: excluding(question, known),
    }
}

/// Finds the range of a want that no design meets.
fn reach(question: &SeekQuestion, known: &Known, want: usize) -> Reach {
    let open = |_: usize| false;
    let design = vec![0; question.numbers.len()];
    let side = |part: &crate::wanted::Comparison| {
        let left = known.partial(&part.left, &design, &open);
        let right = known.right(&part.right, &design, &open);
        if left.hi < right.lo { -1 } else { i32::from(left.lo > right.hi) }
    };
    let parts = &question.wanted.wants[want].parts;
    match parts.iter().map(side).collect::<Vec<_>>().as_slice() {
        [-1] => Reach::Below,
        [1] => Reach::Above,
        _ => Reach::Around,
    }
}

/// Finds a condition without which the conditions leave designs, if all together leave none.
fn conditions_alone(question: &SeekQuestion, known: &Known) -> Option<(String, u64)> {
    let mut all = Selection::none(question);
    all.conditions.fill(true);
    if question.conditions.is_empty() || fits(question, known, &all) {
        return None;
    }
    (0..question.conditions.len()).rev().find_map(|at| {
        let mut without = all.clone();
        without.conditions[at] = false;
        let left = count(question, known, &without);
        (left > 0).then(|| (question.conditions[at].text.clone(), left))
    })
}

/// Whether any design meets the selection.
fn fits(question: &SeekQuestion, known: &Known, selection: &Selection) -> bool {
    let mut any = false;
    Join::new(question, known, selection, &[]).each(&mut |_| {
        any = true;
        false
    });
    any
}

/// Counts the designs that meet the selection.
fn count(question: &SeekQuestion, known: &Known, selection: &Selection) -> u64 {
    let join = Join::new(question, known, selection, &[]);
    let (mut all, times) = (0_u64, join.times());
    join.each(&mut |_| {
        all = all.saturating_add(times);
        true
    });
    all
}

/// Finds a smallest set of wants and conditions that cannot be met together: from the last to the
/// first, each is dropped if the rest still has no design.
fn excluding(question: &SeekQuestion, known: &Known) -> Vec<Excluding> {
    let (wants, conditions) = (question.wanted.wants.len(), question.conditions.len());
    let mut set = Selection::all(question);
    if fits(question, known, &set) {
        return Vec::new();
    }
    let all = wants + conditions;
    for at in (0..all).rev() {
        set.put(at, false);
        if fits(question, known, &set) {
            set.put(at, true);
        }
    }
    (0..all).filter(|at| set.has(*at)).map(|at| told(question, known, &set, at)).collect()
}

/// Describes one of a set that cannot be met together.
fn told(question: &SeekQuestion, known: &Known, set: &Selection, at: usize) -> Excluding {
    let (mut alone, mut without) = (Selection::none(question), set.clone());
    alone.put(at, true);
    without.put(at, false);
    let wants = &question.wanted.wants;
    let text = match wants.get(at) {
        Some(want) => want.text.clone(),
        None => question.conditions[at - wants.len()].text.clone(),
    };
    Excluding {
        text,
        is_condition: at >= wants.len(),
        alone: count(question, known, &alone),
        without: count(question, known, &without),
    }
}
