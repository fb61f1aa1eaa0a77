//! The policy of best play, by what is known at each decision, and the value of other policies.

use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::explore::{self, StepTarget, TransitionSystem};
use crate::graph::limits::Limits;
use crate::graph::solve_decisions::{VertexNumbers, find_components, has_cycle, solve};
use enfilade_model::combat::{AnyCombat, ChosenOption};

/// Probability left in a loop at which the count of its visits ends.
const SETTLED: f64 = 1e-13;

/// Limit of the steps that count the visits of one loop: some seconds of work.
const MOST_STEPS: usize = 1 << 30;

/// A decision in one situation.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyRow {
    /// The variables that are remembered there, with their values.
    pub known: Vec<(String, i64)>,
    /// The option that is taken, with the means of all options.
    pub taken: ChosenOption,
    /// Mean number of visits of a trial.
    pub visits: f64,
}

/// Policy of the decisions that do not follow best play: from the number of a decision and the variables
/// known there, an option from 1; `None` leaves the decision free.
pub type Forced<'f> = dyn Fn(u8, &[(String, i64)]) -> Option<u8> + 'f;

/// The policy of best play.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strategy {
    /// By situation that is reached, in the order of first sight.
    pub rows: Vec<StrategyRow>,
    /// By decision: the mean of its goal over all trials.
    pub means: Vec<f64>,
}

/// Solves the decisions of `combat`, where those that `forced` names are not free.
///
/// # Errors
/// When the contest is larger than `limits`, its decisions cannot be solved, or `halt` was cancelled.
pub fn strategy(
    combat: &AnyCombat,
    limits: &Limits,
    forced: &Forced<'_>,
    halt: &CancelToken,
) -> Result<Strategy, SolveError> {
    let named = combat.named();
    let combat = named.as_ref().unwrap_or(combat);
    let mut states = combat.start_numbering();
    let mut told = explore::explore_states(combat, &mut *states, limits, &has_cycle, halt)?;
    let known: Vec<(u32, Vec<(String, i64)>)> = (0..told.states.len() as u32)
        .filter(|state| !choices_of(&told, *state).is_empty())
        .map(|state| (state, states.variables(state)))
        .collect();
    for (state, known) in &known {
        for choice in choices_of(&told, *state) {
            let choice = &mut told.choices[choice as usize];
            let seen = seen_variables(combat, choice.decision, known);
            let option = forced(choice.decision, &seen).map(usize::from);
            if let Some(option) =
                option.filter(|option| (1..=choice.options.len()).contains(option))
            {
                choice.options = vec![choice.options[option - 1]];
            }
        }
    }
    let solved = solve(&mut told, combat, halt)?;
    let visits = visits(&told);
    let places = VertexNumbers::new(&told);
    let mut rows = Vec::new();
    for (state, known) in known {
        let here = choices_of(&told, state).into_iter();
        rows.extend(here.filter_map(|choice| {
            let visits = visits[places.index_of(StepTarget::Choice(choice))];
            let taken = solved.taken[choice as usize].clone();
            let known = seen_variables(combat, taken.decision, &known);
            (visits > 0.0).then_some(StrategyRow { known, taken, visits })
        }));
    }
    Ok(Strategy { rows, means: solved.means })
}

/// Returns the variables that the player of a decision sees; of a list that they do not see, no
/// place.
fn seen_variables(combat: &AnyCombat, decision: u8, known: &[(String, i64)]) -> Vec<(String, i64)> {
    let hidden = &combat.decisions()[usize::from(decision)].hidden;
    let is_seen = |(name, _): &&(String, i64)| {
        let name = name.split('[').next().unwrap_or(name);
        !hidden.iter().any(|hidden| **hidden == *name)
    };
    known.iter().filter(is_seen).cloned().collect()
}

/// The decisions of the step from a state.
fn choices_of(told: &TransitionSystem, state: u32) -> Vec<u32> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    open.extend(told.states[state as usize]);
    while let Some(next) = open.pop() {
        match next {
            StepTarget::Choice(choice) => {
                found.push(choice);
                open.extend(told.choices[choice as usize].options.iter().rev());
            }
            StepTarget::Toll(toll) => open.push(told.tolls[toll as usize].to),
            StepTarget::Die(_) | StepTarget::State(_) => {}
        }
    }
    found
}

/// By place: how often a trial comes there in the mean, when every decision is as it was solved.
fn visits(told: &TransitionSystem) -> Vec<f64> {
    let places = VertexNumbers::new(told);
    let mut visits = vec![0.0; places.vertex_count()];
    visits[places.index_of(StepTarget::State(0))] = 1.0;
    // A set of places comes after those that it leads to.
    for circle in find_components(told).iter().rev() {
        match circle.as_slice() {
            [alone] if shares(told, *alone).iter().all(|(to, _)| to != alone) => {
                let here = visits[places.index_of(*alone)];
                for (to, share) in shares(told, *alone) {
                    visits[places.index_of(to)] += here * share;
                }
            }
            _ => go_round(told, &places, circle, &mut visits),
        }
    }
    visits
}

/// Counts the visits of places that lead to each other, round by round, and passes on what leaves them.
fn go_round(
    told: &TransitionSystem,
    places: &VertexNumbers<'_>,
    circle: &[StepTarget],
    visits: &mut [f64],
) {
    let mut local = vec![usize::MAX; visits.len()];
    for (at, place) in circle.iter().enumerate() {
        local[places.index_of(*place)] = at;
    }
    let shares: Vec<_> = circle.iter().map(|place| shares(told, *place)).collect();
    let mut comes: Vec<f64> = circle.iter().map(|place| visits[places.index_of(*place)]).collect();
    let mut all = vec![0.0; circle.len()];
    for _ in 0..(MOST_STEPS / circle.len()).max(1) {
        let mut next = vec![0.0; circle.len()];
        for (at, here) in comes.iter().enumerate().filter(|(_, here)| **here > 0.0) {
            all[at] += here;
            for (to, share) in &shares[at] {
                match local[places.index_of(*to)] {
                    usize::MAX => visits[places.index_of(*to)] += here * share,
                    inside => next[inside] += here * share,
                }
            }
        }
        comes = next;
        if comes.iter().sum::<f64>() <= SETTLED {
            break;
        }
    }
    for (place, all) in circle.iter().zip(all) {
        visits[places.index_of(*place)] = all;
    }
}

/// Where a place leads, each with its probability.
fn shares(told: &TransitionSystem, place: StepTarget) -> Vec<(StepTarget, f64)> {
    match place {
        StepTarget::State(state) => {
            told.states[state as usize].iter().map(|first| (*first, 1.0)).collect()
        }
        StepTarget::Toll(toll) => vec![(told.tolls[toll as usize].to, 1.0)],
        StepTarget::Choice(choice) => vec![(told.choices[choice as usize].chosen_successor(), 1.0)],
        StepTarget::Die(die) => {
            let dice = told.dice.as_list();
            let sides = f64::from(dice.sides(die as usize));
            let branches = dice.branches(die as usize).iter();
            branches.map(|branch| (branch.to, f64::from(branch.faces) / sides)).collect()
        }
    }
}
