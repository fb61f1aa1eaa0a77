//! Answers without a server: one question after the other, on the calling thread.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;

use super::app_state::AppState;
use super::call::Call;
use super::jobs::{CurrentJob, StudioJob};
use super::replies::{self, Reply};
use super::routes::{Way, find};

/// The state of a page whose questions are answered in order. The [host](super::Host) cancels them.
#[derive(Debug)]
pub struct Session {
    jobs: CurrentJob,
    under_way: Mutex<Option<Arc<StudioJob>>>,
}

impl Session {
    /// Creates a session over this state.
    pub fn new(bench: AppState) -> Session {
        Session { jobs: CurrentJob::new(Arc::new(bench)), under_way: Mutex::new(None) }
    }

    /// Answers a request. A job is finished first, and its last event is the answer.
    pub fn answer(&self, method: &str, path: &str, call: &Call<'_>) -> Reply {
        let Some((route, name)) = find(method, path) else {
            return replies::refusal(StatusCode::NOT_FOUND, "there is no such route");
        };
        let call = Call { name, ..*call };
        self.answered(&route.way, &call).unwrap_or_else(|refused| refused)
    }

    fn answered(&self, way: &Way, call: &Call<'_>) -> Result<Reply, Reply> {
        let bench = self.jobs.bench();
        match way {
            Way::Work(prepare) => Ok(prepare(bench, call)?.run(bench, &bench.host.halt())),
            Way::Begin(begin) => {
                let (job, _) = begin(&self.jobs, call)?;
                *self.under_way.lock() = Some(Arc::clone(&job));
                self.jobs.run_job(&job);
                *self.under_way.lock() = None;
                Ok(replies::ok_reply(&*job.latest_event()))
            }
            Way::Follow(follow) => {
                Ok(replies::ok_reply(&*follow(&self.jobs, call)?.latest_event()))
            }
            Way::Stop(stop) => Ok(stop(&self.jobs, call)),
        }
    }

    /// Returns the progress of the running job as JSON; empty if none runs.
    pub fn progress(&self) -> Vec<u8> {
        let job = self.under_way.lock().clone();
        job.map(|job| replies::ok_reply(&*job.latest_event()).body).unwrap_or_default()
    }
}
