//! What the manifests in a folder say about its files.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path};

use serde_json::Value as Json;

use super::disk::hash_of;

/// Name of the file that says that the others are whole.
pub const MANIFEST: &str = "manifest.json";

/// The files that manifests list, with the hashes they had when they were written.
#[derive(Clone, Debug, Default)]
pub struct Listing(HashMap<String, Vec<String>>);

impl Listing {
    /// What the manifest at `path` lists; nothing when there is none that can be read.
    pub fn of(path: &Path) -> Listing {
        let mut listing = Listing::default();
        listing.add(&read(path).unwrap_or_default());
        listing
    }

    /// What both list.
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

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.0.keys().map(String::as_str).collect();
        names.sort_unstable();
        names
    }

    /// Whether the file called `name`, which is at `path`, is as one of the manifests lists it.
    pub fn holds(&self, name: &str, path: &Path) -> bool {
        let hash = || File::open(path).and_then(|mut file| hash_of(&mut file));
        let listed = self.0.get(name);
        listed.is_some_and(|hashes| hash().is_ok_and(|(_, hash)| hashes.contains(&hash)))
    }
}

/// A file as a manifest lists it.
pub(in crate::report) struct Listed {
    pub(in crate::report) name: String,
    pub(in crate::report) sha256: String,
}

/// The manifest at `path`, if it is one of ours.
pub(in crate::report) fn read(path: &Path) -> Option<Json> {
    let json: Json = serde_json::from_str(&fs::read_to_string(path).ok()?).ok()?;
    let ours = json["enfilade"].is_string() && json["files"].is_array();
    ours.then_some(json)
}

/// The files of a manifest that lead into its folder and nowhere else.
pub(in crate::report) fn files(manifest: &Json) -> Vec<Listed> {
    let files = manifest["files"].as_array().cloned().unwrap_or_default();
    let entry = |file: &Json| {
        let text = |key: &str| file[key].as_str().map(str::to_owned);
        let listed = Listed { name: text("name")?, sha256: text("sha256")? };
        is_inside(&listed.name).then_some(listed)
    };
    files.iter().filter_map(entry).collect()
}

/// What is wrong with the files that `manifest` lists, file by file, in the folder `folder`.
pub(in crate::report) fn faults(manifest: &Json, folder: &Path) -> Vec<String> {
    let check = |file: Listed| {
        let path = folder.join(&file.name);
        let name = file.name;
        match File::open(&path).and_then(|mut open| hash_of(&mut open)) {
            Ok((_, hash)) if hash == file.sha256 => None,
            Ok(_) => Some(format!("{name} was changed")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Some(format!("{name} is missing"))
            }
            Err(error) => Some(format!("{name} cannot be read: {error}")),
        }
    };
    files(manifest).into_iter().filter_map(check).collect()
}

/// Whether a name leads to a file in the folder and nowhere else.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

/// The manifest of the results in `folder`, if it is one of ours.
pub fn manifest(folder: &Path) -> Option<Json> {
    read(&folder.join(MANIFEST))
}

#[cfg(test)]
mod tests {
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
