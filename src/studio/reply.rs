//! Replies of the studio: JSON, and what is wrong in words.

use axum::body::Body;
use axum::response::Response;
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value as Json, json};

use crate::error::{Error, LocatedFault};

/// A reply with this body.
pub fn with(status: StatusCode, kind: &'static str, body: impl Into<Body>) -> Response {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    reply
}

/// A value as JSON.
pub fn json_of(status: StatusCode, value: &Json) -> Response {
    with(status, "application/json", value.to_string())
}

/// A value, all being well.
pub fn ok(value: &Json) -> Response {
    json_of(StatusCode::OK, value)
}

/// A refusal in one sentence.
pub fn refused(status: StatusCode, why: &str) -> Response {
    json_of(status, &json!({ "error": why }))
}

/// What a request's body says.
///
/// # Errors
/// The refusal of what is not the JSON that is expected here.
pub fn sent<T: DeserializeOwned>(body: &[u8]) -> Result<T, Box<Response>> {
    let why = |why: serde_json::Error| format!("that is not what is expected here: {why}");
    let read = serde_json::from_slice(body);
    read.map_err(|error| Box::new(refused(StatusCode::BAD_REQUEST, &why(error))))
}

/// What went wrong, with every fault at its place: what a page shows at its fields.
pub fn failed(error: &Error) -> Response {
    let body = json!({ "error": error.to_string(), "faults": faults(error) });
    json_of(StatusCode::UNPROCESSABLE_ENTITY, &body)
}

/// How grave something is that is said of a text: what a page colours it by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing can be played before it is mended.
    Fault,
    /// It may be meant so.
    Remark,
}

/// The faults of an error; of one that names none, the error itself as the only one.
pub fn faults(error: &Error) -> Json {
    said(error, Severity::Fault)
}

/// What is said of a text that can be played.
pub fn remarks(name: String, text: String, remarks: Vec<LocatedFault>) -> Json {
    said(&Error::Input { name, text, faults: remarks }, Severity::Remark)
}

fn said(error: &Error, severity: Severity) -> Json {
    match error {
        Error::Input { name, text, faults } => {
            let fault = |found: &LocatedFault| {
                let (line, column) = place(text, found.span.start);
                json!({
                    "severity": severity,
                    "file": name,
                    "path": found.fault.path,
                    "line": line,
                    "column": column,
                    "problem": found.fault.problem,
                    "help": found.fault.help,
                })
            };
            faults.iter().map(fault).collect()
        }
        // At the field that makes it large, where a page can put it.
        Error::TooLarge(large) => json!([{
            "severity": severity,
            "path": large.grows_with.first().map_or("", String::as_str),
            "problem": large.problem(),
            "help": large.advice(),
        }]),
        other => {
            let problem = other.to_string();
            json!([{ "severity": severity, "path": "", "problem": problem, "help": null }])
        }
    }
}

/// The line and the column of a byte of a text, both from 1; columns are counted in characters.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn places_are_counted_from_one_and_in_characters() {
        let text = "fp = 8\nname = 'ä', x\n";
        assert_eq!(place(text, 0), (1, 1));
        assert_eq!(place(text, 7), (2, 1));
        // The letter has two bytes and is one character.
        assert_eq!(place(text, 16 + 1), (2, 10));
        assert_eq!(place(text, 9_999), (3, 1));
    }
}
