//! Exact odds, simulation and point costs for tabletop wargames, from one telling of each rule.
#![deny(missing_docs)]

pub mod bounds;
pub mod cli;
pub mod combat;
pub mod dice;
pub mod error;
pub mod exact;
pub mod form;
pub mod graph;
pub mod play;
pub mod report;
pub mod simulate;
pub mod stats;
pub mod stream;
pub mod study;
pub mod systems;
