//! Replies of the studio: JSON, and faults in words.

use http::StatusCode;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{FileAccessError, FileTextAndHash};
use enfilade_model::error::{FaultWithByteSpan, InputError};
use enfilade_report::error::ReportError;
use enfilade_report::json_text::to_flat_json;
use enfilade_rules::tools::mends::Mend;
use enfilade_study::error::StudyError;

/// An answer: its status, the type of its body, and the body.
#[derive(Debug)]
pub struct RouteReply {
    /// The status, as over HTTP.
    pub status: StatusCode,
    /// The type of the body.
    pub kind: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// Builds a reply with this body.
pub fn with_body(status: StatusCode, kind: &'static str, body: impl Into<Vec<u8>>) -> RouteReply {
    RouteReply { status, kind, body: body.into() }
}

/// Builds a reply with a value as JSON.
pub fn json_reply(status: StatusCode, value: &impl Serialize) -> RouteReply {
    with_body(status, "application/json", to_flat_json(value))
}

/// Builds a reply with a value and status 200.
pub fn ok_json_reply(value: &impl Serialize) -> RouteReply {
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
pub fn refusal_reply(status: StatusCode, why: &str) -> RouteReply {
    json_reply(status, &RefusalReply { error: why.to_owned(), faults: None })
}

/// Parses the body of a request.
///
/// # Errors
/// The refusal of a body that is not the expected JSON.
pub fn parse_request_body<T: DeserializeOwned>(body: &[u8]) -> Result<T, RouteReply> {
    let why =
        |why: serde_json::Error| format!("the body of the request does not fit this route: {why}");
    let read = serde_json::from_slice(body);
    read.map_err(|error| refusal_reply(StatusCode::BAD_REQUEST, &why(error)))
}

/// Builds the response to an error, with every fault at its place for the fields of a page.
pub fn reply_to_error(error: &ReportError) -> RouteReply {
    let body = RefusalReply { error: error.to_string(), faults: Some(faults_of_error(error)) };
    json_reply(StatusCode::UNPROCESSABLE_ENTITY, &body)
}

/// The refusal of a text that would overwrite changes that its author has not seen.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct SaveConflictReply {
    error: String,
    there: Option<CurrentTextAndHash>,
}

/// The current text, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CurrentTextAndHash {
    text: String,
    hash: String,
}

/// Builds the response to a file that cannot be read or written.
pub fn file_error_reply(trouble: &FileAccessError) -> RouteReply {
    match trouble {
        FileAccessError::Refused(status, why) => refusal_reply(*status, why),
        FileAccessError::Changed(there) => {
            let there = there.as_ref();
            let there = there.map(|FileTextAndHash { text, hash }| CurrentTextAndHash {
                text: text.clone(),
                hash: hash.clone(),
            });
            let error = "the file has changed since it was opened".to_owned();
            // The current text is part of the reply, so that the page can show both and offer a
            // choice.
            let body = SaveConflictReply { error, there };
            json_reply(StatusCode::CONFLICT, &body)
        }
    }
}

/// Severity of a fault view, which sets its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum FaultOrRemark {
    /// The text cannot be played before it is fixed.
    Fault,
    /// The text may be intended.
    Remark,
}

/// Lists the remarks on a text that can be played.
pub fn views_of_remarks(
    name: String,
    text: String,
    remarks: Vec<FaultWithByteSpan>,
) -> Vec<FaultView> {
    views_of_faults(&InputError { name, text, faults: remarks }, FaultOrRemark::Remark)
}

fn views_of_faults(input: &InputError, severity: FaultOrRemark) -> Vec<FaultView> {
    let InputError { name, text, faults } = input;
    let fault = |found: &FaultWithByteSpan| {
        let (line, column) = line_and_column_of_byte(text, found.span.start);
        FaultView {
            severity,
            file: Some(name.clone()),
            path: found.fault.path.clone(),
            line: Some(line),
            column: Some(column),
            width: Some(width_on_line(text, &found.span)),
            problem: found.fault.problem.clone(),
            help: found.fault.help.clone(),
            mend: None,
        }
    };
    faults.iter().map(fault).collect()
}

/// Lists the faults of an error; of one without faults, the error itself as the only one.
pub fn faults_of_error(error: &ReportError) -> Vec<FaultView> {
    let severity = FaultOrRemark::Fault;
    match error.study_error_if_any() {
        Some(StudyError::Input(input)) => views_of_faults(input, severity),
        // At the field that makes it large, which a page can show.
        Some(StudyError::TooLarge(large)) => {
            let path = large.grows_with.first().cloned().unwrap_or_default();
            vec![FaultView::new_without_file_place(
                severity,
                path,
                large.describe_what_is_too_large(),
                large.suggest_remedy(),
            )]
        }
        _ => vec![FaultView::new_without_file_place(
            severity,
            String::new(),
            error.to_string(),
            None,
        )],
    }
}

/// A fault or remark of a text, at its place in a file if it has one: line and column, both from 1.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FaultView {
    severity: FaultOrRemark,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    path: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// Characters on its line that are at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    width: Option<usize>,
    problem: String,
    help: Option<String>,
    /// Change of the text that ends it; absent if none is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mend: Option<MendView>,
}

/// A change of one line, at its place: line and column, both from 1.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct MendView {
    line: usize,
    column: usize,
    /// Characters that are replaced.
    width: usize,
    text: String,
}

impl MendView {
    fn of(Mend { span, text: new }: Mend, text: &str) -> MendView {
        let (line, column) = line_and_column_of_byte(text, span.start);
        MendView { line, column, width: width_on_line(text, &span), text: new }
    }
}

/// Adds the mends of a text to the views of its faults, which have the same order.
pub fn add_mends(views: &mut [FaultView], text: &str, mends: Vec<Option<Mend>>) {
    for (view, mend) in views.iter_mut().zip(mends) {
        view.mend = mend.map(|mend| MendView::of(mend, text));
    }
}

impl FaultView {
    fn new_without_file_place(
        severity: FaultOrRemark,
        path: String,
        problem: String,
        help: Option<String>,
    ) -> FaultView {
        FaultView {
            severity,
            file: None,
            path,
            line: None,
            column: None,
            width: None,
            problem,
            help,
            mend: None,
        }
    }
}

/// The line and the column of a byte of a text, both from 1; columns are counted in characters.
fn line_and_column_of_byte(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// Number of characters of a place up to the end of its line.
fn width_on_line(text: &str, span: &std::ops::Range<usize>) -> usize {
    let place = text.get(span.clone()).unwrap_or_default();
    place.lines().next().map_or(0, |line| line.chars().count())
}

#[cfg(test)]
mod tests {
    use super::{line_and_column_of_byte, width_on_line};

    #[test]
    fn a_place_is_as_wide_as_its_letters_on_the_first_line() {
        let text = "a = 'äö' + b\nc";
        assert_eq!(width_on_line(text, &(4..10)), 4);
        assert_eq!(width_on_line(text, &(11..text.len())), 3);
        assert_eq!(width_on_line(text, &(5..6)), 0);
        assert_eq!(width_on_line(text, &(99..100)), 0);
    }

    #[test]
    fn places_are_counted_from_one_and_in_characters() {
        let text = "fp = 8\nname = 'ä', x\n";
        assert_eq!(line_and_column_of_byte(text, 0), (1, 1));
        assert_eq!(line_and_column_of_byte(text, 7), (2, 1));
        // The letter has two bytes and is one character.
        assert_eq!(line_and_column_of_byte(text, 16 + 1), (2, 10));
        assert_eq!(line_and_column_of_byte(text, 9_999), (3, 1));
    }
}
