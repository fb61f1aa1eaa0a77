//! The dice box: laws of dice while one types them.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::bench::{Bench, aside};
use super::reply;
use crate::error::Error;
use crate::report::laws::{self, Asked};
use crate::study::dice_law::DiceLaw;

/// Expressions that stand side by side.
const SEVERAL: usize = 8;

/// What was typed.
#[derive(Deserialize)]
struct Typed {
    /// One expression a line.
    text: String,
}

/// The laws of what was typed: those of `enfilade dice`.
pub async fn dice(State(bench): State<Arc<Bench>>, body: Bytes) -> Response {
    let typed: Typed = match reply::sent(&body) {
        Ok(typed) => typed,
        Err(refused) => return *refused,
    };
    let told = aside(bench, move |_| told(&typed.text)).await;
    told.map_or_else(|wrong| wrong, |told| reply::ok(&told))
}

fn told(text: &str) -> Json {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |line: &str| Ok(Asked { text: line.to_owned(), law: DiceLaw::of(line)? });
    match lines.take(SEVERAL).map(read).collect::<Result<Vec<Asked>, Error>>() {
        Err(error) => json!({ "faults": reply::faults(&error) }),
        Ok(asked) => {
            let mut told = laws::json(&asked);
            let said = laws::moments(&asked).into_iter().chain(laws::remarks(&asked));
            told["said"] = said.collect();
            told
        }
    }
}
