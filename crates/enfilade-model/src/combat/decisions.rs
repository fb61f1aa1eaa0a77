//! Player decisions: their declarations, and the policy that was solved for them.
//!
//! A rule requests a decision like a die, by [`Dice::choose`]. The best option depends on
//! everything that may come after, so the solver finds it with the die graph and stores it here, by
//! state. Playing one trial at a time looks it up.

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

use super::option_shares::OptionShares;
use crate::dice::Dice;
use crate::error::RuleRuntimeError;
use crate::form::{Fault, name_in_words};
use crate::state_hash::StateHasherBuilder;
use crate::static_or_shared::Text;

/// Decision that a rule leaves to a player.
///
/// ```
/// use enfilade_model::combat::{MeanDirection, Decision};
/// let greedy = Decision::new("roll again?", "points", MeanDirection::Highest).with_option("keep").with_option("roll");
/// assert_eq!(greedy.options.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// Name of the decision: `roll again?`.
    pub name: Text,
    /// Place of the decision in its rulebook: `line 12`; empty where there is none.
    pub place: Text,
    /// Outcome field whose mean is the player's goal.
    pub goal: Text,
    /// Direction of the goal.
    pub best: MeanDirection,
    /// Options, numbered from 1. The first of the best ones is taken.
    pub options: Vec<Text>,
    /// Names of the variables that the player does not see.
    pub hidden: Vec<Text>,
}

/// Direction in which a mean is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeanDirection {
    /// The highest mean is best.
    Highest,
    /// The lowest mean is best.
    Lowest,
}

impl fmt::Display for MeanDirection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MeanDirection::Highest => "highest",
            MeanDirection::Lowest => "lowest",
        })
    }
}

impl Decision {
    /// Creates a decision about the mean of the outcome field `goal`, without options.
    pub fn new(name: impl Into<Text>, goal: impl Into<Text>, best: MeanDirection) -> Decision {
        Decision {
            name: name.into(),
            place: Text::from(""),
            goal: goal.into(),
            best,
            options: Vec::new(),
            hidden: Vec::new(),
        }
    }

    /// Sets the place in the rulebook.
    #[must_use]
    pub fn with_rulebook_place(self, place: impl Into<Text>) -> Decision {
        Decision { place: place.into(), ..self }
    }

    /// Adds an option.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<Text>) -> Decision {
        self.options.push(name.into());
        self
    }

    /// Describes the taken option; `None` if it is not one of the options.
    fn explain_chosen_option(&self, chosen: &ChosenOptionWithMeans) -> Option<ExplainedDecision> {
        let named = self.options.iter().cloned().zip(chosen.means.iter().copied());
        let open = named.filter(|(_, mean)| !mean.is_nan());
        let option = usize::from(chosen.option).checked_sub(1)?;
        Some(ExplainedDecision {
            decision: self.clone(),
            option: self.options.get(option)?.clone(),
            means: open.collect(),
            shares: chosen.shares.clone(),
        })
    }
}

/// Option that was taken, with the means of all options.
#[derive(Clone, Debug, PartialEq)]
pub struct ChosenOptionWithMeans {
    /// Index of the decision.
    pub decision: u8,
    /// Option, from 1.
    pub option: u8,
    /// Mean of the goal for each option; not a number for one that is closed.
    pub means: Box<[f64]>,
    /// Shares of the options, if the choice must not be foreseen: then `option` has the largest.
    pub shares: Option<Arc<OptionShares>>,
}

/// Options taken in a step from each state, in order, with the number of the state.
pub type ChosenOptionsByState = Vec<(u32, Box<[ChosenOptionWithMeans]>)>;

/// Decision with the option taken, for explanations.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExplainedDecision {
    /// Decision that was made.
    pub decision: Decision,
    /// Option that was taken.
    pub option: Text,
    /// Open options, each with its mean of the goal.
    pub means: Vec<(Text, f64)>,
    /// Shares of the options, if the choice must not be foreseen.
    pub shares: Option<Arc<OptionShares>>,
}

impl fmt::Display for ExplainedDecision {
    /// Formats as `roll again? keep: mean points 4 against 3.5 (roll)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Decision { name, goal, .. } = &self.decision;
        if let Some(shares) = &self.shares {
            return write!(
                f,
                "{name}, unseen: {}, as in {}",
                self.option,
                self.format_share_in_random_choice(shares)
            );
        }
        write!(f, "{name} {}", self.option)?;
        let (own, others): (Vec<_>, Vec<_>) =
            self.means.iter().partition(|(option, _)| *option == self.option);
        if let Some((_, mean)) = own.first() {
            write!(f, ": mean {} {}", name_in_words(goal), format_mean(*mean))?;
        }
        for (place, (option, mean)) in others.iter().enumerate() {
            let between = if place == 0 { " against" } else { "," };
            write!(f, "{between} {} ({option})", format_mean(*mean))?;
        }
        Ok(())
    }
}

/// Largest number of parts of a share that is written in whole numbers.
const MAX_WHOLE_NUMBER_PARTS: u64 = 1000;

impl ExplainedDecision {
    /// Formats the share of the option taken: `2 of 5`, or `33.3333 %`.
    fn format_share_in_random_choice(&self, shares: &OptionShares) -> String {
        let at = self.decision.options.iter().position(|option| *option == self.option);
        let option = at.map_or(0, |at| at as u8 + 1);
        match shares.total_part_count() {
            all @ ..=MAX_WHOLE_NUMBER_PARTS => {
                format!("{} of {all}", shares.parts_of_option(option))
            }
            _ => format!("{} %", format_mean(100.0 * shares.share_of_option(option))),
        }
    }
}

/// Formats a mean with four decimals, without zeros at the end.
fn format_mean(mean: f64) -> String {
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
pub struct SolvedPolicy<S>(OnceLock<HashMap<S, Box<[ChosenOptionWithMeans]>, StateHasherBuilder>>);

impl<S> Default for SolvedPolicy<S> {
    fn default() -> Self {
        SolvedPolicy(OnceLock::new())
    }
}

impl<S: Eq + Hash> SolvedPolicy<S> {
    /// Stores the solved options. A second solution is the same and is ignored.
    #[doc(hidden)]
    pub fn store_solved_options(
        &self,
        options: impl Iterator<Item = (S, Box<[ChosenOptionWithMeans]>)>,
    ) {
        self.0.get_or_init(|| options.collect());
    }

    /// Returns the options taken in a step from `state`, in order; empty if none were solved.
    #[doc(hidden)]
    pub fn chosen_options_in(&self, state: &S) -> &[ChosenOptionWithMeans] {
        let found = self.0.get().and_then(|known| known.get(state));
        found.map_or(&[], |options| options)
    }
}

/// Dice that also answer a combat's decisions.
#[derive(Debug)]
#[doc(hidden)]
pub struct DiceAnsweringDecisions<'a, D> {
    dice: D,
    options: &'a [ChosenOptionWithMeans],
    answered_count: usize,
    /// Option that was drawn last by its share; 0 before.
    drawn: u8,
    has_strayed: bool,
}

impl<'a, D: Dice> DiceAnsweringDecisions<'a, D> {
    #[doc(hidden)]
    pub fn new(dice: D) -> Self {
        DiceAnsweringDecisions {
            dice,
            options: &[],
            answered_count: 0,
            drawn: 0,
            has_strayed: false,
        }
    }

    /// Starts a step with these decisions.
    #[doc(hidden)]
    pub fn start_step_with_options(&mut self, options: &'a [ChosenOptionWithMeans]) {
        (self.options, self.answered_count) = (options, 0);
    }

    /// Returns the inner dice.
    pub(crate) fn inner_dice_mut(&mut self) -> &mut D {
        &mut self.dice
    }

    /// Describes the decisions since the step began.
    #[doc(hidden)]
    pub fn explain_step_decisions(&self, decisions: &[Decision]) -> Vec<ExplainedDecision> {
        let options = &self.options[..self.answered_count];
        let describe = |chosen: &ChosenOptionWithMeans| {
            let option = if chosen.shares.is_some() { self.drawn } else { chosen.option };
            let decision = decisions.get(usize::from(chosen.decision))?;
            decision.explain_chosen_option(&ChosenOptionWithMeans { option, ..chosen.clone() })
        };
        options.iter().filter_map(describe).collect()
    }

    /// Returns the fault to report when the rule requested a decision that has not been solved.
    #[doc(hidden)]
    pub fn unsolved_decision_error(&self) -> Option<RuleRuntimeError> {
        let problem = "a player must decide something for which no best option has been solved";
        let fault = Fault::new("", problem).with_help(
            "compile the contest before it is played, and request a decision from nothing but the \
             state, before the first die of a step",
        );
        self.has_strayed.then(|| RuleRuntimeError::new(fault))
    }
}

impl<D: Dice> Dice for DiceAnsweringDecisions<'_, D> {
    fn die(&mut self, sides: u8) -> u8 {
        self.dice.die(sides)
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        match self.options.get(self.answered_count) {
            Some(chosen) if chosen.decision == decision && chosen.option <= options => {
                self.answered_count += 1;
                let Some(shares) = &chosen.shares else { return chosen.option };
                let dice = &mut self.dice;
                self.drawn = shares.roll_option(|sides| dice.option_draw_die(sides)).min(options);
                self.drawn
            }
            _ => {
                // Any valid option lets the step end; the fault is read afterwards.
                self.has_strayed = true;
                1
            }
        }
    }

    fn option_draw_die(&mut self, sides: u8) -> u8 {
        self.dice.option_draw_die(sides)
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.dice.tally(counter, amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::{RecordingDice, ScriptedDice};

    fn taken(decision: u8, option: u8) -> ChosenOptionWithMeans {
        let means = [4.0, 3.5].into();
        ChosenOptionWithMeans { decision, option, means, shares: None }
    }

    #[test]
    fn decisions_are_taken_in_order_and_told() {
        let again = Decision::new("again?", "points", MeanDirection::Highest)
            .with_option("keep")
            .with_option("roll");
        let step = [taken(0, 1)];
        let mut dice = DiceAnsweringDecisions::new(ScriptedDice::new(&[3]));
        dice.start_step_with_options(&step);
        assert_eq!((dice.choose(0, 2), dice.die(6), dice.unsolved_decision_error()), (1, 3, None));
        let told: Vec<_> =
            dice.explain_step_decisions(&[again]).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["again? keep: mean points 4 against 3.5 (roll)"]);
        assert_eq!(dice.choose(0, 2), 1);
        assert!(dice.unsolved_decision_error().is_some());
    }

    #[test]
    fn a_choice_by_shares_is_drawn_and_told_with_its_share() {
        let guard = Decision::new("the guard", "won", MeanDirection::Lowest)
            .with_option("road")
            .with_option("ford");
        let shares = OptionShares::from_parts(&[3, 2]).map(Arc::new);
        let step = [ChosenOptionWithMeans { shares, ..taken(0, 1) }];
        let mut dice = DiceAnsweringDecisions::new(RecordingDice::new(ScriptedDice::new(&[4])));
        dice.start_step_with_options(&step);
        assert_eq!((dice.choose(0, 2), dice.unsolved_decision_error()), (2, None));
        let told: Vec<_> =
            dice.explain_step_decisions(&[guard]).iter().map(ToString::to_string).collect();
        assert_eq!(told, ["the guard, unseen: ford, as in 2 of 5"]);
        // Nobody at the table rolls the die of a choice.
        assert_eq!(dice.inner_dice_mut().drain_rolled_dice(), []);
    }

    #[test]
    fn numbers_are_rounded_for_the_eye() {
        assert_eq!([3.0, 2.0 / 3.0, -0.00001].map(format_mean), ["3", "0.6667", "0"]);
    }
}
