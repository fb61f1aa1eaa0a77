//! `enfilade schema`.

use clap::Args;

use super::systems::check_data;
use crate::catalogue::Catalogue;
use crate::cli::CommandOutput;
use crate::cli::args::RulebookArgs;
use crate::error::Error;
use crate::pricing::arsenal_schema::build_file_schema;

/// Print the JSON Schema of experiments and arsenals, for editors
#[derive(Debug, Args)]
///
/// An editor with a TOML language server uses it if the first line of a file names it: `#:schema
/// ./experiment.schema.json`.
#[command(after_help = "Example:\n  enfilade schema > experiment.schema.json")]
pub struct SchemaArgs {
    #[command(flatten)]
    rulebooks: RulebookArgs,
}

impl SchemaArgs {
    /// Writes the schema of the rule systems of the catalogue.
    ///
    /// # Errors
    /// Built-in data that cannot be read.
    pub fn run(&self, catalogue: &Catalogue) -> Result<CommandOutput, Error> {
        let catalogue = &self.rulebooks.extend(catalogue)?;
        for system in catalogue.systems() {
            check_data(system)?;
        }
        // Editors read it, and a short schema loads sooner.
        Ok(CommandOutput::from(format!("{}\n", build_file_schema(catalogue))))
    }
}
