//! Plan of a sweep: one small file with everything a worker needs, and a hash that names it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::journal::BuildId;
use crate::error::StudyError;
use crate::experiment::{Experiment, StopRule};
use crate::file::rulebook_loader;
use crate::file::source_document;
use crate::solve::{RunPlan, Settings};
use enfilade_engine::random_stream::{STREAM_VERSION, to_hex};
use enfilade_engine::simulate::{self, Isa};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::form::bounds::{COLLECTED_CELLS, TRIALS};
use enfilade_stats::precision::trials_for;

/// Version of the file.
const VERSION: u32 = 1;

/// Default number of cells in a shard: some ten seconds of exact work.
const CELLS_PER_SHARD: u64 = 200_000;

/// Default number of trials in a shard: some ten seconds of rolling.
const TRIALS_PER_SHARD: u64 = 20_000_000_000;

/// Sizes of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardSizes {
    /// Number of cells in a shard; the last one may have fewer.
    pub cells_per_shard: u64,
    /// Number of shares of a cell's trials.
    pub shares: u64,
}

/// Requested sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShardRequest {
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
    pub terms: ShardSizes,
    /// Text of the file.
    pub text: String,
    /// SHA-256 of the text in hexadecimal digits.
    pub hash: String,
}

#[derive(Serialize, Deserialize)]
struct PlanFile {
    plan: u32,
    enfilade: String,
    build: String,
    stream: u32,
    target: String,
    input: PlanInput,
    rulebooks: Vec<Vec<PlanSource>>,
    seed: u64,
    trials: Option<u64>,
    precision: Option<f64>,
    exact_only: bool,
    played: bool,
    /// Requested limit of the states of a contest without a graph.
    states: Option<usize>,
    contests: Vec<PlanContest>,
    cells: u64,
    #[serde(flatten)]
    terms: ShardSizes,
    shards: u64,
}

#[derive(Serialize, Deserialize)]
struct PlanInput {
    name: String,
    sha256: String,
    text: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct PlanSource {
    name: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct PlanContest {
    name: String,
    cells: u64,
    axes: Vec<(String, usize)>,
}

/// Targets whose exact numbers and counts were compared and are the same (`packaging/same`): the
/// shards of one sweep may come from all of them, in either byte order.
const EQUIVALENT_TARGETS: [&str; 4] =
    ["x86_64-linux", "x86_64-windows", "aarch64-linux", "s390x-linux"];

/// Returns the name of the processor and the system.
fn target_name() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Returns whether two targets are known to give the same bytes.
fn is_equivalent(one: &str, other: &str) -> bool {
    one == other || (EQUIVALENT_TARGETS.contains(&one) && EQUIVALENT_TARGETS.contains(&other))
}

impl SweepPlan {
    /// The plan of a sweep that does the work of `run`, by a program of that `build`.
    pub fn new(run: RunPlan, cut: ShardRequest, build: BuildId) -> SweepPlan {
        let terms = cut.shard_sizes(run.cells.len(), &run.settings);
        SweepPlan::with_sizes(run, terms, (build, target_name()))
    }

    /// Creates the plan with these sizes; `made` is the build and the target that created it.
    fn with_sizes(run: RunPlan, terms: ShardSizes, made: (BuildId, String)) -> SweepPlan {
        let file = PlanFile::from_input(&run, terms, made);
        let text = serde_json::to_string_pretty(&file).unwrap_or_default() + "\n";
        let hash = to_hex(&Sha256::digest(&text));
        SweepPlan { run, terms, text, hash }
    }

    /// Reads the plan in `text`, a file called `name` in messages. Built-in rulebooks come from
    /// `catalogue`.
    ///
    /// # Errors
    /// If the text is not a plan, was altered, or was written by another `build` of the program or
    /// on a target that is not known to give the same bytes: the last digit of an exact number may
    /// depend on both.
    pub fn read(
        catalogue: &Catalogue,
        (name, text): (&str, &str),
        isa: Isa,
        build: BuildId,
    ) -> Result<SweepPlan, StudyError> {
        let refuse = |why: String| StudyError::Invalid(format!("{name} {why}"));
        let file: PlanFile = serde_json::from_str(text)
            .map_err(|error| refuse(format!("is no plan of a sweep: {error}")))?;
        file.check_build(build).map_err(refuse)?;
        let catalogue = file.load_catalogue(catalogue)?;
        let stop = match (file.trials, file.precision) {
            (_, Some(precision)) => StopRule::Precision(precision),
            (trials, None) => StopRule::Trials(trials.unwrap_or(1)),
        };
        let settings = Settings {
            seed: file.seed,
            stop,
            isa,
            exact_only: file.exact_only,
            fractions: false,
            played: file.played,
            states: file.states,
        };
        let PlanInput { name: of, text: asked, .. } = file.input;
        let read = Experiment::read_for_streaming(&catalogue, &of, &asked, max_collected())?;
        let (folder, origin) = (PathBuf::new(), source_document::InputOrigin::File);
        let input = source_document::SourceInput { name: of, text: asked, folder, origin };
        let run = RunPlan::new(input, read, settings);
        // The plan is created again from its input: a file that differs was altered.
        let plan = SweepPlan::with_sizes(run, file.terms, (build, file.target));
        match plan.text == text {
            true => Ok(plan),
            false => Err(refuse("was altered since it was planned: plan it again".to_owned())),
        }
    }

    /// Returns the number of shards.
    pub fn shard_count(&self) -> u64 {
        self.terms.count_shards(self.run.cells.len())
    }
}

/// Returns the largest number of cells that are collected together.
pub fn max_collected() -> u64 {
    COLLECTED_CELLS.high.unsigned_abs()
}

impl ShardSizes {
    fn count_shards(self, cells: u64) -> u64 {
        cells.div_ceil(self.cells_per_shard.max(1)).saturating_mul(self.shares)
    }
}

impl ShardRequest {
    fn shard_sizes(self, cells: u64, settings: &Settings) -> ShardSizes {
        let trials = match (settings.exact_only, settings.stop) {
            (true, _) => 0,
            (false, StopRule::Trials(trials)) => trials,
            // No chance is less certain than an even one.
            (false, StopRule::Precision(wanted)) => {
                trials_for(wanted, [0.5], TRIALS.high.unsigned_abs())
            }
        };
        let most = self.trials_per_shard.unwrap_or(TRIALS_PER_SHARD).max(1);
        let shares = trials.div_ceil(most).clamp(1, simulate::unit_count(trials).max(1));
        let by_trials = (most / trials.max(1)).max(1);
        let by_number = self.shards.map(|shards| cells.div_ceil((shards / shares).max(1)));
        let chosen = self.cells_per_shard.or(by_number);
        let cells_per_shard = chosen.unwrap_or(CELLS_PER_SHARD.min(by_trials));
        ShardSizes { cells_per_shard: cells_per_shard.clamp(1, cells.max(1)), shares }
    }
}

impl PlanFile {
    fn from_input(
        run: &RunPlan,
        terms: ShardSizes,
        (build, target): (BuildId, String),
    ) -> PlanFile {
        let RunPlan { input, spec, cells: grid, settings, .. } = run;
        let (trials, precision) = match settings.stop {
            StopRule::Trials(trials) => (Some(trials), None),
            StopRule::Precision(precision) => (None, Some(precision)),
        };
        let sources = |system: &std::sync::Arc<System>| {
            let files = system.files.iter();
            let source = |file: &enfilade_model::catalogue::SourceFile| PlanSource {
                name: file.name.to_string(),
                text: file.text.to_string(),
            };
            files.map(source).collect()
        };
        let contests = grid.contest_grids().map(|side| PlanContest {
            name: side.name.to_owned(),
            cells: side.cells,
            axes: side.axes.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        });
        let cells = grid.len();
        PlanFile {
            plan: VERSION,
            enfilade: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.0.to_owned(),
            stream: STREAM_VERSION,
            target,
            input: PlanInput {
                name: input.name.clone(),
                sha256: to_hex(&Sha256::digest(&input.text)),
                text: input.text.clone(),
            },
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
            shards: terms.count_shards(cells),
        }
    }

    fn check_build(&self, BuildId(here): BuildId) -> Result<(), String> {
        if self.plan != VERSION {
            return Err(format!("is a plan of version {}, not {VERSION}", self.plan));
        }
        if (self.build.as_str(), self.stream) != (here, STREAM_VERSION) {
            let Self { enfilade, build, .. } = self;
            let own = env!("CARGO_PKG_VERSION");
            return Err(format!(
                "was planned by enfilade {enfilade}, build {build}, and this is {own}, build {here}"
            ));
        }
        match is_equivalent(&self.target, &target_name()) {
            true => Ok(()),
            false => Err(format!("was planned on {}, and this is {}", self.target, target_name())),
        }
    }

    /// Returns `catalogue` with the rulebooks of the plan.
    fn load_catalogue(&self, catalogue: &Catalogue) -> Result<Catalogue, StudyError> {
        let mut catalogue = catalogue.clone();
        for files in &self.rulebooks {
            let near = |name: &str| {
                let found = files.iter().find(|file| file.name == name);
                found.map(|file| file.text.clone()).ok_or_else(|| format!("`{name}` is not there"))
            };
            let Some(first) = files.first() else { continue };
            let id = rulebook_loader::rulebook_name(first.name.as_ref());
            catalogue = catalogue
                .with_system(enfilade_rules::read(&id, &first.name, &first.text, &near)?.system);
        }
        Ok(catalogue)
    }
}
