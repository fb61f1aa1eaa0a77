//! Explanation of a number: a roll with that result, explained step by step.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::bench::Bench;
use super::call::Call;
use super::question::Question;
use super::reply::{self, FaultView, Reply};
use super::work::{Queue, Turn, Work};
use crate::cancel::Halt;
use crate::combat::{AnyCombat, Ending, Explanation};
use crate::error::Error;
use crate::faces::{Dice, Roll};
use crate::graph::{DieGraph, Limits};
use crate::play::RandomDice;
use crate::random_stream::Stream;
use crate::report::text::labels;
use crate::study::experiment::Cell;
use crate::study::solve::errors::{unsolved, went_wrong};

/// Number of steps after which a contest is no longer followed.
const STEPS: usize = 200;

/// Number of rolls that are tried to find one with the wanted outcome: a rarer one is shown as near
/// as it came.
const TRIES: u64 = 20_000;

/// The largest number of steps of one try.
const LONGEST: u64 = 1_000;

/// Time limit of the search for a roll.
const PATIENCE: Duration = Duration::from_secs(10);

/// A request for an explanation.
#[derive(Deserialize)]
struct Asked {
    #[serde(flatten)]
    turn: Turn,
    #[serde(flatten)]
    looked: Looked,
}

/// The roll to find.
#[derive(Deserialize)]
struct Looked {
    /// Faces of the first dice, in order; the others fall at random.
    #[serde(default)]
    faces: Vec<Shown>,
    /// The outcome of the roll.
    #[serde(default)]
    wanted: Option<Vec<i32>>,
    /// The measure that the roll is an example of.
    #[serde(default)]
    measure: Option<String>,
    /// Seed of the dice.
    #[serde(default)]
    seed: u64,
    #[serde(flatten)]
    question: Question,
}

/// A way, told.
pub fn explain(_: &Bench, call: &Call<'_>) -> Result<Work, Reply> {
    let Asked { turn, looked } = reply::sent(call.body)?;
    let sought = looked.wanted.is_some() || looked.measure.is_some();
    let terms = (if sought { Queue::Ways } else { Queue::Glance }, PATIENCE);
    Ok(Work::newest(turn, terms, move |bench, halt| told(bench, &looked, halt)))
}

/// A roll, its outcome, and whether it is the wanted one; or the faults of the question.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RollExplanation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<RollStep>>,
    /// Null if the contest is not over yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
}

impl RollExplanation {
    fn wrong(error: &Error) -> RollExplanation {
        RollExplanation { faults: Some(reply::faults(error)), ..RollExplanation::default() }
    }
}

/// A step: dice by their sides and faces, their effect, the rule, and the decisions of players.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct RollStep {
    dice: Vec<(u8, u8)>,
    text: String,
    rule: String,
    decided: Vec<String>,
}

/// Explains a roll; `None` if the contest does not exist.
fn told(bench: &Bench, asked: &Looked, halt: &Halt) -> Option<RollExplanation> {
    let told = asked.question.experiment(bench, halt).and_then(|(_, experiment)| {
        let own = asked.question.own(&experiment.cells);
        let cell = own.get(asked.question.cell).or(own.first());
        cell.map(|cell| way(cell, asked, halt)).transpose()
    });
    if halt.asked() {
        let why = "this takes too long here: use enfilade explain on the command line";
        return Some(RollExplanation::wrong(&Error::Interrupted(why.to_owned())));
    }
    told.unwrap_or_else(|error| Some(RollExplanation::wrong(&error)))
}

fn way(cell: &Cell, asked: &Looked, halt: &Halt) -> Result<RollExplanation, Error> {
    let combat = &cell.played.combat;
    if !combat.decisions().is_empty() {
        // Decisions of players are solved in the whole contest.
        let graph = DieGraph::compile(combat, &Limits::default(), halt);
        graph.map_err(|why| unsolved(cell, why))?;
    }
    let trial = |number| Turned {
        faces: &asked.faces,
        rest: RandomDice::new(
            &Stream { seed: asked.seed, fingerprint: cell.fingerprint() },
            number,
        ),
    };
    let place = |name: &String| combat.measures().iter().position(|known| known.name == **name);
    let measure = asked.measure.as_ref().and_then(place);
    let fits = |ending: &Ending| match (&asked.wanted, measure) {
        (Some(wanted), _) => ending.fields.starts_with(wanted),
        (None, Some(measure)) => {
            combat.measures()[measure].counts(ending.weights[measure])
                && ending.weights[measure] != 0
        }
        (None, None) => false,
    };
    let found = |number: &u64| combat.play(&mut trial(*number), LONGEST).as_ref().is_some_and(fits);
    let sought = asked.wanted.is_some() || measure.is_some();
    let mut tries = (0..TRIES).take_while(|_| sought && !halt.asked());
    let number = tries.find(found);
    let (steps, ending) = narrated(combat, &mut trial(number.unwrap_or(0)));
    if let Some(mishap) = combat.fault() {
        return Err(went_wrong(cell, mishap));
    }
    let outcome = ending
        .map(|ending| labels::outcome(combat.fields(), &ending.fields[..combat.fields().len()]));
    let (steps, found) = (Some(steps), Some(number.is_some()));
    Ok(RollExplanation { steps, outcome: Some(outcome), found, faults: None })
}

fn narrated(combat: &AnyCombat, dice: &mut dyn Dice) -> (Vec<RollStep>, Option<Ending>) {
    let mut steps = Vec::new();
    let ending = combat.narrate(dice, &mut |rolls: &[Roll], telling: Explanation| {
        steps.push(RollStep {
            dice: rolls.iter().map(|roll| (roll.sides, roll.face)).collect(),
            text: telling.text,
            rule: telling.rule.to_string(),
            decided: telling.decided.iter().map(ToString::to_string).collect(),
        });
        steps.len() < STEPS
    });
    (steps, ending)
}

/// A face that a die must show.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Shown {
    /// This face, on any die; on a die without it, the highest.
    Face(u8),
    /// This face of a die with these sides, sides first: any other die falls at random.
    Of(u8, u8),
}

impl Shown {
    /// The face that a die of this number of sides must show.
    fn on(self, sides: u8) -> Option<u8> {
        match self {
            Shown::Face(face) => Some(face.clamp(1, sides)),
            Shown::Of(known, face) => (known == sides).then(|| face.clamp(1, sides)),
        }
    }
}

/// Dice that first show given faces and then fall at random.
struct Turned<'a> {
    faces: &'a [Shown],
    rest: RandomDice,
}

impl Dice for Turned<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        let shown = self.faces.split_first().and_then(|(shown, later)| {
            self.faces = later;
            shown.on(sides)
        });
        shown.unwrap_or_else(|| self.rest.die(sides))
    }
}
