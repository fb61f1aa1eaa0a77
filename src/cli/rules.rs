//! `enfilade rules`: rulebooks in text files, from a first one to the states of its dice.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::failure;
use super::new::written;
use super::page::Page;
use crate::catalogue::Catalogue;
use crate::error::{Error, counted};
use crate::report::text::sentences::clean;
use crate::rulebook::tools::formatter::format;
use crate::study::file::document::Input;

mod check;
mod inspect;

/// Write, check and format rulebooks in text files
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade rules new my_game.rules
  enfilade rules check my_game.rules --watch
  enfilade odds my_contest.toml --rules my_game.rules")]
pub struct Rules {
    /// The command to run
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a small game with remarks to start from
    New(New),
    /// Report all faults of rulebooks, or their contents
    Check(check::Check),
    /// Indent rulebooks and align their columns; only blanks are changed
    Format(Format),
    /// Show the state that a rule remembers at each of its dice
    Inspect(inspect::Inspect),
}

impl Rules {
    /// Runs the command.
    ///
    /// # Errors
    /// When a file cannot be read or written, or has faults.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        match &self.command {
            Command::New(new) => new.run(),
            Command::Check(check) => check.run(catalogue),
            Command::Format(format) => format.run(),
            Command::Inspect(inspect) => inspect.run(catalogue),
        }
    }
}

#[derive(Debug, Args)]
struct New {
    /// The file to write; an existing file is never replaced
    #[arg(default_value = "my_game.rules")]
    file: PathBuf,
}

/// The game to start from.
const FIRST: &str = include_str!("rules/first.rules");

impl New {
    fn run(&self) -> Result<Page, Error> {
        written(&self.file, FIRST)?;
        let file = clean(&self.file.display().to_string());
        Ok(Page::from(format!(
            "wrote {file}\n\
             check it while you write:  enfilade rules check {file} --watch\n\
             see its actions:           enfilade systems {file}\n\
             ask:                       enfilade odds {file} fire cover=0..3\n"
        )))
    }
}

#[derive(Debug, Args)]
struct Format {
    /// The rulebooks
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Only list the files that would be changed; the exit code is 1 if there are any
    #[arg(long)]
    check: bool,
}

impl Format {
    fn run(&self) -> Result<Page, Error> {
        let (mut text, mut changed, mut wrong) = (String::new(), 0, Vec::new());
        for path in &self.files {
            match self.one(path) {
                Ok(true) => {
                    let would = if self.check { "would be" } else { "was" };
                    text += &format!("{} {would} formatted\n", clean(&path.display().to_string()));
                    changed += 1;
                }
                Ok(false) => {}
                // The other files are formatted all the same.
                Err(error) => wrong.push(error),
            }
        }
        if changed == 0 && wrong.is_empty() {
            text += "nothing to change\n";
        }
        let trouble = last(wrong).or_else(|| {
            let told = || format!("{} would be changed", counted(changed, "file"));
            (self.check && changed > 0).then(|| Error::Disagreement(told()))
        });
        Ok(Page::new(text, trouble))
    }

    /// Formats one file; returns whether it changed.
    fn one(&self, path: &Path) -> Result<bool, Error> {
        let input = Input::read(path)?;
        let set = format(&input.text).map_err(|faults| Error::Input {
            name: input.name.clone(),
            text: input.text.clone(),
            faults,
        })?;
        let changed = set != input.text;
        if changed && !self.check {
            // Whole or not at all: the file may be the only copy.
            let file = crate::report::folder::staging::Single::new(path, &[])?;
            file.write(set.as_bytes())?;
        }
        Ok(changed)
    }
}

/// Reports all of these errors but the last, which is returned.
fn last(mut errors: Vec<Error>) -> Option<Error> {
    let last = errors.pop();
    errors.iter().for_each(failure::report);
    last
}
