//! The routes to jobs: begin one, hear of it, stop it.

use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use super::call::Call;
use super::jobs::{Job, Jobs, Wanted};
use super::reply::{self, Reply};

/// A job that was started, or is to stop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobReply {
    id: u64,
}

/// Begins one: whoever sends the reply does it, and its events say when it is over.
pub fn begin(jobs: &Jobs, call: &Call<'_>) -> Result<(Arc<Job>, Reply), Reply> {
    let wanted: Wanted = reply::sent(call.body)?;
    let why = "another one is under way: stop it first";
    let job = jobs.begin(wanted).ok_or_else(|| reply::refused(StatusCode::CONFLICT, why))?;
    let said = reply::ok(&JobReply { id: job.number });
    Ok((job, said))
}

/// The job that somebody wants to hear of.
pub fn follow(jobs: &Jobs, call: &Call<'_>) -> Result<Arc<Job>, Reply> {
    let number = call.name.parse().map_err(|_| gone())?;
    jobs.get(number).ok_or_else(gone)
}

/// Stops it.
pub fn stop(jobs: &Jobs, call: &Call<'_>) -> Reply {
    match follow(jobs, call) {
        Ok(job) => {
            job.stop();
            reply::ok(&JobReply { id: job.number })
        }
        Err(gone) => gone,
    }
}

fn gone() -> Reply {
    reply::refused(StatusCode::NOT_FOUND, "there is no such job any more")
}
