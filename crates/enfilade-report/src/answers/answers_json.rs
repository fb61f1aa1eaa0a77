//! Answers as JSON: `odds --format json`.
//!
//! The shape is part of the interface: one entry in `contests` per cell, probabilities as numbers
//! that read back exactly, `null` for what was not computed, outcomes sorted by field values, and
//! `fraction` beside `exact` only when fractions were asked for.

use serde_json::{Map, Value as Json, json};

use enfilade_study::answer::{Answer, Engine, Estimate, MeasureAnswer, OutcomeAnswer};
use enfilade_study::parameters;

/// All answers as one indented document that ends with a line feed.
pub fn render(answers: &[Answer]) -> String {
    format!("{:#}\n", document(answers))
}

/// An answer as one line, with its line feed.
pub fn line(answer: &Answer) -> String {
    format!("{}\n", contest(answer))
}

/// All answers as one JSON value.
pub fn document(answers: &[Answer]) -> Json {
    let contests: Vec<_> = answers.iter().map(contest).collect();
    json!({
        "enfilade": env!("CARGO_PKG_VERSION"),
        "seed": answers.first().map(|answer| answer.seed),
        "contests": contests,
    })
}

fn contest(answer: &Answer) -> Json {
    let axes = answer.axes.iter();
    let axes = axes.map(|(path, value)| (path.clone(), parameters::json_value(value)));
    let outcome = |outcome| self::outcome(answer, outcome);
    let mut told = json!({
        "cell": answer.cell,
        "name": answer.name,
        "system": answer.system.id,
        "action": answer.action.name,
        "params": parameters::json(&answer.params),
        "axes": axes.collect::<Map<_, _>>(),
        "engine": engine(answer.engine),
        "unsettled": answer.unsettled,
        "trials": answer.trials,
        "unsettled_trials": answer.unsettled_trials,
        "states": answer.states,
        "agrees": answer.agrees,
        "measures": answer.measures.iter().map(measure).collect::<Vec<_>>(),
        "outcomes": answer.outcomes.iter().map(outcome).collect::<Vec<_>>(),
        "notes": answer.notes,
    });
    // Only a contest that may go on for ever has loops to be solved.
    if let (Some(never), Some(bound)) = (answer.never, answer.bound) {
        (told["never"], told["bound"]) = (never.into(), bound.into());
    }
    // Most contests break none: the key is there where there is no contest for that.
    if let Some(check) = &answer.breaks {
        told["breaks"] = check.as_str().into();
    }
    told
}

/// The engine in one word.
pub fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::ExactOnly => "exact",
        Engine::Simulated => "simulated",
        Engine::Played => "played",
        Engine::Refused => "refused",
    }
}

fn measure(measure: &MeasureAnswer) -> Json {
    let mut entry = Map::new();
    entry.insert("name".into(), json!(measure.head.name));
    insert_exact(&mut entry, measure.exact, measure.fraction.as_deref());
    insert_simulated(&mut entry, measure.simulated);
    Json::Object(entry)
}

fn outcome(answer: &Answer, outcome: &OutcomeAnswer) -> Json {
    let fields = answer.fields.iter().zip(&outcome.values);
    let fields = fields.map(|(field, value)| (field.name.to_string(), json!(value)));
    let mut entry = Map::new();
    entry.insert("outcome".into(), Json::Object(fields.collect()));
    insert_exact(&mut entry, outcome.exact, outcome.fraction.as_deref());
    entry.insert("count".into(), json!(outcome.count));
    insert_simulated(&mut entry, outcome.simulated);
    Json::Object(entry)
}

fn insert_exact(entry: &mut Map<String, Json>, exact: Option<f64>, fraction: Option<&str>) {
    entry.insert("exact".into(), json!(exact));
    if let Some(fraction) = fraction {
        entry.insert("fraction".into(), json!(fraction));
    }
}

fn insert_simulated(entry: &mut Map<String, Json>, simulated: Option<Estimate>) {
    entry.insert("simulated".into(), json!(simulated.map(|e| e.value)));
    entry.insert("low".into(), json!(simulated.map(|e| e.low)));
    entry.insert("high".into(), json!(simulated.map(|e| e.high)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_answers;

    #[test]
    fn the_shape_is_the_documented_one() {
        let document = document(&test_answers::exact_only());
        assert_eq!(document["enfilade"], env!("CARGO_PKG_VERSION"));
        assert_eq!(document["seed"], 7);
        let contest = &document["contests"][0];
        assert_eq!(contest["system"], "asl");
        assert_eq!(contest["action"], "fire");
        assert_eq!(contest["unsettled"], 0.0);
        assert_eq!(contest["trials"], 0);
        let measure = json!({"name": "p_kill", "exact": 4.0 / 36.0, "fraction": "4/36",
            "simulated": null, "low": null, "high": null});
        assert_eq!(contest["measures"][0], measure);
        let outcome = json!({"outcome": {"eliminated": 1, "broken": 0}, "exact": 4.0 / 36.0,
            "fraction": "4/36", "count": null, "simulated": null, "low": null, "high": null});
        assert_eq!(contest["outcomes"][2], outcome);
    }

    #[test]
    fn numbers_read_back_exactly() {
        let answers = test_answers::grid();
        let read: Json = serde_json::from_str(&render(&answers)).expect("it is JSON");
        assert_eq!(read["contests"].as_array().map(Vec::len), Some(12));
        for (answer, contest) in answers.iter().zip(read["contests"].as_array().expect("a list")) {
            let exact = contest["measures"][1]["exact"].as_f64();
            assert_eq!(exact, answer.measures[1].exact);
            assert_eq!(contest["outcomes"][1]["count"].as_u64(), answer.outcomes[1].count);
            assert_eq!(contest["axes"]["fp"], contest["params"]["fp"]);
        }
    }
}
