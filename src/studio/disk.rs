//! The folder that a studio works in, on the disk.
//!
//! Links are not followed, devices and pipes are not opened, and nothing is left half written. The
//! drawers of variants and drafts are folders below `.studio`. Folders are listed from the top
//! downwards, a bounded number of them, without those whose names are hidden.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use enfilade_api::{FileAccessError, FileStorage, FolderEntry, MAX_FOLDER_DEPTH, VariantsOrDrafts};
use hyper::StatusCode;

use crate::error::{Error, FileError};
use crate::plain_file::{self, FileReadRefusal, MAX_INPUT_BYTES};

/// The folder of both drawers.
const SAVED_TEXTS_FOLDER: &str = ".studio";

/// The largest number of folders that a list looks into.
const MAX_LISTED_FOLDERS: usize = 300;

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
        let failed = |source| FileError::io_error_converter("opening", path)(source);
        Ok(DiskFolder { path: opened.map_err(failed)? })
    }

    /// Returns the path of the folder.
    pub fn folder_path(&self) -> &Path {
        &self.path
    }

    fn write_file_atomically(&self, path: &Path, text: &str) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(&self.path);
        let mut temporary_file = plain_file::create_temporary_file(folder, ".enfilade-")?;
        temporary_file.write_all(text.as_bytes())?;
        temporary_file.as_file().sync_all()?;
        // A file keeps its permissions; a new one has the user's defaults.
        if let Ok(about) = path.metadata() {
            temporary_file.as_file().set_permissions(about.permissions())?;
        }
        temporary_file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Returns the path of a file below its folders, which are created if they are missing.
    fn path_with_folders(&self, name: &str) -> Result<PathBuf, FileAccessError> {
        let mut path = self.path.clone();
        let (folders, file) = name.rsplit_once('/').unwrap_or(("", name));
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            path.push(folder);
            create_dir_if_missing(&path)?;
        }
        Ok(path.join(file))
    }
}

/// Adds the files of one folder to a list, each with `prefix` before its name. Returns its folders.
fn add_files_and_list_subfolders(
    path: &Path,
    prefix: &str,
    files: &mut Vec<FolderEntry>,
) -> Vec<String> {
    let mut folders = Vec::new();
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        let Ok(name) = entry.file_name().into_string() else { continue };
        // Of a link this is the link, which is neither.
        let Ok(about) = entry.path().symlink_metadata() else { continue };
        let name = format!("{prefix}{name}");
        if about.is_file() {
            files.push(FolderEntry { name, bytes: about.len() });
        } else if about.is_dir() && !entry.file_name().as_encoded_bytes().starts_with(b".") {
            folders.push(name);
        }
    }
    folders.sort();
    folders
}

impl FileStorage for DiskFolder {
    fn folder_title(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    fn list_entries(&self) -> Vec<FolderEntry> {
        let mut files = Vec::new();
        let mut level = add_files_and_list_subfolders(&self.path, "", &mut files);
        let mut left = MAX_LISTED_FOLDERS;
        for _ in 0..MAX_FOLDER_DEPTH {
            level.truncate(left);
            left -= level.len();
            let inner = level.iter().map(|folder| {
                add_files_and_list_subfolders(
                    &self.path.join(folder),
                    &format!("{folder}/"),
                    &mut files,
                )
            });
            level = inner.collect::<Vec<_>>().concat();
        }
        files
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
        let path = self.path_with_folders(name)?;
        self.write_file_atomically(&path, text)
            .map_err(|why| file_access_error("writing", name, &why))
    }

    fn remove_file(&self, name: &str) -> Result<(), FileAccessError> {
        let path = self.path.join(name);
        fs::remove_file(&path).map_err(|why| file_access_error("removing", name, &why))?;
        // A folder is there for its files; one that has others cannot be removed, and stays.
        let inner = path.ancestors().skip(1).take_while(|folder| *folder != self.path);
        inner.map(fs::remove_dir).take_while(Result::is_ok).for_each(drop);
        Ok(())
    }

    fn open_saved_text_folder(
        &self,
        kind: VariantsOrDrafts,
        make: bool,
    ) -> Result<Option<Arc<dyn FileStorage>>, FileAccessError> {
        let place = self.path.join(SAVED_TEXTS_FOLDER);
        let path = place.join(kind.folder_name());
        if make {
            create_dir_if_missing(&place)?;
            if create_dir_if_missing(&path)? && kind == VariantsOrDrafts::Drafts {
                // Drafts are private.
                let ignored = fs::write(path.join(".gitignore"), "*\n");
                ignored.map_err(|why| create_folder_error(&path, &why))?;
            }
        }
        // No link, which could lead anywhere.
        if !does_folder_exist(&place)? || !does_folder_exist(&path)? {
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
fn does_folder_exist(path: &Path) -> Result<bool, FileAccessError> {
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
fn create_dir_if_missing(path: &Path) -> Result<bool, FileAccessError> {
    if does_folder_exist(path)? {
        return Ok(false);
    }
    fs::create_dir(path).map(|()| true).map_err(|why| create_folder_error(path, &why))
}

fn create_folder_error(path: &Path, why: &std::io::Error) -> FileAccessError {
    let why = format!("cannot save to {}: {why}", path.display());
    FileAccessError::new(StatusCode::INTERNAL_SERVER_ERROR, why)
}
