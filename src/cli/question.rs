//! The source of a question: a file, or the words after the name of a rulebook.

use std::path::{Path, PathBuf};

use clap::Args;

use super::options::Rulebooks;
use crate::catalogue::{Catalogue, System};
use crate::error::Error;
use crate::form::Fault;
use crate::study::file::document::{Input, Origin};
use crate::study::file::rulebook_loader::stem;
use crate::study::question;

/// A file, or a question to a rulebook: the arguments of every command that answers on the
/// terminal.
#[derive(Clone, Debug, Args)]
pub struct Question {
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
pub fn input(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    question: &Question,
) -> Result<Input, Error> {
    let Question { file: path, words } = question;
    // A file is never hidden by a rulebook of the same name.
    if words.is_empty() && path.exists() && !is_rulebook(path) {
        return Input::read(path);
    }
    let name = path.to_string_lossy();
    let (head, id) = match is_rulebook(path) {
        true => (format!("rules = {name:?}\n\n"), stem(path)),
        false => (String::new(), name.to_string()),
    };
    let catalogue = rulebooks.and_those_of(catalogue, &asked(head.clone()))?;
    let Some((action, said)) = words.split_first() else {
        return match catalogue.system(&id) {
            Ok(system) => Err(Error::Usage(without_an_action(system, &name))),
            Err(_) => Input::read(path),
        };
    };
    let action = catalogue.action(&id, action).map_err(usage)?;
    let file = question::file(&id, action, said).map_err(Error::Usage)?;
    Ok(asked(head + &file))
}

fn without_an_action(system: &System, name: &str) -> String {
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
pub fn file(path: &Path) -> Result<Input, Error> {
    let input = Input::read(path)?;
    let name = &input.name;
    let problem = || {
        Error::Usage(format!(
            "{name} is a rulebook, not an experiment: name it in an experiment (rules = {name:?}), or run \
             enfilade odds {name} ACTION field=value …"
        ))
    };
    if is_rulebook(path) { Err(problem()) } else { Ok(input) }
}

/// Whether a file name is that of a rulebook.
pub fn is_rulebook(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "rules")
}

/// Wraps the text of a question as the file that would ask it.
fn asked(text: String) -> Input {
    let (name, folder) = ("the question".to_owned(), PathBuf::new());
    Input { name, text, folder, origin: Origin::Command }
}

/// Converts a fault to an error of the command line.
pub fn usage(fault: Fault) -> Error {
    let help = fault.help.map(|help| format!("; {help}")).unwrap_or_default();
    Error::Usage(fault.problem + &help)
}
