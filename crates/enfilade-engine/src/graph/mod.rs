//! Die graph: a contest as single dice, each with its faces grouped by target.
//!
//! [`DieGraph::compile_within`] compiles a combat in two passes. `replay` plays every step with every face of
//! every die and records a tree per state; `fold_futures` replaces states by their futures, so that
//! equal futures are one node and dice that change nothing vanish. The result is an acyclic graph
//! of nodes in topological order. A combat that can return to an earlier state also has *loop
//! heads*: vertices where trials wait for the next round.
//!
//! A decision is solved between the two passes (`decide`): after the second pass only the taken
//! option is left. A tally of a rule is a *tally node*: a node with one side, which every trial
//! passes and where it is counted.
//!
//! A combat of independent copies is compiled once for a single copy: see [`RepeatedCopies`].
//!
//! The graph contains neither rules nor randomness; the engines push probability or counts through
//! it.

mod condense;
mod die_graph;
mod explore;
mod fraction;
mod intern;
mod limits;
mod loop_number;
mod loop_reduction;
mod minimize;
mod node;
mod pool_nodes;
mod repeated_copies;
mod solve_decisions;
pub mod strategy;

use std::sync::Arc;

use indexmap::IndexSet;

use crate::cancel::{CancelToken, NEVER};
use crate::error::SolveError;
use enfilade_model::combat::{AnyCombat, Ending, FieldChange, StateNumbering};
use enfilade_model::state_hash::StateHasherBuilder;

pub(crate) use condense::{Condensation, VertexGroup};
#[cfg(feature = "trials")]
pub(crate) use die_graph::find_live_heads;
pub use die_graph::{DieGraph, RepeatedCopies};
pub(crate) use fraction::Fraction;
pub use limits::Limits;
pub(crate) use loop_number::{LoopArithmetic, MAX_BITS};
pub(crate) use loop_reduction::{
    EliminationStop, LoopElimination, LoopLinearSystem, move_inflow_to_remaining,
    solve_eliminated_visits,
};
pub use node::{Branch, Node, TallyNodeAmount, VertexId};
#[doc(hidden)]
pub use solve_decisions::solve_linear_program;

/// Largest number of states of a graph that is cached for the next contest: memory is for large
/// ones.
const MAX_SHARED_STATES: usize = 1 << 11;

fn compile_undivided(
    combat: &AnyCombat,
    limits: &Limits,
    halt: &CancelToken,
) -> Result<DieGraph, SolveError> {
    let mut states = combat.new_state_numbering();
    let mut transitions = explore_with_decisions(combat, &mut *states, limits, halt)?;
    if !transitions.choices.is_empty() {
        states.record_policy(solve_decisions::solve_decisions(&mut transitions, combat, halt)?);
    }
    let graph = minimize::minimize_graph(&transitions, limits, halt)?;
    Ok(DieGraph { counters: combat.counter_count(), ..graph })
}

/// Explores all states, and looks for cycles as decisions need it.
fn explore_with_decisions(
    combat: &AnyCombat,
    states: &mut dyn StateNumbering,
    limits: &Limits,
    halt: &CancelToken,
) -> Result<explore::TransitionSystem, SolveError> {
    explore::explore_all_states(combat, states, limits, &solve_decisions::has_cycle, halt)
}

/// Ending of a combat, and the changed fields of its contest.
pub type CombatResult = (Ending, Vec<FieldChange>);

/// Returns every way in which `combat` may end, each once, in order of first visit.
///
/// # Errors
/// In the cases of [`DieGraph::compile_within`].
pub fn list_possible_results(
    combat: &AnyCombat,
    limits: &Limits,
    halt: &CancelToken,
) -> Result<Vec<CombatResult>, SolveError> {
    let mut states = combat.new_state_numbering();
    let transitions = explore_with_decisions(combat, &mut *states, limits, halt)?;
    let ends = transitions
        .endings
        .into_iter()
        .map(|(ending, state)| (ending, states.changes_in_final_state(state)));
    let ends: IndexSet<CombatResult, StateHasherBuilder> = ends.collect();
    Ok(ends.into_iter().collect())
}

impl DieGraph {
    /// Compiles `combat`.
    ///
    /// # Errors
    /// If the combat exceeds one of the `limits`, or its rule fails while it is rolled.
    ///
    /// ```
    /// # use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, Vocabulary};
    /// # use enfilade_model::dice::Dice;
    /// use enfilade_engine::graph::{DieGraph, Limits};
    /// /// One d6 against a target number.
    /// struct Shot { needed: u8 }
    /// # impl Combat for Shot {
    /// #     type State = Option<bool>;
    /// #     type Outcome = bool;
    /// #     fn initial_state(&self) -> Option<bool> { None }
    /// #     fn step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> { Some(dice.die(6) >= self.needed) }
    /// #     fn outcome(&self, state: &Option<bool>) -> Option<bool> { *state }
    /// #     fn vocabulary(&self) -> Vocabulary<bool> {
    /// #         Vocabulary { fields: vec![OutcomeField::new("hit", "", |&o| o.into())], measures: vec![] }
    /// #     }
    /// # }
    /// let graph = DieGraph::compile_within(&AnyCombat::new(Shot { needed: 5 }), Limits::default())?;
    /// assert_eq!((graph.state_count(), graph.nodes().len()), (3, 1));
    /// # Ok::<(), enfilade_engine::error::SolveError>(())
    /// ```
    pub fn compile_within(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, SolveError> {
        DieGraph::compile(combat, &limits, &NEVER)
    }

    /// Compiles a combat like [`compile_within`](DieGraph::compile_within), with a token that cancels the work.
    ///
    /// # Errors
    /// If the contest has more states, nodes or sequences than `limits` allows, the rule fails
    /// while it is rolled, or `halt` was raised.
    pub fn compile(
        combat: &AnyCombat,
        limits: &Limits,
        halt: &CancelToken,
    ) -> Result<DieGraph, SolveError> {
        // The best decision for a copy is not the best for the whole.
        if combat.decisions().is_empty()
            && let Some(copies) = combat.copies()
        {
            let part = DieGraph::compile(&copies.one, limits, halt)?;
            // A copy that may never end has no distribution that could be repeated.
            if part.loop_heads().is_empty() {
                return repeated_copies::build_copies_graph(part, &copies, limits, halt);
            }
        }
        compile_undivided(combat, limits, halt)
    }

    /// Compiles a combat like [`compile`](DieGraph::compile); contests with the same [transition
    /// structure](AnyCombat::structure_cache_slot) share a small graph.
    ///
    /// # Errors
    /// In the cases of [`compile`](DieGraph::compile).
    pub fn compile_shared(
        combat: &AnyCombat,
        limits: &Limits,
        halt: &CancelToken,
    ) -> Result<Arc<DieGraph>, SolveError> {
        // No other contest shares it.
        let alike = combat.structure_cache_slot().filter(|alike| Arc::strong_count(alike) > 1);
        if let Some(graph) = alike.and_then(|alike| alike.get_stored::<DieGraph>())
            && graph.state_count() <= limits.states
        {
            return Ok(graph);
        }
        let graph = Arc::new(DieGraph::compile(combat, limits, halt)?);
        if let Some(alike) = alike.filter(|_| graph.state_count() <= MAX_SHARED_STATES) {
            alike.store_if_empty(&graph);
        }
        Ok(graph)
    }

    /// Compiles `combat` as a whole, also where it declares copies: this checks the declaration.
    ///
    /// # Errors
    /// In the cases of [`compile_within`](DieGraph::compile_within).
    pub fn from_whole_combat(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, SolveError> {
        compile_undivided(combat, &limits, &NEVER)
    }
}
