//! Steps that commands share: cells answered, and arsenals priced, with a bar and Ctrl-C.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use super::command_output::{OutputAndError, file_to_open_hint};
use super::error_report;
use super::forecast;
use super::progress::TerminalRunProgress;
use super::signals;
use crate::catalogue::Catalogue;
use crate::cli::args::question_args::{self, QuestionArgs};
use crate::cli::args::{CellSolutionArgs, ExecutionArgs, ExtraRulebookArgs};
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::pricing::evidence::BattleEvidence;
use crate::pricing::price::{self, ArsenalPrices};
use crate::pricing::{arsenal::Arsenal, battle_runs};
use crate::report::answers::grid_digest::AnswerTotals;
use crate::report::answers::run_summary;
use crate::report::drawing::PictureFormat;
use crate::report::error::ReportError;
use crate::report::folder::manifest::RunIdentityKeys;
use crate::report::folder::staging::{FolderClaim, FolderClaimOptions};
use crate::report::run::streaming_output::AnswerStreamSink;
use crate::report::run::streaming_run::RunFolderSink;
use crate::report::text::sentences;
use crate::report::{self, InputFileWithRulebooks, RunFacts};
use crate::study::checkpoint::run_journal::CellOrBlockJournal;
use crate::study::experiment::{Experiment, ExperimentSpec};
use crate::study::file::source_document::SourceInput;
use crate::study::search::omitted_cells::CellsOmittedBySearch;
use crate::study::solve::streaming::{AnswerSink, CollectingSink};
use crate::study::solve::{self, AnswersAndInterruption, RunCompletion, RunPlan};
use crate::study::sweep::max_collected_cells;

/// Reads the experiment in a file or in a question to a rulebook, with all of its cells.
///
/// # Errors
/// When a file cannot be read or has faults, or the question does not fit the rulebook.
pub fn experiment_from_question_args(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    question: &QuestionArgs,
) -> Result<(SourceInput, Experiment), Error> {
    let input = question_args::open_file_or_question(catalogue, rulebooks, question)?;
    let experiment = parse_experiment(catalogue, rulebooks, &input)?;
    Ok((input, experiment))
}

/// Parses the experiment in `input`.
///
/// # Errors
/// When the experiment has faults, or a rulebook that it names.
pub fn parse_experiment(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    input: &SourceInput,
) -> Result<Experiment, Error> {
    let catalogue = rulebooks.catalogue_for_input(catalogue, input)?;
    Ok(read_with_slow_notice(input, || {
        Experiment::read_experiment_text(&catalogue, &input.name, &input.text)
    })?)
}

/// Reads a file, with a notice after some seconds: every cell of a grid is checked, and every
/// ending of a chain is solved.
fn read_with_slow_notice<T>(input: &SourceInput, read: impl FnOnce() -> T) -> T {
    // A text that is no TOML is refused at once, and its faults may take all memory: no thread runs
    // beside them.
    if input.text.parse::<toml::Table>().is_err() {
        return read();
    }
    let over = Arc::new(AtomicBool::new(false));
    let (is_over, line) = (Arc::clone(&over), forecast::still_reading_warning(&input.name));
    // The thread is not joined: it ends with the program at the latest.
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs_f64(forecast::UNWARNED_SECONDS));
        if !is_over.load(Ordering::Relaxed) {
            error_report::write_remark_to_stderr(&line);
        }
    });
    let read = read();
    over.store(true, Ordering::Relaxed);
    read
}

/// Limit of the number of cells of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellCountLimit {
    /// The number that can be shown at once; all cells are checked before any is solved.
    Shown,
    /// Any number.
    Any,
}

/// Plans the run of `input` under the options of the command line. All commands get their settings
/// here.
///
/// # Errors
/// When the input has faults, or a rulebook that it names.
pub fn plan_run_of_input(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    options: &CellSolutionArgs,
    (input, size): (SourceInput, CellCountLimit),
) -> Result<RunPlan, Error> {
    let catalogue = rulebooks.catalogue_for_input(catalogue, &input)?;
    let read = read_with_slow_notice(&input, || match size {
        CellCountLimit::Shown => {
            Experiment::read_experiment_and_cells(&catalogue, &input.name, &input.text)
        }
        CellCountLimit::Any => Experiment::read_checking_all_or_samples(
            &catalogue,
            &input.name,
            &input.text,
            max_collected_cells(),
        ),
    })?;
    let settings = options.solver_settings_for(&read.0);
    Ok(RunPlan::new(input, read, settings))
}

/// Solves all cells of `plan` and hands the answers to `sink`.
///
/// # Errors
/// When no cell has an answer, the threads cannot be started, or the journal or the sink cannot be
/// written.
pub fn run_plan_into_sink(
    plan: RunPlan,
    options: &CellSolutionArgs,
    journal: &mut CellOrBlockJournal,
    sink: &mut dyn AnswerSink<ReportError>,
) -> Result<RunCompletion, Error> {
    if let Some(remark) = options.machine.random_seed_remark() {
        error_report::write_remark_to_stderr(&remark);
    }
    let progress = TerminalRunProgress::for_cells(plan.cells.len(), options)?;
    let pool = options.machine.build_thread_pool()?;
    let end = pool.install(|| solve::run_plan_into_sink(plan, &progress, journal, sink));
    progress.remove_bar();
    Ok(end?)
}

/// Solves all cells of `plan` and collects the answers; of a search only those selected, with the
/// cells left out.
///
/// # Errors
/// As for [`run_plan_into_sink`].
pub fn collect_answers_of_plan(
    plan: RunPlan,
    options: &CellSolutionArgs,
    journal: &mut CellOrBlockJournal,
) -> Result<(AnswersAndInterruption, CellsOmittedBySearch), Error> {
    let mut sink = CollectingSink::default();
    let end = run_plan_into_sink(plan, options, journal, &mut sink)?;
    let CollectingSink { answers, left_out } = sink;
    Ok((
        AnswersAndInterruption { answers, interrupted: end == RunCompletion::Interrupted },
        left_out,
    ))
}

/// Reads the arsenal in `input`, with the rulebooks that are given and named.
///
/// # Errors
/// When a file has faults.
pub fn parse_arsenal(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    input: &SourceInput,
) -> Result<Arsenal, Error> {
    let catalogue = rulebooks.catalogue_for_input(catalogue, input)?;
    Ok(Arsenal::read_arsenal_text(&catalogue, &input.name, &input.text)?)
}

/// Fights the battles of `arsenal` and prices its weapons.
///
/// # Errors
/// When the work is interrupted, or the threads cannot be started.
pub fn fight_battles_and_set_prices(
    arsenal: &Arsenal,
    settings: &battle_runs::BattleSettings,
    machine: &ExecutionArgs,
) -> Result<(BattleEvidence, ArsenalPrices), Error> {
    let pool = machine.build_thread_pool()?;
    let battles = arsenal.weapons.len() * arsenal.scenarios.len();
    let progress = TerminalRunProgress::new(battles as u64, machine.quiet)
        .map(|progress| progress.with_slow_warning("balance"))?;
    // Battles are not saved, so there is nothing to wait for.
    signals::let_next_signal_kill();
    let evidence = pool.install(|| battle_runs::run_battles(arsenal, settings, &progress));
    progress.remove_bar();
    let evidence = evidence?;
    let pricing = pool.install(|| price::prices_from_evidence(&evidence, &arsenal.settings))?;
    Ok((evidence, pricing))
}

/// Returns the settings of the battles.
pub fn battle_settings(
    machine: &ExecutionArgs,
    trials: Option<u64>,
) -> battle_runs::BattleSettings {
    let default = battle_runs::BattleSettings::default();
    battle_runs::BattleSettings {
        seed: machine.seed.map_or(default.seed, |seed| seed.value),
        trials: trials.unwrap_or(default.trials),
        ..default
    }
}

/// Start time of a command.
pub struct CommandStartTime {
    started: SystemTime,
    instant: Instant,
}

impl CommandStartTime {
    /// Starts the clock.
    pub fn now() -> CommandStartTime {
        CommandStartTime { started: SystemTime::now(), instant: Instant::now() }
    }

    /// Returns the facts of a run that its results do not contain, once the last answer is there.
    pub fn facts_of_finished_run(
        &self,
        input: Option<InputFileWithRulebooks>,
        identity: Option<RunIdentityKeys>,
    ) -> RunFacts {
        let elapsed = self.instant.elapsed();
        RunFacts {
            command: command_line_words(),
            build: crate::PROGRAM_BUILD_ID,
            input,
            started: self.started,
            duration: elapsed,
            identity,
        }
    }
}

/// Claims a folder for the `writes` of a command that reads `inputs`.
///
/// # Errors
/// The errors of [`FolderClaim::new`].
pub fn claim_result_folder(
    folder: &Path,
    inputs: &[&PathBuf],
    overwrite: bool,
    writes: Vec<String>,
) -> Result<FolderClaim, Error> {
    let terms = FolderClaimOptions {
        inputs: inputs.iter().map(|&path| path.clone()).collect(),
        overwrite,
        writes,
        command: command_line_words().join(" "),
    };
    Ok(FolderClaim::new(folder, terms)?)
}

/// Returns the command line as words. A word that is not Unicode is converted with replacements.
pub fn command_line_words() -> Vec<String> {
    let words = std::env::args_os();
    words.map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Puts the results of a large grid in place and lists them.
///
/// # Errors
/// When the results cannot be written.
pub fn commit_large_run(
    large: RunFolderSink<'_>,
    experiment: &ExperimentSpec,
    facts: &RunFacts,
    pictures: &[&'static PictureFormat],
) -> Result<OutputAndError, Error> {
    let totals = large.digest_so_far().totals.clone();
    // Taken out before the folder is sealed, which consumes the digest.
    let agreement = large.digest_so_far().describe_engine_agreement();
    let left_out = large.digest_so_far().left_out.clone();
    let written = large.finish_and_commit(experiment, facts, pictures)?;
    let (cells, trials) = (group_digits(experiment.cell_count), total_trials_text(totals.trials));
    let (name, seconds) = (&experiment.name, facts.seconds_taken());
    let mut text = match &experiment.search {
        None => format!("{name}: {cells} cells, {trials} trials in {seconds:.1} s\n"),
        Some(_) => {
            let kept_cells = group_digits(totals.answered);
            format!(
                "{name}: {kept_cells} of {cells} cells kept, {trials} trials in them, in {seconds:.1} s\n"
            )
        }
    };
    text.extend(agreement.clone().map(|sentence| sentence + "\n"));
    text.extend(
        run_summary::describe_excluded_cells(totals.excluded).map(|sentence| sentence + "\n"),
    );
    text.extend(
        report::sentences_on_broken_checks(&left_out, experiment.cell_count)
            .iter()
            .map(|said| format!("{said}\n")),
    );
    text += &file_to_open_hint(&written.folder);
    let refused = totals.refused;
    let error = match (totals.disagree, refused) {
        (0, 0) if totals.answered > 0 => None,
        (0, 0) => no_fit_error(experiment, &left_out),
        (0, _) => error_if_answers_missing(refused, experiment.cell_count),
        _ => agreement.map(Error::Disagreement),
    };
    Ok(OutputAndError::new(text, error))
}

/// Formats the trials of all cells together.
fn total_trials_text(trials: u128) -> String {
    u64::try_from(trials).map_or_else(|_| format!("{:.1e}", trials as f64), group_digits)
}

/// Returns the [`disagreement_or_interruption`] of answers that were streamed.
pub fn error_to_report_after_stream<W: Write>(
    lines: &AnswerStreamSink<W>,
    end: RunCompletion,
    experiment: &ExperimentSpec,
) -> Option<Error> {
    let cells = experiment.cell_count;
    let AnswerTotals { answered, disagree, disagreeing, refused, .. } = &lines.totals;
    if end == RunCompletion::Interrupted {
        return Some(Error::Interrupted(format!("{answered} of {cells} cells were answered")));
    }
    if let Some(first) = disagreeing.first() {
        let sentence =
            format!("Exact and simulated DISAGREE in {disagree} cells, first cell {first}.");
        return Some(Error::Disagreement(sentence));
    }
    match *refused {
        0 if *answered == 0 => no_fit_error(experiment, &lines.left_out),
        refused => error_if_answers_missing(refused, cells),
    }
}

/// The error that some cells have no answer.
fn error_if_answers_missing(refused: u64, cells: u64) -> Option<Error> {
    let problem = || format!("{refused} of {cells} cells have no answer");
    (refused > 0).then(|| Error::Incomplete(problem()))
}

/// The error that a search selects nothing, with the reason; `None` without a search.
pub fn no_fit_error(experiment: &ExperimentSpec, left_out: &CellsOmittedBySearch) -> Option<Error> {
    let search = experiment.search.as_ref()?;
    Some(Error::NothingFits(report::explain_empty_search(search, left_out, experiment.cell_count)))
}

/// Writes to standard error which settings of a search break a check.
pub fn remark_broken_checks(left_out: &CellsOmittedBySearch, cells: u64) {
    report::sentences_on_broken_checks(left_out, cells)
        .iter()
        .for_each(|text| error_report::write_remark_to_stderr(text));
}

/// The error to report after the answers: an interruption, or two engines that disagree.
pub fn disagreement_or_interruption(solved: &AnswersAndInterruption, cells: u64) -> Option<Error> {
    let answered = solved.answers.len();
    if solved.interrupted {
        return Some(Error::Interrupted(format!("{answered} of {cells} cells were answered")));
    }
    let AnswerTotals { disagree, refused, .. } = AnswerTotals::from_answers(&solved.answers);
    match disagree {
        0 => error_if_answers_missing(refused, cells),
        _ => sentences::describe_engine_agreement(&solved.answers).map(Error::Disagreement),
    }
}
