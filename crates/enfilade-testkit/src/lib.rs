//! What the tests of several crates have in common, without a game: contests are made from a catalogue that the
//! test has.

pub mod contests;
pub mod enumerate;
pub mod frontier;
pub mod laws;
pub mod odometer;
#[cfg(not(target_family = "wasm"))]
pub mod patience;
pub mod sources;
pub mod walk;
