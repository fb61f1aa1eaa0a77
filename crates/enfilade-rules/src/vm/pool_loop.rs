//! Pool of dice that is thrown at once: the dice left, what each face adds, and the position after
//! the loop.

use super::code::{BinOp, Reg, Registers};
use enfilade_model::dice::Dice;

/// Loop that rolls `left` equal dice and adds to `sum`.
#[derive(Clone, Copy, Debug)]
pub struct PoolLoop {
    /// Register of the number of dice left.
    pub dice_left: Reg,
    /// Register of the sum so far.
    pub sum: Reg,
    /// Sides.
    pub sides: u8,
    /// Summand of a face.
    pub adds: PoolSummand,
    /// Position after the loop.
    pub out: usize,
}

/// Summand of a face.
#[derive(Clone, Copy, Debug)]
pub enum PoolSummand {
    /// The face itself.
    Face,
    /// 1 if the face passes a test against a constant or a register.
    Passes(BinOp, FaceComparisonOperand),
}

/// Operand that a face is compared with.
#[derive(Clone, Copy, Debug)]
pub enum FaceComparisonOperand {
    /// Constant.
    Constant(i64),
    /// Register.
    Register(Reg),
}

/// Largest product of dice and sides that is thrown at once: the distribution of a larger pool
/// takes longer than its dice.
const MAX_SIDES_SUM_THROWN_AT_ONCE: i64 = 1 << 10;

impl PoolLoop {
    /// Throws all dice that are left, unless the loop is faster. Returns whether it did.
    pub fn try_throw_remaining_dice(&self, regs: &mut Registers, dice: &mut dyn Dice) -> bool {
        let left = regs[usize::from(self.dice_left)];
        // A larger number exceeds one throw; a negative one ends the loop at once.
        let Ok(count) = u8::try_from(left) else {
            return false;
        };
        let mut at_least = |least: i64| {
            let least = least.clamp(0, i64::from(u8::MAX)) as u8;
            i64::from(dice.pool_sum_or_successes(count, self.sides, Some(least)))
        };
        let come_to = match self.adds {
            PoolSummand::Face if left * i64::from(self.sides) > MAX_SIDES_SUM_THROWN_AT_ONCE => {
                return false;
            }
            PoolSummand::Face => dice.pool_sum_or_successes(count, self.sides, None).into(),
            PoolSummand::Passes(test, bound) => {
                let bound = match bound {
                    FaceComparisonOperand::Constant(bound) => bound,
                    FaceComparisonOperand::Register(reg) => regs[usize::from(reg)],
                };
                match test {
                    BinOp::Ge => at_least(bound),
                    BinOp::Gt => at_least(bound.saturating_add(1)),
                    BinOp::Lt => left - at_least(bound),
                    BinOp::Le => left - at_least(bound.saturating_add(1)),
                    _ => return false,
                }
            }
        };
        regs[usize::from(self.sum)] += come_to;
        regs[usize::from(self.dice_left)] = 0;
        true
    }
}
