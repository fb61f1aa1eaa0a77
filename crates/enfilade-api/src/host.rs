//! The machine below an answer: its clock, its threads, its ways to stop and to keep trials.

use std::time::Duration;

use rayon::ThreadPool;

use enfilade_engine::cancel::CancelToken;
use enfilade_model::catalogue::Catalogue;
use enfilade_report::error::ReportError;
use enfilade_study::checkpoint::journal::Journal;

/// The machine that answers run on. Whoever has none of these keeps the defaults: no clock, one thread.
pub trait Host: Send + Sync {
    /// The time since 1970; zero where there is no clock.
    fn clock(&self) -> Duration {
        Duration::ZERO
    }

    /// A new request to stop, which work looks at.
    fn halt(&self) -> CancelToken {
        CancelToken::new()
    }

    /// Threads for answers; none where they are worked out on the calling thread.
    fn threads(&self) -> Option<&ThreadPool> {
        None
    }

    /// Threads for a job, other than those of answers.
    ///
    /// # Errors
    /// When the system gives none.
    fn job_threads(&self) -> Result<Option<ThreadPool>, ReportError> {
        Ok(None)
    }

    /// The journal that keeps the trials of jobs, so that a stopped one can go on.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn journal(&self) -> Result<Journal, ReportError> {
        Ok(Journal::none())
    }

    /// The rulebooks that the text of a file may name, where others than those of the folder are in reach.
    ///
    /// # Errors
    /// The faults of one that it names.
    fn rulebooks(
        &self,
        _built_in: &Catalogue,
        _name: &str,
        _text: &str,
    ) -> Result<Option<Catalogue>, ReportError> {
        Ok(None)
    }
}

/// A host with nothing: one thread, no clock, nothing kept.
#[derive(Debug, Default)]
pub struct Alone;

impl Host for Alone {}

/// Works on these threads, or on the calling one.
pub fn on<T: Send>(threads: Option<&ThreadPool>, work: impl FnOnce() -> T + Send) -> T {
    match threads {
        Some(threads) => threads.install(work),
        None => work(),
    }
}
