//! Predicts the size of a contest by solving smaller variants of it.
//!
//! The size fields of a contest are set to their least and raised in turn, as long as that takes
//! little time (`fields`). For any other rule in a text file all large numbers are reduced together
//! (`scale`). The sizes of these probes show how the states grow, as a power of the number and an
//! addend, and the cost of a state. The result is an estimate, on which nothing but a notice to the
//! user depends.

mod chain_forecast;
mod field_forecast;
mod growth_curve;
mod scale_forecast;

use std::sync::Arc;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;

use crate::experiment::GridCell;
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::exact::{
    DistributionWithoutGraph, solve_graph_unless_cancelled, solve_without_graph,
};
use enfilade_engine::frontier::{
    FrontierLimits, FrontierWorkAmount, MAX_STEPS_AT_PROGRESS, STATES_PER_BATCH,
};
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::parallel;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_engine::simulate::{InstructionSet, TRIALS_PER_CHUNK, resume_frontier_simulation};
use enfilade_engine::work_units::PartialWorkResult;
use enfilade_model::clock::Stopwatch;
use enfilade_model::combat::{AnyCombat, Ending, OutcomeFieldHead};

/// Number of states tried for a forecast on the way up, and again looking back: some tenths of a
/// second.
const MAX_PROBE_STATES: u64 = 1 << 17;

/// Number of frontier states tried for a field that cannot be raised within [`MAX_PROBE_STATES`]: a
/// second or two.
const MAX_FRONTIER_PROBE_STATES: u64 = 1 << 20;

/// Longest time for probes; the first of the two limits ends them.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const MAX_PROBE_TIME: Duration = Duration::from_millis(2500);

/// Number of face sequences tried for one graph.
const MAX_GRAPH_PROBE_SEQUENCES: usize = 1 << 22;

/// Number of states that are searched for their widest variable.
const MAX_STATES_SEARCHED: u32 = 1 << 13;

/// Forecast of the cost of a contest.
#[derive(Clone, Debug)]
pub struct CostForecast {
    /// Number of states to step from.
    pub states: f64,
    /// Number of states stored at once.
    pub held_states: f64,
    /// Seconds on the threads of the current rayon pool.
    pub seconds: f64,
    /// Size fields, most effective first.
    pub fields: Vec<FieldStateGrowth>,
    /// Widest variable of the states, and the number of its values so far: a variable of a rule in
    /// a text file, or else a reported outcome field.
    pub part: Option<(String, usize)>,
    /// Number of states expanded for the forecast.
    pub tried_states: u64,
}

/// Effect of a field on the number of states.
#[derive(Clone, Debug)]
pub struct FieldStateGrowth {
    /// Path of the field.
    pub path: String,
    /// Current value.
    pub now: i64,
    /// Ratio of the number of states to that with one less.
    pub factor: f64,
}

/// Engine that solves the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphOrFrontier {
    /// Die graph.
    Graph,
    /// Frontier engine.
    Frontier,
}

impl CostForecast {
    /// Forecasts `cell` in the frontier engine. Returns `None` if its numbers do not determine it,
    /// or the work was cancelled.
    pub fn forecast_frontier(cell: &GridCell, halt: &CancelToken) -> Option<CostForecast> {
        CostForecast::forecast_until_timer(cell, GraphOrFrontier::Frontier, 0, [halt, halt])
    }

    /// Forecasts a cell like [`forecast_frontier`](CostForecast::forecast_frontier), with its
    /// graph.
    pub fn forecast_graph(cell: &GridCell, halt: &CancelToken) -> Option<CostForecast> {
        CostForecast::forecast_until_timer(cell, GraphOrFrontier::Graph, 0, [halt, halt])
    }

    /// Forecasts a cell like [`forecast_frontier`](CostForecast::forecast_frontier), with either
    /// engine and `trials` trials beside it, from probes of 2.5 seconds.
    pub fn forecast_within_probe_time(
        cell: &GridCell,
        engine: GraphOrFrontier,
        trials: u64,
        halt: &CancelToken,
    ) -> Option<CostForecast> {
        // A separate token: it is checked inside a step, where the time is not.
        let bell = Arc::new(CancelToken::new());
        start_probe_timer(Arc::clone(&bell));
        CostForecast::forecast_until_timer(cell, engine, trials, [halt, &bell])
            .filter(|_| !halt.is_cancelled())
    }

    /// Forecasts from probes until the bell rings. Frontier probes of size fields are limited by
    /// their states, and complete however busy the machine is.
    fn forecast_until_timer(
        cell: &GridCell,
        engine: GraphOrFrontier,
        trials: u64,
        [halt, bell]: [&CancelToken; 2],
    ) -> Option<CostForecast> {
        let first = if engine == GraphOrFrontier::Frontier { halt } else { bell };
        let mut tests =
            ForecastProbes { engine, trials, bell: first, tried: 0, budget: MAX_PROBE_STATES };
        field_forecast::forecast_by_smaller_sizes(cell, &mut tests).or_else(|| {
            let mut tests =
                ForecastProbes { engine, trials, bell, tried: 0, budget: MAX_PROBE_STATES };
            scale_forecast::forecast_by_scale(cell, &mut tests)
                .or_else(|| chain_forecast::forecast_chain(cell, &mut tests))
        })
    }
}

/// Raises the bell after 2.5 seconds.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn start_probe_timer(bell: Arc<CancelToken>) {
    std::thread::spawn(move || {
        std::thread::sleep(MAX_PROBE_TIME);
        bell.cancel();
    });
}

/// Raises the bell at once: without clock and threads nothing is tried.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn start_probe_timer(bell: Arc<CancelToken>) {
    bell.cancel();
}

/// Cost of a probe.
#[derive(Clone, Debug)]
struct ForecastProbeCost {
    /// Number of states to step from, states stored, and frontier steps.
    numbers: [f64; 3],
    seconds: f64,
    /// Fields of each ending, for a contest in the frontier engine.
    endings: Vec<Vec<i32>>,
}

/// Probes, and their remaining budget.
struct ForecastProbes<'a> {
    engine: GraphOrFrontier,
    /// Number of trials beside the exact distribution.
    trials: u64,
    bell: &'a CancelToken,
    tried: u64,
    /// Number of states that may be tried.
    budget: u64,
}

impl ForecastProbes<'_> {
    /// Tries a contest, if it is small enough for the remaining budget.
    fn probe_contest(&mut self, combat: &AnyCombat) -> Option<ForecastProbeCost> {
        let clock = Stopwatch::start_now();
        let (numbers, endings) = match self.engine {
            GraphOrFrontier::Frontier => self.probe_frontier(combat)?,
            GraphOrFrontier::Graph => self.probe_graph(combat)?,
        };
        self.tried += numbers[0] as u64;
        let endings = endings.iter().map(|ending| ending.fields.to_vec()).collect();
        Some(ForecastProbeCost { numbers, seconds: clock.elapsed().as_secs_f64(), endings })
    }

    /// Returns the numbers of a contest in the frontier engine, and its endings.
    fn probe_frontier(&self, combat: &AnyCombat) -> Option<([f64; 3], Vec<Ending>)> {
        let left = self.budget.saturating_sub(self.tried);
        let seen =
            |extent: &FrontierWorkAmount| extent.expanded_states + extent.waiting as u64 <= left;
        let states = usize::try_from(left).ok();
        let terms = FrontierLimits { states, halt: self.bell, on_step: &seen };
        let DistributionWithoutGraph { endings, extent, .. } =
            solve_without_graph(combat, &terms).ok()?;
        let numbers = [extent.expanded_states as f64, extent.widest as f64, extent.steps as f64];
        Some((numbers, endings))
    }

    /// Returns the numbers of a contest with a graph, and its endings.
    fn probe_graph(&self, combat: &AnyCombat) -> Option<([f64; 3], Vec<Ending>)> {
        let left = usize::try_from(self.budget.saturating_sub(self.tried)).ok()?;
        let limits = CompiledContestLimits {
            states: left,
            sequences: MAX_GRAPH_PROBE_SEQUENCES,
            ..CompiledContestLimits::default()
        };
        let graph = DieGraph::compile_combat_or_cancel(combat, &limits, self.bell).ok()?;
        solve_graph_unless_cancelled(&graph, self.bell)?;
        let states = graph.reached_state_count() as f64;
        Some(([states, states, 1.0], graph.endings().to_vec()))
    }

    /// Extrapolates the cost of the whole from that of `last` and the factors of growth.
    fn extrapolate_cost(
        &self,
        combat: &AnyCombat,
        last: &ForecastProbeCost,
        factors: [f64; 3],
        fields: Vec<FieldStateGrowth>,
    ) -> CostForecast {
        let [mut states, stored, waves] = [0, 1, 2].map(|of| last.numbers[of] * factors[of]);
        // A contest that may never end is given up after a number of steps.
        let waved = waves.min(MAX_STEPS_AT_PROGRESS as f64);
        states *= waved / waves;
        let size = last.numbers[0].max(1.0);
        let mut seconds = last.seconds * states / size;
        if let Some(simulated) = self.seconds_per_chunk_of_trials(combat) {
            seconds += self.seconds_of_all_trials(simulated, states, waved, size);
        }
        seconds *=
            self.worker_count_for_states(last.numbers[1]) / self.worker_count_for_states(stored);
        CostForecast {
            states,
            held_states: stored,
            seconds,
            fields,
            part: None,
            tried_states: self.tried,
        }
    }

    /// Returns the seconds of all trials of a contest of some states and frontier steps, from those
    /// of a chunk of them in one of `tried_states`.
    fn seconds_of_all_trials(
        &self,
        chunk_seconds: f64,
        states: f64,
        steps: f64,
        tried_states: f64,
    ) -> f64 {
        // Trials reach no more states than there are trials in a frontier step.
        let visited = states.min(self.trials.min(TRIALS_PER_CHUNK) as f64 * steps);
        let chunks = self.trials.div_ceil(TRIALS_PER_CHUNK) as f64;
        chunk_seconds * chunks * (visited / tried_states).max(1.0)
    }

    /// Measures the seconds for a chunk of trials of the largest contest that was tried.
    fn seconds_per_chunk_of_trials(&self, combat: &AnyCombat) -> Option<f64> {
        if self.trials == 0 || self.engine == GraphOrFrontier::Graph {
            return None;
        }
        let clock = Stopwatch::start_now();
        let stream = ContestRandomStream { seed: 1, fingerprint: [0; 32] };
        let (trials, isa, start) = (
            self.trials.min(TRIALS_PER_CHUNK),
            InstructionSet::widest_available(),
            PartialWorkResult::default(),
        );
        resume_frontier_simulation(combat, trials, &stream, isa, start, self.bell, &|_, _| true);
        (!self.bell.is_cancelled()).then(|| clock.elapsed().as_secs_f64())
    }

    /// Returns the number of threads that share the work if this many states are stored.
    fn worker_count_for_states(&self, stored: f64) -> f64 {
        let threads = match self.engine {
            GraphOrFrontier::Graph => 1,
            GraphOrFrontier::Frontier => parallel::current_num_threads(),
        };
        (stored / (2 * STATES_PER_BATCH) as f64).clamp(1.0, threads as f64)
    }
}

/// Finds the widest variable of the states: of a rule in a text file, or of the observed outcomes.
fn find_widest_variable(
    cell: &GridCell,
    small: &AnyCombat,
    last: &ForecastProbeCost,
) -> Option<(String, usize)> {
    small
        .find_widest_variable(MAX_STATES_SEARCHED)
        .or_else(|| outcome_field_with_most_values(cell, last))
}

/// Returns the outcome field with the most values, and their number.
fn outcome_field_with_most_values(
    cell: &GridCell,
    last: &ForecastProbeCost,
) -> Option<(String, usize)> {
    let values = |(at, head): (usize, &OutcomeFieldHead)| {
        let mut values: Vec<_> = last.endings.iter().map(|fields| fields[at]).collect();
        values.sort_unstable();
        values.dedup();
        (head.display_name().to_string(), values.len())
    };
    let heads = cell.played.combat.outcome_fields().iter().enumerate();
    heads.map(values).max_by_key(|(_, values)| *values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Experiment;
    use enfilade_engine::cancel::NEVER_CANCELLED;
    use enfilade_testkit::toy::CATALOGUE;

    fn probes(engine: GraphOrFrontier, trials: u64, bell: &CancelToken) -> ForecastProbes<'_> {
        ForecastProbes { engine, trials, bell, tried: 0, budget: 0 }
    }

    /// Two batches of states for each thread, as far as there are threads; a graph has one.
    #[test]
    fn threads_share_the_work_of_many_states() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build();
        let workers = |engine, batches: usize| {
            probes(engine, 0, &NEVER_CANCELLED)
                .worker_count_for_states((batches * STATES_PER_BATCH) as f64)
        };
        pool.expect("a pool of a few threads").install(|| {
            let frontier = [0, 1, 2, 6, 8, 100].map(|n| workers(GraphOrFrontier::Frontier, n));
            assert_eq!(frontier, [1.0, 1.0, 1.0, 3.0, 4.0, 4.0]);
            assert_eq!(workers(GraphOrFrontier::Graph, 100), 1.0);
        });
    }

    /// A chunk took two seconds in a contest of ten states.
    #[test]
    fn trials_take_longer_by_their_chunks_and_by_the_states_that_they_reach() {
        let seconds = |trials, states| {
            let probes = probes(GraphOrFrontier::Frontier, trials, &NEVER_CANCELLED);
            probes.seconds_of_all_trials(2.0, states, 5.0, 10.0)
        };
        assert_eq!(seconds(2 * TRIALS_PER_CHUNK + 1, 40.0), 2.0 * 3.0 * 4.0);
        // Four trials are in twenty states at most within five steps.
        assert_eq!(seconds(4, 1000.0), 2.0 * 2.0);
        // What was tried was as large as the contest already.
        assert_eq!(seconds(4, 8.0), 2.0);
    }

    /// Those beside a graph take next to no time.
    #[test]
    fn trials_are_timed_beside_the_frontier_engine_unless_the_bell_has_rung() {
        let file = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = 3\n";
        let experiment = Experiment::read_experiment_text(&CATALOGUE, "toy.toml", file);
        let cell = experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0);
        let is_timed = |engine, trials, bell: &CancelToken| {
            let probes = probes(engine, trials, bell);
            probes.seconds_per_chunk_of_trials(&cell.played.combat).is_some()
        };
        let rung = CancelToken::new();
        rung.cancel();
        assert!(is_timed(GraphOrFrontier::Frontier, 1000, &NEVER_CANCELLED));
        assert!(!is_timed(GraphOrFrontier::Frontier, 1000, &rung));
        assert!(!is_timed(GraphOrFrontier::Frontier, 0, &NEVER_CANCELLED));
        assert!(!is_timed(GraphOrFrontier::Graph, 1000, &NEVER_CANCELLED));
    }
}
