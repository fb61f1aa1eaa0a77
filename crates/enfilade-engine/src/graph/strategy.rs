//! The policy of best play, by what is known at each decision, and the value of other policies.

use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::compile_limits::SizeLimits;
use crate::graph::explore::{self, StepTarget, TransitionSystem};
use crate::graph::solve_decisions::value_bounds::ValueBounds;
use crate::graph::solve_decisions::{
    VertexNumbers, find_strong_components, has_cycle, solve_and_apply,
};
use enfilade_model::combat::{AnyCombat, ChosenOption};
use enfilade_model::dice::OpenOptions;

/// Probability left in a loop at which the count of its visits ends.
const NEGLIGIBLE_LOOP_SHARE: f64 = 1e-13;

/// Limit of the steps that count the visits of one loop: some seconds of work.
const MAX_LOOP_VISIT_STEPS: usize = 1 << 30;

/// Part of the span of a goal by which options may differ that count as equal.
const MAX_TIE: f64 = 1.0 / (1_u64 << 36) as f64;

/// A decision in one situation.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionSituationRow {
    /// The variables that are remembered there, with their values.
    pub variables: Vec<(String, i64)>,
    /// The option that is taken, with the means of all options.
    pub chosen: ChosenOption,
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
    limits: &SizeLimits,
    forced: &ForcedOptions<'_>,
    halt: &CancelToken,
) -> Result<BestPlayStrategy, SolveError> {
    let named = combat.with_variable_names();
    let combat = named.as_ref().unwrap_or(combat);
    let mut states = combat.new_state_numbering();
    let mut transitions =
        explore::explore_all_states(combat, &mut *states, limits, &has_cycle, halt)?;
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
                option.and_then(|option| Some((option, choice.place_of_option(option)?)))
            {
                choice.options = vec![choice.options[at]];
                choice.open = OpenOptions::between(option, option);
            }
        }
    }
    let solved = solve_and_apply(&mut transitions, combat, halt)?;
    let visits = expected_vertex_visits(&transitions);
    let places = VertexNumbers::new(&transitions);
    let mut rows = Vec::new();
    for (state, known_by_state) in known_by_state {
        let here = decisions_in_step(&transitions, state).into_iter();
        rows.extend(here.filter_map(|choice| {
            let visits = visits[places.index_of(StepTarget::Choice(choice))];
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

/// Computes how far best play, as it was solved, lies outside the bounds of another method: the
/// mean of the goal outside value iteration from both ends, or the gain of an option that is not
/// taken at a decision which trials reach. It is 0 within them, in parts of the span of the goal;
/// `None` where players have different goals or do not see all.
///
/// # Errors
/// In the cases of [`solve_best_play`].
pub fn distance_of_best_play(
    combat: &AnyCombat,
    limits: &SizeLimits,
    halt: &CancelToken,
) -> Result<Option<f64>, SolveError> {
    let explore = || {
        let mut states = combat.new_state_numbering();
        explore::explore_all_states(combat, &mut *states, limits, &has_cycle, halt)
    };
    let (unsolved, mut transitions) = (explore()?, explore()?);
    let Some(bounds) = ValueBounds::compute(&unsolved, combat, halt)? else { return Ok(None) };
    let solved = solve_and_apply(&mut transitions, combat, halt)?;
    let [least, most] = bounds.of_contest();
    let field = &combat.outcome_fields()[bounds.field];
    let goal = combat.decisions().iter().position(|decision| decision.goal == field.name);
    let mean = goal.and_then(|goal| solved.means.get(goal)).copied().unwrap_or(least);
    let mut beyond = (least - mean).max(mean - most);
    let visits = expected_vertex_visits(&transitions);
    let places = VertexNumbers::new(&transitions);
    for (number, choice) in (0..).zip(&transitions.choices) {
        if visits[places.index_of(StepTarget::Choice(number))] > 0.0 {
            beyond = beyond.max(bounds.sure_gain(number, choice.chosen_option));
        }
    }
    let beyond = beyond / bounds.span;
    Ok(Some(if beyond > MAX_TIE { beyond } else { 0.0 }))
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
            StepTarget::Choice(choice) => {
                decisions.push(choice);
                open.extend(transitions.choices[choice as usize].options.iter().rev());
            }
            StepTarget::Tally(tally) => open.push(transitions.tallies[tally as usize].to),
            StepTarget::Die(_) | StepTarget::State(_) => {}
        }
    }
    decisions
}

/// By place: how often a trial comes there in the mean, when every decision is as it was solved.
fn expected_vertex_visits(transitions: &TransitionSystem) -> Vec<f64> {
    let places = VertexNumbers::new(transitions);
    let mut visits = vec![0.0; places.vertex_count()];
    visits[places.index_of(StepTarget::State(0))] = 1.0;
    // A set of places comes after those that it leads to.
    for circle in find_strong_components(transitions).iter().rev() {
        match circle.as_slice() {
            [alone]
                if successors_with_shares(transitions, *alone)
                    .iter()
                    .all(|(to, _)| to != alone) =>
            {
                let here = visits[places.index_of(*alone)];
                for (to, share) in successors_with_shares(transitions, *alone) {
                    visits[places.index_of(to)] += here * share;
                }
            }
            _ => count_loop_visits(transitions, &places, circle, &mut visits),
        }
    }
    visits
}

/// Counts the visits of places that lead to each other, round by round, and passes on what leaves
/// them.
fn count_loop_visits(
    transitions: &TransitionSystem,
    places: &VertexNumbers<'_>,
    circle: &[StepTarget],
    visits: &mut [f64],
) {
    let mut local = vec![usize::MAX; visits.len()];
    for (at, place) in circle.iter().enumerate() {
        local[places.index_of(*place)] = at;
    }
    let shares: Vec<_> =
        circle.iter().map(|place| successors_with_shares(transitions, *place)).collect();
    let mut inflow: Vec<f64> = circle.iter().map(|place| visits[places.index_of(*place)]).collect();
    let mut all = vec![0.0; circle.len()];
    for _ in 0..(MAX_LOOP_VISIT_STEPS / circle.len()).max(1) {
        let mut next = vec![0.0; circle.len()];
        for (at, here) in inflow.iter().enumerate().filter(|(_, here)| **here > 0.0) {
            all[at] += here;
            for (to, share) in &shares[at] {
                match local[places.index_of(*to)] {
                    usize::MAX => visits[places.index_of(*to)] += here * share,
                    inside => next[inside] += here * share,
                }
            }
        }
        inflow = next;
        if inflow.iter().sum::<f64>() <= NEGLIGIBLE_LOOP_SHARE {
            break;
        }
    }
    for (place, all) in circle.iter().zip(all) {
        visits[places.index_of(*place)] = all;
    }
}

/// Where a place leads, each with its probability.
fn successors_with_shares(
    transitions: &TransitionSystem,
    place: StepTarget,
) -> Vec<(StepTarget, f64)> {
    match place {
        StepTarget::State(state) => {
            transitions.states[state as usize].iter().map(|first| (*first, 1.0)).collect()
        }
        StepTarget::Tally(tally) => vec![(transitions.tallies[tally as usize].to, 1.0)],
        StepTarget::Choice(choice) => {
            vec![(transitions.choices[choice as usize].target_of_chosen(), 1.0)]
        }
        StepTarget::Die(die) => {
            let dice = transitions.dice.as_list();
            let sides = f64::from(dice.sides(die as usize));
            let branches = dice.branches(die as usize).iter();
            branches.map(|branch| (branch.to, f64::from(branch.faces) / sides)).collect()
        }
    }
}
