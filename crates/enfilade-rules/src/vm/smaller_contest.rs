//! Smaller variants of a contest: the large numbers of its rule are scaled down, and the growth of
//! their graphs predicts that of the whole.

use std::sync::Arc;

use super::code::{BinOp, Instr, Program, TestOperand};
use super::machine::Interpreter;

/// Smallest number that is scaled; lower ones are faces of dice and numbers compared with them.
const MIN_SCALED_NUMBER: i64 = 16;

/// Scales a number.
fn scale_number(number: i64, share: f64) -> i64 {
    let most = number.abs();
    if most < MIN_SCALED_NUMBER {
        return number;
    }
    number.signum() * ((most as f64 * share).round() as i64).clamp(MIN_SCALED_NUMBER, most)
}

/// Returns whether the constant operand of an operation is an amount; a factor is not.
fn has_scalable_operand(two: BinOp) -> bool {
    let is_sum = matches!(two, BinOp::Add | BinOp::Sub | BinOp::SubFrom);
    is_sum || two.is_comparison() || matches!(two, BinOp::Min | BinOp::Max)
}

impl Instr {
    /// Returns the amount in an instruction.
    fn amount_to_scale(self) -> Option<i64> {
        match self {
            Instr::Const(_, k) => Some(k.into()),
            Instr::BinK(two, _, _, k) | Instr::BinKNarrow(two, _, _, k) => {
                has_scalable_operand(two).then_some(k.into())
            }
            Instr::UnlessCmpK(_, _, k, _) => Some(k.into()),
            #[rustfmt::skip]
            Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..) | Instr::BinNarrow(..)
            | Instr::Jump(_) | Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..)
            | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..)
            | Instr::Put(..) | Instr::Count(..) | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..)
            | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => None,
        }
    }

    /// Returns the instruction with a scaled amount.
    fn with_scaled_amount(self, share: f64) -> Instr {
        let less_of = |k: i32| scale_number(k.into(), share) as i32;
        let if_amount = |two: BinOp, k: i32| if has_scalable_operand(two) { less_of(k) } else { k };
        match self {
            Instr::Const(to, k) => Instr::Const(to, less_of(k)),
            Instr::BinK(two, to, a, k) => Instr::BinK(two, to, a, if_amount(two, k)),
            Instr::BinKNarrow(two, to, a, k) => Instr::BinKNarrow(two, to, a, if_amount(two, k)),
            Instr::UnlessCmpK(two, a, k, to) => {
                Instr::UnlessCmpK(two, a, scale_number(k.into(), share) as i16, to)
            }
            #[rustfmt::skip]
            Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..) | Instr::BinNarrow(..)
            | Instr::Jump(_) | Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..)
            | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..)
            | Instr::Put(..) | Instr::Count(..) | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..)
            | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => self,
        }
    }
}

impl Interpreter {
    /// Returns the largest number of the rule and its contest.
    pub(crate) fn largest_number(&self) -> i64 {
        let amounts = self.program.instrs.iter().filter_map(|op| op.amount_to_scale());
        let all = amounts.chain(self.program.wide.iter().copied());
        all.chain(self.numbers.iter().copied()).map(i64::abs).max().unwrap_or(0)
    }

    /// Returns the rule with every large number scaled.
    pub(crate) fn with_scaled_numbers(&self, share: f64) -> Interpreter {
        let mut program = Program::clone(&self.program);
        program.instrs.iter_mut().for_each(|op| *op = op.with_scaled_amount(share));
        program.wide.iter_mut().for_each(|number| *number = scale_number(*number, share));
        // Face tests must use the same numbers as the rule.
        let face_tests = program.sites.iter_mut().flat_map(|site| {
            let compared = site.compared.iter_mut().map(|compared| &mut compared.tests);
            site.face_tests.iter_mut().chain(compared)
        });
        for ask in face_tests.flat_map(|asks| asks.iter_mut()) {
            if let TestOperand::Constant(number) = &mut ask.than {
                *number = scale_number(*number, share);
            }
        }
        let numbers = self.numbers.iter().map(|number| scale_number(*number, share)).collect();
        Interpreter::new(Arc::new(program), numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_keep_their_order_and_small_ones_their_value() {
        assert_eq!([6, -6, 15].map(|number| scale_number(number, 0.01)), [6, -6, 15]);
        assert_eq!([3000, -3000, 40].map(|number| scale_number(number, 0.1)), [300, -300, 16]);
        assert_eq!([16, 17, 3000].map(|number| scale_number(number, 1.0)), [16, 17, 3000]);
    }
}
