//! Folder of a run, with all of its files.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use crate::answers::grid_digest::AnswerTotals;
use crate::answers::run_summary::{self, PicturesAndOmissionNotes};
use crate::answers::strategy_table;
use crate::blocks::PictureWithContent;
use crate::charts::ChartDrawing;
use crate::charts::page_charts::to_page_picture;
use crate::drawing::PictureFormat;
use crate::error::ReportError;
use crate::folder::archived_rules;
use crate::folder::manifest::{RunFacts, build_run_manifest};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile, map_write_error};
use crate::page::{self, PageEngineAndBestPlay};
use crate::tables::csv::{self, DecimalSign};
use crate::tables::{self, TypedTable};
use enfilade_engine::cancel::NEVER_CANCELLED;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::JOURNAL_FILE_NAME;
use enfilade_study::experiment::ExperimentSpec;
use enfilade_study::strategy::BestPlayOfDecision;

/// The result of writing a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFilesWritten {
    /// The folder.
    pub folder: PathBuf,
    /// Its files, the manifest last.
    pub files: Vec<WrittenFile>,
}

/// The table of best play, where it is requested.
const STRATEGY_TABLE: &str = "strategy.csv";

/// The files of a run, beside its charts and its manifest.
pub const RUN_FILE_NAMES: &[&str] = &[
    "cells.csv",
    "cells.parquet",
    "constants.csv",
    "outcomes.csv",
    "outcomes.parquet",
    "report.html",
    STRATEGY_TABLE,
    "summary.md",
    JOURNAL_FILE_NAME,
];

/// What a folder of a run has beside its tables and its summary.
#[derive(Clone, Copy, Debug, Default)]
pub struct OptionalRunFiles<'a> {
    /// Formats of the charts beside SVG.
    pub pictures: &'a [&'static PictureFormat],
    /// Engine with which `report.html` computes.
    pub engine: Option<&'a page::PageEngineScripts>,
    /// Best play by answer: a section of summary and page, and a table, unless nobody decides.
    pub strategies: &'a [Vec<BestPlayOfDecision>],
    /// Drawings beside the charts of the experiment.
    pub drawings: &'a [ChartDrawing],
}

/// Writes the tables (CSV and, with the feature `parquet`, Parquet), the charts as SVG,
/// `summary.md`, `report.html`, what is `requested` beside them, and `manifest.json` into the
/// claimed folder.
///
/// Afterwards either all of them exist, or there is no manifest. For an interrupted run they
/// contain the answers so far.
///
/// # Errors
/// When a file cannot be written, encoded or drawn.
pub fn write_run_folder(
    claim: &FolderClaim,
    experiment: &ExperimentSpec,
    answers: &[Answer],
    facts: &RunFacts,
    requested: OptionalRunFiles<'_>,
) -> Result<RunFilesWritten, ReportError> {
    let OptionalRunFiles { pictures, engine, strategies, drawings } = requested;
    let mut staging = Staging::new(claim);
    let tables: [fn(&[Answer]) -> TypedTable; 2] =
        [tables::build_cells_table, tables::build_outcome_table];
    for table in tables {
        let about =
            parquet_metadata(&experiment.name, facts.seed_or_experiment_seed(experiment), answers);
        add_table_in_all_formats(&mut staging, table(answers), &about)?;
    }
    let (mut figures, left_out) =
        add_charts_and_list_omitted(&mut staging, experiment, answers, pictures)?;
    figures.extend(add_drawing_files(&mut staging, drawings.to_vec(), pictures)?);
    let drawn = figures.iter().map(|figure| figure.picture.clone());
    let pictures = PicturesAndOmissionNotes { figures: drawn.collect(), left_out };
    let summary =
        run_summary::render_run_summary(experiment, answers, facts, &pictures, strategies);
    staging.add_file("summary.md", summary.as_bytes())?;
    let parts = PageEngineAndBestPlay { engine, strategies };
    let page = page::render_run_page(experiment, answers, facts, &figures, parts, &NEVER_CANCELLED);
    staging.add_file("report.html", page.as_bytes())?;
    add_strategy_table(&mut staging, answers, strategies)?;
    archived_rules::add_rulebook_copies(&mut staging, facts.rulebooks_from_files())?;
    let manifest = build_run_manifest(
        experiment,
        &AnswerTotals::from_answers(answers),
        facts,
        staging.staged_files(),
    );
    let files = staging.seal_manifest_and_commit(&manifest)?;
    Ok(RunFilesWritten { folder: claim.folder().to_owned(), files })
}

/// Adds the table of best play, unless nobody decides.
fn add_strategy_table(
    staging: &mut Staging<'_>,
    answers: &[Answer],
    strategies: &[Vec<BestPlayOfDecision>],
) -> Result<(), ReportError> {
    if strategies.iter().all(Vec::is_empty) {
        return Ok(());
    }
    let table = strategy_table::render_strategy_csv(answers, strategies, DecimalSign::Point);
    staging.add_file(STRATEGY_TABLE, table.as_bytes())
}

/// Adds a table in every available format.
pub(crate) fn add_table_in_all_formats(
    staging: &mut Staging<'_>,
    table: TypedTable,
    about: &[(String, String)],
) -> Result<(), ReportError> {
    let (varies, constants) = table.clone().split_off_constant_parameters();
    for table in [Some(varies), constants].into_iter().flatten() {
        add_csv(staging, &table)?;
    }
    add_parquet(staging, table, about)
}

fn add_csv(staging: &mut Staging<'_>, table: &TypedTable) -> Result<(), ReportError> {
    staging.add_file_created_at_path(&format!("{}.csv", table.name), |path| {
        let written = File::create(path).and_then(|file| {
            let mut file = BufWriter::new(file);
            csv::write_table_as_csv(table, &mut file)?;
            file.flush()
        });
        Ok(written.map_err(map_write_error(path))?)
    })
}

#[cfg(feature = "parquet")]
fn add_parquet(
    staging: &mut Staging<'_>,
    table: TypedTable,
    about: &[(String, String)],
) -> Result<(), ReportError> {
    let file = format!("{}.parquet", table.name);
    staging.add_file(&file, &crate::tables::parquet::table_to_parquet(table, about)?)
}

/// Returns the metadata of a Parquet file and of its columns.
pub(crate) fn parquet_metadata(name: &str, seed: u64, answers: &[Answer]) -> Vec<(String, String)> {
    let metadata = [
        ("enfilade.version", env!("CARGO_PKG_VERSION").to_owned()),
        (
            "enfilade.stream_version",
            enfilade_engine::random_stream::SEED_MAPPING_VERSION.to_string(),
        ),
        ("enfilade.experiment", name.to_owned()),
        ("enfilade.seed", seed.to_string()),
    ];
    let columns = (!answers.is_empty()).then(|| tables::column_docs::render_column_docs(answers));
    let columns = columns.map(|docs| ("enfilade.columns", docs));
    let all = metadata.into_iter().chain(columns);
    all.map(|(key, value)| (key.to_owned(), value)).collect()
}

#[cfg(not(feature = "parquet"))]
fn add_parquet(
    _: &mut Staging<'_>,
    _: TypedTable,
    _: &[(String, String)],
) -> Result<(), ReportError> {
    Ok(())
}

/// The charts drawn, and the contest and the reason of each chart left out.
type ChartsAndOmissions = (Vec<PictureWithContent>, Vec<(usize, String)>);

/// Draws the charts and returns their figures, and the charts left out.
fn add_charts_and_list_omitted(
    staging: &mut Staging<'_>,
    experiment: &ExperimentSpec,
    answers: &[Answer],
    pictures: &[&'static PictureFormat],
) -> Result<ChartsAndOmissions, ReportError> {
    let gallery = crate::charts::draw_all_charts(&experiment.charts, answers);
    let figures = add_drawing_files(staging, gallery.drawings, pictures)?;
    let left_out = gallery.left_out.into_iter();
    let left_out = left_out.map(|chart| (chart.contest, chart.to_sentence()));
    Ok((figures, left_out.collect()))
}

/// Adds drawings, each as SVG, which pages and summaries show, and as the requested `pictures`.
pub(crate) fn add_drawing_files(
    staging: &mut Staging<'_>,
    drawings: Vec<ChartDrawing>,
    pictures: &[&'static PictureFormat],
) -> Result<Vec<PictureWithContent>, ReportError> {
    let mut figures = Vec::new();
    for drawing in drawings {
        let shown = to_page_picture(&drawing);
        staging.add_file(&shown.picture.file, shown.svg.as_bytes())?;
        let ChartDrawing { name, title, scene, .. } = drawing;
        for picture in pictures.iter().filter(|picture| picture.ending != "svg") {
            let drawing_pages = picture.encode_pages(&title, std::slice::from_ref(&scene))?;
            staging.add_file(&format!("charts/{name}.{}", picture.ending), &drawing_pages)?;
        }
        figures.push(shown);
    }
    Ok(figures)
}
