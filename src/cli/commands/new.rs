//! `enfilade new`.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::catalogue::{Catalogue, System};
use crate::cli::OutputAndError;
use crate::cli::args::ExtraRulebookArgs;
use crate::cli::args::question_args;
use crate::error::{Error, FileError};
use crate::plain_file;
use crate::pricing::sample_arsenal;
use crate::report::text::sentences::replace_control_chars;
use crate::study::file::rulebook_loader;
use crate::study::question::build_starter_file;
use crate::weapons::PricingRules;

/// Write a file to start from, which runs unchanged
///
/// The file has an example of the action, and behind a # the other common fields with their
/// defaults and meanings. With `price` in place of an action it is an arsenal: weapons to price,
/// and a custom one.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade new asl fire && enfilade odds asl-fire.toml
  enfilade new skirmishers price && enfilade balance skirmishers-price.toml")]
pub struct NewArgs {
    /// The rulebook, or the file of one
    system: String,
    /// The action to play, or `price` for the prices of weapons
    action: String,
    /// The file, or - for standard output [default: SYSTEM-ACTION.toml]
    file: Option<PathBuf>,
    /// Include the rare fields
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
}

impl NewArgs {
    /// Writes the file.
    ///
    /// # Errors
    /// When the action does not exist, or the file exists or cannot be written.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let (rulebooks, id) = self.rulebooks.add_file_and_get_name(&self.system);
        let catalogue = &rulebooks.catalogue_with_files(catalogue)?;
        let system = catalogue.rulebook_by_id(&id).map_err(question_args::fault_as_usage_error)?;
        let (word, command) = match is_word_for_prices(system, &self.action) {
            true => (PRICE_FILE_WORD, "balance"),
            false => (
                &*system.action(&self.action).map_err(question_args::fault_as_usage_error)?.name,
                "odds",
            ),
        };
        let usual = || PathBuf::from(format!("{}-{word}.toml", system.id));
        let path = self.file.clone().unwrap_or_else(usual);
        let name = replace_control_chars(&path.display().to_string());
        let folder = path.parent().unwrap_or(Path::new(""));
        let rules = rulebooks
            .path_of_rulebook(system)
            .map(|rules| rulebook_loader::path_relative_to_folder(folder, rules));
        let text = |name| self.build_new_file_text(system, name, rules.as_deref());
        if path.as_os_str() == "-" {
            return text("FILE").map(OutputAndError::from);
        }
        write_new_file(&path, &text(&name)?)?;
        Ok(OutputAndError::from(format!("wrote {name}; now:  enfilade {command} {name}\n")))
    }

    /// Builds the text of a file called `name`, with the rulebook at `rules` if it is a file.
    fn build_new_file_text(
        &self,
        system: &System,
        name: &str,
        rules: Option<&str>,
    ) -> Result<String, Error> {
        if is_word_for_prices(system, &self.action) {
            return Ok(sample_arsenal::runnable_sample_arsenal(
                system,
                pricing_rules_of_rulebook(system)?,
                name,
                rules,
            ));
        }
        let action = system.action(&self.action).map_err(question_args::fault_as_usage_error)?;
        Ok(build_starter_file(system, action, name, rules, self.all))
    }
}

/// The word for prices in the place of an action.
const PRICE_FILE_WORD: &str = "price";

/// Whether a word means prices: it is one of the words for them, and no action.
pub fn is_word_for_prices(system: &System, word: &str) -> bool {
    [PRICE_FILE_WORD, "arsenal", "balance"].contains(&word) && system.action(word).is_err()
}

/// Returns the pricing rules of a rulebook.
///
/// # Errors
/// When the rulebook has none.
pub fn pricing_rules_of_rulebook(system: &System) -> Result<&dyn PricingRules, Error> {
    system.pricing.as_deref().ok_or_else(|| {
        let id = &system.id;
        let how = match system.is_from_text() {
            true => "it has no `price:` lines; they are in docs/rulebook_grammar.md",
            false => "its rules do not cover a battle to its end",
        };
        Error::Usage(format!("weapons of {id} cannot be priced: {how}"))
    })
}

/// Writes a new file, whole or not at all.
///
/// # Errors
/// When the file exists or cannot be written.
pub fn write_new_file(path: &Path, text: &str) -> Result<(), Error> {
    plain_file::write_new_file(path, text).map_err(|source| match source.kind() {
        std::io::ErrorKind::AlreadyExists => Error::Usage(format!(
            "{} exists and is not replaced: give another name",
            replace_control_chars(&path.display().to_string())
        )),
        _ => FileError::io_error_converter("writing", path)(source).into(),
    })
}
