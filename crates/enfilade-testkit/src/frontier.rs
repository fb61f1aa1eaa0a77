//! The frontier engine beside the die graph.

use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact::{self, Distribution, DistributionWithoutGraph, solve_without_graph};
use enfilade_engine::frontier::FrontierLimits;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;

/// No limit but memory, and nobody who watches.
pub fn unlimited_frontier() -> FrontierLimits<'static> {
    FrontierLimits { states: None, halt: &NEVER_CANCELLED, on_step: &|_| true }
}

/// The distribution by the frontier engine.
///
/// # Panics
/// If the contest is too large.
pub fn solve_by_frontier(combat: &AnyCombat) -> DistributionWithoutGraph {
    solve_without_graph(combat, &unlimited_frontier()).expect("small enough")
}

/// The graph of a contest and its distribution.
///
/// # Panics
/// If the contest is too large.
pub fn compile_and_solve(combat: &AnyCombat) -> (DieGraph, Distribution) {
    let graph = DieGraph::compile_within_limits(combat, CompiledContestLimits::default())
        .expect("within the limits");
    let law = exact::solve_graph_distribution(&graph);
    (graph, law)
}

/// Compares the frontier engine with the graph: the same endings, probabilities and moments, to a
/// relative 1e-12.
///
/// # Panics
/// If they differ.
pub fn assert_frontier_agrees(name: &str, combat: &AnyCombat) {
    let (graph, law) = compile_and_solve(combat);
    let found = solve_by_frontier(combat);
    assert_eq!(found.endings, graph.endings(), "{name}");
    let within = |a: f64, b: f64, of: f64| {
        assert!((a - b).abs() <= 1e-12 * of.max(1.0), "{name}: {a} {b}");
    };
    let near = |a: f64, b: f64| within(a, b, b.abs());
    let both = found.law.probabilities.iter().zip(&law.probabilities);
    both.for_each(|(&a, &b)| near(a, b));
    near(found.law.unsettled, law.unfinished_probability());
    assert_eq!(found.law.tallies.len(), law.tallies.len(), "{name}");
    for (a, b) in found.law.tallies.iter().zip(&law.tallies) {
        near(a.mean, b.mean);
        // It is what is left of two squares.
        within(a.variance, b.variance, b.variance + b.mean * b.mean);
    }
}
