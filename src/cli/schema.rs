//! `enfilade schema`.

use clap::Args;

use super::Page;
use super::options::Rulebooks;
use super::systems::checked;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::pricing::schema::schema;

/// Print the JSON Schema of experiments and arsenals, for editors
#[derive(Debug, Args)]
///
/// An editor with a TOML language server uses it if the first line of a file names it: `#:schema
/// ./experiment.schema.json`.
#[command(after_help = "Example:\n  enfilade schema > experiment.schema.json")]
pub struct Schema {
    #[command(flatten)]
    rulebooks: Rulebooks,
}

impl Schema {
    /// Writes the schema of the rule systems of the catalogue.
    ///
    /// # Errors
    /// Built-in data that cannot be read.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let catalogue = &self.rulebooks.on(catalogue)?;
        for system in catalogue.systems() {
            checked(system)?;
        }
        // Editors read it, and a short schema loads sooner.
        Ok(Page::from(format!("{}\n", schema(catalogue))))
    }
}
