//! The policy of best play, by what is known at each decision, and the value of other policies.

use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::compile_limits::CompiledContestLimits;
use crate::graph::explore::{self, NextRollOrState, TransitionSystem};
use crate::graph::solve_decisions::best_replies::BestReplies;
use crate::graph::solve_decisions::shared_goal::ZeroSumGoal;
use crate::graph::solve_decisions::value_bounds::VertexValueBounds;
use crate::graph::solve_decisions::vertex_visits::{expected_vertex_visits, targets_by_chance};
use crate::graph::solve_decisions::{
    VertexNumbers, find_strong_components, solve_and_redirect_choices, transitions_contain_cycle,
};
use enfilade_model::combat::{AnyCombat, ChosenOptionWithMeans};
use enfilade_model::dice::OpenOptions;

/// Part of the span of a goal by which options may differ that count as equal.
const MAX_TIE: f64 = 1.0 / (1_u64 << 36) as f64;

/// Part of the span of a goal that a reply to hidden choices may gain: the rounding of their
/// shares.
const MAX_REPLY_GAIN: f64 = 1e-9;

/// A decision in one situation.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionSituationRow {
    /// The variables that are remembered there, with their values.
    pub variables: Vec<(String, i64)>,
    /// The option that is taken, with the means of all options.
    pub chosen: ChosenOptionWithMeans,
    /// Mean number of visits of a trial.
    pub visits: f64,
}

/// Policy of the decisions that do not follow best play: from the number of a decision and the
/// variables known there, an option from 1; `None` leaves the decision free.
pub type ForcedOptions<'f> = dyn Fn(u8, &[(String, i64)]) -> Option<u8> + 'f;

/// The policy of best play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BestPlayStrategy {
    /// By situation that is reached, in the order of first sight.
    pub rows: Vec<DecisionSituationRow>,
    /// By decision: the mean of its goal over all trials.
    pub means: Vec<f64>,
}

/// Solves the decisions of `combat`, where those that `forced` names are not free.
///
/// # Errors
/// When the contest is larger than `limits`, its decisions cannot be solved, or `halt` was
/// cancelled.
pub fn solve_best_play(
    combat: &AnyCombat,
    limits: &CompiledContestLimits,
    forced: &ForcedOptions<'_>,
    halt: &CancelToken,
) -> Result<BestPlayStrategy, SolveError> {
    let named = combat.with_variable_names();
    let combat = named.as_ref().unwrap_or(combat);
    let mut states = combat.new_state_numbering();
    let mut transitions = explore::explore_all_states(
        combat,
        &mut *states,
        limits,
        &transitions_contain_cycle,
        halt,
    )?;
    let known_by_state: Vec<(u32, Vec<(String, i64)>)> = (0..transitions.states.len() as u32)
        .filter(|state| !decisions_in_step(&transitions, *state).is_empty())
        .map(|state| (state, states.named_variables(state)))
        .collect();
    for (state, known_by_state) in &known_by_state {
        for choice in decisions_in_step(&transitions, *state) {
            let choice = &mut transitions.choices[choice as usize];
            let variables = variables_seen_by_player(combat, choice.decision, known_by_state);
            let option = forced(choice.decision, &variables);
            // A rule that names a closed option leaves the decision free.
            if let Some((option, at)) =
                option.and_then(|option| Some((option, choice.place_among_open_options(option)?)))
            {
                choice.options = vec![choice.options[at]];
                choice.open = OpenOptions::between(option, option);
            }
        }
    }
    let solved = solve_and_redirect_choices(&mut transitions, combat, halt)?;
    let visits = visits_of_best_play(&transitions);
    let places = VertexNumbers::new(&transitions);
    let mut rows = Vec::new();
    for (state, known_by_state) in known_by_state {
        let here = decisions_in_step(&transitions, state).into_iter();
        rows.extend(here.filter_map(|choice| {
            let visits = visits[places.index_of(NextRollOrState::Choice(choice))];
            let taken = solved.options[choice as usize].clone();
            let known = variables_seen_by_player(combat, taken.decision, &known_by_state);
            (visits > 0.0).then_some(DecisionSituationRow {
                variables: known,
                chosen: taken,
                visits,
            })
        }));
    }
    Ok(BestPlayStrategy { rows, means: solved.means })
}

/// Computes how far best play, as it was solved, lies outside the bounds of another method. Where
/// players see all: the mean of the goal outside value iteration from both ends, or the gain of an
/// option that is not taken at a decision which trials reach. Where choices are hidden: the gain of
/// a player's best reply to what the other does. It is 0 within the bounds, in parts of the span of
/// the goal; `None` where players have different goals.
///
/// # Errors
/// In the cases of [`solve_best_play`].
pub fn best_play_cross_check_gap(
    combat: &AnyCombat,
    limits: &CompiledContestLimits,
    halt: &CancelToken,
) -> Result<Option<f64>, SolveError> {
    let explore = || {
        let mut states = combat.new_state_numbering();
        explore::explore_all_states(combat, &mut *states, limits, &transitions_contain_cycle, halt)
    };
    let (unsolved, mut transitions) = (explore()?, explore()?);
    let Some(goal) = ZeroSumGoal::derive_from_decisions(&unsolved, combat)? else {
        return Ok(None);
    };
    let solved = solve_and_redirect_choices(&mut transitions, combat, halt)?;
    // The goal is that of the first decision.
    let mean = solved.means.first().copied().unwrap_or(goal.range[0]);
    let is_hidden = combat.decisions().iter().any(|decision| !decision.hidden.is_empty());
    let (beyond, most) = match is_hidden {
        true => {
            let components = find_strong_components(&unsolved);
            let replies = BestReplies::new(&transitions, &components, &goal, halt);
            (replies.largest_gain(mean)?, MAX_REPLY_GAIN)
        }
        false => {
            let bounds = VertexValueBounds::compute(&unsolved, &goal, halt)?;
            (gap_outside_value_bounds(&bounds, &transitions, mean), MAX_TIE)
        }
    };
    Ok(Some(gap_beyond_rounding(beyond / goal.range_width(), most)))
}

/// Returns a gap, or 0 where it is no more than rounding may cause.
fn gap_beyond_rounding(gap: f64, rounding: f64) -> f64 {
    if gap > rounding { gap } else { 0.0 }
}

/// Computes how far the mean lies outside the bounds, or how much an option that is not taken
/// surely gains.
fn gap_outside_value_bounds(
    bounds: &VertexValueBounds<'_>,
    transitions: &TransitionSystem,
    mean: f64,
) -> f64 {
    let [least, most] = bounds.bounds_at_start();
    let visits = visits_of_best_play(transitions);
    let places = VertexNumbers::new(transitions);
    let reached = (0..)
        .zip(&transitions.choices)
        .filter(|(number, _)| visits[places.index_of(NextRollOrState::Choice(*number))] > 0.0);
    let gains =
        reached.map(|(number, choice)| bounds.sure_gain_over_option(number, choice.chosen_option));
    gains.fold((least - mean).max(mean - most), f64::max)
}

/// Returns the variables that the player of a decision sees; of a list that they do not see, no
/// place.
fn variables_seen_by_player(
    combat: &AnyCombat,
    decision: u8,
    known: &[(String, i64)],
) -> Vec<(String, i64)> {
    let hidden = &combat.decisions()[usize::from(decision)].hidden;
    let is_seen = |(name, _): &&(String, i64)| {
        let name = name.split('[').next().unwrap_or(name);
        !hidden.iter().any(|hidden| **hidden == *name)
    };
    known.iter().filter(is_seen).cloned().collect()
}

/// The decisions of the step from a state.
fn decisions_in_step(transitions: &TransitionSystem, state: u32) -> Vec<u32> {
    let (mut decisions, mut open) = (Vec::new(), Vec::new());
    open.extend(transitions.states[state as usize]);
    while let Some(next) = open.pop() {
        match next {
            NextRollOrState::Choice(choice) => {
                decisions.push(choice);
                open.extend(transitions.choices[choice as usize].options.iter().rev());
            }
            NextRollOrState::Tally(tally) => open.push(transitions.tallies[tally as usize].to),
            NextRollOrState::Die(_) | NextRollOrState::State(_) => {}
        }
    }
    decisions
}

/// Computes, by vertex, how often a trial comes there in the mean, when every decision is as it was
/// solved.
fn visits_of_best_play(transitions: &TransitionSystem) -> Vec<f64> {
    let leads = |place| match place {
        NextRollOrState::Choice(choice) => {
            vec![(transitions.choices[choice as usize].target_of_chosen(), 1.0)]
        }
        _ => targets_by_chance(transitions, place),
    };
    expected_vertex_visits(transitions, &find_strong_components(transitions), &leads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_within_rounding_is_none() {
        assert_eq!(gap_beyond_rounding(MAX_REPLY_GAIN, MAX_REPLY_GAIN), 0.0);
        assert_eq!(gap_beyond_rounding(-0.5, MAX_TIE), 0.0);
        assert_eq!(gap_beyond_rounding(0.25, MAX_TIE), 0.25);
    }
}
