//! Combats in sequence: the ending of the first selects the second.
//!
//! A chain is again one combat, so that every engine plays it, and its distribution is that of all
//! its combats together. The combat that follows each ending is determined before the first die:
//! the [situations](ChainedCombatStart) in which a combat begins are a list, and the transitions
//! between them may form cycles.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::any_combat::{AnyCombat, ErasedCombat};
use super::decisions::Decision;
use super::ending::{Ending, FieldChange, MAX_OUTCOME_COLUMNS, OutcomeRow};
use super::frontier::{
    EndingsAndFrontierParts, FrontierStateSet, OpenStatesOfShard, StateNumbering,
};
use super::rule::CombatStepExplanation;
use super::state_set::StateSet;
use super::vocabulary::{OUTSIDE_CONDITION, ResultColumns};
use crate::dice::{Dice, RolledDie};
use crate::error::RuleRuntimeError;
use crate::state_hash::StateHasherBuilder;

/// Parts of a chain: combats, the situations in which they begin, and places of their columns.
#[derive(Debug, Default)]
pub struct ChainCombatsAndLayout {
    /// Combats of the chain.
    pub combats: Vec<AnyCombat>,
    /// Situations in which a combat begins; the chain starts with the first.
    pub situations: Vec<ChainedCombatStart>,
    /// Places of the columns, by step.
    pub columns: Vec<StepColumnPlacement>,
    /// Name of each step in explanations.
    pub names: Vec<String>,
}

/// Beginning of one of the combats.
#[derive(Debug, Default)]
pub struct ChainedCombatStart {
    /// Index of the combat.
    pub combat: usize,
    /// Index of the step.
    pub step: usize,
    /// Turn of the step, where turns are counted.
    pub turn: i32,
    /// Rank of the situation: never less than that of its predecessors.
    pub rank: u32,
    /// Whether a situation of the same rank may follow.
    pub returns: bool,
    /// Successors, by reported row and changed fields; after any other ending the chain is over.
    pub successors: HashMap<(OutcomeRow, Vec<FieldChange>), ChainEndingSuccessor>,
}

/// Successor of an ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChainEndingSuccessor {
    /// Situation that follows; `None` where the chain is over.
    pub to: Option<usize>,
    /// Counter of turns to increase by one.
    pub tallies: Option<u8>,
}

/// Places of a step's columns, and how those of another turn are merged.
#[derive(Debug, Default)]
pub struct StepColumnPlacement {
    /// Index of the first field.
    pub fields: usize,
    /// Index of the first measure.
    pub measures: usize,
    /// Merge of each field.
    pub of_fields: Vec<LastSumOrAnyOfTurns>,
    /// Merge of each measure.
    pub of_measures: Vec<LastSumOrAnyOfTurns>,
    /// Field and measure of the number of turns.
    pub turns: Option<(usize, usize)>,
}

/// Merge of a number over several turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastSumOrAnyOfTurns {
    /// The last number is used.
    Last,
    /// The numbers are added up.
    Sum,
    /// The number is 1 if any of them is.
    Any,
}

impl LastSumOrAnyOfTurns {
    fn merge_numbers_of_turns(self, so_far: i32, now: i32) -> i32 {
        match self {
            LastSumOrAnyOfTurns::Last => now,
            LastSumOrAnyOfTurns::Sum => so_far.saturating_add(now),
            LastSumOrAnyOfTurns::Any => so_far.max(now),
        }
    }
}

impl StepColumnPlacement {
    /// Merges an ending of this step and turn into the row so far.
    fn merge_ending_into_row(&self, so_far: &Ending, turn: i32, now: &Ending) -> Ending {
        let mut all = *so_far;
        let put = |row: &mut OutcomeRow, at, rules: &[LastSumOrAnyOfTurns], now: &OutcomeRow| {
            for ((place, rule), now) in row.iter_mut().skip(at).zip(rules).zip(now) {
                *place = rule.merge_numbers_of_turns(*place, *now);
            }
        };
        put(&mut all.fields, self.fields, &self.of_fields, &now.fields);
        put(&mut all.weights, self.measures, &self.of_measures, &now.weights);
        if let Some((field, measure)) = self.turns {
            all.fields[field] = turn;
            all.weights[measure] = turn;
        }
        all
    }
}

struct ChainedCombat {
    joined: ChainCombatsAndLayout,
    /// Group in which the chain begins.
    first: ContestStartWithRow,
    error: OnceLock<RuleRuntimeError>,
}

/// Situation with the row that was reported before it.
type ContestStartWithRow = (u32, Ending);

/// State of the chain: the index of its group, and the state's number there.
type ContestStartAndState = (u32, u32);

/// Groups that have been reached, each with a value.
type StartGroupMap<T> = IndexMap<ContestStartWithRow, T, StateHasherBuilder>;

const ALL_ZERO_ENDING: Ending =
    Ending { fields: [0; MAX_OUTCOME_COLUMNS], weights: [0; MAX_OUTCOME_COLUMNS] };

impl AnyCombat {
    /// Builds a chain of combats from `joined`, with all their columns side by side under `heads`.
    ///
    /// # Panics
    /// If they report more than [`MAX_OUTCOME_COLUMNS`] fields or measures together.
    pub fn from_chain(joined: ChainCombatsAndLayout, heads: ResultColumns) -> AnyCombat {
        assert!(
            heads.fields.len() <= MAX_OUTCOME_COLUMNS
                && heads.measures.len() <= MAX_OUTCOME_COLUMNS
        );
        // An action that is not reached meets no condition of its measures.
        let mut nothing = ALL_ZERO_ENDING;
        for (place, head) in nothing.weights.iter_mut().zip(&*heads.measures) {
            *place = if head.is_conditional() { OUTSIDE_CONDITION } else { 0 };
        }
        let chain = ChainedCombat { joined, first: (0, nothing), error: OnceLock::new() };
        AnyCombat::from_erased_combat(Box::new(chain), heads)
    }
}

impl ChainedCombat {
    fn situation_of_group(&self, group: &ContestStartWithRow) -> &ChainedCombatStart {
        &self.joined.situations[group.0 as usize]
    }

    fn combat_of_group(&self, group: &ContestStartWithRow) -> &AnyCombat {
        &self.joined.combats[self.situation_of_group(group).combat]
    }

    /// Returns the heading before the first explanation of a later step: `Then fire, turn 2: `.
    fn format_step_heading(&self, group: &ContestStartWithRow) -> String {
        let ChainedCombatStart { step, turn, .. } = self.situation_of_group(group);
        let name = self.joined.names.get(*step).filter(|_| *group != self.first);
        match name {
            None => String::new(),
            Some(name) if *turn > 0 => format!("Then {name}, turn {turn}: "),
            Some(name) => format!("Then {name}: "),
        }
    }

    /// Merges the ending of a group's combat into the row so far.
    fn merge_group_ending(
        &self,
        (situation, so_far): &ContestStartWithRow,
        ending: &Ending,
    ) -> Ending {
        // A combat with a fault ends with an empty row.
        if *ending == ALL_ZERO_ENDING
            && let Some(error) = self.combat_of_group(&(*situation, *so_far)).recorded_rule_fault()
        {
            self.error.get_or_init(|| error);
        }
        let situation = &self.joined.situations[*situation as usize];
        self.joined.columns[situation.step].merge_ending_into_row(so_far, situation.turn, ending)
    }

    /// Returns the successor of an ending of a group.
    fn find_next_contest(
        &self,
        group: &ContestStartWithRow,
        ending: &Ending,
        left: Vec<FieldChange>,
    ) -> ChainEndingSuccessor {
        let situation = self.situation_of_group(group).successors.get(&(ending.fields, left));
        // The chain is over after an ending that is not listed.
        situation.copied().unwrap_or_default()
    }

    /// Plays the combats in sequence; `play` plays one of them.
    fn play_chain_with(
        &self,
        mut tally: impl FnMut(u8),
        most: u64,
        mut play: impl FnMut(&ContestStartWithRow, &mut Vec<FieldChange>) -> Option<Ending>,
    ) -> Option<Ending> {
        let (mut group, mut left) = (self.first, Vec::new());
        // A chain may return to its first combat for ever, so its length is bounded like a trial's.
        for _ in 0..most {
            let ending = play(&group, &mut left)?;
            let all = self.merge_group_ending(&group, &ending);
            let way = self.find_next_contest(&group, &ending, std::mem::take(&mut left));
            way.tallies.into_iter().for_each(&mut tally);
            match way.to {
                Some(next) => group = (next as u32, all),
                None => return Some(all),
            }
        }
        None
    }
}

impl ErasedCombat for ChainedCombat {
    fn recorded_rule_fault(&self) -> Option<RuleRuntimeError> {
        self.error.get().cloned()
    }

    fn combats_of_chain(&self) -> Vec<(&AnyCombat, usize)> {
        let mut parts: Vec<_> = self.joined.combats.iter().map(|combat| (combat, 0)).collect();
        for situation in &self.joined.situations {
            parts[situation.combat].1 += 1;
        }
        parts
    }

    fn decisions(&self) -> &[Decision] {
        &[]
    }

    fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        Box::new(ChainNumbering::new(self, None))
    }

    fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        Box::new(FrontierOfStateGroups {
            chain: self,
            fronts: StartGroupMap::default(),
            states: StateSet::default(),
        })
    }

    fn new_stepwise_frontier(&self) -> Option<Box<dyn FrontierStateSet + '_>> {
        None
    }

    fn play_one_trial(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        _: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let dice = std::cell::RefCell::new(dice);
        self.play_chain_with(
            |counter| dice.borrow_mut().tally(counter, 1),
            max_steps,
            |group, left| {
                self.combat_of_group(group).play_trial_keeping_changes(
                    &mut **dice.borrow_mut(),
                    max_steps,
                    left,
                )
            },
        )
    }

    fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        _: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let dice = std::cell::RefCell::new(dice);
        self.play_chain_with(
            |counter| dice.borrow_mut().tally(counter, 1),
            u64::MAX,
            |group, left| {
                let mut head = self.format_step_heading(group);
                let mut listen = |rolls: &[RolledDie], telling: CombatStepExplanation| {
                    let text = std::mem::take(&mut head) + &telling.text;
                    listen(rolls, CombatStepExplanation { text, ..telling })
                };
                self.combat_of_group(group).play_explain_and_keep_changes(
                    &mut **dice.borrow_mut(),
                    &mut listen,
                    left,
                )
            },
        )
    }
}

/// Numbering of the states of a chain, on top of the numberings of its combats.
struct ChainNumbering<'a> {
    chain: &'a ChainedCombat,
    /// Numbering of each group: of its states, or of the successors of its front.
    groups: StartGroupMap<Box<dyn StateNumbering + 'a>>,
    states: StateSet<ContestStartAndState>,
    /// States that are stepped from, if not those reached; their groups come first, in order.
    front: Option<&'a StateSet<ContestStartAndState>>,
    /// Turns that have ended since the last die.
    turns: Vec<u8>,
}

impl<'a> ChainNumbering<'a> {
    fn new(chain: &'a ChainedCombat, front: Option<&'a FrontierOfStateGroups<'a>>) -> Self {
        let fronts = front.iter().flat_map(|front| &front.fronts);
        let groups =
            fronts.map(|(group, front)| (*group, front.new_successor_numbering())).collect();
        let front = front.map(|front| &front.states);
        ChainNumbering { chain, groups, states: StateSet::default(), front, turns: Vec::new() }
    }

    fn insert_start_group(&mut self, group: ContestStartWithRow) -> usize {
        if let Some(group_index) = self.groups.get_index_of(&group) {
            return group_index;
        }
        let states = self.chain.combat_of_group(&group).new_state_numbering();
        self.groups.insert_full(group, states).0
    }

    fn numbering_of_group(&self, group: usize) -> (&ContestStartWithRow, &dyn StateNumbering) {
        let group_index = self.groups.get_index(group);
        let (group, states) = group_index.expect("a place names a group that was come to");
        (group, &**states)
    }

    /// Returns the number of a state, or of the state in which its successor begins.
    fn number_in_chain_or_successor(&mut self, mut group: usize, mut inner: u32) -> u32 {
        loop {
            let (of, states) = self.numbering_of_group(group);
            let Some(ending) = states.ending_of_state(inner) else { break };
            let way = match self.chain.situation_of_group(of).successors.is_empty() {
                true => ChainEndingSuccessor::default(),
                false => {
                    self.chain.find_next_contest(of, &ending, states.changes_in_final_state(inner))
                }
            };
            let next = way.to.map(|next| (next as u32, self.chain.merge_group_ending(of, &ending)));
            self.turns.extend(way.tallies);
            let Some(next) = next else { break };
            group = self.insert_start_group(next);
            inner = self.groups[group].initial_state();
        }
        self.states.insert_and_get_number((group as u32, inner))
    }

    /// Returns the same number, and tallies ended turns in the dice.
    fn number_state_and_tally_turns(
        &mut self,
        group: usize,
        inner: u32,
        dice: &mut dyn Dice,
    ) -> u32 {
        self.turns.clear();
        let number = self.number_in_chain_or_successor(group, inner);
        self.turns.drain(..).for_each(|counter| dice.tally(counter, 1));
        number
    }

    fn group_and_inner_state(&self, state: u32) -> (usize, u32) {
        let (group, inner) = self.front.unwrap_or(&self.states)[state];
        (group as usize, inner)
    }
}

impl StateNumbering for ChainNumbering<'_> {
    fn initial_state(&mut self) -> u32 {
        let first = self.insert_start_group(self.chain.first);
        let inner = self.groups[first].initial_state();
        self.number_in_chain_or_successor(first, inner)
    }

    fn ending_of_state(&self, state: u32) -> Option<Ending> {
        let (group, inner) = self.states[state];
        let (group, states) = self.numbering_of_group(group as usize);
        Some(self.chain.merge_group_ending(group, &states.ending_of_state(inner)?))
    }

    fn play_one_step(&mut self, state: u32, dice: &mut dyn Dice) -> u32 {
        let (group, inner) = self.group_and_inner_state(state);
        let next = self.groups[group].play_one_step(inner, dice);
        self.number_state_and_tally_turns(group, next, dice)
    }

    fn step_until_progress(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32 {
        let (group, inner) = self.group_and_inner_state(state);
        let next = self.groups[group].step_until_progress(inner, dice, most);
        self.number_state_and_tally_turns(group, next, dice)
    }

    fn reached_state_count(&self) -> usize {
        self.states.len()
    }

    fn into_endings_and_front_parts(self: Box<Self>) -> EndingsAndFrontierParts {
        let ChainNumbering { chain, groups, states, .. } = *self;
        let mut all = EndingsAndFrontierParts { endings: Vec::new(), parts: Vec::new() };
        for (place, (group, inner)) in (0..).zip(groups) {
            let number = |inner| states.get(&(place, inner));
            let EndingsAndFrontierParts { endings, parts } = inner.into_endings_and_front_parts();
            // A state that has a successor combat ended in its own combat, but not here.
            let endings = endings.iter().filter_map(|(ending, inner)| {
                Some((chain.merge_group_ending(&group, ending), number(*inner)?))
            });
            all.endings.extend(endings);
            let part = |part: OpenStatesOfShard| {
                let headway = progress_within_chain(chain.situation_of_group(&group), part.headway);
                part.wrap_for_chain(headway, number, |inner| (group, inner))
            };
            all.parts.extend(parts.into_iter().map(part));
        }
        all
    }
}

/// Computes the progress of a state: later situations have more, and each combat has its own order
/// within, unless the situation returns.
fn progress_within_chain(situation: &ChainedCombatStart, inner: u32) -> u32 {
    // The rank takes the high bits, the progress within a combat the low ones.
    const INNER_PROGRESS_BITS: u32 = 20;
    let rank = situation.rank.min((1 << (32 - INNER_PROGRESS_BITS)) - 1) << INNER_PROGRESS_BITS;
    if situation.returns { rank } else { rank | inner.min((1 << INNER_PROGRESS_BITS) - 1) }
}

/// Fronts of the groups, combined into one.
struct FrontierOfStateGroups<'a> {
    chain: &'a ChainedCombat,
    fronts: StartGroupMap<Box<dyn FrontierStateSet + 'a>>,
    states: StateSet<ContestStartAndState>,
}

impl FrontierStateSet for FrontierOfStateGroups<'_> {
    fn state_count(&self) -> usize {
        self.states.len()
    }

    fn bytes_per_state(&self) -> usize {
        let inner = self.fronts.values().map(|front| front.bytes_per_state()).max();
        let inner = inner.unwrap_or_else(|| {
            self.chain.combat_of_group(&self.chain.first).new_empty_frontier().bytes_per_state()
        });
        inner + StateSet::<ContestStartAndState>::BYTES_PER_STATE
    }

    fn clear_states(&mut self) {
        self.fronts.clear();
        self.states.clear_states();
    }

    fn add_part_and_number_states(&mut self, part: &OpenStatesOfShard) -> Vec<u32> {
        let (group, inner): &(ContestStartWithRow, OpenStatesOfShard) =
            part.as_states().expect("a part of the same chain");
        let chain = self.chain;
        let entry = self.fronts.entry(*group);
        let place = entry.index() as u32;
        let numbers = entry
            .or_insert_with(|| chain.combat_of_group(group).new_empty_frontier())
            .add_part_and_number_states(inner);
        let number = |inner| self.states.insert_and_get_number((place, inner));
        numbers.into_iter().map(number).collect()
    }

    fn new_successor_numbering(&self) -> Box<dyn StateNumbering + '_> {
        Box::new(ChainNumbering::new(self.chain, Some(self)))
    }
}

impl OpenStatesOfShard {
    /// Wraps this part into one of a chain, with the chain's state numbers; `build` makes the
    /// value.
    fn wrap_for_chain<T: Any + Send + Sync>(
        self,
        headway: u32,
        number: impl Fn(u32) -> Option<u32>,
        build: impl FnOnce(OpenStatesOfShard) -> T,
    ) -> OpenStatesOfShard {
        let numbers = self.numbers.iter();
        let number = |&inner| number(inner).expect("what goes on was reached");
        let numbers = numbers.map(number).collect();
        OpenStatesOfShard::from_states(headway, self.shard, numbers, Arc::new(build(self)))
    }
}
