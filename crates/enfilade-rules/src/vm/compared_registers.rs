//! Registers of which only the outcomes of comparisons matter: states that differ in nothing else
//! are one state.

use super::code::{BinOp, FaceTest, OnlyComparedRegister, Reg, Registers, TestOperand};
use super::machine::Interpreter;

/// Largest number of rounds in which compared registers are settled one by one.
const MAX_SETTLING_ROUNDS: usize = 4;

impl Interpreter {
    /// Replaces the registers that are only compared from the suspend point `site` on by numbers
    /// with the same outcomes.
    pub(super) fn settle_compared(&self, regs: &mut Registers, site: u16) {
        let compared = self.program.sites[usize::from(site)].compared.as_slice();
        if compared.is_empty() {
            return;
        }
        for _ in 0..MAX_SETTLING_ROUNDS {
            let mut is_settled = true;
            for OnlyComparedRegister { reg, tests } in compared {
                let now = regs[usize::from(*reg)];
                let least = self.least_equivalent(tests, now, regs);
                is_settled &= least == now;
                regs[usize::from(*reg)] = least;
            }
            if is_settled {
                break;
            }
        }
        self.close_number_gaps(compared, regs);
    }

    fn value_of_operand(&self, than: TestOperand, regs: &Registers) -> i64 {
        match than {
            TestOperand::Constant(value) => value,
            TestOperand::Register(reg) => regs[usize::from(reg)],
            TestOperand::Parameter(slot) => self.numbers[usize::from(slot)],
        }
    }

    /// Returns the least number that passes the same tests: the last bound that is not above it, or
    /// one number for all below the first bound.
    fn least_equivalent(&self, tests: &[FaceTest], now: i64, regs: &Registers) -> i64 {
        let (mut below, mut first) = (None, i64::MAX);
        for test in tests {
            let than = self.value_of_operand(test.than, regs);
            let bounds = match test.two {
                BinOp::Lt | BinOp::Ge => [than, than],
                BinOp::Le | BinOp::Gt => [than + 1, than + 1],
                _ => [than, than + 1],
            };
            for bound in bounds {
                first = first.min(bound);
                below = below.max(Some(bound).filter(|bound| *bound <= now));
            }
        }
        let least = below.unwrap_or((first - 1).min(0));
        if least < i64::from(i16::MIN) { now } else { least }
    }

    /// Moves compared registers together, in their order and between the same known numbers: of two
    /// that are compared with each other only their order matters.
    fn close_number_gaps(&self, compared: &[OnlyComparedRegister], regs: &mut Registers) {
        let is_compared = |reg: Reg| compared.iter().any(|known| known.reg == reg);
        let tests = compared.iter().flat_map(|known| &known.tests);
        let fixed = tests.map(|test| test.than);
        let fixed =
            fixed.filter(|than| !matches!(than, TestOperand::Register(reg) if is_compared(*reg)));
        let mut fixed: Vec<i64> = fixed.map(|than| self.value_of_operand(than, regs)).collect();
        fixed.sort_unstable();
        let mut values: Vec<i64> = compared.iter().map(|of| regs[usize::from(of.reg)]).collect();
        values.retain(|value| fixed.binary_search(value).is_err());
        values.sort_unstable();
        values.dedup();
        let moved = |value: i64| {
            let above = fixed.partition_point(|known| *known < value);
            if fixed.get(above) == Some(&value) {
                return value;
            }
            let from = above.checked_sub(1).map(|at| fixed[at]);
            let gap = values.iter().filter(|other| {
                from.is_none_or(|from| **other > from)
                    && fixed.get(above).is_none_or(|to| **other < *to)
            });
            let (rank, all) =
                gap.fold((0, 0), |(rank, all), other| (rank + i64::from(*other < value), all + 1));
            match (from, fixed.get(above)) {
                (Some(from), _) => from + 1 + rank,
                (None, Some(to)) => to - all + rank,
                (None, None) => rank,
            }
        };
        let settled = compared.iter().map(|of| moved(regs[usize::from(of.reg)]));
        let settled: Vec<i64> = settled.collect();
        for (of, value) in compared.iter().zip(settled) {
            regs[usize::from(of.reg)] = value;
        }
    }
}
