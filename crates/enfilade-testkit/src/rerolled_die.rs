//! A die with decisions: a rule small enough for means by hand, and with every mistake that a rule
//! can make.

use enfilade_model::combat::{
    AnyCombat, Combat, Decision, MeanDirection, Measure, OutcomeField, OutcomeVocabulary,
};
use enfilade_model::dice::Dice;

/// A die that may be rolled again some times; its last face counts.
struct RerolledDie {
    sides: u8,
    rolls: u8,
    best: MeanDirection,
    mistake: RuleMistake,
}

/// A mistake in a rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleMistake {
    /// The rule is right.
    None,
    /// The rule decides after a die of the same step.
    Late,
    /// The rule asks for a decision that is not declared.
    Undeclared,
    /// The rule asks for three options of two.
    Options,
    /// The goal is no outcome field.
    Goal,
    /// The rule may go on for ever.
    Endless,
}

/// Rolls left, the face shown, and whether it stands.
type Hand = (u8, u8, bool);

impl Combat for RerolledDie {
    type State = Hand;
    type Outcome = u8;

    fn initial_state(&self) -> Hand {
        (self.rolls, 0, false)
    }

    fn play_one_step(&self, (left, face, _): Hand, dice: &mut impl Dice) -> Hand {
        let (decision, options) = match self.mistake {
            RuleMistake::Undeclared => (1, 2),
            RuleMistake::Options => (0, 3),
            _ => (0, 2),
        };
        if face > 0 && dice.choose(decision, options) == 1 {
            return (0, face, true);
        }
        let face = dice.die(self.sides);
        if self.mistake == RuleMistake::Late && dice.choose(0, 2) == 1 {
            return (0, face, true);
        }
        let left = if self.mistake == RuleMistake::Endless { left } else { left - 1 };
        (left, face, left == 0)
    }

    fn outcome_if_over(&self, &(_, face, stands): &Hand) -> Option<u8> {
        stands.then_some(face)
    }

    fn vocabulary(&self) -> OutcomeVocabulary<u8> {
        OutcomeVocabulary {
            fields: vec![OutcomeField::new("points", "the face", |&face| face.into())],
            measures: vec![Measure::mean("e_points", "the face", |&face| face.into())],
        }
    }

    fn decisions(&self) -> Vec<Decision> {
        let goal = if self.mistake == RuleMistake::Goal { "pints" } else { "points" };
        vec![Decision::new("again?", goal, self.best).with_option("keep").with_option("roll")]
    }
}

/// Returns a die of `sides` that may be rolled `rolls` times, for the `best` mean of its last face,
/// and in whose rule there is a mistake.
pub fn new_rerolled_die(
    sides: u8,
    rolls: u8,
    best: MeanDirection,
    mistake: RuleMistake,
) -> AnyCombat {
    AnyCombat::new(RerolledDie { sides, rolls, best, mistake })
}
