//! Second pass: merges states with equal futures, depth first. Back edges become loop heads.
//!
//! Depth first from the opening state: a die is reduced when all targets of its faces are. A state
//! that is met again while its own future is being reduced lies on a cycle; it becomes a loop head,
//! where trials wait for the next round. Reduced dice are interned again, because different states
//! may have the same future. Only the taken option of a decision is followed, so that the decision
//! vanishes; a tally becomes a node with one side.

use rustc_hash::FxHashMap;

use super::compile_limits::{CompiledContestLimits, check_size_limit};
use super::die_graph::DieGraph;
use super::explore::{NextRollOrState, TransitionSystem};
use super::node::{FacesWithSameTarget, TallyNodeAmount};
use super::node_interning::{DistinctNodes, merge_adjacent_equal_targets};
use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::Ending;

/// Target of an edge before vertices are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum NodeTarget {
    Ending(u32),
    Port(u32),
    Node(u32),
}

impl From<NodeTarget> for u64 {
    fn from(target: NodeTarget) -> u64 {
        match target {
            NodeTarget::Ending(index) => u64::from(index),
            NodeTarget::Port(index) => u64::from(index) | 1 << 32,
            NodeTarget::Node(index) => u64::from(index) | 2 << 32,
        }
    }
}

/// Builds the graph from the transitions of the states.
pub(super) fn build_minimal_graph(
    transitions: &TransitionSystem,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<DieGraph, SolveError> {
    let limits = &CompiledContestLimits { nodes: transitions.most_nodes, ..*limits };
    let mut settling = GraphMinimizer::new(transitions);
    let start = settling.reduce_state(0, limits, halt)?;
    Ok(settling.into_graph(start))
}

struct GraphMinimizer<'a> {
    system: &'a TransitionSystem,
    /// Endings, sorted and distinct.
    endings: Vec<Ending>,
    nodes: DistinctNodes<NodeTarget>,
    /// State of each loop head.
    ports: Vec<u32>,
    states: Vec<StateReductionProgress>,
    dice: Vec<Option<NodeTarget>>,
    /// Node of each tally of the steps.
    tallies: Vec<Option<NodeTarget>>,
    /// Tally nodes, in the order of their nodes, and the targets of equal tallies.
    tally_nodes: Vec<TallyNodeAmount>,
    nodes_of_tolls: FxHashMap<(u8, i64, NodeTarget), NodeTarget>,
    /// States and dice in progress, the outermost first.
    open: Vec<NextRollOrState>,
    branches: Vec<FacesWithSameTarget<NodeTarget>>,
    grouped: Vec<FacesWithSameTarget<NodeTarget>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StateReductionProgress {
    Untouched,
    Open,
    OpenWithPort(u32),
    Reduced(NodeTarget),
}

impl<'a> GraphMinimizer<'a> {
    fn new(transitions: &'a TransitionSystem) -> Self {
        let mut settling = GraphMinimizer {
            system: transitions,
            endings: Vec::new(),
            nodes: DistinctNodes::default(),
            ports: Vec::new(),
            states: vec![StateReductionProgress::Untouched; transitions.states.len()],
            dice: vec![None; transitions.dice.as_list().len()],
            tallies: vec![None; transitions.tallies.len()],
            tally_nodes: Vec::new(),
            nodes_of_tolls: FxHashMap::default(),
            open: Vec::new(),
            branches: Vec::new(),
            grouped: Vec::new(),
        };
        settling.number_and_reduce_endings();
        settling
    }

    /// Numbers the endings in the order of their values and reduces the states that are over.
    fn number_and_reduce_endings(&mut self) {
        let mut over: Vec<&(Ending, u32)> = self.system.endings.iter().collect();
        over.sort_unstable();
        for (ending, state) in over {
            if self.endings.last() != Some(ending) {
                self.endings.push(*ending);
            }
            let target = NodeTarget::Ending(self.endings.len() as u32 - 1);
            self.states[*state as usize] = StateReductionProgress::Reduced(target);
        }
    }

    fn reduce_state(
        &mut self,
        state: u32,
        limits: &CompiledContestLimits,
        halt: &CancelToken,
    ) -> Result<NodeTarget, SolveError> {
        // An explicit stack, because futures nest as deep as the contest is long.
        self.open.push(NextRollOrState::State(state));
        while let Some(&top) = self.open.last() {
            let settled = match top {
                NextRollOrState::State(state) => self.try_reduce_state(state),
                NextRollOrState::Die(die) => self.try_reduce_die(die),
                NextRollOrState::Tally(tally) => self.try_reduce_counter_addition(tally),
                NextRollOrState::Choice(_) => {
                    unreachable!("what is settled comes after the decisions")
                }
            };
            match settled {
                Ok(()) => drop(self.open.pop()),
                Err(first) => self.open.push(first),
            }
            check_size_limit(self.nodes.as_list().len(), limits.nodes, "nodes")?;
            halt.check_not_cancelled()?;
        }
        match self.states[state as usize] {
            StateReductionProgress::Reduced(target) => Ok(target),
            _ => unreachable!("the loop ends when the outermost state is settled"),
        }
    }

    /// Reduces a state, or returns the target that must be reduced first.
    fn try_reduce_state(&mut self, state: u32) -> Result<(), NextRollOrState> {
        let index = state as usize;
        // A state that is over was reduced with the endings.
        if let Some(first) = self.system.states[index] {
            if self.states[index] == StateReductionProgress::Untouched {
                self.states[index] = StateReductionProgress::Open;
            }
            self.states[index] =
                StateReductionProgress::Reduced(self.reduced_target_or_dependency(first)?);
        }
        Ok(())
    }

    /// Reduces a die, or returns the target that must be reduced first.
    fn try_reduce_die(&mut self, die: u32) -> Result<(), NextRollOrState> {
        let transitions = self.system;
        let index = die as usize;
        // Started from scratch each time a target had to be reduced first; reduced targets are
        // looked up at once.
        self.branches.clear();
        for branch in transitions.dice.as_list().branches(index) {
            let to = self.reduced_target_or_dependency(branch.to)?;
            let faces = branch.faces;
            self.branches.push(FacesWithSameTarget { to, faces });
        }
        merge_adjacent_equal_targets(&self.branches, &mut self.grouped);
        self.dice[index] = Some(match self.grouped[..] {
            // Different states may have one future: only here does the die that distinguished them
            // vanish.
            [only] => only.to,
            _ => NodeTarget::Node(
                self.nodes.insert_or_find(transitions.dice.as_list().sides(index), &self.grouped),
            ),
        });
        Ok(())
    }

    /// Reduces a tally, or returns the target that must be reduced first.
    fn try_reduce_counter_addition(&mut self, tally: u32) -> Result<(), NextRollOrState> {
        let tally_declaration = self.system.tallies[tally as usize];
        let to = self.reduced_target_or_dependency(tally_declaration.to)?;
        let (counter, amount) = (tally_declaration.counter, tally_declaration.amount);
        let (nodes, tolls) = (&mut self.nodes, &mut self.tally_nodes);
        let target = self.nodes_of_tolls.entry((counter, amount, to));
        self.tallies[tally as usize] = Some(*target.or_insert_with(|| {
            let node = nodes.append_unchecked(1, &[FacesWithSameTarget { to, faces: 1 }]);
            tolls.push(TallyNodeAmount { node: node as usize, counter, amount });
            NodeTarget::Node(node)
        }));
        Ok(())
    }

    /// Returns the reduced target of `next`; a state in progress is reached through its loop head.
    fn reduced_target_or_dependency(
        &mut self,
        next: NextRollOrState,
    ) -> Result<NodeTarget, NextRollOrState> {
        let next = self.system.target_after_decisions(next);
        match next {
            NextRollOrState::Die(die) => self.dice[die as usize].ok_or(next),
            NextRollOrState::Tally(tally) => self.tallies[tally as usize].ok_or(next),
            NextRollOrState::Choice(_) => Err(next),
            NextRollOrState::State(state) => match self.states[state as usize] {
                StateReductionProgress::Reduced(target) => Ok(target),
                StateReductionProgress::OpenWithPort(port) => Ok(NodeTarget::Port(port)),
                StateReductionProgress::Open => Ok(self.add_loop_head(state)),
                StateReductionProgress::Untouched => Err(next),
            },
        }
    }

    fn add_loop_head(&mut self, state: u32) -> NodeTarget {
        let port = self.ports.len() as u32;
        self.ports.push(state);
        self.states[state as usize] = StateReductionProgress::OpenWithPort(port);
        NodeTarget::Port(port)
    }

    /// Numbers the vertices: endings, loop heads, nodes.
    fn into_graph(self, start: NodeTarget) -> DieGraph {
        let first_port = self.endings.len() as u32;
        let first_node = first_port + self.ports.len() as u32;
        let place = |target| match target {
            NodeTarget::Ending(index) => index,
            NodeTarget::Port(index) => first_port + index,
            NodeTarget::Node(index) => first_node + index,
        };
        let port = |&state: &u32| match self.states[state as usize] {
            StateReductionProgress::Reduced(target) => place(target),
            _ => unreachable!("a state with a port was open, and every open state is settled"),
        };
        DieGraph {
            ports: self.ports.iter().map(port).collect(),
            nodes: self.nodes.as_list().map_targets(|&target| place(target)),
            start: place(start),
            states: self.system.states.len(),
            endings: self.endings,
            tallies: self.tally_nodes,
            counters: 0,
            copies: None,
        }
    }
}
