//! Answers while the user types: from a form, or a text, to the odds of one contest, within a time
//! limit.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::app_state::AppState;
use super::grid_view::{self, GridNumbersView};
use super::host;
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork, WorkQueueKind};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::simulate::InstructionSet;
use enfilade_model::form::{Field, FieldType, bounds};
use enfilade_pricing::arsenal::{Arsenal, is_arsenal_text};
use enfilade_report::answers::answer_view::{self, AnswerInWords};
use enfilade_report::answers::answers_json::{self, AnswersDocument};
use enfilade_report::error::ReportError;
use enfilade_study::answer::Answer;
use enfilade_study::checkpoint::journal::CellTrialJournal;
use enfilade_study::experiment::{Experiment, GridCell};
use enfilade_study::file::edit;
use enfilade_study::file::source_document::TomlDocumentWithPositions;
use enfilade_study::solve::streaming::{self, AnswerSink};
use enfilade_study::solve::{SolveObserver, SolverSettings, solve_cells};

/// The largest number of cells that are answered while the user types.
const MAX_LIVE_CELLS: u64 = 2_000;

/// States that a contest without a graph may use while the user types: some hundred megabytes.
const MAX_LIVE_STATES: usize = 1 << 20;

/// The answer to a question while the user types: as much as the time allows.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveReply {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contests: Option<Vec<ContestNameAndAction>>,
    /// The values of the chosen contest, or of the arsenal; null if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "Record<string, unknown> | null"))]
    form: Option<Option<Map<String, Json>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    /// The rulebook of an arsenal.
    arsenal: Option<Option<String>>,
    /// The current or printed price of every weapon of an arsenal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    printed: Option<Vec<Option<f64>>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cells: Option<u64>,
    /// Whether the cells are too many to be answered while the user types.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    vast: Option<bool>,
    /// Whether the cells are too many to be answered in one reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beyond: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "AnswersDocument"))]
    odds: Option<AnswersDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "AnswerInWords"))]
    told: Option<AnswerInWords>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<GridNumbersView>,
    /// Whether the time limit cut the answer short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slow: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
    /// Numbers of fields that the form leaves out, by their paths: printed with what it names, or
    /// derived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(type = "Record<string, number>"))]
    printed_numbers: Option<BTreeMap<String, i64>>,
    /// Number of decisions that players take; absent if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decisions: Option<usize>,
    milliseconds: f64,
}

/// The head of a contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ContestNameAndAction {
    system: Option<String>,
    action: Option<String>,
    name: Option<String>,
}

/// A question of a page.
#[derive(Deserialize)]
struct LiveRequest {
    /// Whether the user waits on purpose.
    #[serde(default)]
    patient: bool,
    #[serde(flatten)]
    turn: QuestionNumber,
    #[serde(flatten)]
    question: PageQuestion,
}

/// Answers with the odds of a contest.
///
/// # Errors
/// A refusal if the body is no question.
pub fn answer_live_odds(
    bench: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let LiveRequest { patient, turn, question } = replies::parse_request_body(call.body)?;
    let terms = queue_and_time_limit(bench, patient);
    let work = move |bench: &AppState, halt: &CancelToken| {
        LiveQuestionRun { bench, question: &question, halt }.answer_as_far_as_time_allows()
    };
    Ok(RouteWork::for_newest_question(turn, terms, work))
}

/// Queue and time limit of an answer.
pub fn queue_and_time_limit(bench: &AppState, patient: bool) -> (WorkQueueKind, Duration) {
    if patient {
        (WorkQueueKind::Long, bench.patient_budget)
    } else {
        (WorkQueueKind::Typed, bench.budget)
    }
}

/// A question at work.
pub struct LiveQuestionRun<'a> {
    /// The shared state.
    pub bench: &'a AppState,
    /// The question.
    pub question: &'a PageQuestion,
    /// The token that cancels it.
    pub halt: &'a CancelToken,
}

impl SolveObserver for LiveQuestionRun<'_> {
    fn cancel_token(&self) -> &CancelToken {
        self.halt
    }
}

impl LiveQuestionRun<'_> {
    /// Answers the question, as far as the time allows.
    pub fn answer_as_far_as_time_allows(&self) -> LiveReply {
        let start = self.bench.host.time_since_epoch();
        let text = self.question.text_with_form();
        let mut reply = LiveReply::default();
        let answer = self.fill_reply_for_text(&text, &mut reply);
        reply.faults = answer.err().map(|error| replies::faults_of_error(&error));
        reply.milliseconds =
            self.bench.host.time_since_epoch().saturating_sub(start).as_secs_f64() * 1e3;
        LiveReply { text, ..reply }
    }

    fn fill_reply_for_text(&self, text: &str, reply: &mut LiveReply) -> Result<(), ReportError> {
        let document = self.question.parse_toml_document(text)?;
        // First, so that there is a form even if its values have faults.
        fill_contest_heads_and_form(&document, self.question.contest, reply);
        let catalogue = self.question.read_rulebooks_in_reach(self.bench, &document)?;
        let name = self.question.file_name_in_messages();
        if is_arsenal_text(text) {
            reply.form = Some(Some(edit::arsenal_values_as_json(&document.table)));
            let system = document.table.get("system").and_then(toml::Value::as_str);
            reply.arsenal = Some(system.map(str::to_owned));
            let arsenal = Arsenal::read_arsenal_text(&catalogue, name, text)?;
            reply.printed = Some(arsenal.weapons.iter().map(|weapon| weapon.price).collect());
            return Ok(());
        }
        let (experiment, cells) =
            Experiment::read_checking_all_or_samples(&catalogue, name, text, MAX_LIVE_CELLS)?;
        reply.cells = Some(cells.len());
        reply.vast = Some(cells.len() > MAX_LIVE_CELLS);
        reply.beyond = Some(cells.len() > bounds::CELLS.high.unsigned_abs());
        self.fill_odds_then_grid(&experiment, cells.len() <= MAX_LIVE_CELLS, reply)
    }

    /// Solves the current cell, and then its `whole` grid.
    fn fill_odds_then_grid(
        &self,
        experiment: &Experiment,
        whole: bool,
        reply: &mut LiveReply,
    ) -> Result<(), ReportError> {
        let own = self.question.current_contest_cells(&experiment.cells);
        let excluded = self.question.excluded_cells_of_contest(experiment);
        let wanted = self.question.current_cell_number(own, &excluded);
        let at = own.iter().position(|cell| cell.index == wanted).unwrap_or(0);
        let settings = small_exact_settings(experiment);
        reply.printed_numbers = own.get(at).map(printed_defaults_of_fields);
        let decisions = own.get(at).map(|cell| cell.played.combat.decisions().len());
        reply.decisions = decisions.filter(|count| *count > 0);
        // Alone and first, so that there is an answer even if its grid takes longer than the limit.
        let first = self.solve_cells_in_time(own.get(at..=at).unwrap_or_default(), &settings)?;
        let Some(answer) = first.first() else {
            reply.slow = Some(!own.is_empty());
            return Ok(());
        };
        reply.odds = Some(answers_json::build_answers_document(&first));
        reply.told = Some(answer_view::build_answer_view(answer));
        if own.len() + excluded.len() > 1 && whole {
            let answers = self.solve_cells_in_time(own, &settings)?;
            reply.grid = grid_view::build_grid_view(own, &excluded, &answers);
            reply.slow = Some(answers.len() < own.len());
            let sought = search_result_sentence(experiment, answers);
            if let Some(grid) = &mut reply.grid {
                grid.sought = Some(sought);
            }
        }
        Ok(())
    }

    /// Solves these cells, as many as the time allows.
    ///
    /// # Errors
    /// When a contest is too large, or its rule fails.
    pub fn solve_cells_in_time(
        &self,
        cells: &[GridCell],
        settings: &SolverSettings,
    ) -> Result<Vec<Answer>, ReportError> {
        let work = || solve_cells(cells, settings, self, &CellTrialJournal::without_storage());
        let solved = host::run_on_pool_or_here(self.bench.host.answer_thread_pool(), work)?;
        Ok(solved.answers)
    }
}

/// The largest number of tables of one field whose printed numbers are looked up.
const MAX_PRINTED_TABLES: usize = 8;

/// Numbers that a contest takes for fields that its form leaves out, of the form and its tables.
fn printed_defaults_of_fields(cell: &GridCell) -> BTreeMap<String, i64> {
    let is_number = |field: &&Field| matches!(field.kind, FieldType::Int(_));
    let paths = cell.action.fields.iter().flat_map(|field| match &field.kind {
        FieldType::Int(_) => vec![field.name.to_string()],
        FieldType::Table(inner) => {
            let inner = inner.iter().filter(is_number);
            inner.map(|one| format!("{}.{}", field.name, one.name)).collect()
        }
        FieldType::Tables(inner, _) => {
            let inner: Vec<_> = inner.iter().filter(is_number).collect();
            let tables = 0..MAX_PRINTED_TABLES;
            let path = |at, one: &&Field| format!("{}[{at}].{}", field.name, one.name);
            tables.flat_map(|at| inner.iter().map(move |one| path(at, one))).collect()
        }
        _ => Vec::new(),
    });
    paths
        .filter_map(|path| Some(((cell.action.otherwise)(&cell.form, &path)?, path)))
        .map(|(number, path)| (path, number))
        .collect()
}

/// Describes the cells that a search keeps, in one sentence; `None` without a search. The grid
/// itself is drawn whole.
fn search_result_sentence(experiment: &Experiment, answers: Vec<Answer>) -> Option<String> {
    let search = experiment.search.as_ref()?;
    let mut collected = streaming::CollectingSink::default();
    let mut searched: streaming::SearchingSink =
        streaming::SearchingSink::new(Some(search), &mut collected);
    let all = experiment.insert_rows_of_broken_checks(answers);
    let of = all.len() as u64;
    let result = searched.receive_answer_block(all).and_then(|()| searched.deliver_selected());
    let mut texts = match result {
        Err(error) => vec![error.to_string()],
        Ok(()) if collected.answers.is_empty() => {
            vec![format!(
                "Nothing is kept: {}.",
                enfilade_report::explain_empty_search(search, &collected.left_out, of)
            )]
        }
        Ok(()) => vec![format!("{} of {of} settings are kept.", collected.answers.len())],
    };
    texts.extend(enfilade_report::sentences_on_broken_checks(&collected.left_out, of));
    Some(texts.join(" "))
}

/// Describes the contests of a file, and the values of the current one.
fn fill_contest_heads_and_form(
    document: &TomlDocumentWithPositions,
    contest: usize,
    reply: &mut LiveReply,
) {
    let tables: Vec<&toml::Table> = match document.table.get("contest") {
        Some(toml::Value::Array(tables)) => {
            tables.iter().filter_map(toml::Value::as_table).collect()
        }
        Some(toml::Value::Table(one)) => vec![one],
        _ => Vec::new(),
    };
    let head = |table: &&toml::Table| {
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        ContestNameAndAction { system: word("system"), action: word("action"), name: word("name") }
    };
    reply.contests = Some(tables.iter().map(head).collect());
    reply.form = Some(tables.get(contest).map(|table| edit::contest_parameters_as_json(table)));
}

/// Settings for exact distributions only, of a size without noticeable delay.
pub fn small_exact_settings(experiment: &Experiment) -> SolverSettings {
    SolverSettings {
        seed: experiment.seed,
        stop: experiment.stop,
        isa: InstructionSet::widest_available(),
        exact_only: true,
        fractions: false,
        bounds: false,
        played: false,
        states: Some(MAX_LIVE_STATES),
    }
}
