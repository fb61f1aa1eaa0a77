//! Comparison of a manifest with the contents of its tables.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::answers::grid_digest::MAX_NAMED_CELLS;
use crate::folder::manifest::EngineAgreement;
use crate::tables::{ColumnValues, TypedTable};

/// Sums over the rows of a table of cells.
#[derive(Debug, Default)]
pub struct CellTableSums {
    trials: u128,
    compared: u64,
    disagree: u64,
    disagreeing: Vec<u64>,
    seeds: BTreeSet<u64>,
}

impl CellTableSums {
    /// Adds rows.
    pub fn add_rows_of_table(&mut self, table: &TypedTable) {
        if let Some(ColumnValues::Count(trials)) = table.column_by_name("trials") {
            self.trials += trials.iter().flatten().map(|n| u128::from(*n)).sum::<u128>();
        }
        if let Some(ColumnValues::Count(seeds)) = table.column_by_name("seed") {
            self.seeds.extend(seeds.iter().flatten());
        }
        let cells = table.column_by_name("cell");
        if let (Some(ColumnValues::Flag(agrees)), Some(ColumnValues::Count(cells))) =
            (table.column_by_name("agrees"), cells)
        {
            for (agrees, cell) in agrees.iter().zip(cells) {
                self.compared += u64::from(agrees.is_some());
                if *agrees == Some(false) {
                    self.disagree += 1;
                    self.disagreeing
                        .extend(cell.filter(|_| self.disagreeing.len() < MAX_NAMED_CELLS));
                }
            }
        }
    }

    /// Finds the statements of `manifest` about the rows that are wrong.
    pub fn find_wrong_totals(&self, manifest: &Json) -> Vec<String> {
        let compared = (self.compared, self.disagree);
        let agreement =
            EngineAgreement::from_compared_and_disagreeing(compared, self.disagreeing.clone());
        let mut faults = Vec::new();
        let mut differ = |key: &str, actual: Json| {
            if manifest[key] != actual {
                let listed = &manifest[key];
                faults.push(format!("{key} is {actual} in its rows and {listed} in the manifest"));
            }
        };
        differ("trials", Json::from(self.trials as f64));
        differ("agreement", json!(agreement));
        self.seeds.iter().for_each(|seed| differ("seed", Json::from(*seed)));
        faults
    }
}

/// Finds the keys of a file's metadata whose values differ from those in `manifest`.
pub fn find_differing_metadata(manifest: &Json, about: &[(String, String)]) -> Vec<String> {
    let text = |key: &str| match &manifest[key] {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    let name = if manifest["experiment"].is_string() { "experiment" } else { "arsenal" };
    let keys = [
        ("enfilade.version", "enfilade"),
        ("enfilade.stream_version", "stream_version"),
        ("enfilade.experiment", name),
        ("enfilade.seed", "seed"),
    ];
    let differ = |(own, key): (&str, &str)| {
        let (_, actual) = about.iter().find(|(known, _)| known == own)?;
        let listed = text(key);
        (*actual != listed)
            .then(|| format!("{key} is {actual} in its metadata and {listed} in the manifest"))
    };
    keys.into_iter().filter_map(differ).collect()
}
