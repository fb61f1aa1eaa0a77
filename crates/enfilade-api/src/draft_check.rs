//! The editor of rulebook files: the faults of a text, and the odds of one of its questions.

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::call::Call;
use super::live_question::{self, LiveQuestion, LiveReply};
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, Reply};
use super::rulebook_shelf::{self, RulebookDraft};
use super::work::{QuestionNumber, Work};
use enfilade_engine::cancel::CancelToken;
use enfilade_report::forms_json::{self, SampleQuestion};
use enfilade_rules::Rulebook;
use enfilade_rules::tools::printed_tables::{PrintedTable, find_printed_tables};

/// A draft of a rulebook, and its current question.
#[derive(Deserialize)]
struct DraftRequest {
    #[serde(flatten)]
    turn: QuestionNumber,
    #[serde(flatten)]
    draft: RulebookDraft,
    #[serde(default)]
    question: usize,
    /// Whether the user waits on purpose.
    #[serde(default)]
    patient: bool,
}

/// Answers with the check of a text.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_check(bench: &AppState, call: &Call<'_>) -> Result<Work, Reply> {
    let DraftRequest { turn, draft, question, patient } = replies::parse_body(call.body)?;
    let terms = live_question::queue_and_deadline(bench, patient);
    Ok(Work::newest(turn, terms, move |bench, halt| check_draft(bench, draft, question, halt)))
}

/// The check of a rulebook that is being written: its faults, or its questions and the odds of one.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DraftReply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<FaultView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "SampleQuestion[]"))]
    questions: Option<Vec<SampleQuestion>>,
    /// Null if there is no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    odds: Option<Option<LiveReply>>,
    tables: Vec<PrintedTableView>,
}

/// A printed table of the text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct PrintedTableView {
    name: String,
    heads: Vec<String>,
    /// Each cell with its start and end, in bytes.
    rows: Vec<Vec<(String, usize, usize)>>,
}

fn check_draft(
    bench: &AppState,
    draft: RulebookDraft,
    question: usize,
    halt: &CancelToken,
) -> DraftReply {
    let tables = find_printed_tables(&draft.text).into_iter().map(printed_table_view).collect();
    DraftReply { tables, ..draft_reply(bench, draft, question, halt) }
}

fn printed_table_view(table: PrintedTable) -> PrintedTableView {
    let rows = table.rows.into_iter().map(|row| {
        row.into_iter().map(|cell| (cell.text, cell.place.start, cell.place.end)).collect()
    });
    PrintedTableView { name: table.name, heads: table.heads, rows: rows.collect() }
}

/// Checks a draft: its faults, or its questions and the odds of the one called `question`.
fn draft_reply(
    bench: &AppState,
    draft: RulebookDraft,
    question: usize,
    halt: &CancelToken,
) -> DraftReply {
    match rulebook_shelf::read_rulebook(&bench.folder, &draft.name, Some(&draft), &bench.built_in) {
        Err(error) => {
            DraftReply { faults: Some(replies::faults_of_error(&error)), ..DraftReply::default() }
        }
        Ok(rulebook) => {
            let Rulebook { system, warnings, name, text, .. } = rulebook;
            let actions = system.actions.iter();
            let questions: Vec<SampleQuestion> =
                actions.flat_map(|action| forms_json::sample_questions(&system, action)).collect();
            // The current action may just have been deleted.
            let file = questions.get(question).or(questions.first());
            let odds = file.map(|question| {
                let question = PageQuestion::from_text(question.file.clone(), Some(draft));
                LiveQuestion { bench, question: &question, halt }.reply()
            });
            DraftReply {
                warnings: Some(replies::remark_views(name, text, warnings)),
                questions: Some(questions),
                odds: Some(odds),
                ..DraftReply::default()
            }
        }
    }
}
