//! Measures at the edge of a comparison, computed again in fractions.
//!
//! A value and a bound that are equal within the error of numbers of 64 bits may still differ. A
//! small contest is then solved in whole numbers, which takes some times as long as the first
//! solution, and only for the few cells at the edge.

use crate::answer::Answer;
use crate::experiment::GridCell;
use crate::search::MeasurableCell;
use crate::solve::build_answer::CellSolution;
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_engine::exact;
use enfilade_engine::exact::approximation::Approximation;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::AnyCombat;

/// Limits of contests that are solved in fractions: some milliseconds.
pub(crate) const FRACTION_SOLVE_LIMITS: CompiledContestLimits =
    CompiledContestLimits { states: 1 << 13, endless: 0, nodes: 1 << 15, sequences: 1 << 20 };

/// Computes a measure in fractions and rounds it once.
fn compute_measure_by_fractions(combat: &AnyCombat, measure: &str) -> Option<Approximation> {
    let mut heads = combat.measures().iter().enumerate();
    let (index, head) = heads.find(|(_, head)| head.name == measure)?;
    let graph =
        DieGraph::compile_or_share_same_graph(combat, &FRACTION_SOLVE_LIMITS, &NEVER_CANCELLED)
            .ok()?;
    let weights = exact::solve_integer_weights(&graph)?;
    let figure = weights.exact_measure_fraction(graph.endings(), index, head)?;
    Some(Approximation::from_rounded(figure.to_f64()))
}

impl MeasurableCell for Answer {
    fn measure_with_error(&self, measure: &str) -> Option<Approximation> {
        self.measure_answer_by_name(measure)?.best_value_with_error()
    }

    fn compute_measure_by_fractions(&self, measure: &str) -> Option<Approximation> {
        // A simulated value would differ from the fraction.
        self.measure_answer_by_name(measure)?.exact?;
        // An answer has every parameter of its contest, which is built again from them.
        let contest = self.action.build_contest(&self.params).ok()?;
        compute_measure_by_fractions(&contest.combat, measure)
    }
}

/// Cell with its contest and its solution.
pub(crate) struct SolvedCell<'a> {
    /// Cell.
    pub cell: &'a GridCell,
    /// Solution.
    pub solution: &'a CellSolution,
}

impl MeasurableCell for SolvedCell<'_> {
    fn measure_with_error(&self, measure: &str) -> Option<Approximation> {
        self.solution.exact_measure_with_error(self.cell, measure)
    }

    fn compute_measure_by_fractions(&self, measure: &str) -> Option<Approximation> {
        self.solution.exact.as_ref()?;
        compute_measure_by_fractions(&self.cell.played.combat, measure)
    }
}
