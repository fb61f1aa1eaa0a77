//! A pool of dice that is thrown at once: how many, what their faces add, and where the rule goes on.

use super::code::{Reg, Registers, Two};
use enfilade_model::dice::Dice;

/// A loop that throws `left` like dice and adds to `sum`.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// How many dice are left.
    pub left: Reg,
    /// What they come to so far.
    pub sum: Reg,
    /// Their sides.
    pub sides: u8,
    /// What a face adds.
    pub adds: Adds,
    /// Where the rule goes on.
    pub out: usize,
}

/// What a face adds.
#[derive(Clone, Copy, Debug)]
pub enum Adds {
    /// Itself.
    Face,
    /// One where it passes a test against a number, or against what a register holds.
    Passes(Two, Bound),
}

/// What a face is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// This.
    Is(i64),
    /// What a register holds.
    At(Reg),
}

/// Dice times sides of the largest sum that is thrown at once: the law of a larger one takes longer than
/// its dice.
const LARGEST: i64 = 1 << 10;

impl Pool {
    /// Throws all dice that are left, unless that is better left to their loop: whether it did.
    pub fn thrown(&self, regs: &mut Registers, dice: &mut dyn Dice) -> bool {
        let left = regs[usize::from(self.left)];
        let Ok(count) = u8::try_from(left) else {
            return false;
        };
        let mut at_least = |least: i64| {
            let least = least.clamp(0, i64::from(u8::MAX)) as u8;
            i64::from(dice.successes(count, self.sides, least))
        };
        let come_to = match self.adds {
            Adds::Face if left * i64::from(self.sides) > LARGEST => return false,
            Adds::Face => dice.sum(count, self.sides).into(),
            Adds::Passes(test, bound) => {
                let bound = match bound {
                    Bound::Is(bound) => bound,
                    Bound::At(reg) => regs[usize::from(reg)],
                };
                match test {
                    Two::Ge => at_least(bound),
                    Two::Gt => at_least(bound.saturating_add(1)),
                    Two::Lt => left - at_least(bound),
                    Two::Le => left - at_least(bound.saturating_add(1)),
                    _ => return false,
                }
            }
        };
        regs[usize::from(self.sum)] += come_to;
        regs[usize::from(self.left)] = 0;
        true
    }
}
