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
const RULEBOOKS_MANIFEST_KEY: &str = "rulebook_files";

/// Returns every file of these rulebooks.
fn iterate_rulebook_files(
    rulebooks: &[Arc<System>],
) -> impl Iterator<Item = (&System, &SourceFile)> {
    let files = |system: &'_ Arc<System>| system.files.len();
    let places =
        rulebooks.iter().flat_map(move |system| (0..files(system)).map(move |i| (system, i)));
    places.map(|(system, i)| (&**system, &system.files[i]))
}

/// Returns the place of the copy of a rulebook file.
fn place_of_archived_file(system: &System, file: &SourceFile) -> String {
    format!("{}/{}", system.rules_folder_within_result(), file.name.replace('\\', "/"))
}

/// Returns the names of the copies, and of the files that a command writes beside them.
pub fn copy_and_written_file_names(written: &[&str], rulebooks: &[Arc<System>]) -> Vec<String> {
    let archived_names = iterate_rulebook_files(rulebooks)
        .map(|(system, file)| place_of_archived_file(system, file));
    archived_names.chain(written.iter().map(|&name| name.to_owned())).collect()
}

/// Adds the copies.
///
/// # Errors
/// When a file cannot be written.
#[cfg(feature = "files")]
pub fn add_rulebook_copies(
    staging: &mut Staging<'_>,
    rulebooks: &[Arc<System>],
) -> Result<(), ReportError> {
    let mut files = iterate_rulebook_files(rulebooks);
    files.try_for_each(|(system, file)| {
        staging.add_file(&place_of_archived_file(system, file), file.text.as_bytes())
    })
}

/// Describes each file in a line: `bridgehead.rules, SHA-256 …, kept in
/// rules/bridgehead/bridgehead.rules`.
pub(crate) fn archived_file_lines(rulebooks: &[Arc<System>]) -> Vec<String> {
    let line = |(system, file): (&System, &SourceFile)| {
        let (name, hash, archived_name) =
            (&file.name, &file.sha256, place_of_archived_file(system, file));
        format!("{name}, SHA-256 {hash}, kept in {archived_name}")
    };
    iterate_rulebook_files(rulebooks).map(line).collect()
}

/// A file of a rulebook in manifests and identities.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct RulebookFileManifestEntry {
    system: String,
    name: String,
    sha256: String,
    /// The place of its copy, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<String>,
}

/// Lists the files, each with the place of its copy.
pub(crate) fn entries_with_copy_places(
    rulebooks: &[Arc<System>],
) -> Vec<RulebookFileManifestEntry> {
    iterate_rulebook_files(rulebooks)
        .map(|(system, file)| {
            rulebook_file_entry(system, file, Some(place_of_archived_file(system, file)))
        })
        .collect()
}

/// Lists the files without copies.
#[cfg(feature = "files")]
pub(crate) fn entries_without_copy_places(
    rulebooks: &[Arc<System>],
) -> Vec<RulebookFileManifestEntry> {
    iterate_rulebook_files(rulebooks)
        .map(|(system, file)| rulebook_file_entry(system, file, None))
        .collect()
}

fn rulebook_file_entry(
    system: &System,
    file: &SourceFile,
    copy: Option<String>,
) -> RulebookFileManifestEntry {
    let (system, name) = (system.id.to_string(), file.name.to_string());
    RulebookFileManifestEntry { system, name, sha256: file.sha256.to_string(), kept: copy }
}

/// Finds the rulebook files that are listed in `manifest` and whose copies are missing or changed.
#[cfg(feature = "files")]
pub(crate) fn find_unlisted_rulebook_copies(manifest: &Json) -> Vec<String> {
    let listed = manifest_listing::listed_files_inside_folder(manifest);
    let read = manifest[RULEBOOKS_MANIFEST_KEY].as_array().cloned().unwrap_or_default();
    let fault = |file: &Json| {
        let there = listed.iter().any(|kept| {
            file["kept"] == kept.name.as_str() && file["sha256"] == kept.sha256.as_str()
        });
        let name = file["name"].as_str().unwrap_or_default();
        (!there).then(|| format!("the copy of {name} is missing or changed"))
    };
    read.iter().filter_map(fault).collect()
}
