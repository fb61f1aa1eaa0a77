//! The editor of rulebook files: what is wrong with a text, and the odds of one of its questions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::bench::Bench;
use super::live::{self, Live, Turn};
use super::question::Question;
use super::reply;
use super::shelf::{self, Draft};
use crate::cancel::Halt;
use crate::report::forms_json;
use crate::rulebook::Rulebook;
use crate::rulebook::tools::printed_tables::{Printed, printed};

/// A text that is being written, and which of its questions is looked at.
#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    turn: Turn,
    #[serde(flatten)]
    draft: Draft,
    #[serde(default)]
    question: usize,
    /// Whether to wait as long as it takes.
    #[serde(default)]
    patient: bool,
}

/// What is to be said of a text.
pub async fn check(State(bench): State<Arc<Bench>>, body: Bytes) -> Response {
    let written: Written = match reply::sent(&body) {
        Ok(written) => written,
        Err(refused) => return *refused,
    };
    let Written { turn, draft, question, patient } = written;
    let terms = live::terms(&bench, patient);
    live::newest(bench, turn, terms, move |bench, halt| checked(bench, draft, question, halt)).await
}

fn checked(bench: &Bench, draft: Draft, question: usize, halt: &Halt) -> Json {
    let tables: Vec<Json> = printed(&draft.text).iter().map(table).collect();
    let mut said = said(bench, draft, question, halt);
    said["tables"] = tables.into();
    said
}

/// A table with its cells and where they stand, in bytes.
fn table(table: &Printed) -> Json {
    let rows = table.rows.iter().map(|row| {
        let cells = row.iter().map(|cell| json!([cell.text, cell.place.start, cell.place.end]));
        cells.collect::<Json>()
    });
    let rows: Json = rows.collect();
    json!({ "name": table.name, "heads": table.heads, "rows": rows })
}

/// What is to be said of a draft: its faults, or its questions and the odds of the one called
/// `question`.
fn said(bench: &Bench, draft: Draft, question: usize, halt: &Halt) -> Json {
    match shelf::rulebook(&bench.folder, &draft.name, Some(&draft), &bench.built_in) {
        Err(error) => json!({ "faults": reply::faults(&error) }),
        Ok(rulebook) => {
            let Rulebook { system, warnings, name, text, .. } = rulebook;
            let questions: Vec<Json> = system
                .actions
                .iter()
                .flat_map(|action| forms_json::questions(&system, action))
                .collect();
            // The action that was looked at may just have been deleted.
            let file = questions.get(question).or(questions.first());
            let file = file.and_then(|question| question["file"].as_str()).map(str::to_owned);
            let odds = file.map(|file| {
                let question = Question::of(file, Some(draft));
                Live { bench, question: &question, halt }.answered()
            });
            let warnings = reply::remarks(name, text, warnings);
            json!({ "warnings": warnings, "questions": questions, "odds": odds })
        }
    }
}
