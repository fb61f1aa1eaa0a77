//! Numbering of states for the frontier engine, where a state lives only while it is on the
//! frontier.
//!
//! [`StateNumbering`] numbers every state of a combat for good, because a graph needs all of them.
//! A front contains only the states that are stepped from next. Their successors are returned in
//! parts, so that many threads can fill the next fronts and equal states merge there.

use std::any::Any;
use std::hash::Hash;
use std::sync::Arc;

use super::decisions::ChosenOptionsByState;
use super::ending::{Ending, FieldChange};
use super::state_set::{StateSet, StateWithHash};
use crate::dice::Dice;

/// Number of fronts over which the states of one progress value are spread, by their hash.
pub const FRONTIER_SHARD_COUNT: usize = 16;

/// Numbering of the states of a combat.
pub trait StateNumbering {
    /// Returns the state before the first die.
    fn initial_state(&mut self) -> u32;

    /// Returns the ending of a state that is over.
    fn ending_of_state(&self, state: u32) -> Option<Ending>;

    /// Returns the changes that a finished state makes to the contest's fields; empty where the
    /// rule does not define them.
    fn changes_in_final_state(&self, _state: u32) -> Vec<FieldChange> {
        Vec::new()
    }

    /// Plays one step from a state that is not over.
    fn play_one_step(&mut self, state: u32, dice: &mut dyn Dice) -> u32;

    /// Plays on from a state that is not over, at most `most` steps, as long as the
    /// [progress](super::Combat::progress) stays the same. The states in between get no number.
    fn step_until_progress(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32;

    /// Returns the number of states reached so far.
    fn reached_state_count(&self) -> usize;

    /// Splits the reached states by the fronts that they belong to.
    fn into_endings_and_front_parts(self: Box<Self>) -> EndingsAndFrontierParts;

    /// Returns the variables that a state remembers, with their values; empty where they have no
    /// names.
    fn named_variables(&self, _state: u32) -> Vec<(String, i64)> {
        Vec::new()
    }

    /// Returns what a player who decides in a state sees of it, if they do not see all of it. In
    /// states with the same view they decide alike.
    fn visible_state_values(&self, _state: u32) -> Option<Box<[i64]>> {
        None
    }

    /// Records the options taken in the steps from some of the states, for later play. A combat
    /// without decisions has nothing to record.
    fn record_chosen_options(&self, _decided: ChosenOptionsByState) {}
}

/// Set of states, numbered from 0.
pub trait FrontierStateSet: Send + Sync {
    /// Returns the number of states.
    fn state_count(&self) -> usize;

    /// Returns the bytes that each state takes.
    fn bytes_per_state(&self) -> usize;

    /// Removes all states and retains the allocated memory.
    fn clear_states(&mut self);

    /// Adds the states of a part, and returns their numbers here in the part's order.
    ///
    /// # Panics
    /// If the part is of another combat.
    fn add_part_and_number_states(&mut self, part: &OpenStatesOfShard) -> Vec<u32>;

    /// Creates the numbering of the successors of this front: steps take numbers of this front and
    /// return numbers of the successors.
    fn new_successor_numbering(&self) -> Box<dyn StateNumbering + '_>;
}

/// States reached from some states of a front.
#[derive(Debug)]
pub struct EndingsAndFrontierParts {
    /// Endings, each with the number of its state.
    pub endings: Vec<(Ending, u32)>,
    /// States that are not over.
    pub parts: Vec<OpenStatesOfShard>,
}

/// States that are not over, of one progress value and in one shard.
#[derive(Debug)]
pub struct OpenStatesOfShard {
    /// Progress of the combat in these states.
    pub headway: u32,
    /// Shard of the [`FRONTIER_SHARD_COUNT`] to which the states belong.
    pub shard: usize,
    /// Numbers of the states among those reached.
    pub numbers: Vec<u32>,
    /// All states reached, shared by all parts.
    states: Arc<dyn Any + Send + Sync>,
}

impl OpenStatesOfShard {
    /// Creates a part whose states are stored as a `T`.
    pub(super) fn from_states<T: Any + Send + Sync>(
        headway: u32,
        shard: usize,
        numbers: Vec<u32>,
        states: Arc<T>,
    ) -> OpenStatesOfShard {
        OpenStatesOfShard { headway, shard, numbers, states }
    }

    /// Returns the stored states, if they are a `T`.
    pub(super) fn as_states<T: Any>(&self) -> Option<&T> {
        self.states.downcast_ref()
    }
}

/// Function that numbers the successors of a front.
pub(crate) type SuccessorNumbering<R, S> =
    for<'f> fn(&'f R, &'f StateSet<S>) -> Box<dyn StateNumbering + 'f>;

/// Front of states of one type, with the rule that defines their successors.
#[doc(hidden)]
pub struct TypedStateFrontier<'r, R, S> {
    rule: &'r R,
    states: StateSet<S>,
    onward: SuccessorNumbering<R, S>,
}

impl<R, S> std::fmt::Debug for TypedStateFrontier<'_, R, S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Typed").finish_non_exhaustive()
    }
}

impl<'r, R, S> TypedStateFrontier<'r, R, S> {
    /// Creates an empty front.
    #[doc(hidden)]
    pub fn new(rule: &'r R, onward: SuccessorNumbering<R, S>) -> Self {
        TypedStateFrontier { rule, states: StateSet::default(), onward }
    }
}

impl<R: Sync, S: Copy + Eq + Hash + Send + Sync + 'static> FrontierStateSet
    for TypedStateFrontier<'_, R, S>
{
    fn state_count(&self) -> usize {
        self.states.len()
    }

    fn bytes_per_state(&self) -> usize {
        StateSet::<S>::BYTES_PER_STATE
    }

    fn clear_states(&mut self) {
        self.states.clear_states();
    }

    fn add_part_and_number_states(&mut self, part: &OpenStatesOfShard) -> Vec<u32> {
        let states: &Vec<StateWithHash<S>> = part.as_states().expect("a part of the same combat");
        let numbers = part.numbers.iter();
        numbers
            .map(|&number| self.states.insert_with_hash_get_number(states[number as usize]))
            .collect()
    }

    fn new_successor_numbering(&self) -> Box<dyn StateNumbering + '_> {
        (self.onward)(self.rule, &self.states)
    }
}

/// Splits the reached states into endings and parts.
#[doc(hidden)]
pub fn split_endings_and_parts<S: Copy + Eq + Hash + Send + Sync + 'static>(
    states: StateSet<S>,
    ending: impl Fn(&S) -> Option<Ending>,
    headway: impl Fn(&S) -> u32,
) -> EndingsAndFrontierParts {
    let states = states.into_states_with_hash();
    let mut endings = Vec::new();
    let mut endings_and_parts: Vec<(u32, [Vec<u32>; FRONTIER_SHARD_COUNT])> = Vec::new();
    for (number, StateWithHash { hash, state }) in (0..).zip(&states) {
        if let Some(ending) = ending(state) {
            endings.push((ending, number));
            continue;
        }
        let headway = headway(state);
        // A linear search: there are only a handful of progress values, and the last ones are the
        // likeliest.
        let at = endings_and_parts.iter().rposition(|(known, _)| *known == headway).unwrap_or_else(
            || {
                endings_and_parts.push((headway, Default::default()));
                endings_and_parts.len() - 1
            },
        );
        endings_and_parts[at].1[shard_of_hash(*hash)].push(number);
    }
    let states = Arc::new(states);
    let mut parts = Vec::new();
    for (headway, shards) in endings_and_parts {
        let shards = shards.into_iter().enumerate().filter(|(_, numbers)| !numbers.is_empty());
        let part = |(shard, numbers)| {
            OpenStatesOfShard::from_states(headway, shard, numbers, Arc::clone(&states))
        };
        parts.extend(shards.map(part));
    }
    EndingsAndFrontierParts { endings, parts }
}

/// Returns the shard of a hash, from bits that the table of a front does not use.
fn shard_of_hash(hash: u64) -> usize {
    (hash >> 40) as usize % FRONTIER_SHARD_COUNT
}
