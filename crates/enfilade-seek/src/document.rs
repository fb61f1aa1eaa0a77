//! The answer as JSON.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::answer::SeekAnswer;
use crate::decide::Mark;
use crate::design::{Reached, SeekDesign};
use crate::missing::{Excluding, Missing};
use crate::numbers::ChangedNumber;
use crate::question::SeekQuestion;

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
    numbers: Vec<NumberJson<'a>>,
    wanted: Vec<&'a str>,
    now: Option<DesignJson>,
    found: Vec<DesignJson>,
    /// By number: the values that occur among all designs that fit.
    occurring: Map<String, Json>,
    unread: Vec<&'a str>,
    missing: Option<MissingJson<'a>>,
}

/// A number with its values.
#[derive(Debug, Serialize)]
struct NumberJson<'a> {
    name: &'a str,
    now: Option<Json>,
    values: Vec<Json>,
}

/// A design.
#[derive(Debug, Serialize)]
struct DesignJson {
    numbers: Map<String, Json>,
    reached: Vec<ReachedJson>,
    changes: u64,
    steps: u64,
}

/// A want in a design.
#[derive(Debug, Serialize)]
struct ReachedJson {
    value: f64,
    holds: bool,
    mark: Option<&'static str>,
    miss: f64,
}

/// Why nothing fits.
#[derive(Debug, Serialize)]
struct MissingJson<'a> {
    nearest: Option<DesignJson>,
    impossible: Option<&'a str>,
    excluding: Vec<ExcludingJson<'a>>,
}

/// A want or a condition that others exclude.
#[derive(Debug, Serialize)]
struct ExcludingJson<'a> {
    want: &'a str,
    alone: u64,
    without: u64,
}

/// The answer as one JSON object, with at most `best` designs.
pub fn document<'a>(
    question: &'a SeekQuestion,
    answer: &'a SeekAnswer,
    best: usize,
) -> SeekDocument<'a> {
    let wants = question.wanted.wants.iter().map(|want| want.text.as_str());
    let designs = answer.found.iter().take(best).map(|design| one(question, design));
    let unread = answer.unread.iter().map(|at| question.numbers[*at].name.as_str());
    SeekDocument {
        name: &question.name,
        designs: answer.designs,
        fit: answer.fits,
        word: answer.word(),
        cells: answer.asked,
        full_cells: answer.full,
        without_answer: answer.holes,
        broken: &answer.broken,
        numbers: question.numbers.iter().map(number).collect(),
        wanted: wants.collect(),
        now: answer.now.as_ref().map(|design| one(question, design)),
        found: designs.collect(),
        occurring: occurring(question, answer),
        unread: unread.collect(),
        missing: answer.missing.as_ref().map(|missing| told(question, missing)),
    }
}

fn number(number: &ChangedNumber) -> NumberJson<'_> {
    let values = number.values.iter().map(value).collect();
    NumberJson { name: &number.name, now: number.now.as_ref().map(value), values }
}

fn occurring(question: &SeekQuestion, answer: &SeekAnswer) -> Map<String, Json> {
    let numbers = question.numbers.iter().zip(&answer.occurring);
    let seen = numbers.map(|(number, seen)| {
        let seen: Vec<Json> = seen.iter().map(|at| value(&number.values[*at])).collect();
        (number.name.clone(), Json::from(seen))
    });
    seen.collect()
}

fn told<'a>(question: &'a SeekQuestion, missing: &'a Missing) -> MissingJson<'a> {
    let excluding = missing.excluding.iter().map(|one| {
        let Excluding { text, alone, without, .. } = one;
        ExcludingJson { want: text, alone: *alone, without: *without }
    });
    let wants = &question.wanted.wants;
    MissingJson {
        nearest: missing.nearest.as_ref().map(|design| one(question, design)),
        impossible: missing.impossible.as_ref().map(|(want, _)| wants[*want].text.as_str()),
        excluding: excluding.collect(),
    }
}

fn one(question: &SeekQuestion, design: &SeekDesign) -> DesignJson {
    let numbers = question.numbers.iter().zip(&design.values);
    let numbers = numbers.map(|(number, at): (&ChangedNumber, &u16)| {
        (number.name.clone(), value(&number.values[usize::from(*at)]))
    });
    let reached = design.reached.iter().map(|reached| {
        let Reached { value, holds, mark, miss } = *reached;
        ReachedJson { value, holds, mark: mark.map(Mark::sign), miss }
    });
    DesignJson {
        numbers: numbers.collect(),
        reached: reached.collect(),
        changes: design.changes,
        steps: design.steps,
    }
}

/// A value of a file.
fn value(value: &toml::Value) -> Json {
    match value {
        toml::Value::Integer(n) => Json::from(*n),
        toml::Value::Float(x) => Json::from(*x),
        toml::Value::Boolean(on) => Json::from(*on),
        other => Json::from(crate::text::plain(other)),
    }
}
