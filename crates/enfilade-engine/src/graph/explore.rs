//! First pass: explores every state by playing its step with every sequence of faces and options.
//!
//! The dice here show a prefix of given faces and then 1; after each run the last face is raised,
//! as on an odometer. The result of a run is folded at once: when a die has shown its last face,
//! its faces are grouped and it becomes a node whose branches lead to states or to other dice of
//! the same step. A decision is a die whose options stay separate and in order; a tally between two
//! dice becomes a tally node on the edge from one to the other.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::compile_limits::{CompiledContestLimits, check_size_limit};
use super::node::FacesWithSameTarget;
use super::node_interning::{DistinctNodes, merge_adjacent_equal_targets};
use super::pool_throw::SumOrHitCountPool;
use crate::cancel::CancelToken;
use crate::error::SolveError;
use enfilade_model::combat::{AnyCombat, Decision, Ending, StateNumbering};
use enfilade_model::dice::{Dice, OpenOptions};
use enfilade_model::error::RuleRuntimeError;
use enfilade_model::form::Fault;

/// Transitions of every state of a combat.
#[derive(Default)]
pub(super) struct TransitionSystem {
    /// First die of the step by state number; `None` if the combat is over there.
    pub(super) states: Vec<Option<NextRollOrState>>,
    /// States where the combat is over, each with its ending.
    pub(super) endings: Vec<(Ending, u32)>,
    /// Dice of all steps.
    pub(super) dice: DistinctNodes<NextRollOrState>,
    /// Decisions of all steps; none are shared.
    pub(super) choices: Vec<DecisionVertex>,
    /// Largest number of nodes.
    pub(super) most_nodes: usize,
    /// Tallies of all steps.
    pub(super) tallies: IndexSet<TallyEdge, FxBuildHasher>,
}

impl TransitionSystem {
    /// Returns the target after the decision at `next`, and after any decision that follows it
    /// directly.
    pub(super) fn target_after_decisions(&self, mut next: NextRollOrState) -> NextRollOrState {
        while let NextRollOrState::Choice(choice) = next {
            next = self.choices[choice as usize].target_of_chosen();
        }
        next
    }

    fn push_decision_vertex(
        &mut self,
        decision: u8,
        open: OpenOptions,
        branches: &[FacesWithSameTarget<NextRollOrState>],
    ) -> NextRollOrState {
        self.choices.push(DecisionVertex {
            decision,
            open,
            options: branches.iter().map(|branch| branch.to).collect(),
            chosen_option: 0,
            mixture: None,
            view: None,
        });
        NextRollOrState::Choice(self.choices.len() as u32 - 1)
    }

    /// Returns the die with these branches by face; their target if all lead to the same one.
    pub(super) fn die_node_or_sole_target(
        &mut self,
        sides: u8,
        branches: &[FacesWithSameTarget<NextRollOrState>],
        grouped: &mut Vec<FacesWithSameTarget<NextRollOrState>>,
    ) -> NextRollOrState {
        merge_adjacent_equal_targets(branches, grouped);
        match grouped[..] {
            // The die changes nothing and vanishes.
            [only] => only.to,
            _ => NextRollOrState::Die(self.dice.insert_or_find(sides, grouped)),
        }
    }

    fn push_tally_edge(&mut self, tally: TallyEdge) -> NextRollOrState {
        if tally.amount == 0 {
            return tally.to;
        }
        NextRollOrState::Tally(self.tallies.insert_full(tally).0 as u32)
    }

    fn total_node_count(&self) -> usize {
        self.dice.as_list().len() + self.choices.len() + self.tallies.len()
    }
}

/// Decision of a step.
pub(super) struct DecisionVertex {
    /// Index among the decisions of the combat.
    pub(super) decision: u8,
    /// Options that are open.
    pub(super) open: OpenOptions,
    /// Target by open option.
    pub(super) options: Vec<NextRollOrState>,
    /// Open option taken, from 0; the first until the decision is solved.
    pub(super) chosen_option: usize,
    /// First die of a mixture of the options, once the decision is solved.
    pub(super) mixture: Option<NextRollOrState>,
    /// Numbers that the player sees, if they do not see the whole state.
    pub(super) view: Option<Box<[i64]>>,
}

impl DecisionVertex {
    /// Returns the target of the option taken, or the die that draws one.
    pub(super) fn target_of_chosen(&self) -> NextRollOrState {
        self.mixture.unwrap_or(self.options[self.chosen_option])
    }

    /// Returns the number of an open option, from 1, given its place among these, from 0.
    pub(super) fn number_of_open_option_at(&self, place: usize) -> u8 {
        self.open.iter().nth(place).unwrap_or(1)
    }

    /// Returns the place among the open options of the option with a number.
    pub(super) fn place_among_open_options(&self, number: u8) -> Option<usize> {
        self.open.iter().position(|open| open == number)
    }

    /// Returns the open options with their targets.
    pub(super) fn numbered_options(&self) -> impl Iterator<Item = (u8, NextRollOrState)> {
        self.open.iter().zip(self.options.iter().copied())
    }

    /// Returns a value by option, given those of the open options, and another for closed ones.
    pub(super) fn fill_values_for_closed<T: Clone>(
        &self,
        count: usize,
        values: impl Iterator<Item = T>,
        closed: T,
    ) -> Vec<T> {
        let mut filled = vec![closed; count];
        for (number, value) in self.open.iter().zip(values) {
            if let Some(place) = filled.get_mut(usize::from(number) - 1) {
                *place = value;
            }
        }
        filled
    }
}

/// Tally on the edge to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TallyEdge {
    pub(super) counter: u8,
    pub(super) amount: i64,
    pub(super) to: NextRollOrState,
}

/// Target of a face within one step: another die of the step, a decision before its first die, or
/// the state after it; perhaps through a tally.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum NextRollOrState {
    Die(u32),
    State(u32),
    Choice(u32),
    Tally(u32),
}

impl From<NextRollOrState> for u64 {
    fn from(next: NextRollOrState) -> u64 {
        match next {
            NextRollOrState::Die(die) => u64::from(die),
            NextRollOrState::State(state) => u64::from(state) | 1 << 32,
            NextRollOrState::Choice(choice) => u64::from(choice) | 2 << 32,
            NextRollOrState::Tally(tally) => u64::from(tally) | 3 << 32,
        }
    }
}

/// Number of states between two notes of how many there are.
const STATES_PER_NOTE: usize = 1 << 12;

/// Largest number of nodes for each state of a contest that may never end.
const MAX_NODES_PER_STATE: usize = 4;

/// Explores every step of every reachable state of `combat`, numbered by `states`, with every
/// sequence of faces and options. `goes_round` returns whether the transitions so far contain a
/// cycle.
pub(super) fn explore_all_states(
    combat: &AnyCombat,
    states: &mut dyn StateNumbering,
    limits: &CompiledContestLimits,
    goes_round: &dyn Fn(&TransitionSystem) -> bool,
    halt: &CancelToken,
) -> Result<TransitionSystem, SolveError> {
    let mut transitions =
        TransitionSystem { most_nodes: limits.nodes, ..TransitionSystem::default() };
    let mut most = limits.states;
    let mut replay = ExplorationDice {
        decisions: combat.decisions(),
        counters: combat.counter_count(),
        ..ExplorationDice::default()
    };
    states.initial_state();
    // A step may reach new states, so the list grows during the loop: in order of first visit.
    while transitions.states.len() < states.reached_state_count() {
        let state = transitions.states.len() as u32;
        let first = match states.ending_of_state(state) {
            Some(ending) => {
                transitions.endings.push((ending, state));
                None
            }
            None => {
                let before = transitions.choices.len();
                let first =
                    replay.explore_step_outcomes(state, states, &mut transitions, limits, halt)?;
                for choice in &mut transitions.choices[before..] {
                    choice.view = states.visible_state_values(state);
                }
                Some(first)
            }
        };
        transitions.states.push(first);
        if transitions.states.len().is_multiple_of(STATES_PER_NOTE) {
            halt.note_explored_states(states.reached_state_count());
        }
        // For a contest that may never end only the graph determines the result, so it gets the
        // higher limit.
        if states.reached_state_count() > most && most < limits.endless && goes_round(&transitions)
        {
            most = limits.endless;
            transitions.most_nodes = limits.nodes.max(MAX_NODES_PER_STATE * most);
        }
        check_size_limit(states.reached_state_count(), most, "states")?;
        combat.recorded_rule_fault().map_or(Ok(()), Err)?;
    }
    Ok(transitions)
}

/// Number of face sequences of one step between two cancellation checks: some milliseconds.
const SEQUENCES_PER_CANCEL_CHECK: usize = 1 << 14;

/// Dice of an exploration: those already on the table, in the order in which the step rolls them.
#[derive(Default)]
struct ExplorationDice<'a> {
    decisions: &'a [Decision],
    counters: usize,
    rolls: Vec<ReplayedDieOrDecision>,
    /// Open options of the decisions among these dice, which come before all others.
    opens: Vec<OpenOptions>,
    /// Number of these dice that the current run has rolled.
    rolled: usize,
    /// Targets of the faces shown so far, the outermost die first.
    branches: Vec<FacesWithSameTarget<NextRollOrState>>,
    grouped: Vec<FacesWithSameTarget<NextRollOrState>>,
    /// Tallies of the current run: the number of dice before, the counter and the amount.
    tallies: Vec<(usize, u8, i64)>,
    sequences: usize,
    error: Option<RuleRuntimeError>,
}

/// Kind of a roll.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RollKind {
    Die,
    Pool(SumOrHitCountPool),
    /// Decision, by its index.
    Decision(u8),
}

/// Die of a step that shows one face after another, or a decision that takes one option after
/// another.
#[derive(Clone, Copy)]
struct ReplayedDieOrDecision {
    face: u16,
    /// Last face; the number of options of a decision, or of totals of a pool.
    last: u16,
    kind: RollKind,
    /// Start of its branches in `Replay::branches`.
    first_branch: usize,
}

impl Dice for ExplorationDice<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(sides >= 1, "a die has at least one side");
        if self.rolled == self.rolls.len() {
            self.push_roll(sides.into(), RollKind::Die);
        }
        // PERF: by reference, for a face just raised is slow to load as part of a wider word.
        let choice = &self.rolls[self.rolled];
        assert!(
            choice.last == u16::from(sides) && choice.kind == RollKind::Die,
            "a step depends on nothing but its state and the faces"
        );
        self.rolled += 1;
        choice.face as u8
    }

    fn pool_sum_or_successes(&mut self, count: u8, sides: u8, least: Option<u8>) -> u16 {
        match (count, least) {
            (0, _) => 0,
            (_, Some(..=1)) => count.into(),
            (_, Some(least)) if least > sides => 0,
            _ => self.throw_pool_total(SumOrHitCountPool { count, sides, least }),
        }
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        self.choose_among_open(decision, options, OpenOptions::all(options))
    }

    fn choose_among_open(&mut self, decision: u8, options: u8, open: OpenOptions) -> u8 {
        if let Err(fault) = self.check_declared_decision(decision, options) {
            self.error = Some(RuleRuntimeError::new(fault));
            return 1;
        }
        if self.rolled == self.rolls.len() {
            self.push_roll(options.into(), RollKind::Decision(decision));
            self.opens.push(open);
            if let (Some(roll), Some(first)) = (self.rolls.last_mut(), open.first()) {
                roll.face = first.into();
            }
        }
        let thrown = &self.rolls[self.rolled];
        assert!(
            (thrown.last, thrown.kind) == (options.into(), RollKind::Decision(decision)),
            "a step depends on nothing but its state, the faces and the options"
        );
        self.rolled += 1;
        thrown.face as u8
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        if usize::from(counter) < self.counters && amount != 0 {
            self.tallies.push((self.rolled, counter, amount.into()));
        }
    }
}

impl ExplorationDice<'_> {
    fn push_roll(&mut self, last: u16, kind: RollKind) {
        self.rolls.push(ReplayedDieOrDecision {
            face: 1,
            last,
            kind,
            first_branch: self.branches.len(),
        });
    }

    /// Returns the total of a pool, which is one roll.
    fn throw_pool_total(&mut self, pool: SumOrHitCountPool) -> u16 {
        if self.rolled == self.rolls.len() {
            self.push_roll(pool.number_of_totals(), RollKind::Pool(pool));
        }
        let thrown = &self.rolls[self.rolled];
        assert!(
            thrown.kind == RollKind::Pool(pool),
            "a step depends on nothing but its state and the faces"
        );
        self.rolled += 1;
        pool.total_with_number(thrown.face)
    }

    /// Checks that the combat declares a decision with this number of options, and that it comes
    /// before the dice.
    fn check_declared_decision(&self, decision: u8, options: u8) -> Result<(), Fault> {
        let Some(declared) = self.decisions.get(usize::from(decision)) else {
            let problem = format!("the rule uses decision {decision} but declares only");
            let count = self.decisions.len();
            return Err(Fault::new("", format!("{problem} {count}, counted from 0")));
        };
        let (name, option_count) = (&declared.name, declared.options.len());
        if option_count != usize::from(options) {
            let problem =
                format!("decision `{name}` has {option_count} options, but the rule uses");
            return Err(Fault::new("", format!("{problem} {options}")));
        }
        let before = self.rolled.checked_sub(1).map(|last| self.rolls[last]);
        if before.is_some_and(|choice| !matches!(choice.kind, RollKind::Decision(_))) {
            let problem = format!("decision `{name}` comes after a die in the same step");
            let help = "end the step after the die, so that the face becomes part of the state";
            return Err(Fault::new("", problem).with_help(help));
        }
        Ok(())
    }

    /// Explores the step of one state with every sequence of faces.
    fn explore_step_outcomes(
        &mut self,
        state: u32,
        states: &mut dyn StateNumbering,
        transitions: &mut TransitionSystem,
        limits: &CompiledContestLimits,
        halt: &CancelToken,
    ) -> Result<NextRollOrState, SolveError> {
        halt.check_not_cancelled()?;
        loop {
            self.rolled = 0;
            self.tallies.clear();
            let next = NextRollOrState::State(states.play_one_step(state, self));
            self.error.take().map_or(Ok(()), Err)?;
            self.sequences += 1;
            if self.sequences.is_multiple_of(SEQUENCES_PER_CANCEL_CHECK) {
                halt.check_not_cancelled()?;
            }
            // Counted over all steps: many small steps take as long as one large one.
            check_size_limit(self.sequences, limits.sequences, "sequences of faces")?;
            check_size_limit(
                states.reached_state_count(),
                limits.states.max(limits.endless),
                "states",
            )?;
            if let Some(first) = self.record_and_advance_faces(next, transitions) {
                check_size_limit(transitions.total_node_count(), transitions.most_nodes, "nodes")?;
                return Ok(first);
            }
        }
    }

    /// Records the target of the faces on the table, turns dice that have shown their last face
    /// into nodes, and raises the face of the innermost die left. Returns the first die of the step
    /// once none is left.
    fn record_and_advance_faces(
        &mut self,
        mut next: NextRollOrState,
        transitions: &mut TransitionSystem,
    ) -> Option<NextRollOrState> {
        next = self.insert_tallies_before(next, transitions);
        while let Some(choice) = self.rolls.last_mut() {
            // As on an odometer, a die turns when the one after it has shown its last face.
            self.branches.push(FacesWithSameTarget { to: next, faces: 1 });
            let open = match choice.kind {
                RollKind::Decision(_) => self.opens.last().copied(),
                RollKind::Die | RollKind::Pool(_) => None,
            };
            let following = match open {
                Some(open) => open.after(choice.face as u8).map(u16::from),
                None => (choice.face < choice.last).then_some(choice.face + 1),
            };
            if let Some(face) = following {
                choice.face = face;
                return None;
            }
            let ReplayedDieOrDecision { last, kind, first_branch: first, .. } = *choice;
            self.rolls.pop();
            let branches = &self.branches[first..];
            next = match kind {
                RollKind::Die => {
                    transitions.die_node_or_sole_target(last as u8, branches, &mut self.grouped)
                }
                RollKind::Pool(pool) => transitions.push_pool(pool, branches),
                RollKind::Decision(decision) => {
                    self.opens.pop();
                    let open = open.unwrap_or(OpenOptions::all(last as u8));
                    transitions.push_decision_vertex(decision, open, branches)
                }
            };
            self.branches.truncate(first);
            next = self.insert_tallies_before(next, transitions);
        }
        Some(next)
    }

    /// Returns `next` behind the tallies that the run recorded directly before it, after the dice
    /// on the table. Each counter has one tally, in the order of the counters.
    #[inline]
    fn insert_tallies_before(
        &mut self,
        next: NextRollOrState,
        transitions: &mut TransitionSystem,
    ) -> NextRollOrState {
        if self.tallies.is_empty() {
            return next;
        }
        let depth = self.rolls.len();
        let first = self.tallies.partition_point(|(after, ..)| *after < depth);
        let mut paid = self.tallies.split_off(first);
        paid.sort_unstable();
        paid.chunk_by(|a, b| a.1 == b.1).rev().fold(next, |to, same| {
            let amount = same.iter().map(|(.., amount)| amount).sum();
            let counter = same[0].1;
            transitions.push_tally_edge(TallyEdge { counter, amount, to })
        })
    }
}

#[cfg(test)]
#[path = "../../tests/by_hand/replayed_steps.rs"]
mod replayed_steps;
