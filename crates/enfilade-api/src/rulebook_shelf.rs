//! The rulebooks of the folder: those that a file names, or all of them.
//!
//! A rulebook is read from the folder alone, and so are the files that it names; a draft can take
//! the place of its file.

use std::path::Path;

use toml::Value as Toml;

use super::folder::{FileAccessError, StudioFolder};
use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::name_matching;
use enfilade_report::error::ReportError;
use enfilade_rules::{self, Rulebook};
use enfilade_study::file::rulebook_loader::{RULES_KEY, rulebook_name};
use enfilade_study::file::source_document::Document;

/// The ending of a rulebook's file name.
const RULEBOOK_EXTENSION: &str = ".rules";

/// A draft that takes the place of a file of the folder.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct RulebookDraft {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Companion files, used if the folder has none of their names.
    #[serde(default)]
    pub beside: Vec<CompanionFile>,
}

/// A companion file of a draft.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompanionFile {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Reads the rulebook in the file called `name`, or in its draft.
///
/// # Errors
/// When the rulebook has faults, or cannot be read.
pub fn read_rulebook(
    folder: &StudioFolder,
    name: &str,
    draft: Option<&RulebookDraft>,
    known: &Catalogue,
) -> Result<Rulebook, ReportError> {
    let text = |name: &str| match draft.filter(|draft| draft.name == name) {
        Some(draft) => Ok(draft.text.clone()),
        None => folder.read_file(name).map(|found| found.text).map_err(file_error_text),
    };
    let own = text(name).map_err(ReportError::Invalid)?;
    let brought = |name: &str| {
        let mut beside = draft.iter().flat_map(|draft| &draft.beside);
        beside.find(|file| file.name == name).map(|file| file.text.clone())
    };
    let near = |name: &str| text(name).or_else(|why| brought(name).ok_or(why));
    Ok(enfilade_rules::read_extending(&rulebook_name(Path::new(name)), name, &own, &near, known)?)
}

fn file_error_text(trouble: FileAccessError) -> String {
    match trouble {
        FileAccessError::Refused(_, why) => why,
        FileAccessError::Changed(_) => "it was changed".to_owned(),
    }
}

/// Returns `known` with the rulebooks that a file names. Files that are not in the folder, or have
/// the name of a known rulebook, are left out: the reader of the file reports them as missing.
///
/// # Errors
/// The faults of a rulebook that the file names.
pub fn with_named_rulebooks(
    known: &Catalogue,
    folder: &StudioFolder,
    file: &Document,
    draft: Option<&RulebookDraft>,
) -> Result<Catalogue, ReportError> {
    let names: Vec<&str> = match file.table.get(RULES_KEY) {
        Some(Toml::String(name)) => vec![name],
        Some(Toml::Array(names)) => names.iter().filter_map(Toml::as_str).collect(),
        _ => Vec::new(),
    };
    let there = folder.list_files();
    let mut catalogue = known.clone();
    for name in names {
        let is_there = there.iter().any(|file| file.name == name)
            || draft.is_some_and(|draft| draft.name == name);
        // Only plain names of this folder: a path in a text from elsewhere opens no other file.
        if is_there && !is_name_taken(&catalogue, name) {
            catalogue = catalogue.with_system(read_rulebook(folder, name, draft, known)?.system);
        }
    }
    Ok(catalogue)
}

/// Returns `known` with all rulebooks of the folder that have no fault.
pub fn with_folder_rulebooks(known: &Catalogue, folder: &StudioFolder) -> Catalogue {
    let files =
        folder.list_files().into_iter().filter(|file| file.name.ends_with(RULEBOOK_EXTENSION));
    files.fold(known.clone(), |catalogue, file| {
        let read = read_rulebook(folder, &file.name, None, known).ok();
        match read.filter(|_| !is_name_taken(&catalogue, &file.name)) {
            Some(read) => catalogue.with_system(read.system),
            None => catalogue,
        }
    })
}

/// Whether a rulebook already has the name of that file.
fn is_name_taken(catalogue: &Catalogue, name: &str) -> bool {
    let id = name_matching::match_key(&rulebook_name(Path::new(name)));
    catalogue.system_ids().any(|known| name_matching::match_key(known) == id)
}
