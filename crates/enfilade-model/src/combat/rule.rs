//! A combat as its rulebook tells it.

use std::hash::Hash;

use super::decisions::{Decided, Decision};
use super::ending::Later;
use super::vocabulary::Vocabulary;
use crate::dice::{Dice, Roll};

/// Counts that the effect of a copy may have.
pub const COUNTS: usize = 4;

/// What copies have done together: counts that add up.
pub type Effect = [u16; COUNTS];

/// A combat as independent copies of a part.
///
/// Whatever order the copies are played in, and whatever the others have done, each adds an effect
/// that follows the same law; and the outcome of the whole depends on nothing but their sum. What is
/// tallied is tallied by each of them alike. Nobody decides anything in them.
#[derive(Debug)]
pub struct Copies<C: Combat> {
    /// One copy on its own.
    pub one: C,
    /// How many there are.
    pub count: u32,
    /// What the outcome of one copy adds.
    pub effect: fn(&C::Outcome) -> Effect,
    /// How far the counts matter: each stops here, such as at the points a target has.
    pub most: Effect,
}

/// A combat as its rulebook tells it.
///
/// Parameters live in `self`, history in [`Combat::State`]; what a player has made a habit of is a
/// field of `self`, and what he decides as it is best is [asked for](Combat::decisions). One [`step`](Combat::step) is one roll or one attack as the rulebook
/// numbers it: a handful of dice, after which the state is handed on.
///
/// ```
/// use enfilade_model::combat::{Combat, Measure, OutcomeField, Vocabulary};
/// use enfilade_model::dice::{Dice, Scripted};
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
///     fn open(&self) -> Fired { Fired { shots: 0, hit: false } }
///     fn step(&self, state: Fired, dice: &mut impl Dice) -> Fired {
///         Fired { shots: state.shots + 1, hit: dice.die(6) >= self.needed }
///     }
///     fn outcome(&self, state: &Fired) -> Option<Fired> {
///         (state.hit || state.shots == self.ammunition).then_some(*state)
///     }
///     fn vocabulary(&self) -> Vocabulary<Fired> {
///         Vocabulary {
///             fields: vec![OutcomeField::new("shots", "shots fired", |o| o.shots.into())],
///             measures: vec![Measure::probability("p_hit", "a shot hits", |o| o.hit)],
///         }
///     }
/// }
///
/// let mut dice = Scripted::new(&[2, 5]);
/// let duel = FirstHit { needed: 5, ammunition: 3 };
/// let after = duel.step(duel.step(duel.open(), &mut dice), &mut dice);
/// assert!(duel.outcome(&after).is_some_and(|o| o.hit && o.shots == 2));
/// ```
pub trait Combat: Send + Sync {
    /// What has happened so far: only what changes the future or the outcome.
    type State: Copy + Ord + Hash + Send + Sync;
    /// What the designer asked about.
    type Outcome: Copy + Ord + Hash;

    /// The state before the first die.
    fn open(&self) -> Self::State;

    /// Plays one step. Called only while [`outcome`](Combat::outcome) is `None`.
    ///
    /// The result may depend on nothing but `self`, `state`, the faces shown and the options taken. A
    /// step that lets a player decide asks for that before it rolls its first die: what he knows is
    /// the state.
    fn step(&self, state: Self::State, dice: &mut impl Dice) -> Self::State;

    /// The outcome, once the combat is over.
    fn outcome(&self, state: &Self::State) -> Option<Self::Outcome>;

    /// What a combat that is over leaves of the fields of its contest, so that another can go on from there: all
    /// that it changes, and nothing where that is not said.
    fn left(&self, _state: &Self::State) -> Vec<Later> {
        Vec::new()
    }

    /// The fields of the outcome and the measures computed from it: declared here once, read by
    /// every engine and every report.
    fn vocabulary(&self) -> Vocabulary<Self::Outcome>;

    /// What the rule leaves to the players: [`choose`](Dice::choose) asks for these by their place.
    ///
    /// Each takes the option from which the mean of its goal is best, the first of the best, whoever
    /// decides later and with whatever goal. A decision may not stand in a loop that may go on for
    /// ever.
    ///
    /// ```
    /// use enfilade_model::combat::{AnyCombat, Best, Combat, Decision, OutcomeField, Vocabulary};
    /// use enfilade_model::dice::Dice;
    ///
    /// /// A d6, which may be rolled once more; the second roll stands.
    /// struct Twice;
    ///
    /// #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    /// enum Hand { Empty, First(u8), Last(u8) }
    ///
    /// impl Combat for Twice {
    ///     type State = Hand;
    ///     type Outcome = u8;
    ///     fn open(&self) -> Hand { Hand::Empty }
    ///     fn step(&self, hand: Hand, dice: &mut impl Dice) -> Hand {
    ///         match hand {
    ///             Hand::First(face) if dice.choose(0, 2) == 1 => Hand::Last(face),
    ///             Hand::First(_) => Hand::Last(dice.die(6)),
    ///             _ => Hand::First(dice.die(6)),
    ///         }
    ///     }
    ///     fn outcome(&self, hand: &Hand) -> Option<u8> {
    ///         match hand { Hand::Last(face) => Some(*face), _ => None }
    ///     }
    ///     fn vocabulary(&self) -> Vocabulary<u8> {
    ///         Vocabulary {
    ///             fields: vec![OutcomeField::new("points", "the face kept", |&face| face.into())],
    ///             measures: vec![],
    ///         }
    ///     }
    ///     fn decisions(&self) -> Vec<Decision> {
    ///         vec![Decision::new("again?", "points", Best::Highest).option("keep").option("roll")]
    ///     }
    /// }
    ///
    /// // An engine finds that 4, 5 and 6 are kept: a 6 comes up with 1/6 at once, and with 1/2 · 1/6 later.
    /// assert_eq!(AnyCombat::new(Twice).decisions()[0].options, ["keep", "roll"]);
    /// ```
    fn decisions(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// How far it has come in a state: a number that does not fall from one state to the next.
    ///
    /// Nothing depends on it but work. Where states are played [front by front](super::frontier), those of the
    /// least headway go first and the others wait, so that what is the same by different ways is
    /// met once. Without a word of it whatever takes equally many steps goes together.
    fn headway(&self, _state: &Self::State) -> u32 {
        0
    }

    /// The combat as independent copies whose effects add up, if it is that and has so many that
    /// they are better not compiled one by one.
    fn copies(&self) -> Option<Copies<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// The outcome of [copies](Combat::copies) that have done this together.
    fn together(&self, _sum: &Effect) -> Option<Self::Outcome> {
        None
    }

    /// Tells one step to a reader who has the rulebook at hand.
    fn explain(&self, _from: &Self::State, _rolls: &[Roll], _to: &Self::State) -> Explanation {
        Explanation::default()
    }
}

/// One step of a combat in words.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Explanation {
    /// What happened, in one or a few sentences.
    pub text: String,
    /// Where the rulebook says so, such as `A7.303`.
    pub rule: String,
    /// What the players decided before its dice were rolled.
    pub decided: Vec<Decided>,
}

impl Explanation {
    /// A step in words with its rule reference.
    pub fn new(rule: impl Into<String>, text: impl Into<String>) -> Self {
        Explanation { text: text.into(), rule: rule.into(), decided: Vec::new() }
    }
}
