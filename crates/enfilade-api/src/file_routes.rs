//! Routes of the folder: list, read, and write files.

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::replies::{self, RouteReply, file_error_reply};
use super::request_parts::RouteParamsAndBody;
use super::work::RouteWork;

/// The name of the folder, and its files.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FolderReply {
    folder: String,
    files: Vec<FileNameAndQuestion>,
}

/// A file of the folder.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FileNameAndQuestion {
    name: String,
    bytes: u64,
    /// The question of the file, or the title of its game; empty if it has neither.
    question: String,
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
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn list_folder_files(
    _: &AppState,
    _: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    Ok(RouteWork::for_quick_work(|bench| {
        let files = bench.folder.list_openable_files().into_iter();
        let files = files.map(|file| FileNameAndQuestion {
            question: first_question_or_title_line(bench, &file.name).unwrap_or_default(),
            name: file.name,
            bytes: file.bytes,
        });
        replies::ok_json_reply(&FolderReply {
            folder: bench.folder.folder_title(),
            files: files.collect(),
        })
    }))
}

/// The largest file whose question is looked for when the folder is listed.
const MAX_LISTED_BYTES: usize = 1 << 16;

/// Reads the question of a file, or the title of its game: the first line that has one, in quotes.
fn first_question_or_title_line(bench: &AppState, name: &str) -> Option<String> {
    let keys: &[&str] = match name.rsplit_once('.')?.1 {
        "toml" => &["question = ", "name = "],
        "rules" => &["game "],
        _ => return None,
    };
    let text = bench.folder.read_text_and_hash(name).ok()?.text;
    let lines = || text.lines().take_while(|line| !line.starts_with("[[contest"));
    let quoted = |rest: &str| Some(rest.trim().strip_prefix('"')?.split('"').next()?.to_owned());
    let found =
        keys.iter().find_map(|key| lines().find_map(|line| quoted(line.strip_prefix(key)?)));
    found.filter(|_| text.len() <= MAX_LISTED_BYTES)
}

/// Removes a file, if it still is the text that `If-Match` names.
///
/// # Errors
/// A refusal without the header.
pub fn remove_folder_file(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let (name, seen) = (call.name.to_owned(), call.seen_hash()?.unwrap_or_default());
    Ok(RouteWork::for_quick_work(move |bench| {
        match bench.folder.remove_if_unchanged(&name, &seen) {
            Ok(()) => replies::ok_json_reply(&FileReply { name, text: None, hash: seen }),
            Err(why) => file_error_reply(&why),
        }
    }))
}

/// Reads one file. A file that cannot be read is a refusal in the reply.
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn read_folder_file(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let name = call.name.to_owned();
    Ok(RouteWork::for_quick_work(move |bench| match bench.folder.read_text_and_hash(&name) {
        Ok(file) => {
            replies::ok_json_reply(&FileReply { name, text: Some(file.text), hash: file.hash })
        }
        Err(why) => file_error_reply(&why),
    }))
}

/// A text to save.
#[derive(Deserialize)]
struct FileTextBody {
    text: String,
}

/// Writes a text to a file. `If-Match` names the text to replace, `If-None-Match: *` means a new
/// file; without either nothing is written.
///
/// # Errors
/// A refusal without either header, or if the body is no text to save.
pub fn write_folder_file(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let (name, seen) = (call.name.to_owned(), call.seen_hash()?);
    let request: FileTextBody = replies::parse_request_body(call.body)?;
    Ok(RouteWork::for_quick_work(move |bench| {
        match bench.folder.write_if_unchanged(&name, &request.text, seen.as_deref()) {
            Ok(hash) => replies::ok_json_reply(&FileReply { name, text: None, hash }),
            Err(why) => file_error_reply(&why),
        }
    }))
}
