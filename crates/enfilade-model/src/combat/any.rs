//! Combats with their types hidden: states are numbers, results are rows of integers.
//!
//! So each engine is compiled once, and a contest is a value. The price is a virtual call for each
//! die while a graph is built and for each trial that is played.

use std::sync::Arc;

use super::decisions::Decision;
use super::ending::{Ending, Later};
use super::frontier::{Front, States};
use super::rule::{Effect, Explanation};
use super::shared_structure::Alike;
use super::vocabulary::{FieldHead, Heads, MeasureHead};
use crate::dice::{Dice, Roll};
use crate::error::Mishap;
use crate::shared::opaque;

/// Combat whose own types are hidden: catalogues return it and engines play it.
///
/// [`AnyCombat::new`] converts every [`Combat`](super::Combat).
///
/// ```
/// use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, Vocabulary};
/// use enfilade_model::dice::{Dice, Scripted};
///
/// struct Coin;
///
/// impl Combat for Coin {
///     type State = u8;
///     type Outcome = u8;
///     fn open(&self) -> u8 { 0 }
///     fn step(&self, _: u8, dice: &mut impl Dice) -> u8 { dice.die(2) }
///     fn outcome(&self, state: &u8) -> Option<u8> { (*state > 0).then_some(*state) }
///     fn vocabulary(&self) -> Vocabulary<u8> {
///         let side = OutcomeField::new("side", "the side that lies up", |&side: &u8| side.into());
///         let heads = Measure::probability("p_heads", "heads lies up", |&side: &u8| side == 2);
///         Vocabulary { fields: vec![side], measures: vec![heads] }
///     }
/// }
///
/// let coin = AnyCombat::new(Coin);
/// let ending = coin.play(&mut Scripted::new(&[2]), 10).expect("one toss ends it");
/// assert_eq!((ending.fields[0], ending.weights[0]), (2, 1));
/// ```
pub struct AnyCombat {
    erased: Box<dyn ErasedCombat>,
    heads: Heads,
}

opaque!(AnyCombat);

impl AnyCombat {
    /// Wraps another way to play a rule, with the heads of its columns.
    #[doc(hidden)]
    pub fn of_erased(erased: Box<dyn ErasedCombat>, heads: Heads) -> Self {
        AnyCombat { erased, heads }
    }

    /// Returns the fault that occurred while the rule was rolled. After a fault the rule has no
    /// distribution, so callers that compile or play it check for faults before they use the
    /// result.
    pub fn fault(&self) -> Option<Mishap> {
        self.erased.fault()
    }

    /// Returns the fields of the outcomes and the measures.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// Returns the fields of the outcomes.
    pub fn fields(&self) -> &[FieldHead] {
        &self.heads.fields
    }

    /// Returns the measures.
    pub fn measures(&self) -> &[Arc<MeasureHead>] {
        &self.heads.measures
    }

    /// Returns the decisions of the players, in the order of the numbers that the rule passes to
    /// `choose`.
    pub fn decisions(&self) -> &[Decision] {
        self.erased.decisions()
    }

    /// Returns the number of counters that the measures use: one more than the highest.
    pub fn counters(&self) -> usize {
        let counter = |head: &Arc<MeasureHead>| Some(usize::from(head.kind.counter()?) + 1);
        self.heads.measures.iter().filter_map(counter).max().unwrap_or(0)
    }

    /// Shares the storage of fields and measures with other contests of the same `heads`.
    pub fn beside(&mut self, heads: &Heads) {
        if self.heads == *heads {
            self.heads = heads.clone();
        }
    }

    /// Returns the cache slot that this combat shares with contests of the same transition
    /// structure, if there is one.
    pub fn alike(&self) -> Option<&Arc<Alike>> {
        self.erased.alike()
    }

    /// Creates the numbering of the states, from 0 in the order in which they are first reached.
    pub fn states(&self) -> Box<dyn States + '_> {
        self.erased.states()
    }

    /// Creates an empty frontier.
    pub fn front(&self) -> Box<dyn Front + '_> {
        self.erased.front()
    }

    /// Returns the combat with names for its variables, if it has another form with names.
    #[doc(hidden)]
    pub fn named(&self) -> Option<AnyCombat> {
        self.erased.named()
    }

    /// Finds the named variable with the most values among the first `most` states, and returns its
    /// name and number of values. Only rules in text files have named variables.
    pub fn remembers(&self, most: u32) -> Option<(String, usize)> {
        self.erased.remembers(most)
    }

    /// Returns the combats of a chain, each with the number of situations in which it begins; empty
    /// for a combat that is not a chain.
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<(&AnyCombat, usize)> {
        self.erased.parts()
    }

    /// Returns the largest number of a rule in a text file and of its contest.
    #[doc(hidden)]
    pub fn largest(&self) -> Option<i64> {
        self.erased.largest()
    }

    /// Scales every large number of a rule in a text file by `share`, 0 to 1: a contest of the same
    /// shape with fewer states, for forecasts. `None` for a rule in Rust.
    #[doc(hidden)]
    pub fn smaller(&self, share: f64) -> Option<AnyCombat> {
        self.erased.smaller(share)
    }

    /// Returns the combat as independent copies, if it declares copies.
    pub fn copies(&self) -> Option<AnyCopies<'_>> {
        self.erased.copies()
    }

    /// Plays one trial. Returns `None` when the trial is not over after `max_steps` steps or had a
    /// [fault](AnyCombat::fault). A contest with decisions has a fault until it has been compiled.
    pub fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.erased.play(dice, max_steps, None)
    }

    /// Plays one trial like [`play`](AnyCombat::play), and fills `left` with the changed fields of
    /// the contest.
    pub(super) fn play_on(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: &mut Vec<Later>,
    ) -> Option<Ending> {
        self.erased.play(dice, max_steps, Some(left))
    }

    /// Plays one trial and passes each step with its explanation to `listen`, until the combat is
    /// over or `listen` returns `false`.
    pub fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
    ) -> Option<Ending> {
        self.erased.narrate(dice, listen, None)
    }

    /// Plays one trial like [`narrate`](AnyCombat::narrate), and fills `left` with the changed
    /// fields of the contest.
    pub(super) fn narrate_on(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: &mut Vec<Later>,
    ) -> Option<Ending> {
        self.erased.narrate(dice, listen, Some(left))
    }
}

/// [`Copies`](super::copies::Copies) with their types hidden, as the engines use them.
pub struct AnyCopies<'a> {
    /// Combat of one copy; the first [`COUNTS`](super::copies::COUNTS) fields of its endings are
    /// its effect.
    pub one: AnyCombat,
    /// Number of copies.
    pub count: u32,
    /// Largest counts that matter.
    pub most: Effect,
    /// Ending of the whole for a sum of effects.
    pub together: Box<dyn Fn(&Effect) -> Ending + 'a>,
}

opaque!(AnyCopies<'_>);

impl AnyCopies<'_> {
    /// Returns the effect of a copy with this ending.
    pub fn effect(ending: &Ending) -> Effect {
        std::array::from_fn(|i| ending.fields[i] as u16)
    }

    /// Adds two effects, up to the largest counts that matter.
    pub fn add(&self, a: Effect, b: Effect) -> Effect {
        std::array::from_fn(|i| a[i].saturating_add(b[i]).min(self.most[i]))
    }
}

/// Rule that an [`AnyCombat`] plays, in any representation.
#[doc(hidden)]
pub trait ErasedCombat: Send + Sync {
    /// Returns the fault that occurred while the rule was rolled.
    fn fault(&self) -> Option<Mishap> {
        None
    }

    /// Returns the decisions of the players.
    fn decisions(&self) -> &[Decision] {
        &[]
    }

    /// Returns the shared cache slot, like [`AnyCombat::alike`].
    fn alike(&self) -> Option<&Arc<Alike>> {
        None
    }

    /// Creates the numbering of the states, like [`AnyCombat::states`].
    fn states(&self) -> Box<dyn States + '_>;

    /// Creates an empty frontier, like [`AnyCombat::front`].
    fn front(&self) -> Box<dyn Front + '_>;

    /// Returns the same combat with names for its variables, like [`AnyCombat::named`].
    fn named(&self) -> Option<AnyCombat> {
        None
    }

    /// Finds the variable with the most values, like [`AnyCombat::remembers`].
    fn remembers(&self, _most: u32) -> Option<(String, usize)> {
        None
    }

    /// Returns the combats of a chain, like [`AnyCombat::parts`].
    fn parts(&self) -> Vec<(&AnyCombat, usize)> {
        Vec::new()
    }

    /// Returns the largest number, like [`AnyCombat::largest`].
    fn largest(&self) -> Option<i64> {
        None
    }

    /// Returns the rule with smaller numbers, like [`AnyCombat::smaller`].
    fn smaller(&self, _share: f64) -> Option<AnyCombat> {
        None
    }

    /// Returns the combat as independent copies, if it declares copies.
    fn copies(&self) -> Option<AnyCopies<'_>> {
        None
    }

    /// Plays one trial, like [`AnyCombat::play`]; changed fields are stored in `left` if the caller
    /// passes it.
    fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending>;

    /// Plays and explains one trial, like [`AnyCombat::narrate`]; changed fields are stored in
    /// `left` if the caller passes it.
    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending>;
}
