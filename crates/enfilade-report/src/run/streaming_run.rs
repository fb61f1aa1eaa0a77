//! Output of a large grid or of a search: the tables of its cells and their outcomes, streamed,
//! overview pictures, a summary, the summary as a page, and a manifest.

use std::fs::File;
use std::io::BufWriter;

use crate::answers::digest::RunDigest;
use crate::answers::run_summary;
use crate::answers::search_report::SearchedAxes;
use crate::blocks::{Figure, html, markdown};
use crate::drawing::PictureFormat;
use crate::error::ReportError;
use crate::folder::archived_rules;
use crate::folder::manifest::{RunFacts, run_manifest};
use crate::folder::staging::{FolderClaim, Staging, WrittenFile, write_error};
use crate::run::run_folder::WrittenRun;
use crate::tables::csv::DecimalMark;
use crate::tables::table_writer::{TableFile, TableFileFormat};
use crate::tables::{RowBatches, TypedTable};
use crate::text::left_out;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;
use enfilade_study::search::SearchGoal;
use enfilade_study::search::omitted_cells::OmittedCells;
use enfilade_study::solve::RunPlan;
use enfilade_study::solve::streaming::AnswerSink;

/// Returns the formats of its tables. CSV is forty times longer than Parquet: it is written if
/// Parquet is unavailable, and for the short result of a search.
fn table_formats(searched: bool) -> Vec<(&'static str, TableFileFormat)> {
    #[cfg(feature = "parquet")]
    let parquet = Some(("parquet", TableFileFormat::Parquet));
    #[cfg(not(feature = "parquet"))]
    let parquet: Option<(&str, TableFileFormat)> = None;
    let also = (searched || parquet.is_none())
        .then_some(("csv", TableFileFormat::Csv(DecimalMark::Point)));
    also.into_iter().chain(parquet).collect()
}

/// A table in all of its formats, each with the name of its file.
type TableFiles = Vec<(String, TableFile<BufWriter<File>>)>;

/// The results of a large grid in progress.
#[derive(Debug)]
pub struct FolderSink<'a> {
    staging: Staging<'a>,
    batches: RowBatches,
    cells: TableFiles,
    outcomes: TableFiles,
    digest: RunDigest,
    searched_axes: SearchedAxes,
    front: Vec<SearchGoal>,
}

impl<'a> FolderSink<'a> {
    /// Creates the files of a run. The sampled cells define the columns; requested fractions have one more.
    ///
    /// # Errors
    /// When the files cannot be created.
    pub fn new(claim: &'a FolderClaim, plan: &RunPlan) -> Result<FolderSink<'a>, ReportError> {
        let RunPlan { spec: experiment, settings, .. } = plan;
        let sample = plan.sample();
        let staging = Staging::new(claim);
        let mut batches = RowBatches::from_sample(&sample, settings.fractions);
        // Built from no rows, because a table has its columns before there is an answer.
        let cells = open_tables(&staging, plan, &sample, &batches.next_cells(&[]))?;
        let outcomes = open_tables(&staging, plan, &sample, &batches.next_outcomes(&[]))?;
        let digest = RunDigest { is_search: experiment.search.is_some(), ..RunDigest::default() };
        let front = experiment.search.as_ref().map(|search| search.front.clone());
        let front = front.unwrap_or_default();
        let tried = SearchedAxes::from_sample(sample);
        Ok(FolderSink { staging, batches, cells, outcomes, digest, searched_axes: tried, front })
    }

    /// Returns the digest so far.
    pub fn run_digest(&self) -> &RunDigest {
        &self.digest
    }

    /// Finishes the tables, adds the summary files, and moves everything into place.
    ///
    /// # Errors
    /// When a file cannot be written or drawn.
    pub fn finish(
        mut self,
        experiment: &ExperimentSpec,
        facts: &RunFacts,
        pictures: &[&'static PictureFormat],
    ) -> Result<WrittenRun, ReportError> {
        // Finished one by one, because a dropped file could not report that its last bytes were not
        // written.
        for (name, sheet) in self.cells.into_iter().chain(self.outcomes) {
            sheet.finish()?;
            self.staging.end_file(&name)?;
        }
        let figures = add_charts(&mut self.staging, &self.digest, &self.front, pictures)?;
        let told = run_summary::build_digest_blocks(
            experiment,
            &self.digest,
            &self.searched_axes,
            facts,
            &figures,
        );
        self.staging.add_file("report.html", html::write_html(&told).as_bytes())?;
        self.staging.add_file("summary.md", markdown::write_markdown(&told).as_bytes())?;
        archived_rules::archive_files(&mut self.staging, facts.rulebooks())?;
        let mut manifest =
            run_manifest(experiment, &self.digest.totals, facts, self.staging.files());
        // Stored so that a later run which finds these results can report it too.
        if let (Some(search), 0) = (&experiment.search, self.digest.totals.answered) {
            let said = left_out::explain_no_result(search, &self.digest.left_out, experiment.asked);
            manifest.found.nothing = Some(said);
        }
        let folder = self.staging.folder().to_owned();
        let files: Vec<WrittenFile> = self.staging.seal_and_commit(&manifest)?;
        Ok(WrittenRun { folder, files })
    }
}

/// Opens a file for every format of a table.
fn open_tables(
    staging: &Staging<'_>,
    RunPlan { spec, settings, .. }: &RunPlan,
    sample: &[Answer],
    empty: &TypedTable,
) -> Result<TableFiles, ReportError> {
    let about = crate::run::run_folder::parquet_metadata(&spec.name, settings.seed, sample);
    let formats = table_formats(spec.search.is_some()).into_iter();
    let sheets = formats.map(|(ending, kind)| {
        let name = format!("{}.{ending}", empty.name);
        let path = staging.begin_file(&name)?;
        let file = File::create(&path).map_err(write_error(&path))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok((name, TableFile::new(kind, path, empty, file, &about)?))
    });
    sheets.collect()
}

impl AnswerSink<ReportError> for FolderSink<'_> {
    fn take(&mut self, mut answers: Vec<Answer>) -> Result<(), ReportError> {
        self.batches.refuse_misfits(&mut answers);
        let cells = self.batches.next_cells(&answers);
        self.cells.iter_mut().try_for_each(|(_, sheet)| sheet.add_rows(&cells))?;
        let outcomes = self.batches.next_outcomes(&answers);
        self.outcomes.iter_mut().try_for_each(|(_, sheet)| sheet.add_rows(&outcomes))?;
        self.digest.add_answers(answers);
        Ok(())
    }

    fn left_out(&mut self, left_out: OmittedCells) {
        self.digest.left_out = left_out;
    }
}

fn add_charts(
    staging: &mut Staging<'_>,
    digest: &RunDigest,
    front: &[SearchGoal],
    pictures: &[&'static PictureFormat],
) -> Result<Vec<Figure>, ReportError> {
    let drawings = match front {
        [] => crate::charts::overview::draw_overviews(digest),
        goals => crate::charts::pareto_front::draw_fronts(digest, goals),
    };
    crate::run::run_folder::add_drawings(staging, drawings, pictures)
}
