//! The routes to jobs: begin one, hear of it, stop it.

use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use super::call::Call;
use super::jobs::{CurrentJob, JobRequest, StudioJob};
use super::replies::{self, Reply};

/// A job that was started, or is to stop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobReply {
    id: u64,
}

/// Begins one: whoever sends the reply does it, and its events say when it is over.
pub fn begin_job(jobs: &CurrentJob, call: &Call<'_>) -> Result<(Arc<StudioJob>, Reply), Reply> {
    let wanted: JobRequest = replies::parse_body(call.body)?;
    let why = "another one is under way: stop it first";
    let job = jobs.begin_job(wanted).ok_or_else(|| replies::refusal(StatusCode::CONFLICT, why))?;
    let said = replies::ok_reply(&JobReply { id: job.number });
    Ok((job, said))
}

/// The job that somebody wants to hear of.
pub fn follow(jobs: &CurrentJob, call: &Call<'_>) -> Result<Arc<StudioJob>, Reply> {
    let number = call.name.parse().map_err(|_| no_such_job())?;
    jobs.get(number).ok_or_else(no_such_job)
}

/// Stops it.
pub fn stop_job(jobs: &CurrentJob, call: &Call<'_>) -> Reply {
    match follow(jobs, call) {
        Ok(job) => {
            job.stop();
            replies::ok_reply(&JobReply { id: job.number })
        }
        Err(gone) => gone,
    }
}

fn no_such_job() -> Reply {
    replies::refusal(StatusCode::NOT_FOUND, "there is no such job any more")
}
