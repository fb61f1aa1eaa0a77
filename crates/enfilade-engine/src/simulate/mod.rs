//! Simulated odds: numbers of trials pushed through the die graph by really rolling the dice.
//!
//! Trials in the same place are interchangeable, so the resolver keeps how many there are and
//! rolls that many dice at once: `roll` compares random bytes with thresholds and counts. What
//! comes out is exactly what as many separate trials would give in law.
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
