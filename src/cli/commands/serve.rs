//! `enfilade serve`.

use std::io::{BufReader, stdin, stdout};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::catalogue::Catalogue;
use crate::cli::command_output::OutputAndError;
use crate::error::Error;
use crate::studio::{self, StudioOptions};

/// Answer other programs: a line of JSON in, a line out
///
/// Any program, in any language, can send the requests of the studio's page over a pipe. The answer
/// to `{"id": 1, "ask": "dice", "body": {"text": "4d6kh3"}}` is the line
/// `{"id":1,"status":200,"body":{…}}`. Questions are solved in parallel; `{"cancel": 1}` cancels
/// one. The program ends after the last line.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  echo '{\"id\": 1, \"ask\": \"dice\", \"body\": {\"text\": \"4d6kh3\"}}' | enfilade serve --stdio")]
pub struct ServeArgs {
    /// The folder with experiments and rulebooks that a question may name
    #[arg(default_value = ".")]
    folder: PathBuf,
    /// Read questions from standard input and write answers to standard output
    #[arg(long, required = true)]
    stdio: bool,
    /// Time limit of an answer, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    budget: u64,
    /// Threads to use [default: one per processor]
    #[arg(long, value_name = "N", value_parser = crate::cli::args::parse_thread_count)]
    threads: Option<usize>,
}

impl ServeArgs {
    /// Serves until there are no more lines.
    ///
    /// # Errors
    /// When the folder does not exist, or answers cannot be written.
    pub fn serve_input_lines(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let budget = Duration::from_millis(self.budget);
        let terms = StudioOptions {
            folder: self.folder.clone(),
            port: 0,
            budget,
            // The caller sets one limit, because no user waits at a page.
            patient_budget: budget,
            threads: self.threads,
            idle_limit: None,
        };
        studio::answer_input_lines(catalogue, &terms, BufReader::new(stdin()), stdout().lock())?;
        Ok(OutputAndError::from(String::new()))
    }
}
