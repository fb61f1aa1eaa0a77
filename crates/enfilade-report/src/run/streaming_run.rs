//! Output of a large grid or of a search: the tables of its cells and their outcomes, streamed,
//! overview pictures, a summary, the summary as a page, and a manifest.

use std::fs::File;
use std::io::BufWriter;

use crate::answers::grid_digest::LargeRunDigest;
use crate::answers::run_summary;
use crate::answers::search_report::SearchedAxes;
use crate::blocks::{PictureWithContent, html, markdown};
use crate::drawing::PictureFormat;
use crate::error::ReportError;
use crate::folder::archived_rules;
use crate::folder::manifest::{RunFacts, build_run_manifest};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile, map_write_error};
use crate::run::run_folder::RunFilesWritten;
use crate::tables::csv::DecimalSign;
use crate::tables::table_writer::{OpenTableFile, TableFormat};
use crate::tables::{CellAndOutcomeBatches, TypedTable};
use crate::text::excluded_settings;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;
use enfilade_study::search::MeasureGoal;
use enfilade_study::search::omitted_cells::CellsOmittedBySearch;
use enfilade_study::solve::RunPlan;
use enfilade_study::solve::streaming::AnswerSink;

/// Returns the formats of its tables. CSV is forty times longer than Parquet: it is written if
/// Parquet is unavailable, and for the short result of a search.
fn table_formats_of_search_or_run(searched: bool) -> Vec<(&'static str, TableFormat)> {
    #[cfg(feature = "parquet")]
    let parquet = Some(("parquet", TableFormat::Parquet));
    #[cfg(not(feature = "parquet"))]
    let parquet: Option<(&str, TableFormat)> = None;
    let also =
        (searched || parquet.is_none()).then_some(("csv", TableFormat::Csv(DecimalSign::Point)));
    also.into_iter().chain(parquet).collect()
}

/// A table in all of its formats, each with the name of its file.
type TableInAllFormats = Vec<(String, OpenTableFile<BufWriter<File>>)>;

/// The results of a large grid in progress.
#[derive(Debug)]
pub struct RunFolderSink<'a> {
    staging: Staging<'a>,
    batches: CellAndOutcomeBatches,
    cells: TableInAllFormats,
    outcomes: TableInAllFormats,
    digest: LargeRunDigest,
    searched_axes: SearchedAxes,
    front: Vec<MeasureGoal>,
}

impl<'a> RunFolderSink<'a> {
    /// Creates the files of a run. The sampled cells define the columns; requested fractions have
    /// one more.
    ///
    /// # Errors
    /// When the files cannot be created.
    pub fn new(claim: &'a FolderClaim, plan: &RunPlan) -> Result<RunFolderSink<'a>, ReportError> {
        let RunPlan { spec: experiment, settings, .. } = plan;
        let sample = plan.rows_without_results();
        let staging = Staging::new(claim);
        let mut batches = CellAndOutcomeBatches::from_sample_answers(
            &sample,
            settings.fractions || settings.bounds,
        );
        // Built from no rows, because a table has its columns before there is an answer.
        let cells = open_table_in_formats(&staging, plan, &sample, &batches.next_cell_rows(&[]))?;
        let outcomes =
            open_table_in_formats(&staging, plan, &sample, &batches.next_outcome_rows(&[]))?;
        let digest =
            LargeRunDigest { is_search: experiment.search.is_some(), ..LargeRunDigest::default() };
        let front = experiment.search.as_ref().map(|search| search.front.clone());
        let front = front.unwrap_or_default();
        let searched_axes = SearchedAxes::from_sampled_grid_cells(sample);
        Ok(RunFolderSink { staging, batches, cells, outcomes, digest, searched_axes, front })
    }

    /// Returns the digest so far.
    pub fn digest_so_far(&self) -> &LargeRunDigest {
        &self.digest
    }

    /// Finishes the tables, adds the summary files, and moves everything into place.
    ///
    /// # Errors
    /// When a file cannot be written or drawn.
    pub fn finish_and_commit(
        mut self,
        experiment: &ExperimentSpec,
        facts: &RunFacts,
        pictures: &[&'static PictureFormat],
    ) -> Result<RunFilesWritten, ReportError> {
        // Finished one by one, because a dropped file could not report that its last bytes were not
        // written.
        for (name, sheet) in self.cells.into_iter().chain(self.outcomes) {
            sheet.finish_table_file()?;
            self.staging.end_staged_file(&name)?;
        }
        let figures = add_overview_charts(&mut self.staging, &self.digest, &self.front, pictures)?;
        let blocks = run_summary::build_large_run_blocks(
            experiment,
            &self.digest,
            &self.searched_axes,
            facts,
            &figures,
        );
        self.staging.add_file("report.html", html::render_blocks_as_page(&blocks).as_bytes())?;
        self.staging.add_file("summary.md", markdown::markdown_text(&blocks).as_bytes())?;
        archived_rules::add_rulebook_copies(&mut self.staging, facts.rulebooks_from_files())?;
        let mut manifest =
            build_run_manifest(experiment, &self.digest.totals, facts, self.staging.staged_files());
        // Stored so that a later run which finds these results can report it too.
        if let (Some(search), 0) = (&experiment.search, self.digest.totals.answered) {
            let text = excluded_settings::explain_empty_search(
                search,
                &self.digest.left_out,
                experiment.cell_count,
            );
            manifest.found.nothing = Some(text);
        }
        let folder = self.staging.destination_folder().to_owned();
        let files: Vec<WrittenFile> = self.staging.seal_manifest_and_commit(&manifest)?;
        Ok(RunFilesWritten { folder, files })
    }
}

/// Opens a file for every format of a table.
fn open_table_in_formats(
    staging: &Staging<'_>,
    RunPlan { spec, settings, .. }: &RunPlan,
    sample: &[Answer],
    empty: &TypedTable,
) -> Result<TableInAllFormats, ReportError> {
    let about = crate::run::run_folder::parquet_metadata(&spec.name, settings.seed, sample);
    let formats = table_formats_of_search_or_run(spec.search.is_some()).into_iter();
    let sheets = formats.map(|(ending, kind)| {
        let name = format!("{}.{ending}", empty.name);
        let path = staging.begin_file_and_return_path(&name)?;
        let file = File::create(&path).map_err(map_write_error(&path))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok((name, OpenTableFile::new(kind, path, empty, file, &about)?))
    });
    sheets.collect()
}

impl AnswerSink<ReportError> for RunFolderSink<'_> {
    fn receive_answer_block(&mut self, mut answers: Vec<Answer>) -> Result<(), ReportError> {
        self.batches.refuse_unfitting_answers(&mut answers);
        let cells = self.batches.next_cell_rows(&answers);
        self.cells.iter_mut().try_for_each(|(_, sheet)| sheet.add_table_rows(&cells))?;
        let outcomes = self.batches.next_outcome_rows(&answers);
        self.outcomes.iter_mut().try_for_each(|(_, sheet)| sheet.add_table_rows(&outcomes))?;
        self.digest.add_answers(answers);
        Ok(())
    }

    fn receive_omitted_cells(&mut self, left_out: CellsOmittedBySearch) {
        self.digest.left_out = left_out;
    }
}

fn add_overview_charts(
    staging: &mut Staging<'_>,
    digest: &LargeRunDigest,
    front: &[MeasureGoal],
    pictures: &[&'static PictureFormat],
) -> Result<Vec<PictureWithContent>, ReportError> {
    let drawings = match front {
        [] => crate::charts::grid_overview::draw_contest_overviews(digest),
        goals => crate::charts::pareto_front::draw_pareto_fronts(digest, goals),
    };
    crate::run::run_folder::add_drawing_files(staging, drawings, pictures)
}
