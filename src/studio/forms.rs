//! The route of the forms: all questions, in all rulebooks of the program and of the folder.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use serde::Serialize;

use super::bench::{Bench, aside};
use super::{reply, sheets, shelf};
use crate::report::forms_json::{self, FormsDocument};

/// All forms, the name of the folder, and the sheets that this program can make.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FormsReply {
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    document: FormsDocument,
    folder: String,
    sheets: Vec<&'static str>,
}

/// Lists all forms.
pub async fn forms(State(bench): State<Arc<Bench>>) -> Response {
    let forms = aside(bench, |bench| {
        let document = forms_json::document(&shelf::all(&bench.built_in, &bench.folder));
        FormsReply { document, folder: bench.folder.name(), sheets: sheets::names() }
    });
    forms.await.map_or_else(|wrong| wrong, |forms| reply::ok(&forms))
}
