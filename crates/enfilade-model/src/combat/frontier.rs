//! States that are kept as long as they are needed: fronts.
//!
//! [`States`] numbers every state of a combat for good, because a graph has to know them all. A front
//! holds only those that somebody is about to step from; what they lead to comes back in parts, so
//! that many threads can fill the fronts to come and the same states meet there.

use std::any::Any;
use std::hash::Hash;
use std::sync::Arc;

use super::decisions::TakenByState;
use super::ending::{Ending, Later};
use super::state_set::{Keyed, Seen};
use crate::dice::Dice;

/// How many fronts the states of one headway are spread over, by their hash.
pub const SHARDS: usize = 16;

/// The states of a combat by number.
pub trait States {
    /// The state before the first die.
    fn open(&mut self) -> u32;

    /// The ending of a state that is over.
    fn ending(&self, state: u32) -> Option<Ending>;

    /// What a state that is over leaves of the contest's fields; nothing where the rule does not say.
    fn left(&self, _state: u32) -> Vec<Later> {
        Vec::new()
    }

    /// Plays one step from a state that is not over.
    fn step(&mut self, state: u32, dice: &mut dyn Dice) -> u32;

    /// Plays on from a state that is not over, at most so many steps, as long as the combat comes no
    /// [further](super::Combat::headway): what is passed on the way gets no number.
    fn run(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32;

    /// How many states have been reached so far.
    fn reached(&self) -> usize;

    /// The states reached, parted for the fronts that they belong to.
    fn parts(self: Box<Self>) -> Reached;

    /// Keeps what is decided in the steps from some of the states, so that it is known when the
    /// combat is played. A combat in which nobody decides has nothing to keep.
    fn keep(&self, _decided: TakenByState) {}
}

/// States, each once, by number.
pub trait Front: Send + Sync {
    /// How many there are.
    fn held(&self) -> usize;

    /// Bytes that each of them takes.
    fn bytes(&self) -> usize;

    /// Forgets all of them, and keeps the room that they had.
    fn clear(&mut self);

    /// Adds what is in a part; by its states in order: their numbers here.
    ///
    /// # Panics
    /// When the part is of another combat.
    fn absorb(&mut self, part: &Part) -> Vec<u32>;

    /// The states that follow those of the front: what is stepped from is a number here, what is
    /// reached a number there.
    fn onward(&self) -> Box<dyn States + '_>;
}

/// What was reached from some states of a front.
#[derive(Debug)]
pub struct Reached {
    /// What is over, by the number of its state.
    pub endings: Vec<(Ending, u32)>,
    /// What goes on.
    pub parts: Vec<Part>,
}

/// States that go on, with one headway and in one shard.
#[derive(Debug)]
pub struct Part {
    /// How far the combat has come in them.
    pub headway: u32,
    /// Which of the [`SHARDS`] they belong to.
    pub shard: usize,
    /// Their numbers among those reached.
    pub numbers: Vec<u32>,
    /// What was reached, all parts of it together.
    states: Arc<dyn Any + Send + Sync>,
}

impl Part {
    /// A part that holds its states in a way of its own.
    pub(super) fn holding<T: Any + Send + Sync>(
        headway: u32,
        shard: usize,
        numbers: Vec<u32>,
        states: Arc<T>,
    ) -> Part {
        Part { headway, shard, numbers, states }
    }

    /// What it holds, if that is a `T`.
    pub(super) fn held<T: Any>(&self) -> Option<&T> {
        self.states.downcast_ref()
    }
}

/// How the states that follow those of a front are numbered.
pub(crate) type Onward<R, S> = for<'f> fn(&'f R, &'f Seen<S>) -> Box<dyn States + 'f>;

/// A front of states of one type, of the rule that knows what follows them.
#[doc(hidden)]
pub struct Typed<'r, R, S> {
    rule: &'r R,
    states: Seen<S>,
    onward: Onward<R, S>,
}

impl<R, S> std::fmt::Debug for Typed<'_, R, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Typed").finish_non_exhaustive()
    }
}

impl<'r, R, S> Typed<'r, R, S> {
    /// Nobody yet.
    #[doc(hidden)]
    pub fn new(rule: &'r R, onward: Onward<R, S>) -> Self {
        Typed { rule, states: Seen::default(), onward }
    }
}

impl<R: Sync, S: Copy + Eq + Hash + Send + Sync + 'static> Front for Typed<'_, R, S> {
    fn held(&self) -> usize {
        self.states.len()
    }

    fn bytes(&self) -> usize {
        Seen::<S>::BYTES
    }

    fn clear(&mut self) {
        self.states.clear();
    }

    fn absorb(&mut self, part: &Part) -> Vec<u32> {
        let states: &Vec<Keyed<S>> = part.held().expect("a part of the same combat");
        let numbers = part.numbers.iter();
        numbers.map(|&number| self.states.place(states[number as usize])).collect()
    }

    fn onward(&self) -> Box<dyn States + '_> {
        (self.onward)(self.rule, &self.states)
    }
}

/// Parts the states that were reached.
#[doc(hidden)]
pub fn parted<S: Copy + Eq + Hash + Send + Sync + 'static>(
    states: Seen<S>,
    ending: impl Fn(&S) -> Option<Ending>,
    headway: impl Fn(&S) -> u32,
) -> Reached {
    let states = states.into_keyed();
    let mut endings = Vec::new();
    let mut found: Vec<(u32, [Vec<u32>; SHARDS])> = Vec::new();
    for (number, Keyed { hash, state }) in (0..).zip(&states) {
        if let Some(ending) = ending(state) {
            endings.push((ending, number));
            continue;
        }
        let headway = headway(state);
        // Few: a handful of headways, and the last ones are the likeliest.
        let at = found.iter().rposition(|(known, _)| *known == headway).unwrap_or_else(|| {
            found.push((headway, Default::default()));
            found.len() - 1
        });
        found[at].1[shard(*hash)].push(number);
    }
    let states = Arc::new(states);
    let mut parts = Vec::new();
    for (headway, shards) in found {
        let shards = shards.into_iter().enumerate().filter(|(_, numbers)| !numbers.is_empty());
        let part = |(shard, numbers)| Part::holding(headway, shard, numbers, Arc::clone(&states));
        parts.extend(shards.map(part));
    }
    Reached { endings, parts }
}

/// Bits that the table of a front does not look at.
fn shard(hash: u64) -> usize {
    (hash >> 40) as usize % SHARDS
}
