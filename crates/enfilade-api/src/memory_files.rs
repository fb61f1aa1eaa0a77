//! Files in memory, where there is no disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;

use super::folder::{FileAccessError, FileStorage, FolderEntry, VariantsOrDrafts};

/// A folder in memory, with its drawers.
#[derive(Debug)]
pub struct MemoryFolder {
    name: String,
    files: Mutex<BTreeMap<String, String>>,
    drawers: Vec<(VariantsOrDrafts, Arc<MemoryFolder>)>,
}

impl MemoryFolder {
    /// Creates a folder of this name with these files, each a name and a text.
    pub fn new(name: &str, files: &[(&str, &str)]) -> MemoryFolder {
        let drawer = |kind: VariantsOrDrafts| {
            (kind, Arc::new(MemoryFolder::new_without_drawers(kind.folder_name(), &[])))
        };
        let drawers = [VariantsOrDrafts::Variants, VariantsOrDrafts::Drafts].map(drawer).to_vec();
        MemoryFolder { drawers, ..MemoryFolder::new_without_drawers(name, files) }
    }

    fn new_without_drawers(name: &str, files: &[(&str, &str)]) -> MemoryFolder {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        MemoryFolder {
            name: name.to_owned(),
            files: Mutex::new(files.collect()),
            drawers: Vec::new(),
        }
    }
}

fn missing_file_error(name: &str) -> FileAccessError {
    FileAccessError::new(StatusCode::NOT_FOUND, format!("there is no file {name} here"))
}

impl FileStorage for MemoryFolder {
    fn folder_title(&self) -> String {
        self.name.clone()
    }

    fn list_entries(&self) -> Vec<FolderEntry> {
        let files = self.files.lock();
        let listed = files.iter().map(|(name, text)| (name.clone(), text.len() as u64));
        listed.map(|(name, bytes)| FolderEntry { name, bytes }).collect()
    }

    fn read_raw_text(&self, name: &str) -> Result<String, FileAccessError> {
        self.files.lock().get(name).cloned().ok_or_else(|| missing_file_error(name))
    }

    fn write_text(&self, name: &str, text: &str) -> Result<(), FileAccessError> {
        self.files.lock().insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn remove_file(&self, name: &str) -> Result<(), FileAccessError> {
        self.files.lock().remove(name).map(drop).ok_or_else(|| missing_file_error(name))
    }

    fn open_saved_text_folder(
        &self,
        kind: VariantsOrDrafts,
        _make: bool,
    ) -> Result<Option<Arc<dyn FileStorage>>, FileAccessError> {
        let own = self.drawers.iter().find(|(known, _)| *known == kind);
        Ok(own.map(|(_, drawer)| Arc::clone(drawer) as Arc<dyn FileStorage>))
    }
}
