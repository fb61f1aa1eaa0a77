//! The dice box: distributions of dice while the user types them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork, WorkQueueKind};
use enfilade_dice::DiceDistribution;
use enfilade_engine::cancel::CancelToken;
use enfilade_report::dice::{self, DiceExpressionOdds, DistributionsDocument};
use enfilade_report::error::ReportError;

/// The largest number of expressions side by side.
const MAX_DICE_EXPRESSIONS: usize = 8;

/// The largest number in a text of small distributions.
const MAX_INSTANT_NUMBER: u32 = 20;

/// Time limit of distributions: eight of the largest that are allowed take some seconds.
const DICE_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A request for distributions.
#[derive(Deserialize)]
struct DiceTextRequest {
    /// One expression a line.
    text: String,
    #[serde(flatten)]
    turn: QuestionNumber,
}

/// Answers with the distributions of the text: those of `enfilade dice`.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_dice(_: &AppState, call: &RouteParamsAndBody<'_>) -> Result<RouteWork, RouteReply> {
    let DiceTextRequest { text, turn } = replies::parse_request_body(call.body)?;
    let queue =
        if is_computed_instantly(&text) { WorkQueueKind::Glance } else { WorkQueueKind::Dice };
    Ok(RouteWork::for_newest_question(turn, (queue, DICE_TIME_LIMIT), move |_, halt| {
        reply_for_dice_text(&text, halt)
    }))
}

/// Whether the distributions take only a moment: there are few dice, and each has few faces.
fn is_computed_instantly(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter(|digits| !digits.is_empty());
    numbers.all(|digits| digits.parse().is_ok_and(|number: u32| number <= MAX_INSTANT_NUMBER))
}

/// The distributions of the text and their notes, or its faults.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DiceReply {
    #[serde(flatten)]
    #[cfg_attr(test, ts(skip))]
    document: Option<DistributionsDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    said: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
}

fn reply_for_dice_text(text: &str, halt: &CancelToken) -> DiceReply {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |line: &str| {
        Ok(DiceExpressionOdds {
            text: line.to_owned(),
            law: DiceDistribution::from_text_or_cancel(line, halt)?,
        })
    };
    match lines
        .take(MAX_DICE_EXPRESSIONS)
        .map(read)
        .collect::<Result<Vec<DiceExpressionOdds>, ReportError>>()
    {
        Err(error) => {
            DiceReply { faults: Some(replies::faults_of_error(&error)), ..DiceReply::default() }
        }
        Ok(queries) => {
            let notes = dice::describe_mean_deviation(&queries)
                .into_iter()
                .chain(dice::collect_notes(&queries))
                .collect();
            DiceReply {
                document: Some(dice::build_distributions_document(&queries)),
                said: Some(notes),
                faults: None,
            }
        }
    }
}
