//! A folder of results that is never half-written.
//!
//! Files are made in a hidden folder beside their place, flushed to the disk and hashed. Only when
//! all of them are there are they renamed into place, the manifest last: a folder with a manifest
//! is whole. The manifest of an earlier run is taken away before the first rename, and so are the
//! files that only it lists: a chart that is drawn no more must not lie among those that are.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::error::Error;

/// Name of the file that says that the others are whole.
pub const MANIFEST: &str = "manifest.json";

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its name in the folder: `charts/1-heatmap-p_break.svg`.
    pub name: String,
    /// Its length in bytes.
    pub bytes: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// Files on their way into a folder.
pub struct Staging {
    folder: PathBuf,
    hidden: TempDir,
    files: Vec<WrittenFile>,
}

impl Staging {
    /// Starts a set of files for `folder`, which is made if it is not there.
    ///
    /// # Errors
    /// When the folder cannot be made or written to.
    pub fn new(folder: &Path) -> Result<Staging, Error> {
        fs::create_dir_all(folder).map_err(writing(folder))?;
        let hidden = TempDir::with_prefix_in(".enfilade-", folder).map_err(writing(folder))?;
        Ok(Staging {
            folder: folder.to_owned(),
            hidden,
            files: Vec::new(),
        })
    }

    /// The files so far.
    pub fn files(&self) -> &[WrittenFile] {
        &self.files
    }

    /// Adds a file with this content.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, name: &str, content: &[u8]) -> Result<(), Error> {
        self.add_with(name, |path| fs::write(path, content).map_err(writing(path)))
    }

    /// Adds a file that `write` makes at the path it is given.
    ///
    /// # Errors
    /// What `write` returns, or when the file cannot be flushed.
    pub fn add_with(
        &mut self,
        name: &str,
        write: impl FnOnce(&Path) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let path = self.hidden.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(writing(parent))?;
        }
        write(&path)?;
        let (bytes, sha256) = flushed_and_hashed(&path).map_err(writing(&path))?;
        let name = name.to_owned();
        self.files.push(WrittenFile {
            name,
            bytes,
            sha256,
        });
        Ok(())
    }

    /// Renames everything into place, the manifest last, and returns what was written. Files that
    /// the manifest of an earlier run lists, that were not changed since and that are not of this
    /// run are taken away.
    ///
    /// # Errors
    /// When a file cannot be renamed or taken away. Then there is no manifest.
    pub fn commit(self) -> Result<Vec<WrittenFile>, Error> {
        let manifest = self.folder.join(MANIFEST);
        let stale = self.stale(&manifest);
        match fs::remove_file(&manifest) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(writing(&manifest)(error));
            }
            _ => flush_folder(&self.folder)?,
        }
        let (last, others): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| file.name == MANIFEST);
        for path in stale {
            fs::remove_file(&path).map_err(writing(&path))?;
        }
        for file in others.into_iter().chain(last) {
            self.place(&file.name)?;
        }
        Ok(self.files)
    }

    /// The files of the earlier run that this run does not write again.
    fn stale(&self, manifest: &Path) -> Vec<PathBuf> {
        let kept = |name: &str| self.files.iter().any(|file| file.name == name);
        let earlier = listed(manifest).into_iter();
        let stale = earlier.filter(|(name, _)| !kept(name) && is_inside(name));
        let stale = stale.map(|(name, sha256)| (self.folder.join(name), sha256));
        let unchanged = |(path, hash): &(PathBuf, String)| {
            fs::read(path).is_ok_and(|content| sha256(&content) == *hash)
        };
        stale.filter(unchanged).map(|(path, _)| path).collect()
    }

    fn place(&self, name: &str) -> Result<(), Error> {
        let to = self.folder.join(name);
        let parent = to.parent().unwrap_or(&self.folder);
        fs::create_dir_all(parent).map_err(writing(parent))?;
        fs::rename(self.hidden.path().join(name), &to).map_err(writing(&to))?;
        flush_folder(parent)
    }
}

/// Names and hashes in a manifest; none when there is no manifest that can be read.
fn listed(manifest: &Path) -> Vec<(String, String)> {
    let text = fs::read_to_string(manifest).unwrap_or_default();
    let json: Json = serde_json::from_str(&text).unwrap_or_default();
    let files = json["files"].as_array().cloned().unwrap_or_default();
    let entry = |file: &Json| {
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        Some((text("name")?, text("sha256")?))
    };
    files.iter().filter_map(entry).collect()
}

/// Whether a name leads to a file in the folder and nowhere else.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Writes one file, whole or not at all.
///
/// # Errors
/// When it cannot be written; then what was there before is still there.
pub fn write_whole(path: &Path, content: &[u8]) -> Result<(), Error> {
    let parent = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    let hidden = TempDir::with_prefix_in(".enfilade-", parent).map_err(writing(parent))?;
    let made = hidden.path().join("file");
    fs::write(&made, content).map_err(writing(path))?;
    flushed_and_hashed(&made).map_err(writing(path))?;
    fs::rename(&made, path).map_err(writing(path))?;
    flush_folder(parent)
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(content: &[u8]) -> String {
    hexadecimal(&Sha256::digest(content))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn flushed_and_hashed(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::options().read(true).write(true).open(path)?;
    let mut hash = Hashing(Sha256::new());
    let bytes = io::copy(&mut file, &mut hash)?;
    file.sync_all()?;
    Ok((bytes, hexadecimal(&hash.0.finalize())))
}

/// Everything written to it is hashed.
struct Hashing(Sha256);

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Makes renames in a folder last. Only Unix can open a folder to flush it; elsewhere the system
/// does it on its own.
fn flush_folder(folder: &Path) -> Result<(), Error> {
    if cfg!(unix) {
        let flushed = File::open(folder).and_then(|folder| folder.sync_all());
        flushed.map_err(writing(folder))?;
    }
    Ok(())
}

fn writing(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Io {
        what: "writing",
        path: path.to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("readable").file_name();
        let mut names: Vec<_> = entries
            .map(|entry| name(entry).to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_is_there_before_everything_is() {
        let outer = TempDir::new().expect("a temporary folder");
        let folder = outer.path().join("a").join("b");
        let mut staging = Staging::new(&folder).expect("the folder can be made");
        staging.add("cells.csv", b"1\n").expect("written");
        staging.add(MANIFEST, b"{}").expect("written");
        staging.add("charts/x.svg", b"<svg/>").expect("written");
        assert!(names(&folder).iter().all(|name| name.starts_with('.')));
        let files = staging.commit().expect("renamed");
        assert_eq!(names(&folder), ["cells.csv", "charts", "manifest.json"]);
        // SHA-256 of "1\n", from sha256sum.
        assert_eq!(files[0].bytes, 2);
        assert_eq!(
            files[0].sha256,
            "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865"
        );
    }

    #[test]
    fn an_abandoned_set_leaves_the_old_files_alone() {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(MANIFEST), "old").expect("written");
        let mut staging = Staging::new(folder.path()).expect("the folder is there");
        staging.add(MANIFEST, b"new").expect("written");
        let failed = staging.add_with("x", |_| Err(Error::Usage("no".into())));
        assert!(failed.is_err());
        drop(staging);
        assert_eq!(names(folder.path()), [MANIFEST]);
        let kept = fs::read_to_string(folder.path().join(MANIFEST)).expect("readable");
        assert_eq!(kept, "old");
    }

    #[test]
    fn a_failed_commit_leaves_no_manifest() {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(MANIFEST), "old").expect("written");
        // A folder in the place of a file: the rename fails.
        fs::create_dir_all(folder.path().join("cells.csv").join("full")).expect("made");
        let mut staging = Staging::new(folder.path()).expect("the folder is there");
        staging.add("cells.csv", b"1\n").expect("written");
        staging.add(MANIFEST, b"new").expect("written");
        assert!(staging.commit().is_err());
        assert_eq!(names(folder.path()), ["cells.csv"]);
    }

    #[test]
    fn what_only_the_earlier_run_wrote_is_taken_away() {
        let outer = TempDir::new().expect("a temporary folder");
        let folder = outer.path().join("run");
        fs::create_dir_all(folder.join("charts")).expect("made");
        let names_of = [
            "charts/9-bars.svg",
            "charts/changed.svg",
            "../outside",
            "cells.csv",
        ];
        for name in names_of {
            fs::write(folder.join(name), "old\n").expect("written");
        }
        fs::write(folder.join("mine.txt"), "old\n").expect("written");
        let hash = sha256(b"old\n");
        let files = names_of.map(|name| serde_json::json!({"name": name, "sha256": hash}));
        let manifest = serde_json::json!({ "files": files }).to_string();
        fs::write(folder.join(MANIFEST), manifest).expect("written");
        fs::write(folder.join("charts/changed.svg"), "mine").expect("written");
        let mut staging = Staging::new(&folder).expect("the folder is there");
        staging.add("cells.csv", b"new").expect("written");
        staging.add(MANIFEST, b"{}").expect("written");
        staging.commit().expect("renamed");
        assert_eq!(
            names(&folder),
            ["cells.csv", "charts", "manifest.json", "mine.txt"]
        );
        assert_eq!(names(&folder.join("charts")), ["changed.svg"]);
        assert_eq!(names(outer.path()), ["outside", "run"]);
    }

    #[test]
    fn a_broken_manifest_lists_nothing() {
        let folder = TempDir::new().expect("a temporary folder");
        let manifest = folder.path().join(MANIFEST);
        assert!(listed(&manifest).is_empty());
        for text in ["", "[1", "{\"files\": 7}", "{\"files\": [{\"name\": 3}]}"] {
            fs::write(&manifest, text).expect("written");
            assert!(listed(&manifest).is_empty());
        }
        for name in ["", "/etc/passwd", "../x", "a/../../x", "."] {
            assert!(!is_inside(name), "{name}");
        }
    }

    #[test]
    fn a_single_file_is_replaced_whole() {
        let folder = TempDir::new().expect("a temporary folder");
        let path = folder.path().join("card.html");
        write_whole(&path, b"old").expect("written");
        write_whole(&path, b"new").expect("written");
        assert_eq!(fs::read(&path).expect("readable"), b"new");
        assert_eq!(names(folder.path()), ["card.html"]);
        assert!(write_whole(&folder.path().join("no/such/folder"), b"x").is_err());
    }
}
