//! The die graph laid out for the resolver: thresholds on bytes instead of faces.

use crate::graph::{DieGraph, Node, Place};

/// A die graph ready to be rolled.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) nodes: Vec<Planned>,
    /// For all nodes one after another: highest byte of each group of faces but the last.
    pub(super) bounds: Vec<u8>,
    /// For all nodes one after another: where each group leads.
    pub(super) targets: Vec<Place>,
    pub(super) ports: Vec<Place>,
    pub(super) first_port: usize,
    pub(super) start: Place,
}

/// A node of the plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    /// Highest byte that shows a face; higher ones are rolled again.
    pub(super) highest: u8,
    pub(super) first_bound: u32,
    pub(super) first_target: u32,
    pub(super) targets: u16,
}

impl Plan {
    /// Lays out `graph`.
    ///
    /// A byte below ⌊256 / sides⌋ · sides shows a face, every face for the same number of bytes, so
    /// the dice are fair without exception; the rest are rolled again. The bytes of a group of faces
    /// are next to each other, which is as fair as any other order.
    pub fn new(graph: &DieGraph) -> Plan {
        let mut plan = Plan {
            nodes: Vec::with_capacity(graph.nodes().len()),
            bounds: Vec::new(),
            targets: Vec::new(),
            ports: graph.ports().to_vec(),
            first_port: graph.first_port(),
            start: graph.start(),
        };
        for node in graph.nodes() {
            plan.push(node);
        }
        plan
    }

    fn push(&mut self, node: Node<'_>) {
        let bytes_per_face = 256 / u16::from(node.sides);
        self.nodes.push(Planned {
            highest: (bytes_per_face * u16::from(node.sides) - 1) as u8,
            first_bound: self.bounds.len() as u32,
            first_target: self.targets.len() as u32,
            targets: node.branches.len() as u16,
        });
        let mut faces = 0;
        for branch in node.branches {
            faces += u16::from(branch.faces);
            self.bounds.push((bytes_per_face * faces - 1) as u8);
            self.targets.push(branch.to);
        }
        self.bounds.pop();
    }

    /// Number of endings.
    pub fn endings(&self) -> usize {
        self.first_port
    }

    pub(super) fn first_node(&self) -> usize {
        self.first_port + self.ports.len()
    }

    pub(super) fn bounds_of(&self, node: Planned) -> &[u8] {
        &self.bounds[node.first_bound as usize..][..usize::from(node.targets) - 1]
    }

    pub(super) fn targets_of(&self, node: Planned) -> &[Place] {
        &self.targets[node.first_target as usize..][..usize::from(node.targets)]
    }
}
