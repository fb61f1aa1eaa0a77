//! `enfilade schema`.

use clap::Args;

use super::systems::check_rulebook_data;
use crate::catalogue::Catalogue;
use crate::cli::OutputAndError;
use crate::cli::args::ExtraRulebookArgs;
use crate::error::Error;
use crate::pricing::arsenal_schema::build_study_or_arsenal_schema;

/// Print the JSON Schema of experiments and arsenals, for editors
#[derive(Debug, Args)]
///
/// An editor with a TOML language server uses it if the first line of a file names it: `#:schema
/// ./experiment.schema.json`.
#[command(after_help = "Example:\n  enfilade schema > experiment.schema.json")]
pub struct SchemaArgs {
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
}

impl SchemaArgs {
    /// Writes the schema of the rule systems of the catalogue.
    ///
    /// # Errors
    /// Built-in data that cannot be read.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let catalogue = &self.rulebooks.catalogue_with_files(catalogue)?;
        for system in catalogue.rulebooks_created_on_demand() {
            check_rulebook_data(system)?;
        }
        // Editors read it, and a short schema loads sooner.
        Ok(OutputAndError::from(format!("{}\n", build_study_or_arsenal_schema(catalogue))))
    }
}
