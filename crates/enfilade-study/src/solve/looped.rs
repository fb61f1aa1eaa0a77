//! Check of a distribution whose loops were solved, by other methods.

use enfilade_engine::cancel::Halt;
use enfilade_engine::exact::measure_fraction::Figure;
use enfilade_engine::exact::{Law, weights_unless, witness};
use enfilade_engine::graph::DieGraph;

/// Largest rounding error of the other methods.
const OFF: f64 = 1e-12;

/// Rounding error of doubled rounds for each loop vertex that a trial visits.
const OFF_A_STEP: f64 = 1e-16;

/// Computes how far a distribution lies outside the ranges of the other methods: 0 within them.
/// Returns `None` for one without loops.
pub(crate) fn beyond(graph: &DieGraph, law: &Law, halt: &Halt) -> Option<f64> {
    if law.bound == 0.0 {
        return None;
    }
    let solved = || law.probabilities.iter();
    // Swept round by round: the finished part is final, and the rest may still end in any way.
    let (swept, open) = witness::swept(graph);
    let brackets = solved().zip(&swept);
    let mut beyond: Vec<f64> =
        brackets.map(|(p, least)| (least - p).max(p - least - open) - OFF).collect();
    let doubled = witness::doubled(graph).unwrap_or_default();
    let off = OFF + OFF_A_STEP * law.steps;
    beyond.extend(solved().zip(&doubled).map(|(p, other)| (p - other).abs() - off));
    if let Some(weights) = weights_unless(graph, halt) {
        let figure = |n| Figure::fraction(n, weights.denominator.clone()).to_f64();
        let exact = weights.numerators.iter().map(|n| figure(n.clone().into()));
        let bound = |p: f64| law.bound + f64::EPSILON * p;
        beyond.extend(solved().zip(exact).map(|(p, exact)| (p - exact).abs() - bound(exact)));
    }
    Some(beyond.into_iter().fold(0.0, f64::max))
}
