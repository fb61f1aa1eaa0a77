//! A combat as its rulebook tells it, and the words in which its result is reported.
//!
//! A rule system implements [`Combat`] with its own types. The engines do not know those types:
//! they see an [`AnyCombat`], whose states are numbers and whose results are rows of integers.
//! How a rule is played (exactly, by counts, one trial at a time) is not decided here.

use std::hash::Hash;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::dice::{Dice, Remembered, Roll};

/// The most outcome fields, and the most measures, that one action may declare.
pub const MAX_COLUMNS: usize = 20;

/// A combat as its rulebook tells it.
///
/// Parameters live in `self`, history in [`Combat::State`], choices of the players are fields of
/// `self` and never dice. One [`step`](Combat::step) is one roll or one attack as the rulebook
/// numbers it: a handful of dice, after which the state is handed on.
///
/// ```
/// use enfilade::combat::{Combat, Measure, OutcomeField, Vocabulary};
/// use enfilade::dice::{Dice, Scripted};
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
    /// The result may depend on nothing but `self`, `state` and the faces shown.
    fn step(&self, state: Self::State, dice: &mut impl Dice) -> Self::State;

    /// The outcome, once the combat is over.
    fn outcome(&self, state: &Self::State) -> Option<Self::Outcome>;

    /// The fields of the outcome and the measures computed from it: declared here once, read by
    /// every engine and every report.
    fn vocabulary(&self) -> Vocabulary<Self::Outcome>;

    /// Tells one step to a reader who has the rulebook at hand.
    fn tell(&self, _from: &Self::State, _rolls: &[Roll], _to: &Self::State) -> Telling {
        Telling::default()
    }
}

/// One step of a combat in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Telling {
    /// What happened, in one or a few sentences.
    pub text: String,
    /// Where the rulebook says so, such as `A7.303`.
    pub rule: String,
}

impl Telling {
    /// A step in words with its rule reference.
    pub fn new(rule: impl Into<String>, text: impl Into<String>) -> Self {
        Telling {
            text: text.into(),
            rule: rule.into(),
        }
    }
}

/// What an action reports: the fields of its outcome and the measures computed from them.
pub struct Vocabulary<O> {
    /// The fields that tell outcomes apart, in column order.
    pub fields: Vec<OutcomeField<O>>,
    /// The measures, in column order.
    pub measures: Vec<Measure<O>>,
}

/// One integer column of an outcome: a count, or 0 and 1 for no and yes.
pub struct OutcomeField<O> {
    name: &'static str,
    about: &'static str,
    value: fn(&O) -> i32,
}

impl<O> OutcomeField<O> {
    /// A column `name`, described by `about`.
    pub fn new(name: &'static str, about: &'static str, value: fn(&O) -> i32) -> Self {
        OutcomeField { name, about, value }
    }
}

/// One number computed from the law of the outcomes.
pub struct Measure<O> {
    head: MeasureHead,
    weight: Weight<O>,
}

/// What one outcome adds to a measure before the measure's scale is applied.
type Weight<O> = Box<dyn Fn(&O) -> i32 + Send + Sync>;

impl<O: 'static> Measure<O> {
    /// The probability that `event` holds.
    pub fn probability(name: &'static str, about: &'static str, event: fn(&O) -> bool) -> Self {
        Measure {
            head: MeasureHead::new(name, about, MeasureKind::Probability, Scale::ONE),
            weight: Box::new(move |outcome| i32::from(event(outcome))),
        }
    }

    /// The mean of `count`.
    pub fn mean(name: &'static str, about: &'static str, count: fn(&O) -> i32) -> Self {
        Measure::scaled_mean(name, about, Scale::ONE, count)
    }

    /// The mean of `count` times an exact factor, such as 100 ÷ points.
    pub fn scaled_mean(
        name: &'static str,
        about: &'static str,
        scale: Scale,
        count: fn(&O) -> i32,
    ) -> Self {
        Measure {
            head: MeasureHead::new(name, about, MeasureKind::Mean, scale),
            weight: Box::new(count),
        }
    }
}

/// Name, meaning and kind of a measure, without the outcome's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeasureHead {
    /// Column name, such as `p_kill`.
    pub name: &'static str,
    /// What it measures, in a few words.
    pub about: &'static str,
    /// Probability or mean.
    pub kind: MeasureKind,
    /// Factor on the sum of weights.
    pub scale: Scale,
}

impl MeasureHead {
    fn new(
        name: &'static str,
        about: &'static str,
        kind: MeasureKind,
        scale: Scale,
    ) -> MeasureHead {
        MeasureHead {
            name,
            about,
            kind,
            scale,
        }
    }
}

/// What kind of number a measure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// The probability of an event, 0 to 1.
    Probability,
    /// The mean of a count, in the unit its description names.
    Mean,
}

/// An exact factor, `numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Numerator, not negative.
    pub numerator: u32,
    /// Denominator, positive.
    pub denominator: u32,
}

impl Scale {
    /// The factor one.
    pub const ONE: Scale = Scale {
        numerator: 1,
        denominator: 1,
    };

    /// The factor as a floating-point number.
    pub fn factor(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

/// Name and meaning of an outcome field, without the outcome's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldHead {
    /// Column name, such as `eliminated`.
    pub name: &'static str,
    /// What it counts.
    pub about: &'static str,
}

/// A row of integers with room for [`MAX_COLUMNS`]; unused places are 0.
pub type Row = [i32; MAX_COLUMNS];

/// An outcome as the engines see it: the values of its fields and its weight in each measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Ending {
    /// Values of the outcome fields, in the order of [`AnyCombat::fields`].
    pub fields: Row,
    /// Weights in the measures, in the order of [`AnyCombat::measures`].
    pub weights: Row,
}

/// A combat whose own types are hidden: what the catalogue hands out and the engines play.
///
/// Every [`Combat`] becomes one through [`AnyCombat::new`].
pub struct AnyCombat(Box<dyn Hidden>);

impl AnyCombat {
    /// Hides the types of `combat`.
    ///
    /// # Panics
    /// If its vocabulary has more than [`MAX_COLUMNS`] fields or measures.
    pub fn new<C: Combat + 'static>(combat: C) -> Self {
        let vocabulary = combat.vocabulary();
        assert!(vocabulary.fields.len() <= MAX_COLUMNS);
        assert!(vocabulary.measures.len() <= MAX_COLUMNS);
        AnyCombat(Box::new(Known { combat, vocabulary }))
    }

    /// The fields of its outcomes.
    pub fn fields(&self) -> Vec<FieldHead> {
        self.0.fields()
    }

    /// The measures it reports.
    pub fn measures(&self) -> Vec<MeasureHead> {
        self.0.measures()
    }

    /// Numbers its states, from 0 in the order in which they are first reached.
    pub fn states(&self) -> Box<dyn States + '_> {
        self.0.states()
    }

    /// Plays one trial; `None` when it is not over after `max_steps` steps.
    pub fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.0.play(dice, max_steps)
    }

    /// Plays one trial and hands each step, told in words, to `listen`, until the combat is over
    /// or `listen` returns `false`.
    pub fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending> {
        self.0.narrate(dice, listen)
    }
}

/// The states of a combat by number.
pub trait States {
    /// The state before the first die.
    fn open(&mut self) -> u32;

    /// The ending of a state that is over.
    fn ending(&self, state: u32) -> Option<Ending>;

    /// Plays one step from a state that is not over.
    fn step(&mut self, state: u32, dice: &mut dyn Dice) -> u32;

    /// How many states have been reached so far.
    fn reached(&self) -> usize;
}

trait Hidden: Send + Sync {
    fn fields(&self) -> Vec<FieldHead>;
    fn measures(&self) -> Vec<MeasureHead>;
    fn states(&self) -> Box<dyn States + '_>;
    fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending>;
    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending>;
}

struct Known<C: Combat> {
    combat: C,
    vocabulary: Vocabulary<C::Outcome>,
}

impl<C: Combat> Known<C> {
    fn ending(&self, state: &C::State) -> Option<Ending> {
        let outcome = self.combat.outcome(state)?;
        let mut ending = Ending {
            fields: [0; MAX_COLUMNS],
            weights: [0; MAX_COLUMNS],
        };
        for (place, field) in ending.fields.iter_mut().zip(&self.vocabulary.fields) {
            *place = (field.value)(&outcome);
        }
        for (place, measure) in ending.weights.iter_mut().zip(&self.vocabulary.measures) {
            *place = (measure.weight)(&outcome);
        }
        Some(ending)
    }
}

impl<C: Combat> Hidden for Known<C> {
    fn fields(&self) -> Vec<FieldHead> {
        let head = |field: &OutcomeField<_>| FieldHead {
            name: field.name,
            about: field.about,
        };
        self.vocabulary.fields.iter().map(head).collect()
    }

    fn measures(&self) -> Vec<MeasureHead> {
        let measures = self.vocabulary.measures.iter();
        measures.map(|measure| measure.head).collect()
    }

    fn states(&self) -> Box<dyn States + '_> {
        Box::new(Numbered {
            known: self,
            states: IndexSet::default(),
        })
    }

    fn play(&self, mut dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        let mut state = self.combat.open();
        for _ in 0..max_steps {
            if self.combat.outcome(&state).is_some() {
                break;
            }
            state = self.combat.step(state, &mut dice);
        }
        self.ending(&state)
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending> {
        let mut dice = Remembered::new(dice);
        let mut state = self.combat.open();
        while self.combat.outcome(&state).is_none() {
            let next = self.combat.step(state, &mut dice);
            let rolls = dice.take();
            if !listen(&rolls, self.combat.tell(&state, &rolls, &next)) {
                return None;
            }
            state = next;
        }
        self.ending(&state)
    }
}

struct Numbered<'a, C: Combat> {
    known: &'a Known<C>,
    states: IndexSet<C::State, FxBuildHasher>,
}

impl<C: Combat> Numbered<'_, C> {
    fn number(&mut self, state: C::State) -> u32 {
        let (number, _) = self.states.insert_full(state);
        u32::try_from(number).expect("the graph's limit on states is far below 2^32")
    }
}

impl<C: Combat> States for Numbered<'_, C> {
    fn open(&mut self) -> u32 {
        self.number(self.known.combat.open())
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        self.known.ending(&self.states[state as usize])
    }

    fn step(&mut self, state: u32, mut dice: &mut dyn Dice) -> u32 {
        let next = self
            .known
            .combat
            .step(self.states[state as usize], &mut dice);
        self.number(next)
    }

    fn reached(&self) -> usize {
        self.states.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Scripted;

    /// Rolls until a 6.
    struct UntilSix;

    impl Combat for UntilSix {
        type State = (u8, bool);
        type Outcome = u8;

        fn open(&self) -> (u8, bool) {
            (0, false)
        }

        fn step(&self, (rolled, _): (u8, bool), dice: &mut impl Dice) -> (u8, bool) {
            (rolled + 1, dice.die(6) == 6)
        }

        fn outcome(&self, &(rolled, six): &(u8, bool)) -> Option<u8> {
            six.then_some(rolled)
        }

        fn vocabulary(&self) -> Vocabulary<u8> {
            Vocabulary {
                fields: vec![OutcomeField::new("rolls", "dice rolled", |&o| o.into())],
                measures: vec![
                    Measure::probability("p_first", "six at once", |&o| o == 1),
                    Measure::mean("e_rolls", "mean number of rolls", |&o| o.into()),
                ],
            }
        }
    }

    #[test]
    fn a_hidden_combat_plays_as_its_rule_says() {
        let combat = AnyCombat::new(UntilSix);
        let ending = combat.play(&mut Scripted::new(&[3, 6]), 10);
        let ending = ending.expect("two rolls end it");
        assert_eq!(
            (ending.fields[0], ending.weights[0], ending.weights[1]),
            (2, 0, 2)
        );
        assert_eq!(combat.play(&mut Scripted::new(&[1, 1, 1]), 3), None);
    }

    #[test]
    fn states_are_numbered_in_order_of_first_sight() {
        let combat = AnyCombat::new(UntilSix);
        let mut states = combat.states();
        let open = states.open();
        let missed = states.step(open, &mut Scripted::new(&[2]));
        let again = states.step(open, &mut Scripted::new(&[4]));
        let six = states.step(missed, &mut Scripted::new(&[6]));
        assert_eq!((open, missed, again, six), (0, 1, 1, 2));
        assert!(states.ending(missed).is_none() && states.ending(six).is_some());
        assert_eq!(states.reached(), 3);
    }

    #[test]
    fn a_listener_can_stop_the_telling() {
        let combat = AnyCombat::new(UntilSix);
        let mut heard = Vec::new();
        let mut dice = Scripted::new(&[1, 2, 3]);
        let ending = combat.narrate(&mut dice, &mut |rolls, _| {
            heard.push(rolls[0].face);
            heard.len() < 2
        });
        assert_eq!((ending, heard), (None, vec![1, 2]));
    }
}
