//! `enfilade sweep`: any number of cells, on any number of machines.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::seek_sweep;
use crate::catalogue::Catalogue;
use crate::cli::args::question_args;
use crate::cli::args::{CellSolutionArgs, ExecutionArgs, ExtraRulebookArgs};
use crate::cli::command_output::OutputAndError;
use crate::cli::command_steps::{self, CellCountLimit, CommandStartTime};
use crate::cli::progress::TerminalRunProgress;
use crate::error::{Error, FileError};
use crate::plain_file::{self, MAX_OWN_TEXT_BYTES};
use crate::report::folder::manifest::{self, InputFileWithRulebooks, RunFacts};
use crate::report::folder::staging::{AtomicOutputFile, FolderClaim};
use crate::report::run::streaming_run::RunFolderSink;
use crate::report::shards::shard_file;
use crate::report::{self, shards};
use crate::simulate::InstructionSet;
use crate::study::answer::Answer;
use crate::study::solve::AnswersAndInterruption;
use crate::study::solve::streaming::CollectingSink;
use crate::study::sweep::{RequestedShardSizes, SweepPlan};

mod emit;
mod status;

/// Answer an experiment of any size in shards, on one machine or on many
///
/// `plan` sets how the work is cut, `shard` computes a part of it anywhere, `merge` combines the
/// parts to the result of `run`, byte for byte. `run` does all three here, and continues after an
/// interruption. Of a file with `[seek]` the cells are those of its scopes, and `merge` joins them
/// to the answer of `seek`. docs/scale.md shows two machines, a cluster and a cloud.
#[derive(Debug, Args)]
pub struct SweepArgs {
    #[command(subcommand)]
    does: SweepSubcommand,
}

#[derive(Debug, Subcommand)]
enum SweepSubcommand {
    /// Write the plan of the work: one file with everything that a worker needs
    #[command(
        after_help = "Example:\n  enfilade sweep plan experiments/ift_odds.toml --shards 8 --out plan.json"
    )]
    Plan(PlanArgs),
    /// Compute some shards; those with finished parts are skipped
    #[command(after_help = "Example:\n  enfilade sweep shard plan.json 0-3 --parts parts")]
    Shard(ShardRunArgs),
    /// Show which parts are there, and whether they are intact
    #[command(after_help = "Example:\n  enfilade sweep status plan.json --parts parts")]
    Status(status::StatusArgs),
    /// Combine the parts
    #[command(
        after_help = "Example:\n  enfilade sweep merge plan.json --parts parts --out out/ift-odds"
    )]
    Merge(MergeArgs),
    /// Plan, all shards and merge on this machine; continues after an interruption
    #[command(
        after_help = "Example:\n  enfilade sweep run experiments/ift_odds.toml --out out/ift-odds"
    )]
    Run(SweepRunArgs),
    /// Print a file that makes another engine compute the shards
    #[command(after_help = "Example:\n  enfilade sweep emit slurm plan.json > sweep.sh")]
    Emit(emit::EmitArgs),
}

/// The sizes of shards.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Shard sizes")]
struct ShardSizeArgs {
    /// About this many shards
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000), conflicts_with = "cells_per_shard")]
    shards: Option<u64>,
    /// The number of cells in a shard [default: 200000, fewer with many trials]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cells_per_shard: Option<u64>,
    /// The largest number of trials of a cell in a shard [default: 20000000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    trials_per_shard: Option<u64>,
}

impl ShardSizeArgs {
    fn requested_shard_sizes(&self) -> RequestedShardSizes {
        let ShardSizeArgs { shards, cells_per_shard, trials_per_shard } = *self;
        RequestedShardSizes { shards, cells_per_shard, trials_per_shard }
    }
}

#[derive(Debug, Args)]
struct PlanArgs {
    /// The experiment file
    file: PathBuf,
    /// The plan
    #[arg(long, value_name = "FILE", default_value = "plan.json")]
    out: PathBuf,
    #[command(flatten)]
    cuts: ShardSizeArgs,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
    #[command(flatten)]
    options: CellSolutionArgs,
}

#[derive(Debug, Args)]
struct ShardRunArgs {
    /// The plan
    plan: PathBuf,
    /// Numbers of shards, from 0: 3, or 0-9
    #[arg(required = true, value_parser = parse_shard_range)]
    shards: Vec<(u64, u64)>,
    /// The folder for the parts, or - for one part to standard output
    #[arg(long, value_name = "DIR")]
    parts: PathBuf,
    #[command(flatten)]
    machine: ExecutionArgs,
}

#[derive(Debug, Args)]
struct MergeArgs {
    /// The plan
    plan: PathBuf,
    /// The folder of the parts
    #[arg(long, value_name = "DIR")]
    parts: PathBuf,
    #[command(flatten)]
    into: MergedResultFolderArgs,
    #[command(flatten)]
    machine: ExecutionArgs,
}

/// The target of results.
#[derive(Debug, Args)]
struct MergedResultFolderArgs {
    /// The folder for the results
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// End with exit code 0 although cells have no answer
    #[arg(long)]
    allow_errors: bool,
    /// Replace files in the folder that enfilade did not write, or that were changed since
    #[arg(long)]
    overwrite: bool,
}

#[derive(Debug, Args)]
struct SweepRunArgs {
    /// The experiment file
    file: PathBuf,
    #[command(flatten)]
    into: MergedResultFolderArgs,
    #[command(flatten)]
    cuts: ShardSizeArgs,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
    #[command(flatten)]
    options: CellSolutionArgs,
}

/// Parses numbers of shards: `3` or `0-9`.
fn parse_shard_range(text: &str) -> Result<(u64, u64), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err("expected the number of a shard, or a range of them: 3, or 0-9".to_owned()),
    }
}

impl SweepArgs {
    /// Runs the command.
    ///
    /// # Errors
    /// The error of the command; missing shards, or cells without an answer, are
    /// [`Error::Incomplete`].
    pub fn run_sweep_command(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        match &self.does {
            SweepSubcommand::Plan(planned) => planned.run(catalogue),
            SweepSubcommand::Shard(shards) => shards.run(catalogue),
            SweepSubcommand::Status(status) => status.run(catalogue),
            SweepSubcommand::Merge(merge) => merge.run(catalogue),
            SweepSubcommand::Run(whole) => whole.run(catalogue),
            SweepSubcommand::Emit(emit) => emit.render_workflow_file(catalogue),
        }
    }
}

/// Reads the plan in a file.
fn read_plan_file(
    catalogue: &Catalogue,
    path: &Path,
    isa: InstructionSet,
) -> Result<SweepPlan, Error> {
    let name = path.display().to_string();
    let text = plain_file::read_text_up_to(path, MAX_OWN_TEXT_BYTES);
    let text = text.map_err(|refusal| refusal.into_named_error(&name, path))?;
    Ok(SweepPlan::read_plan_text(catalogue, (&name, &text), isa, crate::PROGRAM_BUILD_ID)?)
}

/// Builds the plan of a sweep over an experiment file.
fn build_sweep_plan(
    catalogue: &Catalogue,
    rulebooks: &ExtraRulebookArgs,
    file: &Path,
    options: &CellSolutionArgs,
    cuts: &ShardSizeArgs,
) -> Result<SweepPlan, Error> {
    if options.fractions || options.bounds {
        let problem = "parts store no fractions: leave out --fractions and --bounds";
        return Err(Error::Usage(problem.to_owned()));
    }
    let input = question_args::read_unless_rulebook(file)?;
    if seek_sweep::is_seek_file_text(&input.text) {
        let wanted = (options, cuts.requested_shard_sizes());
        return seek_sweep::plan_sweep_over_scopes(catalogue, rulebooks, input, wanted);
    }
    let input = (input, CellCountLimit::Any);
    let run = command_steps::plan_run_of_input(catalogue, rulebooks, options, input)?;
    Ok(SweepPlan::new(run, cuts.requested_shard_sizes(), crate::PROGRAM_BUILD_ID))
}

impl PlanArgs {
    fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let single =
            AtomicOutputFile::prepare_at_path(&self.out, std::slice::from_ref(&self.file))?;
        let plan =
            build_sweep_plan(catalogue, &self.rulebooks, &self.file, &self.options, &self.cuts)?;
        single.write_whole_content(plan.text.as_bytes())?;
        let (cells, shards) = (plan.run.cells.len(), plan.shard_count());
        let (hash, out) = (&plan.hash[..16], self.out.display());
        let text = format!("{cells} cells in {shards} shards, plan {hash}: wrote {out}\n");
        let note = plan.question.as_ref().map_or("", |_| seek_sweep::WHOLE_GRIDS_NOTE);
        Ok(OutputAndError::from(text + note))
    }
}

impl ShardRunArgs {
    fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let plan = read_plan_file(catalogue, &self.plan, self.machine.chosen_instruction_set())?;
        let numbers: Vec<u64> =
            self.shards.iter().flat_map(|&(first, last)| first..=last).collect();
        if let Some(number) = numbers.iter().find(|&&number| number >= plan.shard_count()) {
            let problem =
                format!("there is no shard {number}: they are 0 to {}", plan.shard_count() - 1);
            return Err(Error::Usage(problem));
        }
        if self.parts.as_os_str() == "-" {
            return self.write_to_stdout(&plan, &numbers);
        }
        let text = compute_missing_shards(&plan, &numbers, &self.parts, &self.machine)?;
        Ok(OutputAndError::from(text))
    }

    fn write_to_stdout(&self, plan: &SweepPlan, numbers: &[u64]) -> Result<OutputAndError, Error> {
        let &[number] = numbers else {
            let problem = "standard output takes one part: give one shard, or a folder";
            return Err(Error::Usage(problem.to_owned()));
        };
        let cells = plan.shard_by_number(number).cells;
        let progress = TerminalRunProgress::new(cells.end - cells.start, self.machine.quiet)?;
        let shard = self
            .machine
            .build_thread_pool()?
            .install(|| shards::compute_shard_name_and_bytes(plan, number, &progress));
        progress.remove_bar();
        let (_, bytes) = shard?.ok_or_else(|| shards_interrupted_error(0, 1))?;
        let written = std::io::stdout().write_all(&bytes);
        written.map_err(FileError::io_error_converter("writing", "standard output"))?;
        Ok(OutputAndError::from(String::new()))
    }
}

fn shards_interrupted_error(done: usize, all: usize) -> Error {
    Error::Interrupted(format!(
        "{done} of {all} shards were done; run the same command again to resume"
    ))
}

/// Computes the shards that have no intact part yet.
fn compute_missing_shards(
    plan: &SweepPlan,
    numbers: &[u64],
    folder: &Path,
    machine: &ExecutionArgs,
) -> Result<String, Error> {
    fs::create_dir_all(folder).map_err(FileError::io_error_converter("making", folder))?;
    let listed = shards::list_shards_of_plan(plan, folder)?;
    let there = |&number: &u64| {
        let part = usize::try_from(number).ok().and_then(|at| listed.parts[at].as_ref());
        part.is_some_and(|path| shards::verify_shard_file(plan, number, path).is_ok())
    };
    let (finished, left): (Vec<u64>, Vec<u64>) = numbers.iter().partition(|number| there(number));
    let cells = left.iter().map(|&number| plan.shard_by_number(number).cells);
    let cells = cells.map(|cells| cells.end - cells.start).sum();
    let progress = TerminalRunProgress::new(cells, machine.quiet)?;
    let pool = machine.build_thread_pool()?;
    for (at, &number) in left.iter().enumerate() {
        let shard =
            pool.install(|| shards::compute_shard_name_and_bytes(plan, number, &progress))?;
        let Some((prefix, bytes)) = shard else {
            progress.remove_bar();
            return Err(shards_interrupted_error(finished.len() + at, numbers.len()));
        };
        // A damaged part is replaced by an intact one.
        if let Some(damaged) = usize::try_from(number).ok().and_then(|at| listed.parts[at].as_ref())
        {
            let _ = fs::remove_file(damaged);
        }
        shard_file::write_under_hash_if_absent(folder, &prefix, &bytes)?;
    }
    progress.remove_bar();
    Ok(match finished.len() {
        0 => format!("{} shards done\n", left.len()),
        before => format!("{} shards done, {before} were there\n", left.len()),
    })
}

impl MergeArgs {
    fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let plan = read_plan_file(catalogue, &self.plan, self.machine.chosen_instruction_set())?;
        self.into.merge_into_target(
            &plan,
            &self.parts,
            &self.plan,
            &self.machine,
            CommandStartTime::now(),
        )
    }
}

impl MergedResultFolderArgs {
    /// Merges the parts of a command that started at `clock`.
    fn merge_into_target(
        &self,
        plan: &SweepPlan,
        parts: &Path,
        input: &Path,
        machine: &ExecutionArgs,
        clock: CommandStartTime,
    ) -> Result<OutputAndError, Error> {
        if let Some(question) = &plan.question {
            let page =
                seek_sweep::merge_parts_into_folder(plan, question, (parts, &self.out), machine)?;
            return Ok(self.without_allowed_error(page));
        }
        let run = &plan.run;
        let experiment = &run.spec;
        let writes = report::folder::archived_rules::copy_and_written_file_names(
            report::RUN_FILE_NAMES,
            &experiment.rulebooks,
        );
        let claim = command_steps::claim_result_folder(
            &self.out,
            &[&input.to_owned()],
            self.overwrite,
            writes,
        )?;
        let file = InputFileWithRulebooks::new(&*run.input.name, &run.input.text)
            .with_rulebooks(&experiment.rulebooks);
        let identity = manifest::build_identity_keys(
            experiment,
            &run.settings,
            &file,
            crate::PROGRAM_BUILD_ID,
        );
        let facts = || clock.facts_of_finished_run(Some(file), Some(identity));
        let pool = machine.build_thread_pool()?;
        let page = if run.collects_all_answers() {
            let mut collected = CollectingSink::default();
            pool.install(|| shards::send_merged_shards_to_sink(plan, parts, &mut collected))?;
            write_results_as_run_does(&claim, plan, collected.answers, &facts())?
        } else {
            let mut large = RunFolderSink::new(&claim, run)?;
            pool.install(|| shards::send_merged_shards_to_sink(plan, parts, &mut large))?;
            command_steps::commit_large_run(
                large,
                experiment,
                &facts(),
                &report::default_formats_beside_svg(),
            )?
        };
        Ok(self.without_allowed_error(page))
    }

    /// Drops the error of cells without an answer, if that is allowed.
    fn without_allowed_error(&self, page: OutputAndError) -> OutputAndError {
        let allowed = |error: &Error| self.allow_errors && matches!(error, Error::Incomplete(_));
        OutputAndError { error: page.error.filter(|error| !allowed(error)), ..page }
    }
}

/// Writes the results of a small sweep, as `run` does.
fn write_results_as_run_does(
    claim: &FolderClaim,
    plan: &SweepPlan,
    answers: Vec<Answer>,
    facts: &RunFacts,
) -> Result<OutputAndError, Error> {
    let experiment = &plan.run.spec;
    report::write_run_folder(
        claim,
        experiment,
        &answers,
        facts,
        report::OptionalRunFiles {
            pictures: &report::default_formats_beside_svg(),
            ..report::OptionalRunFiles::default()
        },
    )?;
    let solved = AnswersAndInterruption { answers, interrupted: false };
    let text = super::run::describe_written_results(experiment, &solved, claim.folder(), facts);
    let cells = experiment.cell_count;
    let error = command_steps::disagreement_or_interruption(&solved, cells);
    Ok(OutputAndError::new(text, error))
}

impl SweepRunArgs {
    fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let SweepRunArgs { file, into, options, .. } = self;
        let clock = CommandStartTime::now();
        let plan = build_sweep_plan(catalogue, &self.rulebooks, file, options, &self.cuts)?;
        let mut folder = into.out.clone().into_os_string();
        folder.push(".parts");
        let folder = PathBuf::from(folder);
        let all: Vec<u64> = (0..plan.shard_count()).collect();
        compute_missing_shards(&plan, &all, &folder, &options.machine)?;
        let page = into.merge_into_target(&plan, &folder, file, &options.machine, clock)?;
        // The results are in place; of the parts, only those of this plan are removed.
        for path in shards::list_shards_of_plan(&plan, &folder)?.parts.into_iter().flatten() {
            let _ = fs::remove_file(path);
        }
        let _ = fs::remove_dir(folder);
        Ok(page)
    }
}
