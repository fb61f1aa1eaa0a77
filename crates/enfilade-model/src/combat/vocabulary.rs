//! The vocabulary in which an action reports: the fields of its outcome and the measures made from
//! them.
//!
//! Each rulebook declares here, once, everything that a report needs: a player's name for a number,
//! its unit, its place in the rulebook, which outcome is worse and how much, which measure is shown
//! first. No report refers to a field or a measure by name.

use std::sync::Arc;

use super::measure_kind::MeasureKind;
use super::scale::ExactRatio;
use crate::form::name_in_words;
use crate::static_or_shared::Text;
use crate::static_or_shared::opaque;

/// Fields of an action's outcome and the measures computed from them.
///
/// ```
/// use enfilade_model::combat::{Measure, OutcomeField, OutcomeVocabulary};
/// let hits = OutcomeField::new("hits", "shots that hit", |&hits: &u8| hits.into());
/// let has_any = Measure::probability("p_hit", "at least one shot hits", |&hits: &u8| hits > 0);
/// let words = OutcomeVocabulary { fields: vec![hits], measures: vec![has_any] };
/// assert_eq!((words.fields.len(), words.measures.len()), (1, 1));
/// ```
pub struct OutcomeVocabulary<O> {
    /// Fields that distinguish outcomes, in column order.
    pub fields: Vec<OutcomeField<O>>,
    /// Measures, in column order.
    pub measures: Vec<Measure<O>>,
}

opaque!(OutcomeVocabulary<O>, O);

/// Number computed from one outcome.
pub(super) enum OutcomeNumberFn<O> {
    /// Count by a rule in Rust: a plain function, because a contest has many and none is stored on
    /// the heap.
    Count(fn(&O) -> i32),
    /// 1 if the event occurs, else 0.
    Event(fn(&O) -> bool),
    /// Count by a closure that was created at run time.
    Closure(Box<dyn Fn(&O) -> i32 + Send + Sync>),
}

impl<O> OutcomeNumberFn<O> {
    /// Computes the number of `outcome`.
    pub(super) fn compute_for_outcome(&self, outcome: &O) -> i32 {
        match self {
            OutcomeNumberFn::Count(count) => count(outcome),
            OutcomeNumberFn::Event(event) => event(outcome).into(),
            OutcomeNumberFn::Closure(number) => number(outcome),
        }
    }
}

/// Methods that outcome fields and measures share, with the words that a player reads.
macro_rules! said {
    ($head:ty) => {
        /// Sets the name that a player uses.
        #[must_use]
        pub fn label(mut self, label: impl Into<Text>) -> Self {
            self.head.label = label.into();
            self
        }

        /// Sets the unit of the count: `units`.
        #[must_use]
        pub fn unit(mut self, unit: impl Into<Text>) -> Self {
            self.head.unit = unit.into();
            self
        }

        /// Sets the reference to the rulebook: `A7.8`.
        #[must_use]
        pub fn rule(mut self, rule: impl Into<Text>) -> Self {
            self.head.rule = rule.into();
            self
        }

        /// Returns the head alone.
        #[doc(hidden)]
        pub fn into_head(self) -> $head {
            self.head
        }

        /// Marks the number as one that adds up over several turns, where others are as in the last
        /// turn. A probability becomes that of the event in any turn.
        #[must_use]
        pub fn adds(mut self) -> Self {
            self.head.adds = true;
            self
        }
    };
}

/// Integer column of an outcome: a count, or 0 and 1 for no and yes.
///
/// ```
/// use enfilade_model::combat::OutcomeField;
/// let hits = OutcomeField::new("hits", "shots that hit", |&hits: &u8| hits.into());
/// let hits = hits.label("hits").unit("shots");
/// ```
pub struct OutcomeField<O> {
    pub(super) head: OutcomeFieldHead,
    pub(super) value: OutcomeNumberFn<O>,
}

opaque!(OutcomeField<O>, O);

impl<O> OutcomeField<O> {
    /// Creates a column `name`, described by `about`.
    pub fn new(name: impl Into<Text>, about: impl Into<Text>, value: fn(&O) -> i32) -> Self {
        OutcomeField::from_outcome_number(name, about, OutcomeNumberFn::Count(value))
    }

    /// Creates a column whose value is a closure, such as one that captures a slot or a number of
    /// the contest.
    pub fn with_closure(
        name: impl Into<Text>,
        about: impl Into<Text>,
        value: impl Fn(&O) -> i32 + Send + Sync + 'static,
    ) -> Self {
        OutcomeField::from_outcome_number(name, about, OutcomeNumberFn::Closure(Box::new(value)))
    }

    fn from_outcome_number(
        name: impl Into<Text>,
        about: impl Into<Text>,
        value: OutcomeNumberFn<O>,
    ) -> Self {
        OutcomeField {
            head: OutcomeFieldHead {
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

    said!(OutcomeFieldHead);

    /// Marks the field as harm to the unit that suffers it: its degree, 1 to 100, and the word for
    /// it. Fields with the same word share a band of a stack. A negative degree is a gain.
    #[must_use]
    pub fn with_harm_degree(mut self, degree: i16, word: impl Into<Text>) -> Self {
        let word = word.into();
        self.head.harm = Some(HarmDegree { degree, word });
        self
    }

    /// Marks the field as the number of the try in which something happened, 0 for never. The
    /// action plays several tries with everything that lasts between them.
    #[must_use]
    pub fn mark_as_try_number(mut self) -> Self {
        self.head.tries = true;
        self
    }
}

/// Severity of an outcome field that is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HarmDegree {
    /// Degree from 1 to 100, the worst; −1 to −100 is a gain.
    pub degree: i16,
    /// Word for the harm: `kill`.
    pub word: Text,
}

/// Outcome field without the outcome's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutcomeFieldHead {
    /// Column name, such as `eliminated`.
    pub name: Text,
    /// Description of the count.
    pub about: Text,
    /// Name that a player uses; empty: the column name in words.
    pub label: Text,
    /// Unit of the count: `units`; empty for a yes or no.
    pub unit: Text,
    /// Reference to the rulebook.
    pub rule: Text,
    /// Severity; `None` where the field is not harm.
    pub harm: Option<HarmDegree>,
    /// Whether the field is the number of the try in which something happened, 0 for never.
    pub tries: bool,
    /// Whether the field counts something without a unit, so that 1 is also written as a number.
    pub counts: bool,
    /// Text of an outcome in which every field is 0: the first word of the word list to whose
    /// second word this field belongs.
    pub otherwise: Text,
    /// Whether the field adds up over several turns.
    pub adds: bool,
}

impl OutcomeFieldHead {
    /// Returns the name that a player uses: the label, or the column name in words.
    pub fn display_name(&self) -> Text {
        self.label.or_if_empty(|| name_in_words(&self.name))
    }
}

/// Number computed from the distribution of the outcomes, such as a probability or a mean.
///
/// ```
/// use enfilade_model::combat::Measure;
/// let chance = Measure::probability("p_hit", "at least one shot hits", |&hits: &u8| hits > 0);
/// let mean = Measure::mean("e_hits", "shots that hit", |&hits: &u8| hits.into()).unit("shots");
/// ```
pub struct Measure<O> {
    pub(super) head: MeasureHead,
    pub(super) weight: OutcomeNumberFn<O>,
}

opaque!(Measure<O>, O);

impl<O> Measure<O> {
    /// Creates the probability of `event`.
    pub fn probability(
        name: impl Into<Text>,
        about: impl Into<Text>,
        event: fn(&O) -> bool,
    ) -> Self {
        Measure::from_outcome_number(name, about, MeasureKind::Event, OutcomeNumberFn::Event(event))
    }

    /// Creates the mean of `count`.
    pub fn mean(name: impl Into<Text>, about: impl Into<Text>, count: fn(&O) -> i32) -> Self {
        Measure::from_outcome_number(name, about, MeasureKind::Mean, OutcomeNumberFn::Count(count))
    }

    /// Creates the standard deviation of `count`.
    pub fn deviation(name: impl Into<Text>, about: impl Into<Text>, count: fn(&O) -> i32) -> Self {
        Measure::from_outcome_number(
            name,
            about,
            MeasureKind::Deviation,
            OutcomeNumberFn::Count(count),
        )
    }

    /// Creates the least number that `count` does not exceed with probability `share` or more.
    ///
    /// # Panics
    /// If the share is not between 0 and 1: a mistake of the rulebook.
    pub fn new_quantile(
        name: impl Into<Text>,
        about: impl Into<Text>,
        share: ExactRatio,
        count: fn(&O) -> i32,
    ) -> Self {
        assert!(0 < share.numerator && share.numerator < share.denominator);
        Measure::from_outcome_number(
            name,
            about,
            MeasureKind::Quantile(share),
            OutcomeNumberFn::Count(count),
        )
    }

    /// Creates a measure of any kind whose number is a closure, such as one that captures a slot or
    /// a number of the contest.
    pub fn with_closure(
        name: impl Into<Text>,
        about: impl Into<Text>,
        kind: MeasureKind,
        weight: impl Fn(&O) -> i32 + Send + Sync + 'static,
    ) -> Self {
        Measure::from_outcome_number(name, about, kind, OutcomeNumberFn::Closure(Box::new(weight)))
    }

    /// Creates the mean of the amounts that the rule [tallies](crate::dice::Dice::tally) under
    /// `counter`.
    ///
    /// A tally is counted on the way and not stored in the state, so it adds no states and may grow
    /// for ever; for the same reason it has only a mean and no distribution.
    pub fn mean_of_tally(name: impl Into<Text>, about: impl Into<Text>, counter: u8) -> Self {
        let nothing = OutcomeNumberFn::Count(|_| 0);
        Measure::from_outcome_number(name, about, MeasureKind::Tally(counter), nothing)
    }

    fn from_outcome_number(
        name: impl Into<Text>,
        about: impl Into<Text>,
        kind: MeasureKind,
        weight: OutcomeNumberFn<O>,
    ) -> Self {
        Measure {
            head: MeasureHead {
                name: name.into(),
                about: about.into(),
                label: Text::EMPTY,
                unit: Text::EMPTY,
                rule: Text::EMPTY,
                kind,
                condition: Text::EMPTY,
                scale: ExactRatio::ONE,
                role: MeasureRoleBesideReports::Plain,
                headline: false,
                adds: false,
                tally: Text::EMPTY,
            },
            weight,
        }
    }

    /// Restricts the measure to the outcomes whose weight is not [`OUTSIDE_CONDITION`]; `condition`
    /// describes them.
    #[must_use]
    pub fn restrict_to_condition(mut self, condition: impl Into<Text>) -> Self {
        self.head.condition = condition.into();
        self
    }

    /// Multiplies the measure by an exact factor.
    #[must_use]
    pub fn with_exact_factor(mut self, scale: ExactRatio) -> Self {
        self.head.scale = scale;
        self
    }

    said!(MeasureHead);

    /// Marks the measure as the one that is shown first.
    #[must_use]
    pub fn with_headline_role(mut self) -> Self {
        self.head.headline = true;
        self
    }

    /// Marks the measure as the event that puts a target out of action.
    #[must_use]
    pub fn with_target_disabled_role(mut self) -> Self {
        self.head.role = MeasureRoleBesideReports::Finishing;
        self
    }

    /// Marks the measure as a mean over tries until the finishing event happens.
    #[must_use]
    pub fn with_role_of_tries_until_event(mut self) -> Self {
        self.head.role = MeasureRoleBesideReports::Until;
        self
    }

    /// Marks the measure as the effect of a number of points.
    #[must_use]
    pub fn with_per_points_role(mut self) -> Self {
        self.head.role = MeasureRoleBesideReports::PerPoints;
        self
    }
}

/// Measure without the outcome's type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasureHead {
    /// Column name, such as `p_kill`.
    pub name: Text,
    /// Description in a few words.
    pub about: Text,
    /// Name that a player uses; empty: the column name in words.
    pub label: Text,
    /// Unit of the count; empty for probabilities, and where the description includes it.
    pub unit: Text,
    /// Reference to the rulebook.
    pub rule: Text,
    /// Method of computation.
    pub kind: MeasureKind,
    /// Condition of the outcomes that count, as the rulebook writes it; empty: all of them count.
    /// Outcomes that do not meet it have the weight [`OUTSIDE_CONDITION`].
    pub condition: Text,
    /// Factor on the computed number.
    pub scale: ExactRatio,
    /// Use of the measure beside reports.
    pub role: MeasureRoleBesideReports,
    /// Whether the measure is shown first.
    pub headline: bool,
    /// Whether the measure adds up over several turns.
    pub adds: bool,
    /// Name of the tally that the measure reads, in a rulebook from a file; else empty.
    pub tally: Text,
}

/// Weight of an outcome that does not meet the condition of a measure.
pub const OUTSIDE_CONDITION: i32 = i32::MIN;

impl MeasureHead {
    /// Returns whether the measure is computed only over outcomes that meet a condition.
    pub fn is_conditional(&self) -> bool {
        !self.condition.is_empty()
    }

    /// Returns whether an outcome of this weight meets the condition of the measure.
    pub fn includes_weight(&self, weight: i32) -> bool {
        !self.is_conditional() || weight != OUTSIDE_CONDITION
    }

    /// Returns the name that a player uses: the label, or the column name in words, without the
    /// `p_` of a probability and the `e_` of a mean.
    pub fn display_name(&self) -> Text {
        self.label.or_if_empty(|| measure_name_in_words(&self.name))
    }

    /// Returns whether the measure is the mean of an outcome field, by its name: `e_lost` of
    /// `lost`.
    pub fn is_mean_of(&self, field: &str) -> bool {
        self.name.strip_prefix(MEAN_PREFIX) == Some(field)
    }
}

/// Start of the column name of a probability.
const PROBABILITY_PREFIX: &str = "p_";
/// Start of the column name of a mean.
const MEAN_PREFIX: &str = "e_";

/// Returns a measure's name in words, without the `p_` of a probability and the `e_` of a mean.
#[doc(hidden)]
pub fn measure_name_in_words(name: &str) -> Text {
    let bare = name.strip_prefix(PROBABILITY_PREFIX).or_else(|| name.strip_prefix(MEAN_PREFIX));
    bare.filter(|bare| !bare.is_empty()).unwrap_or(name).replace('_', " ").into()
}

/// Use of a measure beside reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum MeasureRoleBesideReports {
    /// No other use.
    #[default]
    Plain,
    /// Probability that a target is out of action.
    Finishing,
    /// Effect of a number of points: comparable between weapons of any price.
    PerPoints,
    /// Mean over tries until something happens, cut where the tries end: no value where it cannot
    /// happen, and pictures show the median.
    Until,
}

/// Columns of a result, shared by all answers with the same columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultColumns {
    /// Outcome fields, in column order.
    pub fields: Arc<[OutcomeFieldHead]>,
    /// Measures, in column order.
    pub measures: Arc<[Arc<MeasureHead>]>,
}
