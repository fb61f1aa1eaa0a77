//! Conversion of a [`Combat`] to the types of the engines.

use std::sync::OnceLock;

use super::any::{AnyCombat, AnyCopies, ErasedCombat};
use super::decisions::{Decision, Guided, Policy, TakenByState};
use super::ending::{Ending, Later, MAX_COLUMNS};
use super::frontier::{Front, Reached, States, Typed, parted};
use super::rule::{Combat, Copies, Effect, Explanation};
use super::state_set::Seen;
use super::vocabulary::{Heads, Measure, Number, OutcomeField, Vocabulary};
use crate::dice::{Dice, Remembered, Roll};
use crate::error::Mishap;

impl AnyCombat {
    /// Hides the types of `combat`.
    ///
    /// # Panics
    /// If its vocabulary has more than [`MAX_COLUMNS`] fields or measures.
    pub fn new<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::known(combat, TypedCombat::declared)
    }

    fn known<C: Combat + 'static>(combat: C, copies: Declared<C>) -> Self {
        let (known, heads) = TypedCombat::new(combat, copies);
        let erased = Box::new(known);
        AnyCombat::of_erased(erased, heads)
    }

    /// Hides the types of `combat` and ignores its [copies](Combat::copies): for a single copy.
    pub(crate) fn single<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::known(combat, |_| None)
    }
}

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
}

/// Combat of one copy, whose outcome is its effect.
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
        let tallies = measures.filter(|measure| measure.head.kind.counter().is_some());
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

struct TypedCombat<C: Combat> {
    combat: C,
    values: Vec<Number<C::Outcome>>,
    weights: Vec<Number<C::Outcome>>,
    copies: Declared<C>,
    decisions: Vec<Decision>,
    policy: Policy<C::State>,
    mishap: OnceLock<Mishap>,
}

/// Function that builds the declared copies of a combat.
type Declared<C> = fn(&TypedCombat<C>) -> Option<AnyCopies<'_>>;

impl<C: Combat> TypedCombat<C> {
    fn new(combat: C, copies: Declared<C>) -> (Self, Heads) {
        let vocabulary = combat.vocabulary();
        assert!(vocabulary.fields.len() <= MAX_COLUMNS);
        assert!(vocabulary.measures.len() <= MAX_COLUMNS);
        let fields = vocabulary.fields.into_iter();
        let (fields, values): (Vec<_>, _) = fields.map(|field| (field.head, field.value)).unzip();
        let measures = vocabulary.measures.into_iter();
        let heads_and_weights = measures.map(|measure| (measure.head.into(), measure.weight));
        let (measures, weights): (Vec<_>, _) = heads_and_weights.unzip();
        let known = TypedCombat {
            decisions: combat.decisions(),
            policy: Policy::default(),
            mishap: OnceLock::new(),
            combat,
            values,
            weights,
            copies,
        };
        let (fields, measures) = (fields.into(), measures.into());
        (known, Heads { fields, measures })
    }

    /// Plays one trial with decisions; also `None` when a decision has no solved option.
    fn decided(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<C::State> {
        let mut dice = Guided::new(dice);
        let mut state = self.combat.open();
        for _ in 0..max_steps {
            if self.combat.outcome(&state).is_some() {
                break;
            }
            dice.begin(self.policy.of(&state));
            state = self.combat.step(state, &mut (&mut dice as &mut dyn Dice));
            self.unless_wrong(dice.mishap())?;
        }
        Some(state)
    }

    /// Returns the ending of a trial, and stores the changed fields if `left` is passed.
    fn ended(&self, state: &C::State, left: Option<&mut Vec<Later>>) -> Option<Ending> {
        let ending = self.ending(state)?;
        if let Some(left) = left {
            *left = self.combat.left(state);
        }
        Some(ending)
    }

    /// Records the first fault.
    fn unless_wrong(&self, mishap: Option<Mishap>) -> Option<()> {
        let Some(mishap) = mishap else {
            return Some(());
        };
        self.mishap.get_or_init(|| mishap);
        None
    }

    fn ending(&self, state: &C::State) -> Option<Ending> {
        Some(self.row(&self.combat.outcome(state)?))
    }

    fn row(&self, outcome: &C::Outcome) -> Ending {
        let mut ending = Ending { fields: [0; MAX_COLUMNS], weights: [0; MAX_COLUMNS] };
        for (place, value) in ending.fields.iter_mut().zip(&self.values) {
            *place = value.of(outcome);
        }
        for (place, weight) in ending.weights.iter_mut().zip(&self.weights) {
            *place = weight.of(outcome);
        }
        ending
    }
}

impl<C: Combat + 'static> TypedCombat<C> {
    fn declared(&self) -> Option<AnyCopies<'_>> {
        let together = |sum: &Effect| {
            let outcome = self.combat.together(sum);
            self.row(&outcome.expect("a combat that declares copies must combine their outcomes"))
        };
        Some(AnyCopies::new(self.combat.copies()?, together))
    }
}

impl<C: Combat + 'static> ErasedCombat for TypedCombat<C> {
    fn fault(&self) -> Option<Mishap> {
        self.mishap.get().cloned()
    }

    fn decisions(&self) -> &[Decision] {
        &self.decisions
    }

    fn states(&self) -> Box<dyn States + '_> {
        Box::new(Numbered::new(self, None))
    }

    fn front(&self) -> Box<dyn Front + '_> {
        Box::new(Typed::new(self, |known, front| Box::new(Numbered::new(known, Some(front)))))
    }

    fn copies(&self) -> Option<AnyCopies<'_>> {
        (self.copies)(self)
    }

    fn play(
        &self,
        mut dice: &mut dyn Dice,
        max_steps: u64,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        // Guided dice look up every state, which contests without decisions need not pay for.
        if !self.decisions.is_empty() {
            return self.ended(&self.decided(dice, max_steps)?, left);
        }
        let mut state = self.combat.open();
        for _ in 0..max_steps {
            if self.combat.outcome(&state).is_some() {
                break;
            }
            state = self.combat.step(state, &mut dice);
        }
        self.ended(&state, left)
    }

    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Explanation) -> bool,
        left: Option<&mut Vec<Later>>,
    ) -> Option<Ending> {
        let mut dice = Guided::new(Remembered::new(dice));
        let mut state = self.combat.open();
        while self.combat.outcome(&state).is_none() {
            dice.begin(self.policy.of(&state));
            let next = self.combat.step(state, &mut (&mut dice as &mut dyn Dice));
            self.unless_wrong(dice.mishap())?;
            let rolls = dice.dice().take();
            let telling = Explanation {
                decided: dice.told(&self.decisions),
                ..self.combat.explain(&state, &rolls, &next)
            };
            if !listen(&rolls, telling) {
                return None;
            }
            state = next;
        }
        self.ended(&state, left)
    }
}

/// Capacity for the states of a small contest, and the largest initial capacity for the successors
/// of a front.
const SOME: usize = 200;
const MANY: usize = 1 << 11;

struct Numbered<'a, C: Combat> {
    known: &'a TypedCombat<C>,
    states: Seen<C::State>,
    /// States that are stepped from, where they differ from those reached.
    front: Option<&'a Seen<C::State>>,
    /// State numbered last: most faces lead to the same state as the face before.
    last: Option<(C::State, u32)>,
}

impl<'a, C: Combat> Numbered<'a, C> {
    fn new(known: &'a TypedCombat<C>, front: Option<&'a Seen<C::State>>) -> Self {
        let room = front.map_or(SOME, |front| (2 * front.len()).clamp(1, MANY));
        let states = Seen::with_room(room);
        Numbered { known, states, front, last: None }
    }

    fn number(&mut self, state: C::State) -> u32 {
        // The frontier engine only tries faces that lead to different states.
        if self.front.is_some() {
            return self.states.number(state);
        }
        if let Some((last, number)) = self.last
            && last == state
        {
            return number;
        }
        let number = self.states.number(state);
        self.last = Some((state, number));
        number
    }
}

impl<C: Combat + 'static> States for Numbered<'_, C> {
    fn open(&mut self) -> u32 {
        self.number(self.known.combat.open())
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        self.known.ending(&self.states[state])
    }

    fn left(&self, state: u32) -> Vec<Later> {
        self.known.combat.left(&self.states[state])
    }

    fn step(&mut self, state: u32, mut dice: &mut dyn Dice) -> u32 {
        let from = self.front.unwrap_or(&self.states);
        let next = self.known.combat.step(from[state], &mut dice);
        self.number(next)
    }

    fn run(&mut self, state: u32, mut dice: &mut dyn Dice, most: u32) -> u32 {
        let combat = &self.known.combat;
        let mut state = self.front.unwrap_or(&self.states)[state];
        let headway = combat.headway(&state);
        for _ in 0..most {
            state = combat.step(state, &mut dice);
            if combat.outcome(&state).is_some() || combat.headway(&state) != headway {
                break;
            }
        }
        self.number(state)
    }

    fn reached(&self) -> usize {
        self.states.len()
    }

    fn parts(self: Box<Self>) -> Reached {
        let Numbered { known, states, .. } = *self;
        parted(states, |state| known.ending(state), |state| known.combat.headway(state))
    }

    fn keep(&self, decided: TakenByState) {
        let by_state = decided.into_iter();
        let by_state = by_state.map(|(state, taken)| (self.states[state], taken));
        self.known.policy.keep(by_state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::combat::{Measure, OutcomeField, Vocabulary};
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
        assert_eq!((ending.fields[0], ending.weights[0], ending.weights[1]), (2, 0, 2));
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
