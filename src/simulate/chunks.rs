//! Work cut into chunks with streams of their own, and the counts they give.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::plan::Plan;
use super::rng::{Isa, Lanes, dispatch};
use super::roll::Chunk;
use crate::stream::{Pieces, Stream};

/// Trials of a chunk; the last one of a simulation may have fewer.
pub const CHUNK: u64 = 1 << 20;

/// Chunks of a unit of work.
const CHUNKS_PER_UNIT: u64 = 16;

/// Trials of a unit of work; the last one of a simulation may have fewer.
pub const UNIT: u64 = CHUNK * CHUNKS_PER_UNIT;

/// How often each ending came up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts {
    /// By ending of the graph: trials that ended so.
    pub endings: Vec<u64>,
    /// Trials that were not over after the last round.
    pub unsettled: u64,
}

impl Counts {
    /// No trials at all, for a graph with this many endings.
    pub fn none(endings: usize) -> Counts {
        Counts {
            endings: vec![0; endings],
            unsettled: 0,
        }
    }

    /// Adds the counts of other trials of the same contest.
    pub fn add(&mut self, other: &Counts) {
        for (sum, count) in self.endings.iter_mut().zip(&other.endings) {
            *sum += count;
        }
        self.unsettled += other.unsettled;
    }

    /// Trials in all.
    pub fn trials(&self) -> u64 {
        self.endings.iter().sum::<u64>() + self.unsettled
    }
}

/// A unit of work: some chunks of the simulation of one contest. Its only result is [`Counts`],
/// which can be computed anywhere and are merged by adding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Which chunks.
    pub chunks: Range<u64>,
    /// Trials of the whole simulation: they say how long the last chunk is.
    pub trials: u64,
}

/// The units that together make `trials` trials, in index order.
pub fn units(trials: u64) -> impl ExactSizeIterator<Item = Unit> {
    let chunks = trials.div_ceil(CHUNK);
    let units = usize::try_from(chunks.div_ceil(CHUNKS_PER_UNIT)).unwrap_or(usize::MAX);
    (0..units).map(move |index| {
        let first = index as u64 * CHUNKS_PER_UNIT;
        Unit {
            chunks: first..chunks.min(first + CHUNKS_PER_UNIT),
            trials,
        }
    })
}

impl Unit {
    /// Rolls the unit.
    pub fn run(&self, plan: &Plan, stream: &Stream, isa: Isa) -> Counts {
        let mut counts = Counts::none(plan.endings());
        for index in self.chunks.clone() {
            counts.add(&chunk(plan, stream, index, self.size_of(index), isa));
        }
        counts
    }

    /// Trials of the unit.
    pub fn size(&self) -> u64 {
        self.chunks.clone().map(|index| self.size_of(index)).sum()
    }

    fn size_of(&self, chunk: u64) -> u64 {
        CHUNK.min(self.trials - chunk * CHUNK)
    }
}

/// Rolls chunk `index` of a simulation.
pub fn chunk(plan: &Plan, stream: &Stream, index: u64, trials: u64, isa: Isa) -> Counts {
    let bytes = Lanes::new(|lane| stream.key("simulated", index, lane));
    dispatch(
        isa,
        Chunk {
            plan,
            trials,
            bytes,
        },
    )
}

/// Simulates `trials` trials on the threads of the current rayon pool.
///
/// The counts depend on the contest, the trials and the stream alone. `done` is told the size of
/// each finished unit and answers whether to go on; when units are left undone because it said no,
/// `None` is returned.
pub fn simulate(
    plan: &Plan,
    trials: u64,
    stream: &Stream,
    isa: Isa,
    done: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Counts> {
    let made = resume(plan, trials, stream, isa, Part::none(plan.endings()), done);
    (made.counts.trials() == trials).then_some(made.counts)
}

/// What has been made of a simulation: some of its units, and their counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Which units.
    pub units: Pieces,
    /// Their counts.
    pub counts: Counts,
}

impl Part {
    /// Nothing, for a graph with this many endings.
    pub fn none(endings: usize) -> Part {
        Part {
            units: Pieces::default(),
            counts: Counts::none(endings),
        }
    }

    fn with(mut self, other: Part) -> Part {
        self.units = self.units.with(other.units);
        self.counts.add(&other.counts);
        self
    }
}

/// Goes on with a simulation of which `start` has been made, as far as `done` lets it: what comes
/// out is the whole, or the part made until it said no.
pub fn resume(
    plan: &Plan,
    trials: u64,
    stream: &Stream,
    isa: Isa,
    start: Part,
    done: &(dyn Fn(u64) -> bool + Sync),
) -> Part {
    let stopped = AtomicBool::new(false);
    let none = || Part::none(plan.endings());
    let run = |index: usize| {
        let piece = index as u64;
        let left = !start.units.contains(piece) && !stopped.load(Ordering::Relaxed);
        let Some(unit) = units(trials).nth(index).filter(|_| left) else {
            return none();
        };
        let counts = unit.run(plan, stream, isa);
        if !done(unit.size()) {
            stopped.store(true, Ordering::Relaxed);
        }
        let units = Pieces::one(piece);
        Part { units, counts }
    };
    let all = 0..units(trials).len();
    let made = all.into_par_iter().map(run).reduce(none, Part::with);
    start.with(made)
}
