//! File operations that last: flushing, hashing, and errors with paths.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::error::ReportError;
use enfilade_engine::random_stream::to_hex;
use enfilade_model::error::FileError;

/// Whether two paths lead to one file.
pub(crate) fn are_paths_of_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Removes a file; a missing one is no error.
pub(crate) fn remove_if_present(path: &Path) -> Result<(), ReportError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(map_write_error(path)(error).into())
        }
        _ => Ok(()),
    }
}

pub(crate) fn flush_and_hash(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let hashed = length_and_hash_of_rest(&mut file)?;
    file.sync_all()?;
    Ok(hashed)
}

/// Returns length and SHA-256 of the rest of a file.
pub(crate) fn length_and_hash_of_rest(file: &mut File) -> io::Result<(u64, String)> {
    let mut hash = HashOnlyWriter(Sha256::new());
    let bytes = io::copy(file, &mut hash)?;
    Ok((bytes, to_hex(&hash.0.finalize())))
}

/// A writer that hashes everything written to it.
struct HashOnlyWriter(Sha256);

impl Write for HashOnlyWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Flushes a folder, so that renames in it last. Only Unix can open a folder to flush it; other
/// systems do it by themselves.
pub(crate) fn flush_folder_to_disk(folder: &Path) -> Result<(), ReportError> {
    if cfg!(unix) {
        let flushed = File::open(folder).and_then(|folder| folder.sync_all());
        flushed.map_err(map_write_error(folder))?;
    }
    Ok(())
}

/// Returns the error for a file that cannot be written.
pub(crate) fn map_write_error(path: &Path) -> impl Fn(io::Error) -> FileError {
    FileError::io_error_converter("writing", path)
}

pub(crate) fn map_create_error(path: &Path) -> impl Fn(io::Error) -> FileError {
    FileError::io_error_converter("making", path)
}
