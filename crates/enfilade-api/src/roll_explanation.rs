//! Explanation of a number: a roll with that result, explained step by step.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::app_state::AppState;
use super::page_question::PageQuestion;
use super::replies::{self, FaultView, RouteReply};
use super::request_parts::RouteParamsAndBody;
use super::work::{QuestionNumber, RouteWork, WorkQueueKind};
use enfilade_engine::cancel::CancelToken;
use enfilade_engine::graph::{CompiledContestLimits, DieGraph};
use enfilade_engine::play::RandomDice;
use enfilade_engine::random_stream::ContestRandomStream;
use enfilade_model::combat::{AnyCombat, CombatStepExplanation, Ending};
use enfilade_model::dice::{Dice, RolledDie};
use enfilade_report::error::ReportError;
use enfilade_report::text::labels;
use enfilade_study::experiment::GridCell;
use enfilade_study::solve::errors::{name_cell_of_error, name_cell_of_rule_error};

/// Number of steps after which a contest is no longer followed.
const MAX_EXPLAINED_STEPS: usize = 200;

/// Number of rolls that are tried to find one with the wanted outcome: a rarer one is shown as near
/// as it came.
const MAX_ROLLS_TRIED: u64 = 20_000;

/// The largest number of steps of one try.
const MAX_STEPS_PER_TRY: u64 = 1_000;

/// Time limit of the search for a roll.
const SEARCH_TIME_LIMIT: Duration = Duration::from_secs(10);

/// A request for an explanation.
#[derive(Deserialize)]
struct ExplainRequest {
    #[serde(flatten)]
    turn: QuestionNumber,
    #[serde(flatten)]
    looked: RollToFind,
}

/// The roll to find.
#[derive(Deserialize)]
struct RollToFind {
    /// Faces of the first dice, in order; the others fall at random.
    #[serde(default)]
    faces: Vec<FaceWithOptionalSides>,
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
    question: PageQuestion,
}

/// Answers with one roll of a contest, explained step by step.
///
/// # Errors
/// A refusal if the body is no request.
pub fn answer_roll_explanation(
    _: &AppState,
    call: &RouteParamsAndBody<'_>,
) -> Result<RouteWork, RouteReply> {
    let ExplainRequest { turn, looked } = replies::parse_request_body(call.body)?;
    let sought = looked.wanted.is_some() || looked.measure.is_some();
    let terms =
        (if sought { WorkQueueKind::Ways } else { WorkQueueKind::Glance }, SEARCH_TIME_LIMIT);
    Ok(RouteWork::for_newest_question(turn, terms, move |bench, halt| {
        explain_wanted_roll(bench, &looked, halt)
    }))
}

/// A roll, its outcome, and whether it is the wanted one; or the faults of the question.
#[derive(Debug, Default, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct RollExplanation {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<ExplainedRollStep>>,
    /// Null if the contest is not over yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<Option<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    found: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    faults: Option<Vec<FaultView>>,
}

impl RollExplanation {
    fn from_error(error: &ReportError) -> RollExplanation {
        RollExplanation {
            faults: Some(replies::faults_of_error(error)),
            ..RollExplanation::default()
        }
    }
}

/// A step: dice by their sides and faces, their effect, the rule, and the decisions of players.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ExplainedRollStep {
    dice: Vec<(u8, u8)>,
    text: String,
    rule: String,
    decided: Vec<String>,
}

/// Explains a roll; `None` if the contest does not exist.
fn explain_wanted_roll(
    bench: &AppState,
    query: &RollToFind,
    halt: &CancelToken,
) -> Option<RollExplanation> {
    let read = query.question.read_text_and_experiment(bench, halt).and_then(|(_, experiment)| {
        let own = query.question.current_contest_cells(&experiment.cells);
        let cell = own.get(query.question.cell).or(own.first());
        cell.map(|cell| find_roll_with_outcome(cell, query, halt)).transpose()
    });
    if halt.is_cancelled() {
        let why = "this takes too long here: use enfilade explain on the command line";
        return Some(RollExplanation::from_error(&ReportError::Interrupted(why.to_owned())));
    }
    read.unwrap_or_else(|error| Some(RollExplanation::from_error(&error)))
}

fn find_roll_with_outcome(
    cell: &GridCell,
    query: &RollToFind,
    halt: &CancelToken,
) -> Result<RollExplanation, ReportError> {
    let combat = &cell.played.combat;
    if !combat.decisions().is_empty() {
        // Decisions of players are solved in the whole contest.
        let graph =
            DieGraph::compile_combat_or_cancel(combat, &CompiledContestLimits::default(), halt);
        graph.map_err(|why| name_cell_of_error(cell, why))?;
    }
    let trial = |number| PresetThenRandomDice {
        faces: &query.faces,
        rest: RandomDice::new(
            &ContestRandomStream { seed: query.seed, fingerprint: cell.fingerprint_of_contest() },
            number,
        ),
    };
    let place = |name: &String| combat.measures().iter().position(|known| known.name == **name);
    let measure = query.measure.as_ref().and_then(place);
    let fits = |ending: &Ending| match (&query.wanted, measure) {
        (Some(wanted), _) => ending.fields.starts_with(wanted),
        (None, Some(measure)) => {
            combat.measures()[measure].includes_weight(ending.weights[measure])
                && ending.weights[measure] != 0
        }
        (None, None) => false,
    };
    let explanation = |number: &u64| {
        combat.play_one_trial(&mut trial(*number), MAX_STEPS_PER_TRY).as_ref().is_some_and(fits)
    };
    let sought = query.wanted.is_some() || measure.is_some();
    let mut tries = (0..MAX_ROLLS_TRIED).take_while(|_| sought && !halt.is_cancelled());
    let number = tries.find(explanation);
    let (steps, ending) = play_and_record_steps(combat, &mut trial(number.unwrap_or(0)));
    if let Some(error) = combat.recorded_rule_fault() {
        return Err(enfilade_report::error::ReportError::Study(name_cell_of_rule_error(
            cell, error,
        )));
    }
    let outcome = ending.map(|ending| {
        labels::describe_outcome(
            combat.outcome_fields(),
            &ending.fields[..combat.outcome_fields().len()],
        )
    });
    let (steps, found) = (Some(steps), Some(number.is_some()));
    Ok(RollExplanation { steps, outcome: Some(outcome), found, faults: None })
}

fn play_and_record_steps(
    combat: &AnyCombat,
    dice: &mut dyn Dice,
) -> (Vec<ExplainedRollStep>, Option<Ending>) {
    let mut steps = Vec::new();
    let ending = combat.play_with_step_listener(
        dice,
        &mut |rolls: &[RolledDie], telling: CombatStepExplanation| {
            steps.push(ExplainedRollStep {
                dice: rolls.iter().map(|roll| (roll.sides, roll.face)).collect(),
                text: telling.text,
                rule: telling.rule.to_string(),
                decided: telling.decided.iter().map(ToString::to_string).collect(),
            });
            steps.len() < MAX_EXPLAINED_STEPS
        },
    );
    (steps, ending)
}

/// A face that a die must show.
#[derive(Clone, Copy, Deserialize)]
#[serde(untagged)]
enum FaceWithOptionalSides {
    /// A face for any die; a die without this face shows its highest.
    Face(u8),
    /// A face for a die with these sides, sides first: any other die falls at random.
    Of(u8, u8),
}

impl FaceWithOptionalSides {
    /// The face that a die of this number of sides must show.
    fn face_clamped_to_sides(self, sides: u8) -> Option<u8> {
        match self {
            FaceWithOptionalSides::Face(face) => Some(face.clamp(1, sides)),
            FaceWithOptionalSides::Of(known, face) => {
                (known == sides).then(|| face.clamp(1, sides))
            }
        }
    }
}

/// Dice that first show given faces and then fall at random.
struct PresetThenRandomDice<'a> {
    faces: &'a [FaceWithOptionalSides],
    rest: RandomDice,
}

impl Dice for PresetThenRandomDice<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        let shown = self.faces.split_first().and_then(|(shown, later)| {
            self.faces = later;
            shown.face_clamped_to_sides(sides)
        });
        shown.unwrap_or_else(|| self.rest.die(sides))
    }
}
