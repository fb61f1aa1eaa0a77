//! Dice of code that rolls none.

use enfilade_model::dice::Dice;

/// Dice for code after the end of a rule, which rolls none.
pub struct DiceForDicelessCode;

impl Dice for DiceForDicelessCode {
    fn die(&mut self, _: u8) -> u8 {
        1
    }
}
