//! The answer as JSON.

use serde_json::{Map, Value as Json, json};

use crate::answer::SeekAnswer;
use crate::design::SeekDesign;
use crate::missing::Missing;
use crate::numbers::ChangedNumber;
use crate::question::SeekQuestion;

/// The answer as one JSON object, with at most `best` designs.
pub fn document(question: &SeekQuestion, answer: &SeekAnswer, best: usize) -> Json {
    let wants = question.wanted.wants.iter().map(|want| Json::from(want.text.as_str()));
    let designs = answer.found.iter().take(best).map(|design| one(question, design));
    let broken = answer.broken.iter().map(|(check, n)| (check.clone(), Json::from(*n)));
    json!({
        "name": question.name,
        "designs": answer.designs,
        "fit": answer.fits,
        "word": answer.word(),
        "cells": answer.asked,
        "full_cells": answer.full,
        "without_answer": answer.holes,
        "broken": broken.collect::<Map<_, _>>(),
        "numbers": question.numbers.iter().map(number).collect::<Vec<_>>(),
        "wanted": wants.collect::<Vec<_>>(),
        "now": answer.now.as_ref().map(|design| one(question, design)),
        "found": designs.collect::<Vec<_>>(),
        "occurring": occurring(question, answer),
        "unread": unread(question, answer),
        "missing": answer.missing.as_ref().map(|missing| told(question, missing)),
    })
}

/// A number with its values.
fn number(number: &ChangedNumber) -> Json {
    let values: Vec<Json> = number.values.iter().map(value).collect();
    json!({ "name": number.name, "now": number.now.as_ref().map(value), "values": values })
}

/// By number: the values that occur among all designs that fit.
fn occurring(question: &SeekQuestion, answer: &SeekAnswer) -> Map<String, Json> {
    let numbers = question.numbers.iter().zip(&answer.occurring);
    let seen = numbers.map(|(number, seen)| {
        let seen: Vec<Json> = seen.iter().map(|at| value(&number.values[*at])).collect();
        (number.name.clone(), Json::from(seen))
    });
    seen.collect()
}

fn unread(question: &SeekQuestion, answer: &SeekAnswer) -> Vec<String> {
    answer.unread.iter().map(|at| question.numbers[*at].name.clone()).collect()
}

/// The reason why nothing fits, as JSON.
fn told(question: &SeekQuestion, missing: &Missing) -> Json {
    let wants = &question.wanted.wants;
    let excluding = missing
        .excluding
        .iter()
        .map(|one| json!({ "want": one.text, "alone": one.alone, "without": one.without }));
    json!({
        "nearest": missing.nearest.as_ref().map(|design| one(question, design)),
        "impossible": missing.impossible.as_ref().map(|(want, _)| wants[*want].text.clone()),
        "excluding": excluding.collect::<Vec<_>>(),
    })
}

/// One design.
fn one(question: &SeekQuestion, design: &SeekDesign) -> Json {
    let numbers = question.numbers.iter().zip(&design.values);
    let numbers = numbers.map(|(number, at): (&ChangedNumber, &u16)| {
        (number.name.clone(), value(&number.values[usize::from(*at)]))
    });
    let reached = design.reached.iter().map(|reached| {
        json!({
            "value": reached.value,
            "holds": reached.holds,
            "mark": reached.mark.map(crate::decide::Mark::sign),
            "miss": reached.miss,
        })
    });
    json!({
        "numbers": numbers.collect::<Map<_, _>>(),
        "reached": reached.collect::<Vec<_>>(),
        "changes": design.changes,
        "steps": design.steps,
    })
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
