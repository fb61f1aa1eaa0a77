//! Answers as JSON: `odds --format json`.
//!
//! The shape is part of the interface: one entry in `contests` per cell, probabilities as numbers
//! that read back exactly, `null` for what was not computed, outcomes sorted by field values, and
//! `fraction` beside `exact` only with the option for fractions, `error` only with that for bounds.

use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::answers::show_distributions::{OutcomeFieldDistribution, distributions_of_shows};
use crate::json_text::{ObjectKeyedByName, to_flat_json, to_indented_json};
use enfilade_study::answer::{
    Answer, AnswerMethod, Estimate, MeasureAnswer, OutcomeWithProbability,
};
use enfilade_study::parameters;

/// All answers as one document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnswersDocument {
    enfilade: &'static str,
    seed: Option<u64>,
    contests: Vec<CellJson>,
}

/// Answer of one cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(super) struct CellJson {
    cell: usize,
    name: String,
    system: String,
    action: String,
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    params: Json,
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    axes: Map<String, Json>,
    engine: &'static str,
    unsettled: Option<f64>,
    trials: u64,
    unsettled_trials: u64,
    states: Option<usize>,
    agrees: Option<bool>,
    measures: Vec<MeasureJson>,
    /// By show: each value with its probability, whatever else happens.
    #[cfg_attr(test, ts(type = "Record<string, [number, number][]>"))]
    laws: ObjectKeyedByName<Vec<(i32, f64)>>,
    outcomes: Vec<OutcomeJson>,
    notes: Vec<String>,
    /// Probability of endless play; only a contest with a loop has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    never: Option<f64>,
    /// Largest error of a probability; only a contest with a loop has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bound: Option<f64>,
    /// The check that the contest breaks. Most contests break none, and then the key is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    breaks: Option<String>,
}

/// One measure of a cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct MeasureJson {
    name: String,
    exact: Option<f64>,
    /// Largest error of the exact value; only with the option for bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    #[serde(flatten)]
    trials: SimulatedWithIntervalJson,
}

/// One outcome of a cell.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct OutcomeJson {
    #[cfg_attr(test, ts(type = "Record<string, number>"))]
    outcome: ObjectKeyedByName<i32>,
    exact: Option<f64>,
    /// Largest error of the exact value; only with the option for bounds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fraction: Option<String>,
    count: Option<u64>,
    #[serde(flatten)]
    trials: SimulatedWithIntervalJson,
}

/// A simulated number and its interval; nulls without trials.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SimulatedWithIntervalJson {
    simulated: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl SimulatedWithIntervalJson {
    pub(crate) fn from_optional_estimate(estimate: Option<Estimate>) -> SimulatedWithIntervalJson {
        SimulatedWithIntervalJson {
            simulated: estimate.map(|e| e.value),
            low: estimate.map(|e| e.low),
            high: estimate.map(|e| e.high),
        }
    }
}

/// Renders all answers as one indented document that ends with a line feed.
pub fn render_answers_json(answers: &[Answer]) -> String {
    to_indented_json(&build_answers_document(answers))
}

/// Renders an answer as one line, with its line feed.
pub fn render_answer_line(answer: &Answer) -> String {
    to_flat_json(&build_answer_json(answer)) + "\n"
}

/// Builds the document of all answers.
pub fn build_answers_document(answers: &[Answer]) -> AnswersDocument {
    AnswersDocument {
        enfilade: env!("CARGO_PKG_VERSION"),
        seed: answers.first().map(|answer| answer.seed),
        contests: answers.iter().map(build_answer_json).collect(),
    }
}

pub(super) fn build_answer_json(answer: &Answer) -> CellJson {
    let axes = answer.axes.iter();
    let (measures, outcomes) = (answer.measures.iter(), answer.outcomes.iter());
    // Only a contest that may never end has loops to solve.
    let loops = answer.never.zip(answer.bound);
    CellJson {
        cell: answer.cell,
        name: answer.name.clone(),
        system: answer.system.id.to_string(),
        action: answer.action.name.to_string(),
        params: parameters::parameters_to_json(&answer.params),
        axes: axes.map(|(path, value)| (path.clone(), parameters::value_to_json(value))).collect(),
        engine: engine_name(answer.engine),
        unsettled: answer.unsettled,
        trials: answer.trials,
        unsettled_trials: answer.unsettled_trials,
        states: answer.states,
        agrees: answer.agrees,
        measures: measures.map(|measure| build_measure_json(answer, measure)).collect(),
        laws: single_laws_json(answer),
        outcomes: outcomes.map(|outcome| self::build_outcome_json(answer, outcome)).collect(),
        notes: answer.notes.clone(),
        never: loops.map(|(never, _)| never),
        bound: loops.map(|(_, bound)| bound),
        breaks: answer.breaks.clone(),
    }
}

fn single_laws_json(answer: &Answer) -> ObjectKeyedByName<Vec<(i32, f64)>> {
    let law = |law: OutcomeFieldDistribution| {
        let values = law.values.iter().map(|value| (value.value, value.best_available_chance()));
        (law.name, values.collect())
    };
    distributions_of_shows(answer).into_iter().map(law).collect()
}

/// Returns the name of the engine.
pub fn engine_name(engine: AnswerMethod) -> &'static str {
    match engine {
        AnswerMethod::ExactOnly => "exact",
        AnswerMethod::Simulated => "simulated",
        AnswerMethod::Played => "played",
        AnswerMethod::Refused => "refused",
    }
}

fn build_measure_json(answer: &Answer, measure: &MeasureAnswer) -> MeasureJson {
    MeasureJson {
        name: measure.head.name.to_string(),
        exact: measure.exact,
        error: measure.exact.filter(|_| answer.shows_errors).map(|_| measure.error),
        fraction: measure.fraction.clone(),
        trials: SimulatedWithIntervalJson::from_optional_estimate(measure.simulated),
    }
}

fn build_outcome_json(answer: &Answer, outcome: &OutcomeWithProbability) -> OutcomeJson {
    let fields = answer.fields.iter().zip(&outcome.values);
    OutcomeJson {
        outcome: fields.map(|(field, value)| (field.name.to_string(), *value)).collect(),
        exact: outcome.exact,
        error: outcome.exact.filter(|_| answer.shows_errors).map(|_| outcome.error),
        fraction: outcome.fraction.clone(),
        count: outcome.count,
        trials: SimulatedWithIntervalJson::from_optional_estimate(outcome.simulated),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::test_answers;

    #[test]
    fn the_shape_is_the_documented_one() {
        let document = json!(build_answers_document(&test_answers::build_exact_only()));
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

    /// The bound of each exact number, and no key without the option.
    #[test]
    fn errors_are_keys_where_they_are_shown() {
        let mut answers = test_answers::build_exact_only();
        answers[0].measures[0].error = 3e-17;
        answers[0].outcomes[2].error = 2e-17;
        let contest = json!(build_answers_document(&answers))["contests"][0].take();
        assert_eq!(contest["measures"][0].get("error"), None);
        answers[0].shows_errors = true;
        let contest = json!(build_answers_document(&answers))["contests"][0].take();
        assert_eq!(contest["measures"][0]["error"], 3e-17);
        assert_eq!(contest["outcomes"][2]["error"], 2e-17);
    }

    #[test]
    fn numbers_read_back_exactly() {
        let answers = test_answers::build_grid();
        let read: Json = serde_json::from_str(&render_answers_json(&answers)).expect("it is JSON");
        assert_eq!(read["contests"].as_array().map(Vec::len), Some(12));
        for (answer, contest) in answers.iter().zip(read["contests"].as_array().expect("a list")) {
            let exact = contest["measures"][1]["exact"].as_f64();
            assert_eq!(exact, answer.measures[1].exact);
            assert_eq!(contest["outcomes"][1]["count"].as_u64(), answer.outcomes[1].count);
            assert_eq!(contest["axes"]["fp"], contest["params"]["fp"]);
        }
    }
}
