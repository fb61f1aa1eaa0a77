//! Die graph: a contest as single dice, each with its faces grouped by target.
//!
//! [`DieGraph::compile_within_limits`] compiles a combat in two passes. `replay` plays every step
//! with every face of every die and records a tree per state; `fold_futures` replaces states by
//! their futures, so that equal futures are one node and dice that change nothing vanish. The
//! result is an acyclic graph of nodes in topological order. A combat that can return to an earlier
//! state also has *loop heads*: vertices where trials wait for the next round.
//!
//! A decision is solved between the two passes (`decide`): after the second pass only the taken
//! option is left. A tally of a rule is a *tally node*: a node with one side, which every trial
//! passes and where it is counted.
//!
//! A combat of independent copies is compiled once for a single copy: see [`CopiedPartAndSums`].
//!
//! The graph contains neither rules nor randomness; the engines push probability or counts through
//! it.

mod compile_limits;
mod die_graph;
mod explore;
mod fraction;
mod loop_components;
mod loop_number;
mod loop_reduction;
mod minimize;
mod node;
mod node_interning;
mod pool_nodes;
mod pool_throw;
mod repeated_copies;
mod solve_decisions;
pub mod strategy;

use std::sync::Arc;

use indexmap::IndexSet;

use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::error::SolveError;
use enfilade_model::combat::{AnyCombat, Ending, FieldChange, StateNumbering};
use enfilade_model::state_hash::StateHasherBuilder;

pub use compile_limits::CompiledContestLimits;
#[cfg(feature = "trials")]
pub(crate) use die_graph::can_end_by_loop_head;
pub use die_graph::{CopiedPartAndSums, DieGraph};
pub(crate) use fraction::Fraction;
pub(crate) use loop_components::{Condensation, VertexGroup};
pub(crate) use loop_number::{LoopSystemNumber, MAX_FRACTION_BITS};
pub(crate) use loop_reduction::{
    EliminationStopReason, LoopElimination, LoopLinearSystem, move_inflow_to_remaining,
    solve_eliminated_visits,
};
pub use node::{DieOrTallyNode, FacesWithSameTarget, TallyNodeAmount, VertexId};
#[doc(hidden)]
pub use solve_decisions::hidden_choices::simplex::solve_linear_program;

/// Largest number of states of a graph that is cached for the next contest: memory is for large
/// ones.
const MAX_CACHED_GRAPH_STATES: usize = 1 << 11;

fn compile_single_combat(
    combat: &AnyCombat,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<DieGraph, SolveError> {
    let mut states = combat.new_state_numbering();
    let mut transitions = explore_with_decisions(combat, &mut *states, limits, halt)?;
    if !transitions.choices.is_empty() {
        states.record_chosen_options(solve_decisions::solve_and_prune_endings(
            &mut transitions,
            combat,
            halt,
        )?);
    }
    let graph = minimize::build_minimal_graph(&transitions, limits, halt)?;
    Ok(DieGraph { counters: combat.counter_count(), ..graph })
}

/// Explores all states, and looks for cycles as decisions need it.
fn explore_with_decisions(
    combat: &AnyCombat,
    states: &mut dyn StateNumbering,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<explore::TransitionSystem, SolveError> {
    let explored = explore::explore_all_states(
        combat,
        states,
        limits,
        &solve_decisions::transitions_contain_cycle,
        halt,
    );
    halt.note_explored_states(0);
    explored
}

/// Ending of a combat, and the changed fields of its contest.
pub type EndingWithChanges = (Ending, Vec<FieldChange>);

/// Returns every way in which `combat` may end, each once, in order of first visit.
///
/// # Errors
/// In the cases of [`DieGraph::compile_within_limits`].
pub fn list_possible_endings(
    combat: &AnyCombat,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<Vec<EndingWithChanges>, SolveError> {
    let mut states = combat.new_state_numbering();
    let transitions = explore_with_decisions(combat, &mut *states, limits, halt)?;
    let ends = transitions
        .endings
        .into_iter()
        .map(|(ending, state)| (ending, states.changes_in_final_state(state)));
    let ends: IndexSet<EndingWithChanges, StateHasherBuilder> = ends.collect();
    Ok(ends.into_iter().collect())
}

impl DieGraph {
    /// Compiles `combat`.
    ///
    /// # Errors
    /// If the combat exceeds one of the `limits`, or its rule fails while it is rolled.
    ///
    /// ```
    /// # use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
    /// # use enfilade_model::dice::Dice;
    /// use enfilade_engine::graph::{DieGraph, CompiledContestLimits};
    /// /// One d6 against a target number.
    /// struct Shot { needed: u8 }
    /// # impl Combat for Shot {
    /// #     type State = Option<bool>;
    /// #     type Outcome = bool;
    /// #     fn initial_state(&self) -> Option<bool> { None }
    /// #     fn play_one_step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> { Some(dice.die(6) >= self.needed) }
    /// #     fn outcome_if_over(&self, state: &Option<bool>) -> Option<bool> { *state }
    /// #     fn vocabulary(&self) -> OutcomeVocabulary<bool> {
    /// #         OutcomeVocabulary { fields: vec![OutcomeField::new("hit", "", |&o| o.into())], measures: vec![] }
    /// #     }
    /// # }
    /// let graph = DieGraph::compile_within_limits(&AnyCombat::new(Shot { needed: 5 }), CompiledContestLimits::default())?;
    /// assert_eq!((graph.reached_state_count(), graph.nodes().len()), (3, 1));
    /// # Ok::<(), enfilade_engine::error::SolveError>(())
    /// ```
    pub fn compile_within_limits(
        combat: &AnyCombat,
        limits: CompiledContestLimits,
    ) -> Result<DieGraph, SolveError> {
        DieGraph::compile_combat_or_cancel(combat, &limits, &NEVER_CANCELLED)
    }

    /// Compiles a combat like [`compile_within_limits`](DieGraph::compile_within_limits), with a
    /// token that cancels the work.
    ///
    /// # Errors
    /// If the contest has more states, nodes or sequences than `limits` allows, the rule fails
    /// while it is rolled, or `halt` was raised.
    pub fn compile_combat_or_cancel(
        combat: &AnyCombat,
        limits: &CompiledContestLimits,
        halt: &CancelToken,
    ) -> Result<DieGraph, SolveError> {
        // The best decision for a copy is not the best for the whole.
        if combat.decisions().is_empty()
            && let Some(copies) = combat.as_independent_copies()
        {
            let part = DieGraph::compile_combat_or_cancel(&copies.one, limits, halt)?;
            // A copy that may never end has no distribution that could be repeated.
            if part.next_vertex_by_loop_head().is_empty() {
                return repeated_copies::build_copies_graph(part, &copies, limits, halt);
            }
        }
        compile_single_combat(combat, limits, halt)
    }

    /// Compiles a combat like [`compile_combat_or_cancel`](DieGraph::compile_combat_or_cancel);
    /// contests with the same [transition structure](AnyCombat::structure_cache_slot) share a small
    /// graph.
    ///
    /// # Errors
    /// In the cases of [`compile_combat_or_cancel`](DieGraph::compile_combat_or_cancel).
    pub fn compile_or_share_same_graph(
        combat: &AnyCombat,
        limits: &CompiledContestLimits,
        halt: &CancelToken,
    ) -> Result<Arc<DieGraph>, SolveError> {
        // No other contest shares it.
        let alike = combat.structure_cache_slot().filter(|alike| Arc::strong_count(alike) > 1);
        if let Some(graph) = alike.and_then(|alike| alike.stored_value_of_type::<DieGraph>())
            && graph.reached_state_count() <= limits.states
        {
            return Ok(graph);
        }
        let graph = Arc::new(DieGraph::compile_combat_or_cancel(combat, limits, halt)?);
        if let Some(alike) =
            alike.filter(|_| graph.reached_state_count() <= MAX_CACHED_GRAPH_STATES)
        {
            alike.store_if_empty(&graph);
        }
        Ok(graph)
    }

    /// Compiles `combat` as a whole, also where it declares copies: this checks the declaration.
    ///
    /// # Errors
    /// In the cases of [`compile_within_limits`](DieGraph::compile_within_limits).
    pub fn compile_ignoring_copies(
        combat: &AnyCombat,
        limits: CompiledContestLimits,
    ) -> Result<DieGraph, SolveError> {
        compile_single_combat(combat, &limits, &NEVER_CANCELLED)
    }
}

#[cfg(test)]
#[path = "../../tests/by_hand/copied_volleys.rs"]
pub(crate) mod copied_volleys;
