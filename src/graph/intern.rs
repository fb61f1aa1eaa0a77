//! Nodes stored once: two dice with the same sides and the same branches are one node.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::{Branch, Node, Place};

/// A growing list of distinct nodes whose branches lead to `T`.
#[derive(Clone, Debug)]
pub(super) struct Interned<T> {
    heads: Vec<Head>,
    branches: Vec<Branch<T>>,
    known: HashTable<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Head {
    sides: u8,
    first: u32,
    count: u8,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned {
            heads: Vec::new(),
            branches: Vec::new(),
            known: HashTable::new(),
        }
    }
}

impl<T: Copy + Ord + Into<u64>> Interned<T> {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn sides(&self, index: usize) -> u8 {
        self.heads[index].sides
    }

    pub(super) fn branches(&self, index: usize) -> &[Branch<T>] {
        branches_of(&self.branches, self.heads[index])
    }

    /// The index of the node with these branches, which must be sorted and have distinct targets.
    pub(super) fn insert(&mut self, sides: u8, branches: &[Branch<T>]) -> u32 {
        let Interned {
            heads,
            branches: all,
            known,
        } = self;
        let same = |&index: &u32| {
            let head = heads[index as usize];
            head.sides == sides && branches_of(all, head) == branches
        };
        let hash = hash(sides, branches);
        if let Some(&index) = known.find(hash, same) {
            return index;
        }
        let index = u32::try_from(heads.len()).expect("the limit on nodes is far below 2^32");
        heads.push(Head {
            sides,
            first: u32::try_from(all.len()).expect("at most 2^22 nodes of at most 255 branches"),
            count: u8::try_from(branches.len()).expect("a die has at most 255 faces"),
        });
        all.extend_from_slice(branches);
        known.insert_unique(hash, index, |&index| {
            let head = heads[index as usize];
            self::hash(head.sides, branches_of(all, head))
        });
        index
    }
}

impl Interned<Place> {
    pub(super) fn node(&self, index: usize) -> Node<'_> {
        Node {
            sides: self.sides(index),
            branches: self.branches(index),
        }
    }
}

impl<T: PartialEq> PartialEq for Interned<T> {
    fn eq(&self, other: &Self) -> bool {
        self.heads == other.heads && self.branches == other.branches
    }
}

impl<T: Eq> Eq for Interned<T> {}

fn branches_of<T>(all: &[Branch<T>], head: Head) -> &[Branch<T>] {
    &all[head.first as usize..][..usize::from(head.count)]
}

fn hash<T: Copy + Into<u64>>(sides: u8, branches: &[Branch<T>]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write_u8(sides);
    for branch in branches {
        hasher.write_u64(branch.to.into());
        hasher.write_u8(branch.faces);
    }
    hasher.finish()
}

/// Groups the targets of a die's faces: sorted, each with its number of faces. `targets` is used
/// up. The result is left in `grouped`.
pub(super) fn group<T: Copy + Ord>(targets: &mut [Branch<T>], grouped: &mut Vec<Branch<T>>) {
    targets.sort_unstable_by_key(|branch| branch.to);
    grouped.clear();
    for branch in targets {
        match grouped.last_mut() {
            Some(last) if last.to == branch.to => last.faces += branch.faces,
            _ => grouped.push(*branch),
        }
    }
}
