//! The rulebooks of the folder: those that a file names, or all of them.
//!
//! A rulebook is read from the folder alone, and so are the files that it names; a draft can take
//! the place of its file.

use std::path::Path;

use toml::Value as Toml;

use super::folder::{Folder, Trouble};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::form::name_matching;
use crate::rulebook::{self, Rulebook};
use crate::study::file::document::Document;
use crate::study::file::rulebook_loader::{RULES, stem};

/// The ending of a rulebook's file name.
const ENDING: &str = ".rules";

/// A draft that takes the place of a file of the folder.
#[derive(Clone, Debug, serde::Deserialize)]
pub struct Draft {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Companion files, used if the folder has none of their names.
    #[serde(default)]
    pub beside: Vec<Beside>,
}

/// A companion file of a draft.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Beside {
    /// The file's name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Reads the rulebook in the file called `name`, or in its draft.
///
/// # Errors
/// When the rulebook has faults, or cannot be read.
pub fn rulebook(
    folder: &Folder,
    name: &str,
    draft: Option<&Draft>,
    known: &Catalogue,
) -> Result<Rulebook, Error> {
    let text = |name: &str| match draft.filter(|draft| draft.name == name) {
        Some(draft) => Ok(draft.text.clone()),
        None => folder.read(name).map(|found| found.text).map_err(said),
    };
    let own = text(name).map_err(Error::Usage)?;
    let brought = |name: &str| {
        let mut beside = draft.iter().flat_map(|draft| &draft.beside);
        beside.find(|file| file.name == name).map(|file| file.text.clone())
    };
    let near = |name: &str| text(name).or_else(|why| brought(name).ok_or(why));
    rulebook::read_with(&stem(Path::new(name)), name, &own, &near, known)
}

fn said(trouble: Trouble) -> String {
    match trouble {
        Trouble::Refused(_, why) => why,
        Trouble::Changed(_) => "it was changed".to_owned(),
    }
}

/// Returns `known` with the rulebooks that a file names. Files that are not in the folder, or have
/// the name of a known rulebook, are left out: the reader of the file reports them as missing.
///
/// # Errors
/// The faults of a rulebook that the file names.
pub fn named(
    known: &Catalogue,
    folder: &Folder,
    file: &Document,
    draft: Option<&Draft>,
) -> Result<Catalogue, Error> {
    let names: Vec<&str> = match file.table.get(RULES) {
        Some(Toml::String(name)) => vec![name],
        Some(Toml::Array(names)) => names.iter().filter_map(Toml::as_str).collect(),
        _ => Vec::new(),
    };
    let there = folder.list();
    let mut catalogue = known.clone();
    for name in names {
        let is_there = there.iter().any(|file| file.name == name)
            || draft.is_some_and(|draft| draft.name == name);
        // Only plain names of this folder: a path in a text from elsewhere opens no other file.
        if is_there && !is_taken(&catalogue, name) {
            catalogue = catalogue.with(rulebook(folder, name, draft, known)?.system);
        }
    }
    Ok(catalogue)
}

/// Returns `known` with all rulebooks of the folder that have no fault.
pub fn all(known: &Catalogue, folder: &Folder) -> Catalogue {
    let files = folder.list().into_iter().filter(|file| file.name.ends_with(ENDING));
    files.fold(known.clone(), |catalogue, file| {
        let read = rulebook(folder, &file.name, None, known).ok();
        match read.filter(|_| !is_taken(&catalogue, &file.name)) {
            Some(read) => catalogue.with(read.system),
            None => catalogue,
        }
    })
}

/// Whether a rulebook already has the name of that file.
fn is_taken(catalogue: &Catalogue, name: &str) -> bool {
    let id = name_matching::key(&stem(Path::new(name)));
    catalogue.ids().any(|known| name_matching::key(known) == id)
}
