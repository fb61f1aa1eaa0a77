//! `enfilade explain`.

use std::cell::Cell as Flag;
use std::fmt::Write;
use std::sync::Arc;

use clap::Args;

use crate::catalogue::Catalogue;
use crate::cli::OutputAndError;
use crate::cli::args::question_args::QuestionArgs;
use crate::cli::args::{ExtraRulebookArgs, SeedArg};
use crate::cli::command_steps;
use crate::cli::progress::TerminalRunProgress;
use crate::combat::{AnyCombat, CombatStepExplanation, Ending};
use crate::dice::{Dice, RolledDie, ScriptedDice};
use crate::error::Error;
use crate::form::sanitize::shorten_and_make_safe;
use crate::graph::{CompiledContestLimits, DieGraph};
use crate::play::RandomDice;
use crate::random_stream::ContestRandomStream;
use crate::report::text::labels::{self, replace_control_chars};
use crate::study::answer::Answer;
use crate::study::experiment::{Experiment, GridCell};
use crate::study::file::source_document::SourceInput;
use crate::study::solve::SolveObserver;
use crate::study::solve::errors::{name_cell_of_error, name_cell_of_rule_error};
use crate::study::solve::forecast::{CostForecast, GraphOrFrontier};

/// Number of steps after which a contest is no longer followed.
const MAX_EXPLAINED_STEPS: usize = 1000;

/// Explain one contest roll by roll, with rule references
///
/// With --dice the dice show the given faces in order: this replays a rulebook example. Without,
/// they fall at random, the same way for the same seed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  enfilade explain asl fire fp=8 target.unit=4-4-7 target.nation=Russian --dice 3,2,5,4
  printf 'contest = { system = \"asl\", action = \"fire\", fp = 8,
    target = { kind = \"squad\", morale = 7 } }' |
    enfilade explain - --dice 3,2,5,4")]
pub struct ExplainArgs {
    #[command(flatten)]
    question: QuestionArgs,
    /// The faces the dice show, in order: 3,5,6
    #[arg(long, value_name = "FACES", value_delimiter = ',', conflicts_with = "seed", value_parser = parse_die_face)]
    dice: Option<Vec<u8>>,
    /// The cell of the grid to explain, counted from 0 as in the results
    #[arg(long, value_name = "N", default_value_t = 0)]
    cell: usize,
    /// The seed of random dice, or "random" [default: the file's, else 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    seed: Option<SeedArg>,
    #[command(flatten)]
    rulebooks: ExtraRulebookArgs,
}

/// A face of a die.
fn parse_die_face(text: &str) -> Result<u8, String> {
    let refuse = || match text.trim() {
        "" => "there is nothing between two commas; expected faces, such as 3,5,6".to_owned(),
        text => format!("{} is no face of a die: expected 1 to 255", shorten_and_make_safe(text)),
    };
    text.trim().parse().ok().filter(|face| *face > 0).ok_or_else(refuse)
}

impl ExplainArgs {
    /// Explains one cell.
    ///
    /// # Errors
    /// When the file has faults or lacks the cell; in the output's error when the given dice do not
    /// fit the rule.
    pub fn run(&self, catalogue: &Catalogue) -> Result<OutputAndError, Error> {
        let (input, experiment) = command_steps::experiment_from_question_args(
            catalogue,
            &self.rulebooks,
            &self.question,
        )?;
        let cell = self.find_cell_chosen_by_index(&experiment)?;
        solve_player_decisions(&input, cell)?;
        let heading = heading_of_cell(cell, experiment.cell_count as usize);
        let (text, misfit) = match &self.dice {
            Some(faces) => explain_given_faces(cell, faces),
            None => (
                explain_random_play(cell, self.seed.map_or(experiment.seed, |seed| seed.value)),
                None,
            ),
        };
        let fault = cell.played.combat.recorded_rule_fault();
        let fault = fault.map(|mishap| {
            input.locate_contest_error_in_file(name_cell_of_rule_error(cell, mishap))
        });
        Ok(OutputAndError::new(heading + &text, fault.map(Error::from).or(misfit)))
    }

    fn find_cell_chosen_by_index<'a>(
        &self,
        experiment: &'a Experiment,
    ) -> Result<&'a GridCell, Error> {
        let last = experiment.cell_count - 1;
        let cell = experiment.cells.iter().find(|cell| cell.index == self.cell);
        let excluded = experiment.excluded_rows.iter().find(|row| row.cell == self.cell);
        if let Some(row) = excluded {
            let notes = row.notes.join("; ");
            return Err(Error::Usage(format!(
                "there is no contest in cell {}: {notes}",
                self.cell
            )));
        }
        cell.ok_or_else(|| {
            Error::Usage(format!("--cell must be 0 to {last}, but it is {}", self.cell))
        })
    }
}

/// Solves the decisions of the players, if there are any: that needs the whole contest.
fn solve_player_decisions(input: &SourceInput, cell: &GridCell) -> Result<(), Error> {
    let combat = &cell.played.combat;
    if combat.decisions().is_empty() {
        return Ok(());
    }
    let progress = TerminalRunProgress::new(1, false)?;
    progress.note_long_cell(cell, &|| {
        CostForecast::forecast_within_probe_time(
            cell,
            GraphOrFrontier::Graph,
            0,
            progress.cancel_token(),
        )
    });
    let graph = DieGraph::compile_combat_or_cancel(
        combat,
        &CompiledContestLimits::default(),
        progress.cancel_token(),
    );
    progress.note_answered_cell(cell.index);
    progress.remove_bar();
    Ok(graph
        .map(drop)
        .map_err(|why| input.locate_contest_error_in_file(name_cell_of_error(cell, why)))?)
}

fn heading_of_cell(cell: &GridCell, of: usize) -> String {
    let mut heading = cell.name.clone();
    if of > 1 {
        let _ = write!(heading, ", cell {} of 0 to {}", cell.index, of - 1);
        if !cell.axes.is_empty() {
            let _ = write!(
                heading,
                ": {}",
                labels::describe_cell_place(&as_answer_without_results(cell))
            );
        }
    }
    for note in &cell.played.notes {
        let _ = write!(heading, "\nnote: {note}");
    }
    heading + "\n"
}

/// Converts a cell to an answer without results, for its names.
fn as_answer_without_results(cell: &GridCell) -> Answer {
    let (system, action) = (Arc::clone(&cell.system), Arc::clone(&cell.action));
    let (name, axes) = (cell.name.clone(), cell.axes.clone());
    Answer { name, axes, ..Answer::new_refusal(system, action, String::new()) }
}

/// Explains a contest. As soon as `misfit` shows that the dice do not fit the rule any more, the
/// text ends with the step before.
fn explain_contest_play(cell: &GridCell, dice: &mut dyn Dice, misfit: &Flag<bool>) -> String {
    let (mut text, mut steps) = (String::new(), 0);
    let combat = &cell.played.combat;
    let ending = combat.play_with_step_listener(dice, &mut |rolls, telling| {
        if misfit.get() {
            return false;
        }
        steps += 1;
        text += &format_explained_step(steps, rolls, &telling);
        steps < MAX_EXPLAINED_STEPS
    });
    match ending {
        _ if misfit.get() => {}
        Some(ending) => text += &format_play_outcome(combat, &ending),
        None => text += &format!("not over after {steps} steps\n"),
    }
    text
}

fn explain_random_play(cell: &GridCell, seed: u64) -> String {
    let fingerprint = cell.fingerprint_of_contest();
    let mut dice = RandomDice::new(&ContestRandomStream { seed, fingerprint }, 0);
    format!("dice of seed {seed}\n") + &explain_contest_play(cell, &mut dice, &Flag::new(false))
}

/// Given dice that raise a flag when the rule asks for others.
struct ScriptedDiceWithMisfitFlag<'a> {
    dice: ScriptedDice<'a>,
    misfit: &'a Flag<bool>,
}

impl Dice for ScriptedDiceWithMisfitFlag<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.dice.die(sides);
        self.misfit.set(self.dice.find_mismatch().is_some());
        face
    }
}

fn explain_given_faces(cell: &GridCell, faces: &[u8]) -> (String, Option<Error>) {
    let misfit = Flag::new(false);
    let mut given = ScriptedDiceWithMisfitFlag { dice: ScriptedDice::new(faces), misfit: &misfit };
    let text = explain_contest_play(cell, &mut given, &misfit);
    let left = faces.len() - given.dice.used_face_count();
    let error = match given.dice.find_mismatch() {
        Some(misfit) => Some(misfit.to_string()),
        None if left > 0 => Some(format!("the last {left} of the given dice were not rolled")),
        None => None,
    };
    (text, error.map(Error::Usage))
}

fn format_explained_step(
    number: usize,
    rolls: &[RolledDie],
    telling: &CombatStepExplanation,
) -> String {
    let dice: Vec<_> =
        rolls.iter().map(|roll| format!("d{} shows {}", roll.sides, roll.face)).collect();
    let rule = match telling.rule.as_str() {
        "" => String::new(),
        rule => format!(" [{rule}]"),
    };
    let decided = telling.decided.iter();
    let rolled = (!dice.is_empty()).then(|| dice.join(", "));
    let texts: Vec<_> = decided.map(ToString::to_string).chain(rolled).collect();
    format!("{number:>3}. {}\n     {}{rule}\n", texts.join("\n     "), telling.text)
}

fn format_play_outcome(combat: &AnyCombat, ending: &Ending) -> String {
    format!(
        "outcome: {}\n",
        replace_control_chars(&labels::describe_outcome(combat.outcome_fields(), &ending.fields))
    )
}
