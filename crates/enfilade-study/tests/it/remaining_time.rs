//! The remaining time of trials is told once, from their pace.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use enfilade_engine::simulate::TRIALS_PER_WORK_UNIT;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_cells};
use enfilade_testkit::toy::CATALOGUE;

/// Time for which the first trials are held up: long enough for a pace.
const HELD_UP: Duration = Duration::from_millis(600);

/// Holds the first trials up, and notes what it is told of the time that remains.
struct SlowStart {
    began: Instant,
    made: AtomicU64,
    asks_for_forecasts: bool,
    /// Seconds told, seconds since the start, and trials made by then; and the name of the work.
    told: Mutex<Vec<(f64, f64, u64, String)>>,
}

impl SolveObserver for SlowStart {
    fn note_finished_trials(&self, made: u64) {
        if self.made.fetch_add(made, Ordering::SeqCst) == 0 {
            std::thread::sleep(HELD_UP);
        }
    }

    fn needs_forecast(&self) -> bool {
        self.asks_for_forecasts
    }

    fn note_remaining_seconds(&self, _: &GridCell, seconds: f64, how: &str) {
        let (since, made) = (self.began.elapsed().as_secs_f64(), self.made.load(Ordering::SeqCst));
        self.told.lock().expect("no test panics here").push((seconds, since, made, how.to_owned()));
    }
}

fn toy_cell() -> GridCell {
    let file = "[[contest]]\nsystem = 'toy'\naction = 'shoot'\nneeded = 3\n";
    let experiment = Experiment::read_experiment_text(&CATALOGUE, "toy.toml", file);
    experiment.unwrap_or_else(|error| panic!("{error:?}")).cells.remove(0)
}

/// Returns what is told of the remaining time of `trials` trials, on one thread.
fn told(
    cell: GridCell,
    trials: u64,
    played: bool,
    asks_for_forecasts: bool,
) -> Vec<(f64, f64, u64, String)> {
    let settings = SolverSettings { played, ..SolverSettings::for_trials_per_cell(trials) };
    let (made, told) = (AtomicU64::new(0), Mutex::default());
    let watch = SlowStart { began: Instant::now(), made, asks_for_forecasts, told };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("a pool of one thread").install(|| {
        solve_cells(&[cell], &settings, &watch, &CellTrialJournal::without_storage())
            .expect("it is small")
    });
    assert_eq!(watch.made.into_inner(), trials);
    watch.told.into_inner().expect("no test panics here")
}

/// The trials that are left take as long, each, as those that were made.
#[test]
fn the_remaining_time_follows_from_the_pace_and_is_told_once() {
    let trials = 4 * TRIALS_PER_WORK_UNIT;
    let told = told(toy_cell(), trials, false, false);
    let [(seconds, since, made, _)] = told[..] else { panic!("told once: {told:?}") };
    let left = (trials - made) as f64 / made as f64;
    assert!(left >= 1.0, "{told:?}");
    // The clock of the trials was started after that of this test.
    let possible = HELD_UP.as_secs_f64() * left..=since * left;
    assert!(possible.contains(&seconds), "{seconds} {possible:?}");
}

/// The time of played trials is forecast from a few of them, for those who ask for forecasts.
#[test]
fn who_asks_for_no_forecast_is_told_none() {
    assert_eq!(told(toy_cell(), 1000, true, false), []);
}

/// A die is rolled until it shows a seven, and that it never does.
#[test]
fn who_asks_for_forecasts_is_told_of_played_trials_before_the_first_and_of_those_without_end() {
    let endless = "game \"E\"\nfield wanted: 1..7 = 7\naction go:\n    v = 0\n    repeat:\n        \
                   v = d6\n        if v == wanted: stop\n    show v\n";
    for (cell, trials, without_end) in
        [(toy_cell(), 3, None), (crate::forecasts::cell(endless), 1, Some("1 of the first 1 "))]
    {
        let told = told(cell, trials, true, true);
        let [(seconds, _, made, how)] = &told[..] else { panic!("told once: {told:?}") };
        assert!(*made == 0 && seconds.is_finite() && *seconds >= 0.0, "{told:?}");
        assert!(how.starts_with(&format!("{trials} trials")), "{how}");
        assert_eq!(how.contains("not over"), without_end.is_some(), "{how}");
        assert!(without_end.is_none_or(|open| how.contains(open)), "{how}");
    }
}
