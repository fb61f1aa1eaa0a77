//! The rulebooks of a run, kept beside its results: `rules/bridgehead/bridgehead.rules`.
//!
//! So results can be read, and made again, by whoever has nothing but their folder.

use std::sync::Arc;

use serde::Serialize;
#[cfg(feature = "files")]
use serde_json::Value as Json;

#[cfg(feature = "files")]
use crate::{folder::manifest_listing, folder::staging::Staging};
use enfilade_model::catalogue::{SourceFile, System};
#[cfg(feature = "files")]
use enfilade_model::error::Error;

/// The key of a manifest under which they stand.
#[cfg(feature = "files")]
const KEY: &str = "rulebook_files";

/// Every file of these rulebooks.
fn each(rulebooks: &[Arc<System>]) -> impl Iterator<Item = (&System, &SourceFile)> {
    let files = |system: &'_ Arc<System>| system.files.len();
    let places =
        rulebooks.iter().flat_map(move |system| (0..files(system)).map(move |i| (system, i)));
    places.map(|(system, i)| (&**system, &system.files[i]))
}

/// Where a file of a rulebook is kept.
fn place(system: &System, file: &SourceFile) -> String {
    format!("{}/{}", system.shelf(), file.name.replace('\\', "/"))
}

/// The names of the files that are kept, and of those a command writes beside them.
pub fn and(written: &[&str], rulebooks: &[Arc<System>]) -> Vec<String> {
    let kept = each(rulebooks).map(|(system, file)| place(system, file));
    kept.chain(written.iter().map(|&name| name.to_owned())).collect()
}

/// Adds the files.
///
/// # Errors
/// When one cannot be written.
#[cfg(feature = "files")]
pub fn add(staging: &mut Staging<'_>, rulebooks: &[Arc<System>]) -> Result<(), Error> {
    let mut files = each(rulebooks);
    files.try_for_each(|(system, file)| staging.add(&place(system, file), file.text.as_bytes()))
}

/// Each file in a line: `bridgehead.rules, SHA-256 …, kept in rules/bridgehead/bridgehead.rules`.
pub(crate) fn told(rulebooks: &[Arc<System>]) -> Vec<String> {
    let line = |(system, file): (&System, &SourceFile)| {
        let (name, hash, kept) = (&file.name, &file.sha256, place(system, file));
        format!("{name}, SHA-256 {hash}, kept in {kept}")
    };
    each(rulebooks).map(line).collect()
}

/// A file of a rulebook as manifests and identities have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RulebookFile {
    system: String,
    name: String,
    sha256: String,
    /// The place of its copy, if one is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<String>,
}

/// The files, each with the place of its copy.
pub(crate) fn listed(rulebooks: &[Arc<System>]) -> Vec<RulebookFile> {
    each(rulebooks).map(|(system, file)| entry(system, file, Some(place(system, file)))).collect()
}

/// The files where they are not kept.
#[cfg(feature = "files")]
pub(crate) fn read(rulebooks: &[Arc<System>]) -> Vec<RulebookFile> {
    each(rulebooks).map(|(system, file)| entry(system, file, None)).collect()
}

fn entry(system: &System, file: &SourceFile, kept: Option<String>) -> RulebookFile {
    let (system, name) = (system.id.to_string(), file.name.to_string());
    RulebookFile { system, name, sha256: file.sha256.to_string(), kept }
}

/// The files of rulebooks that `manifest` says were read and does not keep as they were.
#[cfg(feature = "files")]
pub(crate) fn faults(manifest: &Json) -> Vec<String> {
    let kept = manifest_listing::files(manifest);
    let read = manifest[KEY].as_array().cloned().unwrap_or_default();
    let fault = |file: &Json| {
        let there = kept.iter().any(|kept| {
            file["kept"] == kept.name.as_str() && file["sha256"] == kept.sha256.as_str()
        });
        let name = file["name"].as_str().unwrap_or_default();
        (!there).then(|| format!("{name} is not kept as it was read"))
    };
    read.iter().filter_map(fault).collect()
}
