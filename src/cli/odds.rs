//! `enfilade odds`.

use std::path::PathBuf;

use clap::Args;

use super::options::{Options, Rulebooks};
use super::page::Page;
use super::sheet::Format;
use super::work;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::report;
use crate::report::terminal::Screen;
use crate::study::journal::Journal;

/// Answer the contests of a file on the terminal
#[derive(Debug, Args)]
#[command(after_help = "Example:
  printf 'contest = { system = \"asl\", action = \"fire\", fp = [4, 8, 16],
    target = { kind = \"squad\", morale = 7 } }' | enfilade odds -")]
pub struct Odds {
    /// The file, or - for standard input
    pub file: PathBuf,
    /// How to write the answers
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rulebooks: Rulebooks,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: Options,
}

impl Odds {
    /// The odds of every cell.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, or a contest is too large.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let (input, mut experiment) = work::read(catalogue, &self.rulebooks, &self.file)?;
        let solved = work::solve(&input, &mut experiment, &self.options, &Journal::none())?;
        let mut text = Vec::new();
        report::print(&solved.answers, format(self.format), &mut text)?;
        Ok(Page {
            text: String::from_utf8(text)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
            trouble: work::trouble(&solved, experiment.asked),
        })
    }
}

/// How the report calls a format.
pub(super) fn format(format: Format) -> report::Format {
    match format {
        Format::Table => report::Format::Table(Screen::of_stdout()),
        Format::Json => report::Format::Json,
        Format::Csv => report::Format::Csv,
        Format::Markdown => report::Format::Markdown,
    }
}
