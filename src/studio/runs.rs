//! The doors to jobs: begin one, hear of it, stop it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::Response;
use hyper::StatusCode;
use hyper::body::{Body as Stream, Bytes, Frame};
use serde_json::json;
use tokio::sync::mpsc::{Receiver, channel};

use super::jobs::Jobs;
use super::question::Question;
use super::reply;

/// How often the page hears of a job.
const BEAT: Duration = Duration::from_millis(100);

/// Begins one.
pub async fn begin(State(jobs): State<Arc<Jobs>>, body: Bytes) -> Response {
    let question: Question = match reply::sent(&body) {
        Ok(question) => question,
        Err(refused) => return *refused,
    };
    let Some(job) = jobs.begin(question) else {
        return reply::refused(StatusCode::CONFLICT, "another one is under way: stop it first");
    };
    let number = job.number;
    // Nobody waits for it: its events say when it is over.
    tokio::task::spawn_blocking(move || jobs.run(&job));
    reply::ok(&json!({ "id": number }))
}

/// Its events, until it is over.
pub async fn events(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    let (send, receive) = channel(1);
    tokio::spawn(async move {
        loop {
            let event = job.event();
            let over = event["done"] == true;
            // A page that is gone hears nothing; its job goes on.
            let sent = send.send(Bytes::from(format!("data: {event}\n\n"))).await;
            if over || sent.is_err() {
                return;
            }
            tokio::time::sleep(BEAT).await;
        }
    });
    reply::with(StatusCode::OK, "text/event-stream", Body::new(Events(receive)))
}

/// Stops it.
pub async fn stop(State(jobs): State<Arc<Jobs>>, Path(number): Path<u64>) -> Response {
    let Some(job) = jobs.get(number) else { return gone() };
    job.stop();
    reply::ok(&json!({ "id": number }))
}

fn gone() -> Response {
    reply::refused(StatusCode::NOT_FOUND, "there is no such job any more")
}

/// Events as they come.
struct Events(Receiver<Bytes>);

impl Stream for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let next = self.get_mut().0.poll_recv(context);
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
