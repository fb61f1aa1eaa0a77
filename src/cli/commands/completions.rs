//! `enfilade completions`.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, Args, CommandFactory};
use clap_complete::Shell;

use crate::catalogue::Catalogue;
use crate::cli::CliArgs;
use crate::cli::OutputAndError;
use crate::error::Error;

/// Print completions for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade completions bash > enfilade.bash")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl CompletionsArgs {
    /// Writes the completions, with the ids of the rulebooks.
    ///
    /// # Errors
    /// None.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let ids = catalogue.rulebook_ids().map(|id| PossibleValue::new(id.to_owned()));
        let ids: Vec<_> = ids.collect();
        let possible_values = |arg: Arg| arg.value_parser(PossibleValuesParser::new(ids.clone()));
        let command = CliArgs::command();
        let command =
            command.mut_subcommand("systems", |systems| systems.mut_arg("id", possible_values));
        let mut command =
            command.mut_subcommand("verify", |verify| verify.mut_arg("system", possible_values));
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, "enfilade", &mut script);
        Ok(OutputAndError::new(script, None))
    }
}
