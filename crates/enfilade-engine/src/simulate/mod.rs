//! Simulated odds: numbers of trials pushed through the die graph by really rolling the dice.
//!
//! Trials at the same vertex are interchangeable, so the resolver stores their number and rolls
//! that many dice at once: `roll` compares random bytes with thresholds and counts. The result has
//! exactly the distribution of that many separate trials.
//!
//! The unit of work is a range of chunks of [`TRIALS_PER_CHUNK`] trials. Each chunk has its own
//! stream, so counts are the same for every number of threads, every order and every instruction
//! set.

mod binomial;
mod ending_counts;
mod instruction_sets;
mod loop_jumps;
mod resolver;
pub mod rng;
mod roll_plan;
mod simulated_frontier;
#[doc(hidden)]
pub mod trial_chunks;

pub use ending_counts::EndingCounts;
pub use instruction_sets::InstructionSet;
pub use resolver::{BYTES_PER_BLOCK, ChunkRollKernel, MAX_LOOP_ROUNDS, RandomByteGenerator};
pub use roll_plan::RollableDieGraph;
pub use simulated_frontier::{TrialsByEnding, resume_frontier_simulation};
pub use trial_chunks::{
    TRIALS_PER_CHUNK, TRIALS_PER_WORK_UNIT, WorkUnit, resume_unfinished_simulation,
    roll_whole_chunk, simulate_trials, work_unit_count,
};
