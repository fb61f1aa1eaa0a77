//! Whether a folder of results is as it was written.

use std::fs;
#[cfg(feature = "parquet")]
use std::fs::File;
use std::path::Path;

use serde_json::Value as Json;

#[cfg(feature = "parquet")]
use super::columns::{CONSTANTS, Table};
use super::files::{MANIFEST, listing};
use super::rulebooks;
use crate::error::Error;

/// What was found to be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Files that have the hash they were written with.
    pub files: usize,
    /// Tables that were read back, with their rows.
    pub tables: Vec<(String, usize)>,
    /// Cells that were asked for, and those of them that were answered; of a run alone.
    pub cells: Option<(u64, u64)>,
}

/// Checks every file of `folder` against its manifest, and reads the tables back: what stands in a
/// Parquet file must be what stands in the CSV file beside it, and a run must have a row for every
/// cell that was answered.
///
/// # Errors
/// [`Error::Usage`] when there is no manifest of ours; [`Error::Damaged`] with everything that is
/// wrong.
pub fn check(folder: &Path) -> Result<Checked, Error> {
    let Some(manifest) = listing::manifest(folder) else {
        let problem = format!("{} has no {MANIFEST} of enfilade", folder.display());
        return Err(Error::Usage(problem + ": there are no whole results in it"));
    };
    let mut faults = listing::faults(&manifest, folder);
    faults.extend(rulebooks::faults(&manifest));
    let names: Vec<_> = listing::files(&manifest).into_iter().map(|file| file.name).collect();
    let mut tables = Vec::new();
    // What was changed need not be read.
    if faults.is_empty() {
        for name in names.iter().filter_map(|name| name.strip_suffix(".parquet")) {
            match table(folder, name) {
                Ok(rows) => tables.push((name.to_owned(), rows)),
                Err(fault) => faults.push(fault),
            }
        }
        faults.extend(rows_missing(&manifest, &tables));
    }
    if !faults.is_empty() {
        let folder = folder.to_owned();
        return Err(Error::Damaged { folder, faults });
    }
    let number = |key: &str| manifest[key].as_u64();
    Ok(Checked { files: names.len(), tables, cells: number("cells").zip(number("answered")) })
}

/// A run has a row for every cell that was answered, a search for every one that it kept.
fn rows_missing(manifest: &Json, tables: &[(String, usize)]) -> Option<String> {
    let number = |key: &'static str| Some((manifest[key].as_u64()?, key));
    let (expected, which) = number("kept").or(number("answered"))?;
    let (_, rows) = tables.iter().find(|(name, _)| name == "cells")?;
    let problem = || format!("cells.parquet has {rows} rows for {expected} {which} cells");
    (*rows as u64 != expected).then(problem)
}

/// Rows of a table that says the same in both its formats.
#[cfg(feature = "parquet")]
fn table(folder: &Path, name: &str) -> Result<usize, String> {
    let read = |ending: &str| {
        let file = format!("{name}.{ending}");
        fs::read(folder.join(&file)).map_err(|error| format!("{file} cannot be read: {error}"))
    };
    // What has no text beside it is too large to be read whole; its hash has been looked at.
    if !folder.join(format!("{name}.csv")).exists() {
        let file = File::open(folder.join(format!("{name}.parquet")));
        let file = file.map_err(|error| format!("{name}.parquet cannot be read: {error}"))?;
        let head = super::parquet::Head::read(file);
        let head = head.map_err(|error| format!("{name}.parquet: {error}"))?;
        return Ok(head.groups().sum());
    }
    let parquet = super::parquet::File::open(read("parquet")?).and_then(|file| file.table());
    let parquet = parquet.map_err(|error| format!("{name}.parquet: {error}"))?;
    let rows = parquet.rows();
    // Tables that were written as they came have all columns in one file.
    let parted = folder.join(format!("{CONSTANTS}.csv")).exists();
    let (varies, constants) = if parted { parquet.parted() } else { (parquet, None) };
    for (table, file) in [(Some(varies), name), (constants, CONSTANTS)] {
        let file = format!("{file}.csv");
        let differs = |table: &Table| {
            let written = fs::read(folder.join(&file));
            let written = written.map_err(|error| format!("{file} cannot be read: {error}"))?;
            Ok::<_, String>(super::csv::render(table).as_bytes() != written)
        };
        if table.as_ref().map_or(Ok(false), differs)? {
            return Err(format!("{name}.parquet and {file} say different things"));
        }
    }
    Ok(rows)
}

/// Without the feature `parquet`, a table is a text with a line a row.
#[cfg(not(feature = "parquet"))]
fn table(folder: &Path, name: &str) -> Result<usize, String> {
    let file = format!("{name}.csv");
    let text = fs::read_to_string(folder.join(&file));
    let text = text.map_err(|error| format!("{file} cannot be read: {error}"))?;
    Ok(text.lines().count().saturating_sub(1))
}
