//! The bar on standard error while cells are answered, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::error::Error;
use crate::study::balance::gather;
use crate::study::solve::Watch;

/// Shows how far the work has come, and stops it on Ctrl-C.
pub struct Progress {
    bar: ProgressBar,
    trials: AtomicU64,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    /// A bar over `cells`, unless `quiet` or nobody is looking.
    ///
    /// From here on Ctrl-C does not end the program at once: the work stops at the next chunk, so
    /// that what is finished can be saved.
    ///
    /// # Errors
    /// When Ctrl-C cannot be caught.
    pub fn over(cells: usize, quiet: bool) -> Result<Progress, Error> {
        let stopped = interrupts()?;
        Ok(Progress {
            bar: if quiet {
                ProgressBar::hidden()
            } else {
                bar(cells as u64)
            },
            trials: AtomicU64::new(0),
            stopped,
        })
    }

    /// Takes the bar away: the work is over.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// The flag that Ctrl-C sets. A process has one handler, however many pieces of work it watches:
/// a Ctrl-C stops the one under way and all that would follow.
fn interrupts() -> Result<Arc<AtomicBool>, Error> {
    static CAUGHT: OnceLock<Result<Arc<AtomicBool>, String>> = OnceLock::new();
    let caught = CAUGHT.get_or_init(|| {
        let stopped = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stopped);
        let set = ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed));
        set.map(|()| stopped).map_err(|error| error.to_string())
    });
    let refused = |error| Error::Usage(format!("Ctrl-C cannot be caught: {error}"));
    caught.clone().map_err(refused)
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
        !self.stopped.load(Ordering::Relaxed)
    }
}

impl Watch for Progress {
    fn trials(&self, made: u64) {
        let made = self.trials.fetch_add(made, Ordering::Relaxed) + made;
        if !self.bar.is_hidden() {
            let seconds = self.bar.elapsed().as_secs_f64().max(1e-3);
            let rate = made as f64 / seconds / 1e6;
            self.bar
                .set_message(format!("{rate:.0} million trials a second"));
        }
    }

    fn answered(&self, _cell: usize) {
        self.bar.inc(1);
    }

    fn go_on(&self) -> bool {
        !self.stopped.load(Ordering::Relaxed)
    }
}
