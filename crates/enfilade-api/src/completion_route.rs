//! Names that may be written at the cursor of an editor.

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::folder_rulebooks::{self, RulebookDraft};
use super::live_question;
use super::replies::{self, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork};
use enfilade_rules::tools::name_completions::{Completion, CompletionList, NameRole};

/// A draft of a rulebook, and the place of the cursor in it.
#[derive(Deserialize)]
struct CompletionRequest {
    #[serde(flatten)]
    turn: QuestionNumber,
    #[serde(flatten)]
    draft: RulebookDraft,
    /// The number of characters before the cursor.
    at: usize,
}

/// Names for the list of an editor.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CompletionsReply {
    /// The number of characters before the cursor that they replace.
    back: usize,
    names: Vec<CompletionView>,
}

/// A name, the word for its role, and its label.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct CompletionView {
    text: String,
    role: &'static str,
    detail: String,
}

/// Answers with the names that may be written at the cursor.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_completions(
    bench: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let CompletionRequest { turn, draft, at } = replies::parse_request_body(call.body)?;
    let terms = live_question::queue_and_time_limit(bench, false);
    Ok(RouteWork::for_newest_question(turn, terms, move |bench, _| {
        let end = draft.text.char_indices().nth(at).map_or(draft.text.len(), |(byte, _)| byte);
        let list =
            folder_rulebooks::completions_in_draft(&bench.folder, &draft, &bench.built_in, end);
        let CompletionList { word, names } = list;
        let back = draft.text.get(word).map_or(0, |word| word.chars().count());
        CompletionsReply { back, names: names.into_iter().map(completion_view).collect() }
    }))
}

fn completion_view(Completion { text, role, detail }: Completion) -> CompletionView {
    CompletionView { text, role: role_word(role), detail }
}

const fn role_word(role: NameRole) -> &'static str {
    match role {
        NameRole::Variable => "variable",
        NameRole::Field => "field",
        NameRole::Member => "column",
        NameRole::Table => "table",
        NameRole::Part => "part",
        NameRole::Word => "word",
        NameRole::Declaration => "declared",
        NameRole::Keyword => "language",
    }
}
