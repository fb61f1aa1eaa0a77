//! Recognizes loops that roll like dice and only add or count, so that an engine that works with
//! distributions can throw them at once.
//!
//! The graph throws them at once in rules that may go on for ever; elsewhere it rolls one die after
//! another, and so do trials that are played. Loops of any other form are left as they are.

use crate::vm::code::{BinOp, Instr, Program, Reg, SuspendKind, SuspendPoint};
use crate::vm::pool_loop::{FaceComparisonOperand, PoolLoop, PoolSummand};

impl Program {
    /// Returns, for each suspend point, the pool loop whose die it is.
    pub(crate) fn find_pool_loops(&self) -> Box<[Option<PoolLoop>]> {
        let live = self.live_registers_by_instr();
        let pool = |site: &SuspendPoint| {
            let SuspendKind::Die(sides) = site.kind else {
                return None;
            };
            let (pool, spent) = self.match_pool_loop(site.at as usize, site.into, sides)?;
            let read = |reg: Reg| live[pool.out].contains(reg);
            (!spent.into_iter().flatten().any(read)).then_some(pool)
        };
        self.sites.iter().map(pool).collect()
    }

    /// Returns the pool loop whose die is rolled at `at`, and the registers in which its loop
    /// leaves values.
    fn match_pool_loop(
        &self,
        at: usize,
        face: Reg,
        sides: u8,
    ) -> Option<(PoolLoop, [Option<Reg>; 2])> {
        // The loop leaves unless `left > 0`, rolls, adds the face or the outcome of its test,
        // subtracts 1 from `left` and jumps back.
        let head = at.checked_sub(1)?;
        let Instr::UnlessCmpK(BinOp::Gt, left, 0, out) = self.instrs[head] else {
            return None;
        };
        let mut rest = self.instrs[at + 1..].iter().copied();
        let (mut op, mut passes) = (rest.next()?, None);
        let test = if let Instr::BinK(test, into, from, bound) = op {
            Some((into, test, from, FaceComparisonOperand::Constant(bound.into())))
        } else if let Instr::Bin(test, into, from, bound) = op {
            Some((into, test, from, FaceComparisonOperand::Register(bound)))
        } else {
            None
        };
        let test = test.filter(|(_, test, from, _)| *from == face && test.is_comparison());
        let adds = match test {
            None => PoolSummand::Face,
            Some((into, test, _, bound)) => {
                op = rest.next()?;
                passes = Some(into);
                PoolSummand::Passes(test, bound)
            }
        };
        let added = passes.unwrap_or(face);
        let Instr::Bin(BinOp::Add, sum, a, b) = op else { return None };
        if (a, b) != (sum, added) && (a, b) != (added, sum) {
            return None;
        }
        let one_less = rest.next()? == Instr::BinK(BinOp::Sub, left, left, 1);
        let around = rest.next()? == Instr::Jump(head as u16);
        let own = [Some(left), Some(sum), Some(face), passes];
        // If two of these registers were the same, the loop would compute something else.
        let apart = own.iter().enumerate().all(|(at, reg)| {
            (reg.is_none() || !own[..at].contains(reg))
                && !matches!(adds, PoolSummand::Passes(_, FaceComparisonOperand::Register(bound)) if *reg == Some(bound))
        });
        let pool = PoolLoop { dice_left: left, sum, sides, adds, out: out.into() };
        (one_less && around && apart).then_some((pool, [Some(face), passes]))
    }
}
