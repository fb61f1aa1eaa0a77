//! The page and its files, compiled into the program.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use enfilade_api::refusal;
use hyper::StatusCode;
use hyper::header::CONTENT_TYPE;

use crate::report::blocks::html::COLOR_STYLE;

/// The page; it requests everything else itself.
pub const PAGE_HTML: &str = include_str!("page/studio.html");

const SCRIPT_TYPE: &str = "text/javascript; charset=utf-8";
const STYLE_TYPE: &str = "text/css; charset=utf-8";

macro_rules! assets {
    ($($name:literal: $kind:expr),+ $(,)?) => {
        &[
            ("colours.css", STYLE_TYPE, COLOR_STYLE),
            $(($name, $kind, include_str!(concat!("page/", $name)))),+
        ]
    };
}

/// By name: the content type and the text.
const ASSETS: &[(&str, &str, &str)] = assets! {
    "studio.css": STYLE_TYPE,
    "studio.js": SCRIPT_TYPE,
    "answer.js": SCRIPT_TYPE,
    "ask.js": SCRIPT_TYPE,
    "blocks.js": SCRIPT_TYPE,
    "changes.js": SCRIPT_TYPE,
    "dice.js": SCRIPT_TYPE,
    "dom.js": SCRIPT_TYPE,
    "drafts.js": SCRIPT_TYPE,
    "files.js": SCRIPT_TYPE,
    "form.js": SCRIPT_TYPE,
    "grid.js": SCRIPT_TYPE,
    "jobs.js": SCRIPT_TYPE,
    "links.js": SCRIPT_TYPE,
    "names.js": SCRIPT_TYPE,
    "overtaken.js": SCRIPT_TYPE,
    "papers.js": SCRIPT_TYPE,
    "paste.js": SCRIPT_TYPE,
    "paths.js": SCRIPT_TYPE,
    "rolls.js": SCRIPT_TYPE,
    "rows.js": SCRIPT_TYPE,
    "rules.js": SCRIPT_TYPE,
    "sample.js": SCRIPT_TYPE,
    "share.js": SCRIPT_TYPE,
    "sheet.js": SCRIPT_TYPE,
    "sides.js": SCRIPT_TYPE,
    "stops.js": SCRIPT_TYPE,
    "tables.js": SCRIPT_TYPE,
    "variants.js": SCRIPT_TYPE,
    "ways.js": SCRIPT_TYPE,
    "why.js": SCRIPT_TYPE,
    "work.js": SCRIPT_TYPE,
};

/// Returns one of these texts; empty if none has this name.
pub fn asset_text(name: &str) -> &'static str {
    ASSETS.iter().find(|(known, ..)| *known == name).map_or("", |(.., text)| *text)
}

/// Lists the modules of the page, each by its name without the ending.
pub fn list_scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    ASSETS.iter().filter_map(|(name, _, text)| Some((name.strip_suffix(".js")?, *text)))
}

/// The page.
pub async fn serve_page() -> Response {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], PAGE_HTML).into_response()
}

/// Serves one of the files of the page.
pub async fn serve_asset(Path(name): Path<String>) -> Response {
    match ASSETS.iter().find(|(known, ..)| *known == name) {
        Some((_, kind, text)) => ([(CONTENT_TYPE, *kind)], *text).into_response(),
        None => {
            let reply = refusal(StatusCode::NOT_FOUND, "there is no such part of the page");
            (reply.status, [(CONTENT_TYPE, reply.kind)], reply.body).into_response()
        }
    }
}
