//! First pass: explores every state by playing its step with every sequence of faces and options.
//!
//! The dice here show a prefix of given faces and then 1; after each run the last face is raised,
//! as on an odometer. The result of a run is folded at once: when a die has shown its last face,
//! its faces are grouped and it becomes a node whose branches lead to states or to other dice of
//! the same step. A decision is a die whose options stay separate and in order; a tally between two
//! dice becomes a tally node on the edge from one to the other.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::intern::{InternedNodes, group_branches};
use super::limits::{Limits, check_limit};
use super::node::Branch;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::{AnyCombat, Decision, Ending, StateNumbering};
use enfilade_model::dice::Dice;
use enfilade_model::error::RuleError;
use enfilade_model::form::Fault;

/// Transitions of every state of a combat.
#[derive(Default)]
pub(super) struct TransitionSystem {
    /// First die of the step by state number; `None` if the combat is over there.
    pub(super) states: Vec<Option<StepTarget>>,
    /// States where the combat is over, each with its ending.
    pub(super) endings: Vec<(Ending, u32)>,
    /// Dice of all steps.
    pub(super) dice: InternedNodes<StepTarget>,
    /// Decisions of all steps; none are shared.
    pub(super) choices: Vec<DecisionVertex>,
    /// Largest number of nodes.
    pub(super) most_nodes: usize,
    /// Tallies of all steps.
    pub(super) tolls: IndexSet<TallyEdge, FxBuildHasher>,
}

impl TransitionSystem {
    /// Returns the target after the decision at `next`, and after any decision that follows it
    /// directly.
    pub(super) fn skip_decisions(&self, mut next: StepTarget) -> StepTarget {
        while let StepTarget::Choice(choice) = next {
            next = self.choices[choice as usize].chosen_successor();
        }
        next
    }

    fn push_decision(&mut self, decision: u8, branches: &[Branch<StepTarget>]) -> StepTarget {
        self.choices.push(DecisionVertex {
            decision,
            options: branches.iter().map(|branch| branch.to).collect(),
            chosen_option: 0,
            mixture: None,
            view: None,
        });
        StepTarget::Choice(self.choices.len() as u32 - 1)
    }

    fn push_tally(&mut self, toll: TallyEdge) -> StepTarget {
        if toll.amount == 0 {
            return toll.to;
        }
        StepTarget::Toll(self.tolls.insert_full(toll).0 as u32)
    }

    fn node_count(&self) -> usize {
        self.dice.as_list().len() + self.choices.len() + self.tolls.len()
    }
}

/// Decision of a step.
pub(super) struct DecisionVertex {
    /// Index among the decisions of the combat.
    pub(super) decision: u8,
    /// Target by option.
    pub(super) options: Vec<StepTarget>,
    /// Option taken, from 0; the first until the decision is solved.
    pub(super) chosen_option: usize,
    /// First die of a mixture of the options, once the decision is solved.
    pub(super) mixture: Option<StepTarget>,
    /// Numbers that the player sees, if they do not see the whole state.
    pub(super) view: Option<Box<[i64]>>,
}

impl DecisionVertex {
    /// Returns the target of the option taken, or the die that draws one.
    pub(super) fn chosen_successor(&self) -> StepTarget {
        self.mixture.unwrap_or(self.options[self.chosen_option])
    }
}

/// Tally on the edge to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TallyEdge {
    pub(super) counter: u8,
    pub(super) amount: i64,
    pub(super) to: StepTarget,
}

/// Target of a face within one step: another die of the step, a decision before its first die, or
/// the state after it; perhaps through a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum StepTarget {
    Die(u32),
    State(u32),
    Choice(u32),
    Toll(u32),
}

impl From<StepTarget> for u64 {
    fn from(next: StepTarget) -> u64 {
        match next {
            StepTarget::Die(die) => u64::from(die),
            StepTarget::State(state) => u64::from(state) | 1 << 32,
            StepTarget::Choice(choice) => u64::from(choice) | 2 << 32,
            StepTarget::Toll(toll) => u64::from(toll) | 3 << 32,
        }
    }
}

/// Largest number of nodes for each state of a contest that may never end.
const NODES_PER_STATE: usize = 4;

/// Explores every step of every reachable state of `combat`, numbered by `states`, with every
/// sequence of faces and options. `goes_round` returns whether the transitions so far contain a
/// cycle.
pub(super) fn explore_states(
    combat: &AnyCombat,
    states: &mut dyn StateNumbering,
    limits: &Limits,
    goes_round: &dyn Fn(&TransitionSystem) -> bool,
    halt: &CancelToken,
) -> Result<TransitionSystem, SolveError> {
    let mut told = TransitionSystem { most_nodes: limits.nodes, ..TransitionSystem::default() };
    let mut most = limits.states;
    let mut replay = ReplayDice {
        decisions: combat.decisions(),
        counters: combat.counter_count(),
        ..ReplayDice::default()
    };
    states.initial_state();
    // A step may reach new states, so the list grows during the loop: in order of first visit.
    while told.states.len() < states.state_count() {
        let state = told.states.len() as u32;
        let first = match states.ending(state) {
            Some(ending) => {
                told.endings.push((ending, state));
                None
            }
            None => {
                let before = told.choices.len();
                let first = replay.explore_step(state, states, &mut told, limits, halt)?;
                for choice in &mut told.choices[before..] {
                    choice.view = states.view(state);
                }
                Some(first)
            }
        };
        told.states.push(first);
        // For a contest that may never end only the graph determines the result, so it gets the
        // higher limit.
        if states.state_count() > most && most < limits.endless && goes_round(&told) {
            most = limits.endless;
            told.most_nodes = limits.nodes.max(NODES_PER_STATE * most);
        }
        check_limit(states.state_count(), most, "states")?;
        combat.fault().map_or(Ok(()), Err)?;
    }
    Ok(told)
}

/// Number of face sequences of one step between two cancellation checks: some milliseconds.
const SEQUENCES_PER_CHECK: usize = 1 << 14;

/// Dice of an exploration: those already on the table, in the order in which the step rolls them.
#[derive(Default)]
struct ReplayDice<'a> {
    decisions: &'a [Decision],
    counters: usize,
    thrown: Vec<ReplayedRoll>,
    /// Number of these dice that the current run has rolled.
    rolled: usize,
    /// Targets of the faces shown so far, the outermost die first.
    branches: Vec<Branch<StepTarget>>,
    grouped: Vec<Branch<StepTarget>>,
    /// Tallies of the current run: the number of dice before, the counter and the amount.
    tolls: Vec<(usize, u8, i64)>,
    sequences: usize,
    mishap: Option<RuleError>,
}

/// Die of a step that shows one face after another, or a decision that takes one option after
/// another.
#[derive(Clone, Copy)]
struct ReplayedRoll {
    sides: u8,
    face: u8,
    /// Index of the decision; `None` for a die.
    decision: Option<u8>,
    /// Start of its branches in `Replay::branches`.
    first_branch: usize,
}

impl Dice for ReplayDice<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(sides >= 1, "a die has at least one side");
        if self.rolled == self.thrown.len() {
            self.push_die(sides, None);
        }
        // PERF: by reference, for a face just raised is slow to load as part of a wider word.
        let thrown = &self.thrown[self.rolled];
        assert!(thrown.sides == sides, "a step depends on nothing but its state and the faces");
        self.rolled += 1;
        thrown.face
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        if let Err(fault) = self.check_decision(decision, options) {
            self.mishap = Some(RuleError::new(fault));
            return 1;
        }
        if self.rolled == self.thrown.len() {
            self.push_die(options, Some(decision));
        }
        let thrown = &self.thrown[self.rolled];
        assert!(
            (thrown.sides, thrown.decision) == (options, Some(decision)),
            "a step depends on nothing but its state, the faces and the options"
        );
        self.rolled += 1;
        thrown.face
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        if usize::from(counter) < self.counters && amount != 0 {
            self.tolls.push((self.rolled, counter, amount.into()));
        }
    }
}

impl ReplayDice<'_> {
    fn push_die(&mut self, sides: u8, decision: Option<u8>) {
        self.thrown.push(ReplayedRoll {
            sides,
            face: 1,
            decision,
            first_branch: self.branches.len(),
        });
    }

    /// Checks that the combat declares a decision with this number of options, and that it comes
    /// before the dice.
    fn check_decision(&self, decision: u8, options: u8) -> Result<(), Fault> {
        let Some(declared) = self.decisions.get(usize::from(decision)) else {
            let problem = format!("the rule uses decision {decision} but declares only");
            let count = self.decisions.len();
            return Err(Fault::new("", format!("{problem} {count}, counted from 0")));
        };
        let (name, known) = (&declared.name, declared.options.len());
        if known != usize::from(options) {
            let problem = format!("decision `{name}` has {known} options, but the rule uses");
            return Err(Fault::new("", format!("{problem} {options}")));
        }
        let before = self.rolled.checked_sub(1).map(|last| self.thrown[last]);
        if before.is_some_and(|thrown| thrown.decision.is_none()) {
            let problem = format!("decision `{name}` comes after a die in the same step");
            let help = "end the step after the die, so that the face becomes part of the state";
            return Err(Fault::new("", problem).with_help(help));
        }
        Ok(())
    }

    /// Explores the step of one state with every sequence of faces.
    fn explore_step(
        &mut self,
        state: u32,
        states: &mut dyn StateNumbering,
        told: &mut TransitionSystem,
        limits: &Limits,
        halt: &CancelToken,
    ) -> Result<StepTarget, SolveError> {
        halt.check()?;
        loop {
            self.rolled = 0;
            self.tolls.clear();
            let next = StepTarget::State(states.step(state, self));
            self.mishap.take().map_or(Ok(()), Err)?;
            self.sequences += 1;
            if self.sequences.is_multiple_of(SEQUENCES_PER_CHECK) {
                halt.check()?;
            }
            // Counted over all steps: many small steps take as long as one large one.
            check_limit(self.sequences, limits.sequences, "sequences of faces")?;
            check_limit(states.state_count(), limits.states.max(limits.endless), "states")?;
            if let Some(first) = self.record_run(next, told) {
                check_limit(told.node_count(), told.most_nodes, "nodes")?;
                return Ok(first);
            }
        }
    }

    /// Records the target of the faces on the table, turns dice that have shown their last face
    /// into nodes, and raises the face of the innermost die left. Returns the first die of the step
    /// once none is left.
    fn record_run(
        &mut self,
        mut next: StepTarget,
        told: &mut TransitionSystem,
    ) -> Option<StepTarget> {
        next = self.pass_tallies(next, told);
        while let Some(thrown) = self.thrown.last_mut() {
            // As on an odometer, a die turns when the one after it has shown its last face.
            self.branches.push(Branch { to: next, faces: 1 });
            if thrown.face < thrown.sides {
                thrown.face += 1;
                return None;
            }
            let ReplayedRoll { sides, decision, first_branch: first, .. } = *thrown;
            self.thrown.pop();
            next = match decision {
                Some(decision) => told.push_decision(decision, &self.branches[first..]),
                None => {
                    group_branches(&self.branches[first..], &mut self.grouped);
                    match self.grouped[..] {
                        // All faces lead to the same target, so the die changes nothing and
                        // vanishes.
                        [only] => only.to,
                        _ => StepTarget::Die(told.dice.insert(sides, &self.grouped)),
                    }
                }
            };
            self.branches.truncate(first);
            next = self.pass_tallies(next, told);
        }
        Some(next)
    }

    /// Returns `next` behind the tallies that the run recorded directly before it, after the dice
    /// on the table. Each counter has one tally, in the order of the counters.
    #[inline]
    fn pass_tallies(&mut self, next: StepTarget, told: &mut TransitionSystem) -> StepTarget {
        if self.tolls.is_empty() {
            return next;
        }
        let depth = self.thrown.len();
        let first = self.tolls.partition_point(|(after, ..)| *after < depth);
        let mut paid = self.tolls.split_off(first);
        paid.sort_unstable();
        paid.chunk_by(|a, b| a.1 == b.1).rev().fold(next, |to, same| {
            let amount = same.iter().map(|(.., amount)| amount).sum();
            let counter = same[0].1;
            told.push_tally(TallyEdge { counter, amount, to })
        })
    }
}
