//! Pool of dice that is thrown at once: the dice left, what each face adds, and the position after
//! the loop.

use super::code::{Reg, Registers, Two};
use enfilade_model::dice::Dice;

/// Loop that rolls `left` equal dice and adds to `sum`.
#[derive(Clone, Copy, Debug)]
pub struct Pool {
    /// Register of the number of dice left.
    pub left: Reg,
    /// Register of the sum so far.
    pub sum: Reg,
    /// Sides.
    pub sides: u8,
    /// Summand of a face.
    pub adds: Adds,
    /// Position after the loop.
    pub out: usize,
}

/// Summand of a face.
#[derive(Clone, Copy, Debug)]
pub enum Adds {
    /// The face itself.
    Face,
    /// 1 if the face passes a test against a constant or a register.
    Passes(Two, Bound),
}

/// Operand that a face is compared with.
#[derive(Clone, Copy, Debug)]
pub enum Bound {
    /// Constant.
    Is(i64),
    /// Register.
    At(Reg),
}

/// Largest product of dice and sides that is thrown at once: the distribution of a larger pool
/// takes longer than its dice.
const LARGEST: i64 = 1 << 10;

impl Pool {
    /// Throws all dice that are left, unless the loop is faster. Returns whether it did.
    pub fn thrown(&self, regs: &mut Registers, dice: &mut dyn Dice) -> bool {
        let left = regs[usize::from(self.left)];
        // A larger number exceeds one throw; a negative one ends the loop at once.
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
