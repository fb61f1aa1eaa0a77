//! Files in memory, where there is no disk.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;

use super::folder::{DrawerKind, FileAccessError, FolderEntry, Storage};

/// A folder in memory, with its drawers.
#[derive(Debug)]
pub struct Memory {
    name: String,
    files: Mutex<BTreeMap<String, String>>,
    drawers: Vec<(DrawerKind, Arc<Memory>)>,
}

impl Memory {
    /// Creates a folder of this name with these files, each a name and a text.
    pub fn new(name: &str, files: &[(&str, &str)]) -> Memory {
        let drawer = |kind: DrawerKind| (kind, Arc::new(Memory::bare(kind.folder_name(), &[])));
        let drawers = [DrawerKind::Variants, DrawerKind::Drafts].map(drawer).to_vec();
        Memory { drawers, ..Memory::bare(name, files) }
    }

    fn bare(name: &str, files: &[(&str, &str)]) -> Memory {
        let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        Memory { name: name.to_owned(), files: Mutex::new(files.collect()), drawers: Vec::new() }
    }
}

fn missing(name: &str) -> FileAccessError {
    FileAccessError::new(StatusCode::NOT_FOUND, format!("there is no file {name} here"))
}

impl Storage for Memory {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn list(&self) -> Vec<FolderEntry> {
        let files = self.files.lock();
        let listed = files.iter().map(|(name, text)| (name.clone(), text.len() as u64));
        listed.map(|(name, bytes)| FolderEntry { name, bytes }).collect()
    }

    fn read(&self, name: &str) -> Result<String, FileAccessError> {
        self.files.lock().get(name).cloned().ok_or_else(|| missing(name))
    }

    fn put(&self, name: &str, text: &str) -> Result<(), FileAccessError> {
        self.files.lock().insert(name.to_owned(), text.to_owned());
        Ok(())
    }

    fn remove(&self, name: &str) -> Result<(), FileAccessError> {
        self.files.lock().remove(name).map(drop).ok_or_else(|| missing(name))
    }

    fn drawer(
        &self,
        kind: DrawerKind,
        _make: bool,
    ) -> Result<Option<Arc<dyn Storage>>, FileAccessError> {
        let own = self.drawers.iter().find(|(known, _)| *known == kind);
        Ok(own.map(|(_, drawer)| Arc::clone(drawer) as Arc<dyn Storage>))
    }
}
