//! Dice of code that rolls none.

use enfilade_model::dice::Dice;

/// Dice for code after the end of a rule, which rolls none.
pub struct NeverRolledDice;

impl Dice for NeverRolledDice {
    fn die(&mut self, _: u8) -> u8 {
        1
    }
}
