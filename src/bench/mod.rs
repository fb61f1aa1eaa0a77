//! The stopwatch: how fast the resolver is beside a plain loop, and beside the random bytes alone.
//!
//! Four [reference contests](contests), each also [as a plain loop](plain), are what the speed of the
//! program is measured by. Here a clock may be read, because a duration is the answer; nowhere else
//! does a result depend on one.

pub mod contests;
mod measure;
pub mod plain;

pub use contests::{ALL, Reference};
pub use measure::{Contest, Figures, bytes_per_trial, measure, median, timed};
