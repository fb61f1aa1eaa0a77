//! Settings and observers of the solver.

use crate::experiment::{
    DEFAULT_RUN_SEED, DEFAULT_STOP_RULE, ExperimentSpec, GridCell, SimulationStopRule,
};
use crate::solve::forecast::CostForecast;
use enfilade_engine::cancel::{CancelToken, NEVER_CANCELLED};
use enfilade_engine::frontier::FrontierWorkAmount;
use enfilade_engine::simulate::InstructionSet;
use enfilade_model::form::bounds::TRIAL_COUNT_RANGE;
use enfilade_stats::precision::trials_for_standard_error;

/// Settings of the solver: seed, number of trials, instruction set, and the engines to use.
///
/// ```
/// use enfilade_study::solve::settings::SolverSettings;
/// let settings = SolverSettings::for_exact_only().with_fractions();
/// assert!(settings.exact_only && settings.fractions);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SolverSettings {
    /// Seed of every cell.
    pub seed: u64,
    /// Rule that ends a simulation.
    pub stop: SimulationStopRule,
    /// Instruction set of the resolver.
    pub isa: InstructionSet,
    /// Whether to leave out the simulation.
    pub exact_only: bool,
    /// Whether to compute exact probabilities also as fractions.
    pub fractions: bool,
    /// Whether to report the bound of the error of each exact number, and small contests as
    /// fractions.
    pub bounds: bool,
    /// Whether to roll one trial at a time; then a contest too large for a graph has no exact
    /// distribution.
    pub played: bool,
    /// Largest number of states of a contest without a graph that are stored at once; `None` for as
    /// many as fit into 2 GiB.
    pub states: Option<usize>,
}

impl SolverSettings {
    /// Creates settings for exact distributions alone.
    pub fn for_exact_only() -> SolverSettings {
        SolverSettings {
            seed: DEFAULT_RUN_SEED,
            stop: DEFAULT_STOP_RULE,
            isa: InstructionSet::widest_available(),
            exact_only: true,
            fractions: false,
            bounds: false,
            played: false,
            states: None,
        }
    }

    /// Creates settings for exact distributions and `trials` trials of every cell.
    pub fn for_trials_per_cell(trials: u64) -> SolverSettings {
        SolverSettings {
            stop: SimulationStopRule::Trials(trials),
            exact_only: false,
            ..SolverSettings::for_exact_only()
        }
    }

    /// Creates the settings of an experiment: its seed and its trials, or its precision.
    pub fn from_experiment(experiment: &ExperimentSpec) -> SolverSettings {
        let ExperimentSpec { seed, stop, .. } = *experiment;
        SolverSettings { seed, stop, exact_only: false, ..SolverSettings::for_exact_only() }
    }

    /// Returns the number of trials of a cell, as far as the settings alone determine it.
    pub(crate) fn trials_by_settings_alone(&self) -> u64 {
        match self.stop {
            SimulationStopRule::Trials(trials) => trials,
            SimulationStopRule::Precision(wanted) => {
                trials_for_standard_error(wanted, [0.5], TRIAL_COUNT_RANGE.high as u64)
            }
        }
    }

    /// Sets the seed.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> SolverSettings {
        SolverSettings { seed, ..self }
    }

    /// Turns on the bounds of the errors of exact numbers.
    #[must_use]
    pub fn with_error_bounds(self) -> SolverSettings {
        SolverSettings { bounds: true, ..self }
    }

    /// Turns on exact probabilities as fractions.
    #[must_use]
    pub fn with_fractions(self) -> SolverSettings {
        SolverSettings { fractions: true, ..self }
    }
}

/// Observer of the work, which may cancel it.
pub trait SolveObserver: Sync {
    /// Called when trials have been made.
    fn note_finished_trials(&self, _made: u64) {}

    /// Called when a cell has been answered.
    fn note_answered_cell(&self, _cell: usize) {}

    /// Returns whether the observer needs a forecast before long work begins.
    fn needs_forecast(&self) -> bool {
        false
    }

    /// Called before a cell that takes long is solved; `forecast` computes its duration, which
    /// takes about a second. The observer may [cancel](SolveObserver::cancel_token) the work.
    fn note_long_cell(&self, _cell: &GridCell, _forecast: &dyn Fn() -> Option<CostForecast>) {}

    /// Called with the remaining seconds of the work on a cell, derived from its pace; `how` names
    /// the work.
    fn note_remaining_seconds(&self, _cell: &GridCell, _seconds: f64, _how: &str) {}

    /// Called when the frontier of a cell without a graph has advanced.
    fn note_frontier_advance(&self, _extent: &FrontierWorkAmount) {}

    /// Returns the token that cancels the work.
    fn cancel_token(&self) -> &CancelToken {
        &NEVER_CANCELLED
    }
}

/// Observer that does nothing.
#[derive(Debug)]
pub struct NoObserver;

impl SolveObserver for NoObserver {}
