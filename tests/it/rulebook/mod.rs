//! Rulebooks in text files, as the program reads, prints and answers them; the language itself is
//! tested in its crate, and the files that ship in the crate of the games.

mod answered;
mod definite;
mod docs;
mod endless;
mod gallery;
mod printed;
mod silent;

use std::path::PathBuf;

use enfilade_testkit::source_files::repository_folder;

/// The folder of the rulebooks.
pub fn folder() -> PathBuf {
    repository_folder().join("rulebooks")
}
