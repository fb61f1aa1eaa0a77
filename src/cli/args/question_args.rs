//! The source of a question: a file, or the words after the name of a rulebook.

use std::path::{Path, PathBuf};

use clap::Args;

use super::ExtraRulebookArgs;
use crate::catalogue::{Catalogue, System};
use crate::error::Error;
use crate::form::Fault;
use crate::study::file::rulebook_loader::rulebook_name_of_path;
use crate::study::file::source_document::{AllowedFilePaths, SourceInput};
use crate::study::question;

/// A file, or a question to a rulebook: the arguments of every command that answers on the
/// terminal.
#[derive(Clone, Debug, Args)]
pub struct QuestionArgs {
    /// The file, or - for standard input; or a rulebook: its name, or its file in text
    pub file: PathBuf,
    /// After a rulebook: an action, and fields with their values: `fp=8`, several `fp=4,8`, a range
    /// `drm=-2..2`, every value `weapon=all`
    #[arg(value_name = "ACTION FIELD=VALUE")]
    pub words: Vec<String>,
}

/// Opens the file; or, with words after it, builds the question to the rulebook of that name or at
/// that path: `asl fire fp=8`, `my.rules shoot skill=3`.
///
/// # Errors
/// When the file, rulebook or action does not exist, or a word sets no field.
pub fn open_file_or_question(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    question: &QuestionArgs,
) -> Result<SourceInput, Error> {
    let QuestionArgs { file: path, words } = question;
    // A file is never hidden by a rulebook of the same name.
    if words.is_empty() && path.exists() && !has_rulebook_ending(path) {
        return Ok(SourceInput::read_path_or_stdin(path)?);
    }
    let name = path.to_string_lossy();
    let (head, id) = match has_rulebook_ending(path) {
        true => (format!("rules = {name:?}\n\n"), rulebook_name_of_path(path)),
        false => (String::new(), name.to_string()),
    };
    let catalogue = rulebooks.catalogue_for_input(catalogue, &text_as_input(head.clone()))?;
    let Some((action, said)) = words.split_first() else {
        return match catalogue.rulebook_by_id(&id) {
            Ok(system) => Err(Error::Usage(missing_action_message(system, &name))),
            Err(_) => Ok(SourceInput::read_path_or_stdin(path)?),
        };
    };
    let action = catalogue.action(&id, action).map_err(fault_as_usage_error)?;
    let file = question::build_question_file(&id, action, said).map_err(Error::Usage)?;
    Ok(text_as_input(head + &file))
}

fn missing_action_message(system: &System, name: &str) -> String {
    let actions: Vec<_> = system.actions.iter().map(|action| &*action.name).collect();
    format!(
        "{name} is a rulebook: name one of its actions ({}), as in {name} ACTION field=value …; \
         see enfilade systems {name}",
        actions.join(", ")
    )
}

/// Reads the file at `path`, an experiment or arsenal.
///
/// # Errors
/// When the file cannot be read, or is a rulebook, which contains no question.
pub fn read_unless_rulebook(path: &Path) -> Result<SourceInput, Error> {
    let input = SourceInput::read_path_or_stdin(path)?;
    let name = &input.name;
    let problem = || {
        Error::Usage(format!(
            "{name} is a rulebook, not an experiment: name it in an experiment (rules = {name:?}), or run \
             enfilade odds {name} ACTION field=value …"
        ))
    };
    if has_rulebook_ending(path) { Err(problem()) } else { Ok(input) }
}

/// Whether a file name is that of a rulebook.
pub fn has_rulebook_ending(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rules")
}

impl ExtraRulebookArgs {
    /// These rulebooks and the one whose file is given in place of its name, and the name.
    pub fn add_file_and_get_name(&self, given: &str) -> (ExtraRulebookArgs, String) {
        let (mut all, file) = (self.clone(), Path::new(given));
        if !has_rulebook_ending(file) {
            return (all, given.to_owned());
        }
        all.rules.push(file.to_owned());
        (all, rulebook_name_of_path(file))
    }
}

/// Wraps the text of a question as the file that would ask it.
fn text_as_input(text: String) -> SourceInput {
    let (name, folder) = ("the question".to_owned(), PathBuf::new());
    SourceInput { name, text, folder, origin: AllowedFilePaths::Command }
}

/// Converts a fault to an error of the command line.
pub fn fault_as_usage_error(fault: Fault) -> Error {
    let help = fault.help.map(|help| format!("; {help}")).unwrap_or_default();
    Error::Usage(fault.problem + &help)
}
