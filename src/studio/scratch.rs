//! The folder of one studio for what it keeps while it runs, outside the user's own.
//!
//! It goes with the studio. One that is killed leaves its folder; the next studio takes it away, as the lock
//! in it, which lasts as long as its process, is held no more.

use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::Error;
use crate::plain_file;

/// How the names of such folders begin.
const PREFIX: &str = "enfilade-studio-";

/// The file in it that is locked.
const LOCK: &str = "lock";

/// A folder of this studio alone.
pub struct Scratch {
    /// First, so that the lock is given back when the folder is gone.
    folder: TempDir,
    _lock: File,
}

impl Scratch {
    /// A new one; those of studios that were killed are taken away.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn new() -> Result<Scratch, Error> {
        Scratch::within(&std::env::temp_dir())
    }

    fn within(place: &Path) -> Result<Scratch, Error> {
        let made = || {
            let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(place)?;
            let lock = File::create(folder.path().join(LOCK))?;
            lock.lock()?;
            Ok(Scratch { folder, _lock: lock })
        };
        let scratch = made().map_err(Error::io("making a folder in", place))?;
        scratch.sweep(place);
        Ok(scratch)
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Takes away what killed studios of this user left.
    fn sweep(&self, place: &Path) {
        let Ok(own) = self.path().symlink_metadata() else { return };
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        let left = entries.filter(|entry| {
            let named = entry.file_name().to_string_lossy().starts_with(PREFIX);
            named && entry.path().symlink_metadata().is_ok_and(|found| is_like(&found, &own))
        });
        let left: Vec<PathBuf> = left.map(|entry| entry.path()).collect();
        for folder in left.iter().filter(|folder| *folder != self.path()) {
            let lock = plain_file::below(folder, LOCK).and_then(|lock| plain_file::open(&lock));
            // One without a lock is being made, or is nobody's; what cannot be taken away stays.
            if lock.is_ok_and(|lock| lock.try_lock().is_ok()) {
                let _ = fs::remove_dir_all(folder);
            }
        }
    }
}

/// Whether a folder is one of the same user.
#[cfg(unix)]
fn is_like(found: &Metadata, own: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    found.is_dir() && found.uid() == own.uid()
}

/// Elsewhere every user has a place of their own.
#[cfg(not(unix))]
fn is_like(found: &Metadata, _: &Metadata) -> bool {
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
        fs::write(at("enfilade-studio-killed").join(LOCK), "").expect("written");
        fs::write(at("enfilade-other").join(LOCK), "").expect("written");
        let first = Scratch::within(place.path()).expect("it is made");
        assert!(!at("enfilade-studio-killed").exists());
        let second = Scratch::within(place.path()).expect("it is made");
        assert!(first.path().exists() && second.path().exists(), "a running one stays");
        assert!(at("enfilade-studio-begun").exists() && at("enfilade-other").exists());
        let path = first.path().to_owned();
        drop((first, second));
        assert!(!path.exists());
    }
}
