//! Comparison of a manifest with the contents of its tables.

use std::collections::BTreeSet;

use serde_json::{Value as Json, json};

use crate::answers::digest::NAMED;
use crate::folder::manifest::Agreement;
use crate::tables::{Table, Values};

/// Sums over the rows of a table of cells.
#[derive(Debug, Default)]
pub struct Sums {
    trials: u128,
    compared: u64,
    disagree: u64,
    disagreeing: Vec<u64>,
    seeds: BTreeSet<u64>,
}

impl Sums {
    /// Adds rows.
    pub fn add(&mut self, table: &Table) {
        if let Some(Values::Count(trials)) = table.column("trials") {
            self.trials += trials.iter().flatten().map(|n| u128::from(*n)).sum::<u128>();
        }
        if let Some(Values::Count(seeds)) = table.column("seed") {
            self.seeds.extend(seeds.iter().flatten());
        }
        let cells = table.column("cell");
        if let (Some(Values::Flag(agrees)), Some(Values::Count(cells))) =
            (table.column("agrees"), cells)
        {
            for (agrees, cell) in agrees.iter().zip(cells) {
                self.compared += u64::from(agrees.is_some());
                if *agrees == Some(false) {
                    self.disagree += 1;
                    self.disagreeing.extend(cell.filter(|_| self.disagreeing.len() < NAMED));
                }
            }
        }
    }

    /// Finds the statements of `manifest` about the rows that are wrong.
    pub fn faults(&self, manifest: &Json) -> Vec<String> {
        let compared = (self.compared, self.disagree);
        let agreement = Agreement::of(compared, self.disagreeing.clone());
        let mut faults = Vec::new();
        let mut differ = |key: &str, found: Json| {
            if manifest[key] != found {
                let said = &manifest[key];
                faults.push(format!("{key} is {found} in its rows and {said} in the manifest"));
            }
        };
        differ("trials", Json::from(self.trials as f64));
        differ("agreement", json!(agreement));
        self.seeds.iter().for_each(|seed| differ("seed", Json::from(*seed)));
        faults
    }
}

/// Finds the keys of a file's metadata whose values differ from those in `manifest`.
pub fn differing(manifest: &Json, about: &[(String, String)]) -> Vec<String> {
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
        let (_, found) = about.iter().find(|(known, _)| known == own)?;
        let said = text(key);
        (*found != said)
            .then(|| format!("{key} is {found} in its metadata and {said} in the manifest"))
    };
    keys.into_iter().filter_map(differ).collect()
}
