//! The door to the forms: what can be asked, in all rulebooks of the program and of the folder.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;

use super::bench::{Bench, aside};
use super::{reply, sheets, shelf};
use crate::report::forms_json;

/// All forms.
pub async fn forms(State(bench): State<Arc<Bench>>) -> Response {
    let forms = aside(bench, |bench| {
        let mut forms = forms_json::document(&shelf::all(&bench.built_in, &bench.folder));
        forms["folder"] = bench.folder.name().into();
        forms["sheets"] = sheets::names().into();
        forms
    });
    forms.await.map_or_else(|wrong| wrong, |forms| reply::ok(&forms))
}
