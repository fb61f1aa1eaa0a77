//! A comparison as a folder of files.

use serde::Serialize;

use super::{Few, Sides, arsenals, comparison_json, told};
use crate::blocks::{Block, html, markdown};
use crate::folder::archived_rules::{self, RulebookFile};
use crate::folder::manifest::{self, FileEntry, InputFile, RunFacts};
use crate::folder::staging::{Claim, Staging, WrittenFile};
use crate::tables::csv;
use enfilade_engine::random_stream::STREAM_VERSION;
use enfilade_model::error::Error;
use enfilade_pricing::price::moved;
use enfilade_study::comparison::Comparison;

/// Cells of each contest shown in a summary; all of them are in `compare.csv`.
const SHOWN: Few = Few { cells: 24, rest: "all of them are in compare.csv" };

/// Writes `compare.csv`, the picture as SVG and PNG (with the feature `png`), `summary.md` and
/// `manifest.json` into the claimed folder: all of them or none.
///
/// # Errors
/// When a file cannot be written or drawn.
pub fn write(
    claim: &Claim,
    comparison: &Comparison<'_>,
    sides: &Sides,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, Error> {
    let mut staging = Staging::new(claim);
    staging.add("compare.csv", csv::render(&comparison_json::table(comparison)).as_bytes())?;
    let mut summary = told(comparison, sides, Some(SHOWN));
    summary.extend(add_picture(&mut staging, comparison, sides)?);
    summary.extend(repeating(sides, facts));
    staging.add("summary.md", markdown::write(&summary).as_bytes())?;
    sealed(staging, sides, facts, comparison.pairs.len())
}

/// Writes `compare.csv`, `report.html`, `summary.md` and `manifest.json` into the claimed folder: all of
/// them or none.
///
/// # Errors
/// When a file cannot be written.
pub fn write_arsenals(
    claim: &Claim,
    sides: &moved::Sides<'_>,
    files: &Sides,
    facts: &RunFacts,
) -> Result<Vec<WrittenFile>, Error> {
    let mut staging = Staging::new(claim);
    staging.add("compare.csv", csv::render(&arsenals::table(sides)).as_bytes())?;
    let mut blocks = arsenals::told(sides, files);
    staging.add("report.html", html::write(&blocks).as_bytes())?;
    blocks.extend(repeating(files, facts));
    staging.add("summary.md", markdown::write(&blocks).as_bytes())?;
    sealed(staging, files, facts, sides.moved.len())
}

/// The manifest of a comparison.
#[derive(Serialize)]
struct ComparisonManifest {
    enfilade: &'static str,
    build: &'static str,
    stream_version: u32,
    command: Vec<String>,
    a: ComparedInput,
    b: ComparedInput,
    started: String,
    finished: String,
    pairs: usize,
    files: Vec<FileEntry>,
}

/// One of the two files that are compared.
#[derive(Serialize)]
struct ComparedInput {
    name: String,
    sha256: String,
    rulebook_files: Vec<RulebookFile>,
}

impl ComparedInput {
    fn of(file: &InputFile) -> ComparedInput {
        let (name, sha256) = (file.name.clone(), file.sha256.clone());
        ComparedInput { name, sha256, rulebook_files: archived_rules::read(&file.rulebooks) }
    }
}

/// Adds the manifest to the files of a comparison and moves all of them into their folder.
fn sealed(
    staging: Staging<'_>,
    sides: &Sides,
    facts: &RunFacts,
    pairs: usize,
) -> Result<Vec<WrittenFile>, Error> {
    let manifest = ComparisonManifest {
        enfilade: env!("CARGO_PKG_VERSION"),
        build: facts.build.0,
        stream_version: STREAM_VERSION,
        command: facts.command.clone(),
        a: ComparedInput::of(&sides.a),
        b: ComparedInput::of(&sides.b),
        started: manifest::utc(facts.started),
        finished: manifest::utc(facts.finished()),
        pairs,
        files: manifest::files(staging.files()),
    };
    staging.seal(&manifest)
}

/// Draws the picture and returns the block that embeds it, or the note on why it is missing.
fn add_picture(
    staging: &mut Staging<'_>,
    comparison: &Comparison<'_>,
    sides: &Sides,
) -> Result<Option<Block>, Error> {
    use crate::charts::{Drawing, comparison_chart};
    let (head, scene) = match comparison_chart::draw(comparison, (&sides.names[0], &sides.names[1]))
    {
        Ok(drawn) => drawn,
        Err(why) => return Ok(Some(Block::said(format!("Left out: the picture: {why}.")))),
    };
    let drawing = Drawing {
        name: format!("compare-{}", head.name),
        contest: 0,
        title: format!("{}, B less A", crate::text::labels::measure(&head)),
        caption: String::new(),
        scene,
    };
    Ok(crate::run::run_folder::add_drawings(staging, vec![drawing], &crate::usual_pictures())?
        .pop()
        .map(Block::Picture))
}

/// Builds the blocks on how to reproduce the comparison.
fn repeating(sides: &Sides, facts: &RunFacts) -> Vec<Block> {
    use crate::answers::reproduce;
    let files = vec![reproduce::read("A", &sides.a), reproduce::read("B", &sides.b)];
    reproduce::blocks(facts, files, None)
}
