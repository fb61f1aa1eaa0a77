//! Second pass: merges states with equal futures, depth first. Back edges become loop heads.
//!
//! Depth first from the opening state: a die is reduced when all targets of its faces are. A state
//! that is met again while its own future is being reduced lies on a cycle; it becomes a loop head,
//! where trials wait for the next round. Reduced dice are interned again, because different states
//! may have the same future. Only the taken option of a decision is followed, so that the decision
//! vanishes; a tally becomes a node with one side.

use rustc_hash::FxHashMap;

use super::die_graph::DieGraph;
use super::explore::{Next, Told};
use super::intern::{Interned, group};
use super::limits::{Limits, within};
use super::node::{Branch, Toll};
use crate::cancel::Halt;
use enfilade_model::combat::Ending;
use enfilade_model::error::Unsolved;

/// Target of an edge before vertices are numbered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Target {
    Ending(u32),
    Port(u32),
    Node(u32),
}

impl From<Target> for u64 {
    fn from(target: Target) -> u64 {
        match target {
            Target::Ending(index) => u64::from(index),
            Target::Port(index) => u64::from(index) | 1 << 32,
            Target::Node(index) => u64::from(index) | 2 << 32,
        }
    }
}

/// Builds the graph from the transitions of the states.
pub(super) fn fold_futures(
    told: &Told,
    limits: &Limits,
    halt: &Halt,
) -> Result<DieGraph, Unsolved> {
    let limits = &Limits { nodes: told.most_nodes, ..*limits };
    let mut settling = Settling::new(told);
    let start = settling.settle_state(0, limits, halt)?;
    Ok(settling.number(start))
}

struct Settling<'a> {
    told: &'a Told,
    /// Endings, sorted and distinct.
    endings: Vec<Ending>,
    nodes: Interned<Target>,
    /// State of each loop head.
    ports: Vec<u32>,
    states: Vec<Progress>,
    dice: Vec<Option<Target>>,
    /// Node of each tally of the steps.
    tolled: Vec<Option<Target>>,
    /// Tally nodes, in the order of their nodes, and the targets of equal tallies.
    tolls: Vec<Toll>,
    nodes_of_tolls: FxHashMap<(u8, i64, Target), Target>,
    /// States and dice in progress, the outermost first.
    open: Vec<Next>,
    branches: Vec<Branch<Target>>,
    grouped: Vec<Branch<Target>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Untouched,
    Open,
    OpenWithPort(u32),
    Settled(Target),
}

impl<'a> Settling<'a> {
    fn new(told: &'a Told) -> Self {
        let mut settling = Settling {
            told,
            endings: Vec::new(),
            nodes: Interned::default(),
            ports: Vec::new(),
            states: vec![Progress::Untouched; told.states.len()],
            dice: vec![None; told.dice.list().len()],
            tolled: vec![None; told.tolls.len()],
            tolls: Vec::new(),
            nodes_of_tolls: FxHashMap::default(),
            open: Vec::new(),
            branches: Vec::new(),
            grouped: Vec::new(),
        };
        settling.settle_endings();
        settling
    }

    /// Numbers the endings in the order of their values and reduces the states that are over.
    fn settle_endings(&mut self) {
        let mut over: Vec<&(Ending, u32)> = self.told.endings.iter().collect();
        over.sort_unstable();
        for (ending, state) in over {
            if self.endings.last() != Some(ending) {
                self.endings.push(*ending);
            }
            let target = Target::Ending(self.endings.len() as u32 - 1);
            self.states[*state as usize] = Progress::Settled(target);
        }
    }

    fn settle_state(
        &mut self,
        state: u32,
        limits: &Limits,
        halt: &Halt,
    ) -> Result<Target, Unsolved> {
        // An explicit stack, because futures nest as deep as the contest is long.
        self.open.push(Next::State(state));
        while let Some(&top) = self.open.last() {
            let settled = match top {
                Next::State(state) => self.try_state(state),
                Next::Die(die) => self.try_die(die),
                Next::Toll(toll) => self.try_toll(toll),
                Next::Choice(_) => unreachable!("what is settled comes after the decisions"),
            };
            match settled {
                Ok(()) => drop(self.open.pop()),
                Err(first) => self.open.push(first),
            }
            within(self.nodes.list().len(), limits.nodes, "nodes")?;
            halt.unless_asked()?;
        }
        match self.states[state as usize] {
            Progress::Settled(target) => Ok(target),
            _ => unreachable!("the loop ends when the outermost state is settled"),
        }
    }

    /// Reduces a state, or returns the target that must be reduced first.
    fn try_state(&mut self, state: u32) -> Result<(), Next> {
        let index = state as usize;
        // A state that is over was reduced with the endings.
        if let Some(first) = self.told.states[index] {
            if self.states[index] == Progress::Untouched {
                self.states[index] = Progress::Open;
            }
            self.states[index] = Progress::Settled(self.target(first)?);
        }
        Ok(())
    }

    /// Reduces a die, or returns the target that must be reduced first.
    fn try_die(&mut self, die: u32) -> Result<(), Next> {
        let told = self.told;
        let index = die as usize;
        // Started from scratch each time a target had to be reduced first; reduced targets are
        // looked up at once.
        self.branches.clear();
        for branch in told.dice.list().branches(index) {
            let to = self.target(branch.to)?;
            let faces = branch.faces;
            self.branches.push(Branch { to, faces });
        }
        group(&self.branches, &mut self.grouped);
        self.dice[index] = Some(match self.grouped[..] {
            // Different states may have one future: only here does the die that distinguished them
            // vanish.
            [only] => only.to,
            _ => Target::Node(self.nodes.insert(told.dice.list().sides(index), &self.grouped)),
        });
        Ok(())
    }

    /// Reduces a tally, or returns the target that must be reduced first.
    fn try_toll(&mut self, toll: u32) -> Result<(), Next> {
        let told = self.told.tolls[toll as usize];
        let to = self.target(told.to)?;
        let (counter, amount) = (told.counter, told.amount);
        let (nodes, tolls) = (&mut self.nodes, &mut self.tolls);
        let target = self.nodes_of_tolls.entry((counter, amount, to));
        self.tolled[toll as usize] = Some(*target.or_insert_with(|| {
            let node = nodes.append(1, &[Branch { to, faces: 1 }]);
            tolls.push(Toll { node: node as usize, counter, amount });
            Target::Node(node)
        }));
        Ok(())
    }

    /// Returns the reduced target of `next`; a state in progress is reached through its loop head.
    fn target(&mut self, next: Next) -> Result<Target, Next> {
        let next = self.told.decided(next);
        match next {
            Next::Die(die) => self.dice[die as usize].ok_or(next),
            Next::Toll(toll) => self.tolled[toll as usize].ok_or(next),
            Next::Choice(_) => Err(next),
            Next::State(state) => match self.states[state as usize] {
                Progress::Settled(target) => Ok(target),
                Progress::OpenWithPort(port) => Ok(Target::Port(port)),
                Progress::Open => Ok(self.new_port(state)),
                Progress::Untouched => Err(next),
            },
        }
    }

    fn new_port(&mut self, state: u32) -> Target {
        let port = self.ports.len() as u32;
        self.ports.push(state);
        self.states[state as usize] = Progress::OpenWithPort(port);
        Target::Port(port)
    }

    /// Numbers the vertices: endings, loop heads, nodes.
    fn number(self, start: Target) -> DieGraph {
        let first_port = self.endings.len() as u32;
        let first_node = first_port + self.ports.len() as u32;
        let place = |target| match target {
            Target::Ending(index) => index,
            Target::Port(index) => first_port + index,
            Target::Node(index) => first_node + index,
        };
        let port = |&state: &u32| match self.states[state as usize] {
            Progress::Settled(target) => place(target),
            _ => unreachable!("a state with a port was open, and every open state is settled"),
        };
        DieGraph {
            ports: self.ports.iter().map(port).collect(),
            nodes: self.nodes.list().leading(|&target| place(target)),
            start: place(start),
            states: self.told.states.len(),
            endings: self.endings,
            tolls: self.tolls,
            counters: 0,
            repeated: None,
        }
    }
}
