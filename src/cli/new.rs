//! `enfilade new`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::Rulebooks;
use super::{Page, question};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::plain_file;
use crate::report::text::sentences::clean;
use crate::study::file::rulebook_loader;
use crate::study::question::start;

/// Write a file to start from, which runs as it is
///
/// It has an example of the action, and behind a # the other common fields with their defaults and what
/// they mean.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  enfilade new asl fire && enfilade odds asl-fire.toml")]
pub struct New {
    /// The rulebook
    system: String,
    /// What is played
    action: String,
    /// The file, or - for standard output [default: SYSTEM-ACTION.toml]
    file: Option<PathBuf>,
    /// The rare fields too
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    rulebooks: Rulebooks,
}

impl New {
    /// Writes the file.
    ///
    /// # Errors
    /// When there is no such action, or the file is there or cannot be written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let catalogue = &self.rulebooks.on(catalogue)?;
        let system = catalogue.system(&self.system).map_err(question::usage)?;
        let action = system.action(&self.action).map_err(question::usage)?;
        let usual = || PathBuf::from(format!("{}-{}.toml", system.id, action.name));
        let path = self.file.clone().unwrap_or_else(usual);
        let name = clean(&path.display().to_string());
        let folder = path.parent().unwrap_or(Path::new(""));
        let rules =
            self.rulebooks.of(system).map(|rules| rulebook_loader::seen_from(folder, rules));
        let text = |name| start(system, action, name, rules.as_deref(), self.all);
        if path.as_os_str() == "-" {
            return Ok(Page::from(text("FILE")));
        }
        written(&path, &text(&name))?;
        Ok(Page::from(format!("wrote {name}; now:  enfilade odds {name}\n")))
    }
}

/// Writes a file that is not there yet, whole or not at all.
///
/// # Errors
/// When it is there or cannot be written.
pub fn written(path: &Path, text: &str) -> Result<(), Error> {
    plain_file::write_new(path, text).map_err(|source| match source.kind() {
        std::io::ErrorKind::AlreadyExists => Error::Usage(format!(
            "{} is there already and is not replaced: give another name",
            clean(&path.display().to_string())
        )),
        _ => Error::Io { what: "writing", path: path.to_owned(), source },
    })
}
