//! Where a question comes from: a file, or the words behind the name of a rulebook.

use std::path::PathBuf;

use clap::Args;

use super::options::Rulebooks;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::form::Fault;
use crate::study::question;
use crate::study::shelf::stem;
use crate::study::source::Input;

/// A file, or a question to a rulebook: what every command takes that answers on the terminal.
#[derive(Clone, Debug, Args)]
pub struct Question {
    /// The file, or - for standard input; or a rulebook: its name, or its file in text
    pub file: PathBuf,
    /// Behind a rulebook: an action, and fields with their values
    #[arg(value_name = "ACTION FIELD=VALUE")]
    pub words: Vec<String>,
}

/// The file; or, with words behind it, the question that they ask of the rulebook that is called so
/// or stands there: `asl fire fp=8`, `my.rules shoot skill=3`.
///
/// # Errors
/// When there is no such file, rulebook or action, or a word says nothing of a field.
pub fn input(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    question: &Question,
) -> Result<Input, Error> {
    let Question { file: path, words } = question;
    let name = path.to_string_lossy();
    let Some((action, said)) = words.split_first() else {
        // A file is never hidden by a rulebook of that name.
        let known = match path.exists() {
            true => None,
            false => Some(rulebooks.and_those_of(catalogue, &asked(String::new()))?),
        };
        if known.is_some_and(|known| known.ids().any(|id| id == name)) {
            return Err(Error::Usage(format!(
                "{name} is a rulebook, which is asked about an action: {name} ACTION field=value …; \
                 enfilade systems {name} lists its actions"
            )));
        }
        return Input::read(path);
    };
    let file = path.extension().is_some_and(|ending| ending == "rules");
    let head = if file { format!("rules = {name:?}\n\n") } else { String::new() };
    let catalogue = rulebooks.and_those_of(catalogue, &asked(head.clone()))?;
    let id = if file { stem(path) } else { name.into_owned() };
    let action = catalogue.action(&id, action).map_err(usage)?;
    let file = question::file(&id, action, said).map_err(Error::Usage)?;
    Ok(asked(head + &file))
}

/// What is asked, as a file would say it.
fn asked(text: String) -> Input {
    Input { name: "the question".to_owned(), text, folder: PathBuf::new() }
}

/// A fault of the command line.
pub fn usage(fault: Fault) -> Error {
    let help = fault.help.map(|help| format!("; {help}")).unwrap_or_default();
    Error::Usage(fault.problem + &help)
}
