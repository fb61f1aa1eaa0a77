//! How cells are answered, and who watches.

use crate::experiment::{Cell, DEFAULT_SEED, DEFAULT_STOP, ExperimentSpec, Stop};
use crate::solve::forecast::Forecast;
use enfilade_engine::cancel::{Halt, NEVER};
use enfilade_engine::frontier::Extent;
use enfilade_engine::simulate::Isa;
use enfilade_model::form::bounds::TRIALS;
use enfilade_stats::precision::trials_for;

/// How cells are answered.
///
/// ```
/// use enfilade_study::solve::settings::Settings;
/// let settings = Settings::exact().with_fractions();
/// assert!(settings.exact_only && settings.fractions);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of every cell.
    pub seed: u64,
    /// When a simulation has rolled enough.
    pub stop: Stop,
    /// Instruction set of the hot loop.
    pub isa: Isa,
    /// Whether to leave out the simulation.
    pub exact_only: bool,
    /// Whether to give exact probabilities as fractions too.
    pub fractions: bool,
    /// Whether to roll one trial at a time; then a contest too large for a graph has no exact law.
    pub played: bool,
    /// Most states that a contest without a graph may hold at once; as many as fit into 2 GiB where
    /// nothing is said.
    pub states: Option<usize>,
}

impl Settings {
    /// Exact laws, and nothing rolled.
    pub fn exact() -> Settings {
        Settings {
            seed: DEFAULT_SEED,
            stop: DEFAULT_STOP,
            isa: Isa::best(),
            exact_only: true,
            fractions: false,
            played: false,
            states: None,
        }
    }

    /// Exact laws, and beside them so many trials of every cell.
    pub fn trials(trials: u64) -> Settings {
        Settings { stop: Stop::Trials(trials), exact_only: false, ..Settings::exact() }
    }

    /// As an experiment asks for it: its seed and its trials, or its precision.
    pub fn of(experiment: &ExperimentSpec) -> Settings {
        let ExperimentSpec { seed, stop, .. } = *experiment;
        Settings { seed, stop, exact_only: false, ..Settings::exact() }
    }

    /// Trials of a cell as far as the settings alone say.
    pub(crate) fn least_trials(&self) -> u64 {
        match self.stop {
            Stop::Trials(trials) => trials,
            Stop::Precision(wanted) => trials_for(wanted, [0.5], TRIALS.high as u64),
        }
    }

    /// The same with another seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Settings {
        Settings { seed, ..self }
    }

    /// The same with exact probabilities as fractions too.
    #[must_use]
    pub fn with_fractions(self) -> Settings {
        Settings { fractions: true, ..self }
    }
}

/// Who watches the work, and may stop it.
pub trait Watch: Sync {
    /// Some trials have been made.
    fn trials(&self, _made: u64) {}

    /// A cell has been answered.
    fn answered(&self, _cell: usize) {}

    /// Whether the watcher wants to hear of what takes long before it begins.
    fn foresees(&self) -> bool {
        false
    }

    /// A cell that takes long is about to be worked out; `forecast` says how long, which takes about a
    /// second. Whoever wants none of it [asks](Watch::halt) to stop.
    fn foresee(&self, _cell: &Cell, _forecast: &dyn Fn() -> Option<Forecast>) {}

    /// The work on a cell goes on for about so many seconds, as its pace so far tells; `how` says of what.
    fn lasts(&self, _cell: &Cell, _seconds: f64, _how: &str) {}

    /// A cell without a graph has come so far.
    fn waded(&self, _extent: &Extent) {}

    /// What is asked when the work is to stop.
    fn halt(&self) -> &Halt {
        &NEVER
    }
}

/// Nobody watches.
#[derive(Debug)]
pub struct Unwatched;

impl Watch for Unwatched {}
