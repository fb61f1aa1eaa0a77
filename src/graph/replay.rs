//! First pass: every step played with every face of every die.
//!
//! The dice here answer with a prefix of known faces and then with 1; after each run the last face
//! is raised, as on an odometer. What a run leads to is folded at once: when a die has shown its
//! last face, its faces are grouped and it becomes a node whose branches lead to states or to other
//! dice of the same step.

use super::intern::{Interned, group};
use super::{Branch, Limits, Unbuilt, unless_asked};
use crate::combat::{AnyCombat, Ending, States};
use crate::dice::Dice;
use crate::error::TooLarge;
use crate::halt::Halt;

/// What every state of a combat does.
#[derive(Default)]
pub(super) struct Told {
    /// By state number: the first die of its step; nothing when the combat is over there.
    pub(super) states: Vec<Option<Next>>,
    /// The states where it is over, and how.
    pub(super) endings: Vec<(Ending, u32)>,
    /// The dice of all steps.
    pub(super) dice: Interned<Next>,
}

/// What a face leads to within one step: another die of the step, or the state after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Next {
    Die(u32),
    State(u32),
}

impl From<Next> for u64 {
    fn from(next: Next) -> u64 {
        match next {
            Next::Die(die) => u64::from(die),
            Next::State(state) => u64::from(state) | 1 << 32,
        }
    }
}

/// Plays every step of every reachable state of `combat` with every sequence of faces.
pub(super) fn replay(combat: &AnyCombat, limits: &Limits, halt: &Halt) -> Result<Told, Unbuilt> {
    let mut states = combat.states();
    let mut told = Told::default();
    let mut replay = Replay::default();
    states.open();
    while told.states.len() < states.reached() {
        let state = told.states.len() as u32;
        let first = match states.ending(state) {
            Some(ending) => {
                told.endings.push((ending, state));
                None
            }
            None => Some(replay.step(state, &mut *states, &mut told.dice, limits, halt)?),
        };
        told.states.push(first);
        within(states.reached(), limits.states, "states")?;
        combat.fault().map_or(Ok(()), Err)?;
    }
    Ok(told)
}

pub(super) fn within(count: usize, limit: usize, what: &'static str) -> Result<(), TooLarge> {
    if count <= limit {
        return Ok(());
    }
    Err(TooLarge {
        what,
        limit,
        grows_with: Vec::new(),
        cell: None,
    })
}

/// The dice of a replay: those already on the table, in the order in which the step rolls them.
/// Sequences of faces of one step between two looks at whether to stop: some milliseconds.
const SEQUENCES_UNASKED: usize = 1 << 14;

#[derive(Default)]
struct Replay {
    thrown: Vec<Thrown>,
    /// How many of them the run under way has rolled.
    rolled: usize,
    /// Where the faces of the thrown dice have led so far, the outermost die first.
    branches: Vec<Branch<Next>>,
    grouped: Vec<Branch<Next>>,
    sequences: usize,
}

/// A die of a step, showing one face after the other.
#[derive(Clone, Copy)]
struct Thrown {
    sides: u8,
    face: u8,
    /// Where its branches start in `Replay::branches`.
    first_branch: usize,
}

impl Dice for Replay {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(sides >= 1, "a die has at least one side");
        if self.rolled == self.thrown.len() {
            self.thrown.push(Thrown {
                sides,
                face: 1,
                first_branch: self.branches.len(),
            });
        }
        // PERF: by reference, for a face just raised is slow to load as part of a wider word.
        let thrown = &self.thrown[self.rolled];
        assert!(
            thrown.sides == sides,
            "a step depends on nothing but its state and the faces"
        );
        self.rolled += 1;
        thrown.face
    }
}

impl Replay {
    /// Plays one state's step with every sequence of faces.
    fn step(
        &mut self,
        state: u32,
        states: &mut dyn States,
        dice: &mut Interned<Next>,
        limits: &Limits,
        halt: &Halt,
    ) -> Result<Next, Unbuilt> {
        unless_asked(halt)?;
        loop {
            self.rolled = 0;
            let next = Next::State(states.step(state, self));
            self.sequences += 1;
            if self.sequences.is_multiple_of(SEQUENCES_UNASKED) {
                unless_asked(halt)?;
            }
            within(self.sequences, limits.sequences, "sequences of faces")?;
            within(states.reached(), limits.states, "states")?;
            if let Some(first) = self.fold(next, dice) {
                within(dice.list().len(), limits.nodes, "nodes")?;
                return Ok(first);
            }
        }
    }

    /// Notes where the faces on the table lead, turns dice that have shown their last face into
    /// nodes, and raises the face of the innermost die left. When none is left, the step is told.
    fn fold(&mut self, mut next: Next, dice: &mut Interned<Next>) -> Option<Next> {
        while let Some(thrown) = self.thrown.last_mut() {
            self.branches.push(Branch { to: next, faces: 1 });
            if thrown.face < thrown.sides {
                thrown.face += 1;
                return None;
            }
            let (sides, first) = (thrown.sides, thrown.first_branch);
            self.thrown.pop();
            group(&self.branches[first..], &mut self.grouped);
            self.branches.truncate(first);
            next = match self.grouped[..] {
                [only] => only.to,
                _ => Next::Die(dice.insert(sides, &self.grouped)),
            };
        }
        Some(next)
    }
}
