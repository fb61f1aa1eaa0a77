//! Routes of variants and drafts.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{MethodRouter, delete, get, put};
use hyper::body::Bytes;
use hyper::header::HeaderMap;
use serde::Serialize;

use super::bench::{Bench, aside, trouble};
use super::drawer::{Kind, Paper, PaperEntry};
use super::{files, reply};

/// The routes of both drawers.
pub fn doors() -> Vec<(&'static str, &'static str, MethodRouter<Arc<Bench>>)> {
    vec![
        ("GET", "/api/variants", get(|state| list(state, Kind::Variants))),
        ("GET", "/api/variants/{id}", get(|state, id| read(state, id, Kind::Variants))),
        (
            "PUT",
            "/api/variants/{id}",
            put(|s, id, head, body| keep(s, id, head, body, Kind::Variants)),
        ),
        ("DELETE", "/api/variants/{id}", delete(|s, id, head| forget(s, id, head, Kind::Variants))),
        ("GET", "/api/drafts", get(|state| list(state, Kind::Drafts))),
        ("GET", "/api/drafts/{id}", get(|state, id| read(state, id, Kind::Drafts))),
        ("PUT", "/api/drafts/{id}", put(|s, id, head, body| keep(s, id, head, body, Kind::Drafts))),
        ("DELETE", "/api/drafts/{id}", delete(|s, id, head| forget(s, id, head, Kind::Drafts))),
    ]
}

/// The papers of a drawer.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PapersReply {
    papers: Vec<PaperEntry>,
}

/// A paper, its id, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PaperReply {
    #[serde(flatten)]
    paper: Paper,
    id: String,
    hash: String,
}

/// A paper that was saved, with its hash, or removed.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct KeptReply {
    id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hash: Option<String>,
}

async fn list(State(bench): State<Arc<Bench>>, kind: Kind) -> Response {
    let listed = aside(bench, move |bench| PapersReply { papers: bench.drawers.list(kind) });
    listed.await.map_or_else(|wrong| wrong, |listed| reply::ok(&listed))
}

async fn read(State(bench): State<Arc<Bench>>, Path(id): Path<String>, kind: Kind) -> Response {
    let read = aside(bench, move |bench| match bench.drawers.read(kind, &id) {
        Ok((paper, hash)) => reply::ok(&PaperReply { paper, id, hash }),
        Err(why) => trouble(&why),
    });
    read.await.unwrap_or_else(|wrong| wrong)
}

/// Saves one. Its headers name the text to replace, as those of [files] do.
async fn keep(
    State(bench): State<Arc<Bench>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
    kind: Kind,
) -> Response {
    let seen = match files::seen(&headers) {
        Ok(seen) => seen,
        Err(refused) => return *refused,
    };
    let paper: Paper = match reply::sent(&body) {
        Ok(paper) => paper,
        Err(refused) => return *refused,
    };
    let kept =
        aside(bench, move |bench| match bench.drawers.put(kind, &id, &paper, seen.as_deref()) {
            Ok(hash) => reply::ok(&KeptReply { id, hash: Some(hash) }),
            Err(why) => trouble(&why),
        });
    kept.await.unwrap_or_else(|wrong| wrong)
}

async fn forget(
    State(bench): State<Arc<Bench>>,
    Path(id): Path<String>,
    headers: HeaderMap,
    kind: Kind,
) -> Response {
    let seen = match files::seen(&headers) {
        Ok(seen) => seen.unwrap_or_default(),
        Err(refused) => return *refused,
    };
    let forgotten = aside(bench, move |bench| match bench.drawers.forget(kind, &id, &seen) {
        Ok(()) => reply::ok(&KeptReply { id, hash: None }),
        Err(why) => trouble(&why),
    });
    forgotten.await.unwrap_or_else(|wrong| wrong)
}
