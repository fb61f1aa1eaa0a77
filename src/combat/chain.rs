//! Two combats one after the other: what the second is about follows from how the first ended.
//!
//! What is played is one combat again, so that every engine plays it, and its law is that of both
//! together. Its outcomes have the fields of both, and so have its measures.

use std::any::Any;
use std::sync::Arc;

use indexmap::IndexMap;

use super::any::{AnyCombat, ErasedCombat};
use super::decisions::Decision;
use super::ending::{Ending, MAX_COLUMNS, Row};
use super::fronts::{Front, Part, Reached, States};
use super::rule::Explanation;
use super::seen::Seen;
use super::vocabulary::Heads;
use crate::dice::{Dice, Roll};
use crate::error::Mishap;
use crate::packed::BuildPacked;

/// Which of the combats follows an ending of the first one, by its place; none where nothing follows.
pub type Next = Box<dyn Fn(&Ending) -> Option<usize> + Send + Sync>;

/// A first combat and those that may follow it, all of which report the same.
struct Chain {
    first: AnyCombat,
    then: Vec<AnyCombat>,
    next: Next,
}

/// Who is fighting: the first combat, or, after this ending of it, one of the others.
type Group = Option<(u32, Ending)>;

/// A state of the chain: the place of its group, and its number there.
type Place = (u32, u32);

/// The groups that have been come to, with what is known of each.
type Groups<T> = IndexMap<Group, T, BuildPacked>;

impl AnyCombat {
    /// `first`, and after each of its endings the combat of `then` that `next` names; what both report
    /// stands side by side under `heads`.
    ///
    /// # Panics
    /// When they report more than [`MAX_COLUMNS`] fields or measures together.
    pub fn chained(first: AnyCombat, then: Vec<AnyCombat>, next: Next, heads: Heads) -> AnyCombat {
        assert!(heads.fields.len() <= MAX_COLUMNS && heads.measures.len() <= MAX_COLUMNS);
        AnyCombat::of_erased(Box::new(Chain { first, then, next }), heads)
    }
}

impl Chain {
    fn combat(&self, group: &Group) -> &AnyCombat {
        match group {
            None => &self.first,
            Some((then, _)) => &self.then[*then as usize],
        }
    }

    /// What both have come to; nothing of the second where nothing followed.
    fn together(&self, first: &Ending, then: Option<&Ending>) -> Ending {
        let Some(then) = then else {
            return *first;
        };
        let beside = |mut row: Row, first: usize, then: &Row| {
            row[first..].copy_from_slice(&then[..MAX_COLUMNS - first]);
            row
        };
        Ending {
            fields: beside(first.fields, self.first.fields().len(), &then.fields),
            weights: beside(first.weights, self.first.measures().len(), &then.weights),
        }
    }

    fn follows(&self, first: &Ending) -> Group {
        (self.next)(first).map(|then| (then as u32, *first))
    }

    /// The ending of a state of `group` that ended so there, unless something follows.
    fn ending(&self, group: &Group, ended: &Ending) -> Ending {
        match group {
            None => *ended,
            Some((_, first)) => self.together(first, Some(ended)),
        }
    }
}

impl ErasedCombat for Chain {
    fn fault(&self) -> Option<Mishap> {
        self.first.fault().or_else(|| self.then.iter().find_map(AnyCombat::fault))
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

    fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        let first = self.first.play(dice, max_steps)?;
        let Some((then, _)) = self.follows(&first) else {
            return Some(first);
        };
        let then = self.then[then as usize].play(dice, max_steps)?;
        Some(self.together(&first, Some(&then)))
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
    ) -> Option<Ending> {
        let first = self.first.narrate(dice, listen)?;
        let Some((then, _)) = self.follows(&first) else {
            return Some(first);
        };
        let then = self.then[then as usize].narrate(dice, listen)?;
        Some(self.together(&first, Some(&then)))
    }
}

/// The states of a chain by number; those of its parts by theirs.
struct Linked<'a> {
    chain: &'a Chain,
    /// By group: its states, or what follows those of its front.
    groups: Groups<Box<dyn States + 'a>>,
    states: Seen<Place>,
    /// What is stepped from, where that is not what was reached. Its groups come first here, in its order.
    front: Option<&'a Seen<Place>>,
}

impl<'a> Linked<'a> {
    fn new(chain: &'a Chain, front: Option<&'a Fronts<'a>>) -> Self {
        let fronts = front.iter().flat_map(|front| &front.fronts);
        let groups = fronts.map(|(group, front)| (*group, front.onward())).collect();
        let front = front.map(|front| &front.held);
        Linked { chain, groups, states: Seen::default(), front }
    }

    fn group(&mut self, group: Group) -> usize {
        if let Some(known) = self.groups.get_index_of(&group) {
            return known;
        }
        let states = self.chain.combat(&group).states();
        self.groups.insert_full(group, states).0
    }

    fn part(&self, group: u32) -> (&Group, &dyn States) {
        let known = self.groups.get_index(group as usize);
        let (group, states) = known.expect("a place names a group that was come to");
        (group, &**states)
    }

    /// The number of a state, or of that in which what follows it begins.
    fn number(&mut self, group: usize, inner: u32) -> u32 {
        let mut place = (group as u32, inner);
        let (of, states) = self.part(group as u32);
        let follows = match of {
            None => states.ending(inner).and_then(|ending| self.chain.follows(&ending)),
            Some(_) => None,
        };
        if follows.is_some() {
            let then = self.group(follows);
            place = (then as u32, self.groups[then].open());
        }
        self.states.number(place)
    }

    fn from(&self, state: u32) -> (usize, u32) {
        let (group, inner) = self.front.unwrap_or(&self.states)[state];
        (group as usize, inner)
    }
}

impl States for Linked<'_> {
    fn open(&mut self) -> u32 {
        let first = self.group(None);
        let inner = self.groups[first].open();
        self.number(first, inner)
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        let (group, inner) = self.states[state];
        let (group, states) = self.part(group);
        Some(self.chain.ending(group, &states.ending(inner)?))
    }

    fn step(&mut self, state: u32, dice: &mut dyn Dice) -> u32 {
        let (group, inner) = self.from(state);
        let next = self.groups[group].step(inner, dice);
        self.number(group, next)
    }

    fn run(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32 {
        let (group, inner) = self.from(state);
        let next = self.groups[group].run(inner, dice, most);
        self.number(group, next)
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
            // What something follows has ended there and not here.
            let endings = endings
                .iter()
                .filter_map(|(ended, inner)| Some((chain.ending(&group, ended), number(*inner)?)));
            all.endings.extend(endings);
            let part = |part: Part| {
                let headway = headway(&group, part.headway);
                part.within(headway, number, |inner| (group, inner))
            };
            all.parts.extend(parts.into_iter().map(part));
        }
        all
    }
}

/// What follows is further than all that it follows, and each keeps its own order.
fn headway(group: &Group, inner: u32) -> u32 {
    let half = inner >> 1;
    if group.is_some() { half | 1 << 31 } else { half }
}

/// Fronts of the groups, as one.
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
        let inner = inner.unwrap_or_else(|| self.chain.first.front().bytes());
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
    /// The same part of a larger whole: its states there, and what is held of them.
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
