//! A folder of files with plain names, each read or written as a whole. The host decides where they are stored.
//!
//! The name of a file is one component of a path with a known ending. A file that has changed meanwhile is not
//! overwritten: a writer sends the hash of the text that it has seen. The list has the files that can be opened.
//! Texts have the form of a page, and are written with the [line ends](super::line_ends) of the file they replace.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;
use sha2::{Digest, Sha256};

use super::line_ends;
use enfilade_engine::random_stream::to_hex;
use enfilade_model::form::bounds::MAX_INPUT_BYTES;
use enfilade_model::form::sanitize::is_unsafe_char;
use enfilade_study::experiment::is_device_name;

/// Endings of the names of files that are opened.
const FILE_EXTENSIONS: [&str; 4] = ["toml", "rules", "tsv", "csv"];

/// Bytes of the longest name.
const LONGEST: usize = 100;

/// The largest number of files in the list.
pub const MOST: usize = 1000;

/// The place where a host stores files. The caller passes only [`plain`] names.
pub trait Storage: Send + Sync {
    /// Returns the name of the folder, for the page's title.
    fn name(&self) -> String;
    /// Lists the files by name, in any order. The caller leaves out names that are not plain.
    fn list(&self) -> Vec<FolderEntry>;
    /// Reads the text of a file, unconverted.
    ///
    /// # Errors
    /// When the file is missing, is no text, or is too large.
    fn read(&self, name: &str) -> Result<String, FileAccessError>;
    /// Writes a text to a file, whole or not at all.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn put(&self, name: &str, text: &str) -> Result<(), FileAccessError>;
    /// Removes a file.
    ///
    /// # Errors
    /// When the file cannot be removed.
    fn remove(&self, name: &str) -> Result<(), FileAccessError>;
    /// Opens the folder of a drawer that belongs to this one, and creates it if `make` is set.
    ///
    /// # Errors
    /// When something else is in its place, or it cannot be created.
    fn drawer(
        &self,
        kind: DrawerKind,
        make: bool,
    ) -> Result<Option<Arc<dyn Storage>>, FileAccessError>;
}

/// The two drawers of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawerKind {
    /// Questions that are saved for comparison, each with a name and a note.
    Variants,
    /// Unsaved texts.
    Drafts,
}

impl DrawerKind {
    /// Returns the name of its folder.
    pub fn folder_name(self) -> &'static str {
        match self {
            DrawerKind::Variants => "variants",
            DrawerKind::Drafts => "drafts",
        }
    }
}

/// A folder, opened once.
pub struct StudioFolder {
    files: Arc<dyn Storage>,
    /// One writer at a time, so that a file does not change between its check and its replacement.
    writing: Mutex<()>,
}

/// The content of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct FileContent {
    /// Its text, in the form of a page.
    pub text: String,
    /// SHA-256 of the file, to detect changes.
    pub hash: String,
}

impl FileContent {
    /// Converts the text of a file, with its hash.
    pub fn from_text(file: &str) -> FileContent {
        FileContent { text: line_ends::to_page(file), hash: to_hex(&Sha256::digest(file)) }
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
    Changed(Option<FileContent>),
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
        out.debug_tuple("Folder").field(&self.name()).finish()
    }
}

impl StudioFolder {
    /// Creates the folder of these files.
    pub fn new(files: Arc<dyn Storage>) -> StudioFolder {
        StudioFolder { files, writing: Mutex::new(()) }
    }

    /// Returns its name, for the page's title.
    pub fn name(&self) -> String {
        self.files.name()
    }

    /// Lists its files that can be opened, by name.
    pub fn list_files(&self) -> Vec<FolderEntry> {
        let ours = self.files.list().into_iter().filter(|file| plain(&file.name).is_ok());
        let mut listed: Vec<_> = ours.take(MOST).collect();
        listed.sort_by(|a, b| a.name.cmp(&b.name));
        listed
    }

    /// Reads the file called `name`.
    ///
    /// # Errors
    /// When the name is not allowed here, or the file cannot be read as a text of bounded size.
    pub fn read_file(&self, name: &str) -> Result<FileContent, FileAccessError> {
        self.read_text(name).map(|file| FileContent::from_text(&file))
    }

    /// Reads the file called `name`, unconverted.
    fn read_text(&self, name: &str) -> Result<String, FileAccessError> {
        plain(name)?;
        self.files.read(name)
    }

    /// Opens a drawer of this folder, and creates it if `make` is set; `None` if there is none.
    ///
    /// # Errors
    /// When something else is in its place, or it cannot be created.
    pub fn drawer(
        &self,
        kind: DrawerKind,
        make: bool,
    ) -> Result<Option<StudioFolder>, FileAccessError> {
        Ok(self.files.drawer(kind, make)?.map(StudioFolder::new))
    }

    /// Writes a text to the file called `name`, if its hash is still `seen`; `None` for a new file.
    /// Returns the hash of the new text.
    ///
    /// # Errors
    /// The errors of [`read_file`](StudioFolder::read_file), and when the file has changed, or cannot be written.
    pub fn write_file(
        &self,
        name: &str,
        text: &str,
        seen: Option<&str>,
    ) -> Result<String, FileAccessError> {
        plain(name)?;
        if text.len() as u64 > MAX_INPUT_BYTES {
            let why = format!("a file has at most {MAX_INPUT_BYTES} bytes");
            return Err(FileAccessError::new(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        let _turn = self.writing.lock();
        // Checked under the same lock that covers the replacement.
        let there = match self.read_text(name) {
            Ok(file) => Some(file),
            Err(FileAccessError::Refused(StatusCode::NOT_FOUND, _)) => None,
            Err(other) => return Err(other),
        };
        let found = there.as_deref().map(FileContent::from_text);
        if found.as_ref().map(|found| found.hash.as_str()) != seen {
            return Err(FileAccessError::Changed(found));
        }
        let file = line_ends::to_file(text, there.as_deref().unwrap_or_default());
        self.files.put(name, &file)?;
        Ok(FileContent::from_text(&file).hash)
    }

    /// Removes the file called `name`, if its hash is still `seen`.
    ///
    /// # Errors
    /// The errors of [`write_file`](StudioFolder::write_file).
    pub fn remove_file(&self, name: &str, seen: &str) -> Result<(), FileAccessError> {
        let _turn = self.writing.lock();
        let found = self.read_file(name)?;
        if found.hash != seen {
            return Err(FileAccessError::Changed(Some(found)));
        }
        self.files.remove(name)
    }
}

/// Checks that `name` is one component with a known ending that means the same on every system.
///
/// # Errors
/// A refusal with the reason: a separator, another ending, a reserved or too long name.
pub fn plain(name: &str) -> Result<(), FileAccessError> {
    let refuse = |why: &str| Err(FileAccessError::new(StatusCode::BAD_REQUEST, why));
    let odd = |c: char| is_unsafe_char(c) || "/\\:*?\"<>|".contains(c);
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    if name.len() > LONGEST {
        return refuse("the name is longer than 100 bytes");
    }
    if name.contains(odd) || name.starts_with(['.', '-', ' ']) || stem.is_empty() {
        return refuse("this is not a plain file name");
    }
    if is_device_name(name.split('.').next().unwrap_or(name).trim()) {
        return refuse("some systems reserve this name for a device");
    }
    match FILE_EXTENSIONS.contains(&ending) {
        true => Ok(()),
        false => refuse("the names of files here end in .toml, .rules, .tsv or .csv"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for good in ["fire.toml", "my game 2.rules", "Füsiliere.tsv", "a.b.toml", "console.toml"] {
            assert_eq!(plain(good), Ok(()), "{good}");
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
            assert!(plain(bad).is_err(), "{bad:?}");
        }
        assert!(plain(&format!("{}.toml", "x".repeat(96))).is_err());
    }
}
