//! The rulebooks of the folder: those that a file names, or all of them.
//!
//! A rulebook is read from the folder alone, and so are the files that it names; a draft can take
//! the place of its file.

use std::path::Path;

use toml::Value as Toml;

use super::folder::{FileAccessError, StudioFolder, resolve_beside};
use enfilade_model::catalogue::Catalogue;
use enfilade_model::form::name_matching;
use enfilade_report::error::ReportError;
use enfilade_rules::tools::name_completions::{CompletionList, complete_with_bases};
use enfilade_rules::{self, Rulebook};
use enfilade_study::file::rulebook_loader::{RULEBOOKS_KEY, rulebook_name_of_path};
use enfilade_study::file::source_document::TomlDocumentWithPositions;

/// The ending of a rulebook's file name.
const RULEBOOK_FILE_ENDING: &str = ".rules";

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
pub fn read_rulebook_or_draft(
    folder: &StudioFolder,
    name: &str,
    draft: Option<&RulebookDraft>,
    catalogue: &Catalogue,
) -> Result<Rulebook, ReportError> {
    let near = |other: &str| read_beside_or_from_top(folder, draft, name, other);
    let own = read_draft_or_folder_text(folder, draft, name).map_err(ReportError::Invalid)?;
    Ok(enfilade_rules::read_with_built_in_bases(
        &rulebook_name_of_path(Path::new(name)),
        name,
        &own,
        &near,
        catalogue,
    )?)
}

/// Reads a text that the file `of` names: from the folder of that file, or else from the top.
fn read_beside_or_from_top(
    folder: &StudioFolder,
    draft: Option<&RulebookDraft>,
    of: &str,
    name: &str,
) -> Result<String, String> {
    let beside = resolve_beside(of, name).filter(|path| path != name);
    let found = beside.and_then(|path| read_draft_or_folder_text(folder, draft, &path).ok());
    found.map_or_else(|| read_draft_or_folder_text(folder, draft, name), Ok)
}

/// Reads a text: the draft if it has that name, a file of the folder, or a companion file of the
/// draft.
fn read_draft_or_folder_text(
    folder: &StudioFolder,
    draft: Option<&RulebookDraft>,
    name: &str,
) -> Result<String, String> {
    if let Some(draft) = draft.filter(|draft| draft.name == name) {
        return Ok(draft.text.clone());
    }
    let found = folder.read_text_and_hash(name).map(|found| found.text).map_err(file_error_text);
    let brought = || {
        let mut beside = draft.iter().flat_map(|draft| &draft.beside);
        beside.find(|file| file.name == name).map(|file| file.text.clone())
    };
    found.or_else(|why| brought().ok_or(why))
}

/// Lists the names that may be written at the byte `at` of a draft.
pub fn completions_in_draft(
    folder: &StudioFolder,
    draft: &RulebookDraft,
    catalogue: &Catalogue,
    at: usize,
) -> CompletionList {
    let near = |name: &str| read_beside_or_from_top(folder, Some(draft), &draft.name, name);
    complete_with_bases(&draft.text, at, &near, catalogue)
}

fn file_error_text(error: FileAccessError) -> String {
    match error {
        FileAccessError::Refused(_, why) => why,
        FileAccessError::Changed(_) => "it was changed".to_owned(),
    }
}

/// Returns `known` with the rulebooks that the file called `of` names. Files that are not in the
/// folder, or have the name of a known rulebook, are left out: the reader of the file reports them
/// as missing.
///
/// # Errors
/// The faults of a rulebook that the file names.
pub fn with_rulebooks_named_in_file(
    known: &Catalogue,
    folder: &StudioFolder,
    (of, file): (&str, &TomlDocumentWithPositions),
    draft: Option<&RulebookDraft>,
) -> Result<Catalogue, ReportError> {
    let names: Vec<&str> = match file.table.get(RULEBOOKS_KEY) {
        Some(Toml::String(name)) => vec![name],
        Some(Toml::Array(names)) => names.iter().filter_map(Toml::as_str).collect(),
        _ => Vec::new(),
    };
    let there = folder.list_openable_files();
    // Only files of this folder: a path in a text from elsewhere opens no other file.
    let is_there = |name: &String| {
        there.iter().any(|file| file.name == *name)
            || draft.is_some_and(|draft| draft.name == *name)
    };
    let mut catalogue = known.clone();
    for name in names {
        let places = [resolve_beside(of, name), Some(name.to_owned())];
        let path = places.into_iter().flatten().find(is_there);
        if let Some(path) = path.filter(|_| !is_name_taken(&catalogue, name)) {
            catalogue = catalogue
                .with_rulebook(read_rulebook_or_draft(folder, &path, draft, known)?.system);
        }
    }
    Ok(catalogue)
}

/// Returns `known` with all rulebooks of the folder that have no fault.
pub fn with_folder_rulebooks(known: &Catalogue, folder: &StudioFolder) -> Catalogue {
    let files = folder
        .list_openable_files()
        .into_iter()
        .filter(|file| file.name.ends_with(RULEBOOK_FILE_ENDING));
    files.fold(known.clone(), |catalogue, file| {
        let read = read_rulebook_or_draft(folder, &file.name, None, known).ok();
        match read.filter(|_| !is_name_taken(&catalogue, &file.name)) {
            Some(read) => catalogue.with_rulebook(read.system),
            None => catalogue,
        }
    })
}

/// Whether a rulebook already has the name of that file.
fn is_name_taken(catalogue: &Catalogue, name: &str) -> bool {
    let id = name_matching::name_matching_key(&rulebook_name_of_path(Path::new(name)));
    catalogue.rulebook_ids().any(|known| name_matching::name_matching_key(known) == id)
}
