//! `enfilade schema`.

use clap::Args;

use super::Page;
use super::systems::checked;
use crate::error::Error;
use crate::study::schema::schema;
use crate::systems;

/// Print the JSON Schema of experiment files, for editors
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade schema > experiment.schema.json")]
pub struct Schema {}

impl Schema {
    /// The schema of the built-in rule systems.
    ///
    /// # Errors
    /// Built-in data that cannot be read.
    pub fn run(&self) -> Result<Page, Error> {
        for system in systems::all() {
            checked(system)?;
        }
        Ok(Page::from(format!("{:#}\n", schema(systems::all()))))
    }
}
