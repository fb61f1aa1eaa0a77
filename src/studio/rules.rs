//! The editor of rulebook files: what is wrong with a text, and the odds of one of its questions.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::bench::{Bench, aside};
use super::live::Live;
use super::question::Question;
use super::reply;
use super::shelf::{self, Draft};
use crate::error::Error;
use crate::halt::Halt;
use crate::report::forms;
use crate::rulebook::Rulebook;

/// A text that is being written, and which of its questions is looked at.
#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    draft: Draft,
    #[serde(default)]
    question: usize,
}

/// What is to be said of a text.
pub async fn check(State(bench): State<Arc<Bench>>, body: Bytes) -> Response {
    let written: Written = match reply::sent(&body) {
        Ok(written) => written,
        Err(refused) => return *refused,
    };
    let halt = Arc::new(Halt::new());
    let (watch, budget) = (Arc::clone(&halt), bench.budget);
    let clock = tokio::spawn(async move {
        tokio::time::sleep(budget).await;
        watch.ask();
    });
    let said = aside(bench, move |bench| checked(bench, written, &halt)).await;
    clock.abort();
    said.map_or_else(|wrong| wrong, |said| reply::ok(&said))
}

fn checked(bench: &Bench, written: Written, halt: &Halt) -> Json {
    let draft = written.draft;
    match shelf::rulebook(&bench.folder, &draft.name, Some(&draft), &bench.built_in) {
        Err(error) => json!({ "faults": reply::faults(&error) }),
        Ok(rulebook) => {
            let Rulebook { system, warnings, name, text, .. } = rulebook;
            let questions: Vec<Json> = system
                .actions
                .iter()
                .flat_map(|action| forms::questions(&system, action))
                .collect();
            let file = questions.get(written.question).or(questions.first());
            let file = file.and_then(|question| question["file"].as_str()).map(str::to_owned);
            let odds = file.map(|file| {
                let question = Question::of(file, Some(draft));
                Live { bench, question: &question, halt }.answered()
            });
            let warnings = reply::faults(&Error::Input { name, text, faults: warnings });
            json!({ "warnings": warnings, "questions": questions, "odds": odds })
        }
    }
}
