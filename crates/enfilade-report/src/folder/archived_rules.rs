//! Copies of the rulebooks of a run, beside its results: `rules/bridgehead/bridgehead.rules`.
//!
//! With them the results can be read and reproduced from their folder alone.

use std::sync::Arc;

use serde::Serialize;
#[cfg(feature = "files")]
use serde_json::Value as Json;

#[cfg(feature = "files")]
use crate::error::ReportError;
#[cfg(feature = "files")]
use crate::{folder::manifest_listing, folder::staging::Staging};
use enfilade_model::catalogue::{SourceFile, System};

/// The key of a manifest for the rulebook files.
#[cfg(feature = "files")]
const RULEBOOK_FILES_KEY: &str = "rulebook_files";

/// Returns every file of these rulebooks.
fn iter_files(rulebooks: &[Arc<System>]) -> impl Iterator<Item = (&System, &SourceFile)> {
    let files = |system: &'_ Arc<System>| system.files.len();
    let places =
        rulebooks.iter().flat_map(move |system| (0..files(system)).map(move |i| (system, i)));
    places.map(|(system, i)| (&**system, &system.files[i]))
}

/// Returns the place of the copy of a rulebook file.
fn archive_place(system: &System, file: &SourceFile) -> String {
    format!("{}/{}", system.archive_folder(), file.name.replace('\\', "/"))
}

/// Returns the names of the copies, and of the files that a command writes beside them.
pub fn with_file_names(written: &[&str], rulebooks: &[Arc<System>]) -> Vec<String> {
    let kept = iter_files(rulebooks).map(|(system, file)| archive_place(system, file));
    kept.chain(written.iter().map(|&name| name.to_owned())).collect()
}

/// Adds the copies.
///
/// # Errors
/// When a file cannot be written.
#[cfg(feature = "files")]
pub fn archive_files(
    staging: &mut Staging<'_>,
    rulebooks: &[Arc<System>],
) -> Result<(), ReportError> {
    let mut files = iter_files(rulebooks);
    files.try_for_each(|(system, file)| {
        staging.add_file(&archive_place(system, file), file.text.as_bytes())
    })
}

/// Describes each file in a line: `bridgehead.rules, SHA-256 …, kept in
/// rules/bridgehead/bridgehead.rules`.
pub(crate) fn describe_files(rulebooks: &[Arc<System>]) -> Vec<String> {
    let line = |(system, file): (&System, &SourceFile)| {
        let (name, hash, kept) = (&file.name, &file.sha256, archive_place(system, file));
        format!("{name}, SHA-256 {hash}, kept in {kept}")
    };
    iter_files(rulebooks).map(line).collect()
}

/// A file of a rulebook in manifests and identities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RulebookFile {
    system: String,
    name: String,
    sha256: String,
    /// The place of its copy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<String>,
}

/// Lists the files, each with the place of its copy.
pub(crate) fn archive_entries(rulebooks: &[Arc<System>]) -> Vec<RulebookFile> {
    iter_files(rulebooks)
        .map(|(system, file)| build_entry(system, file, Some(archive_place(system, file))))
        .collect()
}

/// Lists the files without copies.
#[cfg(feature = "files")]
pub(crate) fn file_entries(rulebooks: &[Arc<System>]) -> Vec<RulebookFile> {
    iter_files(rulebooks).map(|(system, file)| build_entry(system, file, None)).collect()
}

fn build_entry(system: &System, file: &SourceFile, kept: Option<String>) -> RulebookFile {
    let (system, name) = (system.id.to_string(), file.name.to_string());
    RulebookFile { system, name, sha256: file.sha256.to_string(), kept }
}

/// Finds the rulebook files that are listed in `manifest` and whose copies are missing or changed.
#[cfg(feature = "files")]
pub(crate) fn find_faults(manifest: &Json) -> Vec<String> {
    let kept = manifest_listing::list_files(manifest);
    let read = manifest[RULEBOOK_FILES_KEY].as_array().cloned().unwrap_or_default();
    let fault = |file: &Json| {
        let there = kept.iter().any(|kept| {
            file["kept"] == kept.name.as_str() && file["sha256"] == kept.sha256.as_str()
        });
        let name = file["name"].as_str().unwrap_or_default();
        (!there).then(|| format!("the copy of {name} is missing or changed"))
    };
    read.iter().filter_map(fault).collect()
}
