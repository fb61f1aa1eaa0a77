//! One design: a value for every number, and the values of the wants.

use crate::bounds::Known;
use crate::decide::{Mark, Verdict};
use crate::order::{changes, steps};
use crate::question::SeekQuestion;
use crate::wanted::ResolvedWant;

/// A design.
#[derive(Clone, Debug, PartialEq)]
pub struct SeekDesign {
    /// By number: the place of its value.
    pub values: Vec<u16>,
    /// By want: its value in the design.
    pub reached: Vec<Reached>,
    /// Number of changed numbers.
    pub changes: u64,
    /// Number of steps from the current numbers.
    pub steps: u64,
}

/// A want in a design.
#[derive(Clone, Debug, PartialEq)]
pub struct Reached {
    /// The quantity; of several cells, that of the worst.
    pub value: f64,
    /// Whether the want is met.
    pub holds: bool,
    /// Its position at the edge.
    pub mark: Option<Mark>,
    /// Its miss in tolerances.
    pub miss: f64,
}

/// Builds a design with the values of its wants.
pub(crate) fn design(question: &SeekQuestion, known: &Known, values: Vec<u16>) -> SeekDesign {
    let wants = question.wanted.wants.iter();
    SeekDesign {
        reached: wants.map(|want| reached(want, known, &values)).collect(),
        changes: changes(&values, &question.numbers),
        steps: steps(&values, &question.numbers),
        values,
    }
}

/// Evaluates a want in a design: the worst of its comparisons.
fn reached(want: &ResolvedWant, known: &Known, values: &[u16]) -> Reached {
    let parts: Vec<_> = want.parts.iter().map(|part| known.verdict(part, values)).collect();
    let order = |a: &&Verdict, b: &&Verdict| {
        a.miss.total_cmp(&b.miss).then_with(|| b.value.total_cmp(&a.value))
    };
    let worst = parts.iter().max_by(order);
    Reached {
        value: worst.map_or(f64::NAN, |worst| worst.value),
        holds: parts.iter().all(|part| part.holds),
        mark: parts.iter().filter_map(|part| part.mark).max(),
        miss: worst.map_or(0.0, |worst| worst.miss),
    }
}
