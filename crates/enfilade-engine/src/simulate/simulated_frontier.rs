//! Simulated odds without a graph: numbers of trials pushed through waves of states.
//!
//! Where many trials meet in a state, their dice are counted by the vector as in the resolver; where
//! few do, they are rolled one by one. A state with one trial in it takes one run of its step, so this
//! never costs much more than playing, and far less where trials meet.

use std::collections::{BTreeMap, BTreeSet};

use parking_lot::Mutex;
use rustc_hash::FxHashMap;

use super::chunks::CHUNK;
use super::resolver::{Bytes, Faces};
use super::rng::{Isa, Kernel, Lanes, ROW, Vector, dispatch};
use crate::cancel::Halt;
use crate::frontier::{self, Few, Load, Push, Split, Terms, Throw};
use crate::random_stream::Stream;
use crate::work_units::{Part, Sum, go_on};
use enfilade_model::combat::{AnyCombat, Ending};
use enfilade_model::dice::Dice;
use enfilade_model::error::Unsolved;

/// How often each ending came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Met {
    /// Trials by ending; endings that never came up are not listed.
    pub endings: BTreeMap<Ending, u64>,
    /// Trials that were not over after the last wave.
    pub unsettled: u64,
    /// By counter: what all trials tallied.
    pub tallies: Vec<i128>,
}

impl Met {
    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.values().sum::<u64>() + self.unsettled
    }
}

impl Sum for Met {
    fn add(&mut self, other: Met) {
        for (ending, count) in other.endings {
            *self.endings.entry(ending).or_insert(0) += count;
        }
        self.unsettled += other.unsettled;
        add(&mut self.tallies, &other.tallies);
    }
}

fn add(sums: &mut Vec<i128>, more: &[i128]) {
    sums.resize(sums.len().max(more.len()), 0);
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

/// Goes on with a simulation of which the chunks of [`CHUNK`] trials in `start` have been made, as
/// [`resume`](super::resume) does with a graph.
///
/// Nobody may decide in `combat`; one that has gone [wrong](AnyCombat::fault) is given up.
pub fn resume_in_waves(
    combat: &AnyCombat,
    trials: u64,
    stream: &Stream,
    isa: Isa,
    start: Part<Met>,
    halt: &Halt,
    made: &(dyn Fn(&Part<Met>, u64) -> bool + Sync),
) -> Part<Met> {
    let size = |index| CHUNK.min(trials - index * CHUNK);
    let chunk = |index| {
        // Trials are never too many: no more states wait than there are trials in a chunk.
        let terms = Terms { states: Some(usize::MAX), halt, seen: &|_| true };
        let (tallies, tables) = (vec![0; combat.counters()], Mutex::default());
        let mut push = Counting { stream, isa, chunk: index, tallies, tables };
        chunk(combat, size(index), &mut push, &terms).ok()
    };
    go_on(trials.div_ceil(CHUNK), start, chunk, |part, index| made(part, size(index)))
}

fn chunk(
    combat: &AnyCombat,
    trials: u64,
    push: &mut Counting<'_>,
    terms: &Terms<'_>,
) -> Result<Met, Unsolved> {
    let ended = frontier::run(combat, push, Trials(trials), terms)?;
    let endings = ended.endings.into_iter().map(|(ending, Trials(count))| (ending, count));
    let tallies = std::mem::take(&mut push.tallies);
    Ok(Met { endings: endings.collect(), unsettled: ended.open.0, tallies })
}

/// So many trials.
#[derive(Clone, Copy, Default)]
struct Trials(u64);

impl Load for Trials {
    fn add(&mut self, other: &Self) {
        self.0 += other.0;
    }
}

/// Trials that are played on rather than put away after every step. Up to 16 of them make no difference
/// that can be measured (`reports/benchmarks.md`).
const FEW: u64 = 3;

/// Pushes a chunk of trials.
struct Counting<'a> {
    stream: &'a Stream,
    isa: Isa,
    chunk: u64,
    tallies: Vec<i128>,
    /// Of pieces that are done: the next ones need the same.
    tables: Mutex<Vec<Tables>>,
}

impl Push for Counting<'_> {
    type Load = Trials;
    type Split = Rolls;

    fn split(&self, wave: u64, piece: u64) -> Rolls {
        // A chunk, a wave and a piece each have a place of their own in the number.
        let index = self.chunk << 40 | wave << 20 | piece;
        let lanes = Lanes::new(|lane| self.stream.key("waves", index, lane));
        let bytes = Source::new(self.isa, lanes);
        let tables = self.tables.lock().pop().unwrap_or_default();
        let tallies = vec![0; self.tallies.len()];
        Rolls { bytes, tables, tallies, passing: Vec::new(), shown: Vec::new() }
    }

    fn gather(&mut self, split: Rolls) {
        add(&mut self.tallies, &split.tallies);
        self.tables.get_mut().push(split.tables);
    }

    fn is_settled(&self, open: &Trials) -> bool {
        open.0 == 0
    }
}

/// Rows of random bytes made at a time for dice that are rolled one by one.
const ROWS: usize = 8;

/// Trials that are counted by the vector; below, a block of bytes made for them would be wasted.
const MANY: u64 = 4096;

/// Shares trials out by rolling their dice.
struct Rolls {
    bytes: Source,
    tables: Tables,
    tallies: Vec<i128>,
    /// Room to work in: trials by what they have come to, and by what one more die shows.
    passing: Vec<u64>,
    shown: Vec<u64>,
}

/// No value: the byte is skipped.
const NONE: u8 = u8::MAX;

/// What a byte shows, by its place among all that can be shown; or [`NONE`].
type Table = Box<[u8; 256]>;

/// What has been found out about dice; made when it is first asked for.
#[derive(Default)]
struct Tables {
    faces: BTreeMap<u8, Table>,
    casts: Casts,
}

/// By throw, whether it is a cast, and which.
#[derive(Default)]
struct Casts {
    places: FxHashMap<Throw, Option<usize>>,
    casts: Vec<Cast>,
    /// Those that were asked for last: a few throws take turns.
    recent: [Option<(Throw, Option<usize>)>; RECENT],
}

const RECENT: usize = 16;

impl Casts {
    fn of(&mut self, throw: Throw) -> Option<&Cast> {
        let at = match throw {
            Throw::Reach(_, _, marks) => marks.wrapping_mul(SPREAD) >> 60,
            throw => throw.sides().into(),
        };
        // PERF: a rule throws the same few dice over and over; a look at the last ones saves the hash.
        let recent = &mut self.recent[at as usize % RECENT];
        if let Some((known, place)) = recent
            && *known == throw
        {
            return self.casts.get((*place)?);
        }
        let place = *self.places.entry(throw).or_insert_with(|| {
            self.casts.push(Cast::of(throw)?);
            Some(self.casts.len() - 1)
        });
        *recent = Some((throw, place));
        self.casts.get(place?)
    }
}

/// An odd number without pattern: products with it spread over their high bits.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The face that a byte shows of a die, counted from 0.
fn faces(tables: &mut BTreeMap<u8, Table>, sides: u8) -> &Table {
    tables.entry(sides).or_insert_with(|| {
        let width = 256 / usize::from(sides);
        let face = |byte: usize| u8::try_from(byte / width).ok().filter(|face| *face < sides);
        Box::new(std::array::from_fn(|byte| face(byte).unwrap_or(NONE)))
    })
}

/// A throw that can fall in so few ways that one byte tells which.
struct Cast {
    table: Table,
    /// What it can come to, the least first.
    values: Vec<u8>,
}

impl Cast {
    /// Each way that `throw` can fall by as many bytes; where there are too many ways, `None`.
    fn of(throw: Throw) -> Option<Cast> {
        let (dice, sides) = (throw.dice().into(), usize::from(throw.sides()));
        let ways = sides.checked_pow(dice).filter(|ways| (1..=256).contains(ways))?;
        let mut shown = [None; 256];
        for (byte, value) in shown.iter_mut().enumerate().take(256 / ways * ways) {
            let face = |die: u32| (byte % ways / sides.pow(die) % sides + 1) as u8;
            let value_of = (0..dice).map(|die| throw.adds(face(die))).sum();
            *value = Some(u8::try_from(throw.shows(value_of)).ok().filter(|value| *value < NONE)?);
        }
        let values: BTreeSet<u8> = shown.iter().flatten().copied().collect();
        let values: Vec<u8> = values.into_iter().collect();
        let place = |value| values.binary_search(&value).map_or(NONE, |place| place as u8);
        Some(Cast { table: Box::new(shown.map(|value| value.map_or(NONE, place))), values })
    }
}

/// Random bytes, and dice that are read from them.
struct Source {
    isa: Isa,
    lanes: Lanes,
    block: [[u8; ROW]; ROWS],
    used: usize,
}

/// Places that are counted in four rows by turns, and the last of a row for what is skipped.
const PLACES: usize = 16;

/// Dice from which on that is worth while.
const WORTH_FOUR: u64 = 24;

impl Source {
    fn new(isa: Isa, lanes: Lanes) -> Self {
        Source { isa, lanes, block: [[0; ROW]; ROWS], used: ROWS * ROW }
    }

    /// The next bytes, at most so many and at least one.
    #[inline]
    fn bytes(&mut self, most: usize) -> &[u8] {
        if self.used == ROWS * ROW {
            dispatch(self.isa, Fill { lanes: &mut self.lanes, block: &mut self.block });
            self.used = 0;
        }
        let from = self.used;
        self.used += most.min(ROWS * ROW - from);
        &self.block.as_flattened()[from..self.used]
    }

    /// What one throw shows.
    #[inline]
    fn place(&mut self, table: &Table) -> u8 {
        loop {
            for byte in self.bytes(1) {
                let place = table[usize::from(*byte)];
                if place != NONE {
                    return place;
                }
            }
        }
    }

    /// Adds to `shown`, by place, how many of so many throws show it.
    fn places(&mut self, table: &Table, throws: u64, shown: &mut [u64]) {
        if throws >= WORTH_FOUR && shown.len() < PLACES {
            return self.places_by_turns(table, throws, shown);
        }
        for _ in 0..throws {
            shown[usize::from(self.place(table))] += 1;
        }
    }

    /// The same.
    // PERF: four counters in turn, because one that has just been written cannot be read at once.
    fn places_by_turns(&mut self, table: &Table, throws: u64, shown: &mut [u64]) {
        // PERF: four tables, because equal places in a row would wait for each other's sum in one.
        let mut seen = [[0_u32; PLACES]; 4];
        let mut left = throws;
        while left > 0 {
            let skipped =
                |seen: &[[u32; PLACES]; 4]| -> u32 { seen.iter().map(|s| s[PLACES - 1]).sum() };
            let before = skipped(&seen);
            let bytes = self.bytes(usize::try_from(left).unwrap_or(usize::MAX));
            let at = |byte: u8| usize::from(table[usize::from(byte)]).min(PLACES - 1);
            let (fours, rest) = bytes.as_chunks::<4>();
            for four in fours {
                for (seen, &byte) in seen.iter_mut().zip(four) {
                    seen[at(byte)] += 1;
                }
            }
            rest.iter().for_each(|&byte| seen[0][at(byte)] += 1);
            left -= bytes.len() as u64;
            left += u64::from(skipped(&seen) - before);
        }
        for (place, shown) in shown.iter_mut().enumerate() {
            *shown += u64::from(seen.iter().map(|seen| seen[place]).sum::<u32>());
        }
    }

    /// Has `shown` hold, by face from 0, how many of so many dice show it.
    fn faces(
        &mut self,
        sides: u8,
        trials: u64,
        tables: &mut BTreeMap<u8, Table>,
        shown: &mut Vec<u64>,
    ) {
        shown.clear();
        shown.resize(sides.into(), 0);
        if trials >= MANY {
            dispatch(self.isa, Faces { bytes: &mut self.lanes, trials, shown });
            return;
        }
        self.places(faces(tables, sides), trials, shown);
    }

    /// Has `passing` hold, by value, what so many trials of a throw come to. They go die by die, all that
    /// have come to the same together.
    fn pass(
        &mut self,
        throw: Throw,
        trials: u64,
        tables: &mut BTreeMap<u8, Table>,
        (passing, shown): (&mut [u64], &mut Vec<u64>),
    ) {
        passing[0] = trials;
        for _ in 0..throw.dice() {
            // From the highest, so that no trial rolls a die twice: a face adds nothing or more.
            for value in (0..passing.len()).rev() {
                let here = std::mem::take(&mut passing[value]);
                if here == 0 {
                    continue;
                }
                self.faces(throw.sides(), here, tables, shown);
                for (face, &shown) in (1..=throw.sides()).zip(&*shown) {
                    passing[value + usize::from(throw.adds(face))] += shown;
                }
            }
        }
        for value in 0..passing.len() {
            let here = std::mem::take(&mut passing[value]);
            passing[usize::from(throw.shows(value as u16))] += here;
        }
    }
}

impl Rolls {
    fn tallied(&mut self, counter: u8, amount: i128) {
        if let Some(sum) = self.tallies.get_mut(usize::from(counter)) {
            *sum += amount;
        }
    }
}

impl Split for Rolls {
    type Load = Trials;

    fn split(&mut self, Trials(trials): Trials, throw: Throw, into: &mut Vec<(u16, Trials)>) {
        let Rolls { bytes, tables: Tables { faces, casts }, passing, shown, .. } = self;
        passing.clear();
        let few = if trials < MANY { casts.of(throw) } else { None };
        if let Some(Cast { table, values }) = few {
            passing.resize(values.len(), 0);
            bytes.places(table, trials, passing);
            let found = values.iter().zip(&*passing).filter(|(_, trials)| **trials > 0);
            into.extend(found.map(|(&value, &trials)| (value.into(), Trials(trials))));
            return;
        }
        passing.resize(throw.most() + 1, 0);
        bytes.pass(throw, trials, faces, (passing, shown));
        let found = (0..).zip(&*passing).filter(|(_, trials)| **trials > 0);
        into.extend(found.map(|(value, &trials)| (value, Trials(trials))));
    }

    fn few(&mut self, &Trials(trials): &Trials) -> Option<Few<'_, Trials>> {
        (trials <= FEW).then_some(Few { trials, one: Trials(1), dice: self })
    }

    fn landed(&mut self, load: Trials, tallied: &[(u8, i64)]) -> Trials {
        for &(counter, amount) in tallied {
            self.tallied(counter, i128::from(amount) * i128::from(load.0));
        }
        load
    }
}

/// For a trial that is played by itself.
impl Dice for Rolls {
    fn die(&mut self, sides: u8) -> u8 {
        self.bytes.place(faces(&mut self.tables.faces, sides)) + 1
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        let Tables { faces: known, casts } = &mut self.tables;
        match casts.of(Throw::Sum(count, sides)) {
            Some(Cast { table, values }) => values[usize::from(self.bytes.place(table))].into(),
            None => {
                let table = faces(known, sides);
                (0..count).map(|_| u16::from(self.bytes.place(table)) + 1).sum()
            }
        }
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.tallied(counter, amount.into());
    }
}

/// Fills a block of bytes.
struct Fill<'a> {
    lanes: &'a mut Lanes,
    block: &'a mut [[u8; ROW]; ROWS],
}

impl Kernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, vector: V) {
        Bytes::fill(self.lanes, vector, self.block);
    }
}
