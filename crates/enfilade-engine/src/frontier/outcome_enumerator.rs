//! Enumerates the outcomes of one step's dice, each with its weight.

use enfilade_model::dice::Dice;
use enfilade_model::static_or_shared::opaque;

/// Weight of a state.
pub trait StateWeightSum: Copy + Default + Send + Sync {
    /// Adds weight that reaches the same state on another path.
    fn merge_weight(&mut self, other: &Self);
}

/// Dice that a rule rolls at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Throw {
    /// One die with this many sides, for its face.
    Die(u8),
    /// Number of dice and their sides, for the sum.
    Sum(u8, u8),
    /// Number of dice and their sides, where only the reached marks matter: bit v marks the value
    /// v.
    Reach(u8, u8, u64),
    /// Number of dice, their sides and a face: the dice that show at least that face are counted.
    Successes(u8, u8, u8),
}

impl Throw {
    /// Returns the number of dice.
    pub fn number_of_dice(self) -> u8 {
        match self {
            Throw::Die(_) => 1,
            Throw::Sum(count, _) | Throw::Reach(count, ..) | Throw::Successes(count, ..) => count,
        }
    }

    /// Returns the number of sides of each die.
    pub fn sides(self) -> u8 {
        match self {
            Throw::Die(sides)
            | Throw::Sum(_, sides)
            | Throw::Reach(_, sides, _)
            | Throw::Successes(_, sides, _) => sides,
        }
    }

    /// Returns the amount that one die with this face adds.
    pub fn amount_added_by_face(self, face: u8) -> u16 {
        match self {
            Throw::Successes(_, _, least) => u16::from(face >= least),
            _ => face.into(),
        }
    }

    /// Returns the representative of all values that are equivalent to `value`: the least of the
    /// sums that reach the same marks.
    pub fn least_equivalent_value(self, value: u16) -> u16 {
        match self {
            Throw::Reach(count, _, marks) => {
                let reached = marks & (u64::MAX >> (63 - value.min(63)));
                u16::from(count).max(reached.checked_ilog2().unwrap_or(0) as u16)
            }
            _ => value,
        }
    }

    /// Returns the largest possible value.
    pub fn max_value(self) -> usize {
        usize::from(self.amount_added_by_face(self.sides())) * usize::from(self.number_of_dice())
    }
}

/// Few trials: merging them with others would save nothing, so each is played on alone until the
/// combat has advanced.
pub struct TrialsPlayedOnAlone<'a, L> {
    /// Number of trials.
    pub trials: u64,
    /// Weight of one trial.
    pub one: L,
    /// Dice that roll it.
    pub dice: &'a mut dyn Dice,
}

opaque!(TrialsPlayedOnAlone<'_, L>, L);

/// Split of a state's weight over the outcomes of throws.
pub trait OutcomeWeightSplit: Send {
    /// Weight of a state.
    type StateWeight: StateWeightSum;

    /// Splits `load` over the outcomes of `throw`: stores each value that gets any weight, with its
    /// weight.
    fn split_over_throw(
        &mut self,
        load: Self::StateWeight,
        throw: Throw,
        into: &mut Vec<(u16, Self::StateWeight)>,
    );

    /// Returns the weight of a state as few trials, if it is that.
    fn as_few_trials(
        &mut self,
        load: &Self::StateWeight,
    ) -> Option<TrialsPlayedOnAlone<'_, Self::StateWeight>> {
        let _ = load;
        None
    }

    /// Returns the weight of the next state after the amounts `tallied` on the way, by counter.
    fn weight_after_step_tallies(
        &mut self,
        load: Self::StateWeight,
        tallied: &[(u8, i64)],
    ) -> Self::StateWeight {
        let _ = tallied;
        load
    }
}

/// Dice that enumerate all outcomes with any weight, one after another.
pub(super) struct OutcomeEnumerator<S: OutcomeWeightSplit> {
    pub(super) split: S,
    throws: Vec<ThrowWithOutcome>,
    /// Values of the throws on the table with their weights, the outermost throw first.
    values: Vec<(u16, S::StateWeight)>,
    /// Number of throws in the current run, and the weight at its end.
    rolled: usize,
    load: S::StateWeight,
    opening: S::StateWeight,
    tallied: Vec<(u8, i64)>,
    combinations: FaceOutcomeBuffers<S::StateWeight>,
}

/// Buffers for the outcomes of dice that are rolled together.
#[derive(Default)]
struct FaceOutcomeBuffers<L> {
    ways: Vec<(u16, L)>,
    further: Vec<(u16, L)>,
    shown: Vec<(u16, L)>,
    /// Distinct values of `matters`, by the outcome shown for each.
    keys: Vec<u128>,
}

/// Number of ways to fall above which dice are rolled one by one.
const MAX_JOINT_OUTCOMES: u16 = 1 << 7;

/// Throw of a step, and the index of the value that it shows.
struct ThrowWithOutcome {
    throw: Throw,
    first: usize,
    shown: usize,
}

impl<S: OutcomeWeightSplit> OutcomeEnumerator<S> {
    pub(super) fn new(split: S) -> Self {
        let (load, opening) = (S::StateWeight::default(), S::StateWeight::default());
        let (thrown, values, tallied) = (Vec::new(), Vec::new(), Vec::new());
        let ways = FaceOutcomeBuffers::default();
        OutcomeEnumerator {
            split,
            throws: thrown,
            values,
            rolled: 0,
            load,
            opening,
            tallied,
            combinations: ways,
        }
    }

    /// Starts a step from a state with this weight.
    pub(super) fn start_step_with_weight(&mut self, load: S::StateWeight) {
        (self.load, self.opening) = (load, load);
        self.rolled = 0;
        self.tallied.clear();
    }

    /// Returns the weight at the end of the step.
    pub(super) fn weight_at_step_end(&mut self) -> S::StateWeight {
        self.split.weight_after_step_tallies(self.load, &self.tallied)
    }

    /// Advances to the next values. Returns whether there are any.
    pub(super) fn advance_to_next_outcome(&mut self) -> bool {
        self.start_step_with_weight(self.opening);
        while let Some(last) = self.throws.last_mut() {
            last.shown += 1;
            if last.shown < self.values.len() {
                return true;
            }
            self.values.truncate(last.first);
            self.throws.pop();
        }
        false
    }

    #[inline]
    fn value_of_next_throw(&mut self, throw: Throw) -> u16 {
        if self.rolled == self.throws.len() {
            let first = self.values.len();
            self.split.split_over_throw(self.load, throw, &mut self.values);
            self.throws.push(ThrowWithOutcome { throw, first, shown: first });
        }
        self.take_outcome_of_throw(throw)
    }

    #[inline]
    fn take_outcome_of_throw(&mut self, throw: Throw) -> u16 {
        let choice = &self.throws[self.rolled];
        assert!(choice.throw == throw, "a step depends on nothing but its state and the faces");
        let (value, load) = self.values[choice.shown];
        self.rolled += 1;
        self.load = load;
        value
    }

    /// Shows the first of all outcomes of these dice for which `matters` has the same value.
    fn show_first_faces_of_outcome(
        &mut self,
        sides: u8,
        faces: &mut [u8],
        matters: &dyn Fn(&[u8]) -> u128,
    ) {
        let FaceOutcomeBuffers { ways, further, shown, keys } = &mut self.combinations;
        ways.clear();
        ways.push((0, self.load));
        for _ in 0..faces.len() {
            further.clear();
            for &(way, load) in &*ways {
                shown.clear();
                self.split.split_over_throw(load, Throw::Die(sides), shown);
                let on = |&(face, load): &(u16, _)| (way * u16::from(sides) + face - 1, load);
                further.extend(shown.iter().map(on));
            }
            std::mem::swap(ways, further);
        }
        keys.clear();
        let first = self.values.len();
        for &(way, load) in &*ways {
            decode_faces_of_way(way, sides, faces);
            // A list and not a map: a rule distinguishes a handful of values, whatever the dice
            // show.
            let says = matters(faces);
            match keys.iter().position(|key| *key == says) {
                Some(known) => self.values[first + known].1.merge_weight(&load),
                None => {
                    keys.push(says);
                    self.values.push((way, load));
                }
            }
        }
    }
}

/// Decodes one of the ways in which dice can fall; the last die turns fastest.
fn decode_faces_of_way(mut way: u16, sides: u8, faces: &mut [u8]) {
    for face in faces.iter_mut().rev() {
        *face = (way % u16::from(sides)) as u8 + 1;
        way /= u16::from(sides);
    }
}

impl<S: OutcomeWeightSplit> Dice for OutcomeEnumerator<S> {
    fn die(&mut self, sides: u8) -> u8 {
        assert!(sides >= 1, "a die has at least one side");
        self.value_of_next_throw(Throw::Die(sides)) as u8
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        self.value_of_next_throw(Throw::Sum(count, sides))
    }

    fn sum_to_reach(&mut self, count: u8, sides: u8, marks: &[i32]) -> u16 {
        // The value was computed when the dice were thrown.
        if let Some(ThrowWithOutcome { throw: throw @ Throw::Reach(dice, of, _), .. }) =
            self.throws.get(self.rolled)
            && (*dice, *of) == (count, sides)
        {
            return self.take_outcome_of_throw(*throw);
        }
        let throw = Throw::Sum(count, sides);
        if throw.max_value() > 63 {
            return self.value_of_next_throw(throw);
        }
        let marks = marks.iter().filter(|mark| (0..64).contains(*mark));
        let marks = marks.fold(0, |marks, mark| marks | 1 << mark);
        self.value_of_next_throw(Throw::Reach(count, sides, marks))
    }

    fn successes(&mut self, count: u8, sides: u8, least: u8) -> u8 {
        self.value_of_next_throw(Throw::Successes(count, sides, least)) as u8
    }

    fn roll_faces(&mut self, sides: u8, faces: &mut [u8], matters: &dyn Fn(&[u8]) -> u128) {
        let ways = u16::from(sides).checked_pow(faces.len() as u32);
        if ways.is_none_or(|ways| ways > MAX_JOINT_OUTCOMES) {
            return faces.iter_mut().for_each(|face| *face = self.die(sides));
        }
        // The sum identifies these dice just as well.
        let throw = Throw::Sum(faces.len() as u8, sides);
        if self.rolled == self.throws.len() {
            let first = self.values.len();
            self.show_first_faces_of_outcome(sides, faces, matters);
            self.throws.push(ThrowWithOutcome { throw, first, shown: first });
        }
        decode_faces_of_way(self.take_outcome_of_throw(throw), sides, faces);
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.tallied.push((counter, amount.into()));
    }
}
