//! The page and its files, compiled into the program.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use enfilade_api::refused;
use hyper::StatusCode;
use hyper::header::CONTENT_TYPE;

use crate::report::blocks::html::COLOURS;

/// The page; it requests everything else itself.
pub const PAGE: &str = include_str!("page/studio.html");

const SCRIPT: &str = "text/javascript; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";

macro_rules! assets {
    ($($name:literal: $kind:expr),+ $(,)?) => {
        &[
            ("colours.css", STYLE, COLOURS),
            $(($name, $kind, include_str!(concat!("page/", $name)))),+
        ]
    };
}

/// By name: the content type and the text.
const ASSETS: &[(&str, &str, &str)] = assets! {
    "studio.css": STYLE,
    "studio.js": SCRIPT,
    "answer.js": SCRIPT,
    "ask.js": SCRIPT,
    "blocks.js": SCRIPT,
    "changes.js": SCRIPT,
    "dice.js": SCRIPT,
    "dom.js": SCRIPT,
    "drafts.js": SCRIPT,
    "files.js": SCRIPT,
    "form.js": SCRIPT,
    "grid.js": SCRIPT,
    "jobs.js": SCRIPT,
    "names.js": SCRIPT,
    "papers.js": SCRIPT,
    "paste.js": SCRIPT,
    "paths.js": SCRIPT,
    "rolls.js": SCRIPT,
    "rows.js": SCRIPT,
    "rules.js": SCRIPT,
    "sheet.js": SCRIPT,
    "tables.js": SCRIPT,
    "variants.js": SCRIPT,
    "why.js": SCRIPT,
    "work.js": SCRIPT,
};

/// One of these texts; empty where there is none of its name.
pub fn text(name: &str) -> &'static str {
    ASSETS.iter().find(|(known, ..)| *known == name).map_or("", |(.., text)| *text)
}

/// The modules of the page, each by its name without the ending.
pub fn scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    ASSETS.iter().filter_map(|(name, _, text)| Some((name.strip_suffix(".js")?, *text)))
}

/// The page.
pub async fn page() -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], PAGE).into_response()
}

/// Serves one of the files of the page.
pub async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => ([(CONTENT_TYPE, *kind)], *text).into_response(),
        None => {
            let reply = refused(StatusCode::NOT_FOUND, "there is no such part of the page");
            (reply.status, [(CONTENT_TYPE, reply.kind)], reply.body).into_response()
        }
    }
}
