//! The answer as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::comparison_verdict::TieNearOrOpenMark;
use crate::no_fit::{ConflictingWantOrCondition, NoFitReport};
use crate::seek_answer::SeekAnswer;
use crate::seek_design::{FoundDesign, WantValueInDesign};
use crate::seek_numbers::ChangeableNumber;
use crate::seek_question::SeekQuestion;

/// The answer to a question.
#[derive(Debug, Serialize)]
pub struct SeekDocument<'a> {
    name: &'a str,
    designs: u64,
    fit: u64,
    word: &'static str,
    cells: u64,
    full_cells: u64,
    without_answer: u64,
    broken: &'a BTreeMap<String, u64>,
    numbers: Vec<ChangedNumberJson<'a>>,
    wanted: Vec<&'a str>,
    now: Option<DesignJson>,
    found: Vec<DesignJson>,
    /// By number: the values that occur among all designs that fit.
    occurring: Map<String, Json>,
    unread: Vec<&'a str>,
    missing: Option<NoFitReasonJson<'a>>,
}

/// A number with its values.
#[derive(Debug, Serialize)]
struct ChangedNumberJson<'a> {
    name: &'a str,
    now: Option<Json>,
    values: Vec<Json>,
}

/// A design.
#[derive(Debug, Serialize)]
struct DesignJson {
    numbers: Map<String, Json>,
    reached: Vec<WantInDesignJson>,
    changes: u64,
    steps: u64,
}

/// A want in a design.
#[derive(Debug, Serialize)]
struct WantInDesignJson {
    value: f64,
    holds: bool,
    mark: Option<&'static str>,
    miss: f64,
}

/// Why nothing fits.
#[derive(Debug, Serialize)]
struct NoFitReasonJson<'a> {
    nearest: Option<DesignJson>,
    impossible: Option<&'a str>,
    excluding: Vec<ConflictingWantJson<'a>>,
}

/// A want or a condition that others exclude.
#[derive(Debug, Serialize)]
struct ConflictingWantJson<'a> {
    want: &'a str,
    alone: u64,
    without: u64,
}

/// The answer as one JSON object, with at most `best` designs.
pub fn answer_as_document<'a>(
    question: &'a SeekQuestion,
    answer: &'a SeekAnswer,
    best: usize,
) -> SeekDocument<'a> {
    let wants = question.cells.wants.iter().map(|want| want.text.as_str());
    let designs = answer.best_designs.iter().take(best).map(|design| design_json(question, design));
    let unread = answer.unread.iter().map(|at| question.numbers[*at].name.as_str());
    SeekDocument {
        name: &question.name,
        designs: answer.designs,
        fit: answer.fits,
        word: answer.completeness_word(),
        cells: answer.solved_contests,
        full_cells: answer.all_contests,
        without_answer: answer.unanswered_cells,
        broken: &answer.broken_checks,
        numbers: question.numbers.iter().map(number_json).collect(),
        wanted: wants.collect(),
        now: answer.now.as_ref().map(|design| design_json(question, design)),
        found: designs.collect(),
        occurring: occurring_values_json(question, answer),
        unread: unread.collect(),
        missing: answer.no_fit.as_ref().map(|missing| no_fit_json(question, missing)),
    }
}

fn number_json(number: &ChangeableNumber) -> ChangedNumberJson<'_> {
    let values = number.values.iter().map(value_to_json).collect();
    ChangedNumberJson { name: &number.name, now: number.now.as_ref().map(value_to_json), values }
}

fn occurring_values_json(question: &SeekQuestion, answer: &SeekAnswer) -> Map<String, Json> {
    let numbers = question.numbers.iter().zip(&answer.occurring);
    let places = numbers.map(|(number, places)| {
        let values: Vec<Json> =
            places.iter().map(|at| value_to_json(&number.values[*at])).collect();
        (number.name.clone(), Json::from(values))
    });
    places.collect()
}

fn no_fit_json<'a>(question: &'a SeekQuestion, missing: &'a NoFitReport) -> NoFitReasonJson<'a> {
    let excluding = missing.excluding.iter().map(|one| {
        let ConflictingWantOrCondition { text, alone, without, .. } = one;
        ConflictingWantJson { want: text, alone: *alone, without: *without }
    });
    let wants = &question.cells.wants;
    NoFitReasonJson {
        nearest: missing.nearest.as_ref().map(|design| design_json(question, design)),
        impossible: missing.impossible.as_ref().map(|(want, _)| wants[*want].text.as_str()),
        excluding: excluding.collect(),
    }
}

fn design_json(question: &SeekQuestion, design: &FoundDesign) -> DesignJson {
    let numbers = question.numbers.iter().zip(&design.values);
    let numbers = numbers.map(|(number, at): (&ChangeableNumber, &u16)| {
        (number.name.clone(), value_to_json(&number.values[usize::from(*at)]))
    });
    let reached = design.reached.iter().map(|reached| {
        let WantValueInDesign { value, is_met: holds, mark, miss, .. } = *reached;
        WantInDesignJson { value, holds, mark: mark.map(TieNearOrOpenMark::printed_sign), miss }
    });
    DesignJson {
        numbers: numbers.collect(),
        reached: reached.collect(),
        changes: design.changes,
        steps: design.steps,
    }
}

/// A value of a file.
fn value_to_json(value: &toml::Value) -> Json {
    match value {
        toml::Value::Integer(n) => Json::from(*n),
        toml::Value::Float(x) => Json::from(*x),
        toml::Value::Boolean(on) => Json::from(*on),
        other => Json::from(crate::value_text::text_without_quotes(other)),
    }
}
