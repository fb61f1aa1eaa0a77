//! Best reply of each player to what the other does, over a whole contest whose decisions are
//! solved.
//!
//! The check shares the transitions with the solver of hidden choices, and no line of it. The other
//! player draws options as the dice of the solved transitions draw them. Choices of one view are
//! decided together, by sweeps over the whole contest in place of regions and sequences.

use rustc_hash::FxHashMap;

use super::endless_loops::MaximizerOrMinimizer;
use super::shared_goal::ZeroSumGoal;
use super::vertex_visits::{TargetShares, expected_vertex_visits, targets_by_chance};
use super::{NextRollOrState, TransitionSystem, VertexNumbers};
use crate::cancel::CancelToken;
use crate::error::SolveError;

/// Largest number of rounds in one loop.
const MAX_REPLY_ROUNDS: usize = 2000;

/// Change of a round, over the span of the goal, below which a loop has converged.
const CONVERGED_CHANGE: f64 = 1e-15;

/// Gain, over the span of the goal, for which an option is taken in place of another.
const LEAST_GAIN: f64 = 1e-13;

/// Contest with solved decisions.
pub(in crate::graph) struct BestReplies<'a> {
    transitions: &'a TransitionSystem,
    places: VertexNumbers<'a>,
    /// All vertices, those behind options that nobody takes among them; successors first.
    components: &'a [Vec<NextRollOrState>],
    goal: &'a ZeroSumGoal,
    /// By choice: the targets of its options, with the shares that are drawn.
    drawn: Vec<TargetShares>,
    halt: &'a CancelToken,
}

/// One player's reply while it is improved.
struct BestReplyInProgress {
    player: MaximizerOrMinimizer,
    /// Views of several choices of the player.
    views: Vec<Vec<u32>>,
    /// View by choice, if it has several.
    view_of: FxHashMap<u32, usize>,
    /// Option taken by view.
    taken: Vec<usize>,
    /// Worth by vertex.
    worths: Vec<f64>,
}

impl<'a> BestReplies<'a> {
    /// Prepares the check of solved transitions. The components are those of the transitions before
    /// they were solved.
    pub(in crate::graph) fn new(
        transitions: &'a TransitionSystem,
        components: &'a [Vec<NextRollOrState>],
        goal: &'a ZeroSumGoal,
        halt: &'a CancelToken,
    ) -> BestReplies<'a> {
        let places = VertexNumbers::new(transitions);
        let drawn = (0..transitions.choices.len())
            .map(|choice| drawn_targets_with_shares(transitions, choice));
        let drawn = drawn.collect();
        BestReplies { transitions, places, components, goal, drawn, halt }
    }

    /// Computes the most that a player gains over `value` by another reply to what the other player
    /// does; at most 0 where no reply is better.
    ///
    /// # Errors
    /// When the work was cancelled.
    pub(in crate::graph) fn largest_gain(&self, value: f64) -> Result<f64, SolveError> {
        let high = self.best_reply_worth(MaximizerOrMinimizer::High)?;
        let low = self.best_reply_worth(MaximizerOrMinimizer::Low)?;
        Ok((high - value).max(value - low))
    }

    /// Computes the worth of the contest for the best reply of `player`.
    fn best_reply_worth(&self, player: MaximizerOrMinimizer) -> Result<f64, SolveError> {
        let mut reply = self.first_reply(player);
        let leads = |place| self.targets_under_uniform_reply(place, player);
        let reach = expected_vertex_visits(self.transitions, self.components, &leads);
        self.sweep_worths(&mut reply)?;
        // Each sweep settles the last views that are not settled yet.
        for _ in 0..=reply.views.len() {
            if !self.improve_views(&mut reply, &reach) {
                break;
            }
            self.sweep_worths(&mut reply)?;
        }
        Ok(reply.worths[self.places.index_of(NextRollOrState::State(0))])
    }

    fn side_of(&self, choice: u32) -> MaximizerOrMinimizer {
        self.goal.sides[usize::from(self.transitions.choices[choice as usize].decision)]
    }

    fn first_reply(&self, player: MaximizerOrMinimizer) -> BestReplyInProgress {
        let mut by_view: FxHashMap<(u8, &[i64]), Vec<u32>> = FxHashMap::default();
        for place in self.components.iter().flatten() {
            let NextRollOrState::Choice(number) = *place else { continue };
            let choice = &self.transitions.choices[number as usize];
            if let (Some(seen), true) = (&choice.view, self.side_of(number) == player) {
                by_view.entry((choice.decision, seen)).or_default().push(number);
            }
        }
        let views: Vec<Vec<u32>> = by_view.into_values().filter(|view| view.len() > 1).collect();
        let numbered = views.iter().enumerate();
        let view_of = numbered.flat_map(|(at, view)| view.iter().map(move |choice| (*choice, at)));
        let view_of = view_of.collect();
        let mut worths = vec![0.0; self.places.vertex_count()];
        for (ending, state) in &self.transitions.endings {
            let at = self.places.index_of(NextRollOrState::State(*state));
            worths[at] = f64::from(self.goal.source.value_of_ending(ending));
        }
        let taken = vec![0; views.len()];
        BestReplyInProgress { player, views, view_of, taken, worths }
    }

    /// Returns where a vertex leads when `player` may take every option alike: what the player
    /// decided before is the same at all choices of one view.
    fn targets_under_uniform_reply(
        &self,
        place: NextRollOrState,
        player: MaximizerOrMinimizer,
    ) -> TargetShares {
        let NextRollOrState::Choice(number) = place else {
            return targets_by_chance(self.transitions, place);
        };
        if self.side_of(number) != player {
            return self.drawn[number as usize].clone();
        }
        let options = &self.transitions.choices[number as usize].options;
        options.iter().map(|to| (*to, 1.0 / options.len() as f64)).collect()
    }

    /// Computes the worth of all vertices, successors first.
    fn sweep_worths(&self, reply: &mut BestReplyInProgress) -> Result<(), SolveError> {
        for component in self.components {
            self.halt.check_not_cancelled()?;
            match component[..] {
                [alone] if self.places.successors(alone).all(|to| to != alone) => {
                    self.recompute_worth(alone, reply);
                }
                _ => self.iterate_loop_from_worst(component, reply),
            }
        }
        Ok(())
    }

    /// Iterates a loop from the end that is worst for the player, so that its worth is certain.
    fn iterate_loop_from_worst(
        &self,
        component: &[NextRollOrState],
        reply: &mut BestReplyInProgress,
    ) {
        let [low, high] = self.goal.range;
        let worst = if reply.player == MaximizerOrMinimizer::High { low } else { high };
        for place in component {
            reply.worths[self.places.index_of(*place)] = worst;
        }
        for _ in 0..MAX_REPLY_ROUNDS {
            let changes = component.iter().map(|place| self.recompute_worth(*place, reply));
            if changes.fold(0.0, f64::max) <= CONVERGED_CHANGE * self.goal.range_width() {
                break;
            }
        }
    }

    /// Sets the worth of a vertex, and returns its change.
    fn recompute_worth(&self, place: NextRollOrState, reply: &mut BestReplyInProgress) -> f64 {
        let Some(worth) = self.worth_from_successors(place, reply) else { return 0.0 };
        let known = &mut reply.worths[self.places.index_of(place)];
        let change = (worth - *known).abs();
        *known = worth;
        change
    }

    /// Computes the worth of a vertex from those of its successors; `None` at an ending.
    fn worth_from_successors(
        &self,
        place: NextRollOrState,
        reply: &BestReplyInProgress,
    ) -> Option<f64> {
        let worth = |to: &NextRollOrState| reply.worths[self.places.index_of(*to)];
        let mean = |shares: &TargetShares| shares.iter().map(|(to, share)| worth(to) * share).sum();
        let NextRollOrState::Choice(number) = place else {
            let shares = targets_by_chance(self.transitions, place);
            return (!shares.is_empty()).then(|| mean(&shares));
        };
        if self.side_of(number) != reply.player {
            return Some(mean(&self.drawn[number as usize]));
        }
        let options = &self.transitions.choices[number as usize].options;
        if let Some(view) = reply.view_of.get(&number) {
            return Some(worth(&options[reply.taken[*view]]));
        }
        let worths = options.iter().map(worth);
        Some(match reply.player {
            MaximizerOrMinimizer::High => worths.fold(f64::NEG_INFINITY, f64::max),
            MaximizerOrMinimizer::Low => worths.fold(f64::INFINITY, f64::min),
        })
    }

    /// Takes the best option of every view of several choices. Returns whether any is another.
    fn improve_views(&self, reply: &mut BestReplyInProgress, reach: &[f64]) -> bool {
        let mut is_changed = false;
        for at in 0..reply.views.len() {
            let totals = self.option_totals(&reply.views[at], reply, reach);
            let sign = if reply.player == MaximizerOrMinimizer::High { 1.0 } else { -1.0 };
            let best = (0..totals.len())
                .max_by(|a, b| (sign * totals[*a]).total_cmp(&(sign * totals[*b])))
                .unwrap_or(0);
            if sign * (totals[best] - totals[reply.taken[at]])
                > LEAST_GAIN * self.goal.range_width()
            {
                reply.taken[at] = best;
                is_changed = true;
            }
        }
        is_changed
    }

    /// Sums the worth of each option over the choices of a view, as often as a trial comes there.
    fn option_totals(&self, view: &[u32], reply: &BestReplyInProgress, reach: &[f64]) -> Vec<f64> {
        let options = |choice: u32| &self.transitions.choices[choice as usize].options;
        let fewest = view.iter().map(|choice| options(*choice).len()).min().unwrap_or(0);
        let total = |option: usize| {
            let parts = view.iter().map(|choice| {
                let worth = reply.worths[self.places.index_of(options(*choice)[option])];
                reach[self.places.index_of(NextRollOrState::Choice(*choice))] * worth
            });
            parts.sum()
        };
        (0..fewest).map(total).collect()
    }
}

/// Returns the targets of the options of a choice, with the shares that its dice draw.
fn drawn_targets_with_shares(transitions: &TransitionSystem, choice: usize) -> TargetShares {
    let choice = &transitions.choices[choice];
    let mut open = vec![(choice.target_of_chosen(), 1.0)];
    let mut drawn = TargetShares::new();
    while let Some((to, share)) = open.pop() {
        match to {
            NextRollOrState::Die(_)
                if choice.mixture.is_some() && !choice.options.contains(&to) =>
            {
                let faces = targets_by_chance(transitions, to).into_iter();
                open.extend(faces.map(|(next, part)| (next, part * share)));
            }
            _ => drawn.push((to, share)),
        }
    }
    drawn
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::solve_decisions::raid_by_hand::{LOST, gain_over, raid, with_best_mixtures};

    fn mixed() -> TransitionSystem {
        with_best_mixtures(raid(LOST))
    }

    fn gain(solved: &TransitionSystem, value: f64) -> f64 {
        gain_over(solved, &raid(LOST), value)
    }

    #[test]
    fn nobody_gains_against_the_best_mixtures() {
        assert!(gain(&mixed(), 8.0 / 15.0).abs() < 1e-12);
        // A value that is 1/10 off either way.
        assert!((gain(&mixed(), 8.0 / 15.0 - 0.1) - 0.1).abs() < 1e-12);
        assert!((gain(&mixed(), 8.0 / 15.0 + 0.1) - 0.1).abs() < 1e-12);
    }

    #[test]
    fn a_player_who_always_does_the_same_is_answered() {
        // Against the road alone the guard waits there: 1/3 is won.
        let mut plain = mixed();
        plain.choices[2].mixture = None;
        assert!((gain(&plain, 8.0 / 15.0) - (8.0 / 15.0 - 1.0 / 3.0)).abs() < 1e-12);
        // Against a guard of the road alone the raid takes the ford: 2/3.
        let mut plain = mixed();
        (plain.choices[0].mixture, plain.choices[1].mixture) = (None, None);
        assert!((gain(&plain, 8.0 / 15.0) - (2.0 / 3.0 - 8.0 / 15.0)).abs() < 1e-12);
    }
}
