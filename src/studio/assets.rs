//! The page and its files, compiled into the program.

use axum::extract::Path;
use axum::response::Response;
use hyper::StatusCode;

use super::reply::{refused, with};
use crate::report::blocks::html::COLOURS;

/// The page; it requests everything else itself.
const PAGE: &str = include_str!("page/studio.html");

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

/// Serves the page.
pub async fn page() -> Response {
    with(StatusCode::OK, "text/html; charset=utf-8", PAGE)
}

/// Serves one of the files of the page.
pub async fn asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => with(StatusCode::OK, kind, *text),
        None => refused(StatusCode::NOT_FOUND, "there is no such part of the page"),
    }
}
