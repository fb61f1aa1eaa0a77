//! `enfilade run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::influence_pictures;
use crate::cancel::NEVER_CANCELLED;
use crate::catalogue::Catalogue;
#[cfg(feature = "studio")]
use crate::cli::args::engine_args::PageEngineModuleArgs;
use crate::cli::args::output_format;
use crate::cli::args::question_args;
use crate::cli::args::{CellSolutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::{OutputAndError, file_to_open_hint};
use crate::cli::command_steps::{self, CellCountLimit, CommandStartTime};
use crate::cli::progress::TerminalRunProgress;
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::report::answers::grid_digest::AnswerTotals;
use crate::report::answers::run_summary;
use crate::report::charts::ChartDrawing;
use crate::report::drawing::PictureFormat;
use crate::report::folder::manifest::{
    self, ChartFormatsBesideSvg, InputFileWithRulebooks, RunFacts, RunIdentityKeys,
};
use crate::report::folder::staging::FolderClaim;
use crate::report::page::PageEngineScripts;
use crate::report::run::streaming_run::RunFolderSink;
use crate::report::text::sentences;
use crate::report::{self, OptionalRunFiles};
use crate::seek::measure_influences;
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::JOURNAL_FILE_NAME;
use crate::study::checkpoint::run_journal::CellOrBlockJournal;
use crate::study::experiment::ExperimentSpec;
use crate::study::solve::{AnswersAndInterruption, RunCompletion, RunPlan};
use crate::study::strategy::{self, BestPlayOfDecision};

/// Answer an experiment and write its results to a folder
///
/// Every cell of the grid is answered exactly and by simulation, the two are compared, and tables,
/// charts, a summary and a manifest are written. An interrupted run continues when it is started
/// again; a complete one is not repeated.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade run experiments/ift_odds.toml --out out/ift-odds")]
pub struct RunArgs {
    /// The experiment file
    file: PathBuf,
    /// The folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Formats of the charts in addition to SVG, which summary and report show [default: png]
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = output_format::picture_format_parser())]
    charts: Vec<&'static PictureFormat>,
    /// Describe what best play does at each decision, too: in summary.md, report.html and
    /// strategy.csv
    #[arg(long)]
    strategy: bool,
    /// Draw also what matters for a measure: one step of every number, and the share of each axis
    /// in its variance
    #[arg(long, value_name = "MEASURE", num_args = 0..=1)]
    matters: Option<Option<String>>,
    /// Repeat the run although its results are there
    #[arg(long)]
    again: bool,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    /// Put the engine into report.html: its sliders then reach every value, without a server
    #[cfg(feature = "studio")]
    #[arg(long)]
    live: bool,
    #[cfg(feature = "studio")]
    #[command(flatten)]
    engine: PageEngineModuleArgs,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
    #[command(flatten)]
    options: CellSolutionArgs,
}

impl RunArgs {
    /// Runs the experiment and lists the files written; nothing runs before everything is checked.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, a contest is too large, or the folder is locked
    /// by another run, has foreign files in it, or cannot be written to; in the output's error when
    /// engines disagree or the run was interrupted.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let input = question_args::read_unless_rulebook(&self.file)?;
        let plan = command_steps::plan_run_of_input(
            catalogue,
            &self.rulebooks,
            &self.options,
            (input, CellCountLimit::Any),
        )?;
        self.check_options_of_large_grids(&plan)?;
        let engine = self.page_engine(&plan)?;
        let claim = self.claim_run_folder(&plan.spec)?;
        let file = InputFileWithRulebooks::new(&*plan.input.name, &plan.input.text)
            .with_rulebooks(&plan.spec.rulebooks);
        let mut identity = manifest::build_identity_keys(
            &plan.spec,
            &plan.settings,
            &file,
            crate::PROGRAM_BUILD_ID,
        );
        // Other pictures are other files, so results without them do not match the request.
        if !self.charts.is_empty() {
            let endings = self.charts.iter().map(|picture| picture.ending).collect();
            identity.charts = ChartFormatsBesideSvg::Asked(endings);
        }
        // Checked once the folder is claimed: another run could still be writing there.
        if let Some(page) = self.output_if_results_exist(&claim, &identity) {
            claim.remove_journal_older_than_results();
            return Ok(page);
        }
        let clock = CommandStartTime::now();
        let facts = || clock.facts_of_finished_run(Some(file), Some(identity));
        let journal = claim.folder().join(JOURNAL_FILE_NAME);
        let journal =
            CellOrBlockJournal::open(&journal, crate::PROGRAM_BUILD_ID, plan.streamed_run_name())?;
        match plan.collects_all_answers() {
            true => {
                let matters = self.draw_what_matters(catalogue, &plan)?;
                self.run_collecting(plan, journal, (&claim, engine.as_ref(), matters), facts)
            }
            false => self.run_streaming(plan, journal, &claim, facts),
        }
    }

    /// Refuses options that need all answers at once, for a grid that is streamed.
    fn check_options_of_large_grids(&self, plan: &RunPlan) -> Result<(), Error> {
        let options = [("--strategy", self.strategy), ("--matters", self.matters.is_some())];
        match options.iter().find(|(_, is_set)| *is_set && !plan.collects_all_answers()) {
            Some((option, _)) => Err(Error::Usage(format!(
                "{option} is for grids that are written at once: use `enfilade odds`"
            ))),
            None => Ok(()),
        }
    }

    /// Draws what matters, if it is requested.
    fn draw_what_matters(
        &self,
        catalogue: &Catalogue,
        plan: &RunPlan,
    ) -> Result<Vec<ChartDrawing>, Error> {
        let Some(measure) = &self.matters else { return Ok(Vec::new()) };
        let experiment = command_steps::parse_experiment(catalogue, &self.rulebooks, &plan.input)?;
        let progress = TerminalRunProgress::new(experiment.cell_count, self.options.machine.quiet)?;
        let pool = self.options.machine.build_thread_pool()?;
        let influences = pool.install(|| {
            measure_influences::influences_on_each_contest(
                &experiment,
                measure.as_deref(),
                &progress,
            )
        });
        progress.remove_bar();
        Ok(influence_pictures::influence_drawings(&influences?))
    }

    /// All answers at once, with every picture.
    fn run_collecting(
        &self,
        plan: RunPlan,
        mut journal: CellOrBlockJournal,
        (claim, engine, matters): (&FolderClaim, Option<&PageEngineScripts>, Vec<ChartDrawing>),
        facts: impl FnOnce() -> RunFacts,
    ) -> Result<OutputAndError, Error> {
        let experiment = &*Arc::clone(&plan.spec);
        let solved = match command_steps::collect_answers_of_plan(plan, &self.options, &mut journal)
        {
            Ok((solved, _)) => solved,
            Err(error) => {
                // An empty journal would only look like work that was begun.
                journal.delete_if_empty();
                return Err(error);
            }
        };
        let facts = facts();
        let trouble = command_steps::disagreement_or_interruption(&solved, experiment.cell_count);
        // Whole results stay; the work of this run continues from the journal.
        if solved.interrupted
            && claim.read_own_manifest().as_ref().is_some_and(manifest::are_all_cells_answered)
        {
            let text = earlier_results_kept_note(experiment, claim.folder());
            return Ok(OutputAndError::new(text, trouble));
        }
        let strategies = self.compute_strategies(&solved.answers)?;
        let pictures = self.chart_formats_or_default();
        let requested = OptionalRunFiles {
            pictures: &pictures,
            engine,
            strategies: &strategies,
            drawings: &matters,
        };
        report::write_run_folder(claim, experiment, &solved.answers, &facts, requested)?;
        // The journal is removed last: until the results are written it alone has all trials.
        if !solved.interrupted {
            journal.finish_and_delete()?;
        }
        Ok(OutputAndError::new(
            describe_written_results(experiment, &solved, claim.folder(), &facts),
            trouble,
        ))
    }

    /// Returns best play in every cell, if it is requested.
    fn compute_strategies(
        &self,
        answers: &[Answer],
    ) -> Result<Vec<Vec<BestPlayOfDecision>>, Error> {
        let wanted = answers.iter().filter(|_| self.strategy);
        let found = wanted.map(|answer| strategy::compute_strategies(answer, &NEVER_CANCELLED));
        Ok(found.collect::<Result<_, _>>()?)
    }

    /// Streams the answers, with their summary.
    fn run_streaming(
        &self,
        plan: RunPlan,
        mut journal: CellOrBlockJournal,
        claim: &FolderClaim,
        facts: impl FnOnce() -> RunFacts,
    ) -> Result<OutputAndError, Error> {
        let experiment = &*Arc::clone(&plan.spec);
        let mut large = RunFolderSink::new(claim, &plan)?;
        if command_steps::run_plan_into_sink(plan, &self.options, &mut journal, &mut large)?
            == RunCompletion::Interrupted
        {
            let answered_cells = group_digits(large.digest_so_far().totals.answered);
            let problem = format!(
                "{answered_cells} of {} cells were answered",
                group_digits(experiment.cell_count)
            );
            let help = "run the same command again to resume";
            return Err(Error::Interrupted(format!("{problem}; {help}")));
        }
        let page = command_steps::commit_large_run(
            large,
            experiment,
            &facts(),
            &self.chart_formats_or_default(),
        )?;
        journal.finish_and_delete()?;
        Ok(page)
    }

    /// The engine for the report page, if it is requested.
    #[cfg(feature = "studio")]
    fn page_engine(&self, plan: &RunPlan) -> Result<Option<PageEngineScripts>, Error> {
        if !self.live {
            return Ok(None);
        }
        if !plan.collects_all_answers() {
            let why = "the page of a run with this many cells has no sliders";
            return Err(Error::Usage(format!("--live: {why}; remove --live, or run fewer cells")));
        }
        let files = plan.spec.rulebooks.iter().flat_map(|system| system.files.iter());
        let files: Vec<_> =
            files.map(|file| (file.name.to_string(), file.text.to_string())).collect();
        Ok(Some(crate::studio::build_page_engine(
            &self.engine.read_modules_or_built_in()?.engine,
            &files,
        )))
    }

    #[cfg(not(feature = "studio"))]
    fn page_engine(&self, _: &RunPlan) -> Result<Option<PageEngineScripts>, Error> {
        Ok(None)
    }

    /// Whether the page of the results has the engine, if it is requested.
    fn page_has_engine_if_requested(&self, folder: &Path) -> bool {
        #[cfg(feature = "studio")]
        if self.live {
            let page =
                crate::plain_file::read_bytes_up_to(&folder.join("report.html"), LARGEST_PAGE);
            return page.is_ok_and(|page| is_engine_found_in_page(&page));
        }
        let _ = folder;
        true
    }

    /// The formats of the requested charts.
    fn chart_formats_or_default(&self) -> Vec<&'static PictureFormat> {
        if self.charts.is_empty() {
            report::default_formats_beside_svg()
        } else {
            self.charts.clone()
        }
    }

    fn claim_run_folder(&self, experiment: &ExperimentSpec) -> Result<FolderClaim, Error> {
        let own = || Path::new("out").join(experiment.default_result_folder());
        let folder = self.out.clone().unwrap_or_else(own);
        let writes = report::folder::archived_rules::copy_and_written_file_names(
            report::RUN_FILE_NAMES,
            &experiment.rulebooks,
        );
        let inputs = self.rulebooks.rules.iter().chain([&self.file]);
        command_steps::claim_result_folder(
            &folder,
            &inputs.collect::<Vec<_>>(),
            self.overwrite,
            writes,
        )
    }

    /// The output if the requested results exist, whole and unchanged.
    fn output_if_results_exist(
        &self,
        claim: &FolderClaim,
        identity: &RunIdentityKeys,
    ) -> Option<OutputAndError> {
        let manifest = claim.read_own_manifest()?;
        let has_strategy = manifest["files"].to_string().contains("strategy.csv");
        let there = !self.again
            && (has_strategy || !self.strategy)
            // The pictures there may be of another measure.
            && self.matters.is_none()
            && manifest::is_finished_same_run(&manifest, identity)
            && self.page_has_engine_if_requested(claim.folder());
        // Files that were changed since do not count, even if the manifest is intact.
        if !there || report::verify_result_folder(claim.folder()).is_err() {
            return None;
        }
        let agreement = &manifest["agreement"];
        let error = (agreement["verdict"] == "disagree").then(|| {
            let cells = &agreement["disagreeing"];
            Error::Disagreement(format!("exact and simulated disagree in the cells {cells}"))
        });
        let nothing = manifest["nothing"].as_str().map(str::to_owned);
        let error = error.or(nothing.map(Error::NothingFits));
        let text = format!(
            "{}: complete since {} and unchanged; --again repeats the run\n\
             {}",
            manifest["experiment"].as_str().unwrap_or_default(),
            manifest["finished"].as_str().unwrap_or_default(),
            file_to_open_hint(claim.folder())
        );
        Some(OutputAndError::new(text, error))
    }
}

/// Bytes of the largest page with an engine.
#[cfg(feature = "studio")]
const LARGEST_PAGE: u64 = 128 << 20;

/// Whether a report page has an engine: its policy then allows it.
#[cfg(feature = "studio")]
fn is_engine_found_in_page(page: &[u8]) -> bool {
    let policy = b"'wasm-unsafe-eval'";
    page[..page.len().min(4096)].windows(policy.len()).any(|part| part == policy)
}

/// Describes an interrupted run in a folder of whole results.
fn earlier_results_kept_note(experiment: &ExperimentSpec, folder: &Path) -> String {
    format!(
        "{}: the complete results of an earlier run stay in {}; run the same command again to resume\n",
        experiment.name,
        folder.display()
    )
}

/// Lists the results that were written.
pub(super) fn describe_written_results(
    experiment: &ExperimentSpec,
    solved: &AnswersAndInterruption,
    folder: &Path,
    facts: &RunFacts,
) -> String {
    let trials: u64 = solved.answers.iter().map(|answer: &Answer| answer.trials).sum();
    let mut text = format!(
        "{}: {} cells, {} trials in {:.1} s\n",
        experiment.name,
        group_digits(solved.answers.len() as u64),
        group_digits(trials),
        facts.seconds_taken(),
    );
    let excluded = AnswerTotals::from_answers(&solved.answers).excluded;
    let sentences = [
        sentences::describe_engine_agreement(&solved.answers),
        sentences::unfinished_note(&solved.answers),
        run_summary::describe_excluded_cells(excluded),
    ];
    for sentence in sentences {
        text.extend(sentence.map(|sentence| sentence + "\n"));
    }
    text + &file_to_open_hint(folder)
}
