//! Simulated odds without a graph: numbers of trials pushed through waves of states.
//!
//! Where many trials meet in a state, their dice are counted by the vector as in the resolver; where
//! few do, they are rolled one by one. A state with one trial in it takes one run of its step, so this
//! never costs much more than playing, and far less where trials meet.

use std::collections::BTreeMap;

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
        let (block, used) = ([[0; ROW]; ROWS], ROWS * ROW);
        let tallies = vec![0; self.tallies.len()];
        Rolls { isa: self.isa, lanes, block, used, tallies, passing: Vec::new(), shown: Vec::new() }
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
    isa: Isa,
    lanes: Lanes,
    block: [[u8; ROW]; ROWS],
    used: usize,
    tallies: Vec<i128>,
    /// Room to work in: trials by what they have come to, and by what one more die shows.
    passing: Vec<u64>,
    shown: Vec<u64>,
}

impl Rolls {
    /// The face of one die.
    #[inline]
    fn face(&mut self, sides: u8) -> u8 {
        let width = (256 / u16::from(sides)) as u8;
        loop {
            if self.used == ROWS * ROW {
                dispatch(self.isa, Fill { lanes: &mut self.lanes, block: &mut self.block });
                self.used = 0;
            }
            let byte = self.block.as_flattened()[self.used];
            self.used += 1;
            if sides == 1 {
                return 1;
            }
            let face = byte / width;
            if face < sides {
                return face + 1;
            }
        }
    }

    fn tallied(&mut self, counter: u8, amount: i128) {
        if let Some(sum) = self.tallies.get_mut(usize::from(counter)) {
            *sum += amount;
        }
    }

    /// Adds to `shown`, by face from 0, how many of so many dice show it.
    fn faces(&mut self, sides: u8, trials: u64) {
        self.shown.clear();
        self.shown.resize(sides.into(), 0);
        if trials >= MANY {
            let (bytes, shown) = (&mut self.lanes, &mut self.shown);
            dispatch(self.isa, Faces { bytes, trials, shown });
            return;
        }
        for _ in 0..trials {
            let face = self.face(sides);
            self.shown[usize::from(face) - 1] += 1;
        }
    }
}

impl Split for Rolls {
    type Load = Trials;

    fn split(&mut self, Trials(trials): Trials, throw: Throw, into: &mut Vec<(u16, Trials)>) {
        let mut passing = std::mem::take(&mut self.passing);
        passing.clear();
        passing.resize(throw.most() + 1, 0);
        passing[0] = trials;
        for _ in 0..throw.dice() {
            // From the highest, so that no trial rolls a die twice: a face adds nothing or more.
            for value in (0..passing.len()).rev() {
                let here = std::mem::take(&mut passing[value]);
                if here == 0 {
                    continue;
                }
                self.faces(throw.sides(), here);
                for (face, &shown) in (1..=throw.sides()).zip(&self.shown) {
                    passing[value + usize::from(throw.adds(face))] += shown;
                }
            }
        }
        let found = (0..).zip(&passing).filter(|(_, trials)| **trials > 0);
        into.extend(found.map(|(value, &trials)| (value, Trials(trials))));
        self.passing = passing;
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
        self.face(sides)
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
