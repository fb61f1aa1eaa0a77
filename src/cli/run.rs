//! `enfilade run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::format;
use super::options::{Options, Rulebooks};
use super::page::{Page, way_in};
use super::question;
use super::work::{self, Clock, Size};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::form::sanitize::grouped;
use crate::report;
use crate::report::answers::digest::Totals;
use crate::report::answers::run_summary;
use crate::report::drawing::Picture;
use crate::report::folder::manifest::{self, Charts, InputFile, RunFacts, RunIdentity};
use crate::report::folder::staging::Claim;
use crate::report::run::streaming_run::Large;
use crate::report::text::sentences;
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::JOURNAL;
use crate::study::checkpoint::run_journal::RunJournal;
use crate::study::experiment::ExperimentSpec;
use crate::study::solve::{RunEnd, RunPlan, Solved};

/// Answer an experiment and write its results to a folder
///
/// Every cell of the grid is answered exactly and by simulation, the two are compared, and tables,
/// charts, a summary and a manifest are written. An interrupted run continues when it is started
/// again; a complete one is not repeated.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  enfilade run experiments/ift_odds.toml --out out/ift-odds")]
pub struct Run {
    /// The experiment file
    file: PathBuf,
    /// The folder for the results [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Formats of the charts in addition to SVG, which summary and report show [default: png]
    #[arg(long, value_name = "FORMAT,…", value_delimiter = ',', value_parser = format::pictures())]
    charts: Vec<&'static Picture>,
    /// Repeat the run although its results are there
    #[arg(long)]
    again: bool,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    rulebooks: Rulebooks,
    #[command(flatten)]
    options: Options,
}

impl Run {
    /// Runs the experiment and lists the files written; nothing runs before everything is checked.
    ///
    /// # Errors
    /// When the file cannot be read or has faults, a contest is too large, or the folder is locked
    /// by another run, has foreign files in it, or cannot be written to; in the output's error when
    /// engines disagree or the run was interrupted.
    pub fn run(&self, catalogue: &Catalogue) -> Result<Page, Error> {
        let input = question::file(&self.file)?;
        let plan = work::plan(catalogue, &self.rulebooks, &self.options, (input, Size::Any))?;
        let claim = self.claim(&plan.spec)?;
        let file = InputFile::new(&*plan.input.name, &plan.input.text).with(&plan.spec.rulebooks);
        let mut identity = manifest::identity(&plan.spec, &plan.settings, &file, crate::BUILD);
        // Other pictures are other files, so results without them do not match the request.
        if !self.charts.is_empty() {
            let endings = self.charts.iter().map(|picture| picture.ending).collect();
            identity.charts = Charts::Asked(endings);
        }
        // Checked once the folder is claimed: another run could still be writing there.
        if let Some(page) = self.finished(&claim, &identity) {
            return Ok(page);
        }
        let clock = Clock::now();
        let facts = || clock.facts(Some(file), Some(identity));
        let journal = claim.folder().join(JOURNAL);
        let journal = RunJournal::open(&journal, crate::BUILD, plan.log_name())?;
        match plan.is_kept() {
            true => self.whole(plan, journal, &claim, facts),
            false => self.large(plan, journal, &claim, facts),
        }
    }

    /// All answers at once, with every picture.
    fn whole(
        &self,
        plan: RunPlan,
        mut journal: RunJournal,
        claim: &Claim,
        facts: impl FnOnce() -> RunFacts,
    ) -> Result<Page, Error> {
        let experiment = &*Arc::clone(&plan.spec);
        let solved = match work::collect(plan, &self.options, &mut journal) {
            Ok((solved, _)) => solved,
            Err(error) => {
                // An empty journal would only look like work that was begun.
                journal.close_empty();
                return Err(error);
            }
        };
        let facts = facts();
        let trouble = work::trouble(&solved, experiment.asked);
        // Whole results stay; the work of this run continues from the journal.
        if solved.interrupted && claim.manifest().as_ref().is_some_and(manifest::is_whole) {
            let text = kept(experiment, claim.folder());
            return Ok(Page::new(text, trouble));
        }
        report::write_run(claim, experiment, &solved.answers, &facts, &self.pictures())?;
        // The journal is removed last: until the results are written it alone has all trials.
        if !solved.interrupted {
            journal.close()?;
        }
        Ok(Page::new(page(experiment, &solved, claim.folder(), &facts), trouble))
    }

    /// Streams the answers, with their summary.
    fn large(
        &self,
        plan: RunPlan,
        mut journal: RunJournal,
        claim: &Claim,
        facts: impl FnOnce() -> RunFacts,
    ) -> Result<Page, Error> {
        let experiment = &*Arc::clone(&plan.spec);
        let mut large = Large::new(claim, &plan)?;
        if work::run(plan, &self.options, &mut journal, &mut large)? == RunEnd::Interrupted {
            let done = grouped(large.digest().totals.answered);
            let problem = format!("{done} of {} cells were answered", grouped(experiment.asked));
            let help = "start the same command again to go on there";
            return Err(Error::Interrupted(format!("{problem}; {help}")));
        }
        let page = work::finished_large(large, experiment, &facts(), &self.pictures())?;
        journal.close()?;
        Ok(page)
    }

    /// The formats of the requested charts.
    fn pictures(&self) -> Vec<&'static Picture> {
        if self.charts.is_empty() { report::usual_pictures() } else { self.charts.clone() }
    }

    fn claim(&self, experiment: &ExperimentSpec) -> Result<Claim, Error> {
        let own = || Path::new("out").join(experiment.folder());
        let folder = self.out.clone().unwrap_or_else(own);
        let writes = report::folder::archived_rules::and(report::FILES, &experiment.rulebooks);
        let inputs = self.rulebooks.rules.iter().chain([&self.file]);
        work::claim(&folder, &inputs.collect::<Vec<_>>(), self.overwrite, writes)
    }

    /// The output if the requested results exist, whole and unchanged.
    fn finished(&self, claim: &Claim, identity: &RunIdentity) -> Option<Page> {
        let manifest = claim.manifest()?;
        let there = !self.again && manifest::finished(&manifest, identity);
        // Files that were changed since do not count, even if the manifest is intact.
        if !there || report::check(claim.folder()).is_err() {
            return None;
        }
        let agreement = &manifest["agreement"];
        let trouble = (agreement["verdict"] == "disagree").then(|| {
            let cells = &agreement["disagreeing"];
            Error::Disagreement(format!("exact and simulated disagree in the cells {cells}"))
        });
        let nothing = manifest["nothing"].as_str().map(str::to_owned);
        let trouble = trouble.or(nothing.map(Error::NothingFits));
        let text = format!(
            "{}: complete since {} and unchanged; --again repeats the run\n\
             {}",
            manifest["experiment"].as_str().unwrap_or_default(),
            manifest["finished"].as_str().unwrap_or_default(),
            way_in(claim.folder())
        );
        Some(Page::new(text, trouble))
    }
}

/// Describes an interrupted run in a folder of whole results.
fn kept(experiment: &ExperimentSpec, folder: &Path) -> String {
    format!(
        "{}: the whole results of an earlier run stay in {}; the same command goes on where this one \
         stopped\n",
        experiment.name,
        folder.display()
    )
}

/// Lists the results that were written.
pub(super) fn page(
    experiment: &ExperimentSpec,
    solved: &Solved,
    folder: &Path,
    facts: &RunFacts,
) -> String {
    let trials: u64 = solved.answers.iter().map(|answer: &Answer| answer.trials).sum();
    let mut text = format!(
        "{}: {} cells, {} trials in {:.1} s\n",
        experiment.name,
        grouped(solved.answers.len() as u64),
        grouped(trials),
        facts.seconds(),
    );
    let excluded = Totals::of(&solved.answers).excluded;
    let sentences = [
        sentences::agreement(&solved.answers),
        sentences::unsettled(&solved.answers),
        run_summary::ruled_out(excluded),
    ];
    for sentence in sentences {
        text.extend(sentence.map(|sentence| sentence + "\n"));
    }
    text + &way_in(folder)
}
