//! Recognizes loops that roll like dice and only add or count, so that an engine that works with
//! distributions can throw them at once.
//!
//! The graph and simulations still roll one die after another. Loops of any other form are left as
//! they are.

use crate::vm::code::{Op, Program, Reg, Site, Stops, Two};
use crate::vm::pool_loop::{Adds, Bound, Pool};

impl Program {
    /// Returns, for each suspend point, the pool loop whose die it is.
    pub(crate) fn pools(&self) -> Box<[Option<Pool>]> {
        let live = self.liveness();
        let pool = |site: &Site| {
            let Stops::Die(sides) = site.stops else {
                return None;
            };
            let (pool, spent) = self.pool(site.at as usize, site.into, sides)?;
            let read = |reg: Reg| live[pool.out].has(reg);
            (!spent.into_iter().flatten().any(read)).then_some(pool)
        };
        self.sites.iter().map(pool).collect()
    }

    /// Returns the pool loop whose die is rolled at `at`, and the registers in which its loop
    /// leaves values.
    fn pool(&self, at: usize, face: Reg, sides: u8) -> Option<(Pool, [Option<Reg>; 2])> {
        // The loop leaves unless `left > 0`, rolls, adds the face or the outcome of its test,
        // subtracts 1 from `left` and jumps back.
        let head = at.checked_sub(1)?;
        let Op::UnlessCmpK(Two::Gt, left, 0, out) = self.ops[head] else {
            return None;
        };
        let mut rest = self.ops[at + 1..].iter().copied();
        let (mut op, mut passes) = (rest.next()?, None);
        let test = if let Op::BinK(test, into, from, bound) = op {
            Some((into, test, from, Bound::Is(bound.into())))
        } else if let Op::Bin(test, into, from, bound) = op {
            Some((into, test, from, Bound::At(bound)))
        } else {
            None
        };
        let test = test.filter(|(_, test, from, _)| *from == face && test.is_test());
        let adds = match test {
            None => Adds::Face,
            Some((into, test, _, bound)) => {
                op = rest.next()?;
                passes = Some(into);
                Adds::Passes(test, bound)
            }
        };
        let added = passes.unwrap_or(face);
        let Op::Bin(Two::Add, sum, a, b) = op else { return None };
        if (a, b) != (sum, added) && (a, b) != (added, sum) {
            return None;
        }
        let one_less = rest.next()? == Op::BinK(Two::Sub, left, left, 1);
        let around = rest.next()? == Op::Jump(head as u16);
        let own = [Some(left), Some(sum), Some(face), passes];
        // If two of these registers were the same, the loop would compute something else.
        let apart = own.iter().enumerate().all(|(at, reg)| {
            (reg.is_none() || !own[..at].contains(reg))
                && !matches!(adds, Adds::Passes(_, Bound::At(bound)) if *reg == Some(bound))
        });
        let pool = Pool { left, sum, sides, adds, out: out.into() };
        (one_less && around && apart).then_some((pool, [Some(face), passes]))
    }
}
