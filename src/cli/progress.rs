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
use crate::cli::args::SolveArgs;
use crate::error::Error;
use crate::form::sanitize::group_digits;
use crate::frontier::FrontierSize;
use crate::pricing::battle_runs;
use crate::study::experiment::Cell;
use crate::study::solve::SolveObserver;
use crate::study::solve::forecast::Forecast;

/// Shows the progress of the work, forecasts its time, and stops it on Ctrl-C.
pub struct RunProgress {
    bar: ProgressBar,
    trials: AtomicU64,
    /// Whether to ask before a contest that takes long.
    asks: AtomicBool,
    /// Approximate number of states of the current large contest; 0 if unknown.
    foreseen: AtomicU64,
    /// The last cell with a forecast, counted from 1.
    said: AtomicUsize,
    /// The current cell without a forecast, counted from 1; 0: none.
    unannounced: Arc<AtomicUsize>,
    cells: CellClock,
    halt: &'static CancelToken,
}

/// Start time and progress of all cells together.
struct CellClock {
    all: u64,
    done: AtomicU64,
    /// Trials of all cells; 0 if unknown.
    trials: u64,
    begun: Instant,
    /// Whether a forecast for all cells was shown.
    said: AtomicBool,
}

/// Time for which cells are answered before all are forecast.
const SETTLING_TIME: Duration = Duration::from_secs(1);

/// In place of the number of a cell: all of them.
const ALL_CELLS: usize = usize::MAX;

/// Time to wait for the first cell before the trials made so far give the forecast.
const FIRST_CELL_WAIT: Duration = Duration::from_secs(3);

impl RunProgress {
    /// Shows a bar over `cells`, unless `quiet` or without a terminal.
    ///
    /// From here on Ctrl-C does not end the program at once: the work stops at the next chunk, so
    /// that what is finished can be saved.
    ///
    /// # Errors
    /// When Ctrl-C cannot be caught.
    pub fn new(cells: u64, quiet: bool) -> Result<RunProgress, Error> {
        let (done, begun, said) = (AtomicU64::new(0), Instant::now(), AtomicBool::new(false));
        Ok(RunProgress {
            bar: if quiet { ProgressBar::hidden() } else { build_bar(cells) },
            trials: AtomicU64::new(0),
            asks: AtomicBool::new(false),
            foreseen: AtomicU64::new(0),
            said: AtomicUsize::new(0),
            unannounced: Arc::default(),
            cells: CellClock { all: cells, done, trials: 0, begun, said },
            halt: signals::first_signal_cancels()?,
        })
    }

    /// Shows a bar over `cells` that are answered under `options`.
    ///
    /// # Errors
    /// The errors of [`new`](RunProgress::new).
    pub fn for_cells(cells: u64, options: &SolveArgs) -> Result<RunProgress, Error> {
        let machine = &options.machine;
        let progress = RunProgress::new(cells, machine.quiet)?.with_deadline(machine.within);
        let asks = !options.yes && !machine.quiet && forecast::is_interactive();
        progress.asks.store(asks, Ordering::Relaxed);
        Ok(progress)
    }

    /// Sets the number of trials of all cells together.
    #[must_use]
    pub fn with_trials(mut self, trials: u64) -> RunProgress {
        self.cells.trials = trials;
        self
    }

    /// Sets a time limit, after which the work is stopped as by Ctrl-C.
    #[must_use]
    pub fn with_deadline(self, limit: Option<Duration>) -> RunProgress {
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
    fn warn(&self, line: &str) {
        // Once is enough: the answer for the first cell of a grid holds for the others.
        if !self.asks.swap(false, Ordering::Relaxed) {
            self.bar.suspend(|| error_report::write_remark(line));
        } else if !self.bar.suspend(|| forecast::confirm_on_terminal(line)) {
            self.halt.cancel();
        }
    }

    /// Notes that a cell is done, or that a forecast was shown: no warning is needed.
    fn mark_announced(&self) {
        clear_number(&self.unannounced, ALL_CELLS);
    }

    /// Counts a finished cell: without a bar, the time of the others is shown once.
    fn cell_finished(&self) {
        self.mark_announced();
        self.bar.inc(1);
        let CellClock { all, done, begun, said, .. } = &self.cells;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let spent = begun.elapsed();
        if !self.bar.is_hidden() || spent < SETTLING_TIME || said.swap(true, Ordering::Relaxed) {
            return;
        }
        let seconds = spent.as_secs_f64() / done as f64 * all.saturating_sub(done) as f64;
        if seconds >= forecast::UNWARNED_SECONDS {
            error_report::write_remark(&forecast::remaining_line(*all, seconds));
        }
    }

    /// Counts trials of the first cells, none of which is done: the time of all is shown once.
    fn trials_made(&self, trials: u64) {
        let CellClock { all, trials: of, done, begun, said } = &self.cells;
        let spent = begun.elapsed();
        let early = spent < FIRST_CELL_WAIT || done.load(Ordering::Relaxed) > 0;
        if *of == 0 || early || !self.bar.is_hidden() || said.swap(true, Ordering::Relaxed) {
            return;
        }
        self.mark_announced();
        let seconds = spent.as_secs_f64() / trials as f64 * of.saturating_sub(trials) as f64;
        if seconds >= forecast::UNWARNED_SECONDS {
            error_report::write_remark(&forecast::remaining_line(*all, seconds));
        }
    }

    /// Warns if `cell`, which had no forecast, is still running after [`UNWARNED_SECONDS`](forecast::UNWARNED_SECONDS)
    /// seconds.
    fn warn_if_slow(&self, cell: &Cell) {
        self.warn_if_at_work(cell.index + 1, &cell.name);
    }

    /// Warns if no part of the work on `name` is done and no forecast was shown after
    /// [`UNWARNED_SECONDS`](forecast::UNWARNED_SECONDS) seconds.
    #[must_use]
    pub fn with_slow_warning(self, name: &str) -> RunProgress {
        self.warn_if_at_work(ALL_CELLS, name);
        self
    }

    fn warn_if_at_work(&self, number: usize, name: &str) {
        let (slow, bar) = (Arc::clone(&self.unannounced), self.bar.clone());
        let line = forecast::slow_line(name);
        if slow.swap(number, Ordering::Relaxed) == number {
            return;
        }
        // The thread is not joined: it ends with the program at the latest.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(forecast::UNWARNED_SECONDS));
            if clear_number(&slow, number) {
                bar.suspend(|| error_report::write_remark(&line));
            }
        });
    }

    /// Shows the current work beside the bar.
    fn set_message(&self, text: &str) {
        self.bar.set_message(format!(", {text}"));
    }

    /// Removes the bar: the work is over, and the rest may end at any moment.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        signals::next_signal_kills();
    }
}

/// Sets a cell's number to 0 if it is still there; returns whether it was.
fn clear_number(slow: &AtomicUsize, number: usize) -> bool {
    slow.compare_exchange(number, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

fn build_bar(cells: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells{msg}{left}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(cells);
    bar.set_style(style.with_key("left", write_time_left));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Writes the time left; before the first cell is answered it is unknown.
fn write_time_left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 {
        // Errors of a bar are ignored.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl battle_runs::BattleObserver for RunProgress {
    fn count_battle(&self, weapon: usize, scenario: usize) {
        let place = format!("weapon {} in scenario {}", weapon + 1, scenario + 1);
        self.set_message(&place);
        self.cell_finished();
    }

    fn should_continue(&self) -> bool {
        !self.halt.is_cancelled()
    }
}

impl SolveObserver for RunProgress {
    fn note_trials(&self, made: u64) {
        let made = self.trials.fetch_add(made, Ordering::Relaxed) + made;
        self.trials_made(made);
        if !self.bar.is_hidden() {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = made as f64 / seconds / 1e6;
            self.set_message(&format!("{rate:.0} million trials a second"));
        }
    }

    fn note_answer(&self, cell: usize) {
        clear_number(&self.unannounced, cell + 1);
        self.cell_finished();
    }

    fn needs_forecast(&self) -> bool {
        true
    }

    fn note_long_cell(&self, cell: &Cell, forecast: &dyn Fn() -> Option<Forecast>) {
        // The estimate of the contest before does not apply to this one.
        self.foreseen.store(0, Ordering::Relaxed);
        // The forecast was shown for its graph already.
        if self.said.load(Ordering::Relaxed) == cell.index + 1 {
            return;
        }
        let Some(forecast) = forecast() else {
            return self.warn_if_slow(cell);
        };
        self.foreseen.store(forecast.states as u64, Ordering::Relaxed);
        if forecast.seconds >= forecast::UNWARNED_SECONDS {
            self.said.store(cell.index + 1, Ordering::Relaxed);
            clear_number(&self.unannounced, cell.index + 1);
            self.warn(&forecast::forecast_line(&cell.name, &forecast));
        } else {
            self.warn_if_slow(cell);
        }
    }

    fn note_duration(&self, cell: &Cell, seconds: f64, how: &str) {
        clear_number(&self.unannounced, cell.index + 1);
        // With the first of many like it, the forecast is for all of them.
        let cells = self.cells.all.saturating_sub(self.cells.done.load(Ordering::Relaxed)).max(1);
        let all = seconds * cells as f64;
        if all < forecast::UNWARNED_SECONDS || self.said.swap(cell.index + 1, Ordering::Relaxed) > 0
        {
            return;
        }
        let line = match cells {
            1 => forecast::pace_line(&cell.name, seconds, how),
            _ => {
                let each = forecast::format_duration(seconds);
                let how = format!("{cells} cells of {each} each: {how}");
                forecast::pace_line(&cell.name, all, &how)
            }
        };
        self.warn(&line);
    }

    fn note_frontier(&self, extent: &FrontierSize) {
        if self.bar.is_hidden() {
            return;
        }
        let of = match self.foreseen.load(Ordering::Relaxed) {
            // An estimate that was exceeded is not shown any longer.
            states if states > extent.expanded_states => {
                format!("of about {} ", forecast::round_large(states as f64))
            }
            _ => String::new(),
        };
        let (stepped, waiting) =
            (group_digits(extent.expanded_states), group_digits(extent.waiting as u64));
        self.set_message(&format!("{stepped} {of}states of a large contest, {waiting} wait"));
    }

    fn cancel_token(&self) -> &CancelToken {
        self.halt
    }
}
