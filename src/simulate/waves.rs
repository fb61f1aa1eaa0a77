//! Simulated odds without a graph: numbers of trials pushed through waves of states.
//!
//! Where many trials meet in a state, their dice are counted by the vector as in the resolver; where
//! few do, they are rolled one by one. A state with one trial in it takes one run of its step, so this
//! never costs much more than playing, and far less where trials meet.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::chunks::CHUNK;
use super::rng::{Isa, Kernel, Lanes, ROW, Vector, dispatch};
use super::roll::{Bytes, Faces};
use crate::combat::{AnyCombat, Ending};
use crate::dice::Dice;
use crate::error::Unsolved;
use crate::halt::Halt;
use crate::pieces::{Part, Sum, go_on};
use crate::stream::Stream;
use crate::waves::{self, Few, Load, Push, Split, Terms, Throw};

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
        let terms = Terms { states: Some(usize::MAX), halt, seen: &|_| true };
        let mut push = Counting { stream, isa, chunk: index, tallies: vec![0; combat.counters()] };
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
    let ended = waves::run(combat, push, Trials(trials), terms)?;
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
}

impl Push for Counting<'_> {
    type Load = Trials;
    type Split = Rolls;

    fn split(&self, wave: u64, piece: u64) -> Rolls {
        // A chunk, a wave and a piece each have a place of their own in the number.
        let index = self.chunk << 40 | wave << 20 | piece;
        let lanes = Lanes::new(|lane| self.stream.key("waves", index, lane));
        let bytes = Source { isa: self.isa, lanes, block: [[0; ROW]; ROWS], used: ROWS * ROW };
        let tallies = vec![0; self.tallies.len()];
        Rolls {
            bytes,
            casts: FxHashMap::default(),
            tallies,
            passing: Vec::new(),
            shown: Vec::new(),
        }
    }

    fn gather(&mut self, split: Rolls) {
        add(&mut self.tallies, &split.tallies);
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
    casts: FxHashMap<Throw, Option<Cast>>,
    tallies: Vec<i128>,
    /// Room to work in: trials by what they have come to, and by what one more die shows.
    passing: Vec<u64>,
    shown: Vec<u64>,
}

/// No value: the byte is skipped.
const NONE: u8 = u8::MAX;

/// A throw that can fall in so few ways that one byte tells which.
type Cast = Box<[u8; 256]>;

/// What a throw comes to by byte, each way that it can fall by as many bytes; where there are too many
/// ways, `None`.
fn cast(throw: Throw) -> Option<Cast> {
    let (dice, sides) = (throw.dice().into(), usize::from(throw.sides()));
    let ways = sides.checked_pow(dice).filter(|ways| (1..=256).contains(ways))?;
    let mut cast = Box::new([NONE; 256]);
    for (byte, value) in cast.iter_mut().enumerate().take(256 / ways * ways) {
        let face = |die: u32| (byte % ways / sides.pow(die) % sides + 1) as u8;
        let value_of = (0..dice).map(|die| throw.adds(face(die))).sum();
        *value = u8::try_from(throw.shows(value_of)).ok().filter(|value| *value < NONE)?;
    }
    Some(cast)
}

/// Random bytes, and dice that are read from them.
struct Source {
    isa: Isa,
    lanes: Lanes,
    block: [[u8; ROW]; ROWS],
    used: usize,
}

impl Source {
    #[inline]
    fn byte(&mut self) -> u8 {
        if self.used == ROWS * ROW {
            dispatch(self.isa, Fill { lanes: &mut self.lanes, block: &mut self.block });
            self.used = 0;
        }
        self.used += 1;
        self.block.as_flattened()[self.used - 1]
    }

    /// The face of one die.
    #[inline]
    fn face(&mut self, sides: u8) -> u8 {
        let width = (256 / u16::from(sides)) as u8;
        loop {
            let byte = self.byte();
            if sides == 1 {
                return 1;
            }
            let face = byte / width;
            if face < sides {
                return face + 1;
            }
        }
    }

    /// What a throw comes to.
    #[inline]
    fn value(&mut self, cast: &Cast) -> u8 {
        loop {
            let value = cast[usize::from(self.byte())];
            if value != NONE {
                return value;
            }
        }
    }

    /// Has `shown` hold, by face from 0, how many of so many dice show it.
    fn faces(&mut self, sides: u8, trials: u64, shown: &mut Vec<u64>) {
        shown.clear();
        shown.resize(sides.into(), 0);
        if trials >= MANY {
            dispatch(self.isa, Faces { bytes: &mut self.lanes, trials, shown });
            return;
        }
        for _ in 0..trials {
            let face = self.face(sides);
            shown[usize::from(face) - 1] += 1;
        }
    }

    /// Has `passing` hold, by value, what so many trials of a throw come to. They go die by die, all that
    /// have come to the same together.
    fn pass(&mut self, throw: Throw, trials: u64, passing: &mut [u64], shown: &mut Vec<u64>) {
        passing[0] = trials;
        for _ in 0..throw.dice() {
            // From the highest, so that no trial rolls a die twice: a face adds nothing or more.
            for value in (0..passing.len()).rev() {
                let here = std::mem::take(&mut passing[value]);
                if here == 0 {
                    continue;
                }
                self.faces(throw.sides(), here, shown);
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
        let Rolls { bytes, casts, passing, shown, .. } = self;
        passing.clear();
        passing.resize(throw.most() + 1, 0);
        match casts.entry(throw).or_insert_with(|| cast(throw)) {
            Some(cast) if trials < MANY => {
                (0..trials).for_each(|_| passing[usize::from(bytes.value(cast))] += 1);
            }
            _ => bytes.pass(throw, trials, passing, shown),
        }
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
        self.bytes.face(sides)
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        let throw = Throw::Sum(count, sides);
        match self.casts.entry(throw).or_insert_with(|| cast(throw)) {
            Some(cast) => self.bytes.value(cast).into(),
            None => (0..count).map(|_| u16::from(self.bytes.face(sides))).sum(),
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
