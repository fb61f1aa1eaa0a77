//! Rulebooks in text that come with the program, to be copied and changed.

use http::StatusCode;
use serde::Serialize;

use super::bench::Bench;
use super::call::Call;
use super::reply::{self, Reply};
use super::shelf::Beside;
use super::work::Work;
use crate::catalogue::SourceFile;

/// The rulebooks in text that come with the program.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextsReply {
    texts: Vec<BundledRulebook>,
}

/// A text, its rulebook, and its opening remark.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct BundledRulebook {
    name: String,
    of: String,
    about: String,
}

/// A text, and the files that belong to a copy of it.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TextReply {
    name: String,
    text: String,
    beside: Vec<Beside>,
}

/// Lists their names, with their opening remarks.
pub fn list(_: &Bench, _: &Call<'_>) -> Result<Work, Reply> {
    Ok(Work::light(|bench| {
        let entry = |(file, of): (SourceFile, String)| BundledRulebook {
            name: file.name.to_string(),
            of,
            about: about(&file.text),
        };
        reply::ok(&TextsReply { texts: all(bench).into_iter().map(entry).collect() })
    }))
}

/// One of them.
pub fn read(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let name = call.name.to_owned();
    Ok(Work::light(move |bench| {
        let found = all(bench).into_iter().find(|(file, _)| file.name == *name);
        match found {
            Some((file, _)) => {
                let (name, text) = (file.name.to_string(), file.text.to_string());
                reply::ok(&TextReply { name, text, beside: beside(bench, &file) })
            }
            None => reply::refused(StatusCode::NOT_FOUND, "no such text comes with the program"),
        }
    }))
}

/// Lists every text with its rulebook.
fn all(bench: &Bench) -> Vec<(SourceFile, String)> {
    let systems = bench.built_in.systems();
    let texts = systems.flat_map(|system| {
        let own = system.files.iter().chain(system.retold.iter());
        own.map(|file| (file.clone(), system.title.to_string()))
    });
    texts.collect()
}

/// Lists the texts that another one names, which belong to a copy of it.
fn beside(bench: &Bench, text: &SourceFile) -> Vec<Beside> {
    let named = |file: &SourceFile| text.text.contains(&format!("from \"{}\"", file.name));
    let others = all(bench).into_iter().map(|(file, _)| file).filter(named);
    others.map(|file| Beside { name: file.name.to_string(), text: file.text.to_string() }).collect()
}

/// The remark at the beginning of a text.
fn about(text: &str) -> String {
    let remarks = text.lines().map_while(|line| line.strip_prefix("--"));
    let said: Vec<&str> = remarks.map(str::trim).collect();
    said.join(" ").replace('`', "")
}
