//! Why nothing fits: what comes nearest, and a smallest set of wants that cannot be together.

use crate::answer::{SeekDesign, design};
use crate::bounds::Known;
use crate::join::{Join, Selection};
use crate::question::SeekQuestion;

/// Why nothing fits.
#[derive(Debug)]
pub struct Missing {
    /// The design whose worst miss is least.
    pub nearest: Option<SeekDesign>,
    /// A want that no design meets alone, and the design that comes nearest to it.
    pub impossible: Option<(usize, SeekDesign)>,
    /// Wants and conditions that cannot be together, any of them left out can.
    pub excluding: Vec<Excluding>,
}

/// One of the wants or conditions that exclude each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Excluding {
    /// As it is written.
    pub text: String,
    /// Whether it is a condition between numbers.
    pub is_condition: bool,
    /// Designs that meet it alone.
    pub alone: u64,
    /// Designs that meet all the others of the set.
    pub without: u64,
}

/// Finds out why nothing fits, from the grids that are solved.
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
    Missing {
        nearest: near(&Selection::all(question)),
        impossible,
        excluding: excluding(question, known),
    }
}

/// Whether any design meets what is selected.
fn fits(question: &SeekQuestion, known: &Known, selection: &Selection) -> bool {
    let mut any = false;
    Join::new(question, known, selection, &[]).each(&mut |_| {
        any = true;
        false
    });
    any
}

/// How many designs meet what is selected.
fn count(question: &SeekQuestion, known: &Known, selection: &Selection) -> u64 {
    let join = Join::new(question, known, selection, &[]);
    let (mut all, times) = (0_u64, join.times());
    join.each(&mut |_| {
        all = all.saturating_add(times);
        true
    });
    all
}

/// Wants and conditions with none of which the others could be left as they are: from the last to the first, each is
/// dropped as long as what is left has no design.
fn excluding(question: &SeekQuestion, known: &Known) -> Vec<Excluding> {
    let (wants, conditions) = (question.wanted.wants.len(), question.conditions.len());
    let mut set = Selection::all(question);
    if fits(question, known, &set) {
        return Vec::new();
    }
    let place = |selection: &mut Selection, at: usize, on: bool| match at < wants {
        true => selection.wants[at] = on,
        false => selection.conditions[at - wants] = on,
    };
    for at in (0..wants + conditions).rev() {
        place(&mut set, at, false);
        if fits(question, known, &set) {
            place(&mut set, at, true);
        }
    }
    let in_set = |at: usize| match at < wants {
        true => set.wants[at],
        false => set.conditions[at - wants],
    };
    let told = (0..wants + conditions).filter(|at| in_set(*at)).map(|at| {
        let (mut alone, mut without) = (Selection::none(question), set.clone());
        place(&mut alone, at, true);
        place(&mut without, at, false);
        let text = match at < wants {
            true => question.wanted.wants[at].text.clone(),
            false => question.conditions[at - wants].text.clone(),
        };
        Excluding {
            text,
            is_condition: at >= wants,
            alone: count(question, known, &alone),
            without: count(question, known, &without),
        }
    });
    told.collect()
}
