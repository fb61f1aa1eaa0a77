//! Variants, and drafts of unsaved texts, stored beside the questions of a folder.
//!
//! Each is a small separate file below `.studio`, in the TOML of the questions. So they outlive
//! page, port and program, can be read without the studio, and two people who save variants never
//! write to one file. Drafts are private and are excluded from Git. A writer that replaces or
//! removes one sends the hash of the text that it has seen.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::folder::{
    FileAccessError, FileTextAndHash, FolderEntry, StudioFolder, VariantsOrDrafts,
};
use super::folder_rulebooks::CompanionFile;

/// The largest number of papers in one drawer.
const MAX_TEXTS_OF_KIND: usize = 500;

/// Letters of the longest id of a paper.
const MAX_TEXT_ID_LENGTH: usize = 60;

/// One variant or draft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedText {
    /// Its name.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// A note of its author.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The name of its file; empty if it has none yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// Hash of the text of that file that was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// The time at which it was saved.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kept: String,
    /// The current contest, from 0.
    #[serde(default)]
    pub contest: usize,
    /// The current cell of its grid.
    #[serde(default)]
    pub cell: usize,
    /// The text.
    pub text: String,
    /// Files that belong to it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<CompanionFile>,
}

/// An entry in the list of papers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum SavedOrDamagedEntry {
    /// A paper that can be read.
    Kept(SavedTextHead),
    /// A damaged paper, with its fault.
    Damaged {
        /// Its name.
        id: String,
        /// The fault.
        fault: String,
    },
}

/// All of a paper but its text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SavedTextHead {
    id: String,
    hash: String,
    name: String,
    note: String,
    of: String,
    kept: String,
}

impl SavedTextHead {
    fn from_text_and_hash(id: &str, paper: SavedText, hash: String) -> SavedTextHead {
        let SavedText { name, note, of, kept, .. } = paper;
        SavedTextHead { id: id.to_owned(), hash, name, note, of, kept }
    }
}

impl SavedOrDamagedEntry {
    /// Time at which it was saved; `None` if it cannot be read: these come first.
    fn time_of_saving(&self) -> Option<&str> {
        match self {
            SavedOrDamagedEntry::Kept(head) => Some(&head.kept),
            SavedOrDamagedEntry::Damaged { .. } => None,
        }
    }
}

/// Both drawers of a folder; one writes at a time.
#[derive(Debug)]
pub struct SavedTexts {
    of: Arc<StudioFolder>,
    turn: Mutex<()>,
}

impl SavedTexts {
    /// Opens the drawers of this folder; no folder is created before there is something to save.
    pub fn in_folder(folder: Arc<StudioFolder>) -> SavedTexts {
        SavedTexts { of: folder, turn: Mutex::new(()) }
    }

    /// Lists the papers of one kind by time; those that cannot be read have a fault.
    pub fn list_oldest_first(&self, kind: VariantsOrDrafts) -> Vec<SavedOrDamagedEntry> {
        let Ok(Some(folder)) = self.of.saved_text_folder(kind, false) else { return Vec::new() };
        let saved_text = |file: FolderEntry| {
            let id = file.name.strip_suffix(".toml")?;
            Some(match read_stored_text(&folder, kind, id) {
                Ok((paper, hash)) => {
                    SavedOrDamagedEntry::Kept(SavedTextHead::from_text_and_hash(id, paper, hash))
                }
                Err(why) => SavedOrDamagedEntry::Damaged {
                    id: id.to_owned(),
                    fault: access_error_text(&why).to_owned(),
                },
            })
        };
        let mut listed: Vec<SavedOrDamagedEntry> =
            folder.list_openable_files().into_iter().filter_map(saved_text).collect();
        listed.sort_by(|a, b| a.time_of_saving().cmp(&b.time_of_saving()));
        listed
    }

    /// Reads the paper called `id`, and its hash.
    ///
    /// # Errors
    /// When no paper has this name, or it is damaged.
    pub fn read_text_and_hash(
        &self,
        kind: VariantsOrDrafts,
        id: &str,
    ) -> Result<(SavedText, String), FileAccessError> {
        check_text_id(id)?;
        let folder = self.of.saved_text_folder(kind, false)?.ok_or_else(missing_text_error)?;
        read_stored_text(&folder, kind, id)
    }

    /// Saves a paper in the place of the one whose hash was `seen`; `None` for a new one. Returns
    /// its hash.
    ///
    /// # Errors
    /// When another text is there, or it cannot be written.
    pub fn save_if_unchanged(
        &self,
        kind: VariantsOrDrafts,
        id: &str,
        paper: &SavedText,
        seen_hash: Option<&str>,
    ) -> Result<String, FileAccessError> {
        check_text_id(id)?;
        let _turn = self.turn.lock();
        let folder = self.of.saved_text_folder(kind, true)?.ok_or_else(missing_text_error)?;
        if seen_hash.is_none() && folder.list_openable_files().len() >= MAX_TEXTS_OF_KIND {
            let why = format!(
                "there are {MAX_TEXTS_OF_KIND} {} already: remove some",
                kind.folder_name()
            );
            return Err(FileAccessError::Refused(StatusCode::INSUFFICIENT_STORAGE, why));
        }
        let text = toml::to_string_pretty(paper).map_err(|why| {
            FileAccessError::Refused(StatusCode::BAD_REQUEST, format!("it cannot be saved: {why}"))
        })?;
        folder.write_if_unchanged(&saved_file_name(id), &text, seen_hash)
    }

    /// Removes the paper whose hash was `seen`.
    ///
    /// # Errors
    /// When the paper has changed since.
    pub fn remove_if_unchanged(
        &self,
        kind: VariantsOrDrafts,
        id: &str,
        seen_hash: &str,
    ) -> Result<(), FileAccessError> {
        check_text_id(id)?;
        let _turn = self.turn.lock();
        let folder = self.of.saved_text_folder(kind, false)?.ok_or_else(missing_text_error)?;
        folder.remove_if_unchanged(&saved_file_name(id), seen_hash)
    }
}

fn missing_text_error() -> FileAccessError {
    FileAccessError::Refused(StatusCode::NOT_FOUND, "nothing saved has this name".to_owned())
}

/// File name of a paper.
fn saved_file_name(id: &str) -> String {
    format!("{id}.toml")
}

/// Checks the id of a paper: letters, digits and hyphens, which mean the same on every system.
fn check_text_id(id: &str) -> Result<(), FileAccessError> {
    let is_allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    match id.len() <= MAX_TEXT_ID_LENGTH && !id.is_empty() && id.chars().all(is_allowed) {
        true => Ok(()),
        false => {
            let why = "use lower-case letters, digits and hyphens, at most 60";
            Err(FileAccessError::Refused(StatusCode::BAD_REQUEST, why.to_owned()))
        }
    }
}

fn read_stored_text(
    folder: &StudioFolder,
    kind: VariantsOrDrafts,
    id: &str,
) -> Result<(SavedText, String), FileAccessError> {
    let FileTextAndHash { text, hash } = folder.read_text_and_hash(&saved_file_name(id))?;
    let damaged = |why: toml::de::Error| {
        let why =
            format!(".studio/{}/{id}.toml is no such file: {}", kind.folder_name(), why.message());
        FileAccessError::Refused(StatusCode::UNPROCESSABLE_ENTITY, why)
    };
    toml::from_str(&text).map(|paper| (paper, hash)).map_err(damaged)
}

fn access_error_text(error: &FileAccessError) -> &str {
    match error {
        FileAccessError::Refused(_, why) => why,
        FileAccessError::Changed(_) => "it was changed",
    }
}
