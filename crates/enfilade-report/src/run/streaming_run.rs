//! Output of a large grid or of a search: the tables of its cells and their outcomes, streamed,
//! overview pictures, a summary, the summary as a page, and a manifest.

use std::fs::File;
use std::io::BufWriter;

use crate::answers::digest::Digest;
use crate::answers::run_summary;
use crate::answers::search_report::Tried;
use crate::blocks::{Figure, html, markdown};
use crate::drawing::Picture;
use crate::folder::archived_rules;
use crate::folder::manifest::{RunFacts, manifest};
use crate::folder::staging::{Claim, Staging, WrittenFile, writing};
use crate::run::run_folder::Written;
use crate::tables::csv::Decimal;
use crate::tables::table_writer::{Kind, Sheet};
use crate::tables::{Batches, Table};
use crate::text::left_out;
use enfilade_model::error::Error;
use enfilade_study::answer::Answer;
use enfilade_study::experiment::ExperimentSpec;
use enfilade_study::search::Goal;
use enfilade_study::search::left_out::LeftOut;
use enfilade_study::solve::RunPlan;
use enfilade_study::solve::streaming::AnswerSink;

/// Returns the formats of its tables. CSV is forty times longer than Parquet: it is written if
/// Parquet is unavailable, and for the short result of a search.
fn formats(searched: bool) -> Vec<(&'static str, Kind)> {
    #[cfg(feature = "parquet")]
    let parquet = Some(("parquet", Kind::Parquet));
    #[cfg(not(feature = "parquet"))]
    let parquet: Option<(&str, Kind)> = None;
    let also = (searched || parquet.is_none()).then_some(("csv", Kind::Csv(Decimal::Point)));
    also.into_iter().chain(parquet).collect()
}

/// A table in all of its formats, each with the name of its file.
type Sheets = Vec<(String, Sheet<BufWriter<File>>)>;

/// The results of a large grid in progress.
#[derive(Debug)]
pub struct Large<'a> {
    staging: Staging<'a>,
    batches: Batches,
    cells: Sheets,
    outcomes: Sheets,
    digest: Digest,
    tried: Tried,
    front: Vec<Goal>,
}

impl<'a> Large<'a> {
    /// Begins the files of a run; their columns are those of the cells that stand for the others, with one
    /// for fractions where they were asked for.
    ///
    /// # Errors
    /// When the files cannot be created.
    pub fn new(claim: &'a Claim, plan: &RunPlan) -> Result<Large<'a>, Error> {
        let RunPlan { spec: experiment, settings, .. } = plan;
        let sample = plan.sample();
        let staging = Staging::new(claim);
        let mut batches = Batches::of(&sample, settings.fractions);
        // Built from no rows, because a table has its columns before there is an answer.
        let cells = begun(&staging, plan, &sample, &batches.cells(&[]))?;
        let outcomes = begun(&staging, plan, &sample, &batches.outcomes(&[]))?;
        let digest = Digest { searched: experiment.search.is_some(), ..Digest::default() };
        let front = experiment.search.as_ref().map(|search| search.front.clone());
        let front = front.unwrap_or_default();
        let tried = Tried::of(sample);
        Ok(Large { staging, batches, cells, outcomes, digest, tried, front })
    }

    /// Returns the digest so far.
    pub fn digest(&self) -> &Digest {
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
        pictures: &[&'static Picture],
    ) -> Result<Written, Error> {
        // Finished one by one, because a dropped file could not report that its last bytes were not
        // written.
        for (name, sheet) in self.cells.into_iter().chain(self.outcomes) {
            sheet.finish()?;
            self.staging.end(&name)?;
        }
        let figures = add_charts(&mut self.staging, &self.digest, &self.front, pictures)?;
        let told = run_summary::of_digest(experiment, &self.digest, &self.tried, facts, &figures);
        self.staging.add("report.html", html::write(&told).as_bytes())?;
        self.staging.add("summary.md", markdown::write(&told).as_bytes())?;
        archived_rules::add(&mut self.staging, facts.rulebooks())?;
        let mut manifest = manifest(experiment, &self.digest.totals, facts, self.staging.files());
        // Stored so that a later run which finds these results can report it too.
        if let (Some(search), 0) = (&experiment.search, self.digest.totals.answered) {
            let said = left_out::nothing(search, &self.digest.left_out, experiment.asked);
            manifest.found.nothing = Some(said);
        }
        let folder = self.staging.folder().to_owned();
        let files: Vec<WrittenFile> = self.staging.seal(&manifest)?;
        Ok(Written { folder, files })
    }
}

/// Opens a file for every format of a table.
fn begun(
    staging: &Staging<'_>,
    RunPlan { spec, settings, .. }: &RunPlan,
    sample: &[Answer],
    empty: &Table,
) -> Result<Sheets, Error> {
    let about = crate::run::run_folder::metadata(&spec.name, settings.seed, sample);
    let formats = formats(spec.search.is_some()).into_iter();
    let sheets = formats.map(|(ending, kind)| {
        let name = format!("{}.{ending}", empty.name);
        let path = staging.begin(&name)?;
        let file = File::create(&path).map_err(writing(&path))?;
        let file = BufWriter::with_capacity(1 << 16, file);
        Ok((name, Sheet::new(kind, path, empty, file, &about)?))
    });
    sheets.collect()
}

impl AnswerSink for Large<'_> {
    fn take(&mut self, mut answers: Vec<Answer>) -> Result<(), Error> {
        self.batches.fit(&mut answers);
        let cells = self.batches.cells(&answers);
        self.cells.iter_mut().try_for_each(|(_, sheet)| sheet.add(&cells))?;
        let outcomes = self.batches.outcomes(&answers);
        self.outcomes.iter_mut().try_for_each(|(_, sheet)| sheet.add(&outcomes))?;
        self.digest.take(answers);
        Ok(())
    }

    fn left_out(&mut self, left_out: LeftOut) {
        self.digest.left_out = left_out;
    }
}

fn add_charts(
    staging: &mut Staging<'_>,
    digest: &Digest,
    front: &[Goal],
    pictures: &[&'static Picture],
) -> Result<Vec<Figure>, Error> {
    let drawings = match front {
        [] => crate::charts::overview::drawings(digest),
        goals => crate::charts::pareto_front::drawings(digest, goals),
    };
    crate::run::run_folder::add_drawings(staging, drawings, pictures)
}
