//! Progress on standard error while cells are answered, and Ctrl-C.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::error_report;
use super::forecast;
use super::signals;
use crate::cancel::CancelToken;
use crate::cli::args::CellSolutionArgs;
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::frontier::FrontierWorkAmount;
use crate::pricing::battle_runs;
use crate::pricing::evidence::WeaponWinCurves;
use crate::study::experiment::GridCell;
use crate::study::solve::SolveObserver;
use crate::study::solve::forecast::CostForecast;

/// Shows the progress of the work, forecasts its time, and stops it on Ctrl-C.
pub struct TerminalRunProgress {
    bar: ProgressBar,
    trials: AtomicU64,
    /// Whether to ask before a contest that takes long.
    asks_first: AtomicBool,
    /// Approximate number of states of the current large contest; 0 if unknown.
    foreseen: AtomicU64,
    /// The last cell with a forecast, counted from 1.
    last_announced: AtomicUsize,
    /// The current cell without a forecast, counted from 1; 0: none.
    unannounced: Arc<AtomicUsize>,
    cells: AllCellsProgressClock,
    halt: &'static CancelToken,
}

/// Start time and progress of all cells together.
struct AllCellsProgressClock {
    all: u64,
    done: AtomicU64,
    /// Trials of all cells; 0 if unknown.
    trials: u64,
    start: Instant,
    /// Whether a forecast for all cells was shown.
    is_announced: AtomicBool,
}

/// Time for which cells are answered before all are forecast.
const SETTLING_TIME: Duration = Duration::from_secs(1);

/// In place of the number of a cell: all of them.
const CELL_NUMBER_FOR_ALL: usize = usize::MAX;

/// Time to wait for the first cell before the trials made so far give the forecast.
const FIRST_CELL_FORECAST_WAIT: Duration = Duration::from_secs(3);

impl TerminalRunProgress {
    /// Shows a bar over `cells`, unless `quiet` or without a terminal.
    ///
    /// From here on Ctrl-C does not end the program at once: the work stops at the next chunk, so
    /// that what is finished can be saved.
    ///
    /// # Errors
    /// When Ctrl-C cannot be caught.
    pub fn new(cells: u64, quiet: bool) -> Result<TerminalRunProgress, Error> {
        let (done, start, is_announced) =
            (AtomicU64::new(0), Instant::now(), AtomicBool::new(false));
        let halt = signals::token_of_first_signal()?;
        Ok(TerminalRunProgress {
            bar: if quiet { ProgressBar::hidden() } else { build_progress_bar(cells, halt) },
            trials: AtomicU64::new(0),
            asks_first: AtomicBool::new(false),
            foreseen: AtomicU64::new(0),
            last_announced: AtomicUsize::new(0),
            unannounced: Arc::default(),
            cells: AllCellsProgressClock { all: cells, done, trials: 0, start, is_announced },
            halt,
        })
    }

    /// Shows a bar over `cells` that are answered under `options`.
    ///
    /// # Errors
    /// The errors of [`new`](TerminalRunProgress::new).
    pub fn for_cells(cells: u64, options: &CellSolutionArgs) -> Result<TerminalRunProgress, Error> {
        let machine = &options.machine;
        let progress =
            TerminalRunProgress::new(cells, machine.quiet)?.with_time_limit(machine.within);
        let is_attended = !options.yes && !machine.quiet && forecast::is_terminal_attended();
        progress.asks_first.store(is_attended, Ordering::Relaxed);
        Ok(progress)
    }

    /// Sets the number of trials of all cells together.
    #[must_use]
    pub fn with_total_trials(mut self, trials: u64) -> TerminalRunProgress {
        self.cells.trials = trials;
        self
    }

    /// Sets a time limit, after which the work is stopped as by Ctrl-C.
    #[must_use]
    pub fn with_time_limit(self, limit: Option<Duration>) -> TerminalRunProgress {
        if let Some(limit) = limit {
            let halt = self.halt;
            // The thread is not joined: it ends with the program, at the latest.
            std::thread::spawn(move || {
                std::thread::sleep(limit);
                halt.cancel();
            });
        }
        self
    }

    /// Shows a forecast, also without a bar; on a terminal, asks once whether to continue.
    fn show_forecast_or_ask(&self, line: &str) {
        // Once is enough: the answer for the first cell of a grid holds for the others.
        if !self.asks_first.swap(false, Ordering::Relaxed) {
            self.bar.suspend(|| error_report::write_remark_to_stderr(line));
        } else if !self.bar.suspend(|| forecast::confirm_on_terminal(line)) {
            self.halt.cancel();
        }
    }

    /// Notes that a cell is done, or that a forecast was shown: no warning is needed.
    fn mark_warning_unneeded(&self) {
        try_clear_number(&self.unannounced, CELL_NUMBER_FOR_ALL);
    }

    /// Counts a finished cell: without a bar, the time of the others is shown once.
    fn count_finished_cell(&self) {
        self.mark_warning_unneeded();
        self.bar.inc(1);
        let AllCellsProgressClock { all, done, start, is_announced, .. } = &self.cells;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let spent = start.elapsed();
        if !self.bar.is_hidden()
            || spent < SETTLING_TIME
            || is_announced.swap(true, Ordering::Relaxed)
        {
            return;
        }
        let seconds = spent.as_secs_f64() / done as f64 * all.saturating_sub(done) as f64;
        if seconds >= forecast::UNWARNED_SECONDS {
            error_report::write_remark_to_stderr(&forecast::total_time_left_line(*all, seconds));
        }
    }

    /// Counts trials of the first cells, none of which is done: the time of all is shown once.
    fn show_time_from_first_trials(&self, trials: u64) {
        let AllCellsProgressClock { all, trials: of, done, start, is_announced } = &self.cells;
        let spent = start.elapsed();
        let early = spent < FIRST_CELL_FORECAST_WAIT || done.load(Ordering::Relaxed) > 0;
        if *of == 0 || early || !self.bar.is_hidden() || is_announced.swap(true, Ordering::Relaxed)
        {
            return;
        }
        self.mark_warning_unneeded();
        let seconds = spent.as_secs_f64() / trials as f64 * of.saturating_sub(trials) as f64;
        if seconds >= forecast::UNWARNED_SECONDS {
            error_report::write_remark_to_stderr(&forecast::total_time_left_line(*all, seconds));
        }
    }

    /// Warns if `cell`, which had no forecast, is still running after
    /// [`UNWARNED_SECONDS`](forecast::UNWARNED_SECONDS) seconds.
    fn warn_later_if_cell_is_slow(&self, cell: &GridCell) {
        self.warn_later_if_still_running(cell.index + 1, &cell.name);
    }

    /// Warns if no part of the work on `name` is done and no forecast was shown after
    /// [`UNWARNED_SECONDS`](forecast::UNWARNED_SECONDS) seconds.
    #[must_use]
    pub fn with_slow_warning(self, name: &str) -> TerminalRunProgress {
        self.warn_later_if_still_running(CELL_NUMBER_FOR_ALL, name);
        self
    }

    fn warn_later_if_still_running(&self, number: usize, name: &str) {
        let (slow, bar) = (Arc::clone(&self.unannounced), self.bar.clone());
        let line = forecast::still_working_warning(name);
        if slow.swap(number, Ordering::Relaxed) == number {
            return;
        }
        // The thread is not joined: it ends with the program at the latest.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(forecast::UNWARNED_SECONDS));
            if try_clear_number(&slow, number) {
                bar.suspend(|| error_report::write_remark_to_stderr(&line));
            }
        });
    }

    /// Shows the current work beside the bar.
    fn show_current_work(&self, text: &str) {
        self.bar.set_message(format!(", {text}"));
    }

    /// Removes the bar: the work is over, and the rest may end at any moment.
    pub fn remove_bar(&self) {
        self.bar.finish_and_clear();
        signals::let_next_signal_kill();
    }
}

/// Sets a cell's number to 0 if it is still there; returns whether it was.
fn try_clear_number(slow: &AtomicUsize, number: usize) -> bool {
    slow.compare_exchange(number, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

/// Time after which the states of a growing graph are shown.
const FIRST_STATE_COUNT: Duration = Duration::from_secs(3);

fn build_progress_bar(cells: u64, halt: &'static CancelToken) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells{states}{msg}{left}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(cells);
    let write_states = |state: &ProgressState, out: &mut dyn Write| {
        // Errors of a bar are ignored.
        let _ = out.write_str(&describe_growing_graph(state.elapsed(), halt.explored_states()));
    };
    bar.set_style(style.with_key("left", write_time_left).with_key("states", write_states));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Describes how many states a graph has so far, once it takes long; empty where none grows.
fn describe_growing_graph(elapsed: Duration, states: usize) -> String {
    match elapsed < FIRST_STATE_COUNT || states == 0 {
        true => String::new(),
        false => format!(", a graph of {} states so far", group_digits(states as u64)),
    }
}

/// Writes the time left; before the first cell is answered it is unknown.
fn write_time_left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 {
        // Errors of a bar are ignored.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl battle_runs::BattleObserver for TerminalRunProgress {
    fn note_battle_at_defaults(&self, battle: &WeaponWinCurves) {
        let place = format!("weapon {} in scenario {}", battle.weapon + 1, battle.scenario + 1);
        self.show_current_work(&place);
        self.count_finished_cell();
    }

    fn should_continue(&self) -> bool {
        !self.halt.is_cancelled()
    }
}

impl SolveObserver for TerminalRunProgress {
    fn note_finished_trials(&self, trials: u64) {
        let trials_so_far = self.trials.fetch_add(trials, Ordering::Relaxed) + trials;
        self.show_time_from_first_trials(trials_so_far);
        if !self.bar.is_hidden() {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = trials_so_far as f64 / seconds / 1e6;
            self.show_current_work(&format!("{rate:.0} million trials a second"));
        }
    }

    fn note_answered_cell(&self, cell: usize) {
        try_clear_number(&self.unannounced, cell + 1);
        self.count_finished_cell();
    }

    fn needs_forecast(&self) -> bool {
        true
    }

    fn note_long_cell(&self, cell: &GridCell, forecast: &dyn Fn() -> Option<CostForecast>) {
        // The estimate of the contest before does not apply to this one.
        self.foreseen.store(0, Ordering::Relaxed);
        // The forecast was shown for its graph already.
        if self.last_announced.load(Ordering::Relaxed) == cell.index + 1 {
            return;
        }
        let Some(forecast) = forecast() else {
            return self.warn_later_if_cell_is_slow(cell);
        };
        self.foreseen.store(forecast.states as u64, Ordering::Relaxed);
        if forecast.seconds >= forecast::UNWARNED_SECONDS {
            self.last_announced.store(cell.index + 1, Ordering::Relaxed);
            try_clear_number(&self.unannounced, cell.index + 1);
            self.show_forecast_or_ask(&forecast::states_and_time_line(&cell.name, &forecast));
        } else {
            self.warn_later_if_cell_is_slow(cell);
        }
    }

    fn note_remaining_seconds(&self, cell: &GridCell, seconds: f64, how: &str) {
        try_clear_number(&self.unannounced, cell.index + 1);
        // With the first of many like it, the forecast is for all of them.
        let cells = self.cells.all.saturating_sub(self.cells.done.load(Ordering::Relaxed)).max(1);
        let all = seconds * cells as f64;
        if all < forecast::UNWARNED_SECONDS
            || self.last_announced.swap(cell.index + 1, Ordering::Relaxed) > 0
        {
            return;
        }
        let line = match cells {
            1 => forecast::time_left_line(&cell.name, seconds, how),
            _ => {
                let each = forecast::format_duration(seconds);
                let how = format!("{cells} cells of {each} each: {how}");
                forecast::time_left_line(&cell.name, all, &how)
            }
        };
        self.show_forecast_or_ask(&line);
    }

    fn note_frontier_advance(&self, extent: &FrontierWorkAmount) {
        if self.bar.is_hidden() {
            return;
        }
        let of = match self.foreseen.load(Ordering::Relaxed) {
            // An estimate that was exceeded is not shown any longer.
            states if states > extent.expanded_states => {
                format!("of about {} ", forecast::round_to_two_digits(states as f64))
            }
            _ => String::new(),
        };
        let (stepped, waiting) =
            (group_digits(extent.expanded_states), group_digits(extent.waiting as u64));
        self.show_current_work(&format!("{stepped} {of}states of a large contest, {waiting} wait"));
    }

    fn cancel_token(&self) -> &CancelToken {
        self.halt
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_that_grows_is_shown_from_the_third_second_on() {
        let shown = |seconds, states| describe_growing_graph(Duration::from_secs(seconds), states);
        assert_eq!((shown(2, 9000), shown(9, 0)), (String::new(), String::new()));
        assert_eq!(
            shown(3, 9000).replace(|c: char| !c.is_ascii(), " "),
            ", a graph of 9 000 states so far"
        );
    }
}
