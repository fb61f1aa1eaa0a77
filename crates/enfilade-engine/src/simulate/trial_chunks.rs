//! Work cut into chunks with separate streams, and their counts.

use std::ops::Range;

use rand::SeedableRng;

use super::ending_counts::EndingCounts;
use super::resolver::ChunkRollKernel;
use super::rng::{Bits, GeneratorLanes, InstructionSet, dispatch_kernel};
use super::roll_plan::RollableDieGraph;
use crate::cancel::{CancelToken, NEVER_CANCELLED};
use crate::random_stream::ContestRandomStream;
use crate::work_units::{PartialWorkResult, WorkUnitIndexSet, run_remaining_units};

/// Trials of a chunk; the last one of a simulation may have fewer.
pub const TRIALS_PER_CHUNK: u64 = 1 << 20;

/// Chunks of a unit of work. A page has one thread, and stops between units: there they are short.
const CHUNKS_PER_UNIT: u64 = if cfg!(target_family = "wasm") { 1 } else { 16 };

/// Trials of a unit of work; the last one of a simulation may have fewer.
pub const TRIALS_PER_WORK_UNIT: u64 = TRIALS_PER_CHUNK * CHUNKS_PER_UNIT;

/// Work unit: some chunks of the simulation of one contest. Its only result is [`EndingCounts`],
/// which can be computed anywhere and are merged by adding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkUnit {
    /// Range of chunks.
    pub chunks: Range<u64>,
    /// Trials of the whole simulation, which determine the size of the last chunk.
    pub trials: u64,
}

/// Returns the number of units of a simulation of `trials` trials.
pub fn work_unit_count(trials: u64) -> u64 {
    trials.div_ceil(TRIALS_PER_CHUNK).div_ceil(CHUNKS_PER_UNIT)
}

impl WorkUnit {
    /// Creates unit `index` of a simulation of `trials` trials.
    pub fn from_index(index: u64, trials: u64) -> WorkUnit {
        let first = index * CHUNKS_PER_UNIT;
        let end = trials.div_ceil(TRIALS_PER_CHUNK).min(first + CHUNKS_PER_UNIT);
        let chunks = first..end;
        WorkUnit { chunks, trials }
    }

    /// Rolls the unit. Returns `None` if the work was cancelled before the end.
    pub fn roll_work_unit(
        &self,
        plan: &RollableDieGraph,
        stream: &ContestRandomStream,
        isa: InstructionSet,
        halt: &CancelToken,
    ) -> Option<EndingCounts> {
        let mut counts = EndingCounts::zero_for_endings(plan.number_of_endings());
        for index in self.chunks.clone() {
            let trials = self.trials_in_chunk(index);
            let rolled = roll_chunk_until_cancelled(plan, stream, index, trials, isa, halt);
            // A cancelled chunk is incomplete.
            if halt.is_cancelled() {
                return None;
            }
            counts.add_counts(&rolled);
        }
        Some(counts)
    }

    /// Returns the number of trials of the unit.
    pub fn trial_count(&self) -> u64 {
        self.chunks.clone().map(|index| self.trials_in_chunk(index)).sum()
    }

    fn trials_in_chunk(&self, chunk: u64) -> u64 {
        TRIALS_PER_CHUNK.min(self.trials - chunk * TRIALS_PER_CHUNK)
    }
}

/// Rolls chunk `index` of a simulation.
pub fn roll_whole_chunk(
    plan: &RollableDieGraph,
    stream: &ContestRandomStream,
    index: u64,
    trials: u64,
    isa: InstructionSet,
) -> EndingCounts {
    roll_chunk_until_cancelled(plan, stream, index, trials, isa, &NEVER_CANCELLED)
}

fn roll_chunk_until_cancelled(
    plan: &RollableDieGraph,
    stream: &ContestRandomStream,
    index: u64,
    trials: u64,
    isa: InstructionSet,
    halt: &CancelToken,
) -> EndingCounts {
    let bytes = GeneratorLanes::new(|lane| stream.generator_key_for_unit("simulated", index, lane));
    let jumps = (plan.loop_exit_jump_count() > 0)
        .then(|| Bits::from_seed(stream.generator_key_for_unit("jumps", index, 0)));
    let chunk = ChunkRollKernel { plan, trials, bytes, jumps, halt };
    dispatch_kernel(isa, chunk)
}

/// Simulates `trials` trials on the threads of the current rayon pool.
///
/// The counts depend on the contest, the trials and the stream alone. `done` is called with the
/// size of each finished unit and returns whether to continue. Returns `None` if it returned false
/// and units were left undone.
pub fn simulate_trials(
    plan: &RollableDieGraph,
    trials: u64,
    stream: &ContestRandomStream,
    isa: InstructionSet,
    done: &(dyn Fn(u64) -> bool + Sync),
) -> Option<EndingCounts> {
    let start = PartialWorkResult {
        pieces: WorkUnitIndexSet::default(),
        sum: EndingCounts::zero_for_endings(plan.number_of_endings()),
    };
    let made = |_: &_, size| done(size);
    let part =
        resume_unfinished_simulation(plan, trials, stream, isa, start, &NEVER_CANCELLED, &made);
    (part.sum.trial_count() == trials).then_some(part.sum)
}

/// Resumes a simulation of which the units in `start` are finished. Returns the whole, or the units
/// finished before cancellation. `on_progress` is called after each unit, by one thread at a time,
/// with the result so far and the size of the unit; it returns whether to continue.
pub fn resume_unfinished_simulation(
    plan: &RollableDieGraph,
    trials: u64,
    stream: &ContestRandomStream,
    isa: InstructionSet,
    start: PartialWorkResult<EndingCounts>,
    halt: &CancelToken,
    on_progress: &(dyn Fn(&PartialWorkResult<EndingCounts>, u64) -> bool + Sync),
) -> PartialWorkResult<EndingCounts> {
    let unit = |index| WorkUnit::from_index(index, trials).roll_work_unit(plan, stream, isa, halt);
    let size = |index| WorkUnit::from_index(index, trials).trial_count();
    run_remaining_units(work_unit_count(trials), start, unit, |part, index| {
        on_progress(part, size(index))
    })
}
