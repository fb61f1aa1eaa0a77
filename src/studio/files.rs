//! Routes of the folder: list, read, and write files.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::response::Response;
use hyper::header::{HeaderMap, IF_MATCH, IF_NONE_MATCH};
use hyper::{StatusCode, body::Bytes};
use serde::{Deserialize, Serialize};

use super::bench::{Bench, aside, trouble};
use super::reply;

/// The files of the folder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FolderReply {
    folder: String,
    files: Vec<FolderFile>,
}

/// A file of the folder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FolderFile {
    name: String,
    bytes: u64,
}

/// A file that was read, with its text, or written.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileReply {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    hash: String,
}

/// Lists the files of the folder.
pub async fn list(State(bench): State<Arc<Bench>>) -> Response {
    let listed = aside(bench, |bench| {
        let files = bench.folder.list().into_iter();
        let files = files.map(|file| FolderFile { name: file.name, bytes: file.bytes });
        FolderReply { folder: bench.folder.name(), files: files.collect() }
    });
    listed.await.map_or_else(|wrong| wrong, |listed| reply::ok(&listed))
}

/// Reads one file.
pub async fn read(State(bench): State<Arc<Bench>>, Path(name): Path<String>) -> Response {
    let read = aside(bench, move |bench| match bench.folder.read(&name) {
        Ok(found) => reply::ok(&FileReply { name, text: Some(found.text), hash: found.hash }),
        Err(why) => trouble(&why),
    });
    read.await.unwrap_or_else(|wrong| wrong)
}

/// A text to save.
#[derive(Deserialize)]
struct Kept {
    text: String,
}

/// Parses the text that a writer has seen: `If-Match` has its hash, `If-None-Match: *` means that
/// there was none.
///
/// # Errors
/// The refusal if both headers are missing: two pages may edit one file, and could overwrite each
/// other's work.
pub fn seen(headers: &HeaderMap) -> Result<Option<String>, Box<Response>> {
    let word = |name| headers.get(name).and_then(|value| value.to_str().ok());
    match (word(IF_MATCH), word(IF_NONE_MATCH)) {
        (Some(hash), None) => Ok(Some(hash.trim_matches('"').to_owned())),
        (None, Some("*")) => Ok(None),
        _ => {
            let why = "name the text to replace: If-Match, or If-None-Match: *";
            Err(Box::new(reply::refused(StatusCode::PRECONDITION_REQUIRED, why)))
        }
    }
}

/// Writes a text to a file. `If-Match` names the text to replace, `If-None-Match: *` means a new
/// file; without either nothing is written.
pub async fn write(
    State(bench): State<Arc<Bench>>,
    Path(name): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let seen = match seen(&headers) {
        Ok(seen) => seen,
        Err(refused) => return *refused,
    };
    let kept: Kept = match reply::sent(&body) {
        Ok(kept) => kept,
        Err(refused) => return *refused,
    };
    let written =
        aside(bench, move |bench| match bench.folder.write(&name, &kept.text, seen.as_deref()) {
            Ok(hash) => reply::ok(&FileReply { name, text: None, hash }),
            Err(why) => trouble(&why),
        });
    written.await.unwrap_or_else(|wrong| wrong)
}
