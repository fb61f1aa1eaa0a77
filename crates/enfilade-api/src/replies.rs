//! Replies of the studio: JSON, and faults in words.

use http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{FileAccessError, FileContent};
use enfilade_model::error::{InputError, LocatedFault};
use enfilade_report::error::ReportError;
use enfilade_report::json_text::to_flat_json;
use enfilade_study::error::StudyError;

/// An answer: its status, the type of its body, and the body.
#[derive(Debug)]
pub struct Reply {
    /// The status, as over HTTP.
    pub status: StatusCode,
    /// The type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// Builds a reply with this body.
pub fn with_body(status: StatusCode, kind: &'static str, body: impl Into<Vec<u8>>) -> Reply {
    Reply { status, kind, body: body.into() }
}

/// Builds a reply with a value as JSON.
pub fn json_reply(status: StatusCode, value: &impl Serialize) -> Reply {
    with_body(status, "application/json", to_flat_json(value))
}

/// Builds a reply with a value and status 200.
pub fn ok_reply(value: &impl Serialize) -> Reply {
    json_reply(StatusCode::OK, value)
}

/// A refusal in one sentence, with every fault at its place if there are any.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RefusalReply {
    /// The sentence.
    pub error: String,
    /// The faults; `None` if the refusal is not about a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub faults: Option<Vec<FaultView>>,
}

/// Builds a refusal in one sentence.
pub fn refusal(status: StatusCode, why: &str) -> Reply {
    json_reply(status, &RefusalReply { error: why.to_owned(), faults: None })
}

/// Parses the body of a request.
///
/// # Errors
/// The refusal of a body that is not the expected JSON.
pub fn parse_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, Reply> {
    let why =
        |why: serde_json::Error| format!("the body of the request does not fit this route: {why}");
    let read = serde_json::from_slice(body);
    read.map_err(|error| refusal(StatusCode::BAD_REQUEST, &why(error)))
}

/// Builds the response to an error, with every fault at its place for the fields of a page.
pub fn error_response(error: &ReportError) -> Reply {
    let body = RefusalReply { error: error.to_string(), faults: Some(faults_of_error(error)) };
    json_reply(StatusCode::UNPROCESSABLE_ENTITY, &body)
}

/// The refusal of a text that would overwrite changes that its author has not seen.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Conflict {
    error: String,
    there: Option<FoundView>,
}

/// The current text, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct FoundView {
    text: String,
    hash: String,
}

/// Builds the response to a file that cannot be read or written.
pub fn file_error_response(trouble: &FileAccessError) -> Reply {
    match trouble {
        FileAccessError::Refused(status, why) => refusal(*status, why),
        FileAccessError::Changed(there) => {
            let there = there.as_ref();
            let there = there.map(|FileContent { text, hash }| FoundView {
                text: text.clone(),
                hash: hash.clone(),
            });
            let error = "the file has changed since it was opened".to_owned();
            // The current text is part of the reply, so that the page can show both and offer a choice.
            let body = Conflict { error, there };
            json_reply(StatusCode::CONFLICT, &body)
        }
    }
}

/// Severity of a fault view, which sets its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum Severity {
    /// The text cannot be played before it is fixed.
    Fault,
    /// The text may be intended.
    Remark,
}

/// Lists the remarks on a text that can be played.
pub fn remark_views(name: String, text: String, remarks: Vec<LocatedFault>) -> Vec<FaultView> {
    views_of_faults(&InputError { name, text, faults: remarks }, Severity::Remark)
}

fn views_of_faults(input: &InputError, severity: Severity) -> Vec<FaultView> {
    let InputError { name, text, faults } = input;
    let fault = |found: &LocatedFault| {
        let (line, column) = line_and_column(text, found.span.start);
        FaultView {
            severity,
            file: Some(name.clone()),
            path: found.fault.path.clone(),
            line: Some(line),
            column: Some(column),
            problem: found.fault.problem.clone(),
            help: found.fault.help.clone(),
        }
    };
    faults.iter().map(fault).collect()
}

/// Lists the faults of an error; of one without faults, the error itself as the only one.
pub fn faults_of_error(error: &ReportError) -> Vec<FaultView> {
    let severity = Severity::Fault;
    match error.as_study_error() {
        Some(StudyError::Input(input)) => views_of_faults(input, severity),
        // At the field that makes it large, which a page can show.
        Some(StudyError::TooLarge(large)) => {
            let path = large.grows_with.first().cloned().unwrap_or_default();
            vec![FaultView::without_place(
                severity,
                path,
                large.describe_problem(),
                large.suggest_remedy(),
            )]
        }
        _ => vec![FaultView::without_place(severity, String::new(), error.to_string(), None)],
    }
}

/// A fault or remark of a text, at its place in a file if it has one: line and column, both from 1.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaultView {
    severity: Severity,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    problem: String,
    help: Option<String>,
}

impl FaultView {
    fn without_place(
        severity: Severity,
        path: String,
        problem: String,
        help: Option<String>,
    ) -> FaultView {
        FaultView { severity, file: None, path, line: None, column: None, problem, help }
    }
}

/// The line and the column of a byte of a text, both from 1; columns are counted in characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::line_and_column;

    #[test]
    fn places_are_counted_from_one_and_in_characters() {
        let text = "fp = 8\nname = 'ä', x\n";
        assert_eq!(line_and_column(text, 0), (1, 1));
        assert_eq!(line_and_column(text, 7), (2, 1));
        // The letter has two bytes and is one character.
        assert_eq!(line_and_column(text, 16 + 1), (2, 10));
        assert_eq!(line_and_column(text, 9_999), (3, 1));
    }
}
