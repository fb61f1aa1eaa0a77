//! The only door through which luck enters a rule, and dice whose faces are known beforehand.
//!
//! A rule asks for a die and gets a face. Who answers is not its business: the die graph answers
//! with every face in turn, the players' dice with a random one, [`Scripted`] with the faces of a
//! worked example. Random dice live with the engine that rolls them, in [`crate::play`].

/// A source of single dice.
pub trait Dice {
    /// Rolls one die and returns its face, in `1..=sides`.
    ///
    /// `sides` is at least 1.
    fn die(&mut self, sides: u8) -> u8;
}

impl<D: Dice + ?Sized> Dice for &mut D {
    fn die(&mut self, sides: u8) -> u8 {
        (**self).die(sides)
    }
}

/// One die that was rolled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Roll {
    /// Number of faces of the die.
    pub sides: u8,
    /// The face it showed, `1..=sides`.
    pub face: u8,
}

/// Dice that show given faces in order: how the worked examples of a rulebook are replayed.
///
/// A script that does not fit the rule is noted, never a panic: see [`Scripted::misfit`].
///
/// ```
/// use enfilade::dice::{Dice, Scripted};
/// let mut dice = Scripted::new(&[3, 5]);
/// assert_eq!(dice.die(6) + dice.die(6), 8);
/// assert_eq!(dice.misfit(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Scripted<'a> {
    faces: &'a [u8],
    used: usize,
    misfit: Option<Misfit>,
}

/// Where a script of faces and the dice a rule asked for part ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// The rule asked for more dice than the script has.
    #[error("the script has {given} dice, but a d{sides} is still to be rolled")]
    RanOut {
        /// Dice in the script.
        given: usize,
        /// Sides of the die that was asked for.
        sides: u8,
    },
    /// The script names a face the die does not have.
    #[error("die {position} of the script shows {face}, but a d{sides} is rolled there")]
    NoSuchFace {
        /// Position in the script, counted from 1.
        position: usize,
        /// Sides of the die that was asked for.
        sides: u8,
        /// The face in the script.
        face: u8,
    },
}

impl<'a> Scripted<'a> {
    /// Dice that will show `faces`, first to last.
    pub fn new(faces: &'a [u8]) -> Self {
        Scripted {
            faces,
            used: 0,
            misfit: None,
        }
    }

    /// How many faces have been used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The first die that did not fit the script, if there was one. From there on every die shows 1.
    pub fn misfit(&self) -> Option<Misfit> {
        self.misfit
    }

    fn read(&self, sides: u8) -> Result<u8, Misfit> {
        let given = self.faces.len();
        let face = *self
            .faces
            .get(self.used)
            .ok_or(Misfit::RanOut { given, sides })?;
        let position = self.used + 1;
        (1..=sides)
            .contains(&face)
            .then_some(face)
            .ok_or(Misfit::NoSuchFace {
                position,
                sides,
                face,
            })
    }
}

impl Dice for Scripted<'_> {
    fn die(&mut self, sides: u8) -> u8 {
        if self.misfit.is_some() {
            return 1;
        }
        match self.read(sides) {
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
}

/// Dice that remember what they showed, for telling a combat roll by roll.
pub struct Remembered<D> {
    dice: D,
    rolls: Vec<Roll>,
}

impl<D: Dice> Remembered<D> {
    /// Rolls `dice` and remembers their faces.
    pub fn new(dice: D) -> Self {
        Remembered {
            dice,
            rolls: Vec::new(),
        }
    }

    /// The rolls since the last call, in order.
    pub fn take(&mut self) -> Vec<Roll> {
        std::mem::take(&mut self.rolls)
    }
}

impl<D: Dice> Dice for Remembered<D> {
    fn die(&mut self, sides: u8) -> u8 {
        let face = self.dice.die(sides);
        self.rolls.push(Roll { sides, face });
        face
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_that_runs_out_is_noted_once() {
        let mut dice = Scripted::new(&[6]);
        assert_eq!((dice.die(6), dice.die(10), dice.die(4)), (6, 1, 1));
        assert_eq!(
            dice.misfit(),
            Some(Misfit::RanOut {
                given: 1,
                sides: 10
            })
        );
    }

    #[test]
    fn a_face_the_die_does_not_have_is_noted() {
        let mut dice = Scripted::new(&[2, 7]);
        assert_eq!((dice.die(6), dice.die(6)), (2, 1));
        let position = 2;
        let (sides, face) = (6, 7);
        assert_eq!(
            dice.misfit(),
            Some(Misfit::NoSuchFace {
                position,
                sides,
                face
            })
        );
    }
}
