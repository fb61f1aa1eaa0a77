//! The doors to jobs: begin one, hear of it, stop it.

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

/// How often the page hears of a job.
const BEAT: Duration = Duration::from_millis(100);

/// A job that was begun, or is to stop.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct JobReply {
    id: u64,
}

/// Begins one.
pub async fn begin(State(jobs): State<Arc<Jobs>>, body: Bytes) -> Response {
    let wanted: Wanted = match reply::sent(&body) {
        Ok(wanted) => wanted,
        Err(refused) => return *refused,
    };
    let Some(job) = jobs.begin(wanted) else {
        return reply::refused(StatusCode::CONFLICT, "another one is under way: stop it first");
    };
    let number = job.number;
    // Nobody waits for it: its events say when it is over.
    tokio::task::spawn_blocking(move || jobs.run(&job));
    reply::ok(&JobReply { id: number })
}

/// Its events, until it is over.
pub async fn events(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    // A page that is gone hears nothing; its job goes on.
    events::every(BEAT, move || {
        let event = job.event();
        (Bytes::from(format!("data: {}\n\n", flat(&*event))), event.is_last())
    })
}

/// Stops it.
pub async fn stop(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    job.stop();
    reply::ok(&JobReply { id: number })
}

fn gone() -> Response {
    reply::refused(StatusCode::NOT_FOUND, "there is no such job any more")
}
