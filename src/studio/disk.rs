//! The folder that a studio works in, on the disk.
//!
//! Links are not followed, devices and pipes are not opened, and nothing is left half written. The drawers of
//! variants and drafts are folders below `.studio`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use enfilade_api::{FileAccessError, FileStorage, FolderEntry, SavedTextKind};
use hyper::StatusCode;

use crate::error::{Error, FileError};
use crate::plain_file::{self, FileReadRefusal, MAX_INPUT_BYTES};

/// The folder of both drawers.
const SAVED_TEXTS_FOLDER: &str = ".studio";

/// A folder on the disk, opened once.
pub struct DiskFolder {
    path: PathBuf,
}

impl DiskFolder {
    /// Opens the folder at `path`.
    ///
    /// # Errors
    /// When there is no folder at this path.
    pub fn open_folder_at(path: &Path) -> Result<DiskFolder, Error> {
        let opened = path.canonicalize().and_then(|path| fs::read_dir(&path).map(|_| path));
        let failed = |source| FileError::map_io_error("opening", path)(source);
        Ok(DiskFolder { path: opened.map_err(failed)? })
    }

    /// Returns the path of the folder.
    pub fn folder_path(&self) -> &Path {
        &self.path
    }

    fn write_file_atomically(&self, path: &Path, text: &str) -> std::io::Result<()> {
        let mut temporary_file = plain_file::create_temporary_file(&self.path, ".enfilade-")?;
        temporary_file.write_all(text.as_bytes())?;
        temporary_file.as_file().sync_all()?;
        // A file keeps its permissions; a new one has the user's defaults.
        if let Ok(about) = path.metadata() {
            temporary_file.as_file().set_permissions(about.permissions())?;
        }
        temporary_file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

impl FileStorage for DiskFolder {
    fn folder_title(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn list_entries(&self) -> Vec<FolderEntry> {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        let listed = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let about = entry.path().symlink_metadata().ok()?;
            about.is_file().then_some(FolderEntry { name, bytes: about.len() })
        });
        listed.collect()
    }

    fn read_raw_text(&self, name: &str) -> Result<String, FileAccessError> {
        plain_file::read_text_in_folder(&self.path, name, MAX_INPUT_BYTES).map_err(|refusal| {
            let status = match &refusal {
                FileReadRefusal::Io(why) => return file_access_error("reading", name, why),
                FileReadRefusal::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
                FileReadRefusal::NotText(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::FORBIDDEN,
            };
            FileAccessError::new(status, format!("{name} cannot be read: {refusal}"))
        })
    }

    fn write_text(&self, name: &str, text: &str) -> Result<(), FileAccessError> {
        self.write_file_atomically(&self.path.join(name), text)
            .map_err(|why| file_access_error("writing", name, &why))
    }

    fn remove_file(&self, name: &str) -> Result<(), FileAccessError> {
        fs::remove_file(self.path.join(name))
            .map_err(|why| file_access_error("removing", name, &why))
    }

    fn saved_text_folder(
        &self,
        kind: SavedTextKind,
        make: bool,
    ) -> Result<Option<Arc<dyn FileStorage>>, FileAccessError> {
        let place = self.path.join(SAVED_TEXTS_FOLDER);
        let path = place.join(kind.folder_name());
        if make {
            create_if_missing(&place)?;
            if create_if_missing(&path)? && kind == SavedTextKind::Drafts {
                // Drafts are private.
                let ignored = fs::write(path.join(".gitignore"), "*\n");
                ignored.map_err(|why| create_folder_error(&path, &why))?;
            }
        }
        // No link, which could lead anywhere.
        if !is_folder(&place)? || !is_folder(&path)? {
            return Ok(None);
        }
        let failed =
            |why: Error| FileAccessError::new(StatusCode::INTERNAL_SERVER_ERROR, why.to_string());
        Ok(Some(Arc::new(DiskFolder::open_folder_at(&path).map_err(failed)?)))
    }
}

fn file_access_error(what: &str, name: &str, why: &std::io::Error) -> FileAccessError {
    let status = match why.kind() {
        std::io::ErrorKind::NotFound => StatusCode::NOT_FOUND,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    };
    FileAccessError::new(status, format!("{what} {name}: {why}"))
}

/// Checks whether there is a folder at `path`.
fn is_folder(path: &Path) -> Result<bool, FileAccessError> {
    match path.symlink_metadata() {
        Ok(about) if about.is_dir() => Ok(true),
        Ok(_) => {
            let why = format!("{} is not a folder, so nothing can be saved there", path.display());
            Err(FileAccessError::new(StatusCode::FORBIDDEN, why))
        }
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(why) => Err(create_folder_error(path, &why)),
    }
}

/// Creates a folder if it is missing; returns whether it did.
fn create_if_missing(path: &Path) -> Result<bool, FileAccessError> {
    if is_folder(path)? {
        return Ok(false);
    }
    fs::create_dir(path).map(|()| true).map_err(|why| create_folder_error(path, &why))
}

fn create_folder_error(path: &Path, why: &std::io::Error) -> FileAccessError {
    let why = format!("cannot save to {}: {why}", path.display());
    FileAccessError::new(StatusCode::INTERNAL_SERVER_ERROR, why)
}
