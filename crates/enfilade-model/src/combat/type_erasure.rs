//! Conversion of a [`Combat`] to the types of the engines.

use std::sync::OnceLock;

use super::any_combat::{AnyCombat, ErasedCombat, TypeErasedCopies};
use super::decisions::{ChosenOptionsByState, Decision, DiceAnsweringDecisions, SolvedPolicy};
use super::ending::{Ending, FieldChange, MAX_OUTCOME_COLUMNS};
use super::frontier::{
    EndingsAndFrontierParts, FrontierStateSet, StateNumbering, TypedStateFrontier,
    split_endings_and_parts,
};
use super::rule::{Combat, CombatStepExplanation, CopyEffectCounts, IndependentCopies};
use super::state_set::StateSet;
use super::vocabulary::{Measure, OutcomeField, OutcomeNumberFn, OutcomeVocabulary, ResultColumns};
use crate::dice::{Dice, RecordingDice, RolledDie};
use crate::error::RuleRuntimeError;

impl AnyCombat {
    /// Hides the types of `combat`.
    ///
    /// # Panics
    /// If its vocabulary has more than [`MAX_OUTCOME_COLUMNS`] fields or measures.
    pub fn new<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::with_copies_builder(combat, TypedCombat::declared_copies)
    }

    fn with_copies_builder<C: Combat + 'static>(
        combat: C,
        copies: CombatCopiesBuilderFn<C>,
    ) -> Self {
        let (typed_combat, heads) = TypedCombat::new(combat, copies);
        let erased = Box::new(typed_combat);
        AnyCombat::from_erased_combat(erased, heads)
    }

    /// Hides the types of `combat` and ignores its
    /// [as_independent_copies](Combat::as_independent_copies): for a single copy.
    pub(crate) fn new_ignoring_copies<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::with_copies_builder(combat, |_| None)
    }
}

impl<'a> TypeErasedCopies<'a> {
    /// Hides the types of `copies`.
    pub fn new<C: Combat + 'static>(
        copies: IndependentCopies<C>,
        together: impl Fn(&CopyEffectCounts) -> Ending + 'a,
    ) -> Self {
        let (one, effect) = (copies.one, copies.effect);
        TypeErasedCopies {
            one: AnyCombat::new_ignoring_copies(SingleCopyCombat { one, effect }),
            count: copies.count,
            most: copies.most,
            together: Box::new(together),
        }
    }
}

/// Combat of one copy, whose outcome is its effect.
struct SingleCopyCombat<C: Combat> {
    one: C,
    effect: fn(&C::Outcome) -> CopyEffectCounts,
}

impl<C: Combat> Combat for SingleCopyCombat<C> {
    type State = C::State;
    type Outcome = CopyEffectCounts;

    fn initial_state(&self) -> C::State {
        self.one.initial_state()
    }

    fn play_one_step(&self, state: C::State, dice: &mut impl Dice) -> C::State {
        self.one.play_one_step(state, dice)
    }

    fn progress(&self, state: &C::State) -> u32 {
        self.one.progress(state)
    }

    fn outcome_if_over(&self, state: &C::State) -> Option<CopyEffectCounts> {
        let outcome = self.one.outcome_if_over(state)?;
        Some((self.effect)(&outcome))
    }

    fn vocabulary(&self) -> OutcomeVocabulary<CopyEffectCounts> {
        let count = OutcomeField::new;
        let measures = self.one.vocabulary().measures.into_iter();
        let tallies = measures.filter(|measure| measure.head.kind.measured_counter().is_some());
        let counting = |measure: Measure<C::Outcome>| Measure {
            head: measure.head,
            weight: OutcomeNumberFn::Count(|_| 0),
        };
        OutcomeVocabulary {
            fields: vec![
                count("first", "first count", |effect: &CopyEffectCounts| effect[0].into()),
                count("second", "second count", |effect| effect[1].into()),
                count("third", "third count", |effect| effect[2].into()),
                count("fourth", "fourth count", |effect| effect[3].into()),
            ],
            measures: tallies.map(counting).collect(),
        }
    }
}

struct TypedCombat<C: Combat> {
    combat: C,
    values: Vec<OutcomeNumberFn<C::Outcome>>,
    weights: Vec<OutcomeNumberFn<C::Outcome>>,
    copies: CombatCopiesBuilderFn<C>,
    decisions: Vec<Decision>,
    policy: SolvedPolicy<C::State>,
    error: OnceLock<RuleRuntimeError>,
}

/// Function that builds the declared copies of a combat.
type CombatCopiesBuilderFn<C> = fn(&TypedCombat<C>) -> Option<TypeErasedCopies<'_>>;

impl<C: Combat> TypedCombat<C> {
    fn new(combat: C, copies: CombatCopiesBuilderFn<C>) -> (Self, ResultColumns) {
        let vocabulary = combat.vocabulary();
        assert!(vocabulary.fields.len() <= MAX_OUTCOME_COLUMNS);
        assert!(vocabulary.measures.len() <= MAX_OUTCOME_COLUMNS);
        let fields = vocabulary.fields.into_iter();
        let (fields, values): (Vec<_>, _) = fields.map(|field| (field.head, field.value)).unzip();
        let measures = vocabulary.measures.into_iter();
        let heads_and_weights = measures.map(|measure| (measure.head.into(), measure.weight));
        let (measures, weights): (Vec<_>, _) = heads_and_weights.unzip();
        let typed_combat = TypedCombat {
            decisions: combat.decisions(),
            policy: SolvedPolicy::default(),
            error: OnceLock::new(),
            combat,
            values,
            weights,
            copies,
        };
        let (fields, measures) = (fields.into(), measures.into());
        (typed_combat, ResultColumns { fields, measures })
    }

    /// Plays one trial with decisions; also `None` when a decision has no solved option.
    fn play_trial_with_policy(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<C::State> {
        let mut dice = DiceAnsweringDecisions::new(dice);
        let mut state = self.combat.initial_state();
        for _ in 0..max_steps {
            if self.combat.outcome_if_over(&state).is_some() {
                break;
            }
            dice.start_step_with_options(self.policy.chosen_options_in(&state));
            state = self.combat.play_one_step(state, &mut (&mut dice as &mut dyn Dice));
            self.record_first_fault(dice.unsolved_decision_error())?;
        }
        Some(state)
    }

    /// Returns the ending of a trial, and stores the changed fields if `left` is passed.
    fn ending_storing_changes(
        &self,
        state: &C::State,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let ending = self.ending_of_state(state)?;
        if let Some(left) = left {
            *left = self.combat.field_changes(state);
        }
        Some(ending)
    }

    /// Records the first fault.
    fn record_first_fault(&self, error: Option<RuleRuntimeError>) -> Option<()> {
        let Some(error) = error else {
            return Some(());
        };
        self.error.get_or_init(|| error);
        None
    }

    fn ending_of_state(&self, state: &C::State) -> Option<Ending> {
        Some(self.build_ending_row(&self.combat.outcome_if_over(state)?))
    }

    fn build_ending_row(&self, outcome: &C::Outcome) -> Ending {
        let mut ending =
            Ending { fields: [0; MAX_OUTCOME_COLUMNS], weights: [0; MAX_OUTCOME_COLUMNS] };
        for (place, value) in ending.fields.iter_mut().zip(&self.values) {
            *place = value.compute_for_outcome(outcome);
        }
        for (place, weight) in ending.weights.iter_mut().zip(&self.weights) {
            *place = weight.compute_for_outcome(outcome);
        }
        ending
    }
}

impl<C: Combat + 'static> TypedCombat<C> {
    fn declared_copies(&self) -> Option<TypeErasedCopies<'_>> {
        let together = |sum: &CopyEffectCounts| {
            let outcome = self.combat.outcome_of_sum(sum);
            self.build_ending_row(
                &outcome.expect("a combat that declares copies must combine their outcomes"),
            )
        };
        Some(TypeErasedCopies::new(self.combat.as_independent_copies()?, together))
    }
}

impl<C: Combat + 'static> ErasedCombat for TypedCombat<C> {
    fn recorded_rule_fault(&self) -> Option<RuleRuntimeError> {
        self.error.get().cloned()
    }

    fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    fn new_state_numbering(&self) -> Box<dyn StateNumbering + '_> {
        Box::new(NumberedStates::new(self, None))
    }

    fn new_empty_frontier(&self) -> Box<dyn FrontierStateSet + '_> {
        Box::new(TypedStateFrontier::new(self, |known, front| {
            Box::new(NumberedStates::new(known, Some(front)))
        }))
    }

    fn as_independent_copies(&self) -> Option<TypeErasedCopies<'_>> {
        (self.copies)(self)
    }

    fn play_one_trial(
        &self,
        mut dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        // Guided dice look up every state, which contests without decisions need not pay for.
        if !self.decisions.is_empty() {
            return self
                .ending_storing_changes(&self.play_trial_with_policy(dice, max_steps)?, left);
        }
        let mut state = self.combat.initial_state();
        for _ in 0..max_steps {
            if self.combat.outcome_if_over(&state).is_some() {
                break;
            }
            state = self.combat.play_one_step(state, &mut dice);
        }
        self.ending_storing_changes(&state, left)
    }

    fn play_with_step_listener(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[RolledDie], CombatStepExplanation) -> bool,
        left: Option<&mut Vec<FieldChange>>,
    ) -> Option<Ending> {
        let mut dice = DiceAnsweringDecisions::new(RecordingDice::new(dice));
        let mut state = self.combat.initial_state();
        while self.combat.outcome_if_over(&state).is_none() {
            dice.start_step_with_options(self.policy.chosen_options_in(&state));
            let next = self.combat.play_one_step(state, &mut (&mut dice as &mut dyn Dice));
            self.record_first_fault(dice.unsolved_decision_error())?;
            let rolls = dice.inner_dice_mut().drain_rolled_dice();
            let telling = CombatStepExplanation {
                decided: dice.explain_step_decisions(&self.decisions),
                ..self.combat.explain_step(&state, &rolls, &next)
            };
            if !listen(&rolls, telling) {
                return None;
            }
            state = next;
        }
        self.ending_storing_changes(&state, left)
    }
}

/// Capacity for the states of a small contest, and the largest initial capacity for the successors
/// of a front.
const SMALL_STATE_CAPACITY: usize = 200;
const LARGE_STATE_CAPACITY: usize = 1 << 11;

struct NumberedStates<'a, C: Combat> {
    combat: &'a TypedCombat<C>,
    states: StateSet<C::State>,
    /// States that are stepped from, where they differ from those reached.
    front: Option<&'a StateSet<C::State>>,
    /// State numbered last: most faces lead to the same state as the face before.
    last: Option<(C::State, u32)>,
}

impl<'a, C: Combat> NumberedStates<'a, C> {
    fn new(combat: &'a TypedCombat<C>, front: Option<&'a StateSet<C::State>>) -> Self {
        let room = front
            .map_or(SMALL_STATE_CAPACITY, |front| (2 * front.len()).clamp(1, LARGE_STATE_CAPACITY));
        let states = StateSet::with_state_capacity(room);
        NumberedStates { combat, states, front, last: None }
    }

    fn number_of_state(&mut self, state: C::State) -> u32 {
        // The frontier engine only tries faces that lead to different states.
        if self.front.is_some() {
            return self.states.insert_and_get_number(state);
        }
        if let Some((last, number)) = self.last
            && last == state
        {
            return number;
        }
        let number = self.states.insert_and_get_number(state);
        self.last = Some((state, number));
        number
    }
}

impl<C: Combat + 'static> StateNumbering for NumberedStates<'_, C> {
    fn initial_state(&mut self) -> u32 {
        self.number_of_state(self.combat.combat.initial_state())
    }

    fn ending_of_state(&self, state: u32) -> Option<Ending> {
        self.combat.ending_of_state(&self.states[state])
    }

    fn changes_in_final_state(&self, state: u32) -> Vec<FieldChange> {
        self.combat.combat.field_changes(&self.states[state])
    }

    fn play_one_step(&mut self, state: u32, mut dice: &mut dyn Dice) -> u32 {
        let from = self.front.unwrap_or(&self.states);
        let next = self.combat.combat.play_one_step(from[state], &mut dice);
        self.number_of_state(next)
    }

    fn step_until_progress(&mut self, state: u32, mut dice: &mut dyn Dice, most: u32) -> u32 {
        let combat = &self.combat.combat;
        let mut state = self.front.unwrap_or(&self.states)[state];
        let headway = combat.progress(&state);
        for _ in 0..most {
            state = combat.play_one_step(state, &mut dice);
            if combat.outcome_if_over(&state).is_some() || combat.progress(&state) != headway {
                break;
            }
        }
        self.number_of_state(state)
    }

    fn reached_state_count(&self) -> usize {
        self.states.len()
    }

    fn into_endings_and_front_parts(self: Box<Self>) -> EndingsAndFrontierParts {
        let NumberedStates { combat: typed_combat, states, .. } = *self;
        split_endings_and_parts(
            states,
            |state| typed_combat.ending_of_state(state),
            |state| typed_combat.combat.progress(state),
        )
    }

    fn record_chosen_options(&self, decided: ChosenOptionsByState) {
        let by_state = decided.into_iter();
        let by_state = by_state.map(|(state, options)| (self.states[state], options));
        self.combat.policy.store_solved_options(by_state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combat::{Measure, OutcomeField, OutcomeVocabulary};
    use crate::dice::ScriptedDice;

    /// Rolls until a 6.
    struct UntilSix;

    impl Combat for UntilSix {
        type State = (u8, bool);
        type Outcome = u8;

        fn initial_state(&self) -> (u8, bool) {
            (0, false)
        }

        fn play_one_step(&self, (rolled, _): (u8, bool), dice: &mut impl Dice) -> (u8, bool) {
            (rolled + 1, dice.die(6) == 6)
        }

        fn outcome_if_over(&self, &(rolled, six): &(u8, bool)) -> Option<u8> {
            six.then_some(rolled)
        }

        fn vocabulary(&self) -> OutcomeVocabulary<u8> {
            OutcomeVocabulary {
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
        let ending = combat.play_one_trial(&mut ScriptedDice::new(&[3, 6]), 10);
        let ending = ending.expect("two rolls end it");
        assert_eq!((ending.fields[0], ending.weights[0], ending.weights[1]), (2, 0, 2));
        assert_eq!(combat.play_one_trial(&mut ScriptedDice::new(&[1, 1, 1]), 3), None);
    }

    #[test]
    fn states_are_numbered_in_order_of_first_sight() {
        let combat = AnyCombat::new(UntilSix);
        let mut states = combat.new_state_numbering();
        let open = states.initial_state();
        let missed = states.play_one_step(open, &mut ScriptedDice::new(&[2]));
        let again = states.play_one_step(open, &mut ScriptedDice::new(&[4]));
        let six = states.play_one_step(missed, &mut ScriptedDice::new(&[6]));
        assert_eq!((open, missed, again, six), (0, 1, 1, 2));
        assert!(states.ending_of_state(missed).is_none() && states.ending_of_state(six).is_some());
        assert_eq!(states.reached_state_count(), 3);
    }

    #[test]
    fn a_listener_can_stop_the_telling() {
        let combat = AnyCombat::new(UntilSix);
        let mut heard = Vec::new();
        let mut dice = ScriptedDice::new(&[1, 2, 3]);
        let ending = combat.play_with_step_listener(&mut dice, &mut |rolls, _| {
            heard.push(rolls[0].face);
            heard.len() < 2
        });
        assert_eq!((ending, heard), (None, vec![1, 2]));
    }
}
