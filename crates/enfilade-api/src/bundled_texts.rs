//! Rulebooks in text that come with the program, to be copied and changed.

use http::StatusCode;
use serde::Serialize;

use super::app_state::AppState;
use super::folder_rulebooks::CompanionFile;
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::RouteWork;
use enfilade_model::catalogue::SourceFile;

/// The rulebooks in text that come with the program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BundledTextListReply {
    texts: Vec<BundledTextInfo>,
}

/// A text, its rulebook, and its opening remark.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BundledTextInfo {
    name: String,
    of: String,
    about: String,
}

/// A text, and the files that belong to a copy of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BundledTextWithCompanions {
    name: String,
    text: String,
    beside: Vec<CompanionFile>,
}

/// Lists the names of the texts, with their opening remarks.
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn list_bundled_rulebooks(
    _: &AppState,
    _: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    Ok(RouteWork::for_quick_work(|bench| {
        let entry = |(file, of): (SourceFile, String)| BundledTextInfo {
            name: file.name.to_string(),
            of,
            about: opening_remark_of_text(&file.text),
        };
        replies::ok_json_reply(&BundledTextListReply {
            texts: built_in_texts_with_titles(bench).into_iter().map(entry).collect(),
        })
    }))
}

/// Reads one of the texts. A missing one is a refusal in the reply.
///
/// # Errors
/// Never: the signature is that of all routes.
pub fn read_bundled_rulebook(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let name = call.name.to_owned();
    Ok(RouteWork::for_quick_work(move |bench| {
        let bundled_text =
            built_in_texts_with_titles(bench).into_iter().find(|(file, _)| file.name == *name);
        match bundled_text {
            Some((file, _)) => {
                let (name, text) = (file.name.to_string(), file.text.to_string());
                replies::ok_json_reply(&BundledTextWithCompanions {
                    name,
                    text,
                    beside: companion_files(bench, &file),
                })
            }
            None => {
                replies::refusal_reply(StatusCode::NOT_FOUND, "no such text comes with the program")
            }
        }
    }))
}

/// Lists every text with its rulebook.
fn built_in_texts_with_titles(bench: &AppState) -> Vec<(SourceFile, String)> {
    let systems = bench.built_in.rulebooks_created_on_demand();
    let texts = systems.flat_map(|system| {
        let own = system.files.iter().chain(system.retold.iter());
        own.map(|file| (file.clone(), system.title.to_string()))
    });
    texts.collect()
}

/// Lists the texts that another one names, which belong to a copy of it.
fn companion_files(bench: &AppState, text: &SourceFile) -> Vec<CompanionFile> {
    let named = |file: &SourceFile| text.text.contains(&format!("from \"{}\"", file.name));
    let others = built_in_texts_with_titles(bench).into_iter().map(|(file, _)| file).filter(named);
    others
        .map(|file| CompanionFile { name: file.name.to_string(), text: file.text.to_string() })
        .collect()
}

/// The remark at the beginning of a text.
fn opening_remark_of_text(text: &str) -> String {
    let remarks = text.lines().map_while(|line| line.strip_prefix("--"));
    let texts: Vec<&str> = remarks.map(str::trim).collect();
    texts.join(" ").replace('`', "")
}
