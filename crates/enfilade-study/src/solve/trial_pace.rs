//! Remaining time of work that has begun, or of which a little was tried: reported once it is
//! known.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::experiment::GridCell;
use crate::solve::settings::SolveObserver;
use enfilade_engine::exact::{self, Distribution};
use enfilade_engine::graph::DieGraph;
use enfilade_engine::parallel;
use enfilade_engine::play::{MAX_STEPS_PER_TRIAL, RandomDice};
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_model::clock::Stopwatch;
use enfilade_model::form::sanitize::group_digits;

/// Duration of a probe of played trials.
const TRIAL_PROBE_TIME: Duration = Duration::from_millis(200);

/// Duration of observed work before its remaining time is reported.
const MIN_WATCHED_TIME: Duration = Duration::from_millis(500);

/// Seconds for each vertex of a large loop; a tenth of it and four times as much were measured.
const SECONDS_PER_LOOP_VERTEX: f64 = 2e-4;

/// Solves the distribution of `graph`; if a loop takes long, the observer is notified of the
/// duration.
pub(crate) fn solve_and_announce_slow_loops(
    cell: &GridCell,
    graph: &DieGraph,
    watch: &dyn SolveObserver,
) -> Option<Distribution> {
    let mut is_announced = !watch.needs_forecast();
    exact::solve_announcing_slow_loops(graph, watch.cancel_token(), &mut |places| {
        if !std::mem::replace(&mut is_announced, true) {
            let seconds = places as f64 * SECONDS_PER_LOOP_VERTEX;
            watch.note_remaining_seconds(
                cell,
                seconds,
                &format!("a loop of {} places", group_digits(places as u64)),
            );
        }
    })
}

/// Reports how long `trials` played trials will take, from the first of them.
pub(crate) fn announce_played_trials_time(
    cell: &GridCell,
    trials: u64,
    stream: &ContestRandomStream,
    watch: &dyn SolveObserver,
) {
    if !watch.needs_forecast() {
        return;
    }
    let combat = &cell.played.combat;
    let mut dice = RandomDice::new(stream, 0);
    let (mut trials_made, mut endless) = (0_u64, 0_u64);
    let clock = Stopwatch::start_now();
    while trials_made < trials
        && clock.elapsed() < TRIAL_PROBE_TIME
        && combat.recorded_rule_fault().is_none()
    {
        endless += u64::from(combat.play_one_trial(&mut dice, MAX_STEPS_PER_TRIAL).is_none());
        trials_made += 1;
    }
    if trials_made == 0 || combat.recorded_rule_fault().is_some() {
        return;
    }
    let each = clock.elapsed().as_secs_f64() / trials_made as f64;
    let seconds = each * (trials - trials_made) as f64 / parallel::current_num_threads() as f64;
    let how = match endless {
        0 => format!("{} trials, one at a time", group_digits(trials)),
        _ => format!(
            "{} trials, one at a time; {endless} of the first {trials_made} were not over after {} dice",
            group_digits(trials),
            group_digits(MAX_STEPS_PER_TRIAL)
        ),
    };
    watch.note_remaining_seconds(cell, seconds, &how);
}

/// Pace of trials that are made in units.
pub(crate) struct TrialPaceMeter {
    clock: Stopwatch,
    /// Number of trials to make.
    all: u64,
    trials_made: AtomicU64,
    is_reported: AtomicBool,
}

impl TrialPaceMeter {
    /// Starts the clock of `all` trials; reports nothing if their duration was forecast.
    pub(crate) fn start_clock(all: u64, is_foreseen: bool) -> TrialPaceMeter {
        let (trials_made, is_announced) = (AtomicU64::new(0), AtomicBool::new(is_foreseen));
        TrialPaceMeter {
            clock: Stopwatch::start_now(),
            all,
            trials_made,
            is_reported: is_announced,
        }
    }

    /// Records that some trials were made. Reports once how long the others will take.
    pub(crate) fn note_trials(&self, some: u64, cell: &GridCell, watch: &dyn SolveObserver) {
        let trials_so_far = self.trials_made.fetch_add(some, Ordering::Relaxed) + some;
        let spent = self.clock.elapsed();
        if spent < MIN_WATCHED_TIME || self.is_reported.swap(true, Ordering::Relaxed) {
            return;
        }
        let left = self.all.saturating_sub(trials_so_far);
        let seconds = spent.as_secs_f64() / trials_so_far as f64 * left as f64;
        watch.note_remaining_seconds(cell, seconds, &format!("{} trials", group_digits(self.all)));
    }
}
