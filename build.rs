//! Names this build by what it is made of, so that results say which sources made them, and a
//! run that was begun by one build is not gone on with by another.

use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};

/// Everything that can change a number.
const SOURCES: [&str; 5] = ["src", "data", "rulebooks", "Cargo.toml", "Cargo.lock"];

fn main() -> io::Result<()> {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        println!("cargo:rerun-if-changed={source}");
        hash(Path::new(source), &mut hasher)?;
    }
    println!("cargo:rustc-env=ENFILADE_BUILD={:016x}", hasher.finish());
    Ok(())
}

/// Hashes a file with its name, or a folder in the order of its names.
fn hash(path: &Path, hasher: &mut DefaultHasher) -> io::Result<()> {
    // A packaged crate may lack the lock file.
    if !path.exists() {
        return Ok(());
    }
    if path.is_dir() {
        let entries = fs::read_dir(path)?.map(|entry| Ok(entry?.path()));
        let mut entries: Vec<PathBuf> = entries.collect::<io::Result<_>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| hash(entry, hasher));
    }
    hasher.write(path.to_string_lossy().as_bytes());
    let content = fs::read(path)?;
    hasher.write_usize(content.len());
    hasher.write(&content);
    Ok(())
}
