//! Folder of a pricing, with all of its files.

use serde::Serialize;

use super::list_battles::ListBattleFindings;
use super::price_findings::PriceFindings;
use super::unit_meetings::UnitAgainstUnitFindings;
use super::{heading_sentences, price_charts, prices_json, typed_tables};
use crate::answers::how_to_reproduce;
use crate::blocks::{html, markdown};
use crate::error::ReportError;
use crate::folder::archived_rules;
use crate::folder::manifest::{
    self, ExperimentOrArsenalName, ManifestDocument, ManifestFileEntry, RunFacts,
};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile};
use crate::run::run_folder::{
    RunFilesWritten, add_drawing_files, add_table_in_all_formats, parquet_metadata,
};

/// The files of a pricing, beside its charts and its manifest.
pub const PRICING_FILE_NAMES: &[&str] = &[
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
pub fn write_pricing_folder(
    claim: &FolderClaim,
    findings: &PriceFindings,
    facts: &RunFacts,
) -> Result<RunFilesWritten, ReportError> {
    let mut staging = Staging::new(claim);
    let lists = findings.lists.map(ListBattleFindings::table_of_all_list_pairs);
    let edges =
        UnitAgainstUnitFindings::from_pricing(findings.pricing).map(|edges| edges.table_of_edges());
    let about = parquet_metadata(findings.name, findings.seed, &[]);
    for table in typed_tables::build_price_tables(findings).into_iter().chain(lists).chain(edges) {
        add_table_in_all_formats(&mut staging, table, &about)?;
    }
    staging.add_file("balance.json", prices_json::render_prices_json(findings).as_bytes())?;
    let (charts, formats) =
        (price_charts::draw_price_charts(findings), crate::default_formats_beside_svg());
    let figures = add_drawing_files(&mut staging, charts, &formats)?;
    let mut blocks = super::build_full_price_report(findings, figures);
    staging.add_file("report.html", html::render_blocks_as_page(&blocks).as_bytes())?;
    let promise = how_to_reproduce::reproducible_numbers_note(
        "with every number of threads",
        "The tables weapons, cells and meetings",
    );
    let inputs = how_to_reproduce::describe_seed_and_inputs(facts, findings.seed);
    blocks.extend(how_to_reproduce::build_reproduce_blocks(facts, inputs, Some(promise)));
    staging.add_file("summary.md", markdown::markdown_text(&blocks).as_bytes())?;
    archived_rules::add_rulebook_copies(&mut staging, facts.rulebooks_from_files())?;
    let manifest = build_prices_manifest(findings, facts, staging.staged_files());
    Ok(RunFilesWritten {
        folder: claim.folder().to_owned(),
        files: staging.seal_manifest_and_commit(&manifest)?,
    })
}

/// The part of a manifest that only prices have.
#[derive(Serialize)]
struct PricesSectionOfManifest {
    weapons: usize,
    scenarios: usize,
    battles: usize,
    verdict: String,
    files: Vec<ManifestFileEntry>,
}

fn build_prices_manifest(
    findings: &PriceFindings,
    facts: &RunFacts,
    files: &[WrittenFile],
) -> ManifestDocument<PricesSectionOfManifest> {
    let prices_section = PricesSectionOfManifest {
        weapons: findings.evidence.weapons.len(),
        scenarios: findings.evidence.scenarios.len(),
        battles: findings.evidence.battles.len(),
        verdict: heading_sentences::arsenal_verdict_sentences(findings).join(" "),
        files: manifest::written_file_entries(files),
    };
    let name = ExperimentOrArsenalName::Arsenal(findings.name.to_string());
    manifest::build_base_manifest(name, findings.seed, facts, prices_section)
}
