//! Exact stage of a cell: its distribution, through the graph or by the frontier engine.

use std::sync::Arc;

use crate::error::StudyError;
use crate::experiment::GridCell;
use crate::search::comparison_edge::FRACTION_SOLVE_LIMITS;
use crate::solve::build_answer::ExactContestDistribution;
use crate::solve::errors::{counted_by_rounds_note, has_decisions, name_cell_of_error};
use crate::solve::forecast::{CostForecast, GraphOrFrontier};
use crate::solve::settings::{SolveObserver, SolverSettings};
use crate::solve::trial_pace;
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::error::SolveError;
use enfilade_engine::exact::{
    self, Distribution, DistributionWithoutGraph, IntegerEndingWeights, solve_without_graph,
};
use enfilade_engine::frontier::{FrontierLimits, FrontierWorkAmount};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_model::combat::{Ending, MeasureHead};
use enfilade_model::error::TooManyStatesOrDice;

/// Contest with its exact distribution.
pub(crate) struct ExactSolution {
    method: ExactMethodUsed,
    /// Distribution.
    law: Distribution,
    weights: Option<IntegerEndingWeights>,
    /// Remark for the reader on the way in which it was solved.
    remark: Option<String>,
}

/// Method that solved an exact distribution.
enum ExactMethodUsed {
    /// Through the graph.
    Graph(Arc<DieGraph>),
    /// By the frontier engine, because the graph would be too large: with these endings.
    Frontier(Vec<Ending>, FrontierWorkAmount),
}

/// Result of the exact stage.
pub(crate) enum ExactStageResult {
    /// Solved.
    Exactly(Box<ExactSolution>),
    /// Too large for a graph.
    Large(TooManyStatesOrDice),
    /// Too large, or to be played without a graph.
    Nothing(TooManyStatesOrDice),
    /// Cancelled.
    Stopped,
}

/// Largest number of states of a graph where the frontier engine can replace it: it is as exact and
/// by then at least as fast, and a failed attempt is soon over.
const MAX_GRAPH_FIRST_STATES: usize = 1 << 17;

/// Default for the largest number of states of the graph of a contest that may never end: the
/// frontier engine would count its rounds.
const MAX_ENDLESS_GRAPH_STATES: usize = 1 << 22;

/// Returns the limits of the graph. Fractions and decisions need a graph, and so does a contest
/// that is played and needs an exact distribution beside it.
fn graph_size_limits(cell: &GridCell, settings: &SolverSettings) -> CompiledContestLimits {
    let largest = CompiledContestLimits::default();
    if settings.fractions || settings.played || has_decisions(cell) {
        return largest;
    }
    CompiledContestLimits {
        states: MAX_GRAPH_FIRST_STATES,
        endless: settings.states.unwrap_or(MAX_ENDLESS_GRAPH_STATES),
        ..largest
    }
}

/// Number of face sequences of a graph that is compiled without notifying the observer: some tenths
/// of a second.
const MAX_UNREPORTED_SEQUENCES: usize = 100_000;

/// Compiles the graph of a cell. If that takes long, the observer is notified and the little work
/// before is repeated: nothing but the notice depends on it.
fn compile_graph_of_cell(
    cell: &GridCell,
    limits: &CompiledContestLimits,
    watch: &dyn SolveObserver,
) -> Result<Arc<DieGraph>, SolveError> {
    let (combat, halt) = (&cell.played.combat, watch.cancel_token());
    if watch.needs_forecast() {
        let few = CompiledContestLimits { sequences: MAX_UNREPORTED_SEQUENCES, ..*limits };
        match DieGraph::compile_or_share_same_graph(combat, &few, halt) {
            Err(SolveError::TooLarge(refusal)) if refusal.limit == MAX_UNREPORTED_SEQUENCES => {}
            found => return found,
        }
        watch.note_long_cell(cell, &|| forecast_exact_cell_cost(cell, limits, halt));
        halt.check_not_cancelled()?;
    }
    DieGraph::compile_or_share_same_graph(combat, limits, halt)
}

/// Forecasts the graph of a cell; if it will be too large, the part of it that is compiled and the
/// frontier after it.
fn forecast_exact_cell_cost(
    cell: &GridCell,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Option<CostForecast> {
    let graph = CostForecast::forecast_within_probe_time(cell, GraphOrFrontier::Graph, 0, halt);
    // Decisions need the graph, whatever its size.
    if has_decisions(cell)
        || graph.as_ref().is_some_and(|graph| graph.states <= limits.states as f64)
    {
        return graph;
    }
    let waves = CostForecast::forecast_within_probe_time(cell, GraphOrFrontier::Frontier, 0, halt)?;
    let seconds = seconds_of_graph_and_frontier(graph.as_ref(), &waves, limits.states as f64);
    Some(CostForecast { seconds, ..waves })
}

/// Returns the seconds of a graph that is compiled up to `most_states`, and of the frontier engine
/// after it unless the graph fits.
fn seconds_of_graph_and_frontier(
    graph: Option<&CostForecast>,
    waves: &CostForecast,
    most_states: f64,
) -> f64 {
    // If no smaller graph was finished in time, its cost is derived from that of the frontier
    // engine.
    let (states, seconds) = graph.map_or_else(
        || (waves.states, waves.seconds * GRAPH_TO_FRONTIER_SECONDS),
        |graph| (graph.states, graph.seconds),
    );
    let share = most_states / states;
    if share >= 1.0 { seconds } else { waves.seconds + seconds * share }
}

/// Seconds of a graph for each second of the frontier engine on the same contest; two to six were
/// measured.
const GRAPH_TO_FRONTIER_SECONDS: f64 = 3.0;

/// Returns whether a graph is solved in fractions within some milliseconds.
fn is_small_enough_for_fractions(graph: &DieGraph) -> bool {
    graph.reached_state_count() <= FRACTION_SOLVE_LIMITS.states
        && graph.dice_count() <= FRACTION_SOLVE_LIMITS.nodes
}

impl ExactSolution {
    /// Compiles a contest and solves its distribution.
    ///
    /// # Errors
    /// If a contest with decisions is too large, or the rule fails.
    pub(crate) fn compile_and_solve(
        cell: &GridCell,
        settings: &SolverSettings,
        watch: &dyn SolveObserver,
    ) -> Result<ExactStageResult, StudyError> {
        let halt = watch.cancel_token();
        let graph = match compile_graph_of_cell(cell, &graph_size_limits(cell, settings), watch) {
            Ok(graph) => graph,
            Err(SolveError::Cancelled) => return Ok(ExactStageResult::Stopped),
            Err(SolveError::TooLarge(refusal)) if !has_decisions(cell) => {
                return Ok(ExactStageResult::Large(refusal));
            }
            Err(why) => return Err(name_cell_of_error(cell, why)),
        };
        let mut law = trial_pace::solve_and_announce_slow_loops(cell, &graph, watch);
        if let Some(law) = &mut law {
            let heads = cell.played.combat.measures().iter().map(AsRef::as_ref);
            law.tally_figures = exact::tally_figures(&graph, heads, &law.probabilities, halt);
        }
        let weights = law.is_some()
            && (settings.fractions || settings.bounds && is_small_enough_for_fractions(&graph));
        let weights =
            weights.then(|| exact::solve_weights_unless_cancelled(&graph, halt)).flatten();
        let way = ExactMethodUsed::Graph(graph);
        // A cancellation after the distribution may have cut off the fractions, which would look as
        // if they had not been requested.
        Ok(match law.filter(|_| !halt.is_cancelled()) {
            Some(law) => {
                let solution = ExactSolution { method: way, law, weights, remark: None };
                ExactStageResult::Exactly(Box::new(solution))
            }
            None => ExactStageResult::Stopped,
        })
    }

    /// Solves the distribution of a contest without its graph, unless it is to be played.
    ///
    /// # Errors
    /// If only the exact distribution is requested and the contest is too large for it, or the rule
    /// fails.
    pub(crate) fn solve_by_frontier(
        cell: &GridCell,
        refusal: TooManyStatesOrDice,
        settings: &SolverSettings,
        watch: &dyn SolveObserver,
    ) -> Result<ExactStageResult, StudyError> {
        // A request for played trials gets no distribution here; the sentence on agreement explains
        // it.
        if settings.played {
            return Ok(ExactStageResult::Nothing(refusal));
        }
        // Only now, where minutes may follow: a forecast alone takes some tenths of a second.
        let trials = if settings.exact_only { 0 } else { settings.trials_by_settings_alone() };
        watch.note_long_cell(cell, &|| {
            CostForecast::forecast_within_probe_time(
                cell,
                GraphOrFrontier::Frontier,
                trials,
                watch.cancel_token(),
            )
        });
        let seen = |extent: &FrontierWorkAmount| {
            watch.note_frontier_advance(extent);
            true
        };
        let terms =
            FrontierLimits { states: settings.states, halt: watch.cancel_token(), on_step: &seen };
        match solve_without_graph(&cell.played.combat, &terms) {
            Ok(DistributionWithoutGraph { endings, law, extent }) => {
                let remark = counted_by_rounds_note(&refusal, law.unsettled);
                let method = ExactMethodUsed::Frontier(endings, extent);
                let solution = ExactSolution { method, law, weights: None, remark };
                Ok(ExactStageResult::Exactly(Box::new(solution)))
            }
            Err(SolveError::Cancelled) => Ok(ExactStageResult::Stopped),
            // It is simulated instead, with a note in every output.
            Err(SolveError::TooLarge(refusal)) if !settings.exact_only => {
                Ok(ExactStageResult::Nothing(refusal))
            }
            Err(why) => Err(name_cell_of_error(cell, why)),
        }
    }

    /// Returns the remark on the way in which it was solved, if there is one.
    pub(crate) fn remark(&self) -> Option<&String> {
        self.remark.as_ref()
    }

    /// Returns the endings, sorted by field values.
    fn sorted_endings(&self) -> &[Ending] {
        match &self.method {
            ExactMethodUsed::Graph(graph) => graph.endings(),
            ExactMethodUsed::Frontier(endings, _) => endings,
        }
    }

    /// Returns the number of states; without a graph, of states that were expanded.
    fn expanded_state_count(&self) -> usize {
        match &self.method {
            ExactMethodUsed::Graph(graph) => graph.reached_state_count(),
            ExactMethodUsed::Frontier(_, extent) => extent.expanded_states as usize,
        }
    }

    /// Returns the graph, if there is one.
    pub(crate) fn graph_if_compiled(&self) -> Option<&DieGraph> {
        match &self.method {
            ExactMethodUsed::Graph(graph) => Some(graph),
            ExactMethodUsed::Frontier(..) => None,
        }
    }

    /// Returns the exact value of the measure at `index`; `None` if the distribution does not
    /// determine it.
    pub(crate) fn exact_measure_value(&self, index: usize, head: &MeasureHead) -> Option<f64> {
        self.law.measure_value(self.sorted_endings(), index, head)
    }

    /// Returns the probability that a trial counts for the measure at `index`: 1 without a
    /// condition.
    pub(crate) fn share_inside_condition(&self, index: usize, head: &MeasureHead) -> f64 {
        if !head.is_conditional() {
            return 1.0;
        }
        let all = self.sorted_endings().iter().zip(&self.law.probabilities);
        all.filter(|(ending, _)| head.includes_weight(ending.weights[index])).map(|(_, p)| p).sum()
    }

    /// Converts the solution to the values of an answer.
    pub(crate) fn into_exact_values(self) -> ExactContestDistribution {
        let (states, nodes) =
            (self.expanded_state_count(), self.graph_if_compiled().map(DieGraph::dice_count));
        let endings = match self.method {
            ExactMethodUsed::Graph(graph) => graph.endings().to_vec(),
            ExactMethodUsed::Frontier(endings, _) => endings,
        };
        ExactContestDistribution { endings, law: self.law, states, nodes, weights: self.weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part of the graph is compiled in that part of its time. One that was not tried takes three
    /// times as long as the frontier engine.
    #[test]
    fn the_frontier_comes_after_a_graph_that_does_not_fit() {
        let cost = |states: f64, seconds: f64| {
            let (held_states, fields, part, tried_states) = (states, Vec::new(), None, 0);
            CostForecast { states, held_states, seconds, fields, part, tried_states }
        };
        let waves = cost(1000.0, 10.0);
        let untried = |most_states| seconds_of_graph_and_frontier(None, &waves, most_states);
        assert_eq!([2000.0, 1000.0, 500.0].map(untried), [30.0, 30.0, 10.0 + 15.0]);
        let graph = cost(800.0, 40.0);
        let tried = |most_states| seconds_of_graph_and_frontier(Some(&graph), &waves, most_states);
        assert_eq!([800.0, 200.0].map(tried), [40.0, 10.0 + 10.0]);
    }
}
