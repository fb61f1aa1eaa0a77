//! The only interface through which chance, and a player's choice, enter a rule, and dice with
//! faces that are fixed in advance.
//!
//! A rule requests a die and receives a face. It does not depend on the source: the die graph
//! answers with every face in turn, the players' dice with a random one, [`ScriptedDice`] with the
//! faces of a worked example. Random dice are in the engine that rolls them,
//! `enfilade_engine::play`.
//!
//! Decisions are requested from the same source as dice, and tallies are passed to it:
//!
//! ```
//! use enfilade_model::dice::{Dice, ScriptedDice};
//! /// Rolls a d6 as often as the player likes, at most three times, and counts the rolls.
//! fn roll(dice: &mut impl Dice) -> u8 {
//!     let mut face = dice.die(6);
//!     for _ in 0..2 {
//!         dice.tally(0, 1);
//!         if dice.choose(0, 2) == 1 {
//!             break;
//!         }
//!         face = dice.die(6);
//!     }
//!     face
//! }
//! // The player rolls a 3, rolls again, and keeps the 5.
//! let mut dice = ScriptedDice::new(&[3, 5]).with_player_choices(&[2, 1]);
//! assert_eq!((roll(&mut dice), dice.find_mismatch()), (5, None));
//! ```

pub use crate::open_options::OpenOptions;

/// Source of single dice, which also answers for the players.
///
/// ```
/// use enfilade_model::dice::{Dice, ScriptedDice};
/// /// The sum of two dice of six.
/// fn sum(dice: &mut impl Dice) -> u8 { dice.die(6) + dice.die(6) }
/// assert_eq!(sum(&mut ScriptedDice::new(&[3, 5])), 8);
/// ```
pub trait Dice {
    /// Rolls one die and returns its face, in `1..=sides`.
    ///
    /// `sides` is at least 1.
    fn die(&mut self, sides: u8) -> u8;

    /// Rolls equal dice and adds them up. A rule uses this where only the sum matters, so that
    /// exact engines can step by the distribution of the sum.
    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        (0..count).map(|_| u16::from(self.die(sides))).sum()
    }

    /// Rolls equal dice and adds them up, where only the reached `marks` matter. Exact engines may
    /// return one sum for all that reach the same marks.
    fn sum_to_reach(&mut self, count: u8, sides: u8, marks: &[i32]) -> u16 {
        let _ = marks;
        self.sum(count, sides)
    }

    /// Rolls equal dice and counts those that show `least` or more. A rule uses this where only the
    /// number matters, as with [`sum`](Dice::sum).
    fn successes(&mut self, count: u8, sides: u8, least: u8) -> u8 {
        (0..count).map(|_| u8::from(self.die(sides) >= least)).sum()
    }

    /// Rolls equal dice and adds them up, or counts those that show `least` or more. A step in
    /// which all of them are rolled at once uses this: the graph then has no state between them.
    #[doc(hidden)]
    fn pool_sum_or_successes(&mut self, count: u8, sides: u8, least: Option<u8>) -> u16 {
        match least {
            None => self.sum(count, sides),
            Some(least) => self.successes(count, sides, least).into(),
        }
    }

    /// Rolls equal dice and stores the face of each, where only the value of `matters` for the
    /// faces matters. Exact engines may return one roll for all with the same value.
    fn roll_faces(&mut self, sides: u8, faces: &mut [u8], matters: &dyn Fn(&[u8]) -> u128) {
        let _ = matters;
        faces.iter_mut().for_each(|face| *face = self.die(sides));
    }

    /// Returns the option that the player takes, in `1..=options`: the best for the goal that the
    /// combat [declares](crate::combat::Combat::decisions) under the index `decision`.
    ///
    /// A step requests its decisions before it rolls its first die, because the best option is
    /// solved for a state. Plain dice have no goal: they take the first option.
    fn choose(&mut self, _decision: u8, _options: u8) -> u8 {
        1
    }

    /// Returns the option that the player takes as [`choose`](Dice::choose) does, where only some
    /// of the options are open; at least one is.
    fn choose_among_open(&mut self, decision: u8, options: u8, open: OpenOptions) -> u8 {
        let option = self.choose(decision, options);
        if open.contains(option) { option } else { open.first().unwrap_or(1) }
    }

    /// Rolls a die by which a player draws an option that nobody may foresee. No rule rolls it, so
    /// a record of the rolls leaves it out.
    #[doc(hidden)]
    fn option_draw_die(&mut self, sides: u8) -> u8 {
        self.die(sides)
    }

    /// Adds to a count that is not part of the state: only its mean is used, by the measures that
    /// name the [counter](crate::combat::Measure::mean_of_tally). Counters that no measure uses are
    /// not counted.
    fn tally(&mut self, _counter: u8, _amount: i32) {}
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn die(&mut self, sides: u8) -> u8 {
        (**self).die(sides)
    }

    fn sum(&mut self, count: u8, sides: u8) -> u16 {
        (**self).sum(count, sides)
    }

    fn sum_to_reach(&mut self, count: u8, sides: u8, marks: &[i32]) -> u16 {
        (**self).sum_to_reach(count, sides, marks)
    }

    fn successes(&mut self, count: u8, sides: u8, least: u8) -> u8 {
        (**self).successes(count, sides, least)
    }

    fn pool_sum_or_successes(&mut self, count: u8, sides: u8, least: Option<u8>) -> u16 {
        (**self).pool_sum_or_successes(count, sides, least)
    }

    fn roll_faces(&mut self, sides: u8, faces: &mut [u8], matters: &dyn Fn(&[u8]) -> u128) {
        (**self).roll_faces(sides, faces, matters);
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        (**self).choose(decision, options)
    }

    fn choose_among_open(&mut self, decision: u8, options: u8, open: OpenOptions) -> u8 {
        (**self).choose_among_open(decision, options, open)
    }

    fn option_draw_die(&mut self, sides: u8) -> u8 {
        (**self).option_draw_die(sides)
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        (**self).tally(counter, amount);
    }
}

/// Die that was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RolledDie {
    /// Number of faces of the die.
    pub sides: u8,
    /// Face that the die showed, `1..=sides`.
    pub face: u8,
}

/// Dice that show given faces in order, to replay the worked examples of a rulebook.
///
/// A rule with decisions also needs a script of [options](ScriptedDice::with_player_choices). A
/// script that does not fit the rule is recorded, and never panics: see
/// [`ScriptedDice::find_mismatch`].
///
/// ```
/// use enfilade_model::dice::{Dice, ScriptedDice};
/// let mut dice = ScriptedDice::new(&[3, 5]);
/// assert_eq!(dice.die(6) + dice.die(6), 8);
/// assert_eq!(dice.find_mismatch(), None);
/// ```
#[derive(Clone, Debug)]
pub struct ScriptedDice<'a> {
    faces: &'a [u8],
    used: usize,
    options: &'a [u8],
    chosen: usize,
    misfit: Option<ScriptMismatch>,
}

/// First difference between a script and the dice that a rule requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptMismatch {
    /// The rule requested more dice than the script has.
    #[error("the script has {given} dice, but a d{sides} is still to be rolled")]
    RanOut {
        /// Dice in the script.
        given: usize,
        /// Sides of the requested die.
        sides: u8,
    },
    /// The script has a face that the die does not have.
    #[error("die {position} of the script shows {face}, but a d{sides} is rolled there")]
    NoSuchFace {
        /// Position in the script, counted from 1.
        position: usize,
        /// Sides of the requested die.
        sides: u8,
        /// Face in the script.
        face: u8,
    },
    /// The rule requested more decisions than the script has.
    #[error("the script has {given} decisions, but there is one more to be made")]
    Undecided {
        /// Decisions in the script.
        given: usize,
    },
    /// The script has an option that does not exist.
    #[error("decision {position} of the script is {option}, but there are {options} options")]
    NoSuchOption {
        /// Position in the script, counted from 1.
        position: usize,
        /// Options of the requested decision.
        options: u8,
        /// Option in the script.
        option: u8,
    },
}

impl<'a> ScriptedDice<'a> {
    /// Creates dice that will show `faces`, first to last.
    pub fn new(faces: &'a [u8]) -> Self {
        ScriptedDice { faces, used: 0, options: &[], chosen: 0, misfit: None }
    }

    /// Sets the options that the players take, first to last.
    #[must_use]
    pub fn with_player_choices(self, options: &'a [u8]) -> Self {
        ScriptedDice { options, ..self }
    }

    /// Returns the number of faces used.
    pub fn used_face_count(&self) -> usize {
        self.used
    }

    /// Returns the first die or decision that did not fit the script, if there was one. From there
    /// on every die shows 1.
    pub fn find_mismatch(&self) -> Option<ScriptMismatch> {
        self.misfit
    }

    fn read_face(&self, sides: u8) -> Result<u8, ScriptMismatch> {
        let face_count = self.faces.len();
        let face = *self
            .faces
            .get(self.used)
            .ok_or(ScriptMismatch::RanOut { given: face_count, sides })?;
        let position = self.used + 1;
        (1..=sides).contains(&face).then_some(face).ok_or(ScriptMismatch::NoSuchFace {
            position,
            sides,
            face,
        })
    }

    fn read_option(&self, options: u8) -> Result<u8, ScriptMismatch> {
        let option_count = self.options.len();
        let option = *self
            .options
            .get(self.chosen)
            .ok_or(ScriptMismatch::Undecided { given: option_count })?;
        let position = self.chosen + 1;
        (1..=options).contains(&option).then_some(option).ok_or(ScriptMismatch::NoSuchOption {
            position,
            options,
            option,
        })
    }
}

impl Dice for ScriptedDice<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        if self.misfit.is_some() {
            return 1;
        }
        match self.read_face(sides) {
            Ok(face) => {
                self.used += 1;
                face
            }
            Err(misfit) => {
                self.misfit = Some(misfit);
                1
            }
        }
    }

    fn choose(&mut self, _decision: u8, options: u8) -> u8 {
        if self.misfit.is_some() {
            return 1;
        }
        let read = self.read_option(options);
        self.misfit = read.err();
        self.chosen += usize::from(read.is_ok());
        read.unwrap_or(1)
    }
}

/// Dice that record their faces, for the explanation of a combat roll by roll.
#[derive(Debug)]
pub struct RecordingDice<D> {
    dice: D,
    rolls: Vec<RolledDie>,
}

impl<D: Dice> RecordingDice<D> {
    /// Creates dice that record the faces of `dice`.
    pub fn new(dice: D) -> Self {
        RecordingDice { dice, rolls: Vec::new() }
    }

    /// Returns the rolls since the last call, in order.
    pub fn drain_rolled_dice(&mut self) -> Vec<RolledDie> {
        std::mem::take(&mut self.rolls)
    }
}

impl<D: Dice> Dice for RecordingDice<D> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.dice.die(sides);
        self.rolls.push(RolledDie { sides, face });
        face
    }

    fn choose(&mut self, decision: u8, options: u8) -> u8 {
        self.dice.choose(decision, options)
    }

    fn choose_among_open(&mut self, decision: u8, options: u8, open: OpenOptions) -> u8 {
        self.dice.choose_among_open(decision, options, open)
    }

    fn option_draw_die(&mut self, sides: u8) -> u8 {
        self.dice.option_draw_die(sides)
    }

    fn tally(&mut self, counter: u8, amount: i32) {
        self.dice.tally(counter, amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_runs_out_is_noted_once() {
        let mut dice = ScriptedDice::new(&[6]);
        assert_eq!((dice.die(6), dice.die(10), dice.die(4)), (6, 1, 1));
        assert_eq!(dice.find_mismatch(), Some(ScriptMismatch::RanOut { given: 1, sides: 10 }));
    }

    #[test]
    fn an_option_that_there_is_not_is_noted() {
        let mut dice = ScriptedDice::new(&[]).with_player_choices(&[2, 3]);
        assert_eq!((dice.choose(0, 2), dice.choose(0, 2)), (2, 1));
        let (position, options, option) = (2, 2, 3);
        let misfit = ScriptMismatch::NoSuchOption { position, options, option };
        assert_eq!(dice.find_mismatch(), Some(misfit));
        let mut silent = ScriptedDice::new(&[1]);
        assert_eq!((silent.choose(0, 2), silent.die(6)), (1, 1));
        assert_eq!(silent.find_mismatch(), Some(ScriptMismatch::Undecided { given: 0 }));
    }

    #[test]
    fn a_face_the_die_does_not_have_is_noted() {
        let mut dice = ScriptedDice::new(&[2, 7]);
        assert_eq!((dice.die(6), dice.die(6)), (2, 1));
        let position = 2;
        let (sides, face) = (6, 7);
        assert_eq!(
            dice.find_mismatch(),
            Some(ScriptMismatch::NoSuchFace { position, sides, face })
        );
    }
}
