//! Plan of a sweep: one small file with everything a worker needs, and a hash that names it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::journal::BuildId;
use crate::experiment::{Experiment, Stop};
use crate::file::document;
use crate::file::rulebook_loader;
use crate::solve::{RunPlan, Settings};
use enfilade_engine::random_stream::{STREAM_VERSION, hexadecimal};
use enfilade_engine::simulate::{self, Isa};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::Error;
use enfilade_model::form::bounds::{KEPT, TRIALS};
use enfilade_stats::precision::trials_for;

/// Version of the file.
const VERSION: u32 = 1;

/// Default number of cells in a shard: some ten seconds of exact work.
const CELLS_PER_SHARD: u64 = 200_000;

/// Default number of trials in a shard: some ten seconds of rolling.
const TRIALS_PER_SHARD: u64 = 20_000_000_000;

/// Sizes of the shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Number of cells in a shard; the last one may have fewer.
    pub cells_per_shard: u64,
    /// Number of shares of a cell's trials.
    pub shares: u64,
}

/// Requested sizes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cut {
    /// Approximate number of shards.
    pub shards: Option<u64>,
    /// Number of cells in a shard.
    pub cells_per_shard: Option<u64>,
    /// Largest number of trials of a cell in a shard.
    pub trials_per_shard: Option<u64>,
}

/// Plan of a sweep.
#[derive(Debug)]
pub struct Plan {
    /// What is asked, of which cells, and how they are solved.
    pub run: RunPlan,
    /// How the work is cut.
    pub terms: Terms,
    /// Text of the file.
    pub text: String,
    /// SHA-256 of the text in hexadecimal digits.
    pub hash: String,
}

#[derive(Serialize, Deserialize)]
struct File {
    plan: u32,
    enfilade: String,
    build: String,
    stream: u32,
    target: String,
    input: Input,
    rulebooks: Vec<Vec<Source>>,
    seed: u64,
    trials: Option<u64>,
    precision: Option<f64>,
    exact_only: bool,
    played: bool,
    /// Requested limit of the states of a contest without a graph.
    states: Option<usize>,
    contests: Vec<Contest>,
    cells: u64,
    #[serde(flatten)]
    terms: Terms,
    shards: u64,
}

#[derive(Serialize, Deserialize)]
struct Input {
    name: String,
    sha256: String,
    text: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Source {
    name: String,
    text: String,
}

#[derive(Serialize, Deserialize)]
struct Contest {
    name: String,
    cells: u64,
    axes: Vec<(String, usize)>,
}

/// Targets whose exact numbers and counts were compared and are the same (`packaging/same`): the
/// shards of one sweep may come from all of them, in either byte order.
const ALIKE: [&str; 4] = ["x86_64-linux", "x86_64-windows", "aarch64-linux", "s390x-linux"];

/// Returns the name of the processor and the system.
fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Returns whether two targets are known to give the same bytes.
fn alike(one: &str, other: &str) -> bool {
    one == other || (ALIKE.contains(&one) && ALIKE.contains(&other))
}

impl Plan {
    /// The plan of a sweep that does the work of `run`, by a program of that `build`.
    pub fn new(run: RunPlan, cut: Cut, build: BuildId) -> Plan {
        let terms = cut.terms(run.cells.len(), &run.settings);
        Plan::on(run, terms, (build, target()))
    }

    /// Creates the plan with these sizes; `made` is the build and the target that created it.
    fn on(run: RunPlan, terms: Terms, made: (BuildId, String)) -> Plan {
        let file = File::of(&run, terms, made);
        let text = serde_json::to_string_pretty(&file).unwrap_or_default() + "\n";
        let hash = hexadecimal(&Sha256::digest(&text));
        Plan { run, terms, text, hash }
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
    ) -> Result<Plan, Error> {
        let refuse = |why: String| Error::Usage(format!("{name} {why}"));
        let file: File = serde_json::from_str(text)
            .map_err(|error| refuse(format!("is no plan of a sweep: {error}")))?;
        file.is_of(build).map_err(refuse)?;
        let catalogue = file.catalogue(catalogue)?;
        let stop = match (file.trials, file.precision) {
            (_, Some(precision)) => Stop::Precision(precision),
            (trials, None) => Stop::Trials(trials.unwrap_or(1)),
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
        let Input { name: of, text: asked, .. } = file.input;
        let read = Experiment::begin(&catalogue, &of, &asked, kept())?;
        let (folder, origin) = (PathBuf::new(), document::Origin::File);
        let input = document::Input { name: of, text: asked, folder, origin };
        let run = RunPlan::new(input, read, settings);
        // The plan is created again from its input: a file that differs was altered.
        let plan = Plan::on(run, file.terms, (build, file.target));
        match plan.text == text {
            true => Ok(plan),
            false => Err(refuse("was altered since it was planned: plan it again".to_owned())),
        }
    }

    /// Returns the number of shards.
    pub fn shards(&self) -> u64 {
        self.terms.shards(self.run.cells.len())
    }
}

/// Returns the largest number of cells that are collected together.
pub fn kept() -> u64 {
    KEPT.high.unsigned_abs()
}

impl Terms {
    fn shards(self, cells: u64) -> u64 {
        cells.div_ceil(self.cells_per_shard.max(1)).saturating_mul(self.shares)
    }
}

impl Cut {
    fn terms(self, cells: u64, settings: &Settings) -> Terms {
        let trials = match (settings.exact_only, settings.stop) {
            (true, _) => 0,
            (false, Stop::Trials(trials)) => trials,
            // No chance is less certain than an even one.
            (false, Stop::Precision(wanted)) => {
                trials_for(wanted, [0.5], TRIALS.high.unsigned_abs())
            }
        };
        let most = self.trials_per_shard.unwrap_or(TRIALS_PER_SHARD).max(1);
        let shares = trials.div_ceil(most).clamp(1, simulate::units(trials).max(1));
        let by_trials = (most / trials.max(1)).max(1);
        let by_number = self.shards.map(|shards| cells.div_ceil((shards / shares).max(1)));
        let chosen = self.cells_per_shard.or(by_number);
        let cells_per_shard = chosen.unwrap_or(CELLS_PER_SHARD.min(by_trials));
        Terms { cells_per_shard: cells_per_shard.clamp(1, cells.max(1)), shares }
    }
}

impl File {
    fn of(run: &RunPlan, terms: Terms, (build, target): (BuildId, String)) -> File {
        let RunPlan { input, spec, cells: grid, settings, .. } = run;
        let (trials, precision) = match settings.stop {
            Stop::Trials(trials) => (Some(trials), None),
            Stop::Precision(precision) => (None, Some(precision)),
        };
        let sources = |system: &std::sync::Arc<System>| {
            let files = system.files.iter();
            let source = |file: &enfilade_model::catalogue::SourceFile| Source {
                name: file.name.to_string(),
                text: file.text.to_string(),
            };
            files.map(source).collect()
        };
        let contests = grid.sides().map(|side| Contest {
            name: side.name.to_owned(),
            cells: side.cells,
            axes: side.axes.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        });
        let cells = grid.len();
        File {
            plan: VERSION,
            enfilade: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.0.to_owned(),
            stream: STREAM_VERSION,
            target,
            input: Input {
                name: input.name.clone(),
                sha256: hexadecimal(&Sha256::digest(&input.text)),
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
            shards: terms.shards(cells),
        }
    }

    fn is_of(&self, BuildId(here): BuildId) -> Result<(), String> {
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
        match alike(&self.target, &target()) {
            true => Ok(()),
            false => Err(format!("was planned on {}, and this is {}", self.target, target())),
        }
    }

    /// Returns `catalogue` with the rulebooks of the plan.
    fn catalogue(&self, catalogue: &Catalogue) -> Result<Catalogue, Error> {
        let mut catalogue = catalogue.clone();
        for files in &self.rulebooks {
            let near = |name: &str| {
                let found = files.iter().find(|file| file.name == name);
                found.map(|file| file.text.clone()).ok_or_else(|| format!("`{name}` is not there"))
            };
            let Some(first) = files.first() else { continue };
            let id = rulebook_loader::stem(first.name.as_ref());
            catalogue =
                catalogue.with(enfilade_rules::read(&id, &first.name, &first.text, &near)?.system);
        }
        Ok(catalogue)
    }
}
