//! Staging of a folder of results, which is never incomplete and never replaces files of another
//! origin.
//!
//! A command [claims](FolderClaim) its folder before it works. Files are written in a hidden folder
//! inside, flushed to the disk and hashed. Only when all of them are complete are they renamed into
//! place, the manifest last: a folder with a manifest is complete. The manifest of an earlier run
//! is set aside before the first rename, and the files that only this earlier manifest lists are
//! removed, so that no obsolete chart remains among the new ones. Until the new manifest is in
//! place both manifests stay in the hidden folder, so that after a killed run the next one still
//! recognizes its files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Serialize;

use crate::error::ReportError;
pub use crate::folder::written_file::{WrittenFile, hash_sha256};
use enfilade_model::plain_file;

#[cfg(feature = "parquet")]
pub(crate) use crate::folder::file_system::length_and_hash_of_rest;
use crate::folder::file_system::{flush_and_hash, map_create_error, remove_if_present};
pub(crate) use crate::folder::file_system::{flush_folder_to_disk, map_write_error};
pub(crate) use crate::folder::folder_claim::is_chart_file_name;
pub use crate::folder::folder_claim::{FolderClaim, FolderClaimOptions};
pub use crate::folder::manifest_listing::MANIFEST_FILE_NAME;
pub use crate::folder::single_file::AtomicOutputFile;

/// Files in progress for a folder.
#[derive(Debug)]
pub struct Staging<'a> {
    claim: &'a FolderClaim,
    files: Vec<WrittenFile>,
}

impl<'a> Staging<'a> {
    /// Starts a set of files for the claimed folder.
    pub fn new(claim: &'a FolderClaim) -> Staging<'a> {
        let files = Vec::new();
        Staging { claim, files }
    }

    /// Returns the files so far.
    pub fn staged_files(&self) -> &[WrittenFile] {
        &self.files
    }

    /// Adds a file with this content.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn add_file(&mut self, name: &str, content: &[u8]) -> Result<(), ReportError> {
        self.add_file_created_at_path(name, |path| {
            Ok(fs::write(path, content).map_err(map_write_error(path))?)
        })
    }

    /// Adds a file that `write` creates at the path it receives.
    ///
    /// # Errors
    /// The error of `write`, or when the file cannot be flushed.
    pub fn add_file_created_at_path(
        &mut self,
        name: &str,
        write: impl FnOnce(&Path) -> Result<(), ReportError>,
    ) -> Result<(), ReportError> {
        write(&self.begin_file_and_return_path(name)?)?;
        self.end_staged_file(name)
    }

    /// Returns the path for a file that is written step by step, until it is
    /// [ended](Staging::end_staged_file).
    ///
    /// # Errors
    /// When its folder cannot be created.
    pub fn begin_file_and_return_path(&self, name: &str) -> Result<PathBuf, ReportError> {
        let path = self.claim.path_in_staging(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(map_create_error(parent))?;
        }
        Ok(path)
    }

    /// Adds the file that was [begun](Staging::begin_file_and_return_path) under this name.
    ///
    /// # Errors
    /// When the file cannot be flushed.
    pub fn end_staged_file(&mut self, name: &str) -> Result<(), ReportError> {
        let path = self.claim.path_in_staging(name);
        let (bytes, sha256) = flush_and_hash(&path).map_err(map_write_error(&path))?;
        let name = name.to_owned();
        self.files.push(WrittenFile { name, bytes, sha256 });
        Ok(())
    }

    /// Returns the destination folder.
    pub fn destination_folder(&self) -> &Path {
        self.claim.folder()
    }

    /// Adds the sealed manifest and [moves](Staging::move_all_and_remove_outdated) everything into place.
    /// The manifest is the last file, because it contains the hashes of the others.
    ///
    /// # Errors
    /// As for [`move_all_and_remove_outdated`](Staging::move_all_and_remove_outdated), and when the manifest cannot
    /// be written.
    pub fn seal_manifest_and_commit(
        mut self,
        manifest: &impl Serialize,
    ) -> Result<Vec<WrittenFile>, ReportError> {
        self.add_file(
            MANIFEST_FILE_NAME,
            crate::folder::manifest_seal::manifest_text_with_seal(manifest).as_bytes(),
        )?;
        self.move_all_and_remove_outdated()
    }

    /// Renames everything into place, the manifest last, and returns the written files. Files that
    /// the manifest of an earlier run lists, that were not changed since and that this run does not
    /// write are removed.
    ///
    /// # Errors
    /// When a file may not be replaced, and when one cannot be renamed or removed. In the second
    /// case there is no manifest.
    pub fn move_all_and_remove_outdated(self) -> Result<Vec<WrittenFile>, ReportError> {
        let names: Vec<_> = self.files.iter().map(|file| file.name.clone()).collect();
        // Checked again, because files may have appeared since the folder was claimed.
        self.claim.check_files_may_be_replaced(&names)?;
        self.set_manifests_aside()?;
        for path in self.outdated_files_to_remove() {
            fs::remove_file(&path).map_err(map_write_error(&path))?;
        }
        let (last, others): (Vec<_>, Vec<_>) =
            names.iter().partition(|name| *name == MANIFEST_FILE_NAME);
        others.into_iter().chain(last).try_for_each(|name| self.move_file_into_place(name))?;
        for path in [self.claim.next_manifest_path(), self.claim.set_aside_manifest_path()] {
            remove_if_present(&path)?;
        }
        Ok(self.files)
    }

    /// Sets the manifests aside: from here on the folder has none, but the old and the next list
    /// are in the staging folder.
    fn set_manifests_aside(&self) -> Result<(), ReportError> {
        let (staged, next) =
            (self.claim.path_in_staging(MANIFEST_FILE_NAME), self.claim.next_manifest_path());
        if staged.exists() {
            fs::copy(&staged, &next).map_err(map_write_error(&next))?;
            flush_and_hash(&next).map_err(map_write_error(&next))?;
        }
        let (manifest, previous) =
            (self.claim.folder().join(MANIFEST_FILE_NAME), self.claim.set_aside_manifest_path());
        match fs::rename(&manifest, &previous) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(map_write_error(&manifest)(error).into())
            }
            _ => flush_folder_to_disk(self.claim.folder()),
        }
    }

    /// Returns the files of earlier runs that this run does not write.
    fn outdated_files_to_remove(&self) -> Vec<PathBuf> {
        let owned = self.claim.files_of_earlier_runs();
        let is_staged = |name: &str| self.files.iter().any(|file| file.name == name);
        let names = owned.file_names_in_order().into_iter().filter(|name| !is_staged(name));
        let path = |name| plain_file::resolve_in_folder(self.claim.folder(), name).ok();
        let paths = names.filter_map(|name| Some((name, path(name)?)));
        let unchanged = paths.filter(|(name, path)| owned.is_unchanged_file(name, path));
        unchanged.map(|(_, path)| path).collect()
    }

    fn move_file_into_place(&self, name: &str) -> Result<(), ReportError> {
        let to = self.claim.folder().join(name);
        let parent = to.parent().unwrap_or(self.claim.folder());
        fs::create_dir_all(parent).map_err(map_create_error(parent))?;
        fs::rename(self.claim.path_in_staging(name), &to).map_err(map_write_error(&to))?;
        flush_folder_to_disk(parent)
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("the folder is there");
        let name = |entry: io::Result<fs::DirEntry>| entry.expect("readable").file_name();
        let mut names: Vec<_> =
            entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn claim(folder: &Path) -> FolderClaim {
        FolderClaim::new(folder, FolderClaimOptions::default()).expect("nothing is in the way")
    }

    #[test]
    fn nothing_is_there_before_everything_is() {
        let outer = TempDir::new().expect("a temporary folder");
        let folder = outer.path().join("a").join("b");
        let claim = claim(&folder);
        let mut staging = Staging::new(&claim);
        staging.add_file("cells.csv", b"1\n").expect("written");
        staging.add_file(MANIFEST_FILE_NAME, b"{}").expect("written");
        staging.add_file("charts/x.svg", b"<svg/>").expect("written");
        assert!(names(&folder).iter().all(|name| name.starts_with('.')));
        let files = staging.move_all_and_remove_outdated().expect("renamed");
        drop(claim);
        assert_eq!(names(&folder), ["cells.csv", "charts", "manifest.json"]);
        // SHA-256 of "1\n", from sha256sum.
        assert_eq!(files[0].bytes, 2);
        assert_eq!(
            files[0].sha256,
            "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865"
        );
    }

    /// A manifest that lists these files, all with the content `old`.
    fn listing(names: &[&str]) -> String {
        let hash = hash_sha256(b"old\n");
        let file = |name: &&str| serde_json::json!({"name": name, "sha256": hash});
        let files: Vec<_> = names.iter().map(file).collect();
        serde_json::json!({ "enfilade": "0", "files": files }).to_string()
    }

    #[test]
    fn an_abandoned_set_leaves_the_old_files_alone() {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(MANIFEST_FILE_NAME), listing(&[])).expect("written");
        let claim = claim(folder.path());
        let mut staging = Staging::new(&claim);
        staging.add_file(MANIFEST_FILE_NAME, b"new").expect("written");
        let failed =
            staging.add_file_created_at_path("x", |_| Err(ReportError::Invalid("no".into())));
        assert!(failed.is_err());
        drop(claim);
        assert_eq!(names(folder.path()), [MANIFEST_FILE_NAME]);
        let kept = fs::read_to_string(folder.path().join(MANIFEST_FILE_NAME)).expect("readable");
        assert_eq!(kept, listing(&[]));
    }

    #[test]
    fn a_file_of_somebody_else_is_seen_before_anything_is_renamed() {
        let folder = TempDir::new().expect("a temporary folder");
        fs::write(folder.path().join(MANIFEST_FILE_NAME), listing(&[])).expect("written");
        fs::write(folder.path().join("cells.csv"), "mine").expect("written");
        let claim = claim(folder.path());
        let mut staging = Staging::new(&claim);
        staging.add_file("cells.csv", b"1\n").expect("written");
        staging.add_file(MANIFEST_FILE_NAME, b"new").expect("written");
        let refusal =
            staging.move_all_and_remove_outdated().expect_err("it is not ours").to_string();
        assert!(refusal.contains("cells.csv was not written by enfilade"), "{refusal}");
        drop(claim);
        assert_eq!(names(folder.path()), ["cells.csv", MANIFEST_FILE_NAME]);
    }

    /// Killed between the manifests: the next run still recognizes the files of the earlier run,
    /// and removes those that it does not write.
    #[test]
    fn what_a_killed_run_replaced_is_still_known() {
        let folder = TempDir::new().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("charts")).expect("made");
        let old = ["charts/9-bars.svg", "cells.csv"];
        for name in old {
            fs::write(path(name), "old\n").expect("written");
        }
        fs::write(path(MANIFEST_FILE_NAME), listing(&old)).expect("written");
        let killed = claim(folder.path());
        let mut staging = Staging::new(&killed);
        staging.add_file("charts/1-bars.svg", b"new").expect("written");
        let next =
            listing(&["charts/1-bars.svg"]).replace(&hash_sha256(b"old\n"), &hash_sha256(b"new"));
        staging.add_file(MANIFEST_FILE_NAME, next.as_bytes()).expect("written");
        staging.set_manifests_aside().expect("renamed");
        staging.move_file_into_place("charts/1-bars.svg").expect("renamed");
        drop(staging);
        drop(killed);
        assert!(!path(MANIFEST_FILE_NAME).exists());
        let again = claim(folder.path());
        let mut staging = Staging::new(&again);
        staging.add_file("cells.csv", b"2\n").expect("written");
        staging.add_file(MANIFEST_FILE_NAME, listing(&[]).as_bytes()).expect("written");
        staging.move_all_and_remove_outdated().expect("all of them are ours");
        drop(again);
        assert_eq!(names(folder.path()), ["cells.csv", "charts", MANIFEST_FILE_NAME]);
        assert!(names(&path("charts")).is_empty());
    }

    #[test]
    fn what_only_the_earlier_run_wrote_is_taken_away() {
        let outer = TempDir::new().expect("a temporary folder");
        let folder = outer.path().join("run");
        fs::create_dir_all(folder.join("charts")).expect("made");
        let names_of = ["charts/9-bars.svg", "charts/changed.svg", "../outside", "cells.csv"];
        for name in names_of {
            fs::write(folder.join(name), "old\n").expect("written");
        }
        fs::write(folder.join("mine.txt"), "old\n").expect("written");
        fs::write(folder.join(MANIFEST_FILE_NAME), listing(&names_of)).expect("written");
        fs::write(folder.join("charts/changed.svg"), "mine").expect("written");
        let claim = claim(&folder);
        let mut staging = Staging::new(&claim);
        staging.add_file("cells.csv", b"new").expect("written");
        staging.add_file(MANIFEST_FILE_NAME, b"{}").expect("written");
        staging.move_all_and_remove_outdated().expect("renamed");
        drop(claim);
        assert_eq!(names(&folder), ["cells.csv", "charts", "manifest.json", "mine.txt"]);
        assert_eq!(names(&folder.join("charts")), ["changed.svg"]);
        assert_eq!(names(outer.path()), ["outside", "run"]);
    }
}
