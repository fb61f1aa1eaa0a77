//! Predicts the size of a contest by solving smaller variants of it.
//!
//! The size fields of a contest are set to their least and raised in turn, as long as that takes
//! little time (`fields`). For any other rule in a text file all large numbers are reduced together
//! (`scale`). The sizes of these probes show how the states grow, as a power of the number and an
//! addend, and the cost of a state. The result is an estimate, on which nothing but a notice to the
//! user depends.

mod chain;
mod curve;
mod fields;
mod scale;

use std::sync::Arc;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use std::time::Duration;

use crate::experiment::Cell;
use enfilade_engine::cancel::Halt;
use enfilade_engine::exact::{Found, law_in_waves, law_unless};
use enfilade_engine::frontier::{Extent, MAX_WAVES, PIECE, Terms};
use enfilade_engine::graph::{DieGraph, Limits};
use enfilade_engine::random_stream::Stream;
use enfilade_engine::simulate::{CHUNK, Isa, resume_in_waves};
use enfilade_engine::work_units::Part;
use enfilade_model::clock::Stopwatch;
use enfilade_model::combat::{AnyCombat, FieldHead};

/// Number of states tried for a forecast on the way up, and again looking back: some tenths of a
/// second.
const TRIED: u64 = 1 << 17;

/// Number of frontier states tried for a field that cannot be raised within [`TRIED`]: a second or
/// two.
const TRIED_FORWARD: u64 = 1 << 20;

/// Longest time for probes; the first of the two limits ends them.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const LONGEST: Duration = Duration::from_millis(2500);

/// Number of face sequences tried for one graph.
const SEQUENCES: usize = 1 << 22;

/// Number of states that are searched for their widest variable.
const SEEN: u32 = 1 << 13;

/// Forecast of the cost of a contest.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// Number of states to step from.
    pub states: f64,
    /// Number of states stored at once.
    pub held: f64,
    /// Seconds on the threads of the current rayon pool.
    pub seconds: f64,
    /// Size fields, most effective first.
    pub fields: Vec<Growth>,
    /// Widest variable of the states, and the number of its values so far: a variable of a rule in
    /// a text file, or else a reported outcome field.
    pub part: Option<(String, usize)>,
    /// Number of states expanded for the forecast.
    pub tried: u64,
}

/// Effect of a field on the number of states.
#[derive(Clone, Debug)]
pub struct Growth {
    /// Path of the field.
    pub path: String,
    /// Current value.
    pub now: i64,
    /// Ratio of the number of states to that with one less.
    pub factor: f64,
}

/// Engine that solves the contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// Die graph.
    Graph,
    /// Frontier engine.
    Waves,
}

impl Forecast {
    /// Forecasts `cell` in the frontier engine. Returns `None` if its numbers do not determine it,
    /// or the work was cancelled.
    pub fn of(cell: &Cell, halt: &Halt) -> Option<Forecast> {
        Forecast::tried(cell, Engine::Waves, 0, [halt, halt])
    }

    /// Forecasts a cell like [`of`](Forecast::of), with its graph.
    pub fn by_graph(cell: &Cell, halt: &Halt) -> Option<Forecast> {
        Forecast::tried(cell, Engine::Graph, 0, [halt, halt])
    }

    /// Forecasts a cell like [`of`](Forecast::of), with either engine and `trials` trials beside
    /// it, from probes of 2.5 seconds.
    pub fn soon(cell: &Cell, engine: Engine, trials: u64, halt: &Halt) -> Option<Forecast> {
        // A separate token: it is checked inside a step, where the time is not.
        let bell = Arc::new(Halt::new());
        ring_later(Arc::clone(&bell));
        Forecast::tried(cell, engine, trials, [halt, &bell]).filter(|_| !halt.asked())
    }

    /// Forecasts from probes until the bell rings. Frontier probes of size fields are limited by
    /// their states, and complete however busy the machine is.
    fn tried(
        cell: &Cell,
        engine: Engine,
        trials: u64,
        [halt, bell]: [&Halt; 2],
    ) -> Option<Forecast> {
        let first = if engine == Engine::Waves { halt } else { bell };
        let mut tests = Tests { engine, trials, bell: first, tried: 0, budget: TRIED };
        fields::forecast(cell, &mut tests).or_else(|| {
            let mut tests = Tests { engine, trials, bell, tried: 0, budget: TRIED };
            scale::forecast(cell, &mut tests).or_else(|| chain::forecast(cell, &mut tests))
        })
    }
}

/// Raises the bell after 2.5 seconds.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn ring_later(bell: Arc<Halt>) {
    std::thread::spawn(move || {
        std::thread::sleep(LONGEST);
        bell.ask();
    });
}

/// Raises the bell at once: without clock and threads nothing is tried.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn ring_later(bell: Arc<Halt>) {
    bell.ask();
}

/// Cost of a probe.
#[derive(Clone, Debug)]
struct Size {
    /// Number of states to step from, states stored, and frontier steps.
    numbers: [f64; 3],
    seconds: f64,
    /// Fields of each ending, for a contest in the frontier engine.
    endings: Vec<Vec<i32>>,
}

/// Probes, and their remaining budget.
struct Tests<'a> {
    engine: Engine,
    /// Number of trials beside the exact distribution.
    trials: u64,
    bell: &'a Halt,
    tried: u64,
    /// Number of states that may be tried.
    budget: u64,
}

impl Tests<'_> {
    /// Tries a contest, if it is small enough for the remaining budget.
    fn size(&mut self, combat: &AnyCombat) -> Option<Size> {
        let clock = Stopwatch::start();
        let size = match self.engine {
            Engine::Waves => self.in_waves(combat)?,
            Engine::Graph => self.by_graph(combat)?,
        };
        self.tried += size.numbers[0] as u64;
        Some(Size { seconds: clock.elapsed().as_secs_f64(), ..size })
    }

    fn in_waves(&self, combat: &AnyCombat) -> Option<Size> {
        let left = self.budget.saturating_sub(self.tried);
        let seen = |extent: &Extent| extent.stepped + extent.waiting as u64 <= left;
        let states = usize::try_from(left).ok();
        let terms = Terms { states, halt: self.bell, seen: &seen };
        let Found { endings, extent, .. } = law_in_waves(combat, &terms).ok()?;
        let numbers = [extent.stepped as f64, extent.widest as f64, extent.waves as f64];
        let endings = endings.iter().map(|ending| ending.fields.to_vec()).collect();
        Some(Size { numbers, seconds: 0.0, endings })
    }

    fn by_graph(&self, combat: &AnyCombat) -> Option<Size> {
        let left = usize::try_from(self.budget.saturating_sub(self.tried)).ok()?;
        let limits = Limits { states: left, sequences: SEQUENCES, ..Limits::default() };
        let graph = DieGraph::compile(combat, &limits, self.bell).ok()?;
        law_unless(&graph, self.bell)?;
        let states = graph.states() as f64;
        let endings = graph.endings().iter().map(|ending| ending.fields.to_vec()).collect();
        Some(Size { numbers: [states, states, 1.0], seconds: 0.0, endings })
    }

    /// Extrapolates the cost of the whole from that of `last` and the factors of growth.
    fn forecast(
        &self,
        combat: &AnyCombat,
        last: &Size,
        factors: [f64; 3],
        fields: Vec<Growth>,
    ) -> Forecast {
        let [mut states, held, waves] = [0, 1, 2].map(|of| last.numbers[of] * factors[of]);
        // A contest that may never end is given up after a number of steps.
        let waved = waves.min(MAX_WAVES as f64);
        states *= waved / waves;
        let tried = last.numbers[0].max(1.0);
        let mut seconds = last.seconds * states / tried;
        if let Some(simulated) = self.simulated(combat) {
            // Trials reach no more states than there are trials in a frontier step.
            let visited = states.min(self.trials.min(CHUNK) as f64 * waved);
            let chunks = self.trials.div_ceil(CHUNK) as f64;
            seconds += simulated * chunks * (visited / tried).max(1.0);
        }
        seconds *= self.threads(last.numbers[1]) / self.threads(held);
        Forecast { states, held, seconds, fields, part: None, tried: self.tried }
    }

    /// Measures the seconds for a chunk of trials of the largest contest that was tried.
    fn simulated(&self, combat: &AnyCombat) -> Option<f64> {
        if self.trials == 0 || self.engine == Engine::Graph {
            return None;
        }
        let clock = Stopwatch::start();
        let stream = Stream { seed: 1, fingerprint: [0; 32] };
        let (trials, isa, start) = (self.trials.min(CHUNK), Isa::best(), Part::default());
        resume_in_waves(combat, trials, &stream, isa, start, self.bell, &|_, _| true);
        (!self.bell.asked()).then(|| clock.elapsed().as_secs_f64())
    }

    /// Returns the number of threads that share the work if this many states are stored.
    fn threads(&self, held: f64) -> f64 {
        let threads = match self.engine {
            Engine::Graph => 1,
            Engine::Waves => rayon::current_num_threads(),
        };
        (held / (2 * PIECE) as f64).clamp(1.0, threads as f64)
    }
}

/// Finds the widest variable of the states: of a rule in a text file, or of the observed outcomes.
fn part(cell: &Cell, small: &AnyCombat, last: &Size) -> Option<(String, usize)> {
    small.remembers(SEEN).or_else(|| reported(cell, last))
}

/// Returns the outcome field with the most values, and their number.
fn reported(cell: &Cell, last: &Size) -> Option<(String, usize)> {
    let values = |(at, head): (usize, &FieldHead)| {
        let mut values: Vec<_> = last.endings.iter().map(|fields| fields[at]).collect();
        values.sort_unstable();
        values.dedup();
        (head.label_or_name().to_string(), values.len())
    };
    let heads = cell.played.combat.fields().iter().enumerate();
    heads.map(values).max_by_key(|(_, values)| *values)
}
