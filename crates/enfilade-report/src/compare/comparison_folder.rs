//! A comparison as a folder of files.

use serde::Serialize;

use super::{
    ShownCellLimit, TwoComparedFiles, arsenal_comparison, blocks_of_differences, comparison_json,
    picture_block_if_drawable,
};
use crate::blocks::{ReportBlock, html, markdown};
use crate::error::ReportError;
use crate::folder::archived_rules::{self, RulebookFileManifestEntry};
use crate::folder::manifest::{self, InputFileWithRulebooks, ManifestFileEntry, RunFacts};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile};
use crate::tables::csv;
use enfilade_engine::random_stream::SEED_MAPPING_VERSION;
use enfilade_pricing::price::price_changes;
use enfilade_study::comparison::ExperimentComparison;

/// Cells of each contest shown in a summary; all of them are in `compare.csv`.
const SUMMARY_CELL_LIMIT: ShownCellLimit =
    ShownCellLimit { cells: 24, rest: "all of them are in compare.csv" };

/// Writes `compare.csv`, `report.html`, the picture as SVG and PNG (with the feature `png`),
/// `summary.md` and `manifest.json` into the claimed folder: all of them or none.
///
/// # Errors
/// When a file cannot be written or drawn.
pub fn write_comparison(
    claim: &FolderClaim,
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, ReportError> {
    let mut staging = Staging::new(claim);
    staging.add_file(
        "compare.csv",
        csv::render_csv(&comparison_json::difference_table(comparison)).as_bytes(),
    )?;
    let mut summary = blocks_of_differences(comparison, sides, Some(SUMMARY_CELL_LIMIT));
    let mut page = summary.clone();
    let at = page.len().min(2);
    page.splice(at..at, picture_block_if_drawable(comparison, sides));
    let page = html::render_blocks_as_sortable_page(&page);
    staging.add_file("report.html", page.as_bytes())?;
    summary.extend(add_picture_and_build_block(&mut staging, comparison, sides)?);
    summary.extend(build_reproduce_blocks(sides, facts));
    staging.add_file("summary.md", markdown::markdown_text(&summary).as_bytes())?;
    seal_and_commit(staging, sides, facts, comparison.pairs.len())
}

/// Writes `compare.csv`, `report.html`, `summary.md` and `manifest.json` into the claimed folder:
/// all of them or none.
///
/// # Errors
/// When a file cannot be written.
pub fn write_arsenal_comparison(
    claim: &FolderClaim,
    sides: &price_changes::TwoPricings<'_>,
    files: &TwoComparedFiles,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, ReportError> {
    let mut staging = Staging::new(claim);
    staging.add_file(
        "compare.csv",
        csv::render_csv(&arsenal_comparison::build_arsenal_table(sides)).as_bytes(),
    )?;
    let mut blocks = arsenal_comparison::price_change_blocks(sides, files);
    staging.add_file("report.html", html::render_blocks_as_page(&blocks).as_bytes())?;
    blocks.extend(build_reproduce_blocks(files, facts));
    staging.add_file("summary.md", markdown::markdown_text(&blocks).as_bytes())?;
    seal_and_commit(staging, files, facts, sides.changes.len())
}

/// The manifest of a comparison.
#[derive(Serialize)]
struct ComparisonFolderManifest {
    enfilade: &'static str,
    build: &'static str,
    stream_version: u32,
    command: Vec<String>,
    a: ComparedInput,
    b: ComparedInput,
    started: String,
    finished: String,
    pairs: usize,
    files: Vec<ManifestFileEntry>,
}

/// One of the two files that are compared.
#[derive(Serialize)]
struct ComparedInput {
    name: String,
    sha256: String,
    rulebook_files: Vec<RulebookFileManifestEntry>,
}

impl ComparedInput {
    fn from_input_file_record(file: &InputFileWithRulebooks) -> ComparedInput {
        let (name, sha256) = (file.name.clone(), file.sha256.clone());
        ComparedInput {
            name,
            sha256,
            rulebook_files: archived_rules::entries_without_copy_places(&file.rulebooks),
        }
    }
}

/// Adds the manifest to the files of a comparison and moves all of them into their folder.
fn seal_and_commit(
    staging: Staging<'_>,
    sides: &TwoComparedFiles,
    facts: &RunFacts,
    pairs: usize,
) -> Result<Vec<WrittenFile>, ReportError> {
    let manifest = ComparisonFolderManifest {
        enfilade: env!("CARGO_PKG_VERSION"),
        build: facts.build.0,
        stream_version: SEED_MAPPING_VERSION,
        command: facts.command.clone(),
        a: ComparedInput::from_input_file_record(&sides.a),
        b: ComparedInput::from_input_file_record(&sides.b),
        started: manifest::format_utc(facts.started),
        finished: manifest::format_utc(facts.time_of_last_answer()),
        pairs,
        files: manifest::written_file_entries(staging.staged_files()),
    };
    staging.seal_manifest_and_commit(&manifest)
}

/// Draws the picture and returns the block that embeds it, or the note on why it is missing.
fn add_picture_and_build_block(
    staging: &mut Staging<'_>,
    comparison: &ExperimentComparison<'_>,
    sides: &TwoComparedFiles,
) -> Result<Option<ReportBlock>, ReportError> {
    use crate::charts::{ChartDrawing, comparison_chart};
    let (head, scene) =
        match comparison_chart::draw_comparison(comparison, (&sides.names[0], &sides.names[1])) {
            Ok(drawn) => drawn,
            Err(why) => {
                return Ok(Some(ReportBlock::new_paragraph(format!(
                    "Left out: the picture: {why}."
                ))));
            }
        };
    let drawing = ChartDrawing {
        name: format!("compare-{}", head.name),
        contest: 0,
        title: format!("{}, B less A", crate::text::labels::measure_label(&head)),
        caption: String::new(),
        scene,
    };
    Ok(crate::run::run_folder::add_drawing_files(
        staging,
        vec![drawing],
        &crate::default_formats_beside_svg(),
    )?
    .pop()
    .map(ReportBlock::Picture))
}

/// Builds the blocks on how to reproduce the comparison.
fn build_reproduce_blocks(sides: &TwoComparedFiles, facts: &RunFacts) -> Vec<ReportBlock> {
    use crate::answers::how_to_reproduce;
    let files = vec![
        how_to_reproduce::describe_input_file("A", &sides.a),
        how_to_reproduce::describe_input_file("B", &sides.b),
    ];
    how_to_reproduce::build_reproduce_blocks(facts, files, None)
}
