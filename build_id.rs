// The name of a build: a hash of everything that can change a number. Shared by the build scripts
// of the program and of the module.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::Path;

/// Everything that can change a number.
const SOURCES: [&str; 6] = ["src", "crates", "data", "rulebooks", "Cargo.toml", "Cargo.lock"];

/// Folders that change no number, and so no name: what was begun before a test was written goes on.
const TEST_FOLDERS: [&str; 3] = ["tests", "benches", "examples"];

/// The name of a build of the sources at `root`, in 16 hexadecimal digits. The script runs again
/// when one changes.
pub fn of(root: &Path) -> io::Result<String> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={}", root.join(source).display());
        hash(root, Path::new(source), &mut hasher)?;
    }
    Ok(format!("{:016x}", hasher.finish()))
}

/// Hashes a file with its name, or a folder in the order of its names.
fn hash(root: &Path, path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    let there = root.join(path);
    // A packaged crate may lack the lock file.
    if !there.exists() {
        return Ok(());
    }
    if there.is_dir() && TEST_FOLDERS.iter().any(|name| path.ends_with(name)) {
        return Ok(());
    }
    if there.is_dir() {
        let entries = fs::read_dir(there)?.map(|entry| Ok(path.join(entry?.file_name())));
        let mut entries = entries.collect::<io::Result<Vec<_>>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| hash(root, entry, hasher));
    }
    hasher.write(path.to_string_lossy().as_bytes());
    let content = fs::read(there)?;
    hasher.write_usize(content.len());
    hasher.write(&content);
    Ok(())
}
