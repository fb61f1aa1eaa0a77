//! What a sweep is: one small file with everything a worker needs, and a hash that names it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::journal::BuildId;
use crate::experiment::{Experiment, Stop};
use crate::file::document;
use crate::file::rulebook_loader;
use crate::grid::cells::Cells;
use crate::solve::Settings;
use enfilade_engine::random_stream::{STREAM_VERSION, hexadecimal};
use enfilade_engine::simulate::{self, Isa};
use enfilade_model::catalogue::{Catalogue, System};
use enfilade_model::error::Error;
use enfilade_model::form::bounds::{KEPT, TRIALS};
use enfilade_stats::precision::trials_for;

/// The version of the file.
const VERSION: u32 = 1;

/// Cells of a shard where nothing is said: some ten seconds of exact work.
const CELLS_PER_SHARD: u64 = 200_000;

/// Trials of a shard where nothing is said: some ten seconds of rolling.
const TRIALS_PER_SHARD: u64 = 20_000_000_000;

/// How the work is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terms {
    /// Cells of a shard; the last one may have fewer.
    pub cells_per_shard: u64,
    /// Shares that the trials of a cell are cut into.
    pub shares: u64,
}

/// How the user wants the work cut.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cut {
    /// So many shards, about.
    pub shards: Option<u64>,
    /// So many cells a shard.
    pub cells_per_shard: Option<u64>,
    /// At most so many trials of a cell in a shard.
    pub trials_per_shard: Option<u64>,
}

/// The work of a sweep.
#[derive(Debug)]
pub struct Plan {
    /// What is asked.
    pub asked: Asked,
    /// How cells are answered.
    pub settings: Settings,
    /// How the work is cut.
    pub terms: Terms,
    /// The file.
    pub text: String,
    /// Its SHA-256 in hexadecimal digits.
    pub hash: String,
}

/// An experiment with all of its cells, and the file it was read from.
#[derive(Debug)]
pub struct Asked {
    /// The file.
    pub input: document::Input,
    /// What it asks; of a large one, with the cells that stand for the others.
    pub experiment: Experiment,
    /// All of its cells.
    pub cells: Cells,
}

impl Asked {
    /// Whether all cells are there, checked, and wanted.
    pub fn is_kept(&self) -> bool {
        let Experiment { cells, excluded, search, .. } = &self.experiment;
        search.is_none() && (cells.len() + excluded.len()) as u64 == self.cells.len()
    }
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
    /// Most states of a contest without a graph at once, where that was said.
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

/// Kinds of machines whose exact numbers and counts were seen to be the same (`packaging/same`): parts of one sweep may come from
/// all of them, whichever way their bytes stand.
const ALIKE: [&str; 4] = ["x86_64-linux", "x86_64-windows", "aarch64-linux", "s390x-linux"];

/// What a processor and its system are called.
fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// Whether two kinds of machines are known to give the same bytes.
fn alike(one: &str, other: &str) -> bool {
    one == other || (ALIKE.contains(&one) && ALIKE.contains(&other))
}

impl Plan {
    /// The plan of a sweep over `asked` by a program of that `build`.
    pub fn new(asked: Asked, settings: Settings, cut: Cut, build: BuildId) -> Plan {
        let terms = cut.terms(asked.cells.len(), &settings);
        Plan::on(asked, settings, terms, (build, target()))
    }

    /// `made` is the build and the kind of machine that the plan was made by.
    fn on(mut asked: Asked, settings: Settings, terms: Terms, made: (BuildId, String)) -> Plan {
        (asked.experiment.seed, asked.experiment.stop) = (settings.seed, settings.stop);
        let file = File::of(&asked, &settings, terms, made);
        let text = serde_json::to_string_pretty(&file).unwrap_or_default() + "\n";
        let hash = hexadecimal(&Sha256::digest(&text));
        Plan { asked, settings, terms, text, hash }
    }

    /// The plan in `text`, a file called `name` in messages. Rulebooks that are built in come from
    /// `catalogue`.
    ///
    /// # Errors
    /// When it is none, was altered, or was made by another `build` of the program or on a kind of machine that is not known to give
    /// the same bytes: the last digit of an exact number may depend on both.
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
        let (experiment, cells) = Experiment::begin(&catalogue, &of, &asked, kept())?;
        let (folder, origin) = (PathBuf::new(), document::Origin::File);
        let input = document::Input { name: of, text: asked, folder, origin };
        let asked = Asked { input, experiment, cells };
        // What was read is planned once more: a file that says anything else was altered.
        let plan = Plan::on(asked, settings, file.terms, (build, file.target));
        match plan.text == text {
            true => Ok(plan),
            false => Err(refuse("was altered since it was planned: plan it again".to_owned())),
        }
    }

    /// How many shards there are.
    pub fn shards(&self) -> u64 {
        self.terms.shards(self.asked.cells.len())
    }
}

/// The most cells that are kept together.
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
            // Nothing is less certain than an even chance.
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
    fn of(
        asked: &Asked,
        settings: &Settings,
        terms: Terms,
        (build, target): (BuildId, String),
    ) -> File {
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
        let contests = asked.cells.sides().map(|side| Contest {
            name: side.name.to_owned(),
            cells: side.cells,
            axes: side.axes.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        });
        let cells = asked.cells.len();
        File {
            plan: VERSION,
            enfilade: env!("CARGO_PKG_VERSION").to_owned(),
            build: build.0.to_owned(),
            stream: STREAM_VERSION,
            target,
            input: Input {
                name: asked.input.name.clone(),
                sha256: hexadecimal(&Sha256::digest(&asked.input.text)),
                text: asked.input.text.clone(),
            },
            // In full, as the input is: a worker has this file and no other.
            rulebooks: asked.experiment.rulebooks.iter().map(sources).collect(),
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

    /// `catalogue` with the rulebooks of the plan.
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
