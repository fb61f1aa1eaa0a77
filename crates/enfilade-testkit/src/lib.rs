//! Helpers that the tests of several crates share, independent of any game: contests are built from
//! the catalogue of the test.

// The rulebook of `examples/toy` names its types as a game outside of this repository does.
extern crate enfilade_model as enfilade;

pub mod counted_distribution;
pub mod doc_pages;
pub mod enumerate;
pub mod error_bounds;
pub mod frontier;
pub mod reported_distributions;
pub mod rerolled_die;
pub mod sequence_dice;
pub mod source_files;
pub mod test_contests;
#[cfg(not(target_family = "wasm"))]
pub mod test_timeout;
pub mod toy;
