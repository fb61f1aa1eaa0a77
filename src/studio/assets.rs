//! The page and its files, packed into the program by its build script.

use std::collections::BTreeMap;
use std::io::Read;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use enfilade_api::refusal_reply;
use flate2::read::DeflateDecoder;
use hyper::StatusCode;
use hyper::header::CONTENT_TYPE;

use crate::report::blocks::html::COLOR_AND_FONT_STYLE;

/// The page; it requests everything else itself.
const PAGE_NAME: &str = "studio.html";

/// All files: for each a line with its name, a line with the number of its bytes, and the bytes.
const PACKED_FILES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/page_assets.deflate"));

/// Texts by the names of their files.
static PAGE_ASSETS_BY_NAME: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut text = String::new();
    // The program has written these bytes itself, so they can be read; a page without them would
    // say so.
    let _ = DeflateDecoder::new(PACKED_FILES).read_to_string(&mut text);
    let mut assets = split_files(&text);
    assets.insert("colours.css".to_owned(), COLOR_AND_FONT_STYLE.to_owned());
    assets
});

fn split_files(mut text: &str) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    while let Some((name, rest)) = text.split_once('\n') {
        let Some((length, rest)) = rest.split_once('\n') else { break };
        let Some((file, rest)) = length.parse().ok().and_then(|at| rest.split_at_checked(at))
        else {
            break;
        };
        files.insert(name.to_owned(), file.to_owned());
        text = rest;
    }
    files
}

/// Returns one of these texts; empty if none has this name.
pub fn text_of_asset(name: &str) -> &'static str {
    PAGE_ASSETS_BY_NAME.get(name).map_or("", String::as_str)
}

/// Returns the page.
pub fn page_html() -> &'static str {
    text_of_asset(PAGE_NAME)
}

/// Lists the modules of the page, each by its name without the ending.
pub fn script_modules_of_page() -> impl Iterator<Item = (&'static str, &'static str)> {
    PAGE_ASSETS_BY_NAME
        .iter()
        .filter_map(|(name, text)| Some((name.strip_suffix(".js")?, text.as_str())))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/html; charset=utf-8",
    }
}

/// The page.
pub async fn serve_studio_page() -> Response {
    ([(CONTENT_TYPE, content_type(PAGE_NAME))], page_html()).into_response()
}

/// Serves one of the files of the page.
pub async fn serve_asset(Path(name): Path<String>) -> Response {
    match PAGE_ASSETS_BY_NAME.get(&name).filter(|_| name != PAGE_NAME) {
        Some(text) => ([(CONTENT_TYPE, content_type(&name))], text.as_str()).into_response(),
        None => {
            let reply = refusal_reply(StatusCode::NOT_FOUND, "there is no such part of the page");
            (reply.status, [(CONTENT_TYPE, reply.kind)], reply.body).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_are_unpacked_as_they_were() {
        assert_eq!(page_html(), include_str!("web/studio.html"));
        assert_eq!(text_of_asset("studio.js"), include_str!("web/studio.js"));
        assert_eq!(text_of_asset("studio.css"), include_str!("web/studio.css"));
        let texts = text_of_asset("texts.js");
        assert!(texts.starts_with("export const TEXTS = {\n") && texts.ends_with("};\n"));
        assert!(!texts.contains('<'), "a text could end the script");
        assert!(script_modules_of_page().count() > 25);
    }

    #[test]
    fn a_broken_list_of_files_has_those_before_the_break() {
        let files = split_files("a.js\n2\nxyb.js\n9\nz");
        assert_eq!(files.into_iter().collect::<Vec<_>>(), [("a.js".to_owned(), "xy".to_owned())]);
        assert!(split_files("nothing").is_empty());
    }
}
