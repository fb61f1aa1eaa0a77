//! Decisions in a loop that may never end.
//!
//! An endless game is the worst result for every player who could have ended it. So the players
//! begin with a policy that reaches an end from everywhere, and keep options that gain nothing:
//! then every later policy ends too, because in a set that is never left nothing could have gained.
//! One player improves their options until nothing gains (Howard); of two players each policy is
//! answered best, and then improved (Hoffman and Karp).

mod ring;
mod value;

use std::cmp::Ordering;

use super::{Goals, Means, Solving};
use crate::cancel::Halt;
use crate::graph::explore::Next;
use crate::graph::fraction::Fraction;
use enfilade_model::combat::{Best, Taken};
use enfilade_model::error::{Mishap, Unsolved};
use enfilade_model::form::Fault;
use ring::{Policy, Ring, To};
use value::Value;

/// Largest number of products of fractions for one loop; beyond it, numbers of 64 bits are used.
const MOST_PRODUCTS: usize = 1 << 20;

/// Largest number of improvements of one player.
const MOST_POLICIES: usize = 10_000;

/// Largest number of rounds of value iteration, and the change below which it has converged.
const MOST_ROUNDS: usize = 1_000_000;
const STILL: f64 = 1e-13;

/// Player who wants the goal of a loop high, or low.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    High,
    Low,
}

impl Solving<'_> {
    /// Solves the decisions of a loop, when all its other successors are solved.
    pub(super) fn in_ring(&mut self, circle: &[Next]) -> Result<(), Unsolved> {
        let ring = Ring::of(self, circle);
        let (goal, sides) = sides(&ring, self.goals, self.told.endings.iter().map(|(end, _)| end))?;
        let span = self.span(goal);
        let game = Game { ring: &ring, goal, sides: &sides, span, halt: self.halt };
        let Some(nearest) = ring.nearest() else {
            return self.never(circle, &ring);
        };
        let policy = match game.best::<Fraction>(nearest.clone(), MOST_PRODUCTS)? {
            Some(policy) => Some(policy),
            None => game.best::<f64>(nearest, usize::MAX)?,
        };
        let policy = policy.ok_or_else(too_large)?;
        let goals = 0..self.goals.fields.len();
        let mut means = Vec::with_capacity(goals.len());
        for goal in goals {
            let exact = ring.worths::<Fraction>(&policy, goal, MOST_PRODUCTS, self.halt)?;
            means.push(match exact {
                Some((found, _)) => found,
                None => {
                    let found = ring.worths::<f64>(&policy, goal, usize::MAX, self.halt)?;
                    let (found, _) = found.ok_or_else(too_large)?;
                    let span = self.span(goal);
                    found.iter().map(|worth| worth.to_mean(span)).collect()
                }
            });
        }
        self.keep(circle, &ring, &policy, |spot| means.iter().map(|of| of[spot].clone()).collect());
        Ok(())
    }

    /// Returns the distance between the best and the worst ending of a goal.
    fn span(&self, goal: usize) -> f64 {
        let field = self.goals.fields[goal];
        let values = || self.told.endings.iter().map(|(end, _)| f64::from(end.fields[field]));
        let (least, most) = (values().fold(0.0, f64::min), values().fold(0.0, f64::max));
        (most - least).max(1.0)
    }

    /// Assigns 0 to a loop without an exit, whatever is decided.
    fn never(&mut self, circle: &[Next], ring: &Ring) -> Result<(), Unsolved> {
        let policy = vec![0; circle.len()];
        let nothing = self.goals.nothing();
        self.keep(circle, ring, &policy, |_| nothing.clone());
        Ok(())
    }

    fn keep(
        &mut self,
        circle: &[Next],
        ring: &Ring,
        policy: &Policy,
        means: impl Fn(usize) -> Means,
    ) {
        for (spot, &place) in circle.iter().enumerate() {
            if let Next::Choice(choice) = place {
                let decision = self.told.choices[choice as usize].decision;
                let goal = self.goals.of[decision as usize];
                let worth = |to: To| match to {
                    To::Inside(spot) => means(spot as usize)[goal].to_f64(),
                    To::Out(out) => ring.outs[out as usize][goal].to_f64(),
                };
                self.decided[choice as usize] = Some(Taken {
                    decision,
                    option: policy[spot] as u8 + 1,
                    means: ring.spots[spot].ways.iter().map(|(to, _)| worth(*to)).collect(),
                });
            }
            self.means[self.places.number(place)] = Some(means(spot));
        }
    }
}

fn too_large() -> Mishap {
    let problem = "a loop with decisions may never end and is too large to be solved";
    let help = "reduce or bound the values that the loop remembers";
    Mishap::new(Fault::new("", problem).help(help))
}

/// Returns the single goal of a loop, and the player who decides at each spot. Two goals count as
/// one if they add up to the same number in every ending: then a player who wants the one high
/// wants the other low.
fn sides<'e>(
    ring: &Ring,
    goals: &Goals<'_>,
    endings: impl Iterator<Item = &'e enfilade_model::combat::Ending> + Clone,
) -> Result<(usize, Vec<Option<Side>>), Mishap> {
    let mut decisions = ring.spots.iter().filter_map(|spot| spot.decision);
    let first = decisions.next().unwrap_or(0);
    let goal = goals.of[first as usize];
    let side = |decision: u8| {
        let own = goals.of[decision as usize];
        let (a, b) = (goals.fields[goal], goals.fields[own]);
        let mut sums =
            endings.clone().map(|end| i64::from(end.fields[a]) + i64::from(end.fields[b]));
        let one = sums.next();
        let opposed = own != goal;
        if opposed && !sums.all(|sum| Some(sum) == one) {
            return Err(two_goals(goals, first, decision));
        }
        let high = goals.decisions[decision as usize].best == Best::Highest;
        Ok(if high != opposed { Side::High } else { Side::Low })
    };
    let of = |spot: &ring::Spot| spot.decision.map(side).transpose();
    Ok((goal, ring.spots.iter().map(of).collect::<Result<_, _>>()?))
}

fn two_goals(goals: &Goals<'_>, first: u8, second: u8) -> Mishap {
    let told = |decision: u8| {
        let decision = &goals.decisions[decision as usize];
        format!("`{}` ({})", decision.goal, decision.name)
    };
    let (first, second) = (told(first), told(second));
    let problem = format!(
        "the decisions of a loop that may never end have different goals: {first} and {second}"
    );
    let help = "let both decide about one `show`, one for highest, one for lowest; or count the rounds: \
         `for round in 1..60:`";
    Mishap::new(Fault::new("", problem).help(help))
}

/// Loop with the players who decide in it.
struct Game<'a> {
    ring: &'a Ring,
    goal: usize,
    sides: &'a [Option<Side>],
    span: f64,
    halt: &'a Halt,
}

impl Game<'_> {
    /// Finds the policy of best play from one that ends. Returns `None` if it takes more than
    /// `most` products.
    fn best<N: Value>(&self, mut policy: Policy, most: usize) -> Result<Option<Policy>, Unsolved> {
        let mut left = most;
        let two = [Side::High, Side::Low].map(|side| self.sides.contains(&Some(side))) == [true; 2];
        for _ in 0..MOST_POLICIES {
            let Some(values) = self.values::<N>(&policy, &mut left)? else {
                return Ok(None);
            };
            // Of two players the second answers first, as long as anything gains; then the first
            // improves once.
            if self.improved(&mut policy, &values, Side::Low)
                || self.improved(&mut policy, &values, Side::High)
            {
                continue;
            }
            self.settle(&mut policy, &values);
            if two && !self.surely_ends(&policy) {
                self.stands(&values)?;
            }
            return Ok(Some(policy));
        }
        Ok(None)
    }

    fn values<N: Value>(
        &self,
        policy: &Policy,
        left: &mut usize,
    ) -> Result<Option<Vec<N>>, Unsolved> {
        let found = self.ring.worths::<N>(policy, self.goal, *left, self.halt)?;
        Ok(found.map(|(values, products)| {
            *left = left.saturating_sub(products);
            values
        }))
    }

    fn worth<N: Value>(&self, values: &[N], to: To) -> N {
        match to {
            To::Inside(spot) => values[spot as usize].clone(),
            To::Out(out) => N::of_mean(&self.ring.outs[out as usize][self.goal]),
        }
    }

    /// Returns whether `one` is better for a side than `other`.
    fn gains<N: Value>(&self, side: Side, one: &N, other: &N) -> bool {
        let wanted = if side == Side::High { Ordering::Greater } else { Ordering::Less };
        one.order(other, self.span) == wanted
    }

    /// Returns the first of the best options of a spot.
    fn first_best<N: Value>(&self, spot: usize, side: Side, values: &[N]) -> (usize, N) {
        let worth = |way: &(To, u8)| self.worth(values, way.0);
        let mut worths = self.ring.spots[spot].ways.iter().map(worth).enumerate();
        let Some(first) = worths.next() else { unreachable!("a decision has options") };
        worths
            .fold(first, |best, next| if self.gains(side, &next.1, &best.1) { next } else { best })
    }

    /// Takes the options that gain. Returns whether any did.
    fn improved<N: Value>(&self, policy: &mut Policy, values: &[N], side: Side) -> bool {
        let mut any = false;
        for spot in (0..policy.len()).filter(|spot| self.sides[*spot] == Some(side)) {
            let (best, worth) = self.first_best(spot, side, values);
            let taken = self.worth(values, self.ring.spots[spot].ways[policy[spot]].0);
            if self.gains(side, &worth, &taken) {
                (policy[spot], any) = (best, true);
            }
        }
        any
    }

    /// Takes the first of the best options, except where the game would not end then: there the
    /// first of the best options that lead nearer to an end.
    fn settle<N: Value>(&self, policy: &mut Policy, values: &[N]) {
        let mut best = vec![Vec::new(); policy.len()];
        for (spot, side) in self.sides.iter().enumerate() {
            let Some(side) = *side else { continue };
            let (_, top) = self.first_best(spot, side, values);
            let ways = self.ring.spots[spot].ways.iter().enumerate();
            let equal = |(to, _): &(To, u8)| {
                self.worth(values, *to).order(&top, self.span) == Ordering::Equal
            };
            best[spot] = ways.filter(|(_, way)| equal(way)).map(|(at, _)| at).collect();
            policy[spot] = best[spot].first().copied().unwrap_or(policy[spot]);
        }
        self.ring.lead_out(policy, &best);
    }

    /// Returns whether neither side alone could make the game endless, whatever it does, as long as
    /// the other follows the policy.
    fn surely_ends(&self, policy: &Policy) -> bool {
        let free = |side: Side| move |spot: usize| self.sides[spot] == Some(side);
        self.ring.can_be_left(policy, free(Side::High))
            && self.ring.can_be_left(policy, free(Side::Low))
    }

    /// Checks that the value of best play does not depend on the worth of an endless game: iterates
    /// from the least and from the greatest of all endings.
    fn stands<N: Value>(&self, values: &[N]) -> Result<(), Unsolved> {
        let outs = self.ring.outs.iter().map(|means| means[self.goal].to_f64());
        let least = outs.clone().fold(f64::INFINITY, f64::min);
        let most = outs.fold(f64::NEG_INFINITY, f64::max);
        let from = |worth: f64| self.iterated(vec![worth; values.len()]);
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
        Err(Mishap::new(Fault::new("", problem).help(help)).into())
    }

    /// Iterates round by round until the values converge.
    fn iterated(&self, mut worths: Vec<f64>) -> Result<Vec<f64>, Unsolved> {
        for _ in 0..MOST_ROUNDS {
            self.halt.unless_asked()?;
            let mut moved = 0.0f64;
            for (at, spot) in self.ring.spots.iter().enumerate() {
                let worth = match self.sides[at] {
                    Some(side) => self.first_best(at, side, &worths).1,
                    None => {
                        let parts = spot.ways.iter();
                        let part =
                            |(to, faces): &(To, u8)| self.worth(&worths, *to) * f64::from(*faces);
                        parts.map(part).sum::<f64>() / f64::from(spot.sides)
                    }
                };
                moved = moved.max((worth - worths[at]).abs());
                worths[at] = worth;
            }
            if moved <= STILL * self.span {
                break;
            }
        }
        Ok(worths)
    }
}
