//! `enfilade run`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::Options;
use crate::error::Error;
use crate::study::experiment::Experiment;
use crate::study::source::Input;

/// Answer an experiment and write its results to a folder
///
/// Every cell of the grid is answered exactly and by simulation, the two are compared, and tables,
/// charts, a summary and a manifest are written.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade run experiments/ift-odds.toml --out out/ift-odds")]
pub struct Run {
    /// The experiment file
    pub file: PathBuf,
    /// The folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub options: Options,
}

/// A checked run.
pub struct Plan {
    /// The file as it was read, for the manifest.
    pub input: Input,
    /// What is asked.
    pub experiment: Experiment,
    /// Where the results go.
    pub out: PathBuf,
}

impl Run {
    /// Reads and checks the experiment; nothing runs before everything is right.
    ///
    /// # Errors
    /// When the file cannot be read or has faults.
    pub fn plan(&self) -> Result<Plan, Error> {
        let input = Input::read(&self.file)?;
        let experiment = Experiment::read(&input.name, &input.text)?;
        let out = self
            .out
            .clone()
            .unwrap_or_else(|| Path::new("out").join(&experiment.name));
        Ok(Plan {
            input,
            experiment,
            out,
        })
    }
}
