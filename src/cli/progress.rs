//! Progress on standard error while cells are answered, and Ctrl-C.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::options::Options;
use super::{failure, foreseen, signals};
use crate::cancel::Halt;
use crate::error::Error;
use crate::form::sanitize::grouped;
use crate::frontier::Extent;
use crate::pricing::gather;
use crate::study::experiment::Cell;
use crate::study::solve::Watch;
use crate::study::solve::forecast::Forecast;

/// Shows the progress of the work, forecasts its time, and stops it on Ctrl-C.
pub struct Progress {
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
    cells: Cells,
    halt: &'static Halt,
}

/// Start time and progress of all cells together.
struct Cells {
    all: u64,
    done: AtomicU64,
    /// Trials of all cells; 0 if unknown.
    trials: u64,
    begun: Instant,
    /// Whether a forecast for all cells was shown.
    said: AtomicBool,
}

/// Time for which cells are answered before all are forecast.
const WATCHED: Duration = Duration::from_secs(1);

/// In place of the number of a cell: all of them.
const ALL: usize = usize::MAX;

/// Time to wait for the first cell before the trials made so far give the forecast.
const PATIENCE: Duration = Duration::from_secs(3);

impl Progress {
    /// Shows a bar over `cells`, unless `quiet` or without a terminal.
    ///
    /// From here on Ctrl-C does not end the program at once: the work stops at the next chunk, so
    /// that what is finished can be saved.
    ///
    /// # Errors
    /// When Ctrl-C cannot be caught.
    pub fn over(cells: u64, quiet: bool) -> Result<Progress, Error> {
        let (done, begun, said) = (AtomicU64::new(0), Instant::now(), AtomicBool::new(false));
        Ok(Progress {
            bar: if quiet { ProgressBar::hidden() } else { bar(cells) },
            trials: AtomicU64::new(0),
            asks: AtomicBool::new(false),
            foreseen: AtomicU64::new(0),
            said: AtomicUsize::new(0),
            unannounced: Arc::default(),
            cells: Cells { all: cells, done, trials: 0, begun, said },
            halt: signals::patient()?,
        })
    }

    /// Shows a bar over `cells` that are answered under `options`.
    ///
    /// # Errors
    /// The errors of [`over`](Progress::over).
    pub fn of(cells: u64, options: &Options) -> Result<Progress, Error> {
        let machine = &options.machine;
        let progress = Progress::over(cells, machine.quiet)?.within(machine.within);
        let asks = !options.yes && !machine.quiet && foreseen::is_heard();
        progress.asks.store(asks, Ordering::Relaxed);
        Ok(progress)
    }

    /// Sets the number of trials of all cells together.
    #[must_use]
    pub fn making(mut self, trials: u64) -> Progress {
        self.cells.trials = trials;
        self
    }

    /// Sets a time limit, after which the work is stopped as by Ctrl-C.
    #[must_use]
    pub fn within(self, limit: Option<Duration>) -> Progress {
        if let Some(limit) = limit {
            let halt = self.halt;
            // The thread is not joined: it ends with the program, at the latest.
            std::thread::spawn(move || {
                std::thread::sleep(limit);
                halt.ask();
            });
        }
        self
    }

    /// Shows a forecast, also without a bar; on a terminal, asks once whether to continue.
    fn warn(&self, line: &str) {
        // Once is enough: the answer for the first cell of a grid holds for the others.
        if !self.asks.swap(false, Ordering::Relaxed) {
            self.bar.suspend(|| failure::remark(line));
        } else if !self.bar.suspend(|| foreseen::goes_on(line)) {
            self.halt.ask();
        }
    }

    /// Notes that a cell is done, or that a forecast was shown: no warning is needed.
    fn is_announced(&self) {
        clear(&self.unannounced, ALL);
    }

    /// Counts a finished cell: without a bar, the time of the others is shown once.
    fn done(&self) {
        self.is_announced();
        self.bar.inc(1);
        let Cells { all, done, begun, said, .. } = &self.cells;
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        let spent = begun.elapsed();
        if !self.bar.is_hidden() || spent < WATCHED || said.swap(true, Ordering::Relaxed) {
            return;
        }
        let seconds = spent.as_secs_f64() / done as f64 * all.saturating_sub(done) as f64;
        if seconds >= foreseen::SOON {
            failure::remark(&foreseen::told_of_all(*all, seconds));
        }
    }

    /// Counts trials of the first cells, none of which is done: the time of all is shown once.
    fn made(&self, trials: u64) {
        let Cells { all, trials: of, done, begun, said } = &self.cells;
        let spent = begun.elapsed();
        let early = spent < PATIENCE || done.load(Ordering::Relaxed) > 0;
        if *of == 0 || early || !self.bar.is_hidden() || said.swap(true, Ordering::Relaxed) {
            return;
        }
        self.is_announced();
        let seconds = spent.as_secs_f64() / trials as f64 * of.saturating_sub(trials) as f64;
        if seconds >= foreseen::SOON {
            failure::remark(&foreseen::told_of_all(*all, seconds));
        }
    }

    /// Warns if `cell`, which had no forecast, is still running after [`SOON`](foreseen::SOON)
    /// seconds.
    fn warn_if_slow(&self, cell: &Cell) {
        self.warn_if_at_work(cell.index + 1, &cell.name);
    }

    /// Warns if no part of the work on `name` is done and no forecast was shown after
    /// [`SOON`](foreseen::SOON) seconds.
    #[must_use]
    pub fn announced(self, name: &str) -> Progress {
        self.warn_if_at_work(ALL, name);
        self
    }

    fn warn_if_at_work(&self, number: usize, name: &str) {
        let (slow, bar) = (Arc::clone(&self.unannounced), self.bar.clone());
        let line = foreseen::slow_line(name);
        if slow.swap(number, Ordering::Relaxed) == number {
            return;
        }
        // The thread is not joined: it ends with the program at the latest.
        std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs_f64(foreseen::SOON));
            if clear(&slow, number) {
                bar.suspend(|| failure::remark(&line));
            }
        });
    }

    /// Shows the current work beside the bar.
    fn says(&self, text: &str) {
        self.bar.set_message(format!(", {text}"));
    }

    /// Removes the bar: the work is over, and the rest may end at any moment.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        signals::impatient();
    }
}

/// Sets a cell's number to 0 if it is still there; returns whether it was.
fn clear(slow: &AtomicUsize, number: usize) -> bool {
    slow.compare_exchange(number, 0, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

fn bar(cells: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells{msg}{left}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(cells);
    bar.set_style(style.with_key("left", left));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// Writes the time left; before the first cell is answered it is unknown.
fn left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 {
        // Errors of a bar are ignored.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl gather::Watch for Progress {
    fn fought(&self, weapon: usize, scenario: usize) {
        let place = format!("weapon {} in scenario {}", weapon + 1, scenario + 1);
        self.says(&place);
        self.done();
    }

    fn go_on(&self) -> bool {
        !self.halt.asked()
    }
}

impl Watch for Progress {
    fn trials(&self, made: u64) {
        let made = self.trials.fetch_add(made, Ordering::Relaxed) + made;
        self.made(made);
        if !self.bar.is_hidden() {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = made as f64 / seconds / 1e6;
            self.says(&format!("{rate:.0} million trials a second"));
        }
    }

    fn answered(&self, cell: usize) {
        clear(&self.unannounced, cell + 1);
        self.done();
    }

    fn foresees(&self) -> bool {
        true
    }

    fn foresee(&self, cell: &Cell, forecast: &dyn Fn() -> Option<Forecast>) {
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
        if forecast.seconds >= foreseen::SOON {
            self.said.store(cell.index + 1, Ordering::Relaxed);
            clear(&self.unannounced, cell.index + 1);
            self.warn(&foreseen::told(&cell.name, &forecast));
        } else {
            self.warn_if_slow(cell);
        }
    }

    fn lasts(&self, cell: &Cell, seconds: f64, how: &str) {
        clear(&self.unannounced, cell.index + 1);
        // With the first of many like it, the forecast is for all of them.
        let cells = self.cells.all.saturating_sub(self.cells.done.load(Ordering::Relaxed)).max(1);
        let all = seconds * cells as f64;
        if all < foreseen::SOON || self.said.swap(cell.index + 1, Ordering::Relaxed) > 0 {
            return;
        }
        let line = match cells {
            1 => foreseen::told_at_pace(&cell.name, seconds, how),
            _ => {
                let each = foreseen::lasting(seconds);
                let how = format!("{cells} cells of {each} each: {how}");
                foreseen::told_at_pace(&cell.name, all, &how)
            }
        };
        self.warn(&line);
    }

    fn waded(&self, extent: &Extent) {
        if self.bar.is_hidden() {
            return;
        }
        let of = match self.foreseen.load(Ordering::Relaxed) {
            // An estimate that was exceeded is not shown any longer.
            states if states > extent.stepped => {
                format!("of about {} ", foreseen::about(states as f64))
            }
            _ => String::new(),
        };
        let (stepped, waiting) = (grouped(extent.stepped), grouped(extent.waiting as u64));
        self.says(&format!("{stepped} {of}states of a large contest, {waiting} wait"));
    }

    fn halt(&self) -> &Halt {
        self.halt
    }
}
