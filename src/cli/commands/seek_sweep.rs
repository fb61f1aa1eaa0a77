//! `enfilade sweep` of a file with `[seek]`: its scopes are the cells, and the merge joins them.

use std::path::Path;

use super::seek_folder;
use crate::catalogue::Catalogue;
use crate::cli::args::{CellSolutionArgs, ExecutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::{OutputAndError, file_to_open_hint};
use crate::cli::progress::TerminalRunProgress;
use crate::error::Error;
use crate::report::shards;
use crate::seek::price_question::is_price_question;
use crate::seek::scope_sweep::{self, ScopeAnswerReceiver, ScopeAxes};
use crate::seek::seek_answer::{self, SeekAnswer, SeekPlan};
use crate::seek::seek_page;
use crate::seek::seek_question::{SEEK_TABLE_KEY, SeekQuestion};
use crate::study::experiment::Experiment;
use crate::study::file::source_document::SourceInput;
use crate::study::solve::RunPlan;
use crate::study::sweep::{
    QuestionFileWithRulebooks, RequestedShardSizes, SweepPlan, add_unchecked_to_catalogue,
    max_collected_cells,
};

/// Remark of `plan` about a search.
pub const WHOLE_GRIDS_NOTE: &str =
    "every grid is solved whole, as by `seek --full`: a fence is work of one machine\n";

/// Returns whether a file is a search.
pub fn is_seek_file_text(text: &str) -> bool {
    text.parse::<toml::Table>().is_ok_and(|file| file.contains_key(SEEK_TABLE_KEY))
}

/// Plans a sweep over the scopes of a search.
///
/// # Errors
/// When the file has faults, its cells are simulated, or no want reads a number that may change.
pub fn plan_sweep_over_scopes(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    input: SourceInput,
    (options, cuts): (&CellSolutionArgs, RequestedShardSizes),
) -> Result<SweepPlan, Error> {
    if options.trials.is_some() || options.precision.is_some() || options.played {
        let problem = "a search is exact: leave out --trials, --precision and --played";
        return Err(Error::Usage(problem.to_owned()));
    }
    if is_price_question(&input.text) {
        let problem = "all variants of a unit are one arsenal: use `enfilade seek`";
        return Err(Error::Usage(problem.to_owned()));
    }
    let catalogue = rulebooks.catalogue_for_input(catalogue, &input)?;
    let (question, plan) = read_search_and_find_scopes(&catalogue, &input, &options.machine)?;
    let text = scope_sweep::write_scopes_as_experiment(&question, &plan)?;
    let with_unchecked = add_unchecked_to_catalogue(catalogue.clone(), &text)?;
    let cells = max_collected_cells();
    let read =
        Experiment::read_checking_all_or_samples(&with_unchecked, &input.name, &text, cells)?;
    let exact = CellSolutionArgs { exact_only: true, ..options.clone() };
    let settings = exact.solver_settings_for(&read.0);
    let scopes = SourceInput { text, ..input.clone() };
    let run = RunPlan::new(scopes, read, settings);
    // Refused now rather than after all shards are solved.
    ScopeAnswerReceiver::new(&question, plan, &axes_of_run(&run))?;
    let question = QuestionFileWithRulebooks { input, catalogue };
    Ok(SweepPlan::for_question(run, cuts, crate::PROGRAM_BUILD_ID, question))
}

/// Reads a search and finds its scopes.
fn read_search_and_find_scopes(
    catalogue: &Catalogue,
    input: &SourceInput,
    machine: &ExecutionArgs,
) -> Result<(SeekQuestion, SeekPlan), Error> {
    let halt = crate::cli::signals::token_of_first_signal()?;
    let mut question = SeekQuestion::read_or_cancel(catalogue, &input.name, &input.text, halt)?;
    question.work = None;
    let progress = TerminalRunProgress::new(0, machine.quiet)?;
    let pool = machine.build_thread_pool()?;
    let plan = pool.install(|| seek_answer::plan_cells_to_solve(&mut question, &progress));
    progress.remove_bar();
    Ok((question, plan?))
}

fn axes_of_run(run: &RunPlan) -> ScopeAxes {
    let axes = |axes: Vec<(&str, usize)>| {
        axes.into_iter().map(|(name, size)| (name.to_owned(), size)).collect()
    };
    run.cells.contest_grids().map(|side| axes(side.axes)).collect()
}

/// Joins the parts of a sweep over scopes, and writes the folder of `enfilade seek`.
///
/// # Errors
/// When parts are missing or damaged, or the folder cannot be written.
pub fn merge_parts_into_folder(
    plan: &SweepPlan,
    question: &QuestionFileWithRulebooks,
    (parts, out): (&Path, &Path),
    machine: &ExecutionArgs,
) -> Result<OutputAndError, Error> {
    let QuestionFileWithRulebooks { input, catalogue } = question;
    let claim = seek_folder::claim_new_or_earlier_folder(out, input)?;
    let (question, scopes) = read_search_and_find_scopes(catalogue, input, machine)?;
    let mut collected = ScopeAnswerReceiver::new(&question, scopes, &axes_of_run(&plan.run))?;
    let pool = machine.build_thread_pool()?;
    let progress = TerminalRunProgress::new(0, machine.quiet)?;
    pool.install(|| shards::send_merged_shards_to_sink(plan, parts, &mut collected))?;
    let answer: Result<SeekAnswer, _> = pool.install(|| collected.join_answers(&progress));
    progress.remove_bar();
    let answer = answer?;
    seek_folder::write_folder(&claim, input, (&question, &answer))?;
    let best = question.best.unwrap_or(seek_page::DEFAULT_DESIGNS_SHOWN);
    let command = format!("enfilade seek {}", input.name);
    let text = seek_page::render_answer_text(&question, &answer, best, &command);
    let text = text + &file_to_open_hint(claim.folder());
    Ok(OutputAndError::new(text, super::seek::incomplete_or_no_fit_error(&question, &answer)))
}
