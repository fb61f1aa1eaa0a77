//! Routes of the folder: list, read, and write files.

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::call::Call;
use super::reply::{self, Reply, trouble};
use super::work::Work;

/// Lists the files of the folder.
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
pub fn list(_: &Bench, _: &Call<'_>) -> Result<Work, Reply> {
    Ok(Work::light(|bench| {
        let files = bench.folder.list().into_iter();
        let files = files.map(|file| FolderFile { name: file.name, bytes: file.bytes });
        reply::ok(&FolderReply { folder: bench.folder.name(), files: files.collect() })
    }))
}

/// One file.
pub fn read(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let name = call.name.to_owned();
    Ok(Work::light(move |bench| match bench.folder.read(&name) {
        Ok(found) => reply::ok(&FileReply { name, text: Some(found.text), hash: found.hash }),
        Err(why) => trouble(&why),
    }))
}

/// A text to save.
#[derive(Deserialize)]
struct Kept {
    text: String,
}

/// Writes a text to a file. `If-Match` names the text to replace, `If-None-Match: *` means a new
/// file; without either nothing is written.
pub fn write(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let (name, seen) = (call.name.to_owned(), call.seen()?);
    let kept: Kept = reply::sent(call.body)?;
    Ok(Work::light(move |bench| match bench.folder.write(&name, &kept.text, seen.as_deref()) {
        Ok(hash) => reply::ok(&FileReply { name, text: None, hash }),
        Err(why) => trouble(&why),
    }))
}
