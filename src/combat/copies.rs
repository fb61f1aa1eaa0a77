//! Combats made of independent copies of a part whose effects add up.
//!
//! A hundred shots at one target are a hundred times the same few dice, and all that matters of
//! those rolled is what they add up to. A combat that [declares](crate::combat::Combat::copies) so
//! is compiled once for a single copy, not once per copy and sum. What it declares is believed by
//! the exact and the simulated engine; the played one plays the combat as its rule tells it, so that
//! a wrong declaration is seen where the three are compared.

use super::vocabulary::Number;
use super::{AnyCombat, Combat, Ending, Measure, MeasureKind, OutcomeField, Vocabulary};
use crate::dice::Dice;
use crate::shared::opaque;

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

/// [`Copies`] whose types are hidden, as the engines see them.
pub struct AnyCopies<'a> {
    /// One copy; the first [`COUNTS`] fields of its endings are its effect.
    pub one: AnyCombat,
    /// How many there are.
    pub count: u32,
    /// How far the counts matter.
    pub most: Effect,
    /// The ending of the whole for a sum of effects.
    pub together: Box<dyn Fn(&Effect) -> Ending + 'a>,
}

opaque!(AnyCopies<'_>);

impl<'a> AnyCopies<'a> {
    /// Hides the types of `copies`.
    pub fn new<C: Combat + 'static>(
        copies: Copies<C>,
        together: impl Fn(&Effect) -> Ending + 'a,
    ) -> Self {
        let (one, effect) = (copies.one, copies.effect);
        AnyCopies {
            one: AnyCombat::single(One { one, effect }),
            count: copies.count,
            most: copies.most,
            together: Box::new(together),
        }
    }

    /// The effect of a copy that ended so.
    pub fn effect(ending: &Ending) -> Effect {
        std::array::from_fn(|i| ending.fields[i] as u16)
    }

    /// Two effects together, as far as they matter.
    pub fn add(&self, a: Effect, b: Effect) -> Effect {
        std::array::from_fn(|i| a[i].saturating_add(b[i]).min(self.most[i]))
    }
}

/// One copy, whose outcome is its effect.
struct One<C: Combat> {
    one: C,
    effect: fn(&C::Outcome) -> Effect,
}

impl<C: Combat> Combat for One<C> {
    type State = C::State;
    type Outcome = Effect;

    fn open(&self) -> C::State {
        self.one.open()
    }

    fn step(&self, state: C::State, dice: &mut impl Dice) -> C::State {
        self.one.step(state, dice)
    }

    fn headway(&self, state: &C::State) -> u32 {
        self.one.headway(state)
    }

    fn outcome(&self, state: &C::State) -> Option<Effect> {
        let outcome = self.one.outcome(state)?;
        Some((self.effect)(&outcome))
    }

    fn vocabulary(&self) -> Vocabulary<Effect> {
        let count = OutcomeField::new;
        let measures = self.one.vocabulary().measures.into_iter();
        let tallies = measures.filter(|measure| matches!(measure.head.kind, MeasureKind::Tally(_)));
        let counting = |measure: Measure<C::Outcome>| Measure {
            head: measure.head,
            weight: Number::Count(|_| 0),
        };
        Vocabulary {
            fields: vec![
                count("first", "first count", |effect: &Effect| effect[0].into()),
                count("second", "second count", |effect| effect[1].into()),
                count("third", "third count", |effect| effect[2].into()),
                count("fourth", "fourth count", |effect| effect[3].into()),
            ],
            measures: tallies.map(counting).collect(),
        }
    }
}
