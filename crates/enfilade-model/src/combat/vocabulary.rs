//! The words in which an action reports: the fields of its outcome and the measures made from them.
//!
//! Everything that a report must know about a rulebook is said here, by the rulebook, once: what a
//! player calls a number, its unit, where the rulebook defines it, which outcome is worse and how much,
//! which measure is shown first. No report knows a field or a measure by its name.

use std::sync::Arc;

use crate::form::in_words;
use crate::shared::Text;
use crate::shared::opaque;

/// What an action reports: the fields of its outcome and the measures computed from them.
///
/// ```
/// use enfilade_model::combat::{Measure, OutcomeField, Vocabulary};
/// let hits = OutcomeField::new("hits", "shots that hit", |&hits: &u8| hits.into());
/// let any = Measure::probability("p_hit", "at least one shot hits", |&hits: &u8| hits > 0);
/// let told = Vocabulary { fields: vec![hits], measures: vec![any] };
/// assert_eq!((told.fields.len(), told.measures.len()), (1, 1));
/// ```
pub struct Vocabulary<O> {
    /// The fields that tell outcomes apart, in column order.
    pub fields: Vec<OutcomeField<O>>,
    /// The measures, in column order.
    pub measures: Vec<Measure<O>>,
}

opaque!(Vocabulary<O>, O);

/// A number of one outcome.
pub(super) enum Number<O> {
    /// Counted by a rule that is written in Rust: a contest has many, and none is kept on its own.
    Count(fn(&O) -> i32),
    /// 1 where this holds.
    Event(fn(&O) -> bool),
    /// Counted by something that was made at run time.
    Made(Box<dyn Fn(&O) -> i32 + Send + Sync>),
}

impl<O> Number<O> {
    /// The number of `outcome`.
    pub(super) fn of(&self, outcome: &O) -> i32 {
        match self {
            Number::Count(count) => count(outcome),
            Number::Event(event) => event(outcome).into(),
            Number::Made(number) => number(outcome),
        }
    }
}

/// What a player reads of an outcome field and of a measure, said in the same words of both.
macro_rules! said {
    ($head:ty) => {
        /// The same under the name that a player has for it.
        #[must_use]
        pub fn label(mut self, label: impl Into<Text>) -> Self {
            self.head.label = label.into();
            self
        }

        /// The same with what it counts: `units`.
        #[must_use]
        pub fn unit(mut self, unit: impl Into<Text>) -> Self {
            self.head.unit = unit.into();
            self
        }

        /// The same with where the rulebook defines it: `A7.8`.
        #[must_use]
        pub fn rule(mut self, rule: impl Into<Text>) -> Self {
            self.head.rule = rule.into();
            self
        }

        /// Its head alone.
        #[doc(hidden)]
        pub fn into_head(self) -> $head {
            self.head
        }

        /// The same as what adds up over several turns, where the others are as the last turn has them; of
        /// a chance, that it happens in any of them.
        #[must_use]
        pub fn adds(mut self) -> Self {
            self.head.adds = true;
            self
        }
    };
}

/// One integer column of an outcome: a count, or 0 and 1 for no and yes.
///
/// ```
/// use enfilade_model::combat::OutcomeField;
/// let hits = OutcomeField::new("hits", "shots that hit", |&hits: &u8| hits.into());
/// let hits = hits.label("hits").unit("shots");
/// ```
pub struct OutcomeField<O> {
    pub(super) head: FieldHead,
    pub(super) value: Number<O>,
}

opaque!(OutcomeField<O>, O);

impl<O> OutcomeField<O> {
    /// A column `name`, described by `about`.
    pub fn new(name: impl Into<Text>, about: impl Into<Text>, value: fn(&O) -> i32) -> Self {
        OutcomeField::of(name, about, Number::Count(value))
    }

    /// The same with a value that holds on to something: a slot, a number of the contest.
    pub fn made(
        name: impl Into<Text>,
        about: impl Into<Text>,
        value: impl Fn(&O) -> i32 + Send + Sync + 'static,
    ) -> Self {
        OutcomeField::of(name, about, Number::Made(Box::new(value)))
    }

    fn of(name: impl Into<Text>, about: impl Into<Text>, value: Number<O>) -> Self {
        OutcomeField {
            head: FieldHead {
                name: name.into(),
                about: about.into(),
                label: Text::EMPTY,
                unit: Text::EMPTY,
                rule: Text::EMPTY,
                harm: None,
                tries: false,
                counts: false,
                otherwise: Text::EMPTY,
                adds: false,
            },
            value,
        }
    }

    said!(FieldHead);

    /// The same field as harm to whoever suffers it: how bad it is, 1 to 100, and the word for it.
    /// Fields of one word are one band of a stack. Less than nothing is a gain.
    #[must_use]
    pub fn harm(mut self, degree: i16, word: impl Into<Text>) -> Self {
        let word = word.into();
        self.head.harm = Some(Harm { degree, word });
        self
    }

    /// The same field as the number of the try in which something happened, 0 for never: the action
    /// plays several with everything that lasts between them.
    #[must_use]
    pub fn tries(mut self) -> Self {
        self.head.tries = true;
        self
    }
}

/// How bad an outcome field is where it is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Harm {
    /// From 100, nothing is worse, to 1; −1 to −100 is a gain.
    pub degree: i16,
    /// The word for it: `kill`.
    pub word: Text,
}

/// What an outcome field is, without the outcome's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldHead {
    /// Column name, such as `eliminated`.
    pub name: Text,
    /// What it counts.
    pub about: Text,
    /// What a player calls it; empty: its name in words.
    pub label: Text,
    /// What it counts, as a unit: `units`; empty for a yes or no.
    pub unit: Text,
    /// Where the rulebook defines it.
    pub rule: Text,
    /// How bad it is; `None` where it hurts nobody.
    pub harm: Option<Harm>,
    /// Whether it is the number of the try in which something happened, 0 for never.
    pub tries: bool,
    /// It counts something though it has no unit, so that 1 is said as a number too.
    pub counts: bool,
    /// What is said where nothing else is: the first of the words of which this is the second.
    pub otherwise: Text,
    /// Whether it adds up over several turns.
    pub adds: bool,
}

impl FieldHead {
    /// What a player calls it: its label, or its name in words.
    pub fn label_or_name(&self) -> Text {
        self.label.or(|| in_words(&self.name))
    }
}

/// One number computed from the law of the outcomes.
///
/// ```
/// use enfilade_model::combat::Measure;
/// let chance = Measure::probability("p_hit", "at least one shot hits", |&hits: &u8| hits > 0);
/// let mean = Measure::mean("e_hits", "shots that hit", |&hits: &u8| hits.into()).unit("shots");
/// ```
pub struct Measure<O> {
    pub(super) head: MeasureHead,
    pub(super) weight: Number<O>,
}

opaque!(Measure<O>, O);

impl<O> Measure<O> {
    /// The probability that `event` holds.
    pub fn probability(
        name: impl Into<Text>,
        about: impl Into<Text>,
        event: fn(&O) -> bool,
    ) -> Self {
        Measure::of(name, about, MeasureKind::Event, Number::Event(event))
    }

    /// The mean of `count`.
    pub fn mean(name: impl Into<Text>, about: impl Into<Text>, count: fn(&O) -> i32) -> Self {
        Measure::of(name, about, MeasureKind::Mean, Number::Count(count))
    }

    /// The standard deviation of `count`.
    pub fn deviation(name: impl Into<Text>, about: impl Into<Text>, count: fn(&O) -> i32) -> Self {
        Measure::of(name, about, MeasureKind::Deviation, Number::Count(count))
    }

    /// The least number that `count` does not exceed with probability `share` or more.
    ///
    /// # Panics
    /// When the share is not between 0 and 1: a mistake of the rulebook.
    pub fn quantile(
        name: impl Into<Text>,
        about: impl Into<Text>,
        share: Scale,
        count: fn(&O) -> i32,
    ) -> Self {
        assert!(0 < share.numerator && share.numerator < share.denominator);
        Measure::of(name, about, MeasureKind::Quantile(share), Number::Count(count))
    }

    /// A measure of any kind, of a number that may hold on to something: a slot, a number of the
    /// contest.
    pub fn made(
        name: impl Into<Text>,
        about: impl Into<Text>,
        kind: MeasureKind,
        weight: impl Fn(&O) -> i32 + Send + Sync + 'static,
    ) -> Self {
        Measure::of(name, about, kind, Number::Made(Box::new(weight)))
    }

    /// The mean of what the rule [tallies](crate::dice::Dice::tally) under `counter`.
    ///
    /// It is counted on the way and not remembered, so it makes no state more and may grow for ever;
    /// and so there is no law of it, only its mean.
    pub fn tally(name: impl Into<Text>, about: impl Into<Text>, counter: u8) -> Self {
        let nothing = Number::Count(|_| 0);
        Measure::of(name, about, MeasureKind::Tally(counter), nothing)
    }

    fn of(
        name: impl Into<Text>,
        about: impl Into<Text>,
        kind: MeasureKind,
        weight: Number<O>,
    ) -> Self {
        Measure {
            head: MeasureHead {
                name: name.into(),
                about: about.into(),
                label: Text::EMPTY,
                unit: Text::EMPTY,
                rule: Text::EMPTY,
                kind,
                scale: Scale::ONE,
                role: Role::Plain,
                headline: false,
                adds: false,
            },
            weight,
        }
    }

    /// The same measure times an exact factor.
    #[must_use]
    pub fn scaled(mut self, scale: Scale) -> Self {
        self.head.scale = scale;
        self
    }

    said!(MeasureHead);

    /// The same measure as the one that is shown first.
    #[must_use]
    pub fn headline(mut self) -> Self {
        self.head.headline = true;
        self
    }

    /// The same measure as the event that puts a target out of action.
    #[must_use]
    pub fn finishing(mut self) -> Self {
        self.head.role = Role::Finishing;
        self
    }

    /// The same measure as a mean over tries until the finishing one happens.
    #[must_use]
    pub fn until(mut self) -> Self {
        self.head.role = Role::Until;
        self
    }

    /// The same measure as what a number of points buys.
    #[must_use]
    pub fn per_points(mut self) -> Self {
        self.head.role = Role::PerPoints;
        self
    }
}

/// What a measure is, without the outcome's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureHead {
    /// Column name, such as `p_kill`.
    pub name: Text,
    /// What it measures, in a few words.
    pub about: Text,
    /// What a player calls it; empty: its name in words.
    pub label: Text,
    /// What it counts; empty for probabilities, and where the description says it.
    pub unit: Text,
    /// Where the rulebook defines it.
    pub rule: Text,
    /// How it is computed.
    pub kind: MeasureKind,
    /// Factor on what is computed.
    pub scale: Scale,
    /// What it is good for beside being reported.
    pub role: Role,
    /// Whether it is shown first.
    pub headline: bool,
    /// Whether it adds up over several turns.
    pub adds: bool,
}

impl MeasureHead {
    /// What a player calls it: its label, or its name in words, without the `p_` of a chance and the `e_` of a mean.
    pub fn label_or_name(&self) -> Text {
        self.label.or(|| bare(&self.name))
    }
}

/// A measure's name in words, without the `p_` of a chance and the `e_` of a mean.
#[doc(hidden)]
pub fn bare(name: &str) -> Text {
    let bare = name.strip_prefix("p_").or_else(|| name.strip_prefix("e_"));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(name).replace('_', " ").into()
}

/// What a measure is good for beside being reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// Nothing else.
    #[default]
    Plain,
    /// It is the probability that a target is out of action.
    Finishing,
    /// It is what a number of points buys: comparable between weapons of any price.
    PerPoints,
    /// It is a mean over tries until something happens, cut where the tries end: nothing where it
    /// cannot happen, and pictures show the median.
    Until,
}

/// How a measure is computed from the law of the outcomes, each of which has a whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasureKind {
    /// The probability of an event, 0 to 1: the number is 1 where it holds, else 0.
    Event,
    /// The mean of the number.
    Mean,
    /// The standard deviation of the number.
    Deviation,
    /// The least value that the number does not exceed with this probability or more.
    Quantile(Scale),
    /// The mean of what is tallied under this counter; no outcome knows it.
    Tally(u8),
}

impl std::fmt::Display for MeasureKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            MeasureKind::Event => f.write_str("probability"),
            MeasureKind::Mean | MeasureKind::Tally(_) => f.write_str("mean"),
            MeasureKind::Deviation => f.write_str("standard deviation"),
            MeasureKind::Quantile(share) => {
                write!(f, "quantile {}/{}", share.numerator, share.denominator)
            }
        }
    }
}

impl MeasureKind {
    /// Whether it is a share of one, shown in percent.
    pub fn is_share(self) -> bool {
        self == MeasureKind::Event
    }

    /// The unit in which it is shown beside that of what it counts: `%`, or none.
    pub fn sign(self) -> &'static str {
        if self.is_share() { "%" } else { "" }
    }

    /// What a value is multiplied with to be shown: 100 for shares.
    pub fn display(self) -> f64 {
        if self.is_share() { 100.0 } else { 1.0 }
    }
}

/// An exact factor, or an exact share: `numerator / denominator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Numerator, not negative.
    pub numerator: u32,
    /// Denominator, positive.
    pub denominator: u32,
}

impl Scale {
    /// The factor one.
    pub const ONE: Scale = Scale { numerator: 1, denominator: 1 };

    /// The factor as a floating-point number.
    pub fn factor(self) -> f64 {
        f64::from(self.numerator) / f64::from(self.denominator)
    }
}

/// What the columns of a result are: shared by all answers in which they are the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heads {
    /// The outcome fields, in column order.
    pub fields: Arc<[FieldHead]>,
    /// The measures, in column order.
    pub measures: Arc<[Arc<MeasureHead>]>,
}
