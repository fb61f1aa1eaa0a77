//! The bar on standard error while cells are answered, and Ctrl-C.

use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use super::options::Options;
use super::{failure, foreseen, signals};
use crate::error::Error;
use crate::halt::Halt;
use crate::stats::decimals::grouped;
use crate::study::balance::gather;
use crate::study::experiment::Cell;
use crate::study::forecast::Forecast;
use crate::study::solve::Watch;
use crate::waves::Extent;

/// Shows how far the work has come, and stops it on Ctrl-C.
pub struct Progress {
    bar: ProgressBar,
    trials: AtomicU64,
    quiet: bool,
    /// Whether to ask before a contest that takes long.
    asks: AtomicBool,
    /// About how many states the large contest under way has; 0 where nobody knows.
    foreseen: AtomicU64,
    halt: &'static Halt,
}

impl Progress {
    /// A bar over `cells`, unless `quiet` or nobody is looking.
    ///
    /// From here on Ctrl-C does not end the program at once: the work stops at the next chunk, so
    /// that what is finished can be saved.
    ///
    /// # Errors
    /// When Ctrl-C cannot be caught.
    pub fn over(cells: u64, quiet: bool) -> Result<Progress, Error> {
        Ok(Progress {
            bar: if quiet { ProgressBar::hidden() } else { bar(cells) },
            trials: AtomicU64::new(0),
            quiet,
            asks: AtomicBool::new(false),
            foreseen: AtomicU64::new(0),
            halt: signals::patient()?,
        })
    }

    /// A bar over `cells` that are answered under `options`.
    ///
    /// # Errors
    /// As for [`over`](Progress::over).
    pub fn of(cells: u64, options: &Options) -> Result<Progress, Error> {
        let machine = &options.machine;
        let progress = Progress::over(cells, machine.quiet)?.within(machine.within);
        progress.asks.store(!options.yes && foreseen::is_heard(), Ordering::Relaxed);
        Ok(progress)
    }

    /// The same; after so long the work is stopped as by Ctrl-C.
    #[must_use]
    pub fn within(self, limit: Option<Duration>) -> Progress {
        if let Some(limit) = limit {
            let halt = self.halt;
            // Nobody waits for it: it ends with the program, at the latest.
            std::thread::spawn(move || {
                std::thread::sleep(limit);
                halt.ask();
            });
        }
        self
    }

    /// Says beside the bar what is done now.
    fn says(&self, text: &str) {
        self.bar.set_message(format!(", {text}"));
    }

    /// Takes the bar away: the work is over, and what follows may end at any moment.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
        signals::impatient();
    }
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

/// How long it takes still; before the first cell is answered nobody knows.
fn left(state: &ProgressState, out: &mut dyn Write) {
    if state.pos() > 0 {
        // Nobody reads an error of a bar.
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

impl gather::Watch for Progress {
    fn fought(&self, weapon: usize, scenario: usize) {
        let place = format!("weapon {} in scenario {}", weapon + 1, scenario + 1);
        self.says(&place);
        self.bar.inc(1);
    }

    fn go_on(&self) -> bool {
        !self.halt.asked()
    }
}

impl Watch for Progress {
    fn trials(&self, made: u64) {
        let made = self.trials.fetch_add(made, Ordering::Relaxed) + made;
        if !self.bar.is_hidden() {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = made as f64 / seconds / 1e6;
            self.says(&format!("{rate:.0} million trials a second"));
        }
    }

    fn answered(&self, _cell: usize) {
        self.bar.inc(1);
    }

    fn foresee(&self, cell: &Cell, forecast: &dyn Fn() -> Option<Forecast>) {
        // What the one before was to have says nothing of this one.
        self.foreseen.store(0, Ordering::Relaxed);
        if self.quiet {
            return;
        }
        let clock = Instant::now();
        let Some(forecast) = forecast() else {
            return;
        };
        self.foreseen.store(forecast.states as u64, Ordering::Relaxed);
        let each = clock.elapsed().as_secs_f64() / forecast.tried.max(1) as f64;
        let seconds = each * forecast.states;
        if seconds < foreseen::SOON {
            return;
        }
        let told = foreseen::told(&cell.name, &forecast, seconds);
        // Once is enough: whoever wants the first of a grid wants the others.
        if !self.asks.swap(false, Ordering::Relaxed) {
            self.bar.suspend(|| failure::remark(&told));
        } else if !self.bar.suspend(|| foreseen::goes_on(&told)) {
            self.halt.ask();
        }
    }

    fn waded(&self, extent: &Extent) {
        if self.bar.is_hidden() {
            return;
        }
        let of = match self.foreseen.load(Ordering::Relaxed) {
            // A guess that was passed is not told any longer.
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
