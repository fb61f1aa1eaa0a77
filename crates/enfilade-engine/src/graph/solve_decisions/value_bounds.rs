//! Bounds of the value of best play, by value iteration from the least and from the greatest
//! ending.
//!
//! They share the transitions with the solver, and no line of it: neither a policy nor an equation.

use super::endless_loops::MaximizerOrMinimizer;
use super::shared_goal::ZeroSumGoal;
use super::{NextRollOrState, TransitionSystem, VertexNumbers, find_strong_components};
use crate::cancel::CancelToken;
use crate::error::SolveError;

/// Largest number of rounds in one loop.
const MAX_ROUNDS: usize = 2000;

/// Change of a round, over the span of the goal, below which a loop has converged.
const CONVERGED_CHANGE: f64 = 1e-15;

/// Bounds of the value of each vertex, for the one goal of all decisions.
pub(in crate::graph) struct VertexValueBounds<'a> {
    transitions: &'a TransitionSystem,
    places: VertexNumbers<'a>,
    goal: &'a ZeroSumGoal,
    /// By vertex.
    least: Vec<f64>,
    most: Vec<f64>,
}

impl<'a> VertexValueBounds<'a> {
    /// Computes the bounds, where players see all.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub(in crate::graph) fn compute(
        transitions: &'a TransitionSystem,
        goal: &'a ZeroSumGoal,
        halt: &CancelToken,
    ) -> Result<VertexValueBounds<'a>, SolveError> {
        let [low, high] = goal.range;
        let places = VertexNumbers::new(transitions);
        let count = places.vertex_count();
        let mut bounds = VertexValueBounds {
            transitions,
            goal,
            least: vec![low; count],
            most: vec![high; count],
            places,
        };
        for (ending, state) in &transitions.endings {
            let at = bounds.places.index_of(NextRollOrState::State(*state));
            let value = f64::from(goal.source.value_of_ending(ending));
            (bounds.least[at], bounds.most[at]) = (value, value);
        }
        for component in find_strong_components(transitions) {
            halt.check_not_cancelled()?;
            bounds.iterate_component(&component);
        }
        Ok(bounds)
    }

    /// Iterates the vertices of a component, when all their other successors are done.
    fn iterate_component(&mut self, component: &[NextRollOrState]) {
        for _ in 0..MAX_ROUNDS {
            let mut largest = 0.0_f64;
            for &place in component {
                let at = self.places.index_of(place);
                for values in [0, 1] {
                    let Some(value) = self.bound_from_successors(place, values) else { continue };
                    let known = if values == 0 { &mut self.least } else { &mut self.most };
                    largest = largest.max((value - known[at]).abs());
                    known[at] = value;
                }
            }
            if component.len() == 1 || largest <= CONVERGED_CHANGE * self.goal.range_width() {
                break;
            }
        }
    }

    /// Computes a bound of a vertex from those of its successors, the least for 0; `None` at an
    /// ending.
    fn bound_from_successors(&self, place: NextRollOrState, which: usize) -> Option<f64> {
        let values = [&self.least, &self.most][which];
        let value = |to: NextRollOrState| values[self.places.index_of(to)];
        Some(match place {
            NextRollOrState::State(state) => value(self.transitions.states[state as usize]?),
            NextRollOrState::Tally(tally) => value(self.transitions.tallies[tally as usize].to),
            NextRollOrState::Die(die) => {
                let dice = self.transitions.dice.as_list();
                let branches = dice.branches(die as usize).iter();
                let sum: f64 =
                    branches.map(|branch| value(branch.to) * f64::from(branch.faces)).sum();
                sum / f64::from(dice.sides(die as usize))
            }
            NextRollOrState::Choice(choice) => {
                let choice = &self.transitions.choices[choice as usize];
                let options = choice.options.iter().map(|option| value(*option));
                match self.goal.sides[usize::from(choice.decision)] {
                    MaximizerOrMinimizer::High => options.fold(f64::NEG_INFINITY, f64::max),
                    MaximizerOrMinimizer::Low => options.fold(f64::INFINITY, f64::min),
                }
            }
        })
    }

    /// Returns the least and the greatest value of the whole contest.
    pub(in crate::graph) fn bounds_at_start(&self) -> [f64; 2] {
        let start = self.places.index_of(NextRollOrState::State(0));
        [self.least[start], self.most[start]]
    }

    /// Computes how much the best option of a decision surely gains over the one at `place` among
    /// the open options; at most 0 where it may be the best.
    pub(in crate::graph) fn sure_gain_over_option(&self, choice: u32, place: usize) -> f64 {
        let choice = &self.transitions.choices[choice as usize];
        let bounds = |option: NextRollOrState| {
            let at = self.places.index_of(option);
            (self.least[at], self.most[at])
        };
        let (least, most) = bounds(choice.options[place]);
        let gain = |option: &NextRollOrState| {
            let other = bounds(*option);
            match self.goal.sides[usize::from(choice.decision)] {
                MaximizerOrMinimizer::High => other.0 - most,
                MaximizerOrMinimizer::Low => least - other.1,
            }
        };
        choice.options.iter().map(gain).fold(f64::NEG_INFINITY, f64::max)
    }
}
