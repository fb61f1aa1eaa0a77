//! A combat without its types: states by number, results as rows of integers.
//!
//! So there is one compiled copy of each engine, and a contest is a value. The price is a virtual
//! call for each die while a graph is built and for each trial that is played.

use std::sync::Arc;

use super::decisions::Decision;
use super::ending::{Ending, Later};
use super::frontier::{Front, States};
use super::rule::{Effect, Explanation};
use super::shared_structure::Alike;
use super::vocabulary::{FieldHead, Heads, MeasureHead, MeasureKind};
use crate::dice::{Dice, Roll};
use crate::error::Mishap;
use crate::shared::opaque;

/// A combat whose own types are hidden: what the catalogue hands out and the engines play.
///
/// Every [`Combat`](super::Combat) becomes one through [`AnyCombat::new`].
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
    /// What plays a rule in a way of its own, with the heads of what it reports.
    #[doc(hidden)]
    pub fn of_erased(erased: Box<dyn ErasedCombat>, heads: Heads) -> Self {
        AnyCombat { erased, heads }
    }

    /// What went wrong while the rule was rolled: from then on it shows no law. Whoever compiled or
    /// played it asks before the result is used.
    pub fn fault(&self) -> Option<Mishap> {
        self.erased.fault()
    }

    /// The fields of its outcomes and the measures it reports.
    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    /// The fields of its outcomes.
    pub fn fields(&self) -> &[FieldHead] {
        &self.heads.fields
    }

    /// The measures it reports.
    pub fn measures(&self) -> &[Arc<MeasureHead>] {
        &self.heads.measures
    }

    /// What its players decide, in the order of the numbers under which the rule asks.
    pub fn decisions(&self) -> &[Decision] {
        self.erased.decisions()
    }

    /// How many counters its measures ask for: one more than the highest.
    pub fn counters(&self) -> usize {
        let counter = |head: &Arc<MeasureHead>| match head.kind {
            MeasureKind::Tally(counter) => Some(usize::from(counter) + 1),
            _ => None,
        };
        self.heads.measures.iter().filter_map(counter).max().unwrap_or(0)
    }

    /// Holds its fields and measures only once with others that have the same `heads`.
    pub fn beside(&mut self, heads: &Heads) {
        if self.heads == *heads {
            self.heads = heads.clone();
        }
    }

    /// What it shares with contests whose dice lead to the same, where some are known.
    pub fn alike(&self) -> Option<&Arc<Alike>> {
        self.erased.alike()
    }

    /// Numbers its states, from 0 in the order in which they are first reached.
    pub fn states(&self) -> Box<dyn States + '_> {
        self.erased.states()
    }

    /// A front with none of its states in it.
    pub fn front(&self) -> Box<dyn Front + '_> {
        self.erased.front()
    }

    /// Of what it remembers by a name: what has the most values among its first states, `most` of them,
    /// and how many. Only a rule in a text file has names for it.
    pub fn remembers(&self, most: u32) -> Option<(String, usize)> {
        self.erased.remembers(most)
    }

    /// The combats of a chain, each with the number of situations in which it begins; none of a combat that is no chain.
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<(&AnyCombat, usize)> {
        self.erased.parts()
    }

    /// The largest number of a rule in a text file and of its contest.
    #[doc(hidden)]
    pub fn largest(&self) -> Option<i64> {
        self.erased.largest()
    }

    /// A rule in a text file with every large number at a share of itself, 0 to 1: a contest of the same
    /// shape with fewer states, for forecasts. None for a rule in Rust.
    #[doc(hidden)]
    pub fn smaller(&self, share: f64) -> Option<AnyCombat> {
        self.erased.smaller(share)
    }

    /// The combat as independent copies, if it declares to be that.
    pub fn copies(&self) -> Option<AnyCopies<'_>> {
        self.erased.copies()
    }

    /// Plays one trial; `None` when it is not over after `max_steps` steps, or went
    /// [wrong](AnyCombat::fault): so does one in which players decide, until it has been compiled.
    pub fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.erased.play(dice, max_steps, None)
    }

    /// The same, with what it leaves of the contest's fields.
    pub(super) fn play_on(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: &mut Vec<Later>,
    ) -> Option<Ending> {
        self.erased.play(dice, max_steps, Some(left))
    }

    /// Plays one trial and hands each step, told in words, to `listen`, until the combat is over
    /// or `listen` returns `false`.
    pub fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
    ) -> Option<Ending> {
        self.erased.narrate(dice, listen, None)
    }

    /// The same, with what it leaves of the contest's fields.
    pub(super) fn narrate_on(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: &mut Vec<Later>,
    ) -> Option<Ending> {
        self.erased.narrate(dice, listen, Some(left))
    }
}

/// [`Copies`](super::copies::Copies) whose types are hidden, as the engines see them.
pub struct AnyCopies<'a> {
    /// One copy; the first [`COUNTS`](super::copies::COUNTS) fields of its endings are its effect.
    pub one: AnyCombat,
    /// How many there are.
    pub count: u32,
    /// How far the counts matter.
    pub most: Effect,
    /// The ending of the whole for a sum of effects.
    pub together: Box<dyn Fn(&Effect) -> Ending + 'a>,
}

opaque!(AnyCopies<'_>);

impl AnyCopies<'_> {
    /// The effect of a copy that ended so.
    pub fn effect(ending: &Ending) -> Effect {
        std::array::from_fn(|i| ending.fields[i] as u16)
    }

    /// Two effects together, as far as they matter.
    pub fn add(&self, a: Effect, b: Effect) -> Effect {
        std::array::from_fn(|i| a[i].saturating_add(b[i]).min(self.most[i]))
    }
}

/// A rule as an [`AnyCombat`] plays it, whatever it is made of.
#[doc(hidden)]
pub trait ErasedCombat: Send + Sync {
    /// What went wrong while it was rolled.
    fn fault(&self) -> Option<Mishap> {
        None
    }

    /// What its players decide.
    fn decisions(&self) -> &[Decision] {
        &[]
    }

    /// What it shares, as [`AnyCombat::alike`].
    fn alike(&self) -> Option<&Arc<Alike>> {
        None
    }

    /// Numbers its states, as [`AnyCombat::states`].
    fn states(&self) -> Box<dyn States + '_>;

    /// A front with none of its states in it, as [`AnyCombat::front`].
    fn front(&self) -> Box<dyn Front + '_>;

    /// What has the most values, as [`AnyCombat::remembers`].
    fn remembers(&self, _most: u32) -> Option<(String, usize)> {
        None
    }

    /// The combats of a chain, as [`AnyCombat::parts`].
    fn parts(&self) -> Vec<(&AnyCombat, usize)> {
        Vec::new()
    }

    /// Its largest number, as [`AnyCombat::largest`].
    fn largest(&self) -> Option<i64> {
        None
    }

    /// The same with lesser numbers, as [`AnyCombat::smaller`].
    fn smaller(&self, _share: f64) -> Option<AnyCombat> {
        None
    }

    /// The same as independent copies, if it declares to be that.
    fn copies(&self) -> Option<AnyCopies<'_>> {
        None
    }

    /// Plays one trial, as [`AnyCombat::play`]; what it leaves goes into `left`, where somebody asks.
    fn play(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending>;

    /// Plays one trial and tells it, as [`AnyCombat::narrate`]; what it leaves as above.
    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending>;
}
