//! Contests of the built-in rulebooks, built, played and walked, with the shared parts of the test
//! kit.

pub mod compiled;
pub mod exploding;
pub mod play;
pub mod walk;

pub use enfilade_testkit::enumerate;
