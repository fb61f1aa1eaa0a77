//! Die graph: a contest as single dice, each with its faces grouped by target.
//!
//! [`DieGraph::of`] compiles a combat in two passes. `replay` plays every step with every face of
//! every die and records a tree per state; `fold_futures` replaces states by their futures, so that
//! equal futures are one node and dice that change nothing vanish. The result is an acyclic graph
//! of nodes in topological order. A combat that can return to an earlier state also has *loop
//! heads*: vertices where trials wait for the next round.
//!
//! A decision is solved between the two passes (`decide`): after the second pass only the taken
//! option is left. A tally of a rule is a *tally node*: a node with one side, which every trial
//! passes and where it is counted.
//!
//! A combat of independent copies is compiled once for a single copy: see [`Repetition`].
//!
//! The graph contains neither rules nor randomness; the engines push probability or counts through
//! it.

mod condense;
mod die_graph;
mod explore;
mod fraction;
mod intern;
mod limits;
mod minimize;
mod node;
mod number;
mod reduce;
mod repeated_copies;
mod solve_decisions;
pub mod strategy;

use std::sync::Arc;

use indexmap::IndexSet;

use crate::cancel::{Halt, NEVER};
use enfilade_model::combat::{AnyCombat, Ending, Later};
use enfilade_model::error::Unsolved;
use enfilade_model::state_hash::BuildPacked;

pub(crate) use condense::{Condensed, Group};
#[cfg(feature = "trials")]
pub(crate) use die_graph::ports_that_end;
pub use die_graph::{DieGraph, Repetition};
pub(crate) use fraction::Fraction;
pub use limits::Limits;
pub use node::{Branch, Node, Place, Toll};
pub(crate) use number::{MOST_BITS, Number};
pub(crate) use reduce::{Reduction, Stop, System, put_back, put_on};

/// Largest number of states of a graph that is cached for the next contest: memory is for large
/// ones.
const SHARED: usize = 1 << 11;

fn whole(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<DieGraph, Unsolved> {
    let mut states = combat.states();
    let mut told =
        explore::replay(combat, &mut *states, limits, &solve_decisions::goes_round, halt)?;
    if !told.choices.is_empty() {
        states.keep(solve_decisions::decide(&mut told, combat, halt)?);
    }
    let graph = minimize::fold_futures(&told, limits, halt)?;
    Ok(DieGraph { counters: combat.counters(), ..graph })
}

/// Ending of a combat, and the changed fields of its contest.
pub type Ended = (Ending, Vec<Later>);

/// Returns every way in which `combat` may end, each once, in order of first visit.
///
/// # Errors
/// In the cases of [`DieGraph::of`].
pub fn ends(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<Vec<Ended>, Unsolved> {
    let mut states = combat.states();
    let told = explore::replay(combat, &mut *states, limits, &solve_decisions::goes_round, halt)?;
    let ends = told.endings.into_iter().map(|(ending, state)| (ending, states.left(state)));
    let ends: IndexSet<Ended, BuildPacked> = ends.collect();
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
    /// #     fn open(&self) -> Option<bool> { None }
    /// #     fn step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> { Some(dice.die(6) >= self.needed) }
    /// #     fn outcome(&self, state: &Option<bool>) -> Option<bool> { *state }
    /// #     fn vocabulary(&self) -> Vocabulary<bool> {
    /// #         Vocabulary { fields: vec![OutcomeField::new("hit", "", |&o| o.into())], measures: vec![] }
    /// #     }
    /// # }
    /// let graph = DieGraph::of(&AnyCombat::new(Shot { needed: 5 }), Limits::default())?;
    /// assert_eq!((graph.states(), graph.nodes().len()), (3, 1));
    /// # Ok::<(), enfilade_model::error::Unsolved>(())
    /// ```
    pub fn of(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, Unsolved> {
        DieGraph::compile(combat, &limits, &NEVER)
    }

    /// Compiles a combat like [`of`](DieGraph::of), with a token that cancels the work.
    ///
    /// # Errors
    /// If the contest has more states, nodes or sequences than `limits` allows, the rule fails
    /// while it is rolled, or `halt` was raised.
    pub fn compile(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<DieGraph, Unsolved> {
        // The best decision for a copy is not the best for the whole.
        if combat.decisions().is_empty()
            && let Some(copies) = combat.copies()
        {
            let part = DieGraph::compile(&copies.one, limits, halt)?;
            // A copy that may never end has no distribution that could be repeated.
            if part.ports().is_empty() {
                return repeated_copies::repeated(part, &copies, limits, halt);
            }
        }
        whole(combat, limits, halt)
    }

    /// Compiles a combat like [`compile`](DieGraph::compile); contests with the same [transition
    /// structure](AnyCombat::alike) share a small graph.
    ///
    /// # Errors
    /// In the cases of [`compile`](DieGraph::compile).
    pub fn shared(
        combat: &AnyCombat,
        limits: &Limits,
        halt: &Halt,
    ) -> Result<Arc<DieGraph>, Unsolved> {
        // No other contest shares it.
        let alike = combat.alike().filter(|alike| Arc::strong_count(alike) > 1);
        if let Some(graph) = alike.and_then(|alike| alike.made::<DieGraph>())
            && graph.states() <= limits.states
        {
            return Ok(graph);
        }
        let graph = Arc::new(DieGraph::compile(combat, limits, halt)?);
        if let Some(alike) = alike.filter(|_| graph.states() <= SHARED) {
            alike.keep(&graph);
        }
        Ok(graph)
    }

    /// Compiles `combat` as a whole, also where it declares copies: this checks the declaration.
    ///
    /// # Errors
    /// In the cases of [`of`](DieGraph::of).
    pub fn whole(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, Unsolved> {
        whole(combat, &limits, &NEVER)
    }
}
