//! Folder of a pricing, with all of its files.

use serde::Serialize;

use super::findings::Findings;
use super::list_battles::ListFindings;
use super::unit_meetings::EdgeFindings;
use super::{price_sentences, price_summary, prices_json, typed_tables};
use crate::blocks::{Figure, html, markdown};
use crate::folder::archived_rules;
use crate::folder::manifest::{self, FileEntry, ManifestDocument, RunFacts, Subject};
use crate::folder::staging::{Claim, Staging, WrittenFile};
use crate::run::run_folder::{Written, add_table, metadata};
use enfilade_model::error::Error;

/// The files of a pricing, beside its charts and its manifest.
pub const FILES: &[&str] = &[
    "balance.json",
    "cells.csv",
    "cells.parquet",
    "edges.csv",
    "edges.parquet",
    "lists.csv",
    "lists.parquet",
    "meetings.csv",
    "meetings.parquet",
    "report.html",
    "summary.md",
    "weapons.csv",
    "weapons.parquet",
];

/// Writes the tables, `balance.json`, the charts, `summary.md` and `manifest.json` into the claimed
/// folder.
///
/// Afterwards either all of them exist, or there is no manifest.
///
/// # Errors
/// When a file cannot be written, encoded or drawn.
pub fn write(claim: &Claim, findings: &Findings, facts: &RunFacts) -> Result<Written, Error> {
    let mut staging = Staging::new(claim);
    let lists = findings.fought.map(ListFindings::table);
    let edges = EdgeFindings::of(findings.pricing).map(|edges| edges.table());
    for table in typed_tables::tables(findings).into_iter().chain(lists).chain(edges) {
        add_table(&mut staging, table, &metadata(findings.name, findings.seed, &[]))?;
    }
    staging.add("balance.json", prices_json::render(findings).as_bytes())?;
    let figures = add_charts(&mut staging, findings)?;
    let mut blocks = super::blocks(findings, figures);
    staging.add("report.html", html::write(&blocks).as_bytes())?;
    blocks.extend(price_summary::repeating(findings, facts));
    staging.add("summary.md", markdown::write(&blocks).as_bytes())?;
    archived_rules::add(&mut staging, facts.rulebooks())?;
    let manifest = manifest(findings, facts, staging.files());
    Ok(Written { folder: claim.folder().to_owned(), files: staging.seal(&manifest)? })
}

/// The part of a manifest that only prices have.
#[derive(Serialize)]
struct PricesFound {
    weapons: usize,
    scenarios: usize,
    battles: usize,
    verdict: String,
    files: Vec<FileEntry>,
}

fn manifest(
    findings: &Findings,
    facts: &RunFacts,
    files: &[WrittenFile],
) -> ManifestDocument<PricesFound> {
    let found = PricesFound {
        weapons: findings.evidence.weapons.len(),
        scenarios: findings.evidence.scenarios.len(),
        battles: findings.evidence.battles.len(),
        verdict: price_sentences::verdicts(findings).join(" "),
        files: manifest::files(files),
    };
    manifest::told(Subject::Arsenal(findings.name.to_string()), findings.seed, facts, found)
}

fn add_charts(staging: &mut Staging<'_>, findings: &Findings) -> Result<Vec<Figure>, Error> {
    use crate::run::run_folder::add_drawings;
    use crate::usual_pictures;
    add_drawings(staging, super::price_charts::charts(findings), &usual_pictures())
}
