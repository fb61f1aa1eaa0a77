//! Settings and observers of the solver.

use crate::experiment::{Cell, DEFAULT_SEED, DEFAULT_STOP, ExperimentSpec, StopRule};
use crate::solve::forecast::Forecast;
use enfilade_engine::cancel::{CancelToken, NEVER};
use enfilade_engine::frontier::FrontierSize;
use enfilade_engine::simulate::Isa;
use enfilade_model::form::bounds::TRIALS;
use enfilade_stats::precision::trials_for;

/// Settings of the solver: seed, number of trials, instruction set, and the engines to use.
///
/// ```
/// use enfilade_study::solve::settings::Settings;
/// let settings = Settings::exact_only().with_fractions();
/// assert!(settings.exact_only && settings.fractions);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Seed of every cell.
    pub seed: u64,
    /// Rule that ends a simulation.
    pub stop: StopRule,
    /// Instruction set of the resolver.
    pub isa: Isa,
    /// Whether to leave out the simulation.
    pub exact_only: bool,
    /// Whether to compute exact probabilities also as fractions.
    pub fractions: bool,
    /// Whether to roll one trial at a time; then a contest too large for a graph has no exact
    /// distribution.
    pub played: bool,
    /// Largest number of states of a contest without a graph that are stored at once; `None` for as
    /// many as fit into 2 GiB.
    pub states: Option<usize>,
}

impl Settings {
    /// Creates settings for exact distributions alone.
    pub fn exact_only() -> Settings {
        Settings {
            seed: DEFAULT_SEED,
            stop: DEFAULT_STOP,
            isa: Isa::find_widest(),
            exact_only: true,
            fractions: false,
            played: false,
            states: None,
        }
    }

    /// Creates settings for exact distributions and `trials` trials of every cell.
    pub fn with_trials(trials: u64) -> Settings {
        Settings { stop: StopRule::Trials(trials), exact_only: false, ..Settings::exact_only() }
    }

    /// Creates the settings of an experiment: its seed and its trials, or its precision.
    pub fn from_experiment(experiment: &ExperimentSpec) -> Settings {
        let ExperimentSpec { seed, stop, .. } = *experiment;
        Settings { seed, stop, exact_only: false, ..Settings::exact_only() }
    }

    /// Returns the number of trials of a cell, as far as the settings alone determine it.
    pub(crate) fn min_trials(&self) -> u64 {
        match self.stop {
            StopRule::Trials(trials) => trials,
            StopRule::Precision(wanted) => trials_for(wanted, [0.5], TRIALS.high as u64),
        }
    }

    /// Sets the seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Settings {
        Settings { seed, ..self }
    }

    /// Turns on exact probabilities as fractions.
    #[must_use]
    pub fn with_fractions(self) -> Settings {
        Settings { fractions: true, ..self }
    }
}

/// Observer of the work, which may cancel it.
pub trait SolveObserver: Sync {
    /// Called when trials have been made.
    fn note_trials(&self, _made: u64) {}

    /// Called when a cell has been answered.
    fn note_answer(&self, _cell: usize) {}

    /// Returns whether the observer needs a forecast before long work begins.
    fn needs_forecast(&self) -> bool {
        false
    }

    /// Called before a cell that takes long is solved; `forecast` computes its duration, which
    /// takes about a second. The observer may [cancel](SolveObserver::cancel_token) the work.
    fn note_long_cell(&self, _cell: &Cell, _forecast: &dyn Fn() -> Option<Forecast>) {}

    /// Called with the remaining seconds of the work on a cell, derived from its pace; `how` names
    /// the work.
    fn note_duration(&self, _cell: &Cell, _seconds: f64, _how: &str) {}

    /// Called when the frontier of a cell without a graph has advanced.
    fn note_frontier(&self, _extent: &FrontierSize) {}

    /// Returns the token that cancels the work.
    fn cancel_token(&self) -> &CancelToken {
        &NEVER
    }
}

/// Observer that does nothing.
#[derive(Debug)]
pub struct NoObserver;

impl SolveObserver for NoObserver {}
