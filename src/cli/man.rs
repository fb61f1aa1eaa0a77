//! `enfilade man`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use super::{Cli, Page};
use crate::error::Error;

/// Print the manual page, or write one for every command
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade man > enfilade.1
  enfilade man --out man1")]
pub struct Man {
    /// A folder for the pages of all commands
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    /// Writes the manual page, or the folder of all.
    ///
    /// # Errors
    /// When the folder cannot be written to.
    pub fn run(&self) -> Result<Page, Error> {
        let failed =
            Error::io("writing", self.out.as_deref().unwrap_or("standard output".as_ref()));
        let Some(folder) = &self.out else {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page).map_err(failed)?;
            return Ok(Page::new(page, None));
        };
        std::fs::create_dir_all(folder).map_err(&failed)?;
        clap_mangen::generate_to(Cli::command(), folder).map_err(failed)?;
        Ok(Page::from(format!("wrote the manual pages to {}\n", folder.display())))
    }
}
