//! Player decisions: their declarations, and the policy that was solved for them.
//!
//! A rule requests a decision like a die, by [`Dice::choose`]. The best option depends on
//! everything that may come after, so the solver finds it with the die graph and stores it here, by
//! state. Playing one trial at a time looks it up.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::OnceLock;

use crate::dice::Dice;
use crate::error::Mishap;
use crate::form::{Fault, in_words};
use crate::shared::Text;
use crate::state_hash::BuildPacked;

/// Decision that a rule leaves to a player.
///
/// ```
/// use enfilade_model::combat::{Best, Decision};
/// let greedy = Decision::new("roll again?", "points", Best::Highest).option("keep").option("roll");
/// assert_eq!(greedy.options.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Name of the decision: `roll again?`.
    pub name: Text,
    /// Outcome field whose mean is the player's goal.
    pub goal: Text,
    /// Direction of the goal.
    pub best: Best,
    /// Options, numbered from 1. The first of the best ones is taken.
    pub options: Vec<Text>,
}

/// Direction in which a mean is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    /// The highest mean is best.
    Highest,
    /// The lowest mean is best.
    Lowest,
}

impl fmt::Display for Best {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Best::Highest => "highest",
            Best::Lowest => "lowest",
        })
    }
}

impl Decision {
    /// Creates a decision about the mean of the outcome field `goal`, without options.
    pub fn new(name: impl Into<Text>, goal: impl Into<Text>, best: Best) -> Decision {
        Decision { name: name.into(), goal: goal.into(), best, options: Vec::new() }
    }

    /// Adds an option.
    #[must_use]
    pub fn option(mut self, name: impl Into<Text>) -> Decision {
        self.options.push(name.into());
        self
    }

    /// Describes the taken option; `None` if it is not one of the options.
    fn told(&self, taken: &Taken) -> Option<Decided> {
        let named = self.options.iter().cloned().zip(taken.means.iter().copied());
        let taken = usize::from(taken.option).checked_sub(1)?;
        Some(Decided {
            decision: self.clone(),
            option: self.options.get(taken)?.clone(),
            means: named.collect(),
        })
    }
}

/// Option that was taken, with the means of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct Taken {
    /// Index of the decision.
    pub decision: u8,
    /// Option, from 1.
    pub option: u8,
    /// Mean of the goal for each option.
    pub means: Box<[f64]>,
}

/// Options taken in a step from each state, in order, with the number of the state.
pub type TakenByState = Vec<(u32, Box<[Taken]>)>;

/// Decision with the option taken, for explanations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Decided {
    /// Decision that was made.
    pub decision: Decision,
    /// Option that was taken.
    pub option: Text,
    /// Options, each with its mean of the goal.
    pub means: Vec<(Text, f64)>,
}

impl fmt::Display for Decided {
    /// Formats as `roll again? keep: mean points 4 against 3.5 (roll)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decision { name, goal, .. } = &self.decision;
        write!(f, "{name} {}", self.option)?;
        let (own, others): (Vec<_>, Vec<_>) =
            self.means.iter().partition(|(option, _)| *option == self.option);
        if let Some((_, mean)) = own.first() {
            write!(f, ": mean {} {}", in_words(goal), rounded(*mean))?;
        }
        for (place, (option, mean)) in others.iter().enumerate() {
            let between = if place == 0 { " against" } else { "," };
            write!(f, "{between} {} ({option})", rounded(*mean))?;
        }
        Ok(())
    }
}

/// Formats a mean with four decimals, without zeros at the end.
fn rounded(mean: f64) -> String {
    let text = format!("{mean:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Options taken in each state of a combat, once they have been solved.
///
/// A step requests its decisions before its first die, so that the state contains everything that
/// the player knows. So the options taken in a step are a list, stored under the state from which
/// the step starts.
#[derive(Debug)]
#[doc(hidden)]
pub struct Policy<S>(OnceLock<HashMap<S, Box<[Taken]>, BuildPacked>>);

impl<S> Default for Policy<S> {
    fn default() -> Self {
        Policy(OnceLock::new())
    }
}

impl<S: Eq + Hash> Policy<S> {
    /// Stores the solved options. A second solution is the same and is ignored.
    #[doc(hidden)]
    pub fn keep(&self, found: impl Iterator<Item = (S, Box<[Taken]>)>) {
        self.0.get_or_init(|| found.collect());
    }

    /// Returns the options taken in a step from `state`, in order; empty if none were solved.
    #[doc(hidden)]
    pub fn of(&self, state: &S) -> &[Taken] {
        let found = self.0.get().and_then(|known| known.get(state));
        found.map_or(&[], |taken| taken)
    }
}

/// Dice that also answer a combat's decisions.
#[derive(Debug)]
#[doc(hidden)]
pub struct Guided<'a, D> {
    dice: D,
    taken: &'a [Taken],
    asked: usize,
    strayed: bool,
}

impl<'a, D: Dice> Guided<'a, D> {
    #[doc(hidden)]
    pub fn new(dice: D) -> Self {
        Guided { dice, taken: &[], asked: 0, strayed: false }
    }

    /// Starts a step with these decisions.
    #[doc(hidden)]
    pub fn begin(&mut self, taken: &'a [Taken]) {
        (self.taken, self.asked) = (taken, 0);
    }

    /// Returns the inner dice.
    pub(crate) fn dice(&mut self) -> &mut D {
        &mut self.dice
    }

    /// Describes the decisions since the step began.
    #[doc(hidden)]
    pub fn told(&self, decisions: &[Decision]) -> Vec<Decided> {
        let asked = &self.taken[..self.asked];
        let told = |taken: &Taken| decisions.get(usize::from(taken.decision))?.told(taken);
        asked.iter().filter_map(told).collect()
    }

    /// Returns the fault to report when the rule requested a decision that has not been solved.
    #[doc(hidden)]
    pub fn mishap(&self) -> Option<Mishap> {
        let problem = "a player must decide something for which no best option has been solved";
        let fault = Fault::new("", problem).help(
            "compile the contest before it is played, and request a decision from nothing but the \
             state, before the first die of a step",
        );
        self.strayed.then(|| Mishap::new(fault))
    }
}

impl<D: Dice> Dice for Guided<'_, D> {
    fn die(&mut self, sides: u8) -> u8 {
        self.dice.die(sides)
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        match self.taken.get(self.asked) {
            Some(taken) if taken.decision == decision && taken.option <= options => {
                self.asked += 1;
                taken.option
            }
            _ => {
                // Any valid option lets the step end; the fault is read afterwards.
                self.strayed = true;
                1
            }
        }
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.dice.tally(counter, amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Scripted;

    fn taken(decision: u8, option: u8) -> Taken {
        let means = [4.0, 3.5].into();
        Taken { decision, option, means }
    }

    #[test]
    fn decisions_are_taken_in_order_and_told() {
        let again = Decision::new("again?", "points", Best::Highest).option("keep").option("roll");
        let step = [taken(0, 1)];
        let mut dice = Guided::new(Scripted::new(&[3]));
        dice.begin(&step);
        assert_eq!((dice.choose(0, 2), dice.die(6), dice.mishap()), (1, 3, None));
        let told: Vec<_> = dice.told(&[again]).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["again? keep: mean points 4 against 3.5 (roll)"]);
        assert_eq!(dice.choose(0, 2), 1);
        assert!(dice.mishap().is_some());
    }

    #[test]
    fn numbers_are_rounded_for_the_eye() {
        assert_eq!([3.0, 2.0 / 3.0, -0.00001].map(rounded), ["3", "0.6667", "0"]);
    }
}
