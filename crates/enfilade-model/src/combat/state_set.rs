//! States, each once, in order of first sight.
//!
//! What is reached goes through three tables on its way: that of the piece it was reached in, that of
//! its shard, and on the way it is asked which shard that is. A state is many small numbers, so its hash
//! is taken once and goes with it.

use std::hash::{BuildHasher, Hash};
use std::ops::Index;

use hashbrown::HashTable;

use crate::state_hash::BuildPacked;

/// A set of states in order of first sight.
#[derive(Clone, Debug)]
#[doc(hidden)]
pub struct Seen<S> {
    keyed: Vec<Keyed<S>>,
    places: HashTable<u32>,
}

/// A state with its hash.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Keyed<S> {
    pub(crate) hash: u64,
    pub(crate) state: S,
}

impl<S> Default for Seen<S> {
    fn default() -> Self {
        Seen { keyed: Vec::new(), places: HashTable::new() }
    }
}

impl<S: Copy + Eq + Hash> Seen<S> {
    /// Bytes that each of them takes: beside the state a hash and, in a table that is two thirds full,
    /// a place with its mark.
    pub(crate) const BYTES: usize = size_of::<Keyed<S>>() + 3 * (size_of::<u32>() + 1) / 2;

    /// Nobody yet, with room for so many.
    #[doc(hidden)]
    pub fn with_room(room: usize) -> Self {
        Seen { keyed: Vec::with_capacity(room), places: HashTable::with_capacity(room) }
    }

    /// The number of a state, a new one where it was not known.
    #[inline]
    #[doc(hidden)]
    pub fn number(&mut self, state: S) -> u32 {
        self.place(Keyed { hash: BuildPacked::default().hash_one(state), state })
    }

    /// The same where the hash is known.
    #[inline]
    pub(crate) fn place(&mut self, keyed: Keyed<S>) -> u32 {
        let Seen { keyed: known, places } = self;
        let same = |at: &u32| {
            let other = &known[*at as usize];
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

    /// The number of a state that may be known.
    pub(crate) fn get(&self, state: &S) -> Option<u32> {
        let hash = BuildPacked::default().hash_one(state);
        self.places.find(hash, |at| self.keyed[*at as usize].state == *state).copied()
    }
}

impl<S> Seen<S> {
    /// How many there are.
    #[doc(hidden)]
    #[allow(clippy::len_without_is_empty)] // Nobody asks whether it is empty.
    pub fn len(&self) -> usize {
        self.keyed.len()
    }

    /// All of them, by their numbers.
    pub(crate) fn into_keyed(self) -> Vec<Keyed<S>> {
        self.keyed
    }

    /// Forgets all of them, and keeps the room.
    pub(crate) fn clear(&mut self) {
        self.keyed.clear();
        self.places.clear();
    }
}

impl<S> Index<u32> for Seen<S> {
    type Output = S;

    fn index(&self, number: u32) -> &S {
        &self.keyed[number as usize].state
    }
}
