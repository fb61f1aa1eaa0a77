//! Contests of the built-in rulebooks made, played and walked, with what all crates share of it.

pub mod compiled;
pub mod exploding;
pub mod play;
pub mod walk;

pub use enfilade_testkit::enumerate;
