//! States of a rule at a die, as numbers that can be copied and compared.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::bag::held;
use super::code::{MARKS, Memory, Open, Registers, Stops, mark_shift, words};
use super::face_test_values::Asked;
use super::machine::{Broken, Machine, Stop, Undiced, past};
use super::pool_loop::Pool;
use super::snapshot::{ROOM, Snap};
use crate::types::THINGS;
use enfilade_model::combat::frontier::{Front, Reached, Typed, parted};
use enfilade_model::combat::state_set::Seen;
use enfilade_model::combat::{Ending, Later, MAX_COLUMNS, States, Taken};
use enfilade_model::dice::Dice;
use enfilade_model::state_hash::BuildPacked;

/// Suspend point of a failed rule.
pub(crate) const LOST: u16 = u16::MAX;
/// Suspend point before the first line, for a rule that tallies before its first die.
const START: u16 = u16::MAX - 1;

/// Number that does not fit a state.
pub struct TooWide(i64);

impl Machine {
    /// Returns its states by number.
    pub fn states(&self) -> Box<dyn States + '_> {
        match self.program.room() {
            0..=7 => Box::new(Numbered::<7>::new(self, None)),
            8..=15 => Box::new(Numbered::<15>::new(self, None)),
            16..=31 => Box::new(Numbered::<31>::new(self, None)),
            _ => Box::new(Numbered::<ROOM>::new(self, None)),
        }
    }

    /// Returns an empty frontier of its states.
    pub fn front(&self) -> Box<dyn Front + '_> {
        fn of<const N: usize>(machine: &Machine) -> Box<dyn Front + '_> {
            Box::new(Typed::new(machine, |machine, front| {
                Box::new(Numbered::<N>::new(machine, Some(front)))
            }))
        }
        match self.program.room() {
            0..=7 => of::<7>(self),
            8..=15 => of::<15>(self),
            16..=31 => of::<31>(self),
            _ => of::<ROOM>(self),
        }
    }

    /// Saves the state at a suspend point.
    pub(crate) fn save<const N: usize>(
        &self,
        regs: &Registers,
        site: u16,
    ) -> Result<Snap<N>, TooWide> {
        self.saved(regs, &self.program.sites[usize::from(site)].memory, site)
    }

    /// Saves the registers in `memory` at the suspend point `site`.
    fn saved<const N: usize>(
        &self,
        regs: &Registers,
        memory: &Memory,
        site: u16,
    ) -> Result<Snap<N>, TooWide> {
        let mut slots = [0; N];
        let mut at = 0;
        for &reg in &memory.saved {
            let value = regs[usize::from(reg)];
            slots[at] = i16::try_from(value).map_err(|_| TooWide(value))?;
            at += 1;
        }
        for (bag, opens) in &memory.bags {
            let bag = &self.program.bags[usize::from(*bag)];
            let kept = opens.iter().fold(0, |all, open| all | 3 << mark_shift(open.level));
            let mut sorted = [0_i64; THINGS];
            let sorted = &mut sorted[..usize::from(bag.size)];
            let base = usize::from(bag.base);
            sorted.copy_from_slice(&regs[base..base + usize::from(bag.size)]);
            for thing in &mut *sorted {
                if *thing >= 0 {
                    *thing &= -1 << MARKS | kept;
                }
            }
            if self.program.sorts {
                sorted.sort_unstable();
            }
            let size = words(bag.values, opens.len());
            for &thing in &*sorted {
                let mut code = packed(thing, opens);
                for _ in 0..size {
                    slots[at] = code as u16 as i16;
                    code >>= 16;
                    at += 1;
                }
            }
        }
        Ok(Snap { slots, site })
    }

    /// Restores the registers of a state.
    pub(crate) fn load<const N: usize>(&self, regs: &mut Registers, snap: &Snap<N>) {
        let memory = &self.program.sites[usize::from(snap.site)].memory;
        let mut at = 0;
        for &reg in &memory.saved {
            regs[usize::from(reg)] = snap.slots[at].into();
            at += 1;
        }
        for (bag, opens) in &memory.bags {
            let bag = &self.program.bags[usize::from(*bag)];
            let size = words(bag.values, opens.len());
            for thing in 0..usize::from(bag.size) {
                let mut code = 0_u128;
                for word in (0..size).rev() {
                    code = code << 16 | u128::from(snap.slots[at + word] as u16);
                }
                at += size;
                regs[usize::from(bag.base) + thing] = unpacked(code, opens);
            }
            for open in opens {
                held(regs, bag, open);
            }
        }
    }

    /// Visits its states, those of the fewest dice first. Returns whether there are at most `most`.
    pub fn explored(&self, most: u32, mut see: impl FnMut(&Snap<ROOM>)) -> bool {
        let mut numbered = Numbered::<ROOM>::new(self, None);
        numbered.joins = false;
        numbered.open();
        let mut state = 0;
        while (state as usize) < numbered.reached() {
            if state == most {
                return false;
            }
            see(&numbered.states[state]);
            if numbered.ending(state).is_none() {
                let mut face = Face { shows: 1, of: 1 };
                while face.shows <= face.of {
                    numbered.step(state, &mut face);
                    face.shows += 1;
                }
            }
            state += 1;
        }
        true
    }
}

/// Encodes an item as a number without gaps: 0 for no item.
pub(crate) fn packed(thing: i64, opens: &[Open]) -> u128 {
    if thing < 0 {
        return 0;
    }
    let marks = opens.iter().fold((thing >> MARKS) as u128, |code, open| {
        code * 3 + (thing >> mark_shift(open.level) & 3) as u128
    });
    marks + 1
}

pub(crate) fn unpacked(code: u128, opens: &[Open]) -> i64 {
    if code == 0 {
        return -1;
    }
    let mut code = code - 1;
    let mut marks = 0;
    for open in opens.iter().rev() {
        marks |= ((code % 3) as i64) << mark_shift(open.level);
        code /= 3;
    }
    (code as i64) << MARKS | marks
}

/// Die that shows a fixed face, and records its number of sides.
struct Face {
    shows: u8,
    of: u8,
}

impl Dice for Face {
    fn die(&mut self, sides: u8) -> u8 {
        self.of = sides;
        self.shows
    }

    fn choose(&mut self, _: u8, options: u8) -> u8 {
        self.of = options;
        self.shows
    }
}

/// Capacity for the states of a small contest.
const SOME: usize = 200;
/// Number of states from which a graph is large.
const LARGE: u32 = 4000;
/// Largest number of entries of the memo table.
const RESTED: usize = 1 << 14;

/// End of a step: a die in the same step, or a state.
enum Led {
    Falls(u16),
    To(u32),
}

struct Numbered<'m, const N: usize> {
    machine: &'m Machine,
    states: Seen<Snap<N>>,
    /// Source states, if they differ from the reached ones.
    front: Option<&'m Seen<Snap<N>>>,
    /// Last numbered state: most faces lead to the same state as the face before them.
    last: Option<(Snap<N>, u32)>,
    regs: Box<Registers>,
    /// Whether a few dice are one step.
    joins: bool,
    /// Face merges of the current state: position, values that depend on the face, next state.
    from: u32,
    ways: Vec<(usize, [i64; 2], u32)>,
    /// Face tests of the die, and the states reached by each set of passed tests.
    asked: Asked,
    passed: Vec<(u16, u32)>,
    /// Memo table: the states saved at memo points, and the states reached from there.
    rested: HashMap<Snap<N>, u32, BuildPacked>,
    /// Saved values by register, restored for each face.
    loaded: Vec<(u8, i64)>,
}

impl<'m, const N: usize> Numbered<'m, N> {
    fn new(machine: &'m Machine, front: Option<&'m Seen<Snap<N>>>) -> Self {
        Numbered {
            machine,
            states: Seen::with_room(SOME),
            front,
            last: None,
            regs: Box::new([0; 256]),
            joins: true,
            from: u32::MAX,
            ways: Vec::new(),
            asked: Asked::default(),
            passed: Vec::new(),
            rested: HashMap::default(),
            loaded: Vec::new(),
        }
    }

    /// Loads a state into the registers.
    fn back(&mut self, state: u32, snap: &Snap<N>) {
        if self.from == state {
            for (reg, value) in &self.loaded {
                self.regs[usize::from(*reg)] = *value;
            }
            return;
        }
        self.machine.load(&mut self.regs, snap);
        let memory = &self.machine.program.sites[usize::from(snap.site)].memory;
        let bags = memory.bags.iter().flat_map(|(bag, opens)| {
            let bag = &self.machine.program.bags[usize::from(*bag)];
            (0..bag.size).map(|place| bag.base + place).chain(opens.iter().map(|open| open.cursor))
        });
        self.loaded.clear();
        let regs = &self.regs;
        let held = memory.saved.iter().copied().chain(bags);
        self.loaded.extend(held.map(|reg| (reg, regs[usize::from(reg)])));
        self.from = state;
        self.ways.clear();
        self.passed.clear();
    }

    /// Returns the pool loop that the frontier engine, with its distributions, throws at once.
    fn pool(&self, site: u16) -> Option<&'m Pool> {
        self.front.and_then(|_| self.machine.pool(site))
    }

    /// Returns whether a die is rolled in the same step as the one before it.
    fn falls_with(&self, site: u16) -> bool {
        self.joins && self.machine.program.sites[usize::from(site)].joined
    }

    /// Continues a step from a stop; at a memo point, only if its values are new.
    fn led(&mut self, stop: Stop, dice: &mut dyn Dice) -> Led {
        let Stop::Rest(rest) = stop else {
            return self.falls_or_leads(stop);
        };
        let (at, memory) = &self.machine.program.rests[usize::from(rest)];
        let snap = match memory.room <= N {
            true => self.machine.saved(&self.regs, memory, rest).ok(),
            false => None,
        };
        if let Some(number) = snap.and_then(|snap| self.rested.get(&snap)) {
            return Led::To(*number);
        }
        let stop = self.machine.run(&mut self.regs, at + 1, dice);
        let led = self.falls_or_leads(stop);
        if let (Led::To(number), Some(snap)) = (&led, snap) {
            // Clearing the memo costs time and never changes a result.
            if self.rested.len() >= RESTED {
                self.rested.clear();
            }
            self.rested.insert(snap, *number);
        }
        led
    }

    fn falls_or_leads(&mut self, stop: Stop) -> Led {
        match stop {
            Stop::Site(next) if self.falls_with(next) => Led::Falls(next),
            stop => Led::To(self.number(stop)),
        }
    }

    fn number(&mut self, stop: Stop) -> u32 {
        let site = match stop {
            Stop::Site(site) => site,
            Stop::End | Stop::Halt | Stop::Way(_) | Stop::Rest(_) => {
                self.machine.program.sites.len() as u16 - 1
            }
            Stop::Wrong(broken) => {
                self.machine.lost(broken);
                LOST
            }
        };
        let snap = match site {
            LOST => Snap { slots: [0; N], site },
            _ => self.machine.save(&self.regs, site).unwrap_or_else(|TooWide(value)| {
                let span = self.machine.program.sites[usize::from(site)].span.clone();
                let (problem, help) = (past(value), String::new());
                self.machine.lost(Broken { span, problem, help });
                Snap { slots: [0; N], site: LOST }
            }),
        };
        if let Some((last, number)) = self.last
            && last == snap
        {
            return number;
        }
        let number = self.states.number(snap);
        if number == LARGE {
            self.machine.large.store(true, Ordering::Relaxed);
        }
        self.last = Some((snap, number));
        number
    }

    /// Rolls a die of which only face tests matter: its face, and the tests that it passes.
    fn asked(&mut self, state: u32, snap: &Snap<N>, dice: &mut dyn Dice) -> Option<(u8, u16)> {
        let site = &self.machine.program.sites[usize::from(snap.site)];
        let (Some(asks), Stops::Die(sides)) = (&site.asks, site.stops) else {
            return None;
        };
        if self.pool(snap.site).is_some() {
            return None;
        }
        if self.from != state {
            self.back(state, snap);
            self.asked.ready(asks, &self.regs, &self.machine.numbers);
        }
        let mut face = [1];
        let asked = &self.asked;
        dice.roll(sides, &mut face, &|face| asked.passed(face[0]).into());
        Some((face[0], asked.passed(face[0])))
    }

    /// Rolls on from a suspend point: the state reached, and the number of dice on the way.
    fn stepped(
        &mut self,
        mut site: u16,
        mut rolled: Option<u8>,
        dice: &mut dyn Dice,
    ) -> (u32, u32) {
        let machine = self.machine;
        let mut dice_fell = 1;
        loop {
            if let Some(pool) = self.pool(site)
                && pool.thrown(&mut self.regs, dice)
            {
                let stop = machine.run(&mut self.regs, pool.out, dice);
                match self.led(stop, dice) {
                    Led::Falls(next) => (site, dice_fell) = (next, dice_fell + 1),
                    Led::To(number) => return (number, dice_fell),
                }
                continue;
            }
            let way = machine.program.sites[usize::from(site)].way.as_ref();
            let stop = machine.answer_to(&mut self.regs, site, way, rolled.take(), dice);
            let (stop, passed) = match (&stop, way) {
                (Stop::Way(at), Some(way)) => {
                    // Faces that leave equal values have one future: only the first runs on.
                    let left = way.left(*at, &self.regs);
                    let known = self.ways.iter().find(|way| (way.0, way.1) == (*at, left));
                    if let Some((.., number)) = known {
                        return (*number, dice_fell);
                    }
                    (machine.run_to_rest(&mut self.regs, *at, dice), Some((*at, left)))
                }
                _ => (stop, None),
            };
            match self.led(stop, dice) {
                Led::Falls(next) => (site, dice_fell) = (next, dice_fell + 1),
                Led::To(number) => {
                    self.ways.extend(passed.map(|(at, left)| (at, left, number)));
                    return (number, dice_fell);
                }
            }
        }
    }
}

fn ending<const N: usize>(machine: &Machine, regs: &Registers, snap: &Snap<N>) -> Option<Ending> {
    if snap.site == LOST {
        return Some(Ending { fields: [0; MAX_COLUMNS], weights: [0; MAX_COLUMNS] });
    }
    if usize::from(snap.site) + 1 != machine.program.sites.len() {
        return None;
    }
    let mut regs = *regs;
    machine.load(&mut regs, snap);
    Some(machine.ending(&mut regs))
}

impl<const N: usize> States for Numbered<'_, N> {
    fn open(&mut self) -> u32 {
        if self.machine.program.tallies {
            let snap = Snap { slots: [0; N], site: START };
            return self.states.number(snap);
        }
        let stop = self.machine.run(&mut self.regs, 0, &mut Undiced);
        self.number(stop)
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        ending(self.machine, &self.regs, &self.states[state])
    }

    fn variables(&self, state: u32) -> Vec<(String, i64)> {
        let snap = &self.states[state];
        let Some(site) = self.machine.program.sites.get(usize::from(snap.site)) else {
            return Vec::new();
        };
        let name = |reg: u8| site.names.iter().rev().find(|(known, _)| *known == reg);
        let slots = site.memory.saved.iter().zip(&snap.slots);
        slots.filter_map(|(reg, value)| Some((name(*reg)?.1.clone(), (*value).into()))).collect()
    }

    fn left(&self, state: u32) -> Vec<Later> {
        self.machine.left(&self.regs, &self.states[state])
    }

    fn step(&mut self, state: u32, dice: &mut dyn Dice) -> u32 {
        let snap = self.front.unwrap_or(&self.states)[state];
        if snap.site == START {
            let stop = self.machine.run(&mut self.regs, 0, dice);
            return self.number(stop);
        }
        let rolled = self.asked(state, &snap, dice);
        if let Some((_, passed)) = rolled
            && let Some((_, number)) = self.passed.iter().find(|(known, _)| *known == passed)
        {
            return *number;
        }
        self.back(state, &snap);
        let number = self.stepped(snap.site, rolled.map(|(face, _)| face), dice);
        match (number, rolled) {
            // No other die was rolled.
            ((number, 1), Some((_, passed))) => {
                self.passed.push((passed, number));
                number
            }
            ((number, _), _) => number,
        }
    }

    fn run(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32 {
        let (machine, snap) = (self.machine, self.front.unwrap_or(&self.states)[state]);
        if snap.site == START {
            return self.step(state, dice);
        }
        machine.load(&mut self.regs, &snap);
        let (mut site, headway) = (snap.site, machine.headway(snap.site));
        for _ in 0..most {
            match machine.answer(&mut self.regs, site, dice) {
                Stop::Site(next) if machine.headway(next) == headway => site = next,
                stop => return self.number(stop),
            }
        }
        self.number(Stop::Site(site))
    }

    fn reached(&self) -> usize {
        self.states.len()
    }

    fn parts(self: Box<Self>) -> Reached {
        let Numbered { machine, states, regs, .. } = *self;
        parted(states, |snap| ending(machine, &regs, snap), |snap| machine.headway(snap.site))
    }

    fn keep(&self, decided: Vec<(u32, Box<[Taken]>)>) {
        let wide = |state: u32| {
            let snap = &self.states[state];
            let mut slots = [0; ROOM];
            slots[..N].copy_from_slice(&snap.slots);
            let site = snap.site;
            Snap { slots, site }
        };
        let decided = decided.into_iter();
        self.machine.policy.keep(decided.map(|(state, taken)| (wide(state), taken)));
    }
}
