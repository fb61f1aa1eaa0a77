//! A combat without its types: states by number, results as rows of integers.
//!
//! So there is one compiled copy of each engine, and a contest is a value. The price is a virtual
//! call for each die while a graph is built and for each trial that is played.

use std::sync::{Arc, OnceLock};

use super::copies::{AnyCopies, Effect};
use super::decisions::{Decision, Guided, Policy, TakenByState};
use super::fronts::{Front, Reached, Seen, Typed, parted};
use super::vocabulary::Number;
use super::{Combat, Ending, FieldHead, Heads, MAX_COLUMNS, MeasureHead, MeasureKind, Telling};
use crate::dice::{Dice, Remembered, Roll};
use crate::error::Mishap;
use crate::packed::BuildPacked;
use crate::shared::opaque;

/// A combat whose own types are hidden: what the catalogue hands out and the engines play.
///
/// Every [`Combat`] becomes one through [`AnyCombat::new`].
pub struct AnyCombat {
    hidden: Box<dyn Hidden>,
    heads: Heads,
}

opaque!(AnyCombat);

impl AnyCombat {
    /// Hides the types of `combat`.
    ///
    /// # Panics
    /// If its vocabulary has more than [`MAX_COLUMNS`] fields or measures.
    pub fn new<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::known(combat, Known::declared)
    }

    fn known<C: Combat + 'static>(combat: C, copies: Declared<C>) -> Self {
        let (known, heads) = Known::new(combat, copies);
        let hidden = Box::new(known);
        AnyCombat::of_hidden(hidden, heads)
    }

    /// What plays a rule in a way of its own, with the heads of what it reports.
    pub(crate) fn of_hidden(hidden: Box<dyn Hidden>, heads: Heads) -> Self {
        AnyCombat { hidden, heads }
    }

    /// What went wrong while the rule was rolled: from then on it shows no law. Whoever compiled or
    /// played it asks before the result is used.
    pub fn fault(&self) -> Option<Mishap> {
        self.hidden.fault()
    }

    /// The same without the [copies](Combat::copies) it may declare: for a single copy.
    pub(crate) fn single<C: Combat + 'static>(combat: C) -> Self {
        AnyCombat::known(combat, |_| None)
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
        self.hidden.decisions()
    }

    /// How many counters its measures ask for: one more than the highest.
    pub fn counters(&self) -> usize {
        let counter = |head: &Arc<MeasureHead>| match head.kind {
            MeasureKind::Tally(counter) => Some(usize::from(counter) + 1),
            _ => None,
        };
        self.heads.measures.iter().filter_map(counter).max().unwrap_or(0)
    }

    /// Holds what it has in common with `other`, its fields and measures, only once with it.
    pub fn beside(&mut self, other: &AnyCombat) {
        if self.heads == other.heads {
            self.heads = other.heads.clone();
        }
    }

    /// Numbers its states, from 0 in the order in which they are first reached.
    pub fn states(&self) -> Box<dyn States + '_> {
        self.hidden.states()
    }

    /// A front with none of its states in it.
    pub fn front(&self) -> Box<dyn Front + '_> {
        self.hidden.front()
    }

    /// The combat as independent copies, if it declares to be that.
    pub fn copies(&self) -> Option<AnyCopies<'_>> {
        self.hidden.copies()
    }

    /// Plays one trial; `None` when it is not over after `max_steps` steps, or went
    /// [wrong](AnyCombat::fault): so does one in which players decide, until it has been compiled.
    pub fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        self.hidden.play(dice, max_steps)
    }

    /// Plays one trial and hands each step, told in words, to `listen`, until the combat is over
    /// or `listen` returns `false`.
    pub fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending> {
        self.hidden.narrate(dice, listen)
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

    /// Plays on from a state that is not over, at most so many steps, as long as the combat comes no
    /// [further](super::Combat::headway): what is passed on the way gets no number.
    fn run(&mut self, state: u32, dice: &mut dyn Dice, most: u32) -> u32;

    /// How many states have been reached so far.
    fn reached(&self) -> usize;

    /// The states reached, parted for the fronts that they belong to.
    fn parts(self: Box<Self>) -> Reached;

    /// Keeps what is decided in the steps from some of the states, so that it is known when the
    /// combat is played. A combat in which nobody decides has nothing to keep.
    fn keep(&self, _decided: TakenByState) {}
}

/// A rule as an [`AnyCombat`] plays it, whatever it is made of.
pub(crate) trait Hidden: Send + Sync {
    /// What went wrong while it was rolled.
    fn fault(&self) -> Option<Mishap> {
        None
    }

    /// What its players decide.
    fn decisions(&self) -> &[Decision] {
        &[]
    }

    /// Numbers its states, as [`AnyCombat::states`].
    fn states(&self) -> Box<dyn States + '_>;

    /// A front with none of its states in it, as [`AnyCombat::front`].
    fn front(&self) -> Box<dyn Front + '_>;

    /// The same as independent copies, if it declares to be that.
    fn copies(&self) -> Option<AnyCopies<'_>> {
        None
    }

    /// Plays one trial, as [`AnyCombat::play`].
    fn play(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending>;

    /// Plays one trial and tells it, as [`AnyCombat::narrate`].
    fn narrate(
        &self,
        dice: &mut dyn Dice,
        listen: &mut dyn FnMut(&[Roll], Telling) -> bool,
    ) -> Option<Ending>;
}

struct Known<C: Combat> {
    combat: C,
    values: Vec<Number<C::Outcome>>,
    weights: Vec<Number<C::Outcome>>,
    copies: Declared<C>,
    decisions: Vec<Decision>,
    policy: Policy<C::State>,
    mishap: OnceLock<Mishap>,
}

/// How a combat says what copies it is made of.
type Declared<C> = fn(&Known<C>) -> Option<AnyCopies<'_>>;

impl<C: Combat> Known<C> {
    fn new(combat: C, copies: Declared<C>) -> (Self, Heads) {
        let vocabulary = combat.vocabulary();
        assert!(vocabulary.fields.len() <= MAX_COLUMNS);
        assert!(vocabulary.measures.len() <= MAX_COLUMNS);
        let fields = vocabulary.fields.into_iter();
        let (fields, values): (Vec<_>, _) = fields.map(|field| (field.head, field.value)).unzip();
        let measures = vocabulary.measures.into_iter();
        let heads_and_weights = measures.map(|measure| (measure.head.into(), measure.weight));
        let (measures, weights): (Vec<_>, _) = heads_and_weights.unzip();
        let known = Known {
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

    /// Plays one trial in which players decide; `None` too when they cannot.
    fn decided(&self, dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
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
        self.ending(&state)
    }

    /// Notes what went wrong, the first time that something does.
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

impl<C: Combat + 'static> Known<C> {
    fn declared(&self) -> Option<AnyCopies<'_>> {
        let together = |sum: &Effect| {
            let outcome = self.combat.together(sum);
            self.row(&outcome.expect("a combat that declares copies tells what they come to"))
        };
        Some(AnyCopies::new(self.combat.copies()?, together))
    }
}

impl<C: Combat + 'static> Hidden for Known<C> {
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

    fn play(&self, mut dice: &mut dyn Dice, max_steps: u64) -> Option<Ending> {
        if !self.decisions.is_empty() {
            return self.decided(dice, max_steps);
        }
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
        let mut dice = Guided::new(Remembered::new(dice));
        let mut state = self.combat.open();
        while self.combat.outcome(&state).is_none() {
            dice.begin(self.policy.of(&state));
            let next = self.combat.step(state, &mut (&mut dice as &mut dyn Dice));
            self.unless_wrong(dice.mishap())?;
            let rolls = dice.dice().take();
            let telling = Telling {
                decided: dice.told(&self.decisions),
                ..self.combat.tell(&state, &rolls, &next)
            };
            if !listen(&rolls, telling) {
                return None;
            }
            state = next;
        }
        self.ending(&state)
    }
}

/// Room for the states of a small contest.
const SOME: usize = 200;

struct Numbered<'a, C: Combat> {
    known: &'a Known<C>,
    states: Seen<C::State>,
    /// What is stepped from, where that is not what was reached.
    front: Option<&'a Seen<C::State>>,
    /// The last one numbered: most faces lead where the face before them led.
    last: Option<(C::State, u32)>,
}

impl<'a, C: Combat> Numbered<'a, C> {
    fn new(known: &'a Known<C>, front: Option<&'a Seen<C::State>>) -> Self {
        let states = Seen::with_capacity_and_hasher(SOME, BuildPacked::default());
        Numbered { known, states, front, last: None }
    }

    fn number(&mut self, state: C::State) -> u32 {
        if let Some((last, number)) = self.last
            && last == state
        {
            return number;
        }
        let (number, _) = self.states.insert_full(state);
        let number = u32::try_from(number).expect("the graph's limit on states is far below 2^32");
        self.last = Some((state, number));
        number
    }
}

impl<C: Combat + 'static> States for Numbered<'_, C> {
    fn open(&mut self) -> u32 {
        self.number(self.known.combat.open())
    }

    fn ending(&self, state: u32) -> Option<Ending> {
        self.known.ending(&self.states[state as usize])
    }

    fn step(&mut self, state: u32, mut dice: &mut dyn Dice) -> u32 {
        let from = self.front.unwrap_or(&self.states);
        let next = self.known.combat.step(from[state as usize], &mut dice);
        self.number(next)
    }

    fn run(&mut self, state: u32, mut dice: &mut dyn Dice, most: u32) -> u32 {
        let combat = &self.known.combat;
        let mut state = self.front.unwrap_or(&self.states)[state as usize];
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
        let ending = |number| self.ending(number);
        parted(&self.states, ending, |state| self.known.combat.headway(state))
    }

    fn keep(&self, decided: TakenByState) {
        let by_state = decided.into_iter();
        let by_state = by_state.map(|(state, taken)| (self.states[state as usize], taken));
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
