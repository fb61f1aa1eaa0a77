//! Steps that commands share: cells answered, and arsenals priced, with a bar and Ctrl-C.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::options::{Machine, Options, Rulebooks};
use super::page::{Page, way_in};
use super::progress::Progress;
use super::question::{self, Question};
use super::{failure, foreseen, signals};
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::form::sanitize::grouped;
use crate::pricing::evidence::Evidence;
use crate::pricing::price::{self, Pricing};
use crate::pricing::{arsenal::Arsenal, gather};
use crate::report::answers::digest::Totals;
use crate::report::answers::run_summary;
use crate::report::drawing::Picture;
use crate::report::folder::manifest::RunIdentity;
use crate::report::folder::staging::{Claim, Terms};
use crate::report::run::streaming_output::Lines;
use crate::report::run::streaming_run::Large;
use crate::report::text::sentences;
use crate::report::{self, InputFile, RunFacts};
use crate::study::checkpoint::run_journal::RunJournal;
use crate::study::experiment::{Experiment, ExperimentSpec};
use crate::study::file::document::Input;
use crate::study::search::left_out::LeftOut;
use crate::study::solve::streaming::{AnswerSink, CollectAnswers};
use crate::study::solve::{self, RunEnd, RunPlan, Solved};
use crate::study::sweep::kept;

/// The experiment in a file or in a question to a rulebook, with all of its cells.
///
/// # Errors
/// When a file cannot be read or has faults, or the question does not fit the rulebook.
pub fn asked(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    question: &Question,
) -> Result<(Input, Experiment), Error> {
    let input = question::input(catalogue, rulebooks, question)?;
    let experiment = understood(catalogue, rulebooks, &input)?;
    Ok((input, experiment))
}

/// Parses the experiment in `input`.
///
/// # Errors
/// When the experiment has faults, or a rulebook that it names.
pub fn understood(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    input: &Input,
) -> Result<Experiment, Error> {
    let catalogue = rulebooks.and_those_of(catalogue, input)?;
    patiently(input, || Experiment::read(&catalogue, &input.name, &input.text))
}

/// Reads a file, with a notice after some seconds: every cell of a grid is checked, and every
/// ending of a chain is solved.
fn patiently<T>(input: &Input, read: impl FnOnce() -> T) -> T {
    // A text that is no TOML is refused at once, and its faults may take all memory: no thread runs
    // beside them.
    if input.text.parse::<toml::Table>().is_err() {
        return read();
    }
    let over = Arc::new(AtomicBool::new(false));
    let (is_over, line) = (Arc::clone(&over), foreseen::reading_line(&input.name));
    // The thread is not joined: it ends with the program at the latest.
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(foreseen::SOON));
        if !is_over.load(Ordering::Relaxed) {
            failure::remark(&line);
        }
    });
    let read = read();
    over.store(true, Ordering::Relaxed);
    read
}

/// How many cells an experiment may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// As many as can be shown at once; all of them are checked before anything runs.
    Shown,
    /// Any number.
    Any,
}

/// The run that `input` asks for, under the options of the command line. Nowhere else are the settings of a
/// run made.
///
/// # Errors
/// When the input has faults, or a rulebook that it names.
pub fn plan(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    options: &Options,
    (input, size): (Input, Size),
) -> Result<RunPlan, Error> {
    let catalogue = rulebooks.and_those_of(catalogue, &input)?;
    let read = patiently(&input, || match size {
        Size::Shown => Experiment::read_with_grid(&catalogue, &input.name, &input.text),
        Size::Any => Experiment::begin(&catalogue, &input.name, &input.text, kept()),
    })?;
    let settings = options.settings(&read.0);
    Ok(RunPlan::new(input, read, settings))
}

/// Solves all cells of `plan` and hands the answers to `sink`.
///
/// # Errors
/// When no cell has an answer, the threads are not to be had, or the journal or the sink cannot be written.
pub fn run(
    plan: RunPlan,
    options: &Options,
    journal: &mut RunJournal,
    sink: &mut dyn AnswerSink,
) -> Result<RunEnd, Error> {
    if let Some(remark) = options.machine.remark() {
        failure::remark(&remark);
    }
    let progress = Progress::of(plan.cells.len(), options)?;
    let pool = options.machine.pool()?;
    let end = pool.install(|| solve::run(plan, &progress, journal, sink));
    progress.finish();
    end
}

/// Solves all cells of `plan` and collects the answers; of a search those that it keeps, and what it has left
/// out.
///
/// # Errors
/// As for [`run`].
pub fn collect(
    plan: RunPlan,
    options: &Options,
    journal: &mut RunJournal,
) -> Result<(Solved, LeftOut), Error> {
    let mut sink = CollectAnswers::default();
    let end = run(plan, options, journal, &mut sink)?;
    let CollectAnswers { answers, left_out } = sink;
    Ok((Solved { answers, interrupted: end == RunEnd::Interrupted }, left_out))
}

/// Reads the arsenal in `input`, with the rulebooks that are given and named.
///
/// # Errors
/// When a file has faults.
pub fn arsenal(
    catalogue: &Catalogue,
    rulebooks: &Rulebooks,
    input: &Input,
) -> Result<Arsenal, Error> {
    let catalogue = rulebooks.and_those_of(catalogue, input)?;
    Arsenal::read(&catalogue, &input.name, &input.text)
}

/// Fights the battles of `arsenal` and prices its weapons.
///
/// # Errors
/// When the work is interrupted, or the threads cannot be started.
pub fn priced(
    arsenal: &Arsenal,
    settings: (&gather::Settings, &price::Settings),
    machine: &Machine,
) -> Result<(Evidence, Pricing), Error> {
    let pool = machine.pool()?;
    let battles = arsenal.weapons.len() * arsenal.scenarios.len();
    let progress = Progress::over(battles as u64, machine.quiet)
        .map(|progress| progress.announced("balance"))?;
    // Battles are not saved, so there is nothing to wait for.
    signals::impatient();
    let evidence = pool.install(|| gather::gather(arsenal, settings.0, &progress));
    progress.finish();
    let evidence = evidence?;
    let pricing = pool.install(|| price::price(&evidence, settings.1))?;
    Ok((evidence, pricing))
}

/// Returns the settings of the battles.
pub fn battles(machine: &Machine, trials: Option<u64>) -> gather::Settings {
    let default = gather::Settings::default();
    gather::Settings {
        seed: machine.seed.map_or(default.seed, |seed| seed.value),
        trials: trials.unwrap_or(default.trials),
        ..default
    }
}

/// Start time of a command.
pub struct Clock {
    started: SystemTime,
    instant: Instant,
}

impl Clock {
    /// Starts the clock.
    pub fn now() -> Clock {
        Clock { started: SystemTime::now(), instant: Instant::now() }
    }

    /// Returns the facts of a run that its results do not contain, once the last answer is there.
    pub fn facts(&self, input: Option<InputFile>, identity: Option<RunIdentity>) -> RunFacts {
        let taken = self.instant.elapsed();
        RunFacts {
            command: command(),
            build: crate::BUILD,
            input,
            started: self.started,
            taken,
            identity,
        }
    }
}

/// Claims a folder for the `writes` of a command that reads `inputs`.
///
/// # Errors
/// The errors of [`Claim::new`].
pub fn claim(
    folder: &Path,
    inputs: &[&PathBuf],
    overwrite: bool,
    writes: Vec<String>,
) -> Result<Claim, Error> {
    let terms = Terms {
        inputs: inputs.iter().map(|&path| path.clone()).collect(),
        overwrite,
        writes,
        command: command().join(" "),
    };
    Claim::new(folder, terms)
}

/// Returns the command line as words. A word that is not Unicode is converted with replacements.
pub fn command() -> Vec<String> {
    let words = std::env::args_os();
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Puts the results of a large grid in place and lists them.
///
/// # Errors
/// When the results cannot be written.
pub fn finished_large(
    large: Large<'_>,
    experiment: &ExperimentSpec,
    facts: &RunFacts,
    pictures: &[&'static Picture],
) -> Result<Page, Error> {
    let totals = large.digest().totals.clone();
    // Taken out before the folder is sealed, which consumes the digest.
    let agreement = large.digest().agreement();
    let left_out = large.digest().left_out.clone();
    let written = large.finish(experiment, facts, pictures)?;
    let (cells, trials) = (grouped(experiment.asked), in_all(totals.trials));
    let (name, seconds) = (&experiment.name, facts.seconds());
    let mut text = match &experiment.search {
        None => format!("{name}: {cells} cells, {trials} trials in {seconds:.1} s\n"),
        Some(_) => {
            let kept = grouped(totals.answered);
            format!(
                "{name}: {kept} of {cells} cells kept, {trials} trials in them, in {seconds:.1} s\n"
            )
        }
    };
    text.extend(agreement.clone().map(|sentence| sentence + "\n"));
    text.extend(run_summary::ruled_out(totals.excluded).map(|sentence| sentence + "\n"));
    text.extend(report::broken(&left_out, experiment.asked).iter().map(|said| format!("{said}\n")));
    text += &way_in(&written.folder);
    let refused = totals.refused;
    let trouble = match (totals.disagree, refused) {
        (0, 0) if totals.answered > 0 => None,
        (0, 0) => nothing_fits(experiment, &left_out),
        (0, _) => without_answer(refused, experiment.asked),
        _ => agreement.map(Error::Disagreement),
    };
    Ok(Page::new(text, trouble))
}

/// Formats the trials of all cells together.
fn in_all(trials: u128) -> String {
    u64::try_from(trials).map_or_else(|_| format!("{:.1e}", trials as f64), grouped)
}

/// Returns the [`trouble`] of answers that were streamed.
pub fn trouble_of_lines<W: Write>(
    lines: &Lines<W>,
    end: RunEnd,
    experiment: &ExperimentSpec,
) -> Option<Error> {
    let cells = experiment.asked;
    let Totals { answered, disagree, disagreeing, refused, .. } = &lines.totals;
    if end == RunEnd::Interrupted {
        return Some(Error::Interrupted(format!("{answered} of {cells} cells were answered")));
    }
    if let Some(first) = disagreeing.first() {
        let sentence =
            format!("Exact and simulated DISAGREE in {disagree} cells, first cell {first}.");
        return Some(Error::Disagreement(sentence));
    }
    match *refused {
        0 if *answered == 0 => nothing_fits(experiment, &lines.left_out),
        refused => without_answer(refused, cells),
    }
}

/// The error that some cells have no answer.
fn without_answer(refused: u64, cells: u64) -> Option<Error> {
    let problem = || format!("{refused} of {cells} cells have no answer");
    (refused > 0).then(|| Error::Incomplete(problem()))
}

/// The error that a search keeps nothing, with the reason; `None` without a search.
pub fn nothing_fits(experiment: &ExperimentSpec, left_out: &LeftOut) -> Option<Error> {
    let search = experiment.search.as_ref()?;
    Some(Error::NothingFits(report::nothing(search, left_out, experiment.asked)))
}

/// Writes to standard error which settings of a search break a check.
pub fn remark_on(left_out: &LeftOut, cells: u64) {
    report::broken(left_out, cells).iter().for_each(|said| failure::remark(said));
}

/// The error to report after the answers: an interruption, or two engines that disagree.
pub fn trouble(solved: &Solved, cells: u64) -> Option<Error> {
    let answered = solved.answers.len();
    if solved.interrupted {
        return Some(Error::Interrupted(format!("{answered} of {cells} cells were answered")));
    }
    let Totals { disagree, refused, .. } = Totals::of(&solved.answers);
    match disagree {
        0 => without_answer(refused, cells),
        _ => sentences::agreement(&solved.answers).map(Error::Disagreement),
    }
}
