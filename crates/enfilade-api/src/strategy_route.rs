//! Best play at the decisions of a contest: the shortest rules, what a simpler one costs, and the
//! situations.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork, WorkQueueKind};
use enfilade_engine::cancel::CancelToken;
use enfilade_report::answers::strategy_report;
use enfilade_report::blocks::block_json::{BlockJson, blocks_to_json};
use enfilade_report::error::ReportError;
#[cfg(feature = "sheets")]
use enfilade_study::answer::Answer;
use enfilade_study::solve::errors::name_cell_of_error;
use enfilade_study::strategy::best_strategy_per_decision;
#[cfg(feature = "sheets")]
use enfilade_study::strategy::{BestPlayOfDecision, compute_strategies};

/// Time limit of the solution: a contest is solved again for each simpler rule.
const TIME_LIMIT: Duration = Duration::from_secs(10);

/// Cells of a report page whose best play is described.
#[cfg(feature = "sheets")]
const MAX_CELLS_OF_REPORT: usize = 12;

/// A request for best play.
#[derive(Deserialize)]
struct StrategyRequest {
    #[serde(flatten)]
    turn: QuestionNumber,
    #[serde(flatten)]
    question: PageQuestion,
}

/// Best play at each decision of a contest.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct StrategyReply {
    /// For each decision its heading, its rules, and its situations.
    #[cfg_attr(test, ts(type = "BlockJson[]"))]
    blocks: Vec<BlockJson>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
}

/// Answers with best play in the current cell.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_strategy(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let StrategyRequest { turn, question } = replies::parse_request_body(call.body)?;
    let terms = (WorkQueueKind::Ways, TIME_LIMIT);
    Ok(RouteWork::for_newest_question(turn, terms, move |bench, halt| {
        let solved = solve_best_play_of_cell(bench, &question, halt);
        solved.unwrap_or_else(|error| StrategyReply {
            faults: Some(replies::faults_of_error(&error)),
            ..StrategyReply::default()
        })
    }))
}

fn solve_best_play_of_cell(
    bench: &AppState,
    question: &PageQuestion,
    halt: &CancelToken,
) -> Result<StrategyReply, ReportError> {
    let read = question.read_text_and_experiment(bench, halt);
    if halt.is_cancelled() {
        return Err(takes_too_long_error());
    }
    let (_, experiment) = read?;
    let own = question.current_contest_cells(&experiment.cells);
    let Some(cell) = own.get(question.cell).or(own.first()) else {
        return Ok(StrategyReply::default());
    };
    let solved = best_strategy_per_decision(&cell.played.combat, halt);
    if halt.is_cancelled() {
        return Err(takes_too_long_error());
    }
    let solved = solved.map_err(|why| name_cell_of_error(cell, why))?;
    let blocks = strategy_report::build_blocks_of_decisions(&cell.axes, &solved);
    Ok(StrategyReply { blocks: blocks_to_json(&blocks), faults: None })
}

fn takes_too_long_error() -> ReportError {
    let why = "best play takes too long here: use enfilade odds --strategy on the command line";
    ReportError::Interrupted(why.to_owned())
}

/// Computes best play in each of a few cells; nothing where there are more, or where it takes too
/// long.
#[cfg(feature = "sheets")]
pub fn best_play_if_few_cells(
    answers: &[Answer],
    halt: &CancelToken,
) -> Vec<Vec<BestPlayOfDecision>> {
    if answers.len() > MAX_CELLS_OF_REPORT {
        return Vec::new();
    }
    let solved = answers.iter().map(|answer| compute_strategies(answer, halt));
    solved.collect::<Result<_, _>>().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value as Json, json};

    use crate::{
        AppState, BuildId, HostWithoutServices, MemoryFolder, PageSession, RouteParamsAndBody,
    };

    /// A throw is kept from 4 on, as an average throw is 7/2.
    const AGAIN: &str = "game \"Again\"\naction a:\n    x = d6\n    choose for highest x \"once more\":\n        \
        option \"again\": x = d6\n        option \"stay\":\n    show x\n";

    fn ask(path: &str, rules: &str) -> Json {
        let app = AppState::new(
            &enfilade_games::built_in_catalogue(),
            Arc::new(MemoryFolder::new("x", &[])),
            Box::new(HostWithoutServices),
            BuildId("x"),
        );
        let text = "rules = 'again.rules'\n[[contest]]\nsystem = 'again'\naction = 'a'\n";
        let body = json!({ "text": text, "rules": { "name": "again.rules", "text": rules } });
        let body = body.to_string();
        let call = RouteParamsAndBody { body: body.as_bytes(), ..RouteParamsAndBody::default() };
        let reply = PageSession::new(app).answer_request("POST", path, &call);
        serde_json::from_slice(&reply.body).expect("JSON")
    }

    #[test]
    fn a_decision_has_its_rule_its_cost_and_its_situations() {
        assert_eq!(ask("/api/odds", AGAIN)["decisions"], 1);
        let blocks = &ask("/api/strategy", AGAIN)["blocks"];
        assert_eq!(blocks[0]["heading"], "once more (line 4, for highest x)");
        // Both simpler rules are worth the mean of a throw.
        let rules = json!([
            [[false, "again while x is under 4, else stay"]],
            [[false, "simpler: always again: mean x 3.5000 in place of 4.2500"]],
        ]);
        assert_eq!(blocks[1]["list"], rules);
        assert_eq!(blocks[2]["table"][1]["rows"].as_array().map(Vec::len), Some(6));
    }

    #[test]
    fn where_nobody_decides_there_is_no_play() {
        let plain = "game \"Again\"\naction a:\n    x = d6\n    show x\n";
        assert!(ask("/api/odds", plain)["decisions"].is_null());
        assert_eq!(ask("/api/strategy", plain), json!({ "blocks": [] }));
    }
}
