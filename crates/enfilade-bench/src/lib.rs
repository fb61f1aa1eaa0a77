//! The benchmark: the speed of the resolver relative to a plain loop, and to the random bytes
//! alone.
//!
//! Four [reference contests](reference_contests), each also [as a plain loop](plain_loops), measure
//! the speed of the program. Here a clock may be read, because a duration is the answer; nowhere
//! else does a result depend on one. The crate is internal to the program: no item has a promise of
//! stability.

#[cfg(not(target_family = "wasm"))]
mod measure;
pub mod plain_loops;
pub mod reference_contests;

#[cfg(not(target_family = "wasm"))]
pub use measure::{
    SimulationCpuTimes, SpeedFigures, median_of_times, random_bytes_per_trial,
    time_one_run_per_unit, time_reference_contests,
};
pub use reference_contests::{BenchContestWithPlainLoop, REFERENCE_CONTESTS};
