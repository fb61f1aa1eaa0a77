//! Samples of a rulebook, walked and compiled.

use enfilade_engine::exact;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};

use super::play::samples;
use super::walk::count_fields_and_measures;

/// Checks that every sample has the same distribution, walked state by state and from its graph.
pub fn assert_walked_as_compiled(system: &str) {
    for (name, combat) in samples(system) {
        let law = count_fields_and_measures(&combat);
        let graph = DieGraph::compile_within_limits(&combat, CompiledContestLimits::default())
            .expect("samples are small");
        let weights = exact::solve_integer_weights(&graph).expect("samples end");
        for (ending, n) in graph.endings().iter().zip(&weights.numerators) {
            let row: Vec<i32> = ending.fields.iter().chain(&ending.weights).copied().collect();
            let expected = law.rows.get(&row).copied().unwrap_or(0);
            let (left, right) = (n * law.ways, &weights.denominator * expected);
            assert_eq!(left, right, "{name} {row:?}");
        }
    }
}
