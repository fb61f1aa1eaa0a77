//! Die graph laid out for the resolver: thresholds on bytes instead of faces.

use std::sync::OnceLock;

use super::loop_jumps::{MAX_LEAVING_SHARE, VertexGroupsWithLoopJumps};
use crate::graph::{
    CopiedPartAndSums, DieGraph, DieOrTallyNode, TallyNodeAmount, VertexId, can_end_by_loop_head,
};

/// Die graph prepared for rolling.
#[derive(Clone, Debug)]
pub struct RollableDieGraph {
    pub(super) nodes: Vec<FaceGroupsOfNode>,
    /// Highest byte of each group of faces, node after node. A byte above that of a node's last
    /// group shows no face and is rolled again.
    pub(super) bounds: Vec<u8>,
    /// Target of each group, node after node.
    pub(super) targets: Vec<VertexId>,
    pub(super) ports: Vec<VertexId>,
    pub(super) first_port: usize,
    pub(super) start: VertexId,
    /// Sums of the copies, when the nodes are those of one copy.
    pub(super) copies: Option<CopiedPartAndSums>,
    endings: usize,
    /// Tallies, in the order of the slots behind the vertices, where passing trials are counted.
    tallies: Vec<TallyNodeAmount>,
    counters: usize,
    /// Loops, where they are rolled one after the other.
    pub(super) loops: Option<Box<VertexGroupsWithLoopJumps>>,
    /// Whether the trials of each loop head can still end; computed at the first query.
    ends: OnceLock<Vec<bool>>,
}

/// Node of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct FaceGroupsOfNode {
    /// Start of its groups in the lists of the plan.
    pub(super) first: u32,
    /// Number of groups, at least 2.
    pub(super) groups: u16,
}

impl RollableDieGraph {
    /// Lays out `graph`.
    ///
    /// A byte below ⌊256 / sides⌋ · sides shows a face, every face for the same number of bytes, so
    /// the dice are fair without exception; the rest are rolled again. The bytes of a group of
    /// faces are adjacent, which is as fair as any other order.
    pub fn new(graph: &DieGraph) -> RollableDieGraph {
        RollableDieGraph::from_graph_with_loop_jumps(graph, MAX_LEAVING_SHARE)
    }

    /// Lays out `graph` like [`new`](RollableDieGraph::new), but trials jump from loop heads that a
    /// smaller share than `rare` of a round leaves: 0 is never.
    #[doc(hidden)]
    pub fn from_graph_with_loop_jumps(graph: &DieGraph, rare: f64) -> RollableDieGraph {
        let loops = graph
            .copied_part_and_sums()
            .is_none()
            .then(|| VertexGroupsWithLoopJumps::find_loops_of_graph(graph, rare))
            .flatten();
        let mut plan = RollableDieGraph::from_graph_without_jumps(graph);
        plan.loops = loops;
        plan
    }

    /// Returns the number of loop heads with jumps.
    #[doc(hidden)]
    pub fn loop_exit_jump_count(&self) -> usize {
        let loops = self.loops.iter();
        loops.map(|loops| loops.jumps.iter().flatten().count()).sum()
    }

    fn from_graph_without_jumps(graph: &DieGraph) -> RollableDieGraph {
        if let Some(repeated) = graph.copied_part_and_sums() {
            return RollableDieGraph {
                copies: Some(repeated.clone()),
                endings: graph.endings().len(),
                ..RollableDieGraph::from_graph_without_jumps(&repeated.part)
            };
        }
        let mut plan = RollableDieGraph {
            nodes: Vec::with_capacity(graph.nodes().len()),
            bounds: Vec::new(),
            targets: Vec::new(),
            ports: graph.next_vertex_by_loop_head().to_vec(),
            first_port: graph.first_loop_head_vertex(),
            start: graph.start_vertex(),
            copies: None,
            endings: graph.endings().len(),
            tallies: graph.tally_node_amounts().to_vec(),
            counters: graph.counter_count(),
            loops: None,
            ends: OnceLock::new(),
        };
        let mut slots = (graph.vertex_count() as VertexId..).take(graph.tally_node_amounts().len());
        for node in graph.nodes() {
            match node.branches {
                // A tally node: every trial passes it, so nothing is rolled and its slot only
                // counts.
                [only] => {
                    debug_assert_eq!(node.sides, 1, "a die with one target vanishes");
                    plan.push_tally_node(only.to, slots.next().unwrap_or_default())
                }
                _ => plan.push_node(node),
            }
        }
        plan
    }

    /// Adds a tally node: two groups of all bytes each, so that every trial goes on and is counted
    /// in the slot.
    fn push_tally_node(&mut self, to: VertexId, slot: VertexId) {
        self.nodes.push(FaceGroupsOfNode { first: self.bounds.len() as u32, groups: 2 });
        self.bounds.extend([u8::MAX; 2]);
        self.targets.extend([to, slot]);
    }

    fn push_node(&mut self, node: DieOrTallyNode<'_>) {
        self.nodes.push(FaceGroupsOfNode {
            first: self.bounds.len() as u32,
            groups: node.branches.len() as u16,
        });
        let bytes_per_face = 256 / u16::from(node.sides);
        let mut faces = 0;
        for branch in node.branches {
            faces += u16::from(branch.faces);
            self.bounds.push((bytes_per_face * faces - 1) as u8);
            self.targets.push(branch.to);
        }
    }

    /// Returns, by loop head, whether the trials that wait there can still reach an ending.
    pub(super) fn ending_reachable_by_loop_head(&self) -> &[bool] {
        self.ends.get_or_init(|| {
            let first = self.first_node_vertex();
            let faces = self.nodes.iter().enumerate().flat_map(|(index, node)| {
                let targets =
                    self.targets[node.first as usize..][..usize::from(node.groups)].iter();
                // Slots lead nowhere.
                let places = targets.filter(|to| (**to as usize) < self.vertex_count());
                places.map(move |to| (*to, (first + index) as VertexId))
            });
            can_end_by_loop_head(self.first_port, &self.ports, faces)
        })
    }

    /// Returns the number of endings.
    pub fn number_of_endings(&self) -> usize {
        self.endings
    }

    /// Returns the number of vertices and of the slots of tally nodes behind them.
    pub(super) fn vertex_plus_tally_slot_count(&self) -> usize {
        self.vertex_count() + self.tallies.len()
    }

    pub(super) fn vertex_count(&self) -> usize {
        self.first_node_vertex() + self.nodes.len()
    }

    pub(super) fn counter_count(&self) -> usize {
        self.counters
    }

    /// Sums the tallies by counter, from the trials counted in the slots.
    pub(super) fn sum_tallies(&self, waiting: &[u64]) -> Vec<i128> {
        let mut tallies = vec![0; self.counters];
        for (tally, &trials) in self.tallies.iter().zip(&waiting[self.vertex_count()..]) {
            tallies[usize::from(tally.counter)] += i128::from(tally.amount) * i128::from(trials);
        }
        tallies
    }

    pub(super) fn first_node_vertex(&self) -> usize {
        self.first_port + self.ports.len()
    }

    pub(super) fn byte_bounds_of_node(&self, node: FaceGroupsOfNode) -> &[u8] {
        &self.bounds[node.first as usize..][..usize::from(node.groups)]
    }

    pub(super) fn targets_of_node(&self, node: FaceGroupsOfNode) -> &[VertexId] {
        &self.targets[node.first as usize..][..usize::from(node.groups)]
    }
}
