//! `enfilade man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::cli::CliArgs;
use crate::cli::OutputAndError;
use crate::error::{Error, FileError};

/// Print the manual page, or write one for every command
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade man > enfilade.1
  enfilade man --out man1")]
pub struct ManArgs {
    /// A folder for the pages of all commands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl ManArgs {
    /// Writes the manual page, or the folder of all.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn run(&self) -> Result<OutputAndError, Error> {
        let failed = FileError::io_error_converter(
            "writing",
            self.out.as_deref().unwrap_or("standard output".as_ref()),
        );
        let Some(folder) = &self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(CliArgs::command()).render(&mut page).map_err(failed)?;
            return Ok(OutputAndError::new(page, None));
        };
        std::fs::create_dir_all(folder).map_err(&failed)?;
        clap_mangen::generate_to(CliArgs::command(), folder).map_err(failed)?;
        Ok(OutputAndError::from(format!("wrote the manual pages to {}\n", folder.display())))
    }
}
