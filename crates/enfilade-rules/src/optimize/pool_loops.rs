//! Pools of dice of which only the sum matters, or how many pass a test: found in the code as the loop
//! that they are, so that whoever deals in laws may throw them at once.
//!
//! The graph and the players' dice go on throwing one die after the other. A loop of any other form is
//! left as it is.

use crate::vm::code::{Op, Program, Reg, Site, Stops, Two};
use crate::vm::pool_loop::{Adds, Bound, Pool};

impl Program {
    /// By site: the pool of which it is the die.
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

    /// The pool whose die is thrown at `at`, and the registers that its loop leaves something in.
    fn pool(&self, at: usize, face: Reg, sides: u8) -> Option<(Pool, [Option<Reg>; 2])> {
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
        let apart = own.iter().enumerate().all(|(at, reg)| {
            (reg.is_none() || !own[..at].contains(reg))
                && !matches!(adds, Adds::Passes(_, Bound::At(bound)) if *reg == Some(bound))
        });
        let pool = Pool { left, sum, sides, adds, out: out.into() };
        (one_less && around && apart).then_some((pool, [Some(face), passes]))
    }
}
