//! Nodes stored once: two dice with the same sides and the same branches are one node.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::node::{DieOrTallyNode, FacesWithSameTarget, VertexId};

/// List of nodes whose branches lead to `T`; the branches lie one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NodesWithTargets<T> {
    heads: Vec<NodeSidesAndRange>,
    branches: Vec<FacesWithSameTarget<T>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct NodeSidesAndRange {
    sides: u8,
    first: u32,
    count: u8,
}

impl<T> Default for NodesWithTargets<T> {
    fn default() -> Self {
        NodesWithTargets { heads: Vec::new(), branches: Vec::new() }
    }
}

impl<T> NodesWithTargets<T> {
    pub(super) fn len(&self) -> usize {
        self.heads.len()
    }

    pub(super) fn sides(&self, index: usize) -> u8 {
        self.heads[index].sides
    }

    pub(super) fn branches(&self, index: usize) -> &[FacesWithSameTarget<T>] {
        let head = self.heads[index];
        &self.branches[head.first as usize..][..usize::from(head.count)]
    }

    /// Converts the targets of all nodes; `to` must keep their order.
    pub(super) fn map_targets<U>(&self, to: impl Fn(&T) -> U) -> NodesWithTargets<U> {
        let translated = |branch: &FacesWithSameTarget<T>| FacesWithSameTarget {
            to: to(&branch.to),
            faces: branch.faces,
        };
        NodesWithTargets {
            heads: self.heads.clone(),
            branches: self.branches.iter().map(translated).collect(),
        }
    }
}

impl<T: Copy> NodesWithTargets<T> {
    fn push(&mut self, sides: u8, branches: &[FacesWithSameTarget<T>]) {
        self.heads.push(NodeSidesAndRange {
            sides,
            first: u32::try_from(self.branches.len())
                .expect("at most 2^22 nodes of at most 255 branches"),
            count: u8::try_from(branches.len()).expect("a die has at most 255 faces"),
        });
        self.branches.extend_from_slice(branches);
    }
}

impl NodesWithTargets<VertexId> {
    pub(super) fn node_at(&self, index: usize) -> DieOrTallyNode<'_> {
        DieOrTallyNode { sides: self.sides(index), branches: self.branches(index) }
    }
}

/// Growing list of distinct nodes.
#[derive(Clone, Debug)]
pub(super) struct DistinctNodes<T> {
    nodes: NodesWithTargets<T>,
    /// Hash of each node, stored for when the table grows, and its index.
    index_by_hash: HashTable<(u64, u32)>,
}

impl<T> Default for DistinctNodes<T> {
    fn default() -> Self {
        DistinctNodes {
            nodes: NodesWithTargets::default(),
            index_by_hash: HashTable::with_capacity(SMALL_NODE_CAPACITY),
        }
    }
}

/// Capacity for the nodes of a small contest.
const SMALL_NODE_CAPACITY: usize = 200;

impl<T: Copy + Ord + Into<u64>> DistinctNodes<T> {
    /// Returns the nodes so far.
    pub(super) fn as_list(&self) -> &NodesWithTargets<T> {
        &self.nodes
    }

    /// Appends a node without looking for an equal one, and returns its index.
    pub(super) fn append_unchecked(
        &mut self,
        sides: u8,
        branches: &[FacesWithSameTarget<T>],
    ) -> u32 {
        self.nodes.push(sides, branches);
        self.nodes.len() as u32 - 1
    }

    /// Returns the index of the node with these branches, which must be sorted and have distinct
    /// targets. Their faces add up to `sides`, so dice with the same branches have the same sides.
    pub(super) fn insert_or_find(&mut self, sides: u8, branches: &[FacesWithSameTarget<T>]) -> u32 {
        let DistinctNodes { nodes, index_by_hash: known } = self;
        let hash = hash_branches(branches);
        let same = |&(its_hash, index): &(u64, u32)| {
            its_hash == hash && nodes.branches(index as usize) == branches
        };
        if let Some(&(_, index)) = known.find(hash, same) {
            return index;
        }
        let index = u32::try_from(nodes.len()).expect("the limit on nodes is far below 2^32");
        nodes.push(sides, branches);
        known.insert_unique(hash, (hash, index), |&(hash, _)| hash);
        index
    }
}

fn hash_branches<T: Copy + Into<u64>>(branches: &[FacesWithSameTarget<T>]) -> u64 {
    let mut hasher = FxHasher::default();
    for branch in branches {
        hasher.write_u64(branch.to.into() << 8 | u64::from(branch.faces));
    }
    hasher.finish()
}

/// Groups the targets of a die's faces: sorted, each with its number of faces. The result is stored
/// in `grouped`.
// PERF: faces with the same target are mostly neighbours, and the joined targets of a die are often
// sorted already.
pub(super) fn merge_adjacent_equal_targets<T: Copy + Ord>(
    targets: &[FacesWithSameTarget<T>],
    grouped: &mut Vec<FacesWithSameTarget<T>>,
) {
    grouped.clear();
    for branch in targets {
        match grouped.last_mut() {
            Some(last) if last.to == branch.to => last.faces += branch.faces,
            _ => grouped.push(*branch),
        }
    }
    if grouped.is_sorted_by(|a, b| a.to < b.to) {
        return;
    }
    grouped.sort_unstable_by_key(|branch| branch.to);
    grouped.dedup_by(|next, previous| {
        let same = next.to == previous.to;
        previous.faces += if same { next.faces } else { 0 };
        same
    });
}
