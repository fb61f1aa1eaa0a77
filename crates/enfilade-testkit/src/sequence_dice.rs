//! Dice that enumerate all sequences of faces.

use enfilade_model::dice::Dice;

/// Dice that show every sequence of faces in turn.
#[derive(Debug, Default)]
pub struct SequenceDice {
    dice: Vec<(u8, u8)>,
    rolled: usize,
}

impl Dice for SequenceDice {
    fn die(&mut self, sides: u8) -> u8 {
        if self.rolled == self.dice.len() {
            self.dice.push((sides, 1));
        }
        self.rolled += 1;
        self.dice[self.rolled - 1].1
    }
}

impl SequenceDice {
    /// Returns the number of equally likely sequences like the last one.
    pub fn equally_likely_sequences(&self) -> u128 {
        self.dice.iter().map(|&(sides, _)| u128::from(sides)).product()
    }

    /// Advances to the next sequence; false after the last.
    pub fn next_sequence(&mut self) -> bool {
        self.dice.truncate(self.rolled);
        self.rolled = 0;
        while let Some((sides, face)) = self.dice.last_mut() {
            if face < sides {
                *face += 1;
                return true;
            }
            self.dice.pop();
        }
        false
    }
}
