//! The dice box: distributions of dice while the user types them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::call::Call;
use super::replies::{self, FaultView, Reply};
use super::work::{QuestionNumber, Work, WorkQueue};
use enfilade_dice::DiceDistribution;
use enfilade_engine::cancel::CancelToken;
use enfilade_report::dice::{self, DiceQuery, DistributionsDocument};
use enfilade_report::error::ReportError;

/// The largest number of expressions side by side.
const MAX_EXPRESSIONS: usize = 8;

/// The largest number in a text of small distributions.
const SMALL_NUMBER: u32 = 20;

/// Time limit of distributions: eight of the largest that are allowed take some seconds.
const DEADLINE: Duration = Duration::from_secs(10);

/// A request for distributions.
#[derive(Deserialize)]
struct DiceRequest {
    /// One expression a line.
    text: String,
    #[serde(flatten)]
    turn: QuestionNumber,
}

/// Answers with the distributions of the text: those of `enfilade dice`.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_dice(_: &AppState, call: &Call<'_>) -> Result<Work, Reply> {
    let DiceRequest { text, turn } = replies::parse_body(call.body)?;
    let queue = if is_small(&text) { WorkQueue::Glance } else { WorkQueue::Dice };
    Ok(Work::newest(turn, (queue, DEADLINE), move |_, halt| dice_reply(&text, halt)))
}

/// Whether the distributions take only a moment: there are few dice, and each has few faces.
fn is_small(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter(|digits| !digits.is_empty());
    numbers.all(|digits| digits.parse().is_ok_and(|number: u32| number <= SMALL_NUMBER))
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

fn dice_reply(text: &str, halt: &CancelToken) -> DiceReply {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = |line: &str| {
        Ok(DiceQuery { text: line.to_owned(), law: DiceDistribution::evaluate(line, halt)? })
    };
    match lines.take(MAX_EXPRESSIONS).map(read).collect::<Result<Vec<DiceQuery>, ReportError>>() {
        Err(error) => {
            DiceReply { faults: Some(replies::faults_of_error(&error)), ..DiceReply::default() }
        }
        Ok(asked) => {
            let said = dice::describe_moments(&asked)
                .into_iter()
                .chain(dice::collect_notes(&asked))
                .collect();
            DiceReply {
                document: Some(dice::build_distributions_document(&asked)),
                said: Some(said),
                faults: None,
            }
        }
    }
}
