//! File lists of the manifests in a folder.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Component, Path};

use serde_json::Value as Json;

use crate::folder::file_system::length_and_hash_of_rest;
use crate::folder::manifest_seal;
use enfilade_model::error::format_count;
use enfilade_model::plain_file::{self, FileReadRefusal, MAX_OWN_TEXT_BYTES};

/// The name of the file whose presence means that the others are complete.
pub const MANIFEST_FILE_NAME: &str = "manifest.json";

/// The hidden folder of a run in progress.
pub(crate) const STAGING_FOLDER_NAME: &str = ".enfilade";

/// The files that manifests list, with their hashes at the time of writing.
#[derive(Clone, Debug, Default)]
pub struct ListedFileHashes(HashMap<String, Vec<String>>);

impl ListedFileHashes {
    /// Reads the list of the manifest at `path`; empty if no manifest can be read.
    pub fn from_manifest_at_path(path: &Path) -> ListedFileHashes {
        let mut listing = ListedFileHashes::default();
        listing.add_files_of_manifest(&read_own_manifest_file(path).unwrap_or_default());
        listing
    }

    /// Merges two lists.
    pub fn merge_hashes(mut self, other: ListedFileHashes) -> ListedFileHashes {
        for (name, hashes) in other.0 {
            self.0.entry(name).or_default().extend(hashes);
        }
        self
    }

    fn add_files_of_manifest(&mut self, manifest: &Json) {
        for file in listed_files_inside_folder(manifest) {
            self.0.entry(file.name).or_default().push(file.sha256);
        }
    }

    /// Returns the names, in order.
    pub fn file_names_in_order(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Whether the file called `name`, which is at `path`, is unchanged since one of the manifests
    /// listed it.
    pub fn is_unchanged_file(&self, name: &str, path: &Path) -> bool {
        let hash = || {
            Ok::<_, FileReadRefusal>(length_and_hash_of_rest(&mut plain_file::open_plain_file(
                path,
            )?)?)
        };
        let listed = self.0.get(name);
        listed.is_some_and(|hashes| hash().is_ok_and(|(_, hash)| hashes.contains(&hash)))
    }
}

/// A file in the list of a manifest.
pub(crate) struct ListedFileEntry {
    pub(crate) name: String,
    pub(crate) sha256: String,
    bytes: Option<u64>,
}

/// Reads the manifest at `path`, if this program wrote it.
pub(crate) fn read_own_manifest_file(path: &Path) -> Option<Json> {
    parse_own_manifest(&plain_file::read_text_up_to(path, MAX_OWN_TEXT_BYTES).ok()?)
}

fn parse_own_manifest(text: &str) -> Option<Json> {
    let json: Json = serde_json::from_str(text).ok()?;
    let ours = json["enfilade"].is_string() && json["files"].is_array();
    ours.then_some(json)
}

/// The state of the manifest of a folder.
pub(crate) enum FolderManifestState {
    /// No manifest of this program.
    Nothing,
    /// A manifest, complete or damaged, with the faults in the manifest itself.
    Manifest(Json, Vec<String>),
}

/// Reads the manifest of the results in `folder` and compares it with its hash.
pub(crate) fn manifest_state_of_folder(folder: &Path) -> FolderManifestState {
    let read = plain_file::resolve_in_folder(folder, MANIFEST_FILE_NAME)
        .and_then(|path| plain_file::read_text_up_to(&path, MAX_OWN_TEXT_BYTES));
    let text = match read {
        Ok(text) => text,
        Err(FileReadRefusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            return FolderManifestState::Nothing;
        }
        Err(why) => {
            return FolderManifestState::Manifest(
                Json::Null,
                vec![format!("{MANIFEST_FILE_NAME} cannot be read: {why}")],
            );
        }
    };
    let changed = || vec![format!("{MANIFEST_FILE_NAME} was changed")];
    match parse_own_manifest(&text) {
        Some(manifest) if manifest_seal::is_manifest_intact(&text) => {
            FolderManifestState::Manifest(manifest, Vec::new())
        }
        Some(manifest) => FolderManifestState::Manifest(manifest, changed()),
        None if manifest_seal::looks_like_manifest(&text) => {
            FolderManifestState::Manifest(Json::Null, changed())
        }
        None => FolderManifestState::Nothing,
    }
}

/// Returns the files of a manifest whose paths stay inside its folder.
pub(crate) fn listed_files_inside_folder(manifest: &Json) -> Vec<ListedFileEntry> {
    let files = manifest["files"].as_array().cloned().unwrap_or_default();
    let entry = |file: &Json| {
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        let bytes = file["bytes"].as_u64();
        let listed = ListedFileEntry { name: text("name")?, sha256: text("sha256")?, bytes };
        is_path_inside_folder(&listed.name).then_some(listed)
    };
    files.iter().filter_map(entry).collect()
}

/// Finds faults in the list of a manifest: entries that name no file of its folder, or one twice.
fn find_invalid_entries(manifest: &Json) -> Vec<String> {
    let entries = manifest["files"].as_array().map_or(0, Vec::len);
    let names: Vec<String> =
        listed_files_inside_folder(manifest).into_iter().map(|file| file.name).collect();
    let strange = entries - names.len();
    let strange = (strange > 0).then(|| {
        format!(
            "{MANIFEST_FILE_NAME} lists {} outside the folder or without a hash",
            format_count(strange, "name")
        )
    });
    let mut names_so_far = HashSet::new();
    let twice = names.iter().filter(|name| !names_so_far.insert(*name));
    let twice: Vec<_> = twice.map(|name| format!("{name} is listed twice")).collect();
    strange.into_iter().chain(twice).collect()
}

/// Finds the files in `folder` and below that `manifest` does not list, by name; links and the
/// hidden folder of a run in progress are skipped.
pub(crate) fn find_unlisted_files(manifest: &Json, folder: &Path) -> Vec<String> {
    let listed_names: HashSet<String> =
        listed_files_inside_folder(manifest).into_iter().map(|file| file.name).collect();
    let mut unlisted_files = Vec::new();
    let mut inner = vec![String::new()];
    while let Some(prefix) = inner.pop() {
        let entries = std::fs::read_dir(folder.join(&prefix)).into_iter().flatten().flatten();
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true if name != STAGING_FOLDER_NAME => inner.push(name + "/"),
                false if name != MANIFEST_FILE_NAME && !listed_names.contains(&name) => {
                    unlisted_files.push(name)
                }
                _ => {}
            }
        }
    }
    unlisted_files.sort_unstable();
    unlisted_files
}

/// Finds the faults in the files that `manifest` lists, file by file, in the folder `folder`.
pub(crate) fn find_listed_file_faults(manifest: &Json, folder: &Path) -> Vec<String> {
    let check = |file: ListedFileEntry| {
        let name = file.name;
        let hash = || {
            let path = plain_file::resolve_in_folder(folder, &name)?;
            Ok(length_and_hash_of_rest(&mut plain_file::open_plain_file(&path)?)?)
        };
        match hash() {
            Ok((bytes, hash))
                if hash == file.sha256 && file.bytes.is_none_or(|known| known == bytes) =>
            {
                None
            }
            Ok(_) => Some(format!("{name} was changed")),
            Err(FileReadRefusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("{name} is missing"))
            }
            Err(why) => Some(format!("{name} cannot be read: {why}")),
        }
    };
    find_invalid_entries(manifest)
        .into_iter()
        .chain(listed_files_inside_folder(manifest).into_iter().filter_map(check))
        .collect()
}

/// Whether a name leads to a file inside the folder.
fn is_path_inside_folder(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Reads the manifest of the results in `folder`, if this program wrote it; its completeness is not
/// checked.
pub fn read_own_manifest(folder: &Path) -> Option<Json> {
    read_own_manifest_file(&folder.join(MANIFEST_FILE_NAME))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_broken_manifest_lists_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let manifest = folder.path().join(MANIFEST_FILE_NAME);
        assert!(
            ListedFileHashes::from_manifest_at_path(&manifest).file_names_in_order().is_empty()
        );
        let broken = ["", "[1", "{\"files\": 7}", "{\"files\": [{\"name\": 3}]}"];
        for text in broken {
            fs::write(&manifest, text).expect("written");
            assert!(
                ListedFileHashes::from_manifest_at_path(&manifest).file_names_in_order().is_empty()
            );
        }
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_not_listed() {
        for name in ["", "/etc/passwd", "../x", "a/../../x", "."] {
            assert!(!is_path_inside_folder(name), "{name}");
        }
        assert!(is_path_inside_folder("charts/1-heatmap.svg"));
    }
}
