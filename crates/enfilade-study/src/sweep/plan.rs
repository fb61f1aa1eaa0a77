//! Plan of a sweep: one small file with everything a worker needs, and a hash that names it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::journal::BuildId;
use crate::error::StudyError;
use crate::experiment::{Experiment, SimulationStopRule};
use crate::file::rulebook_loader;
use crate::file::source_document;
use crate::solve::{RunPlan, SolverSettings};
use enfilade_engine::random_stream::{SEED_MAPPING_VERSION, to_hex};
use enfilade_engine::simulate::{self, InstructionSet};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::bounds::{COLLECTED_CELLS_RANGE, TRIAL_COUNT_RANGE};
use enfilade_stats::precision::trials_for_standard_error;

/// Version of the file.
const PLAN_FILE_VERSION: u32 = 1;

/// Default number of cells in a shard: some ten seconds of exact work.
const DEFAULT_CELLS_PER_SHARD: u64 = 200_000;

/// Default number of trials in a shard: some ten seconds of rolling.
const DEFAULT_TRIALS_PER_SHARD: u64 = 20_000_000_000;

/// Sizes of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellsPerShardAndShares {
    /// Number of cells in a shard; the last one may have fewer.
    pub cells_per_shard: u64,
    /// Number of shares of a cell's trials.
    pub shares: u64,
}

/// Requested sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct RequestedShardSizes {
    /// Approximate number of shards.
    pub shards: Option<u64>,
    /// Number of cells in a shard.
    pub cells_per_shard: Option<u64>,
    /// Largest number of trials of a cell in a shard.
    pub trials_per_shard: Option<u64>,
}

/// Plan of a sweep.
#[derive(Debug)]
pub struct SweepPlan {
    /// Experiment, cells and settings.
    pub run: RunPlan,
    /// Sizes of the shards.
    pub terms: CellsPerShardAndShares,
    /// Text of the file.
    pub text: String,
    /// SHA-256 of the text in hexadecimal digits.
    pub hash: String,
    /// The question whose scopes the cells are, if the experiment was made from one.
    #[doc(hidden)]
    pub question: Option<QuestionFileWithRulebooks>,
}

/// Question whose scopes a sweep solves.
#[derive(Clone, Debug)]
pub struct QuestionFileWithRulebooks {
    /// Its file.
    pub input: source_document::SourceInput,
    /// Rulebooks of the file.
    pub catalogue: Catalogue,
}

#[derive(Serialize, Deserialize)]
struct PlanFile {
    plan: u32,
    enfilade: String,
    build: String,
    stream: u32,
    target: String,
    input: PlanInput,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    question: Option<PlanInput>,
    rulebooks: Vec<Vec<PlanRulebookFile>>,
    seed: u64,
    trials: Option<u64>,
    precision: Option<f64>,
    exact_only: bool,
    played: bool,
    /// Requested limit of the states of a contest without a graph.
    states: Option<usize>,
    contests: Vec<PlanContestGridSize>,
    cells: u64,
    #[serde(flatten)]
    terms: CellsPerShardAndShares,
    shards: u64,
}

#[derive(Serialize, Deserialize)]
struct PlanInput {
    name: String,
    sha256: String,
    text: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct PlanRulebookFile {
    name: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct PlanContestGridSize {
    name: String,
    cells: u64,
    axes: Vec<(String, usize)>,
}

/// Targets whose exact numbers and counts were compared and are the same (`packaging/same`): the
/// shards of one sweep may come from all of them, in either byte order.
const TARGETS_WITH_EQUAL_RESULTS: [&str; 4] =
    ["x86_64-linux", "x86_64-windows", "aarch64-linux", "s390x-linux"];

/// Returns the name of the processor and the system.
fn processor_and_system() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Returns whether two targets are known to give the same bytes.
fn gives_same_bytes(one: &str, other: &str) -> bool {
    one == other
        || (TARGETS_WITH_EQUAL_RESULTS.contains(&one)
            && TARGETS_WITH_EQUAL_RESULTS.contains(&other))
}

impl SweepPlan {
    /// The plan of a sweep that does the work of `run`, by a program of that `build`.
    pub fn new(run: RunPlan, cut: RequestedShardSizes, build: BuildId) -> SweepPlan {
        let terms = cut.sizes_with_defaults(run.cells.len(), &run.settings);
        SweepPlan::from_run_and_sizes(run, terms, (build, processor_and_system()), None)
    }

    /// The plan of a sweep over the scopes of a question.
    #[doc(hidden)]
    pub fn for_question(
        run: RunPlan,
        cut: RequestedShardSizes,
        build: BuildId,
        question: QuestionFileWithRulebooks,
    ) -> SweepPlan {
        let terms = cut.sizes_with_defaults(run.cells.len(), &run.settings);
        let made = (build, processor_and_system());
        SweepPlan::from_run_and_sizes(run, terms, made, Some(question))
    }

    /// Creates the plan with these sizes; `build_and_target` is the build and the target that
    /// created it.
    fn from_run_and_sizes(
        run: RunPlan,
        terms: CellsPerShardAndShares,
        build_and_target: (BuildId, String),
        question: Option<QuestionFileWithRulebooks>,
    ) -> SweepPlan {
        let file = PlanFile::from_run_plan(&run, terms, build_and_target);
        let asked = question.as_ref().map(|question| PlanInput::of(&question.input));
        let file = PlanFile { question: asked, ..file };
        let text = serde_json::to_string_pretty(&file).unwrap_or_default() + "\n";
        let hash = to_hex(&Sha256::digest(&text));
        SweepPlan { run, terms, text, hash, question }
    }

    /// Reads the plan in `text`, a file called `name` in messages. Built-in rulebooks come from
    /// `catalogue`.
    ///
    /// # Errors
    /// If the text is not a plan, was altered, or was written by another `build` of the program or
    /// on a target that is not known to give the same bytes: the last digit of an exact number may
    /// depend on both.
    pub fn read_plan_text(
        catalogue: &Catalogue,
        (name, text): (&str, &str),
        isa: InstructionSet,
        build: BuildId,
    ) -> Result<SweepPlan, StudyError> {
        let refuse = |why: String| StudyError::Invalid(format!("{name} {why}"));
        let file: PlanFile = serde_json::from_str(text)
            .map_err(|error| refuse(format!("is no plan of a sweep: {error}")))?;
        file.check_same_build(build).map_err(refuse)?;
        let named = file.catalogue_with_rulebooks(catalogue)?;
        let question = file.question.map(|own| QuestionFileWithRulebooks {
            input: own.into_source_input(),
            catalogue: named.clone(),
        });
        let stop = match (file.trials, file.precision) {
            (_, Some(precision)) => SimulationStopRule::Precision(precision),
            (trials, None) => SimulationStopRule::Trials(trials.unwrap_or(1)),
        };
        let settings = SolverSettings {
            seed: file.seed,
            stop,
            isa,
            exact_only: file.exact_only,
            fractions: false,
            bounds: false,
            played: file.played,
            states: file.states,
        };
        let PlanInput { name: of, text: asked, .. } = file.input;
        let catalogue = match &question {
            Some(_) => add_unchecked_to_catalogue(named, &asked)?,
            None => named,
        };
        let read = Experiment::read_checking_all_or_samples(
            &catalogue,
            &of,
            &asked,
            max_collected_cells(),
        )?;
        let input = source_input_from_text(of, asked);
        let run = RunPlan::new(input, read, settings);
        // The plan is created again from its input: a file that differs was altered.
        let made = (build, file.target);
        let plan = SweepPlan::from_run_and_sizes(run, file.terms, made, question);
        match plan.text == text {
            true => Ok(plan),
            false => Err(refuse("was altered since it was planned: plan it again".to_owned())),
        }
    }

    /// Returns the number of shards.
    pub fn shard_count(&self) -> u64 {
        self.terms.shard_count_for_cells(self.run.cells.len())
    }
}

fn source_input_from_text(name: String, text: String) -> source_document::SourceInput {
    let (folder, origin) = (PathBuf::new(), source_document::AllowedFilePaths::File);
    source_document::SourceInput { name, text, folder, origin }
}

/// Returns `catalogue` with the rulebooks without checks that contests of `text` name.
///
/// # Errors
/// If one of them is unknown.
pub fn add_unchecked_to_catalogue(
    catalogue: Catalogue,
    text: &str,
) -> Result<Catalogue, StudyError> {
    let table: toml::Table = text.parse().unwrap_or_default();
    let contests = table.get("contest").and_then(toml::Value::as_array);
    let names = contests.into_iter().flatten();
    let mut names = names.filter_map(|contest| contest.get("system")?.as_str());
    let with = |catalogue: Catalogue, name: &str| catalogue.with_copy_without_checks(name);
    let catalogue = names.try_fold(catalogue, with);
    catalogue.map_err(|fault| StudyError::Invalid(fault.problem))
}

/// Returns the largest number of cells that are collected together.
pub fn max_collected_cells() -> u64 {
    COLLECTED_CELLS_RANGE.high.unsigned_abs()
}

impl CellsPerShardAndShares {
    fn shard_count_for_cells(self, cells: u64) -> u64 {
        cells.div_ceil(self.cells_per_shard.max(1)).saturating_mul(self.shares)
    }
}

impl RequestedShardSizes {
    fn sizes_with_defaults(self, cells: u64, settings: &SolverSettings) -> CellsPerShardAndShares {
        let trials = match (settings.exact_only, settings.stop) {
            (true, _) => 0,
            (false, SimulationStopRule::Trials(trials)) => trials,
            // No chance is less certain than an even one.
            (false, SimulationStopRule::Precision(wanted)) => {
                trials_for_standard_error(wanted, [0.5], TRIAL_COUNT_RANGE.high.unsigned_abs())
            }
        };
        let most = self.trials_per_shard.unwrap_or(DEFAULT_TRIALS_PER_SHARD).max(1);
        let shares = trials.div_ceil(most).clamp(1, simulate::work_unit_count(trials).max(1));
        let by_trials = (most / trials.max(1)).max(1);
        let by_number = self.shards.map(|shards| cells.div_ceil((shards / shares).max(1)));
        let chosen = self.cells_per_shard.or(by_number);
        let cells_per_shard = chosen.unwrap_or(DEFAULT_CELLS_PER_SHARD.min(by_trials));
        CellsPerShardAndShares { cells_per_shard: cells_per_shard.clamp(1, cells.max(1)), shares }
    }
}

impl PlanInput {
    fn of(input: &source_document::SourceInput) -> PlanInput {
        PlanInput {
            name: input.name.clone(),
            sha256: to_hex(&Sha256::digest(&input.text)),
            text: input.text.clone(),
        }
    }

    fn into_source_input(self) -> source_document::SourceInput {
        source_input_from_text(self.name, self.text)
    }
}

impl PlanFile {
    fn from_run_plan(
        run: &RunPlan,
        terms: CellsPerShardAndShares,
        (build, target): (BuildId, String),
    ) -> PlanFile {
        let RunPlan { input, spec, cells: grid, settings, .. } = run;
        let (trials, precision) = match settings.stop {
            SimulationStopRule::Trials(trials) => (Some(trials), None),
            SimulationStopRule::Precision(precision) => (None, Some(precision)),
        };
        let sources = |system: &std::sync::Arc<System>| {
            let files = system.files.iter();
            let source = |file: &enfilade_model::catalogue::SourceFile| PlanRulebookFile {
                name: file.name.to_string(),
                text: file.text.to_string(),
            };
            files.map(source).collect()
        };
        let contests = grid.contest_grids().map(|side| PlanContestGridSize {
            name: side.name.to_owned(),
            cells: side.cells,
            axes: side.axes.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        });
        let cells = grid.len();
        PlanFile {
            plan: PLAN_FILE_VERSION,
            enfilade: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.0.to_owned(),
            stream: SEED_MAPPING_VERSION,
            target,
            input: PlanInput::of(input),
            question: None,
            // In full, as the input is: a worker has this file and no other.
            rulebooks: spec.rulebooks.iter().map(sources).collect(),
            seed: settings.seed,
            trials,
            precision,
            exact_only: settings.exact_only,
            played: settings.played,
            states: settings.states,
            contests: contests.collect(),
            cells,
            terms,
            shards: terms.shard_count_for_cells(cells),
        }
    }

    fn check_same_build(&self, BuildId(here): BuildId) -> Result<(), String> {
        if self.plan != PLAN_FILE_VERSION {
            return Err(format!("is a plan of version {}, not {PLAN_FILE_VERSION}", self.plan));
        }
        if (self.build.as_str(), self.stream) != (here, SEED_MAPPING_VERSION) {
            let Self { enfilade, build, .. } = self;
            let own = env!("CARGO_PKG_VERSION");
            return Err(format!(
                "was planned by enfilade {enfilade}, build {build}, and this is {own}, build {here}"
            ));
        }
        match gives_same_bytes(&self.target, &processor_and_system()) {
            true => Ok(()),
            false => Err(format!(
                "was planned on {}, and this is {}",
                self.target,
                processor_and_system()
            )),
        }
    }

    /// Returns `catalogue` with the rulebooks of the plan.
    fn catalogue_with_rulebooks(&self, catalogue: &Catalogue) -> Result<Catalogue, StudyError> {
        let mut catalogue = catalogue.clone();
        for files in &self.rulebooks {
            let near = |name: &str| {
                let found = files.iter().find(|file| file.name == name);
                found.map(|file| file.text.clone()).ok_or_else(|| format!("`{name}` is not there"))
            };
            let Some(first) = files.first() else { continue };
            let id = rulebook_loader::rulebook_name_of_path(first.name.as_ref());
            catalogue = catalogue.with_rulebook(
                enfilade_rules::read_without_built_in_base(&id, &first.name, &first.text, &near)?
                    .system,
            );
        }
        Ok(catalogue)
    }
}
