//! Decisions in a loop that may never end.
//!
//! An endless game is the worst result for every player who could have ended it. So the players
//! begin with a policy that reaches an end from everywhere, and keep options that gain nothing:
//! then every later policy ends too, because in a set that is never left nothing could have gained.
//! One player improves their options until nothing gains (Howard); of two players each policy is
//! answered best, and then improved (Hoffman and Karp).

mod decision_loop;
mod goal_value;

use std::cmp::Ordering;

use super::{DecisionGoals, DecisionSolver, GoalMeansAtVertex};
use crate::cancel::CancelToken;
use crate::error::SolveError;
use crate::graph::explore::NextRollOrState;
use crate::graph::fraction::Fraction;
use decision_loop::{LoopOfDecisions, LoopSpotOrOutside, OptionBySpot};
use enfilade_model::combat::{ChosenOptionWithMeans, MeanDirection};
use enfilade_model::error::RuleRuntimeError;
use enfilade_model::form::Fault;
use goal_value::GoalValueNumber;

/// Largest number of products of fractions for one loop; beyond it, numbers of 64 bits are used.
const MAX_FRACTION_PRODUCTS: usize = 1 << 20;

/// Largest number of improvements of one player.
const MAX_POLICY_CHANGES: usize = 10_000;

/// Largest number of rounds of value iteration, and the change below which it has converged.
const MAX_VALUE_ROUNDS: usize = 1_000_000;
const CONVERGED_CHANGE: f64 = 1e-13;

/// Player who wants the goal of a loop high, or low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::graph) enum MaximizerOrMinimizer {
    High,
    Low,
}

impl DecisionSolver<'_> {
    /// Solves the decisions of a loop, when all its other successors are solved.
    pub(super) fn solve_loop_with_decisions(
        &mut self,
        circle: &[NextRollOrState],
    ) -> Result<(), SolveError> {
        let ring = LoopOfDecisions::from_component(self, circle);
        let decisions: Vec<Option<u8>> = ring.spots.iter().map(|spot| spot.decision).collect();
        let endings = self.system.endings.iter().map(|(end, _)| end);
        let (goal, sides) =
            find_common_goal_and_deciders(&decisions, self.goals, endings, build_two_goals_error)?;
        let span = self.goal_range_width(goal);
        let game = LoopWithDeciders { ring: &ring, goal, sides: &sides, span, halt: self.halt };
        let Some(nearest) = ring.policy_towards_exit() else {
            return self.assign_zero_without_exit(circle, &ring);
        };
        let policy = match game
            .iterate_to_best_policy::<Fraction>(nearest.clone(), MAX_FRACTION_PRODUCTS)?
        {
            Some(policy) => Some(policy),
            None => game.iterate_to_best_policy::<f64>(nearest, usize::MAX)?,
        };
        let policy = policy.ok_or_else(loop_too_large_error)?;
        let goals = 0..self.goals.fields.len();
        let mut means = Vec::with_capacity(goals.len());
        for goal in goals {
            let exact = ring.compute_policy_worths::<Fraction>(
                &policy,
                goal,
                MAX_FRACTION_PRODUCTS,
                self.halt,
            )?;
            means.push(match exact {
                Some((found, _)) => found,
                None => {
                    let found =
                        ring.compute_policy_worths::<f64>(&policy, goal, usize::MAX, self.halt)?;
                    let (found, _) = found.ok_or_else(loop_too_large_error)?;
                    let span = self.goal_range_width(goal);
                    found.iter().map(|worth| worth.to_mean(span)).collect()
                }
            });
        }
        self.store_policy_means(circle, &ring, &policy, |spot| {
            means.iter().map(|of| of[spot].clone()).collect()
        });
        Ok(())
    }

    /// Returns the distance between the best and the worst ending of a goal.
    pub(super) fn goal_range_width(&self, goal: usize) -> f64 {
        let field = self.goals.fields[goal];
        let values =
            || self.system.endings.iter().map(|(end, _)| f64::from(field.value_of_ending(end)));
        let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        (most - least).max(1.0)
    }

    /// Assigns 0 to a loop without an exit, whatever is decided.
    fn assign_zero_without_exit(
        &mut self,
        circle: &[NextRollOrState],
        ring: &LoopOfDecisions,
    ) -> Result<(), SolveError> {
        let policy = vec![0; circle.len()];
        let nothing = self.goals.zero_goal_means();
        self.store_policy_means(circle, ring, &policy, |_| nothing.clone());
        Ok(())
    }

    fn store_policy_means(
        &mut self,
        circle: &[NextRollOrState],
        ring: &LoopOfDecisions,
        policy: &OptionBySpot,
        means: impl Fn(usize) -> GoalMeansAtVertex,
    ) {
        for (spot, &place) in circle.iter().enumerate() {
            if let NextRollOrState::Choice(choice) = place {
                let at = &self.system.choices[choice as usize];
                let (decision, option) = (at.decision, at.number_of_open_option_at(policy[spot]));
                let goal = self.goals.of[decision as usize];
                let worth = |to: LoopSpotOrOutside| match to {
                    LoopSpotOrOutside::Inside(spot) => means(spot as usize)[goal].to_f64(),
                    LoopSpotOrOutside::Out(out) => ring.outs[out as usize][goal].to_f64(),
                };
                let means = ring.spots[spot].edges.iter().map(|(to, _)| worth(*to));
                let means = self.fill_closed_options_with_nan(choice, means);
                self.decided[choice as usize] =
                    Some(ChosenOptionWithMeans { decision, option, means, shares: None });
            }
            self.means[self.places.index_of(place)] = Some(means(spot));
        }
    }
}

fn loop_too_large_error() -> RuleRuntimeError {
    let problem = "a loop with decisions may never end and is too large to be solved";
    let help = "reduce or bound the values that the loop remembers";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

/// Returns the single goal of several decisions, and the player who makes each. Two goals count as
/// one if they add up to the same number in every ending: then a player who wants the one high
/// wants the other low.
///
/// # Errors
/// What `refuse` returns for the first decision and one that has another goal.
pub(super) fn find_common_goal_and_deciders<'e>(
    decisions: &[Option<u8>],
    goals: &DecisionGoals<'_>,
    endings: impl Iterator<Item = &'e enfilade_model::combat::Ending> + Clone,
    refuse: fn(&DecisionGoals<'_>, u8, u8) -> RuleRuntimeError,
) -> Result<(usize, Vec<Option<MaximizerOrMinimizer>>), RuleRuntimeError> {
    let first = decisions.iter().copied().flatten().next().unwrap_or(0);
    let goal = goals.of[first as usize];
    let side = |decision: u8| {
        let own = goals.of[decision as usize];
        let (a, b) = (goals.fields[goal], goals.fields[own]);
        let sums = endings.clone().map(|end| [a, b].map(|of| i64::from(of.value_of_ending(end))));
        let mut sums = sums.map(|[a, b]| a + b);
        let one = sums.next();
        let opposed = own != goal;
        if opposed && !sums.all(|sum| Some(sum) == one) {
            return Err(refuse(goals, first, decision));
        }
        let high = goals.decisions[decision as usize].best == MeanDirection::Highest;
        Ok(if high != opposed { MaximizerOrMinimizer::High } else { MaximizerOrMinimizer::Low })
    };
    let of = |decision: &Option<u8>| decision.map(side).transpose();
    Ok((goal, decisions.iter().map(of).collect::<Result<_, _>>()?))
}

pub(super) fn build_two_goals_error(
    goals: &DecisionGoals<'_>,
    first: u8,
    second: u8,
) -> RuleRuntimeError {
    let describe = |decision: u8| {
        let decision = &goals.decisions[decision as usize];
        format!("`{}` ({})", decision.goal, decision.name)
    };
    let (first, second) = (describe(first), describe(second));
    let problem = format!(
        "the decisions of a loop that may never end have different goals: {first} and {second}"
    );
    let help = "let both decide about one `show`, one for highest, one for lowest; or count the rounds: \
         `for round in 1..60:`";
    RuleRuntimeError::new(Fault::new("", problem).with_help(help))
}

/// Loop with the players who decide in it.
struct LoopWithDeciders<'a> {
    ring: &'a LoopOfDecisions,
    goal: usize,
    sides: &'a [Option<MaximizerOrMinimizer>],
    span: f64,
    halt: &'a CancelToken,
}

impl LoopWithDeciders<'_> {
    /// Finds the policy of best play from one that ends. Returns `None` if it takes more than
    /// `most` products.
    fn iterate_to_best_policy<N: GoalValueNumber>(
        &self,
        mut policy: OptionBySpot,
        most: usize,
    ) -> Result<Option<OptionBySpot>, SolveError> {
        let mut worths = most;
        let two = [MaximizerOrMinimizer::High, MaximizerOrMinimizer::Low]
            .map(|side| self.sides.contains(&Some(side)))
            == [true; 2];
        for _ in 0..MAX_POLICY_CHANGES {
            let Some(values) = self.compute_worth_by_spot::<N>(&policy, &mut worths)? else {
                return Ok(None);
            };
            // Of two players the second answers first, as long as anything gains; then the first
            // improves once.
            if self.switch_to_better_options(&mut policy, &values, MaximizerOrMinimizer::Low)
                || self.switch_to_better_options(&mut policy, &values, MaximizerOrMinimizer::High)
            {
                continue;
            }
            self.take_first_of_equal_options(&mut policy, &values);
            if two && !self.can_neither_side_prevent_end(&policy) {
                self.check_endless_worth_irrelevant(&values)?;
            }
            return Ok(Some(policy));
        }
        Ok(None)
    }

    fn compute_worth_by_spot<N: GoalValueNumber>(
        &self,
        policy: &OptionBySpot,
        left: &mut usize,
    ) -> Result<Option<Vec<N>>, SolveError> {
        let worths = self.ring.compute_policy_worths::<N>(policy, self.goal, *left, self.halt)?;
        Ok(worths.map(|(values, products)| {
            *left = left.saturating_sub(products);
            values
        }))
    }

    fn worth_of_target<N: GoalValueNumber>(&self, values: &[N], to: LoopSpotOrOutside) -> N {
        match to {
            LoopSpotOrOutside::Inside(spot) => values[spot as usize].clone(),
            LoopSpotOrOutside::Out(out) => {
                N::from_fraction(&self.ring.outs[out as usize][self.goal])
            }
        }
    }

    /// Returns whether `one` is better for a side than `other`.
    fn is_better_for<N: GoalValueNumber>(
        &self,
        side: MaximizerOrMinimizer,
        one: &N,
        other: &N,
    ) -> bool {
        let wanted =
            if side == MaximizerOrMinimizer::High { Ordering::Greater } else { Ordering::Less };
        one.compare_with_tolerance(other, self.span) == wanted
    }

    /// Returns the first of the best options of a spot.
    fn best_option_and_worth<N: GoalValueNumber>(
        &self,
        spot: usize,
        side: MaximizerOrMinimizer,
        values: &[N],
    ) -> (usize, N) {
        let worth = |way: &(LoopSpotOrOutside, u8)| self.worth_of_target(values, way.0);
        let ways = &self.ring.spots[spot].edges;
        ways.iter().map(worth).enumerate().skip(1).fold(
            // A decision has options.
            (0, worth(&ways[0])),
            |best, next| if self.is_better_for(side, &next.1, &best.1) { next } else { best },
        )
    }

    /// Takes the options that gain. Returns whether any did.
    fn switch_to_better_options<N: GoalValueNumber>(
        &self,
        policy: &mut OptionBySpot,
        values: &[N],
        side: MaximizerOrMinimizer,
    ) -> bool {
        let mut any = false;
        for spot in (0..policy.len()).filter(|spot| self.sides[*spot] == Some(side)) {
            let (best, worth) = self.best_option_and_worth(spot, side, values);
            let policy_worth =
                self.worth_of_target(values, self.ring.spots[spot].edges[policy[spot]].0);
            if self.is_better_for(side, &worth, &policy_worth) {
                (policy[spot], any) = (best, true);
            }
        }
        any
    }

    /// Takes the first of the best options, except where the game would not end then: there the
    /// first of the best options that lead nearer to an end.
    fn take_first_of_equal_options<N: GoalValueNumber>(
        &self,
        policy: &mut OptionBySpot,
        values: &[N],
    ) {
        let mut best = vec![Vec::new(); policy.len()];
        for (spot, side) in self.sides.iter().enumerate() {
            let Some(side) = *side else { continue };
            let (_, top) = self.best_option_and_worth(spot, side, values);
            let ways = self.ring.spots[spot].edges.iter().enumerate();
            let equal = |(to, _): &(LoopSpotOrOutside, u8)| {
                self.worth_of_target(values, *to).compare_with_tolerance(&top, self.span)
                    == Ordering::Equal
            };
            best[spot] = ways.filter(|(_, way)| equal(way)).map(|(at, _)| at).collect();
            policy[spot] = best[spot].first().copied().unwrap_or(policy[spot]);
        }
        self.ring.redirect_endless_spots(policy, &best);
    }

    /// Returns whether neither side alone could make the game endless, whatever it does, as long as
    /// the other follows the policy.
    fn can_neither_side_prevent_end(&self, policy: &OptionBySpot) -> bool {
        let free = |side: MaximizerOrMinimizer| move |spot: usize| self.sides[spot] == Some(side);
        self.ring.always_ends_against_opponent(policy, free(MaximizerOrMinimizer::High))
            && self.ring.always_ends_against_opponent(policy, free(MaximizerOrMinimizer::Low))
    }

    /// Checks that the value of best play does not depend on the worth of an endless game: iterates
    /// from the least and from the greatest of all endings.
    fn check_endless_worth_irrelevant<N: GoalValueNumber>(
        &self,
        values: &[N],
    ) -> Result<(), SolveError> {
        let outs = self.ring.outs.iter().map(|means| means[self.goal].to_f64());
        let least = outs.clone().fold(f64::INFINITY, f64::min);
        let most = outs.fold(f64::NEG_INFINITY, f64::max);
        let from = |worth: f64| self.iterate_values_to_convergence(vec![worth; values.len()]);
        let ends = [from(least)?, from(most)?];
        let near = |found: &[f64]| {
            let apart = |(a, b): (&f64, &N)| (a - b.to_f64()).abs();
            found.iter().zip(values).map(apart).fold(0.0, f64::max) <= 1e-9 * self.span
        };
        if ends.iter().all(|found| near(found)) {
            return Ok(());
        }
        let [low, high] = [&ends[0], &ends[1]].map(|found| found.last().copied().unwrap_or(0.0));
        let problem = format!(
            "the value of best play depends on the worth of a game without end: between {low:.4} and {high:.4}"
        );
        let help = "add a cost of waiting: count passes in a row, or rounds";
        Err(RuleRuntimeError::new(Fault::new("", problem).with_help(help)).into())
    }

    /// Iterates round by round until the values converge.
    fn iterate_values_to_convergence(&self, mut worths: Vec<f64>) -> Result<Vec<f64>, SolveError> {
        for _ in 0..MAX_VALUE_ROUNDS {
            self.halt.check_not_cancelled()?;
            let mut largest = 0.0f64;
            for (at, spot) in self.ring.spots.iter().enumerate() {
                let worth = match self.sides[at] {
                    Some(side) => self.best_option_and_worth(at, side, &worths).1,
                    None => {
                        let parts = spot.edges.iter();
                        let part = |(to, faces): &(LoopSpotOrOutside, u8)| {
                            self.worth_of_target(&worths, *to) * f64::from(*faces)
                        };
                        parts.map(part).sum::<f64>() / f64::from(spot.sides)
                    }
                };
                largest = largest.max((worth - worths[at]).abs());
                worths[at] = worth;
            }
            if largest <= CONVERGED_CHANGE * self.span {
                break;
            }
        }
        Ok(worths)
    }
}

#[cfg(test)]
#[path = "../../../../tests/by_hand/waiting_games.rs"]
mod waiting_games;
