//! Folder of a pricing, with all of its files.

use serde::Serialize;

use super::list_battles::ListFindings;
use super::price_findings::PriceFindings;
use super::unit_meetings::EdgeFindings;
use super::{heading_sentences, price_summary, prices_json, typed_tables};
use crate::blocks::{Figure, html, markdown};
use crate::error::ReportError;
use crate::folder::archived_rules;
use crate::folder::manifest::{
    self, ManifestDocument, ManifestFileEntry, ManifestSubject, RunFacts,
};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile};
use crate::run::run_folder::{WrittenRun, add_table, parquet_metadata};

/// The files of a pricing, beside its charts and its manifest.
pub const PRICE_FILES: &[&str] = &[
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
pub fn write_prices(
    claim: &FolderClaim,
    findings: &PriceFindings,
    facts: &RunFacts,
) -> Result<WrittenRun, ReportError> {
    let mut staging = Staging::new(claim);
    let lists = findings.lists.map(ListFindings::build_table);
    let edges = EdgeFindings::from_pricing(findings.pricing).map(|edges| edges.build_table());
    for table in typed_tables::build_price_tables(findings).into_iter().chain(lists).chain(edges) {
        add_table(&mut staging, table, &parquet_metadata(findings.name, findings.seed, &[]))?;
    }
    staging.add_file("balance.json", prices_json::render_prices_json(findings).as_bytes())?;
    let figures = add_charts(&mut staging, findings)?;
    let mut blocks = super::build_price_blocks(findings, figures);
    staging.add_file("report.html", html::write_html(&blocks).as_bytes())?;
    blocks.extend(price_summary::build_reproduce_blocks(findings, facts));
    staging.add_file("summary.md", markdown::write_markdown(&blocks).as_bytes())?;
    archived_rules::archive_files(&mut staging, facts.rulebooks())?;
    let manifest = prices_manifest(findings, facts, staging.files());
    Ok(WrittenRun { folder: claim.folder().to_owned(), files: staging.seal_and_commit(&manifest)? })
}

/// The part of a manifest that only prices have.
#[derive(Serialize)]
struct PriceResults {
    weapons: usize,
    scenarios: usize,
    battles: usize,
    verdict: String,
    files: Vec<ManifestFileEntry>,
}

fn prices_manifest(
    findings: &PriceFindings,
    facts: &RunFacts,
    files: &[WrittenFile],
) -> ManifestDocument<PriceResults> {
    let found = PriceResults {
        weapons: findings.evidence.weapons.len(),
        scenarios: findings.evidence.scenarios.len(),
        battles: findings.evidence.battles.len(),
        verdict: heading_sentences::verdict_sentences(findings).join(" "),
        files: manifest::file_entries(files),
    };
    manifest::base_manifest(
        ManifestSubject::Arsenal(findings.name.to_string()),
        findings.seed,
        facts,
        found,
    )
}

fn add_charts(
    staging: &mut Staging<'_>,
    findings: &PriceFindings,
) -> Result<Vec<Figure>, ReportError> {
    use crate::default_picture_formats;
    use crate::run::run_folder::add_drawings;
    add_drawings(
        staging,
        super::price_charts::draw_price_charts(findings),
        &default_picture_formats(),
    )
}
