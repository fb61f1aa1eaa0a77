//! A set of distinct states, numbered in order of insertion.
//!
//! A reached state goes through three tables: that of the work unit that reached it, that of its
//! shard, and the choice of the shard. A state consists of many small numbers, so its hash is
//! computed once and stored with the state.

use std::hash::{BuildHasher, Hash};
use std::ops::Index;

use hashbrown::HashTable;

use crate::state_hash::StateHasherBuilder;

/// Set of distinct states, numbered in order of insertion.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct StateSet<S> {
    keyed: Vec<StateWithHash<S>>,
    places: HashTable<u32>,
}

/// State with its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateWithHash<S> {
    pub(crate) hash: u64,
    pub(crate) state: S,
}

impl<S> Default for StateSet<S> {
    fn default() -> Self {
        StateSet { keyed: Vec::new(), places: HashTable::new() }
    }
}

impl<S: Copy + Eq + Hash> StateSet<S> {
    /// Bytes of each state: the state, its hash and, in a table that is two thirds full, an index
    /// with its mark.
    pub(crate) const BYTES_PER_STATE: usize =
        size_of::<StateWithHash<S>>() + 3 * (size_of::<u32>() + 1) / 2;

    /// Creates an empty set with room for `room` states.
    #[doc(hidden)]
    pub fn with_state_capacity(room: usize) -> Self {
        StateSet { keyed: Vec::with_capacity(room), places: HashTable::with_capacity(room) }
    }

    /// Inserts a state, and returns its number: the old one if the state is present.
    #[inline]
    #[doc(hidden)]
    pub fn insert_and_get_number(&mut self, state: S) -> u32 {
        self.insert_with_hash_get_number(StateWithHash {
            hash: StateHasherBuilder::default().hash_one(state),
            state,
        })
    }

    /// Inserts a state with its hash, and returns its number.
    #[inline]
    pub(crate) fn insert_with_hash_get_number(&mut self, keyed: StateWithHash<S>) -> u32 {
        let StateSet { keyed: known, places } = self;
        let same = |at: &u32| {
            let other = &known[*at as usize];
            // Other states nearly always differ in their hash, which is cheaper to compare.
            other.hash == keyed.hash && other.state == keyed.state
        };
        let entry = places.entry(keyed.hash, same, |at| known[*at as usize].hash);
        let next = || u32::try_from(known.len()).expect("the limits on states are below 2^32");
        let number = *entry.or_insert_with(next).get();
        if number as usize == known.len() {
            known.push(keyed);
        }
        number
    }

    /// Returns the number of a state, if it is present.
    pub(crate) fn get(&self, state: &S) -> Option<u32> {
        let hash = StateHasherBuilder::default().hash_one(state);
        self.places.find(hash, |at| self.keyed[*at as usize].state == *state).copied()
    }
}

impl<S> StateSet<S> {
    /// Returns the number of states.
    #[doc(hidden)]
    #[allow(clippy::len_without_is_empty)] // No caller needs `is_empty`.
    pub fn len(&self) -> usize {
        self.keyed.len()
    }

    /// Returns all states, in the order of their numbers.
    pub(crate) fn into_states_with_hash(self) -> Vec<StateWithHash<S>> {
        self.keyed
    }

    /// Removes all states and retains the allocated memory.
    pub(crate) fn clear_states(&mut self) {
        self.keyed.clear();
        self.places.clear();
    }
}

impl<S> Index<u32> for StateSet<S> {
    type Output = S;

    fn index(&self, number: u32) -> &S {
        &self.keyed[number as usize].state
    }
}
