//! `enfilade odds`.

use std::path::PathBuf;

use clap::Args;

use super::options::Options;
use super::sheet::Format;
use crate::error::Error;
use crate::study::experiment::Experiment;
use crate::study::source::Input;

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
    pub options: Options,
}

impl Odds {
    /// Reads and checks the contests.
    ///
    /// # Errors
    /// When the file cannot be read or has faults.
    pub fn experiment(&self) -> Result<Experiment, Error> {
        let input = Input::read(&self.file)?;
        Experiment::read(&input.name, &input.text)
    }
}
