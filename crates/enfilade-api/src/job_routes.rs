//! The routes of jobs: begin one, follow it, stop it.

use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use super::jobs::{JobRequest, StudioJob, StudioJobSlot};
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;

/// A job that was started, or is to stop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobIdReply {
    id: u64,
}

/// Registers a job. The caller sends the reply and then runs the job, whose events show when it is
/// over.
///
/// # Errors
/// A refusal if the body is no request, or another job is under way.
pub fn register_requested_job(
    jobs: &StudioJobSlot,
    call: &RouteParamsAndBody<'_>,
) -> Result<(Arc<StudioJob>, RouteReply), RouteReply> {
    let wanted: JobRequest = replies::parse_request_body(call.body)?;
    let why = "another job is running: stop it first";
    let job = jobs
        .begin_if_idle(wanted)
        .ok_or_else(|| replies::refusal_reply(StatusCode::CONFLICT, why))?;
    let reply = replies::ok_json_reply(&JobIdReply { id: job.number });
    Ok((job, reply))
}

/// Finds the job whose events are requested.
///
/// # Errors
/// A refusal if the name is not the number of the latest job.
pub fn find_followed_job(
    jobs: &StudioJobSlot,
    call: &RouteParamsAndBody<'_>,
) -> Result<Arc<StudioJob>, RouteReply> {
    let number = call.name.parse().map_err(|_| no_such_job_reply())?;
    jobs.job_by_number(number).ok_or_else(no_such_job_reply)
}

/// Stops the job with the number in the path; finished work is reported.
pub fn stop_numbered_job(jobs: &StudioJobSlot, call: &RouteParamsAndBody<'_>) -> RouteReply {
    match find_followed_job(jobs, call) {
        Ok(job) => {
            job.ask_to_stop();
            replies::ok_json_reply(&JobIdReply { id: job.number })
        }
        Err(error) => error,
    }
}

fn no_such_job_reply() -> RouteReply {
    replies::refusal_reply(
        StatusCode::NOT_FOUND,
        "this job is gone: only the latest one is remembered",
    )
}
