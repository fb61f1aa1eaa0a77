//! Names of rulebooks, in files and in messages.

use std::path::Path;

use toml::Value as Toml;

use crate::file::source_document::TomlDocumentWithPositions;
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::Fault;
use enfilade_model::form::sanitize::shorten_and_make_safe;

/// Key under which a file names its rulebooks.
pub const RULEBOOKS_KEY: &str = "rules";

/// Returns the faults of the rulebooks that a file names, as far as its own text and the catalogue
/// show them.
pub fn find_rulebook_faults(
    catalogue: &Catalogue,
    document: &TomlDocumentWithPositions,
) -> Vec<Fault> {
    let expected = "expected the path of a rulebook, or a list of them";
    let wrong = match document.table.get(RULEBOOKS_KEY) {
        None | Some(Toml::String(_)) => Vec::new(),
        Some(Toml::Array(items)) => {
            let items = items.iter().enumerate();
            let wrong = items.filter(|(_, item)| !item.is_str());
            wrong.map(|(i, _)| Fault::new(format!("{RULEBOOKS_KEY}[{i}]"), expected)).collect()
        }
        Some(_) => vec![Fault::new(RULEBOOKS_KEY, expected)],
    };
    // A caller that may open files has added them to the catalogue before; another caller may not
    // have.
    let unread = paths_of_named_rulebooks(document).into_iter().filter(|(_, written)| {
        let id = rulebook_name_of_path(Path::new(written));
        !catalogue.rulebook_by_id(&id).is_ok_and(|system| system.is_from_text())
    });
    let unread = unread.map(|(key, written)| {
        let problem = format!("the rulebook {} was not read", shorten_and_make_safe(&written));
        Fault::new(key, problem).with_help("it is not in the catalogue that the file is read with")
    });
    wrong.into_iter().chain(unread).collect()
}

/// Returns the rulebooks that a file names: the path in the file, and the name as written.
pub(super) fn paths_of_named_rulebooks(
    document: &TomlDocumentWithPositions,
) -> Vec<(String, String)> {
    match document.table.get(RULEBOOKS_KEY) {
        Some(Toml::String(path)) => vec![(RULEBOOKS_KEY.to_owned(), path.clone())],
        Some(Toml::Array(paths)) => {
            let paths = paths.iter().enumerate();
            let path = |(i, path): (usize, &Toml)| {
                Some((format!("{RULEBOOKS_KEY}[{i}]"), path.as_str()?.to_owned()))
            };
            paths.filter_map(path).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the line with which a file beside it names `system`; empty if it is built in.
pub fn rules_line_unless_built_in(system: &System) -> String {
    let file = system.files.first().filter(|_| system.is_from_text());
    file.map_or(String::new(), |file| format_rules_line_for_path(&file.name))
}

/// Returns the line with which a file names the rulebook at a path.
pub fn format_rules_line_for_path(path: &str) -> String {
    format!("{RULEBOOKS_KEY} = {}\n\n", Toml::from(path))
}

/// Returns the name of a rulebook: its file name without the extension.
pub fn rulebook_name_of_path(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
