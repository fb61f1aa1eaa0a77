//! The die graph: a contest as single dice, each with its faces grouped by where they lead.
//!
//! [`DieGraph::of`] compiles a combat in two passes. `replay` plays every step with every face of
//! every die and records a tree per state; `settle` replaces states by what follows from them, so
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

mod decide;
mod fraction;
mod intern;
mod repeat;
mod replay;
mod settle;

use crate::combat::{AnyCombat, Ending};
use crate::error::Unsolved;
use crate::halt::{Halt, NEVER};

use intern::Nodes;
pub use repeat::Repetition;

/// A compiled contest.
///
/// Its *places* are numbered: first the endings, sorted by field values, then the ports, then the
/// nodes, every node after all places its faces lead to. So one sweep from the last place down to
/// the first node moves everything that will move this round.
///
/// A contest of copies has endings and a [`Repetition`], and all other places are in its part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DieGraph {
    endings: Vec<Ending>,
    /// Where the trials waiting in each port go on.
    ports: Vec<Place>,
    nodes: Nodes<Place>,
    start: Place,
    states: usize,
    tolls: Vec<Toll>,
    counters: usize,
    repeated: Option<Box<Repetition>>,
}

/// The number of a place: an ending, a port or a node.
pub type Place = u32;

/// What is tallied by every trial that comes to a node of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Toll {
    /// Which of the nodes it is.
    pub node: usize,
    /// Under which counter.
    pub counter: u8,
    /// How much.
    pub amount: i64,
}

/// One die of the graph, or a toll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node<'a> {
    /// Number of faces, at least 2; 1 of a toll.
    pub sides: u8,
    /// Where the faces lead: places in rising order, with how many faces lead to each. The faces
    /// add up to `sides`.
    pub branches: &'a [Branch<Place>],
}

/// A group of faces that lead to the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch<T> {
    /// Where they lead.
    pub to: T,
    /// How many faces of the die do.
    pub faces: u8,
}

/// How large a contest may become before it is refused.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most states.
    pub states: usize,
    /// Most nodes.
    pub nodes: usize,
    /// Most sequences of faces replayed, over all states: bounds the time to compile.
    pub sequences: usize,
}

impl Default for Limits {
    /// Half a gigabyte and some ten seconds at the most.
    fn default() -> Self {
        Limits { states: 1 << 20, nodes: 1 << 22, sequences: 1 << 28 }
    }
}

fn whole(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<DieGraph, Unsolved> {
    let mut states = combat.states();
    let mut told = replay::replay(combat, &mut *states, limits, halt)?;
    if !told.choices.is_empty() {
        states.keep(decide::decide(&mut told, combat, halt)?);
    }
    let graph = settle::settle(&told, limits, halt)?;
    Ok(DieGraph { counters: combat.counters(), ..graph })
}

/// Goes on, unless somebody asked to stop.
fn unless_asked(halt: &Halt) -> Result<(), Unsolved> {
    if halt.asked() {
        return Err(Unsolved::Stopped);
    }
    Ok(())
}

impl DieGraph {
    /// Compiles `combat`.
    ///
    /// # Errors
    /// When it passes one of the `limits`, or goes wrong while it is rolled.
    ///
    /// ```
    /// # use enfilade::combat::{AnyCombat, Combat, OutcomeField, Vocabulary};
    /// # use enfilade::dice::Dice;
    /// use enfilade::graph::{DieGraph, Limits};
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
    /// # Ok::<(), enfilade::error::Unsolved>(())
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
            && let Some(graph) = repeat::compile(&copies, limits, halt)?
        {
            return Ok(graph);
        }
        whole(combat, limits, halt)
    }

    /// Compiles `combat` as a whole, also where it declares to be made of copies: what it declares
    /// can be checked so.
    ///
    /// # Errors
    /// As for [`of`](DieGraph::of).
    pub fn whole(combat: &AnyCombat, limits: Limits) -> Result<DieGraph, Unsolved> {
        whole(combat, &limits, &NEVER)
    }

    /// The endings, sorted by field values; ending `i` is place `i`.
    pub fn endings(&self) -> &[Ending] {
        &self.endings
    }

    /// The places where trials wait for the next round, and where they go on; port `i` is place
    /// `endings().len() + i`. Empty when the contest must end.
    pub fn ports(&self) -> &[Place] {
        &self.ports
    }

    /// The place of the first port.
    pub fn first_port(&self) -> usize {
        self.endings.len()
    }

    /// The place of the first node.
    pub fn first_node(&self) -> usize {
        self.endings.len() + self.ports.len()
    }

    /// Number of places.
    pub fn places(&self) -> usize {
        self.first_node() + self.nodes.len()
    }

    /// The nodes in the order of their places: whatever a node leads to comes before it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        (0..self.nodes.len()).map(|index| self.nodes.node(index))
    }

    /// Where a trial starts.
    pub fn start(&self) -> Place {
        self.start
    }

    /// How many states of the combat were reached, or of one copy.
    pub fn states(&self) -> usize {
        self.states
    }

    /// The part and what its copies add up to, for a contest made of copies.
    pub fn repeated(&self) -> Option<&Repetition> {
        self.repeated.as_deref()
    }

    /// The nodes that are tolls, in their order.
    pub fn tolls(&self) -> &[Toll] {
        &self.tolls
    }

    /// How many counters are asked for.
    pub fn counters(&self) -> usize {
        self.counters
    }

    /// How many dice there are, those of one copy for a contest made of copies.
    pub fn dice(&self) -> usize {
        let own = self.nodes.len() - self.tolls.len();
        self.repeated().map_or(own, |repeated| repeated.part.dice())
    }
}
