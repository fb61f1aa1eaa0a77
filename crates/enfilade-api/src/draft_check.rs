//! The editor of rulebook files: the faults of a text, and the odds of one of its questions.

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::folder_rulebooks::{self, RulebookDraft};
use super::live_question::{self, LiveQuestionRun, LiveReply};
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork};
use enfilade_engine::cancel::CancelToken;
use enfilade_model::error::FaultWithByteSpan;
use enfilade_report::error::ReportError;
use enfilade_report::forms_json::{self, SampleQuestionAndFileText};
use enfilade_rules::Rulebook;
use enfilade_rules::tools::mends::find_mends;
use enfilade_rules::tools::printed_tables::{TableInRulebookText, tables_with_rows_in_file};
use enfilade_study::error::StudyError;

/// A draft of a rulebook, and its current question.
#[derive(Deserialize)]
struct DraftCheckRequest {
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
pub fn answer_check_and_odds(
    bench: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let DraftCheckRequest { turn, draft, question, patient } =
        replies::parse_request_body(call.body)?;
    let terms = live_question::queue_and_time_limit(bench, patient);
    Ok(RouteWork::for_newest_question(turn, terms, move |bench, halt| {
        check_draft_with_tables(bench, draft, question, halt)
    }))
}

/// The check of a rulebook that is being written: its faults, or its questions and the odds of one.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DraftCheckReply {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    warnings: Option<Vec<FaultView>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "SampleQuestionAndFileText[]"))]
    questions: Option<Vec<SampleQuestionAndFileText>>,
    /// Null if there is no question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    odds: Option<Option<LiveReply>>,
    tables: Vec<SourceTableView>,
}

/// A printed table of the text.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct SourceTableView {
    name: String,
    heads: Vec<String>,
    /// Each cell with its start and end, in bytes.
    rows: Vec<Vec<(String, usize, usize)>>,
}

fn check_draft_with_tables(
    bench: &AppState,
    draft: RulebookDraft,
    question: usize,
    halt: &CancelToken,
) -> DraftCheckReply {
    let tables =
        tables_with_rows_in_file(&draft.text).into_iter().map(printed_table_view).collect();
    DraftCheckReply { tables, ..check_draft_and_give_odds(bench, draft, question, halt) }
}

fn printed_table_view(table: TableInRulebookText) -> SourceTableView {
    let rows = table.rows.into_iter().map(|row| {
        row.into_iter().map(|cell| (cell.text, cell.place.start, cell.place.end)).collect()
    });
    SourceTableView { name: table.name, heads: table.heads, rows: rows.collect() }
}

/// Checks a draft: its faults, or its questions and the odds of the one called `question`.
fn check_draft_and_give_odds(
    bench: &AppState,
    draft: RulebookDraft,
    question: usize,
    halt: &CancelToken,
) -> DraftCheckReply {
    match folder_rulebooks::read_rulebook_or_draft(
        &bench.folder,
        &draft.name,
        Some(&draft),
        &bench.built_in,
    ) {
        Err(error) => {
            let mut faults = replies::faults_of_error(&error);
            if let Some(StudyError::Input(input)) = error.study_error_if_any() {
                // A fault of another file has its mend there.
                if input.name == draft.name {
                    add_mends(bench, &draft, &input.faults, &mut faults);
                }
            }
            DraftCheckReply { faults: Some(faults), ..DraftCheckReply::default() }
        }
        Ok(rulebook) => {
            let Rulebook { system, warnings, name, text, .. } = rulebook;
            let actions = system.actions.iter();
            let questions: Vec<SampleQuestionAndFileText> =
                actions.flat_map(|action| forms_json::sample_questions(&system, action)).collect();
            // The current action may just have been deleted.
            let file = questions.get(question).or(questions.first());
            let found = warnings.clone();
            let mut warnings = replies::views_of_remarks(name, text, warnings);
            add_mends(bench, &draft, &found, &mut warnings);
            let odds = file.map(|question| {
                let question = PageQuestion::for_first_contest(question.file.clone(), Some(draft));
                LiveQuestionRun { bench, question: &question, halt }.answer_as_far_as_time_allows()
            });
            DraftCheckReply {
                warnings: Some(warnings),
                questions: Some(questions),
                odds: Some(odds),
                ..DraftCheckReply::default()
            }
        }
    }
}

/// Adds the changes of the draft that end these faults or remarks.
fn add_mends(
    bench: &AppState,
    draft: &RulebookDraft,
    found: &[FaultWithByteSpan],
    views: &mut [replies::FaultView],
) {
    let check = |text: &str| {
        let changed = RulebookDraft { text: text.to_owned(), ..draft.clone() };
        let (folder, known) = (&bench.folder, &bench.built_in);
        match folder_rulebooks::read_rulebook_or_draft(folder, &draft.name, Some(&changed), known) {
            Ok(rulebook) => rulebook.warnings,
            Err(error) => located_faults_in_error(error),
        }
    };
    replies::add_mends(views, &draft.text, find_mends(&draft.text, found, check));
}

fn located_faults_in_error(error: ReportError) -> Vec<FaultWithByteSpan> {
    match error.study_error_if_any() {
        Some(StudyError::Input(input)) => input.faults.clone(),
        _ => Vec::new(),
    }
}
