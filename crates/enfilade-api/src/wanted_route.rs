//! Wanted odds beside a measure: which number of a contest, or which two, give it the value that is
//! wanted.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::app_state::AppState;
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork, WorkQueueKind};
use enfilade_engine::cancel::CancelToken;
use enfilade_report::error::ReportError;
use enfilade_seek::error::SeekError;
use enfilade_seek::measure_influences::{NumberStepInfluence, influences_on_contest_measure};
use enfilade_seek::number_tries::{
    NumberTry, WantedValue, try_pairs_of_numbers, try_single_numbers,
};
use enfilade_study::experiment::GridCell;
use enfilade_study::solve::SolveObserver;

/// Time limit while the user types, and where they wait on purpose.
const DEADLINES: [Duration; 2] = [Duration::from_millis(300), Duration::from_secs(10)];

/// Largest number of cells of a grid whose variance is divided among its axes.
const MAX_GRID_CELLS: usize = 2_000;

/// A want about a measure of a contest.
#[derive(Deserialize)]
struct WantedRequest {
    #[serde(flatten)]
    turn: QuestionNumber,
    /// The want: `p_rout = 50 % ± 2 %`.
    want: String,
    /// Whether the user waits on purpose.
    #[serde(default)]
    patient: bool,
    #[serde(flatten)]
    question: PageQuestion,
}

/// Numbers that give the wanted value, and what one step of each number changes.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WantedReply {
    /// Single numbers first, then pairs.
    tries: Vec<TriedNumbersView>,
    /// Steps down and up, the largest effect first.
    steps: Vec<NumberStepEffectView>,
    /// Shares of the axes in the variance of the measure over the grid, where the question has one.
    shares: Vec<VarianceShareView>,
    /// Whether the time limit cut the search short.
    cut: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
}

/// Numbers with other values, and the value of the measure.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TriedNumbersView {
    label: String,
    shown: String,
    fits: bool,
    /// Whether a number of the rulebook is among them.
    rules: bool,
    /// By number: the keys of its path in the form, and its value.
    #[cfg_attr(test, ts(type = "[string[], unknown][]"))]
    set: Vec<(Vec<String>, Json)>,
    /// By number: its name, its value now and the tried one.
    #[cfg_attr(test, ts(type = "[string, unknown, unknown][]"))]
    numbers: Vec<(String, Json, Json)>,
}

/// One step of a number down and up: the change of the measure, null at the end of its range.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct NumberStepEffectView {
    name: String,
    down: Option<f64>,
    up: Option<f64>,
}

/// Share of an axis in the variance of a measure.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct VarianceShareView {
    name: String,
    /// Without the other axes.
    alone: f64,
    /// Together with the other axes.
    all: f64,
}

/// Answers with the numbers that give a measure its wanted value.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_wanted(_: &AppState, call: &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply> {
    let WantedRequest { turn, want, patient, question } = replies::parse_request_body(call.body)?;
    let terms = (WorkQueueKind::Ways, DEADLINES[usize::from(patient)]);
    Ok(RouteWork::for_newest_question(turn, terms, move |bench, halt| {
        let reply = find_wanted(bench, &question, (&want, patient), halt);
        reply.unwrap_or_else(|error| WantedReply {
            faults: Some(replies::faults_of_error(&error)),
            ..WantedReply::default()
        })
    }))
}

/// A search under way.
struct CancellableSearchObserver<'a>(&'a CancelToken);

impl SolveObserver for CancellableSearchObserver<'_> {
    fn cancel_token(&self) -> &CancelToken {
        self.0
    }
}

fn find_wanted(
    bench: &AppState,
    question: &PageQuestion,
    (want, is_patient): (&str, bool),
    halt: &CancelToken,
) -> Result<WantedReply, ReportError> {
    let want = WantedValue::parse(want)
        .map_err(|wrong| ReportError::Invalid(format!("{}: {}", wrong.problem, wrong.help)))?;
    let (_, experiment) = question.read_text_and_experiment(bench, halt)?;
    let own = question.current_contest_cells(&experiment.cells);
    // While somebody types, a grid would use up the time of the steps.
    let has_time = is_patient && own.len() <= MAX_GRID_CELLS;
    let grid: Vec<&GridCell> = own.iter().filter(|_| has_time).collect();
    match own.get(question.cell).or(own.first()) {
        Some(cell) => {
            try_numbers_in_cell(cell, &grid, (&want, is_patient), &CancellableSearchObserver(halt))
        }
        None => Ok(WantedReply::default()),
    }
}

/// Single numbers, their steps, and pairs as far as the time allows.
fn try_numbers_in_cell(
    cell: &GridCell,
    grid: &[&GridCell],
    (want, is_patient): (&WantedValue, bool),
    watch: &CancellableSearchObserver<'_>,
) -> Result<WantedReply, ReportError> {
    let mut reply = WantedReply::default();
    let singles = try_single_numbers(cell, want, is_patient, watch);
    let Some((singles, is_cut)) = mark_reply_if_cut_short(singles, &mut reply)? else {
        return Ok(reply);
    };
    reply.cut |= is_cut;
    reply.tries = singles.iter().map(view_of_try).collect();
    let influences = influences_on_contest_measure(cell, grid, Some(&want.measure), watch);
    if let Some(influences) = mark_reply_if_cut_short(influences, &mut reply)? {
        reply.steps = influences.steps.into_iter().map(view_of_number_step).collect();
        reply.shares = influences.shares.into_iter().map(view_of_share).collect();
    }
    let pairs = try_pairs_of_numbers(cell, want, &singles, watch);
    if let Some((pairs, is_cut)) = mark_reply_if_cut_short(pairs, &mut reply)? {
        reply.cut |= is_cut;
        reply.tries.extend(pairs.iter().map(view_of_try));
    }
    Ok(reply)
}

/// The result, or `None` if the time limit cut it short.
fn mark_reply_if_cut_short<T>(
    found: Result<T, SeekError>,
    reply: &mut WantedReply,
) -> Result<Option<T>, ReportError> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(SeekError::Interrupted(_)) => {
            reply.cut = true;
            Ok(None)
        }
        Err(SeekError::Study(error)) => Err(error.into()),
        Err(error) => Err(ReportError::Invalid(error.to_string())),
    }
}

fn view_of_try(own: &NumberTry) -> TriedNumbersView {
    let labels: Vec<String> = own.changes.iter().map(|change| change.format_change()).collect();
    let json = |value| serde_json::to_value(value).unwrap_or_default();
    let changes = own.changes.iter();
    let set = changes.clone().map(|change| (change.keys.clone(), json(&change.to)));
    let numbers = changes.map(|change| (change.name.clone(), json(&change.from), json(&change.to)));
    TriedNumbersView {
        label: labels.join(", "),
        shown: own.shown.clone(),
        fits: own.is_met,
        rules: own.changes.iter().any(|change| change.is_rulebook_number),
        set: set.collect(),
        numbers: numbers.collect(),
    }
}

fn view_of_number_step(step: NumberStepInfluence) -> NumberStepEffectView {
    let NumberStepInfluence { name, down, up } = step;
    NumberStepEffectView { name, down, up }
}

fn view_of_share((name, alone, all): (String, f64, f64)) -> VarianceShareView {
    VarianceShareView { name: name.trim_start_matches("change.").to_owned(), alone, all }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value as Json, json};

    use crate::{
        AppState, BuildId, HostWithoutServices, MemoryFolder, PageSession, RouteParamsAndBody,
    };

    fn ask(path: &str, body: &Json) -> Json {
        let folder = Arc::new(MemoryFolder::new("x", &[]));
        let app = AppState::new(
            &enfilade_games::built_in_catalogue(),
            folder,
            Box::new(HostWithoutServices),
            BuildId("x"),
        );
        let body = body.to_string();
        let call = RouteParamsAndBody { body: body.as_bytes(), ..RouteParamsAndBody::default() };
        let reply = PageSession::new(app).answer_request("POST", path, &call);
        serde_json::from_slice(&reply.body).expect("JSON")
    }

    fn contest(fp: &str, drm: &str) -> String {
        format!(
            "[[contest]]\nsystem = 'asl'\naction = 'fire'\nfp = {fp}\ndrm = {drm}\n\
             target = {{ kind = 'squad', morale = 7 }}\n"
        )
    }

    /// The contest with values at paths, as the page writes them.
    fn contest_with(set: &Json) -> String {
        let mut file: toml::Table = contest("8", "0").parse().expect("TOML");
        for pair in set.as_array().expect("a list") {
            let keys = pair[0].as_array().expect("a path");
            let (last, inner) = keys.split_last().expect("a name");
            let mut at = file["contest"][0].as_table_mut().expect("a table");
            for key in inner.iter().map(|key| key.as_str().expect("a name")) {
                let table = at.entry(key).or_insert_with(|| toml::Table::new().into());
                at = table.as_table_mut().expect("a table");
            }
            let value = toml::Value::try_from(&pair[1]).expect("a value");
            at.insert(last.as_str().expect("a name").to_owned(), value);
        }
        file.to_string()
    }

    #[test]
    fn a_number_that_is_offered_gives_what_is_shown() {
        let text = contest("8", "0");
        let body = json!({ "text": text, "want": "p_break = 40 % ± 5 %", "patient": true });
        let reply = ask("/api/wanted", &body);
        let tries = reply["tries"].as_array().expect("tries");
        assert!(
            tries.len() >= 5 && !reply["steps"].as_array().expect("steps").is_empty(),
            "{reply}"
        );
        for one in tries {
            let odds = ask("/api/odds", &json!({ "text": contest_with(&one["set"]) }));
            let measures = odds["told"]["measures"].as_array().expect("measures");
            let own =
                measures.iter().find(|measure| measure["name"] == "p_break").expect("it is there");
            let chance = own["value"].as_f64().expect("a number");
            assert_eq!(one["shown"], format!("{:.1} %", chance * 100.0), "{one}");
            let named = one["numbers"].as_array().expect("numbers").iter();
            let tried: Vec<&Json> = named.map(|number| &number[2]).collect();
            let set = one["set"].as_array().expect("a list").iter();
            assert_eq!(tried, set.map(|pair| &pair[1]).collect::<Vec<_>>(), "{one}");
            assert_eq!(one["fits"], (chance - 0.4).abs() <= 0.05, "{one}");
        }
    }

    #[test]
    fn a_want_that_cannot_be_read_is_a_fault() {
        let body = json!({ "text": contest("8", "0"), "want": "p_brake = 40 %" });
        let faults = ask("/api/wanted", &body)["faults"].to_string();
        assert!(faults.contains("no measure of that name"), "{faults}");
        let body = json!({ "text": contest("8", "0"), "want": "p_break" });
        let faults = ask("/api/wanted", &body)["faults"].to_string();
        assert!(faults.contains("wants nothing"), "{faults}");
    }
}
