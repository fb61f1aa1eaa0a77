//! Remaining time of work that has begun, or of which a little was tried: reported once it is
//! known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::experiment::Cell;
use crate::solve::settings::Watch;
use enfilade_engine::exact::{self, Law};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::play::{MAX_STEPS, RandomDice};
use enfilade_engine::random_stream::Stream;
use enfilade_model::clock::Stopwatch;
use enfilade_model::form::sanitize::grouped;

/// Duration of a probe of played trials.
const PROBE: Duration = Duration::from_millis(200);

/// Duration of observed work before its remaining time is reported.
const WATCHED: Duration = Duration::from_millis(500);

/// Seconds for each vertex of a large loop; a tenth of it and four times as much were measured.
const SOLVED: f64 = 2e-4;

/// Solves the distribution of `graph`; if a loop takes long, the observer is notified of the
/// duration.
pub(crate) fn law(cell: &Cell, graph: &DieGraph, watch: &dyn Watch) -> Option<Law> {
    let mut told = !watch.foresees();
    exact::law_watched(graph, watch.halt(), &mut |places| {
        if !std::mem::replace(&mut told, true) {
            let seconds = places as f64 * SOLVED;
            watch.lasts(cell, seconds, &format!("a loop of {} places", grouped(places as u64)));
        }
    })
}

/// Reports how long `trials` played trials will take, from the first of them.
pub(crate) fn foresee_played(cell: &Cell, trials: u64, stream: &Stream, watch: &dyn Watch) {
    if !watch.foresees() {
        return;
    }
    let combat = &cell.played.combat;
    let mut dice = RandomDice::new(stream, 0);
    let (mut made, mut endless) = (0_u64, 0_u64);
    let clock = Stopwatch::start();
    while made < trials && clock.elapsed() < PROBE && combat.fault().is_none() {
        endless += u64::from(combat.play(&mut dice, MAX_STEPS).is_none());
        made += 1;
    }
    if made == 0 || combat.fault().is_some() {
        return;
    }
    let each = clock.elapsed().as_secs_f64() / made as f64;
    let seconds = each * (trials - made) as f64 / rayon::current_num_threads() as f64;
    let how = match endless {
        0 => format!("{} trials, one at a time", grouped(trials)),
        _ => format!(
            "{} trials, one at a time; {endless} of the first {made} were not over after {} dice",
            grouped(trials),
            grouped(MAX_STEPS)
        ),
    };
    watch.lasts(cell, seconds, &how);
}

/// Pace of trials that are made in units.
pub(crate) struct Pace {
    clock: Stopwatch,
    /// Number of trials to make.
    all: u64,
    made: AtomicU64,
    told: AtomicBool,
}

impl Pace {
    /// Starts the clock of `all` trials; reports nothing if their duration was forecast.
    pub(crate) fn begin(all: u64, is_foreseen: bool) -> Pace {
        let (made, told) = (AtomicU64::new(0), AtomicBool::new(is_foreseen));
        Pace { clock: Stopwatch::start(), all, made, told }
    }

    /// Records that some trials were made. Reports once how long the others will take.
    pub(crate) fn made(&self, some: u64, cell: &Cell, watch: &dyn Watch) {
        let made = self.made.fetch_add(some, Ordering::Relaxed) + some;
        let spent = self.clock.elapsed();
        if spent < WATCHED || self.told.swap(true, Ordering::Relaxed) {
            return;
        }
        let left = self.all.saturating_sub(made);
        let seconds = spent.as_secs_f64() / made as f64 * left as f64;
        watch.lasts(cell, seconds, &format!("{} trials", grouped(self.all)));
    }
}
