//! Combats with their types hidden: states are numbers, results are rows of integers.
//!
//! So each engine is compiled once, and a contest is a value. The price is a virtual call for each
//! die while a graph is built and for each trial that is played.

use std::sync::Arc;

use super::decisions::Decision;
use super::ending::{Ending, FieldChange};
use super::frontier::{FrontierStateSet, StateNumbering};
use super::rule::{CombatStepExplanation, CopyEffectCounts};
use super::shared_structure::SharedStructureSlot;
use super::vocabulary::{MeasureHead, OutcomeFieldHead, ResultColumns};
use crate::dice::{Dice, RolledDie};
use crate::error::RuleRuntimeError;
use crate::static_or_shared::opaque;

/// Combat whose own types are hidden: catalogues return it and engines play it.
///
/// [`AnyCombat::new`] converts every [`Combat`](super::Combat).
///
/// ```
/// use enfilade_model::combat::{AnyCombat, Combat, Measure, OutcomeField, OutcomeVocabulary};
/// use enfilade_model::dice::{Dice, ScriptedDice};
///
/// struct Coin;
///
/// impl Combat for Coin {
///     type State = u8;
///     type Outcome = u8;
///     fn initial_state(&self) -> u8 { 0 }
///     fn play_one_step(&self, _: u8, dice: &mut impl Dice) -> u8 { dice.die(2) }
///     fn outcome_if_over(&self, state: &u8) -> Option<u8> { (*state > 0).then_some(*state) }
///     fn vocabulary(&self) -> OutcomeVocabulary<u8> {
///         let side = OutcomeField::new("side", "the side that lies up", |&side: &u8| side.into());
///         let heads = Measure::probability("p_heads", "heads lies up", |&side: &u8| side == 2);
///         OutcomeVocabulary { fields: vec![side], measures: vec![heads] }
///     }
/// }
///
/// let coin = AnyCombat::new(Coin);
/// let ending = coin.play_one_trial(&mut ScriptedDice::new(&[2]), 10).expect("one toss ends it");
/// assert_eq!((ending.fields[0], ending.weights[0]), (2, 1));
/// ```
pub struct AnyCombat {
    erased: Box<dyn ErasedCombat>,
    heads: ResultColumns,
}

opaque!(AnyCombat);

impl AnyCombat {
    /// Wraps another way to play a rule, with the heads of its columns.
    #[doc(hidden)]
    pub fn from_erased_combat(erased: Box<dyn ErasedCombat>, heads: ResultColumns) -> Self {
        AnyCombat { erased, heads }
    }

    /// Returns the fault that occurred while the rule was rolled. After a fault the rule has no
    /// distribution, so callers that compile or play it check for faults before they use the
    /// result.
    pub fn recorded_rule_fault(&self) -> Option<RuleRuntimeError> {
        self.erased.recorded_rule_fault()
    }

    /// Returns the fields of the outcomes and the measures.
    pub fn result_columns(&self) -> &ResultColumns {
        &self.heads
    }

    /// Returns the fields of the outcomes.
    pub fn outcome_fields(&self) -> &[OutcomeFieldHead] {
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
    pub fn counter_count(&self) -> usize {
        let counter =
            |head: &Arc<MeasureHead>| Some(usize::from(head.kind.measured_counter()?) + 1);
        self.heads.measures.iter().filter_map(counter).max().unwrap_or(0)
    }

    /// Shares the storage of fields and measures with other contests of the same `heads`.
    pub fn share_columns_with(&mut self, heads: &ResultColumns) {
        if self.heads == *heads {
            self.heads = heads.clone();
        }
    }

    /// Returns the cache slot that this combat shares with contests of the same transition
    /// structure, if there is one.
    pub fn structure_cache_slot(&self) -> Option<&Arc<SharedStructureSlot>> {
        self.erased.structure_cache_slot()
    }

    /// Creates the numbering of the states, from 0 in the order in which they are first reached.
    pub fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        self.erased.new_state_numbering()
    }

    /// Creates an empty frontier.
    pub fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        self.erased.new_empty_frontier()
    }

    /// Creates an empty frontier whose steps are those of a played trial; `None` if it has none.
    #[doc(hidden)]
    pub fn new_frontier_by_trial_steps(&self) -> Option<Box<dyn FrontierStateSet + '_>> {
        self.erased.new_stepwise_frontier()
    }

    /// Returns the combat with names for its variables, if it has another form with names.
    #[doc(hidden)]
    pub fn with_variable_names(&self) -> Option<AnyCombat> {
        self.erased.with_variable_names()
    }

    /// Finds the named variable with the most values among the first `most` states, and returns its
    /// name and number of values. Only rules in text files have named variables.
    pub fn find_widest_variable(&self, most: u32) -> Option<(String, usize)> {
        self.erased.find_widest_variable(most)
    }

    /// Returns the combats of a chain, each with the number of situations in which it begins; empty
    /// for a combat that is not a chain.
    #[doc(hidden)]
    pub fn chain_combats_and_start_counts(&self) -> Vec<(&AnyCombat, usize)> {
        self.erased.combats_of_chain()
    }

    /// Returns the largest number of a rule in a text file and of its contest.
    #[doc(hidden)]
    pub fn largest_rule_number(&self) -> Option<i64> {
        self.erased.largest_rule_number()
    }

    /// Scales every large number of a rule in a text file by `share`, 0 to 1: a contest of the same
    /// shape with fewer states, for forecasts. `None` for a rule in Rust.
    #[doc(hidden)]
    pub fn scale_numbers_down(&self, share: f64) -> Option<AnyCombat> {
        self.erased.scale_numbers_down(share)
    }

    /// Returns the combat as independent copies, if it declares copies.
    pub fn as_independent_copies(&self) -> Option<TypeErasedCopies<'_>> {
        self.erased.as_independent_copies()
    }

    /// Plays one trial. Returns `None` when the trial is not over after `max_steps` steps or had a
    /// [recorded_rule_fault](AnyCombat::recorded_rule_fault). A contest with decisions has a fault
    /// until it has been compiled.
    pub fn play_one_trial(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.erased.play_one_trial(dice, max_steps, None)
    }

    /// Plays one trial like [`play_one_trial`](AnyCombat::play_one_trial), and fills `left` with
    /// the changed fields of the contest.
    pub(super) fn play_trial_keeping_changes(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: &mut Vec<FieldChange>,
    ) -> Option<Ending> {
        self.erased.play_one_trial(dice, max_steps, Some(left))
    }

    /// Plays one trial and passes each step with its explanation to `listen`, until the combat is
    /// over or `listen` returns `false`.
    pub fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
    ) -> Option<Ending> {
        self.erased.play_with_step_listener(dice, listen, None)
    }

    /// Plays one trial like [`play_with_step_listener`](AnyCombat::play_with_step_listener), and
    /// fills `left` with the changed fields of the contest.
    pub(super) fn play_explain_and_keep_changes(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        left: &mut Vec<FieldChange>,
    ) -> Option<Ending> {
        self.erased.play_with_step_listener(dice, listen, Some(left))
    }
}

/// [`IndependentCopies`](super::independent_copies::IndependentCopies) with their types hidden, as
/// the engines use them.
pub struct TypeErasedCopies<'a> {
    /// Combat of one copy; the first
    /// [`COPY_EFFECT_COUNTS`](super::independent_copies::COPY_EFFECT_COUNTS) fields of its endings
    /// are its effect.
    pub one: AnyCombat,
    /// Number of copies.
    pub count: u32,
    /// Largest counts that matter.
    pub most: CopyEffectCounts,
    /// Ending of the whole for a sum of effects.
    pub together: Box<dyn Fn(&CopyEffectCounts) -> Ending + 'a>,
}

opaque!(TypeErasedCopies<'_>);

impl TypeErasedCopies<'_> {
    /// Returns the effect of a copy with this ending.
    pub fn effect_of_ending(ending: &Ending) -> CopyEffectCounts {
        std::array::from_fn(|i| ending.fields[i] as u16)
    }

    /// Adds two effects, up to the largest counts that matter.
    pub fn add_capped_effects(&self, a: CopyEffectCounts, b: CopyEffectCounts) -> CopyEffectCounts {
        std::array::from_fn(|i| a[i].saturating_add(b[i]).min(self.most[i]))
    }
}

/// Rule that an [`AnyCombat`] plays, in any representation.
#[doc(hidden)]
pub trait ErasedCombat: Send + Sync {
    /// Returns the fault that occurred while the rule was rolled.
    fn recorded_rule_fault(&self) -> Option<RuleRuntimeError> {
        None
    }

    /// Returns the decisions of the players.
    fn decisions(&self) -> &[Decision] {
        &[]
    }

    /// Returns the shared cache slot, like [`AnyCombat::structure_cache_slot`].
    fn structure_cache_slot(&self) -> Option<&Arc<SharedStructureSlot>> {
        None
    }

    /// Creates the numbering of the states, like [`AnyCombat::new_state_numbering`].
    fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_>;

    /// Creates an empty frontier, like [`AnyCombat::new_empty_frontier`].
    fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_>;

    /// Creates an empty frontier, like [`AnyCombat::new_frontier_by_trial_steps`].
    fn new_stepwise_frontier(&self) -> Option<Box<dyn FrontierStateSet + '_>> {
        Some(self.new_empty_frontier())
    }

    /// Returns the same combat with names for its variables, like
    /// [`AnyCombat::with_variable_names`].
    fn with_variable_names(&self) -> Option<AnyCombat> {
        None
    }

    /// Finds the variable with the most values, like [`AnyCombat::find_widest_variable`].
    fn find_widest_variable(&self, _most: u32) -> Option<(String, usize)> {
        None
    }

    /// Returns the combats of a chain, like [`AnyCombat::chain_combats_and_start_counts`].
    fn combats_of_chain(&self) -> Vec<(&AnyCombat, usize)> {
        Vec::new()
    }

    /// Returns the largest number, like [`AnyCombat::largest_rule_number`].
    fn largest_rule_number(&self) -> Option<i64> {
        None
    }

    /// Returns the rule with smaller numbers, like [`AnyCombat::scale_numbers_down`].
    fn scale_numbers_down(&self, _share: f64) -> Option<AnyCombat> {
        None
    }

    /// Returns the combat as independent copies, if it declares copies.
    fn as_independent_copies(&self) -> Option<TypeErasedCopies<'_>> {
        None
    }

    /// Plays one trial, like [`AnyCombat::play_one_trial`]; changed fields are stored in `left` if
    /// the caller passes it.
    fn play_one_trial(
        &self,
        dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending>;

    /// Plays and explains one trial, like [`AnyCombat::play_with_step_listener`]; changed fields
    /// are stored in `left` if the caller passes it.
    fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending>;
}
