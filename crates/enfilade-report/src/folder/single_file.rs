//! Single file that a command writes: checked before the work, and put in place only when complete.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::error::{FolderInUse, ReportError};
use crate::folder::file_system::{are_paths_of_same_file, flush_folder_to_disk, map_write_error};

/// A file to be written. An existing file stays until the new content is complete; a device or a
/// pipe, such as `/dev/stdout`, is written to directly.
#[derive(Debug)]
pub struct AtomicOutputFile {
    /// The path as the user typed it.
    path: PathBuf,
    method: ReplaceOrWriteThrough,
}

#[derive(Debug)]
enum ReplaceOrWriteThrough {
    /// Through a hidden file beside it, which then replaces it.
    Beside { hidden: PathBuf, made: File },
    /// Directly to the existing device or pipe.
    Through(File),
}

impl AtomicOutputFile {
    /// Prepares to write to `path`.
    ///
    /// # Errors
    /// [`ReportError::Invalid`] when the path is one of `inputs`, [`ReportError::InUse`] when
    /// another run writes to it, [`ReportError::File`] when it cannot be written.
    pub fn prepare_at_path(
        path: &Path,
        inputs: &[PathBuf],
    ) -> Result<AtomicOutputFile, ReportError> {
        if inputs.iter().any(|input| are_paths_of_same_file(input, path)) {
            let problem = format!("{} is read and would be written to", path.display());
            return Err(ReportError::Invalid(problem + ": give another --out"));
        }
        // A link means the file that it leads to.
        let place = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let special = path.metadata().is_ok_and(|found| !found.is_file());
        let way = if special {
            let open = File::options().write(true).open(path);
            ReplaceOrWriteThrough::Through(open.map_err(map_write_error(path))?)
        } else {
            reuse_hidden_file_beside(&place)?
        };
        let path = path.to_owned();
        Ok(AtomicOutputFile { path, method: way })
    }

    /// Writes the file, completely or not at all.
    ///
    /// # Errors
    /// When the file cannot be written; then its old content is unchanged.
    pub fn write_whole_content(mut self, content: &[u8]) -> Result<(), ReportError> {
        let written = match &mut self.method {
            ReplaceOrWriteThrough::Through(file) => file.write_all(content),
            ReplaceOrWriteThrough::Beside { hidden, made } => {
                // The target of a link, because the rename would replace the link.
                let place = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
                let made = made
                    // The file left by a killed run may be longer.
                    .set_len(0)
                    .and_then(|()| made.write_all(content))
                    .and_then(|()| made.sync_all());
                made.and_then(|()| fs::rename(hidden, place))
            }
        };
        written.map_err(map_write_error(&self.path))?;
        match &self.method {
            ReplaceOrWriteThrough::Through(_) => Ok(()),
            ReplaceOrWriteThrough::Beside { hidden, .. } => {
                flush_folder_to_disk(parent_folder(hidden))
            }
        }
    }
}

impl Drop for AtomicOutputFile {
    /// Removes the hidden file, unless it has replaced the target.
    fn drop(&mut self) {
        if let ReplaceOrWriteThrough::Beside { hidden, .. } = &self.method {
            let _ = fs::remove_file(hidden);
        }
    }
}

/// Opens a hidden file of a fixed name, so that the leftover of a killed run is reused.
fn reuse_hidden_file_beside(place: &Path) -> Result<ReplaceOrWriteThrough, ReportError> {
    let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let hidden = parent_folder(place).join(format!(".{name}.enfilade"));
    if hidden.symlink_metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(ReportError::Invalid(format!("{} is in the way", hidden.display())));
    }
    // Not truncated yet, because another process may be writing to it until it is locked.
    let mut open = File::options();
    let made = open.create(true).truncate(false).write(true).open(&hidden);
    let made = made.map_err(map_write_error(place))?;
    match made.try_lock() {
        Ok(()) => Ok(ReplaceOrWriteThrough::Beside { hidden, made }),
        Err(TryLockError::WouldBlock) => {
            Err(FolderInUse { folder: place.to_owned(), by: "it is not finished".to_owned() }
                .into())
        }
        Err(TryLockError::Error(error)) => Err(map_write_error(place)(error).into()),
    }
}

/// Returns the folder of a path.
fn parent_folder(path: &Path) -> &Path {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("readable").file_name();
        entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("card.html");
        for content in ["old and long", "new"] {
            let single =
                AtomicOutputFile::prepare_at_path(&path, &[]).expect("nothing is in the way");
            single.write_whole_content(content.as_bytes()).expect("written");
            assert_eq!(fs::read_to_string(&path).expect("readable"), content);
        }
        drop(AtomicOutputFile::prepare_at_path(&path, &[]).expect("nothing is in the way"));
        assert_eq!(names(folder.path()), ["card.html"]);
        assert!(
            AtomicOutputFile::prepare_at_path(&folder.path().join("no/such/folder"), &[]).is_err()
        );
    }

    #[test]
    fn a_file_that_is_read_is_not_written_whatever_it_is_called() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("x.toml");
        fs::write(&path, "mine").expect("written");
        let other = folder.path().join(".").join("x.toml");
        let refusal = AtomicOutputFile::prepare_at_path(&other, &[path]).expect_err("it is read");
        assert!(refusal.to_string().contains("is read and would be written to"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_followed_and_a_device_stays_one() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").expect("written");
        std::os::unix::fs::symlink(&real, &link).expect("a link");
        AtomicOutputFile::prepare_at_path(&link, &[])
            .expect("free")
            .write_whole_content(b"new")
            .expect("written");
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&real).expect("readable"), "new");
        let full = AtomicOutputFile::prepare_at_path(Path::new("/dev/full"), &[])
            .expect("it can be opened");
        assert!(full.write_whole_content(b"x").is_err());
    }

    #[test]
    fn two_runs_do_not_write_one_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("card.pdf");
        let first = AtomicOutputFile::prepare_at_path(&path, &[]).expect("nothing is in the way");
        assert!(matches!(
            AtomicOutputFile::prepare_at_path(&path, &[]),
            Err(ReportError::InUse(_))
        ));
        first.write_whole_content(b"1").expect("written");
    }
}
