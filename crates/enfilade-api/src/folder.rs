//! A folder of files, each read or written as a whole. The host decides where they are stored.
//!
//! A file has a plain name with a known ending, below a few folders with plain names:
//! `lists/rifles.toml`. A file that has changed meanwhile is not overwritten: a writer sends the
//! hash of the text that it has seen. The list has the files that can be opened.
//! Texts have the form of a page, and are written with the [line ends](super::line_endings) of the
//! file they replace.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::line_endings;
use enfilade_engine::random_stream::to_hex;
use enfilade_model::form::bounds::MAX_INPUT_BYTES;
use enfilade_model::form::sanitize::is_control_or_invisible;
use enfilade_study::experiment::is_reserved_device_name;

/// Endings of the names of files that are opened.
const OPENED_FILE_EXTENSIONS: [&str; 4] = ["toml", "rules", "tsv", "csv"];

/// Bytes of the longest name of a file or folder.
const MAX_FILE_NAME_BYTES: usize = 100;

/// The largest number of folders that a file is below.
pub const MAX_FOLDER_DEPTH: usize = 4;

/// The largest number of files in the list.
pub const MAX_LISTED_FILES: usize = 1000;

/// The place where a host stores files. The caller passes only names that `check_file_path`
/// accepts.
pub trait FileStorage: Send + Sync {
    /// Returns the name of the folder, for the page's title.
    fn folder_title(&self) -> String;
    /// Lists the files by name, in any order. The caller leaves out names that are not plain.
    fn list_entries(&self) -> Vec<FolderEntry>;
    /// Reads the text of a file, unconverted.
    ///
    /// # Errors
    /// When the file is missing, is no text, or is too large.
    fn read_raw_text(&self, name: &str) -> Result<String, FileAccessError>;
    /// Writes a text to a file, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn write_text(&self, name: &str, text: &str) -> Result<(), FileAccessError>;
    /// Removes a file.
    ///
    /// # Errors
    /// When the file cannot be removed.
    fn remove_file(&self, name: &str) -> Result<(), FileAccessError>;
    /// Opens the folder of a drawer that belongs to this one, and creates it if `make` is set.
    ///
    /// # Errors
    /// When something else is in its place, or it cannot be created.
    fn open_saved_text_folder(
        &self,
        kind: VariantsOrDrafts,
        make: bool,
    ) -> Result<Option<Arc<dyn FileStorage>>, FileAccessError>;
}

/// The two drawers of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantsOrDrafts {
    /// Questions that are saved for comparison, each with a name and a note.
    Variants,
    /// Unsaved texts.
    Drafts,
}

impl VariantsOrDrafts {
    /// Returns the name of its folder.
    pub fn folder_name(self) -> &'static str {
        match self {
            VariantsOrDrafts::Variants => "variants",
            VariantsOrDrafts::Drafts => "drafts",
        }
    }
}

/// A folder, opened once.
pub struct StudioFolder {
    files: Arc<dyn FileStorage>,
    /// One writer at a time, so that a file does not change between its check and its replacement.
    writing: Mutex<()>,
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct FileTextAndHash {
    /// Its text, in the form of a page.
    pub text: String,
    /// SHA-256 of the file, to detect changes.
    pub hash: String,
}

impl FileTextAndHash {
    /// Converts the text of a file, with its hash.
    pub fn with_page_line_ends(file: &str) -> FileTextAndHash {
        FileTextAndHash {
            text: line_endings::to_page_line_ends(file),
            hash: to_hex(&Sha256::digest(file)),
        }
    }
}

/// A line of the list.
#[derive(Debug)]
pub struct FolderEntry {
    /// The file's name.
    pub name: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// The reason why a file is not read or written.
#[derive(Debug, PartialEq, Eq)]
pub enum FileAccessError {
    /// A refusal in a sentence, with its status.
    Refused(StatusCode, String),
    /// The file has changed since the writer saw it; `None` if it is gone.
    Changed(Option<FileTextAndHash>),
}

impl std::fmt::Display for FileAccessError {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(match self {
            FileAccessError::Refused(_, why) => why,
            FileAccessError::Changed(_) => "it was changed",
        })
    }
}

impl FileAccessError {
    /// Creates a refusal in a sentence.
    pub fn new(status: StatusCode, why: impl Into<String>) -> FileAccessError {
        FileAccessError::Refused(status, why.into())
    }
}

impl std::fmt::Debug for StudioFolder {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Folder").field(&self.folder_title()).finish()
    }
}

impl StudioFolder {
    /// Creates the folder of these files.
    pub fn new(files: Arc<dyn FileStorage>) -> StudioFolder {
        StudioFolder { files, writing: Mutex::new(()) }
    }

    /// Returns its name, for the page's title.
    pub fn folder_title(&self) -> String {
        self.files.folder_title()
    }

    /// Lists its files that can be opened, by name.
    pub fn list_openable_files(&self) -> Vec<FolderEntry> {
        let ours = self
            .files
            .list_entries()
            .into_iter()
            .filter(|file| check_file_path(&file.name).is_ok());
        let mut listed: Vec<_> = ours.take(MAX_LISTED_FILES).collect();
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed
    }

    /// Reads the file called `name`.
    ///
    /// # Errors
    /// When the name is not allowed here, or the file cannot be read as a text of bounded size.
    pub fn read_text_and_hash(&self, name: &str) -> Result<FileTextAndHash, FileAccessError> {
        self.read_raw_text(name).map(|file| FileTextAndHash::with_page_line_ends(&file))
    }

    /// Reads the file called `name`, unconverted.
    fn read_raw_text(&self, name: &str) -> Result<String, FileAccessError> {
        check_file_path(name)?;
        self.files.read_raw_text(name)
    }

    /// Opens a drawer of this folder, and creates it if `make` is set; `None` if there is none.
    ///
    /// # Errors
    /// When something else is in its place, or it cannot be created.
    pub fn saved_text_folder(
        &self,
        kind: VariantsOrDrafts,
        make: bool,
    ) -> Result<Option<StudioFolder>, FileAccessError> {
        Ok(self.files.open_saved_text_folder(kind, make)?.map(StudioFolder::new))
    }

    /// Writes a text to the file called `name`, if its hash is still `seen`; `None` for a new file.
    /// Returns the hash of the new text.
    ///
    /// # Errors
    /// The errors of [`read_text_and_hash`](StudioFolder::read_text_and_hash), and when the file
    /// has changed, or cannot be written.
    pub fn write_if_unchanged(
        &self,
        name: &str,
        text: &str,
        seen_hash: Option<&str>,
    ) -> Result<String, FileAccessError> {
        check_file_path(name)?;
        if text.len() as u64 > MAX_INPUT_BYTES {
            let why = format!("a file has at most {MAX_INPUT_BYTES} bytes");
            return Err(FileAccessError::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let _turn = self.writing.lock();
        // Checked under the same lock that covers the replacement.
        let there = match self.read_raw_text(name) {
            Ok(file) => Some(file),
            Err(FileAccessError::Refused(StatusCode::NOT_FOUND, _)) => None,
            Err(other) => return Err(other),
        };
        let file_there = there.as_deref().map(FileTextAndHash::with_page_line_ends);
        if file_there.as_ref().map(|found| found.hash.as_str()) != seen_hash {
            return Err(FileAccessError::Changed(file_there));
        }
        let file = line_endings::to_file_line_ends(text, there.as_deref().unwrap_or_default());
        self.files.write_text(name, &file)?;
        Ok(FileTextAndHash::with_page_line_ends(&file).hash)
    }

    /// Removes the file called `name`, if its hash is still `seen`.
    ///
    /// # Errors
    /// The errors of [`write_if_unchanged`](StudioFolder::write_if_unchanged).
    pub fn remove_if_unchanged(&self, name: &str, seen_hash: &str) -> Result<(), FileAccessError> {
        let _turn = self.writing.lock();
        let file = self.read_text_and_hash(name)?;
        if file.hash != seen_hash {
            return Err(FileAccessError::Changed(Some(file)));
        }
        self.files.remove_file(name)
    }
}

/// Checks that `path` is the name of a file, below at most [`MAX_FOLDER_DEPTH`] folders.
///
/// # Errors
/// A refusal with the reason: the reasons of [`check_openable_file_name`], or too many folders.
pub fn check_file_path(path: &str) -> Result<(), FileAccessError> {
    let (folders, name) = match path.rsplit_once('/') {
        Some((folders, name)) => (Some(folders), name),
        None => (None, path),
    };
    let mut folders = folders.into_iter().flat_map(|folders| folders.split('/'));
    if folders.clone().count() > MAX_FOLDER_DEPTH {
        return Err(refused_name("it is below more than 4 folders"));
    }
    folders.try_for_each(check_plain_name)?;
    check_openable_file_name(name)
}

/// Resolves a name as the file `of` writes it, from the folder of that file: `../guns.tsv` in
/// `lists/rifles.rules` is `guns.tsv`. Returns `None` if it leads out.
pub fn resolve_beside(of: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = of.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

fn refused_name(why: &str) -> FileAccessError {
    FileAccessError::new(StatusCode::BAD_REQUEST, why)
}

/// Checks that `name` is one component of a path that means the same on every system.
fn check_plain_name(name: &str) -> Result<(), FileAccessError> {
    let odd = |c: char| is_control_or_invisible(c) || "/\\:*?\"<>|".contains(c);
    if name.len() > MAX_FILE_NAME_BYTES {
        return Err(refused_name("the name is longer than 100 bytes"));
    }
    let is_bare =
        name.is_empty() || name.starts_with(['.', '-', ' ']) || name.ends_with(['.', ' ']);
    if name.contains(odd) || is_bare {
        return Err(refused_name("this is not a plain file name"));
    }
    match is_reserved_device_name(name.split('.').next().unwrap_or(name).trim()) {
        true => Err(refused_name("some systems reserve this name for a device")),
        false => Ok(()),
    }
}

/// Checks that `name` is one component with a known ending that means the same on every system.
///
/// # Errors
/// A refusal with the reason: a separator, another ending, a reserved or too long name.
pub fn check_openable_file_name(name: &str) -> Result<(), FileAccessError> {
    check_plain_name(name)?;
    match OPENED_FILE_EXTENSIONS.contains(&name.rsplit_once('.').unwrap_or_default().1) {
        true => Ok(()),
        false => Err(refused_name("the names of files here end in .toml, .rules, .tsv or .csv")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for good in ["fire.toml", "my game 2.rules", "Füsiliere.tsv", "a.b.toml", "console.toml"] {
            assert_eq!(check_openable_file_name(good), Ok(()), "{good}");
        }
        for bad in [
            "",
            ".toml",
            "..",
            "../x.toml",
            "/etc/x.toml",
            "a/b.toml",
            "a\\b.toml",
            "c:x.toml",
            "con.toml",
            "COM1.rules",
            "x.toml\0",
            "x\n.toml",
            "x.exe",
            "toml",
            "-x.toml",
            "nul .toml",
            "x.toml ",
            "a\u{202e}b.toml",
        ] {
            assert!(check_openable_file_name(bad).is_err(), "{bad:?}");
        }
        assert!(check_openable_file_name(&format!("{}.toml", "x".repeat(96))).is_err());
    }
    #[test]
    fn folders_are_plain_too() {
        for good in ["a.toml", "lists/a.toml", "a/b/c/d/x.rules", "Füsiliere/1. Linie.tsv"] {
            assert_eq!(check_file_path(good), Ok(()), "{good}");
        }
        for bad in [
            "/a.toml",
            "lists//a.toml",
            "lists/",
            "../a.toml",
            "lists/../a.toml",
            ".git/a.toml",
            "nul/a.toml",
            "a./b.toml",
            "a\\b/c.toml",
            "a/b/c/d/e/x.toml",
        ] {
            assert!(check_file_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_are_resolved_from_the_folder_of_their_file() {
        let found = |of, name| resolve_beside(of, name);
        assert_eq!(found("lists/a.toml", "b.rules").as_deref(), Some("lists/b.rules"));
        assert_eq!(found("lists/a.toml", "../b.rules").as_deref(), Some("b.rules"));
        assert_eq!(found("a.toml", "./x/b.rules").as_deref(), Some("x/b.rules"));
        assert_eq!(found("a.toml", "../b.rules"), None);
        assert_eq!(found("", "b.rules").as_deref(), Some("b.rules"));
    }
}
