//! `enfilade completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{Cli, Page};
use crate::error::Error;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade completions bash > enfilade.bash")]
pub struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    /// The completions.
    ///
    /// # Errors
    /// None.
    pub fn run(&self) -> Result<Page, Error> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "enfilade", &mut script);
        Ok(Page::from(String::from_utf8_lossy(&script).into_owned()))
    }
}
