//! Helpers that the tests of several crates share, independent of any game: contests are built from
//! the catalogue of the test.

pub mod contests;
pub mod enumerate;
pub mod frontier;
pub mod laws;
pub mod odometer;
#[cfg(not(target_family = "wasm"))]
pub mod patience;
pub mod sources;
pub mod walk;
