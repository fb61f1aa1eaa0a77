//! The dice box: distributions of dice while the user types them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::call::Call;
use super::reply::{self, FaultView, Reply};
use super::work::{Queue, Turn, Work};
use crate::cancel::Halt;
use crate::dice_laws::DiceLaw;
use crate::error::Error;
use crate::report::dice::{self, Asked, DistributionsDocument};

/// The largest number of expressions side by side.
const SEVERAL: usize = 8;

/// The largest number in a text of small distributions.
const SMALL: u32 = 20;

/// Time limit of distributions: eight of the largest that are allowed take some seconds.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request for distributions.
#[derive(Deserialize)]
struct Typed {
    /// One expression a line.
    text: String,
    #[serde(flatten)]
    turn: Turn,
}

/// Answers with the distributions of the text: those of `enfilade dice`.
pub fn dice(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let Typed { text, turn } = reply::sent(call.body)?;
    let queue = if is_small(&text) { Queue::Glance } else { Queue::Dice };
    Ok(Work::newest(turn, (queue, PATIENCE), move |_, halt| told(&text, halt)))
}

/// Whether the distributions take only a moment: there are few dice, and each has few faces.
fn is_small(text: &str) -> bool {
    let numbers = text.split(|c: char| !c.is_ascii_digit());
    let mut numbers = numbers.filter(|digits| !digits.is_empty());
    numbers.all(|digits| digits.parse().is_ok_and(|number: u32| number <= SMALL))
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

fn told(text: &str, halt: &Halt) -> DiceReply {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read =
        |line: &str| Ok(Asked { text: line.to_owned(), law: DiceLaw::evaluate(line, halt)? });
    match lines.take(SEVERAL).map(read).collect::<Result<Vec<Asked>, Error>>() {
        Err(error) => DiceReply { faults: Some(reply::faults(&error)), ..DiceReply::default() },
        Ok(asked) => {
            let said = dice::moments(&asked).into_iter().chain(dice::remarks(&asked)).collect();
            DiceReply { document: Some(dice::document(&asked)), said: Some(said), faults: None }
        }
    }
}
