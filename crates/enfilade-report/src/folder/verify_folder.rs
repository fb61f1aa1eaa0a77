//! Verification of a folder of results: whether its files are unchanged.

use std::path::Path;

use serde_json::Value as Json;

use crate::error::{FolderDamaged, ReportError};
use crate::folder::archived_rules;
use crate::folder::manifest_listing;
#[cfg(feature = "parquet")]
use crate::folder::manifest_sums;
use crate::folder::staging::{MANIFEST_FILE_NAME, is_chart_file_name};
#[cfg(feature = "parquet")]
use crate::tables::{CONSTANTS_TABLE_NAME, TypedTable};
use enfilade_model::plain_file::{self, MAX_OWN_TABLE_BYTES};

/// The result of a successful verification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderVerification {
    /// Files whose hash is unchanged.
    pub files: usize,
    /// Tables that were read back, with their rows.
    pub tables: Vec<(String, usize)>,
    /// Cells of the run, and the number of answered ones; only for a run.
    pub cells: Option<(u64, u64)>,
    /// Other files, which no manifest lists.
    pub others: Vec<String>,
}

/// Verifies the folder: the manifest against its own hash, every file against the manifest, and the
/// tables: a Parquet file must equal the CSV file beside it, a run must have a row for every
/// answered cell, and seed, trials and agreement in the tables must be those in the manifest. A
/// file with a name that this program uses must be listed.
///
/// # Errors
/// [`ReportError::Invalid`] without a manifest of this program; [`ReportError::Damaged`] with all
/// faults.
pub fn verify_result_folder(folder: &Path) -> Result<FolderVerification, ReportError> {
    let manifest_listing::FolderManifestState::Manifest(manifest, mut faults) =
        manifest_listing::manifest_state_of_folder(folder)
    else {
        let problem = format!("{} has no {MANIFEST_FILE_NAME} of enfilade", folder.display());
        return Err(ReportError::Invalid(problem + ": there are no whole results in it"));
    };
    faults.extend(manifest_listing::find_listed_file_faults(&manifest, folder));
    faults.extend(archived_rules::find_unlisted_rulebook_copies(&manifest));
    faults.extend(find_identity_differences(&manifest));
    let (ours, others): (Vec<_>, Vec<_>) = manifest_listing::find_unlisted_files(&manifest, folder)
        .into_iter()
        .partition(|name| is_own_file_name(name));
    if manifest.is_object() {
        faults.extend(ours.iter().map(|name| format!("{name} is there and not listed")));
    }
    let names: Vec<_> = manifest_listing::listed_files_inside_folder(&manifest)
        .into_iter()
        .map(|file| file.name)
        .collect();
    let mut tables = Vec::new();
    // Changed files need not be read.
    if faults.is_empty() {
        for name in names.iter().filter_map(|name| name.strip_suffix(".parquet")) {
            match count_verified_rows(&manifest, folder, name) {
                Ok(rows) => tables.push((name.to_owned(), rows)),
                Err(fault) => faults.push(fault),
            }
        }
        faults.extend(check_cell_row_count(&manifest, &tables));
    }
    if !faults.is_empty() {
        let folder = folder.to_owned();
        return Err(FolderDamaged { folder, faults }.into());
    }
    let number = |key: &str| manifest[key].as_u64();
    let cells = number("cells").zip(number("answered"));
    Ok(FolderVerification { files: names.len(), tables, cells, others })
}

/// The files that commands write, beside the journal, which is no result.
const OWN_FILE_NAMES: [&str; 18] = [
    "balance.json",
    "cells.csv",
    "cells.parquet",
    "compare.csv",
    "constants.csv",
    "edges.csv",
    "edges.parquet",
    "lists.csv",
    "lists.parquet",
    "meetings.csv",
    "meetings.parquet",
    "outcomes.csv",
    "outcomes.parquet",
    "report.html",
    "strategy.csv",
    "summary.md",
    "weapons.csv",
    "weapons.parquet",
];

/// Whether a command of this program writes files of that name.
fn is_own_file_name(name: &str) -> bool {
    match name.split_once('/') {
        None => OWN_FILE_NAMES.contains(&name),
        Some(("charts", name)) => is_chart_file_name(name),
        Some((folder, _)) => folder == "rules",
    }
}

/// Finds missing rows: a run has a row for every answered cell, a search for every cell it kept.
fn check_cell_row_count(manifest: &Json, tables: &[(String, usize)]) -> Option<String> {
    let number = |key: &'static str| Some((manifest[key].as_u64()?, key));
    let (expected, which) = number("kept").or(number("answered"))?;
    let (_, rows) = tables.iter().find(|(name, _)| name == "cells")?;
    let problem = || format!("cells.parquet has {rows} rows for {expected} {which} cells");
    (*rows as u64 != expected).then(problem)
}

/// Returns the rows of a table whose two formats agree with each other and with the manifest.
#[cfg(feature = "parquet")]
fn count_verified_rows(manifest: &Json, folder: &Path, name: &str) -> Result<usize, String> {
    let path = folder.join(format!("{name}.parquet"));
    let wrong = |error: &dyn std::fmt::Display| format!("{name}.parquet: {error}");
    let open = plain_file::open_plain_file(&path).map_err(|error| wrong(&error))?;
    let mut file =
        crate::tables::parquet::ParquetFileReader::new(open).map_err(|error| wrong(&error))?;
    let mut faults = manifest_sums::find_differing_metadata(manifest, &file.key_value_metadata());
    // A table without a CSV file beside it is too large for memory.
    let whole = folder.join(format!("{name}.csv")).exists();
    let (mut sums, mut rows) = (manifest_sums::CellTableSums::default(), 0);
    for group in 0..if whole { 1 } else { file.row_group_count() } {
        let table = if whole { file.read_whole_table() } else { file.read_row_group(group) };
        let table = table.map_err(|error| wrong(&error))?;
        rows += table.row_count();
        sums.add_rows_of_table(&table);
        if whole {
            check_same_as_csv(folder, name, table)?;
        }
    }
    // Other tables have no trials.
    if name == "cells" && manifest["experiment"].is_string() {
        faults.extend(sums.find_wrong_totals(manifest));
    }
    faults.first().map_or(Ok(rows), |fault| Err(wrong(fault)))
}

/// Checks that a table equals the CSV file beside it.
#[cfg(feature = "parquet")]
fn check_same_as_csv(folder: &Path, name: &str, table: TypedTable) -> Result<(), String> {
    // Tables that were streamed have all columns in one file.
    let parted = folder.join(format!("{CONSTANTS_TABLE_NAME}.csv")).exists();
    let (varies, constants) =
        if parted { table.split_off_constant_parameters() } else { (table, None) };
    for (table, file) in [(Some(varies), name), (constants, CONSTANTS_TABLE_NAME)] {
        let file = format!("{file}.csv");
        let differs = |table: &TypedTable| {
            let written = plain_file::read_bytes_up_to(&folder.join(&file), MAX_OWN_TABLE_BYTES);
            let written = written.map_err(|error| format!("{file} cannot be read: {error}"))?;
            Ok::<_, String>(crate::tables::csv::render_csv(table).as_bytes() != written)
        };
        if table.as_ref().map_or(Ok(false), differs)? {
            return Err(format!("{name}.parquet and {file} differ"));
        }
    }
    Ok(())
}

/// Without the feature `parquet`, a table is a text with a line per row.
#[cfg(not(feature = "parquet"))]
fn count_verified_rows(_: &Json, folder: &Path, name: &str) -> Result<usize, String> {
    let file = format!("{name}.csv");
    let text = plain_file::read_text_up_to(&folder.join(&file), MAX_OWN_TABLE_BYTES);
    let text = text.map_err(|error| format!("{file} cannot be read: {error}"))?;
    Ok(text.lines().count().saturating_sub(1))
}

/// Finds differences between a manifest and the identity in it.
fn find_identity_differences(manifest: &Json) -> Vec<String> {
    let identity = &manifest["identity"];
    if identity.is_null() {
        return Vec::new();
    }
    let pairs = [
        ("seed", &manifest["seed"]),
        ("cells", &manifest["cells"]),
        ("build", &manifest["build"]),
        ("input", &manifest["input"]["sha256"]),
        ("rulebook_files", &manifest["rulebook_files"]),
    ];
    let pairs = pairs.into_iter().filter(|(key, listed)| identity[*key] != **listed);
    pairs
        .map(|(key, listed)| format!("{key} is {listed}, and {} in its identity", identity[key]))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::OWN_FILE_NAMES;
    use crate::run::run_folder;
    use crate::{compare, pricing};
    use enfilade_study::checkpoint::journal::JOURNAL_FILE_NAME;

    #[test]
    fn every_file_that_a_command_writes_is_known() {
        let lists = [
            run_folder::RUN_FILE_NAMES,
            pricing::price_folder::PRICING_FILE_NAMES,
            compare::COMPARISON_FILE_NAMES,
            compare::arsenal_comparison::ARSENAL_FILE_NAMES,
        ]
        .concat();
        let written: BTreeSet<&str> =
            lists.into_iter().filter(|name| *name != JOURNAL_FILE_NAME).collect();
        assert_eq!(written, BTreeSet::from(OWN_FILE_NAMES));
    }
}
