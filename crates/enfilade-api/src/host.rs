//! The machine below an answer: its clock, its threads, its ways to stop work and to save trials.

use std::time::Duration;

use enfilade_engine::cancel::CancelToken;
use enfilade_engine::parallel::ThreadPool;
use enfilade_model::catalogue::Catalogue;
use enfilade_report::error::ReportError;
use enfilade_study::checkpoint::journal::CellTrialJournal;

/// The machine that answers run on. The defaults suit a machine without any of this: no clock, one
/// thread.
pub trait AnswerHost: Send + Sync {
    /// Returns the time since 1970; zero without a clock.
    fn time_since_epoch(&self) -> Duration {
        Duration::ZERO
    }

    /// Creates a token that cancels one piece of work.
    fn new_cancel_token(&self) -> CancelToken {
        CancelToken::new()
    }

    /// Returns the threads for answers; `None` if they are computed on the calling thread.
    fn answer_thread_pool(&self) -> Option<&ThreadPool> {
        None
    }

    /// Starts threads for a job, other than those for answers; `None` if it runs on the calling
    /// thread.
    ///
    /// # Errors
    /// When the system cannot start them.
    fn build_job_thread_pool(&self) -> Result<Option<ThreadPool>, ReportError> {
        Ok(None)
    }

    /// Opens the journal with the trials of jobs, so that a stopped job can be resumed.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn open_trial_journal(&self) -> Result<CellTrialJournal, ReportError> {
        Ok(CellTrialJournal::without_storage())
    }

    /// Reads the rulebooks that the text of a file may name; `None` if only those of the folder are
    /// in reach.
    ///
    /// # Errors
    /// The faults of a rulebook that the text names.
    fn read_rulebooks_named_by_path(
        &self,
        _built_in: &Catalogue,
        _name: &str,
        _text: &str,
    ) -> Result<Option<Catalogue>, ReportError> {
        Ok(None)
    }
}

/// A host with nothing: one thread, no clock, no saved trials.
#[derive(Debug, Default)]
pub struct HostWithoutServices;

impl AnswerHost for HostWithoutServices {}

/// Works on these threads, or on the calling one.
pub fn run_on_pool_or_here<T: Send>(
    threads: Option<&ThreadPool>,
    work: impl FnOnce() -> T + Send,
) -> T {
    match threads {
        Some(threads) => threads.install(work),
        None => work(),
    }
}
