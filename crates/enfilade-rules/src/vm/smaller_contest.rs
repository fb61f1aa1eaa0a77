//! Smaller variants of a contest: the large numbers of its rule are scaled down, and the growth of
//! their graphs predicts that of the whole.

use std::sync::Arc;

use super::code::{Op, Program, Than, Two};
use super::machine::Machine;

/// Smallest number that is scaled; lower ones are faces of dice and numbers compared with them.
const SMALL: i64 = 16;

/// Scales a number.
fn less(number: i64, share: f64) -> i64 {
    let most = number.abs();
    if most < SMALL {
        return number;
    }
    number.signum() * ((most as f64 * share).round() as i64).clamp(SMALL, most)
}

/// Returns whether the constant operand of an operation is an amount; a factor is not.
fn is_amount(two: Two) -> bool {
    two.is_test() || matches!(two, Two::Add | Two::Sub | Two::Min | Two::Max)
}

impl Op {
    /// Returns the amount in an instruction.
    fn amount(self) -> Option<i64> {
        match self {
            Op::Const(_, k) => Some(k.into()),
            Op::BinK(two, _, _, k) | Op::BinKNarrow(two, _, _, k) => {
                is_amount(two).then_some(k.into())
            }
            Op::UnlessCmpK(_, _, k, _) => Some(k.into()),
            #[rustfmt::skip]
            Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..) | Op::BinNarrow(..)
            | Op::Jump(_) | Op::Unless(..) | Op::UnlessCmp(..) | Op::Load(..) | Op::Store(..) | Op::Look(..)
            | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Get(..)
            | Op::Put(..) | Op::Count(..) | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..)
            | Op::Sort(..) | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => None,
        }
    }

    /// Returns the instruction with a scaled amount.
    fn at_share(self, share: f64) -> Op {
        let less_of = |k: i32| less(k.into(), share) as i32;
        let if_amount = |two: Two, k: i32| if is_amount(two) { less_of(k) } else { k };
        match self {
            Op::Const(to, k) => Op::Const(to, less_of(k)),
            Op::BinK(two, to, a, k) => Op::BinK(two, to, a, if_amount(two, k)),
            Op::BinKNarrow(two, to, a, k) => Op::BinKNarrow(two, to, a, if_amount(two, k)),
            Op::UnlessCmpK(two, a, k, to) => {
                Op::UnlessCmpK(two, a, less(k.into(), share) as i16, to)
            }
            #[rustfmt::skip]
            Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..) | Op::BinNarrow(..)
            | Op::Jump(_) | Op::Unless(..) | Op::UnlessCmp(..) | Op::Load(..) | Op::Store(..) | Op::Look(..)
            | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Get(..)
            | Op::Put(..) | Op::Count(..) | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..)
            | Op::Sort(..) | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => self,
        }
    }
}

impl Machine {
    /// Returns the largest number of the rule and its contest.
    pub(crate) fn largest(&self) -> i64 {
        let amounts = self.program.ops.iter().filter_map(|op| op.amount());
        let all = amounts.chain(self.program.wide.iter().copied());
        all.chain(self.numbers.iter().copied()).map(i64::abs).max().unwrap_or(0)
    }

    /// Returns the rule with every large number scaled.
    pub(crate) fn smaller(&self, share: f64) -> Machine {
        let mut program = Program::clone(&self.program);
        program.ops.iter_mut().for_each(|op| *op = op.at_share(share));
        program.wide.iter_mut().for_each(|number| *number = less(*number, share));
        // Face tests must use the same numbers as the rule.
        let asks = program.sites.iter_mut().filter_map(|site| site.asks.as_mut());
        for ask in asks.flat_map(|asks| asks.iter_mut()) {
            if let Than::Is(number) = &mut ask.than {
                *number = less(*number, share);
            }
        }
        let numbers = self.numbers.iter().map(|number| less(*number, share)).collect();
        Machine::new(Arc::new(program), numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_keep_their_order_and_small_ones_their_value() {
        assert_eq!([6, -6, 15].map(|number| less(number, 0.01)), [6, -6, 15]);
        assert_eq!([3000, -3000, 40].map(|number| less(number, 0.1)), [300, -300, 16]);
        assert_eq!([16, 17, 3000].map(|number| less(number, 1.0)), [16, 17, 3000]);
    }
}
