//! What a contest will take, told beforehand by the same contest with less of what makes it large.
//!
//! Of a contest that grows with fields, these are set to their least and raised in turn, as long as that takes
//! no time (`fields`). Of any other rule in a text file all large numbers are lessened together (`scale`).
//! From the sizes that were tried is seen how the states grow, as a power of the number and something more, and
//! what a state costs. It is a guess, of which nothing but a word to the user depends.

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

/// States that are tried for a forecast on the way up, and again looking back: some tenths of a second.
const TRIED: u64 = 1 << 17;

/// States in waves that are tried for a field that cannot be raised within [`TRIED`]: a second or two.
const TRIED_FORWARD: u64 = 1 << 20;

/// How long is tried at the most, by which of the two is over first.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
const LONGEST: Duration = Duration::from_millis(2500);

/// Sequences of faces that are tried for one graph.
const SEQUENCES: usize = 1 << 22;

/// States that are looked into for what they differ in.
const SEEN: u32 = 1 << 13;

/// What a contest will take, about.
#[derive(Clone, Debug)]
pub struct Forecast {
    /// States to step from.
    pub states: f64,
    /// States held at once.
    pub held: f64,
    /// Seconds on the threads of the current rayon pool.
    pub seconds: f64,
    /// The fields that make it large, most effective first.
    pub fields: Vec<Growth>,
    /// What its states differ most in, and how many values it has so far: of what a rule in a text file
    /// remembers, or else of the outcome, as far as it is reported.
    pub part: Option<(String, usize)>,
    /// States that were stepped from to know this.
    pub tried: u64,
}

/// What a field does to the number of states.
#[derive(Clone, Debug)]
pub struct Growth {
    /// The path of the field.
    pub path: String,
    /// Its value.
    pub now: i64,
    /// How many times as many states there are as with one less.
    pub factor: f64,
}

/// How a contest is to be worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// By its graph.
    Graph,
    /// In waves.
    Waves,
}

impl Forecast {
    /// What `cell` will take in waves; `None` where its numbers do not tell, or somebody asked to stop.
    pub fn of(cell: &Cell, halt: &Halt) -> Option<Forecast> {
        Forecast::tried(cell, Engine::Waves, 0, [halt, halt])
    }

    /// As [`of`](Forecast::of), by its graph.
    pub fn by_graph(cell: &Cell, halt: &Halt) -> Option<Forecast> {
        Forecast::tried(cell, Engine::Graph, 0, [halt, halt])
    }

    /// As [`of`](Forecast::of), in the one or the other engine and with so many trials beside it; from what
    /// can be tried in 2.5 seconds.
    pub fn soon(cell: &Cell, engine: Engine, trials: u64, halt: &Halt) -> Option<Forecast> {
        // A clock of its own: it is heard inside of a step, where `halt` is not asked about the time.
        let bell = Arc::new(Halt::new());
        ring_later(Arc::clone(&bell));
        Forecast::tried(cell, engine, trials, [halt, &bell]).filter(|_| !halt.asked())
    }

    /// From what can be tried before the bell rings. Waves that grow with fields are bounded by their
    /// states, and looked at from all sides however busy the machine is.
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

/// Rings the bell after 2.5 seconds.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn ring_later(bell: Arc<Halt>) {
    std::thread::spawn(move || {
        std::thread::sleep(LONGEST);
        bell.ask();
    });
}

/// Rings the bell at once: where there is neither clock nor thread nothing is tried.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn ring_later(bell: Arc<Halt>) {
    bell.ask();
}

/// What a contest took that was tried.
#[derive(Clone, Debug)]
struct Size {
    /// States to step from, held at once, and waves of them.
    numbers: [f64; 3],
    seconds: f64,
    /// By ending: its fields, of a contest in waves.
    endings: Vec<Vec<i32>>,
}

/// Contests that are tried, and how much is left to try.
struct Tests<'a> {
    engine: Engine,
    /// Trials that are made beside the exact law.
    trials: u64,
    bell: &'a Halt,
    tried: u64,
    /// The states that may be tried.
    budget: u64,
}

impl Tests<'_> {
    /// Tries a contest, if it is small enough for what is left to try.
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

    /// What the whole takes, by what `last` took and by what factors it is larger.
    fn forecast(
        &self,
        combat: &AnyCombat,
        last: &Size,
        factors: [f64; 3],
        fields: Vec<Growth>,
    ) -> Forecast {
        let [mut states, held, waves] = [0, 1, 2].map(|of| last.numbers[of] * factors[of]);
        // What goes on for ever is left after so many waves.
        let waved = waves.min(MAX_WAVES as f64);
        states *= waved / waves;
        let tried = last.numbers[0].max(1.0);
        let mut seconds = last.seconds * states / tried;
        if let Some(simulated) = self.simulated(combat) {
            // Trials come to no more states than there are of them in a wave.
            let visited = states.min(self.trials.min(CHUNK) as f64 * waved);
            let chunks = self.trials.div_ceil(CHUNK) as f64;
            seconds += simulated * chunks * (visited / tried).max(1.0);
        }
        seconds *= self.threads(last.numbers[1]) / self.threads(held);
        Forecast { states, held, seconds, fields, part: None, tried: self.tried }
    }

    /// Seconds for a chunk of trials of the largest contest that was tried.
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

    /// On how many threads the work is shared out where so many states are held.
    fn threads(&self, held: f64) -> f64 {
        let threads = match self.engine {
            Engine::Graph => 1,
            Engine::Waves => rayon::current_num_threads(),
        };
        (held / (2 * PIECE) as f64).clamp(1.0, threads as f64)
    }
}

/// What states differ most in: of what a rule in a text file remembers, or of the outcomes that were seen.
fn part(cell: &Cell, small: &AnyCombat, last: &Size) -> Option<(String, usize)> {
    small.remembers(SEEN).or_else(|| reported(cell, last))
}

/// The outcome field with the most values, and how many.
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
