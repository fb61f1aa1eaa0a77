//! Answers without a server: one question after the other, on the calling thread.

use std::sync::Arc;

use http::StatusCode;
use parking_lot::Mutex;

use super::app_state::AppState;
use super::jobs::{StudioJob, StudioJobSlot};
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::routes::{RouteHandlerByKind, find_route};

/// The state of a page whose questions are answered in order. The [host](super::AnswerHost) cancels
/// them.
#[derive(Debug)]
pub struct PageSession {
    jobs: StudioJobSlot,
    under_way: Mutex<Option<Arc<StudioJob>>>,
}

impl PageSession {
    /// Creates a session over this state.
    pub fn new(bench: AppState) -> PageSession {
        PageSession { jobs: StudioJobSlot::new(Arc::new(bench)), under_way: Mutex::new(None) }
    }

    /// Answers a request. A job is finished first, and its last event is the answer.
    pub fn answer_request(
        &self,
        method: &str,
        path: &str,
        call: &RouteParamsAndBody<'_>,
    ) -> RouteReply {
        let Some((route, name)) = find_route(method, path) else {
            return replies::refusal_reply(StatusCode::NOT_FOUND, "there is no such route");
        };
        let call = RouteParamsAndBody { name, ..*call };
        self.answer_with_handler(&route.handler, &call).unwrap_or_else(|refused| refused)
    }

    fn answer_with_handler(
        &self,
        way: &RouteHandlerByKind,
        call: &RouteParamsAndBody<'_>,
    ) -> Result<RouteReply, RouteReply> {
        let bench = self.jobs.shared_studio_state();
        match way {
            RouteHandlerByKind::Work(prepare) => {
                Ok(prepare(bench, call)?.run_until_cancelled(bench, &bench.host.new_cancel_token()))
            }
            RouteHandlerByKind::Begin(begin) => {
                let (job, _) = begin(&self.jobs, call)?;
                *self.under_way.lock() = Some(Arc::clone(&job));
                self.jobs.run_given_job(&job);
                *self.under_way.lock() = None;
                Ok(replies::ok_json_reply(&*job.progress_or_result()))
            }
            RouteHandlerByKind::Follow(follow) => {
                Ok(replies::ok_json_reply(&*follow(&self.jobs, call)?.progress_or_result()))
            }
            RouteHandlerByKind::Stop(stop) => Ok(stop(&self.jobs, call)),
        }
    }

    /// Returns the progress of the running job as JSON; empty if none runs.
    pub fn job_progress_json(&self) -> Vec<u8> {
        let job = self.under_way.lock().clone();
        job.map(|job| replies::ok_json_reply(&*job.progress_or_result()).body).unwrap_or_default()
    }
}
