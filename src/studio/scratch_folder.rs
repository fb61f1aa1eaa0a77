//! The private folder of a studio while it runs, outside the user's folder.
//!
//! The folder is removed with the studio. A studio that is killed leaves its folder; the next
//! studio removes it, because the lock in it, which lasts as long as its process, is free.

use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::{Error, FileError};
use crate::plain_file;

/// Prefix of the folder names.
const SCRATCH_FOLDER_PREFIX: &str = "enfilade-studio-";

/// The lock file in the folder.
const SCRATCH_LOCK_NAME: &str = "lock";

/// A private folder of this studio.
pub struct PrivateScratchFolder {
    /// First, so that the lock is released after the folder is removed.
    folder: TempDir,
    _lock: File,
}

impl PrivateScratchFolder {
    /// Creates a folder; those of studios that were killed are removed.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn new() -> Result<PrivateScratchFolder, Error> {
        PrivateScratchFolder::create_in(&std::env::temp_dir())
    }

    fn create_in(place: &Path) -> Result<PrivateScratchFolder, Error> {
        let create_folder = || {
            let folder =
                tempfile::Builder::new().prefix(SCRATCH_FOLDER_PREFIX).tempdir_in(place)?;
            let lock = File::create(folder.path().join(SCRATCH_LOCK_NAME))?;
            lock.lock()?;
            Ok(PrivateScratchFolder { folder, _lock: lock })
        };
        let scratch =
            create_folder().map_err(FileError::io_error_converter("making a folder in", place))?;
        scratch.remove_folders_of_killed(place);
        Ok(scratch)
    }

    /// The folder.
    pub fn scratch_folder_path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes the folders that killed studios of this user left.
    fn remove_folders_of_killed(&self, place: &Path) {
        let Ok(own) = self.scratch_folder_path().symlink_metadata() else { return };
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            let named = entry.file_name().to_string_lossy().starts_with(SCRATCH_FOLDER_PREFIX);
            named && entry.path().symlink_metadata().is_ok_and(|found| is_same_owner(&found, &own))
        });
        let left: Vec<PathBuf> = left.map(|entry| entry.path()).collect();
        for folder in left.iter().filter(|folder| *folder != self.scratch_folder_path()) {
            let lock = plain_file::resolve_in_folder(folder, SCRATCH_LOCK_NAME)
                .and_then(|lock| plain_file::open_plain_file(&lock));
            // A folder without a lock is being created, or belongs to no studio; one that cannot be
            // removed stays.
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }
}

/// Whether a folder has the same owner.
#[cfg(unix)]
fn is_same_owner(metadata: &Metadata, own: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.is_dir() && metadata.uid() == own.uid()
}

/// On other systems every user has a separate place.
#[cfg(not(unix))]
fn is_same_owner(found: &Metadata, _: &Metadata) -> bool {
    found.is_dir()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_studio_left_is_taken_away_and_nothing_else() {
        let place = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| place.path().join(name);
        for name in ["enfilade-studio-killed", "enfilade-studio-begun", "enfilade-other"] {
            fs::create_dir(at(name)).expect("made");
            fs::write(at(name).join("unfinished.jsonl"), "trials").expect("written");
        }
        fs::write(at("enfilade-studio-killed").join(SCRATCH_LOCK_NAME), "").expect("written");
        fs::write(at("enfilade-other").join(SCRATCH_LOCK_NAME), "").expect("written");
        let first = PrivateScratchFolder::create_in(place.path()).expect("it is made");
        assert!(!at("enfilade-studio-killed").exists());
        let second = PrivateScratchFolder::create_in(place.path()).expect("it is made");
        assert!(
            first.scratch_folder_path().exists() && second.scratch_folder_path().exists(),
            "a running one stays"
        );
        assert!(at("enfilade-studio-begun").exists() && at("enfilade-other").exists());
        let path = first.scratch_folder_path().to_owned();
        drop((first, second));
        assert!(!path.exists());
    }
}
