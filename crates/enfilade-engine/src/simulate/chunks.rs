//! Work cut into chunks with separate streams, and their counts.

use std::ops::Range;

use rand::SeedableRng;

use super::counts::Counts;
use super::resolver::Chunk;
use super::rng::{Bits, Isa, Lanes, dispatch};
use super::roll_plan::Plan;
use crate::cancel::{Halt, NEVER};
use crate::random_stream::Stream;
use crate::work_units::{Part, Pieces, go_on};

/// Trials of a chunk; the last one of a simulation may have fewer.
pub const CHUNK: u64 = 1 << 20;

/// Chunks of a unit of work.
const CHUNKS_PER_UNIT: u64 = 16;

/// Trials of a unit of work; the last one of a simulation may have fewer.
pub const UNIT: u64 = CHUNK * CHUNKS_PER_UNIT;

/// Work unit: some chunks of the simulation of one contest. Its only result is [`Counts`], which
/// can be computed anywhere and are merged by adding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Range of chunks.
    pub chunks: Range<u64>,
    /// Trials of the whole simulation, which determine the size of the last chunk.
    pub trials: u64,
}

/// Returns the number of units of a simulation of `trials` trials.
pub fn units(trials: u64) -> u64 {
    trials.div_ceil(CHUNK).div_ceil(CHUNKS_PER_UNIT)
}

impl Unit {
    /// Creates unit `index` of a simulation of `trials` trials.
    pub fn number(index: u64, trials: u64) -> Unit {
        let first = index * CHUNKS_PER_UNIT;
        let end = trials.div_ceil(CHUNK).min(first + CHUNKS_PER_UNIT);
        let chunks = first..end;
        Unit { chunks, trials }
    }

    /// Rolls the unit. Returns `None` if the work was cancelled before the end.
    pub fn run(&self, plan: &Plan, stream: &Stream, isa: Isa, halt: &Halt) -> Option<Counts> {
        let mut counts = Counts::none(plan.endings());
        for index in self.chunks.clone() {
            let trials = self.size_of(index);
            let rolled = rolled(plan, stream, index, trials, isa, halt);
            // A cancelled chunk is incomplete.
            if halt.asked() {
                return None;
            }
            counts.add(&rolled);
        }
        Some(counts)
    }

    /// Returns the number of trials of the unit.
    pub fn size(&self) -> u64 {
        self.chunks.clone().map(|index| self.size_of(index)).sum()
    }

    fn size_of(&self, chunk: u64) -> u64 {
        CHUNK.min(self.trials - chunk * CHUNK)
    }
}

/// Rolls chunk `index` of a simulation.
pub fn chunk(plan: &Plan, stream: &Stream, index: u64, trials: u64, isa: Isa) -> Counts {
    rolled(plan, stream, index, trials, isa, &NEVER)
}

fn rolled(plan: &Plan, stream: &Stream, index: u64, trials: u64, isa: Isa, halt: &Halt) -> Counts {
    let bytes = Lanes::new(|lane| stream.key("simulated", index, lane));
    let jumps = (plan.jumps() > 0).then(|| Bits::from_seed(stream.key("jumps", index, 0)));
    let chunk = Chunk { plan, trials, bytes, jumps, halt };
    dispatch(isa, chunk)
}

/// Simulates `trials` trials on the threads of the current rayon pool.
///
/// The counts depend on the contest, the trials and the stream alone. `done` is called with the
/// size of each finished unit and returns whether to continue. Returns `None` if it returned false
/// and units were left undone.
pub fn simulate(
    plan: &Plan,
    trials: u64,
    stream: &Stream,
    isa: Isa,
    done: &(dyn Fn(u64) -> bool + Sync),
) -> Option<Counts> {
    let start = Part { pieces: Pieces::default(), sum: Counts::none(plan.endings()) };
    let made = |_: &_, size| done(size);
    let part = resume(plan, trials, stream, isa, start, &NEVER, &made);
    (part.sum.trials() == trials).then_some(part.sum)
}

/// Resumes a simulation of which the units in `start` are finished. Returns the whole, or the units
/// finished before cancellation. `made` is called after each unit, by one thread at a time, with
/// the result so far and the size of the unit; it returns whether to continue.
pub fn resume(
    plan: &Plan,
    trials: u64,
    stream: &Stream,
    isa: Isa,
    start: Part<Counts>,
    halt: &Halt,
    made: &(dyn Fn(&Part<Counts>, u64) -> bool + Sync),
) -> Part<Counts> {
    let unit = |index| Unit::number(index, trials).run(plan, stream, isa, halt);
    let size = |index| Unit::number(index, trials).size();
    go_on(units(trials), start, unit, |part, index| made(part, size(index)))
}
