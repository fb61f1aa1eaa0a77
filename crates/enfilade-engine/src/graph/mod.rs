//! The die graph: a contest as single dice, each with its faces grouped by where they lead.
//!
//! [`DieGraph::of`] compiles a combat in two passes. `replay` plays every step with every face of
//! every die and records a tree per state; `fold_futures` replaces states by what follows from them, so
//! that equal futures are one node and dice that change nothing vanish. What is left is an acyclic
//! graph of nodes in topological order. A combat that can return to an earlier state has, besides,
//! *ports*: places where trials wait for the next round.
//!
//! A decision is decided between the two passes (`decide`): after the second there is only the way
//! that is taken. What a rule tallies is a *toll*: a node of one side, which every trial passes and
//! where it is counted.
//!
//! A combat of independent copies is compiled once for a single copy: see [`Repetition`].
//!
//! The graph knows neither rules nor randomness; the engines push mass or counts through it.

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

/// States of a graph that is kept for the next contest, at most: memory is for large ones.
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

/// How a combat ended, and what it leaves of its contest's fields.
pub type Ended = (Ending, Vec<Later>);

/// Every way in which `combat` may end, each once, in order of first sight.
///
/// # Errors
/// As [`DieGraph::of`].
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
    /// When it passes one of the `limits`, or goes wrong while it is rolled.
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

    /// As [`of`](DieGraph::of), unless somebody asks it to stop.
    ///
    /// # Errors
    /// When the contest has more states, nodes or sequences than `limits` allows, the rule goes
    /// wrong while it is rolled, or `halt` was asked.
    pub fn compile(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<DieGraph, Unsolved> {
        // What is best for a copy is not what is best for the whole.
        if combat.decisions().is_empty()
            && let Some(copies) = combat.copies()
        {
            let part = DieGraph::compile(&copies.one, limits, halt)?;
            // A copy that can go on for ever has no law that could be repeated.
            if part.ports().is_empty() {
                return repeated_copies::repeated(part, &copies, limits, halt);
            }
        }
        whole(combat, limits, halt)
    }

    /// As [`compile`](DieGraph::compile); contests that are [alike](AnyCombat::alike) share a small one.
    ///
    /// # Errors
    /// As for [`compile`](DieGraph::compile).
    pub fn shared(
        combat: &AnyCombat,
        limits: &Limits,
        halt: &Halt,
    ) -> Result<Arc<DieGraph>, Unsolved> {
        // Nobody else is there to share it with.
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

    /// Compiles `combat` as a whole, also where it declares to be made of copies: what it declares
    /// can be checked so.
    ///
    /// # Errors
    /// As for [`of`](DieGraph::of).
    pub fn whole(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, Unsolved> {
        whole(combat, &limits, &NEVER)
    }
}
