//! Rulebooks that an experiment or an arsenal names: `rules = "my_game.rules"`, beside the file, or
//! on the command line.
//!
//! Reading an experiment opens no file: the rulebooks that it names are added to its catalogue
//! here, before, by a caller that may open files.

mod named;
#[cfg(feature = "files")]
mod opening;

pub use named::{RULES, faults, named_at, named_in_file, stem};
#[cfg(feature = "files")]
pub use opening::{catalogue, seen_from};
