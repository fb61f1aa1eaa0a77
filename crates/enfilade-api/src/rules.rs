//! The editor of rulebook files: the faults of a text, and the odds of one of its questions.

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::call::Call;
use super::live::{self, Live, LiveReply};
use super::question::Question;
use super::reply::{self, FaultView, Reply};
use super::shelf::{self, Draft};
use super::work::{Turn, Work};
use crate::cancel::Halt;
use crate::report::forms_json::{self, ReadyQuestion};
use crate::rulebook::Rulebook;
use crate::rulebook::tools::printed_tables::{Printed, printed};

/// A draft of a rulebook, and its current question.
#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    turn: Turn,
    #[serde(flatten)]
    draft: Draft,
    #[serde(default)]
    question: usize,
    /// Whether the user waits on purpose.
    #[serde(default)]
    patient: bool,
}

/// Answers with the check of a text.
pub fn check(bench: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let Written { turn, draft, question, patient } = reply::sent(call.body)?;
    let terms = live::terms(bench, patient);
    Ok(Work::newest(turn, terms, move |bench, halt| checked(bench, draft, question, halt)))
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
    #[cfg_attr(test, ts(type = "ReadyQuestion[]"))]
    questions: Option<Vec<ReadyQuestion>>,
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

fn checked(bench: &Bench, draft: Draft, question: usize, halt: &Halt) -> DraftReply {
    let tables = printed(&draft.text).into_iter().map(table).collect();
    DraftReply { tables, ..said(bench, draft, question, halt) }
}

fn table(table: Printed) -> PrintedTableView {
    let rows = table.rows.into_iter().map(|row| {
        row.into_iter().map(|cell| (cell.text, cell.place.start, cell.place.end)).collect()
    });
    PrintedTableView { name: table.name, heads: table.heads, rows: rows.collect() }
}

/// Checks a draft: its faults, or its questions and the odds of the one called `question`.
fn said(bench: &Bench, draft: Draft, question: usize, halt: &Halt) -> DraftReply {
    match shelf::rulebook(&bench.folder, &draft.name, Some(&draft), &bench.built_in) {
        Err(error) => DraftReply { faults: Some(reply::faults(&error)), ..DraftReply::default() },
        Ok(rulebook) => {
            let Rulebook { system, warnings, name, text, .. } = rulebook;
            let actions = system.actions.iter();
            let questions: Vec<ReadyQuestion> =
                actions.flat_map(|action| forms_json::questions(&system, action)).collect();
            // The current action may just have been deleted.
            let file = questions.get(question).or(questions.first());
            let odds = file.map(|question| {
                let question = Question::of(question.file.clone(), Some(draft));
                Live { bench, question: &question, halt }.answered()
            });
            DraftReply {
                warnings: Some(reply::remarks(name, text, warnings)),
                questions: Some(questions),
                odds: Some(odds),
                ..DraftReply::default()
            }
        }
    }
}
