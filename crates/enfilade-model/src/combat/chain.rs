//! Combats in sequence: the ending of the first selects the second.
//!
//! A chain is again one combat, so that every engine plays it, and its distribution is that of all
//! its combats together. The combat that follows each ending is determined before the first die:
//! the [situations](Situation) in which a combat begins are a list, and the transitions between
//! them may form cycles.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use indexmap::IndexMap;

use super::any::{AnyCombat, ErasedCombat};
use super::decisions::Decision;
use super::ending::{Ending, Later, MAX_COLUMNS, Row};
use super::frontier::{Front, Part, Reached, States};
use super::rule::Explanation;
use super::state_set::Seen;
use super::vocabulary::{Heads, OUTSIDE};
use crate::dice::{Dice, Roll};
use crate::error::Mishap;
use crate::state_hash::BuildPacked;

/// Parts of a chain: the combats, the situations in which they begin, and the places of their
/// columns.
#[derive(Debug, Default)]
pub struct Joined {
    /// Combats of the chain.
    pub combats: Vec<AnyCombat>,
    /// Situations in which a combat begins; the chain starts with the first.
    pub situations: Vec<Situation>,
    /// Places of the columns, by step.
    pub columns: Vec<Columns>,
    /// Name of each step in explanations.
    pub names: Vec<String>,
}

/// Beginning of one of the combats.
#[derive(Debug, Default)]
pub struct Situation {
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
    /// Successors, by reported row and changed fields. The chain is over after an ending that is
    /// not listed.
    pub ways: HashMap<(Row, Vec<Later>), Way>,
}

/// Successor of an ending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// Situation that follows; `None` where the chain is over.
    pub to: Option<usize>,
    /// Counter of turns to increase by one.
    pub tallies: Option<u8>,
}

/// Places of a step's columns, and how those of another turn are merged.
#[derive(Debug, Default)]
pub struct Columns {
    /// Index of the first field.
    pub fields: usize,
    /// Index of the first measure.
    pub measures: usize,
    /// Merge of each field.
    pub of_fields: Vec<Merge>,
    /// Merge of each measure.
    pub of_measures: Vec<Merge>,
    /// Field and measure of the number of turns.
    pub turns: Option<(usize, usize)>,
}

/// Merge of a number over several turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// The last number is used.
    Last,
    /// The numbers are added up.
    Sum,
    /// The number is 1 if any of them is.
    Any,
}

impl Merge {
    fn of(self, so_far: i32, now: i32) -> i32 {
        match self {
            Merge::Last => now,
            Merge::Sum => so_far.saturating_add(now),
            Merge::Any => so_far.max(now),
        }
    }
}

impl Columns {
    /// Merges an ending of this step and turn into the row so far.
    fn together(&self, so_far: &Ending, turn: i32, now: &Ending) -> Ending {
        let mut all = *so_far;
        let put = |row: &mut Row, first: usize, merges: &[Merge], now: &Row| {
            for ((place, merge), now) in row[first..].iter_mut().zip(merges).zip(now) {
                *place = merge.of(*place, *now);
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

struct Chain {
    joined: Joined,
    /// Group in which the chain begins.
    first: Group,
    mishap: OnceLock<Mishap>,
}

/// Situation with the row that was reported before it.
type Group = (u32, Ending);

/// State of the chain: the index of its group, and the state's number there.
type Place = (u32, u32);

/// Groups that have been reached, each with a value.
type Groups<T> = IndexMap<Group, T, BuildPacked>;

const NOTHING: Ending = Ending { fields: [0; MAX_COLUMNS], weights: [0; MAX_COLUMNS] };

impl AnyCombat {
    /// Builds a chain of combats from `joined`; all their columns are listed side by side under
    /// `heads`.
    ///
    /// # Panics
    /// If they report more than [`MAX_COLUMNS`] fields or measures together.
    pub fn chained(joined: Joined, heads: Heads) -> AnyCombat {
        assert!(heads.fields.len() <= MAX_COLUMNS && heads.measures.len() <= MAX_COLUMNS);
        // An action that is not reached meets no condition of its measures.
        let mut nothing = NOTHING;
        for (place, head) in nothing.weights.iter_mut().zip(&*heads.measures) {
            *place = if head.is_conditional() { OUTSIDE } else { 0 };
        }
        let chain = Chain { joined, first: (0, nothing), mishap: OnceLock::new() };
        AnyCombat::of_erased(Box::new(chain), heads)
    }
}

impl Chain {
    fn situation(&self, group: &Group) -> &Situation {
        &self.joined.situations[group.0 as usize]
    }

    fn combat(&self, group: &Group) -> &AnyCombat {
        &self.joined.combats[self.situation(group).combat]
    }

    /// Returns the heading before the first explanation of a later step: `Then fire, turn 2: `.
    fn head(&self, group: &Group) -> String {
        let Situation { step, turn, .. } = self.situation(group);
        let name = self.joined.names.get(*step).filter(|_| *group != self.first);
        match name {
            None => String::new(),
            Some(name) if *turn > 0 => format!("Then {name}, turn {turn}: "),
            Some(name) => format!("Then {name}: "),
        }
    }

    /// Merges the ending of a group's combat into the row so far.
    fn together(&self, (situation, so_far): &Group, ended: &Ending) -> Ending {
        // A combat with a fault ends with an empty row.
        if *ended == NOTHING
            && let Some(mishap) = self.combat(&(*situation, *so_far)).fault()
        {
            self.mishap.get_or_init(|| mishap);
        }
        let situation = &self.joined.situations[*situation as usize];
        self.joined.columns[situation.step].together(so_far, situation.turn, ended)
    }

    /// Returns the successor of an ending of a group.
    fn way(&self, group: &Group, ended: &Ending, left: Vec<Later>) -> Way {
        let known = self.situation(group).ways.get(&(ended.fields, left));
        // The chain is over after an ending that is not listed.
        known.copied().unwrap_or_default()
    }

    /// Plays the combats in sequence; `play` plays one of them.
    fn each(
        &self,
        mut tally: impl FnMut(u8),
        most: u64,
        mut play: impl FnMut(&Group, &mut Vec<Later>) -> Option<Ending>,
    ) -> Option<Ending> {
        let (mut group, mut left) = (self.first, Vec::new());
        // A chain may return to its first combat for ever, so its length is bounded like a trial's.
        for _ in 0..most {
            let ended = play(&group, &mut left)?;
            let all = self.together(&group, &ended);
            let way = self.way(&group, &ended, std::mem::take(&mut left));
            way.tallies.into_iter().for_each(&mut tally);
            match way.to {
                Some(next) => group = (next as u32, all),
                None => return Some(all),
            }
        }
        None
    }
}

impl ErasedCombat for Chain {
    fn fault(&self) -> Option<Mishap> {
        self.mishap.get().cloned()
    }

    fn parts(&self) -> Vec<(&AnyCombat, usize)> {
        let mut parts: Vec<_> = self.joined.combats.iter().map(|combat| (combat, 0)).collect();
        for situation in &self.joined.situations {
            parts[situation.combat].1 += 1;
        }
        parts
    }

    fn decisions(&self) -> &[Decision] {
        &[]
    }

    fn states(&self) -> Box<dyn States + '_> {
        Box::new(Linked::new(self, None))
    }

    fn front(&self) -> Box<dyn Front + '_> {
        Box::new(Fronts { chain: self, fronts: Groups::default(), held: Seen::default() })
    }

    fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        _: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        let dice = std::cell::RefCell::new(dice);
        self.each(
            |counter| dice.borrow_mut().tally(counter, 1),
            max_steps,
            |group, left| self.combat(group).play_on(&mut **dice.borrow_mut(), max_steps, left),
        )
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        _: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        let dice = std::cell::RefCell::new(dice);
        self.each(
            |counter| dice.borrow_mut().tally(counter, 1),
            u64::MAX,
            |group, left| {
                let mut head = self.head(group);
                let mut listen = |rolls: &[Roll], telling: Explanation| {
                    let text = std::mem::take(&mut head) + &telling.text;
                    listen(rolls, Explanation { text, ..telling })
                };
                self.combat(group).narrate_on(&mut **dice.borrow_mut(), &mut listen, left)
            },
        )
    }
}

/// Numbering of the states of a chain, on top of the numberings of its combats.
struct Linked<'a> {
    chain: &'a Chain,
    /// Numbering of each group: of its states, or of the successors of its front.
    groups: Groups<Box<dyn States + 'a>>,
    states: Seen<Place>,
    /// States that are stepped from, where they differ from those reached. Their groups come first
    /// here, in the order of the front.
    front: Option<&'a Seen<Place>>,
    /// Turns that have ended since the last die.
    turns: Vec<u8>,
}

impl<'a> Linked<'a> {
    fn new(chain: &'a Chain, front: Option<&'a Fronts<'a>>) -> Self {
        let fronts = front.iter().flat_map(|front| &front.fronts);
        let groups = fronts.map(|(group, front)| (*group, front.onward())).collect();
        let front = front.map(|front| &front.held);
        Linked { chain, groups, states: Seen::default(), front, turns: Vec::new() }
    }

    fn group(&mut self, group: Group) -> usize {
        if let Some(known) = self.groups.get_index_of(&group) {
            return known;
        }
        let states = self.chain.combat(&group).states();
        self.groups.insert_full(group, states).0
    }

    fn part(&self, group: usize) -> (&Group, &dyn States) {
        let known = self.groups.get_index(group);
        let (group, states) = known.expect("a place names a group that was come to");
        (group, &**states)
    }

    /// Returns the number of a state, or of the state in which its successor begins.
    fn number(&mut self, mut group: usize, mut inner: u32) -> u32 {
        loop {
            let (of, states) = self.part(group);
            let Some(ended) = states.ending(inner) else { break };
            let way = match self.chain.situation(of).ways.is_empty() {
                true => Way::default(),
                false => self.chain.way(of, &ended, states.left(inner)),
            };
            let next = way.to.map(|next| (next as u32, self.chain.together(of, &ended)));
            self.turns.extend(way.tallies);
            let Some(next) = next else { break };
            group = self.group(next);
            inner = self.groups[group].open();
        }
        self.states.number((group as u32, inner))
    }

    /// Returns the number like [`number`](Linked::number), and tallies ended turns in the dice.
    fn told(&mut self, group: usize, inner: u32, dice: &mut dyn Dice) -> u32 {
        self.turns.clear();
        let number = self.number(group, inner);
        self.turns.drain(..).for_each(|counter| dice.tally(counter, 1));
        number
    }

    fn from(&self, state: u32) -> (usize, u32) {
        let (group, inner) = self.front.unwrap_or(&self.states)[state];
        (group as usize, inner)
    }
}

impl States for Linked<'_> {
    fn open(&mut self) -> u32 {
        let first = self.group(self.chain.first);
        let inner = self.groups[first].open();
        self.number(first, inner)
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        let (group, inner) = self.states[state];
        let (group, states) = self.part(group as usize);
        Some(self.chain.together(group, &states.ending(inner)?))
    }

    fn step(&mut self, state: u32, dice: &mut dyn Dice) -> u32 {
        let (group, inner) = self.from(state);
        let next = self.groups[group].step(inner, dice);
        self.told(group, next, dice)
    }

    fn run(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32 {
        let (group, inner) = self.from(state);
        let next = self.groups[group].run(inner, dice, most);
        self.told(group, next, dice)
    }

    fn reached(&self) -> usize {
        self.states.len()
    }

    fn parts(self: Box<Self>) -> Reached {
        let Linked { chain, groups, states, .. } = *self;
        let mut all = Reached { endings: Vec::new(), parts: Vec::new() };
        for (place, (group, inner)) in (0..).zip(groups) {
            let number = |inner| states.get(&(place, inner));
            let Reached { endings, parts } = inner.parts();
            // A state that has a successor combat ended in its own combat, but not here.
            let endings = endings.iter().filter_map(|(ended, inner)| {
                Some((chain.together(&group, ended), number(*inner)?))
            });
            all.endings.extend(endings);
            let part = |part: Part| {
                let headway = headway(chain.situation(&group), part.headway);
                part.within(headway, number, |inner| (group, inner))
            };
            all.parts.extend(parts.into_iter().map(part));
        }
        all
    }
}

/// Computes the progress of a state: later situations have more, and each combat has its own order
/// within, unless the situation returns.
fn headway(situation: &Situation, inner: u32) -> u32 {
    // The rank takes the high bits, the progress within a combat the low ones.
    const OWN: u32 = 20;
    let rank = situation.rank.min((1 << (32 - OWN)) - 1) << OWN;
    if situation.returns { rank } else { rank | inner.min((1 << OWN) - 1) }
}

/// Fronts of the groups, combined into one.
struct Fronts<'a> {
    chain: &'a Chain,
    fronts: Groups<Box<dyn Front + 'a>>,
    held: Seen<Place>,
}

impl Front for Fronts<'_> {
    fn held(&self) -> usize {
        self.held.len()
    }

    fn bytes(&self) -> usize {
        let inner = self.fronts.values().map(|front| front.bytes()).max();
        let inner = inner.unwrap_or_else(|| self.chain.combat(&self.chain.first).front().bytes());
        inner + Seen::<Place>::BYTES
    }

    fn clear(&mut self) {
        self.fronts.clear();
        self.held.clear();
    }

    fn absorb(&mut self, part: &Part) -> Vec<u32> {
        let (group, inner): &(Group, Part) = part.held().expect("a part of the same chain");
        let chain = self.chain;
        let entry = self.fronts.entry(*group);
        let place = entry.index() as u32;
        let numbers = entry.or_insert_with(|| chain.combat(group).front()).absorb(inner);
        let number = |inner| self.held.number((place, inner));
        numbers.into_iter().map(number).collect()
    }

    fn onward(&self) -> Box<dyn States + '_> {
        Box::new(Linked::new(self.chain, Some(self)))
    }
}

impl Part {
    /// Wraps this part into one of a chain: its states get the chain's numbers, and `held` builds
    /// the stored value.
    fn within<T: Any + Send + Sync>(
        self,
        headway: u32,
        number: impl Fn(u32) -> Option<u32>,
        held: impl FnOnce(Part) -> T,
    ) -> Part {
        let numbers = self.numbers.iter();
        let numbers =
            numbers.map(|&inner| number(inner).expect("what goes on was reached")).collect();
        Part::holding(headway, self.shard, numbers, Arc::new(held(self)))
    }
}
