//! Rulebooks that an experiment or an arsenal names: `rules = "my_game.rules"`, beside the file, or
//! on the command line.
//!
//! Reading an experiment opens no file: the rulebooks that it names are added to its catalogue
//! here, before, by a caller that may open files.

#[cfg(feature = "files")]
mod rulebook_catalogue;
mod rulebook_names;

#[cfg(feature = "files")]
pub use rulebook_catalogue::{catalogue_with_rulebook_files, path_relative_to_folder};
pub use rulebook_names::{
    RULEBOOKS_KEY, find_rulebook_faults, format_rules_line_for_path, rulebook_name_of_path,
    rules_line_unless_built_in,
};
