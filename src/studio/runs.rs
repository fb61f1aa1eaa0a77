//! Routes of jobs: start, events, stop.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::response::Response;
use hyper::StatusCode;
use hyper::body::Bytes;
use serde::Serialize;

use super::events;
use super::jobs::{Jobs, Wanted};
use super::reply;
use crate::report::json::flat;

/// Interval of the events of a job.
const BEAT: Duration = Duration::from_millis(100);

/// A job that was started, or is to stop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobReply {
    id: u64,
}

/// Starts a job.
pub async fn begin(State(jobs): State<Arc<Jobs>>, body: Bytes) -> Response {
    let wanted: Wanted = match reply::sent(&body) {
        Ok(wanted) => wanted,
        Err(refused) => return *refused,
    };
    let Some(job) = jobs.begin(wanted) else {
        return reply::refused(StatusCode::CONFLICT, "another job is running: stop it first");
    };
    let number = job.number;
    // The task is not awaited: the events of the job show its end.
    tokio::task::spawn_blocking(move || jobs.run(&job));
    reply::ok(&JobReply { id: number })
}

/// Streams the events of a job, until it is over.
pub async fn events(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    // If the page is gone the stream ends; its job continues.
    events::every(BEAT, move || {
        let event = job.event();
        (Bytes::from(format!("data: {}\n\n", flat(&*event))), event.is_last())
    })
}

/// Stops a job.
pub async fn stop(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    job.stop();
    reply::ok(&JobReply { id: number })
}

fn gone() -> Response {
    reply::refused(StatusCode::NOT_FOUND, "there is no such job any more")
}
