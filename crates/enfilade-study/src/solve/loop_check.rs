//! Check of a distribution whose loops were solved, by other methods.

use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{Distribution, independent_check, solve_weights_unless_cancelled};
use enfilade_engine::graph::DieGraph;

/// Largest rounding error of the other methods.
const MAX_ROUNDING_ERROR: f64 = 1e-12;

/// Rounding error of doubled rounds for each loop vertex that a trial visits.
const MAX_ERROR_PER_VERTEX_VISIT: f64 = 1e-16;

/// Computes how far a distribution lies outside the ranges of the other methods: 0 within them.
/// Returns `None` for one without loops.
pub(crate) fn distance_outside_other_ranges(
    graph: &DieGraph,
    law: &Distribution,
    halt: &CancelToken,
) -> Option<f64> {
    if law.bound == 0.0 {
        return None;
    }
    let solved = || law.probabilities.iter();
    // Swept round by round: the finished part is final, and the rest may still end in any way.
    let (swept, open) = independent_check::solve_by_many_rounds(graph);
    let brackets = solved().zip(&swept);
    let mut beyond: Vec<f64> =
        brackets.map(|(p, least)| (least - p).max(p - least - open) - MAX_ROUNDING_ERROR).collect();
    let doubled = independent_check::solve_by_doubling_rounds(graph).unwrap_or_default();
    let off = MAX_ROUNDING_ERROR + MAX_ERROR_PER_VERTEX_VISIT * law.steps;
    beyond.extend(solved().zip(&doubled).map(|(p, other)| (p - other).abs() - off));
    if let Some(weights) = solve_weights_unless_cancelled(graph, halt) {
        let figure = |n| FractionOrRoot::from_fraction(n, weights.denominator.clone()).to_f64();
        let exact = weights.numerators.iter().map(|n| figure(n.clone().into()));
        let bound = |p: f64| law.bound + f64::EPSILON * p;
        beyond.extend(solved().zip(exact).map(|(p, exact)| (p - exact).abs() - bound(exact)));
    }
    Some(beyond.into_iter().fold(0.0, f64::max))
}
