//! Exact odds, simulation and point costs for tabletop wargames, from one telling of each rule.
#![deny(missing_docs)]

pub mod bounds;
pub mod combat;
pub mod dice;
pub mod error;
pub mod form;
pub mod study;
pub mod systems;
