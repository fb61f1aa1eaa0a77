//! The rulebooks that an experiment or an arsenal names: `rules = "my_game.rules"`, beside the file,
//! or on the command line.
//!
//! Reading an experiment opens no file: what it names is put into its catalogue here, before, by
//! whoever may open files.

mod named;
#[cfg(feature = "files")]
mod opening;

pub use named::{RULES, faults, named_at, named_in_file, stem};
#[cfg(feature = "files")]
pub use opening::{catalogue, seen_from};
