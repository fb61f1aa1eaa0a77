//! The benchmark: the speed of the resolver relative to a plain loop, and to the random bytes
//! alone.
//!
//! Four [reference contests](contests), each also [as a plain loop](plain), measure the speed of
//! the program. Here a clock may be read, because a duration is the answer; nowhere else does a
//! result depend on one.

pub mod contests;
mod measure;
pub mod plain;

pub use contests::{ALL, Reference};
pub use measure::{Contest, Figures, bytes_per_trial, measure, median, timed};
