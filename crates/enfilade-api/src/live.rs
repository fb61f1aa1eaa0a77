//! Answers while the user types: from a form, or a text, to the odds of one contest, within a time
//! limit.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use super::bench::Bench;
use super::call::Call;
use super::grid::{self, GridView};
use super::host;
use super::question::Question;
use super::reply::{self, FaultView, Reply};
use super::work::{Queue, Turn, Work};
use crate::bounds;
use crate::cancel::Halt;
use crate::error::Error;
use crate::pricing::arsenal::{Arsenal, is_arsenal};
use crate::report;
use crate::report::answers::answer_view::{self, AnswerView};
use crate::report::answers::answers_json::{self, AnswersDocument};
use crate::simulate::Isa;
use crate::study::answer::Answer;
use crate::study::checkpoint::journal::Journal;
use crate::study::experiment::{Cell, Experiment};
use crate::study::file::document::Document;
use crate::study::file::edit;
use crate::study::solve::streaming::{self, AnswerSink};
use crate::study::solve::{Settings, Watch, solve};

/// The largest number of cells that are answered while the user types.
const CELLS: u64 = 2_000;

/// States that a contest without a graph may use while the user types: some hundred megabytes.
const STATES: usize = 1 << 20;

/// Time limit of an answer that the user waits for on purpose.
pub const PATIENT: Duration = Duration::from_secs(60);

/// What is known of what was asked: as much as can be said in the time.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LiveReply {
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    contests: Option<Vec<ContestHead>>,
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
    #[cfg_attr(test, ts(type = "AnswerView"))]
    told: Option<AnswerView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grid: Option<GridView>,
    /// Whether the time limit cut the answer short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slow: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
    milliseconds: f64,
}

/// The head of a contest.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ContestHead {
    system: Option<String>,
    action: Option<String>,
    name: Option<String>,
}

/// A question of a page.
#[derive(Deserialize)]
struct Asked {
    /// Whether the user waits on purpose.
    #[serde(default)]
    patient: bool,
    #[serde(flatten)]
    turn: Turn,
    #[serde(flatten)]
    question: Question,
}

/// Answers with the odds of a contest.
pub fn odds(bench: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let Asked { patient, turn, question } = reply::sent(call.body)?;
    let terms = terms(bench, patient);
    let work =
        move |bench: &Bench, halt: &Halt| Live { bench, question: &question, halt }.answered();
    Ok(Work::newest(turn, terms, work))
}

/// Queue and time limit of an answer.
pub fn terms(bench: &Bench, patient: bool) -> (Queue, Duration) {
    if patient { (Queue::Long, PATIENT.max(bench.budget)) } else { (Queue::Typed, bench.budget) }
}

/// A question at work.
pub struct Live<'a> {
    /// The shared state.
    pub bench: &'a Bench,
    /// The question.
    pub question: &'a Question,
    /// The token that cancels it.
    pub halt: &'a Halt,
}

impl Watch for Live<'_> {
    fn halt(&self) -> &Halt {
        self.halt
    }
}

impl Live<'_> {
    /// Answers the question, as far as the time allows.
    pub fn answered(&self) -> LiveReply {
        let begun = self.bench.host.clock();
        let text = self.question.text();
        let mut reply = LiveReply::default();
        let found = self.found(&text, &mut reply);
        reply.faults = found.err().map(|error| reply::faults(&error));
        reply.milliseconds = self.bench.host.clock().saturating_sub(begun).as_secs_f64() * 1e3;
        LiveReply { text, ..reply }
    }

    fn found(&self, text: &str, said: &mut LiveReply) -> Result<(), Error> {
        let document = self.question.document(text)?;
        // First, so that there is a form even if its values have faults.
        describe(&document, self.question.contest, said);
        let catalogue = self.question.catalogue(self.bench, &document)?;
        let name = self.question.name();
        if is_arsenal(text) {
            said.form = Some(Some(edit::arsenal(&document.table)));
            let system = document.table.get("system").and_then(toml::Value::as_str);
            said.arsenal = Some(system.map(str::to_owned));
            let arsenal = Arsenal::read(&catalogue, name, text)?;
            said.printed = Some(arsenal.weapons.iter().map(|weapon| weapon.price).collect());
            return Ok(());
        }
        let (experiment, cells) = Experiment::begin(&catalogue, name, text, CELLS)?;
        said.cells = Some(cells.len());
        said.vast = Some(cells.len() > CELLS);
        said.beyond = Some(cells.len() > bounds::CELLS.high.unsigned_abs());
        self.odds(&experiment, cells.len() <= CELLS, said)
    }

    /// Solves the current cell, and then its `whole` grid.
    fn odds(
        &self,
        experiment: &Experiment,
        whole: bool,
        said: &mut LiveReply,
    ) -> Result<(), Error> {
        let own = self.question.own(&experiment.cells);
        let excluded = self.question.excluded(experiment);
        let wanted = self.question.cell_number(own, &excluded);
        let at = own.iter().position(|cell| cell.index == wanted).unwrap_or(0);
        let settings = exactly(experiment);
        // Alone and first, so that there is an answer even if its grid takes longer than the limit.
        let first = self.solved(own.get(at..=at).unwrap_or_default(), &settings)?;
        let Some(answer) = first.first() else {
            said.slow = Some(!own.is_empty());
            return Ok(());
        };
        said.odds = Some(answers_json::document(&first));
        said.told = Some(answer_view::view(answer));
        if own.len() + excluded.len() > 1 && whole {
            let answers = self.solved(own, &settings)?;
            let sought = Some(sought(experiment, &answers));
            said.grid = grid::view(own, &excluded, &answers, sought);
            said.slow = Some(answers.len() < own.len());
        }
        Ok(())
    }

    /// Solves these cells, as many as the time allows.
    ///
    /// # Errors
    /// When a contest is too large, or its rule fails.
    pub fn solved(&self, cells: &[Cell], settings: &Settings) -> Result<Vec<Answer>, Error> {
        let work = || solve(cells, settings, self, &Journal::none());
        let solved = host::on(self.bench.host.threads(), work)?;
        Ok(solved.answers)
    }
}

/// Describes the cells that a search keeps, in one sentence; `None` without a search. The grid
/// itself is drawn whole.
fn sought(experiment: &Experiment, answers: &[Answer]) -> Option<String> {
    let search = experiment.search.as_ref()?;
    let mut kept = streaming::CollectAnswers::default();
    let mut searched = streaming::SearchFilter::new(Some(search), &mut kept);
    let all = experiment.complete(answers.to_vec());
    let of = all.len() as u64;
    let taken = searched.take(all).and_then(|()| searched.finish());
    let mut said = match taken {
        Err(error) => vec![error.to_string()],
        Ok(()) if kept.answers.is_empty() => {
            vec![format!("Nothing is kept: {}.", report::nothing(search, &kept.left_out, of))]
        }
        Ok(()) => vec![format!("{} of {of} settings are kept.", kept.answers.len())],
    };
    said.extend(report::broken(&kept.left_out, of));
    Some(said.join(" "))
}

/// Describes the contests of a file, and the values of the current one.
fn describe(document: &Document, contest: usize, said: &mut LiveReply) {
    let tables: Vec<&toml::Table> = match document.table.get("contest") {
        Some(toml::Value::Array(tables)) => {
            tables.iter().filter_map(toml::Value::as_table).collect()
        }
        Some(toml::Value::Table(one)) => vec![one],
        _ => Vec::new(),
    };
    let head = |table: &&toml::Table| {
        let word = |key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        ContestHead { system: word("system"), action: word("action"), name: word("name") }
    };
    said.contests = Some(tables.iter().map(head).collect());
    said.form = Some(tables.get(contest).map(|table| edit::form(table)));
}

/// Settings for exact distributions only, of a size without noticeable delay.
pub fn exactly(experiment: &Experiment) -> Settings {
    Settings {
        seed: experiment.seed,
        stop: experiment.stop,
        isa: Isa::best(),
        exact_only: true,
        fractions: false,
        played: false,
        states: Some(STATES),
    }
}
