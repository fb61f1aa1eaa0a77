//! Bounds of errors against fractions, compared in whole numbers.

use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::exact::measure_fraction::FractionOrRoot;
use enfilade_engine::exact::{Distribution, IntegerEndingWeights, solve_integer_weights};
use enfilade_engine::graph::DieGraph;
use enfilade_model::combat::{AnyCombat, Ending};

use crate::frontier::{compile_and_solve, solve_by_frontier};

/// Checks that every chance and every measure of a contest is within its bound of the fraction,
/// from the graph and, if the contest must end, from the frontier engine. Returns the number of
/// comparisons; `None` if there are no fractions.
///
/// # Panics
/// If a bound is too small, or the contest is too large.
pub fn count_values_within_bounds(name: &str, combat: &AnyCombat) -> Option<usize> {
    let (graph, law) = compile_and_solve(combat);
    let weights = solve_integer_weights(&graph)?;
    let mut compared = count_within_bounds(name, combat, &graph, (graph.endings(), &law), &weights);
    let must_end = graph.next_vertex_by_loop_head().is_empty();
    if must_end && combat.decisions().is_empty() {
        let found = solve_by_frontier(combat);
        compared +=
            count_within_bounds(name, combat, &graph, (&found.endings, &found.law), &weights);
    }
    Some(compared)
}

fn count_within_bounds(
    name: &str,
    combat: &AnyCombat,
    graph: &DieGraph,
    (endings, law): (&[Ending], &Distribution),
    weights: &IntegerEndingWeights,
) -> usize {
    assert_eq!(endings, graph.endings(), "{name}");
    let check = |what: &str, found: Approximation, exact: &FractionOrRoot| {
        assert!(found.contains_exact_number(exact), "{name}: {what}: {found:?} and {exact}");
    };
    for (place, numerator) in weights.numerators.iter().enumerate() {
        let found = Approximation::new(law.probabilities[place], law.error_of_ending(place));
        let exact =
            FractionOrRoot::from_fraction(numerator.clone().into(), weights.denominator.clone());
        check("a chance", found, &exact);
    }
    let mut compared = endings.len();
    for (index, head) in combat.measures().iter().enumerate() {
        let found = law.measure_with_error_bound(endings, index, head);
        let exact = weights.exact_measure_fraction(endings, index, head);
        if let (Some(found), Some(exact)) = (found, exact) {
            check(&head.name, found, &exact);
            compared += 1;
        }
    }
    compared
}
