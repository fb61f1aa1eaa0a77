//! Simulated odds: numbers of trials pushed through the die graph by really rolling the dice.
//!
//! Trials at the same vertex are interchangeable, so the resolver stores their number and rolls
//! that many dice at once: `roll` compares random bytes with thresholds and counts. The result has
//! exactly the distribution of that many separate trials.
//!
//! The unit of work is a range of chunks of [`CHUNK`] trials. Each chunk has its own stream, so
//! counts are the same for every number of threads, every order and every instruction set.

mod binomial;
pub mod chunks;
mod counts;
mod isa;
mod loops;
mod resolver;
pub mod rng;
mod roll_plan;
mod simulated_frontier;

pub use chunks::{CHUNK, UNIT, Unit, chunk, resume, simulate, units};
pub use counts::Counts;
pub use isa::Isa;
pub use resolver::{BLOCK, Bytes, Chunk, MAX_ROUNDS};
pub use roll_plan::Plan;
pub use simulated_frontier::{Met, resume_in_waves};
