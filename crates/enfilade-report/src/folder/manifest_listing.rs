//! File lists of the manifests in a folder.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Component, Path};

use serde_json::Value as Json;

use crate::folder::disk::hash_of;
use crate::folder::seal;
use enfilade_model::error::counted;
use enfilade_model::plain_file::{self, LISTED, Refusal};

/// The name of the file whose presence means that the others are complete.
pub const MANIFEST: &str = "manifest.json";

/// The hidden folder of a run in progress.
pub(crate) const WORKSHOP: &str = ".enfilade";

/// The files that manifests list, with their hashes at the time of writing.
#[derive(Clone, Debug, Default)]
pub struct Listing(HashMap<String, Vec<String>>);

impl Listing {
    /// Reads the list of the manifest at `path`; empty if no manifest can be read.
    pub fn of(path: &Path) -> Listing {
        let mut listing = Listing::default();
        listing.add(&read(path).unwrap_or_default());
        listing
    }

    /// Merges two lists.
    pub fn with(mut self, other: Listing) -> Listing {
        for (name, hashes) in other.0 {
            self.0.entry(name).or_default().extend(hashes);
        }
        self
    }

    fn add(&mut self, manifest: &Json) {
        for file in files(manifest) {
            self.0.entry(file.name).or_default().push(file.sha256);
        }
    }

    /// Returns the names, in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Whether the file called `name`, which is at `path`, is unchanged since one of the manifests
    /// listed it.
    pub fn holds(&self, name: &str, path: &Path) -> bool {
        let hash = || Ok::<_, Refusal>(hash_of(&mut plain_file::open(path)?)?);
        let listed = self.0.get(name);
        listed.is_some_and(|hashes| hash().is_ok_and(|(_, hash)| hashes.contains(&hash)))
    }
}

/// A file in the list of a manifest.
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) sha256: String,
    bytes: Option<u64>,
}

/// Reads the manifest at `path`, if this program wrote it.
pub(crate) fn read(path: &Path) -> Option<Json> {
    parsed(&plain_file::read_text(path, LISTED).ok()?)
}

fn parsed(text: &str) -> Option<Json> {
    let json: Json = serde_json::from_str(text).ok()?;
    let ours = json["enfilade"].is_string() && json["files"].is_array();
    ours.then_some(json)
}

/// The state of the manifest of a folder.
pub(crate) enum Found {
    /// No manifest of this program.
    Nothing,
    /// A manifest, complete or damaged, with the faults in the manifest itself.
    Manifest(Json, Vec<String>),
}

/// Reads the manifest of the results in `folder` and compares it with its hash.
pub(crate) fn found(folder: &Path) -> Found {
    let read =
        plain_file::below(folder, MANIFEST).and_then(|path| plain_file::read_text(&path, LISTED));
    let text = match read {
        Ok(text) => text,
        Err(Refusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            return Found::Nothing;
        }
        Err(why) => {
            return Found::Manifest(Json::Null, vec![format!("{MANIFEST} cannot be read: {why}")]);
        }
    };
    let changed = || vec![format!("{MANIFEST} was changed")];
    match parsed(&text) {
        Some(manifest) if seal::is_whole(&text) => Found::Manifest(manifest, Vec::new()),
        Some(manifest) => Found::Manifest(manifest, changed()),
        None if seal::is_meant(&text) => Found::Manifest(Json::Null, changed()),
        None => Found::Nothing,
    }
}

/// Returns the files of a manifest whose paths stay inside its folder.
pub(crate) fn files(manifest: &Json) -> Vec<Listed> {
    let files = manifest["files"].as_array().cloned().unwrap_or_default();
    let entry = |file: &Json| {
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        let bytes = file["bytes"].as_u64();
        let listed = Listed { name: text("name")?, sha256: text("sha256")?, bytes };
        is_inside(&listed.name).then_some(listed)
    };
    files.iter().filter_map(entry).collect()
}

/// Finds faults in the list of a manifest: entries that name no file of its folder, or one twice.
fn odd(manifest: &Json) -> Vec<String> {
    let entries = manifest["files"].as_array().map_or(0, Vec::len);
    let names: Vec<String> = files(manifest).into_iter().map(|file| file.name).collect();
    let strange = entries - names.len();
    let strange = (strange > 0).then(|| {
        format!(
            "{MANIFEST} lists {} outside the folder or without a hash",
            counted(strange, "name")
        )
    });
    let mut seen = HashSet::new();
    let twice = names.iter().filter(|name| !seen.insert(*name));
    let twice: Vec<_> = twice.map(|name| format!("{name} is listed twice")).collect();
    strange.into_iter().chain(twice).collect()
}

/// Finds the files in `folder` and below that `manifest` does not list, by name; links and the
/// hidden folder of a run in progress are skipped.
pub(crate) fn unlisted(manifest: &Json, folder: &Path) -> Vec<String> {
    let known: HashSet<String> = files(manifest).into_iter().map(|file| file.name).collect();
    let mut found = Vec::new();
    let mut inner = vec![String::new()];
    while let Some(prefix) = inner.pop() {
        let entries = std::fs::read_dir(folder.join(&prefix)).into_iter().flatten().flatten();
        for entry in entries {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            match entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                true if name != WORKSHOP => inner.push(name + "/"),
                false if name != MANIFEST && !known.contains(&name) => found.push(name),
                _ => {}
            }
        }
    }
    found.sort_unstable();
    found
}

/// Finds the faults in the files that `manifest` lists, file by file, in the folder `folder`.
pub(crate) fn faults(manifest: &Json, folder: &Path) -> Vec<String> {
    let check = |file: Listed| {
        let name = file.name;
        let hash = || {
            let path = plain_file::below(folder, &name)?;
            Ok(hash_of(&mut plain_file::open(&path)?)?)
        };
        match hash() {
            Ok((bytes, hash))
                if hash == file.sha256 && file.bytes.is_none_or(|known| known == bytes) =>
            {
                None
            }
            Ok(_) => Some(format!("{name} was changed")),
            Err(Refusal::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("{name} is missing"))
            }
            Err(why) => Some(format!("{name} cannot be read: {why}")),
        }
    };
    odd(manifest).into_iter().chain(files(manifest).into_iter().filter_map(check)).collect()
}

/// Whether a name leads to a file inside the folder.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// Reads the manifest of the results in `folder`, if this program wrote it; its completeness is not
/// checked.
pub fn manifest(folder: &Path) -> Option<Json> {
    read(&folder.join(MANIFEST))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_broken_manifest_lists_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let manifest = folder.path().join(MANIFEST);
        assert!(Listing::of(&manifest).names().is_empty());
        let broken = ["", "[1", "{\"files\": 7}", "{\"files\": [{\"name\": 3}]}"];
        for text in broken {
            fs::write(&manifest, text).expect("written");
            assert!(Listing::of(&manifest).names().is_empty());
        }
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_not_listed() {
        for name in ["", "/etc/passwd", "../x", "a/../../x", "."] {
            assert!(!is_inside(name), "{name}");
        }
        assert!(is_inside("charts/1-heatmap.svg"));
    }
}
