//! A combat as its rulebook defines it.

use std::hash::Hash;

use super::decisions::{Decision, ExplainedDecision};
use super::ending::FieldChange;
use super::vocabulary::OutcomeVocabulary;
use crate::dice::{Dice, RolledDie};

/// Number of counts in the effect of a copy.
pub const COPY_EFFECT_COUNTS: usize = 4;

/// Effect of copies: counts that add up.
pub type CopyEffectCounts = [u16; COPY_EFFECT_COUNTS];

/// Combat that consists of independent copies of a part.
///
/// Each copy adds an effect with the same distribution, in whatever order the copies are played and
/// whatever the others have done. The outcome of the whole depends only on the sum. Each copy
/// tallies in the same way. Copies have no decisions.
#[derive(Debug)]
pub struct IndependentCopies<C: Combat> {
    /// Combat of a single copy.
    pub one: C,
    /// Number of copies.
    pub count: u32,
    /// Effect of the outcome of one copy.
    pub effect: fn(&C::Outcome) -> CopyEffectCounts,
    /// Largest counts that matter: each stops here, such as at the points of a target.
    pub most: CopyEffectCounts,
}

/// Rule of one combat: the states that it passes through, the dice that it rolls, and its outcome.
///
/// Parameters are in `self`, history is in [`Combat::State`]. A habit of a player is a field of
/// `self`, and a choice of the best option is a [decision](Combat::decisions). One
/// [`play_one_step`](Combat::play_one_step) is one roll or one attack as the rulebook numbers it: a
/// handful of dice, after which the next state is returned.
///
/// ```
/// use enfilade_model::combat::{Combat, Measure, OutcomeField, OutcomeVocabulary};
/// use enfilade_model::dice::{Dice, ScriptedDice};
///
/// /// Shots until the first hit on `needed` or more, at most `ammunition`.
/// struct FirstHit { needed: u8, ammunition: u8 }
///
/// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
/// struct Fired { shots: u8, hit: bool }
///
/// impl Combat for FirstHit {
///     type State = Fired;
///     type Outcome = Fired;
///     fn initial_state(&self) -> Fired { Fired { shots: 0, hit: false } }
///     fn play_one_step(&self, state: Fired, dice: &mut impl Dice) -> Fired {
///         Fired { shots: state.shots + 1, hit: dice.die(6) >= self.needed }
///     }
///     fn outcome_if_over(&self, state: &Fired) -> Option<Fired> {
///         (state.hit || state.shots == self.ammunition).then_some(*state)
///     }
///     fn vocabulary(&self) -> OutcomeVocabulary<Fired> {
///         OutcomeVocabulary {
///             fields: vec![OutcomeField::new("shots", "shots fired", |o| o.shots.into())],
///             measures: vec![Measure::probability("p_hit", "a shot hits", |o| o.hit)],
///         }
///     }
/// }
///
/// let mut dice = ScriptedDice::new(&[2, 5]);
/// let duel = FirstHit { needed: 5, ammunition: 3 };
/// let after = duel.play_one_step(duel.play_one_step(duel.initial_state(), &mut dice), &mut dice);
/// assert!(duel.outcome_if_over(&after).is_some_and(|o| o.hit && o.shots == 2));
/// ```
pub trait Combat: Send + Sync {
    /// History so far: only what changes the future or the outcome.
    type State: Copy + Ord + Hash + Send + Sync;
    /// Result of the question that the designer put.
    type Outcome: Copy + Ord + Hash;

    /// Returns the state before the first die.
    fn initial_state(&self) -> Self::State;

    /// Plays one step. Called only while [`outcome_if_over`](Combat::outcome_if_over) is `None`.
    ///
    /// The result may depend on nothing but `self`, `state`, the faces shown and the options taken.
    /// A step with a decision calls [`choose`](Dice::choose) before it rolls its first die, because
    /// the player knows only the state.
    fn play_one_step(&self, state: Self::State, dice: &mut impl Dice) -> Self::State;

    /// Returns the outcome, once the combat is over.
    fn outcome_if_over(&self, state: &Self::State) -> Option<Self::Outcome>;

    /// Returns the changes that a finished combat makes to the fields of its contest, so that
    /// another action can follow: all changes, or none if the rule does not define them.
    fn field_changes(&self, _state: &Self::State) -> Vec<FieldChange> {
        Vec::new()
    }

    /// Returns the fields of the outcome and the measures computed from it: declared here once,
    /// read by every engine and every report.
    fn vocabulary(&self) -> OutcomeVocabulary<Self::Outcome>;

    /// Returns the decisions of the players; [`choose`](Dice::choose) names them by their index.
    ///
    /// Each decision takes the option with the best mean of its goal, the first of equal ones,
    /// whichever player decides later and with whatever goal. In a loop that may go on for ever the
    /// players must have one goal, which one wants high and the other low; what never ends is the
    /// worst for every player who could have ended it.
    ///
    /// ```
    /// use enfilade_model::combat::{AnyCombat, MeanDirection, Combat, Decision, OutcomeField, OutcomeVocabulary};
    /// use enfilade_model::dice::Dice;
    ///
    /// /// A d6, which may be rolled once more; the second roll is final.
    /// struct Twice;
    ///
    /// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    /// enum Hand { Empty, First(u8), Last(u8) }
    ///
    /// impl Combat for Twice {
    ///     type State = Hand;
    ///     type Outcome = u8;
    ///     fn initial_state(&self) -> Hand { Hand::Empty }
    ///     fn play_one_step(&self, hand: Hand, dice: &mut impl Dice) -> Hand {
    ///         match hand {
    ///             Hand::First(face) if dice.choose(0, 2) == 1 => Hand::Last(face),
    ///             Hand::First(_) => Hand::Last(dice.die(6)),
    ///             _ => Hand::First(dice.die(6)),
    ///         }
    ///     }
    ///     fn outcome_if_over(&self, hand: &Hand) -> Option<u8> {
    ///         match hand { Hand::Last(face) => Some(*face), _ => None }
    ///     }
    ///     fn vocabulary(&self) -> OutcomeVocabulary<u8> {
    ///         OutcomeVocabulary {
    ///             fields: vec![OutcomeField::new("points", "the face kept", |&face| face.into())],
    ///             measures: vec![],
    ///         }
    ///     }
    ///     fn decisions(&self) -> Vec<Decision> {
    ///         vec![Decision::new("again?", "points", MeanDirection::Highest).with_option("keep").with_option("roll")]
    ///     }
    /// }
    ///
    /// // An engine finds that 4, 5 and 6 are kept: a 6 comes up with 1/6 at once, and with 1/2 · 1/6 later.
    /// assert_eq!(AnyCombat::new(Twice).decisions()[0].options, ["keep", "roll"]);
    /// ```
    fn decisions(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// Returns the progress of a state: a number that never falls from a state to its successor.
    ///
    /// Only the cost depends on this number. Where states are played [front by
    /// front](super::frontier), the states of the least progress go first and the others wait, so
    /// that equal states reached on different paths merge. Without this method, states after
    /// equally many steps go together.
    fn progress(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Returns the combat as independent copies whose effects add up, if it consists of copies and
    /// has too many to compile them one by one.
    fn as_independent_copies(&self) -> Option<IndependentCopies<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// Returns the outcome of [as_independent_copies](Combat::as_independent_copies) with this sum
    /// of effects.
    fn outcome_of_sum(&self, _sum: &CopyEffectCounts) -> Option<Self::Outcome> {
        None
    }

    /// Explains one step to a reader who has the rulebook at hand.
    fn explain_step(
        &self,
        _from: &Self::State,
        _rolls: &[RolledDie],
        _to: &Self::State,
    ) -> CombatStepExplanation {
        CombatStepExplanation::default()
    }
}

/// Explanation of one step of a combat.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct CombatStepExplanation {
    /// Description of the step, in one or a few sentences.
    pub text: String,
    /// Reference to the rulebook, such as `A7.303`.
    pub rule: String,
    /// Decisions of the players before the dice of the step.
    pub decided: Vec<ExplainedDecision>,
}

impl CombatStepExplanation {
    /// Creates an explanation with its rule reference.
    pub fn new(rule: impl Into<String>, text: impl Into<String>) -> Self {
        CombatStepExplanation { text: text.into(), rule: rule.into(), decided: Vec::new() }
    }
}
