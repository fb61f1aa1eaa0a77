//! The bar on standard error while cells are answered, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::signals;
use crate::error::Error;
use crate::halt::Halt;
use crate::stats::decimals::grouped;
use crate::study::balance::gather;
use crate::study::solve::Watch;
use crate::waves::Extent;

/// Shows how far the work has come, and stops it on Ctrl-C.
pub struct Progress {
    bar: ProgressBar,
    trials: AtomicU64,
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
            halt: signals::patient()?,
        })
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
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {msg}, {eta} left");
    let bar = ProgressBar::new(cells);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

impl gather::Watch for Progress {
    fn fought(&self, weapon: usize, scenario: usize) {
        let place = format!("weapon {} in scenario {}", weapon + 1, scenario + 1);
        self.bar.set_message(place);
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
            self.bar.set_message(format!("{rate:.0} million trials a second"));
        }
    }

    fn answered(&self, _cell: usize) {
        self.bar.inc(1);
    }

    fn waded(&self, extent: &Extent) {
        if !self.bar.is_hidden() {
            let (stepped, waiting) = (grouped(extent.stepped), grouped(extent.waiting as u64));
            self.bar.set_message(format!("{stepped} states of a large contest, {waiting} wait"));
        }
    }

    fn halt(&self) -> &Halt {
        self.halt
    }
}
