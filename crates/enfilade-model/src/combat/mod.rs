//! A combat as its rulebook defines it, and the vocabulary in which its result is reported.
//!
//! A rule system implements [`Combat`] with its own types. The engines do not use those types: they
//! see an [`AnyCombat`], whose states are numbers and whose results are rows of integers. The
//! method of solution (exact, by counts, one trial at a time) is not decided here.

mod any_combat;
mod combat_sequence;
mod decisions;
mod ending;
pub mod frontier;
pub mod independent_copies;
mod measure_kind;
mod option_shares;
mod rule;
mod scale;
mod shared_structure;
#[doc(hidden)]
pub mod state_set;
mod type_erasure;
mod vocabulary;
#[doc(hidden)]
pub mod vocabulary_macros;

pub use any_combat::AnyCombat;
#[allow(unused_imports)] // Rulebooks in text files implement it themselves.
#[doc(hidden)]
pub use any_combat::ErasedCombat;
pub use combat_sequence::{
    ChainCombatsAndLayout, ChainEndingSuccessor, ChainedCombatStart, LastSumOrAnyOfTurns,
    StepColumnPlacement,
};
pub use decisions::{
    ChosenOptionWithMeans, ChosenOptionsByState, Decision, ExplainedDecision, MeanDirection,
};
#[allow(unused_imports)] // As above.
#[doc(hidden)]
pub use decisions::{DiceAnsweringDecisions, SolvedPolicy};
pub use ending::{Ending, FieldChange, MAX_OUTCOME_COLUMNS, OutcomeRow, RewrittenTable};
pub use frontier::StateNumbering;
pub use measure_kind::{MeasureKind, TallyFigure};
#[doc(hidden)]
pub use option_shares::OptionShares;
pub use rule::{Combat, CombatStepExplanation};
pub use scale::ExactRatio;
pub use shared_structure::SharedStructureSlot;
#[doc(hidden)]
pub use vocabulary::measure_name_in_words;
pub use vocabulary::{
    HarmDegree, Measure, MeasureHead, MeasureRoleBesideReports, OUTSIDE_CONDITION, OutcomeField,
    OutcomeFieldHead, OutcomeVocabulary, ResultColumns,
};
