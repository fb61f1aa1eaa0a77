//! `enfilade sweep` of a file with `[seek]`: its scopes are the cells, and the merge joins them.

use std::path::Path;

use super::seek_folder;
use crate::catalogue::Catalogue;
use crate::cli::args::{MachineArgs, RulebookArgs, SolveArgs};
use crate::cli::command_output::{OutputAndError, file_to_open_hint};
use crate::cli::progress::RunProgress;
use crate::error::Error;
use crate::report::shards;
use crate::seek::price_question::is_price_question;
use crate::seek::scope_sweep::{self, ScopeAnswers, ScopeAxes};
use crate::seek::seek_answer::{self, SeekAnswer, SeekPlan};
use crate::seek::seek_page;
use crate::seek::seek_question::{SEEK_TABLE_KEY, SeekQuestion};
use crate::study::experiment::Experiment;
use crate::study::file::source_document::SourceInput;
use crate::study::solve::RunPlan;
use crate::study::sweep::{
    RequestedShardSizes, SweepPlan, SweptQuestion, max_collected_cells, with_unchecked_rulebooks,
};

/// Remark of `plan` about a search.
pub const WHOLE_GRIDS_NOTE: &str =
    "every grid is solved whole, as by `seek --full`: a fence is work of one machine\n";

/// Returns whether a file is a search.
pub fn is_search(text: &str) -> bool {
    text.parse::<toml::Table>().is_ok_and(|file| file.contains_key(SEEK_TABLE_KEY))
}

/// Plans a sweep over the scopes of a search.
///
/// # Errors
/// When the file has faults, its cells are simulated, or no want reads a number that may change.
pub fn plan_scopes(
    catalogue: &Catalogue,
    rulebooks: &RulebookArgs,
    input: SourceInput,
    (options, cuts): (&SolveArgs, RequestedShardSizes),
) -> Result<SweepPlan, Error> {
    if options.trials.is_some() || options.precision.is_some() || options.played {
        let problem = "a search is exact: leave out --trials, --precision and --played";
        return Err(Error::Usage(problem.to_owned()));
    }
    if is_price_question(&input.text) {
        let problem = "all variants of a unit are one arsenal: use `enfilade seek`";
        return Err(Error::Usage(problem.to_owned()));
    }
    let catalogue = rulebooks.catalogue_with_named_rulebooks(catalogue, &input)?;
    let (question, plan) = read_and_plan(&catalogue, &input, &options.machine)?;
    let text = scope_sweep::write_scopes_as_experiment(&question, &plan)?;
    let with_unchecked = with_unchecked_rulebooks(catalogue.clone(), &text)?;
    let cells = max_collected_cells();
    let read = Experiment::read_checking_sample_cells(&with_unchecked, &input.name, &text, cells)?;
    let exact = SolveArgs { exact_only: true, ..options.clone() };
    let settings = exact.solver_settings_for(&read.0);
    let scopes = SourceInput { text, ..input.clone() };
    let run = RunPlan::new(scopes, read, settings);
    // Refused now rather than after all shards are solved.
    ScopeAnswers::new(&question, plan, &axes_of_run(&run))?;
    let question = SweptQuestion { input, catalogue };
    Ok(SweepPlan::for_question(run, cuts, crate::PROGRAM_BUILD_ID, question))
}

/// Reads a search and finds its scopes.
fn read_and_plan(
    catalogue: &Catalogue,
    input: &SourceInput,
    machine: &MachineArgs,
) -> Result<(SeekQuestion, SeekPlan), Error> {
    let halt = crate::cli::signals::token_of_first_signal()?;
    let mut question = SeekQuestion::read_or_cancel(catalogue, &input.name, &input.text, halt)?;
    question.work = None;
    let progress = RunProgress::new(0, machine.quiet)?;
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
pub fn merge_scopes(
    plan: &SweepPlan,
    question: &SweptQuestion,
    (parts, out): (&Path, &Path),
    machine: &MachineArgs,
) -> Result<OutputAndError, Error> {
    let SweptQuestion { input, catalogue } = question;
    let claim = seek_folder::claim_folder(out, input)?;
    let (question, scopes) = read_and_plan(catalogue, input, machine)?;
    let mut collected = ScopeAnswers::new(&question, scopes, &axes_of_run(&plan.run))?;
    let pool = machine.build_thread_pool()?;
    let progress = RunProgress::new(0, machine.quiet)?;
    pool.install(|| shards::merge_all_shards(plan, parts, &mut collected))?;
    let answer: Result<SeekAnswer, _> = pool.install(|| collected.join_answers(&progress));
    progress.remove_bar();
    let answer = answer?;
    seek_folder::write_folder(&claim, input, (&question, &answer))?;
    let best = question.best.unwrap_or(seek_page::DEFAULT_DESIGNS_SHOWN);
    let command = format!("enfilade seek {}", input.name);
    let text = seek_page::render_answer_text(&question, &answer, best, &command);
    let text = text + &file_to_open_hint(claim.folder());
    Ok(OutputAndError::new(text, super::seek::no_design_error(&question, &answer)))
}
