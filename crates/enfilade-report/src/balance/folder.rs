//! Everything a pricing leaves behind, in one folder.

use serde_json::{Value as Json, json};

use super::edges::EdgeFindings;
use super::findings::Findings;
use super::lists::ListFindings;
use super::{columns, json, told, words};
use crate::blocks::{Figure, html, markdown};
use crate::files::{Claim, Staging, WrittenFile};
use crate::manifest::{self, RunFacts};
use crate::rulebooks;
use crate::run::{Written, add_table, metadata};
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
/// Either all of them are there afterwards, or no manifest is.
///
/// # Errors
/// When a file cannot be written, encoded or drawn.
pub fn write(claim: &Claim, findings: &Findings, facts: &RunFacts) -> Result<Written, Error> {
    let mut staging = Staging::new(claim);
    let lists = findings.fought.map(ListFindings::table);
    let edges = EdgeFindings::of(findings.pricing).map(|edges| edges.table());
    for table in columns::tables(findings).into_iter().chain(lists).chain(edges) {
        add_table(&mut staging, table, &metadata(findings.name, findings.seed, &[]))?;
    }
    staging.add("balance.json", json::render(findings).as_bytes())?;
    let figures = add_charts(&mut staging, findings)?;
    let mut blocks = super::blocks(findings, figures);
    staging.add("report.html", html::write(&blocks).as_bytes())?;
    blocks.extend(told::repeating(findings, facts));
    staging.add("summary.md", markdown::write(&blocks).as_bytes())?;
    rulebooks::add(&mut staging, facts.rulebooks())?;
    let manifest = manifest(findings, facts, staging.files());
    Ok(Written { folder: claim.folder().to_owned(), files: staging.seal(manifest)? })
}

fn manifest(findings: &Findings, facts: &RunFacts, files: &[WrittenFile]) -> Json {
    let found = json!({
        "weapons": findings.evidence.weapons.len(),
        "scenarios": findings.evidence.scenarios.len(),
        "battles": findings.evidence.battles.len(),
        "verdict": words::verdicts(findings).join(" "),
        "files": manifest::files(files),
    });
    manifest::told(("arsenal", findings.name), findings.seed, facts, found)
}

fn add_charts(staging: &mut Staging<'_>, findings: &Findings) -> Result<Vec<Figure>, Error> {
    use crate::{run::add_drawings, usual_pictures};
    add_drawings(staging, super::charts::charts(findings), &usual_pictures())
}
