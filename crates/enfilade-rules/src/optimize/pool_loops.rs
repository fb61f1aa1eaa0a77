//! Pools of dice of which only the sum matters, or how many pass a test: found in the code as the loop
//! that they are, so that whoever deals in laws may throw them at once.
//!
//! The graph and the players' dice go on throwing one die after the other. A loop of any other form is
//! left as it is.

use crate::vm::code::{Op, Program, Reg, Registers, Stops, Two};
use enfilade_model::dice::Dice;

/// A loop that throws `left` like dice and adds to `sum`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pool {
    left: Reg,
    sum: Reg,
    sides: u8,
    adds: Adds,
    /// Where the rule goes on.
    pub(crate) out: usize,
}

/// What a face adds.
#[derive(Clone, Copy, Debug)]
enum Adds {
    /// Itself.
    Face,
    /// One where it passes a test against a number, or against what a register holds.
    Passes(Two, Bound),
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Is(i64),
    At(Reg),
}

/// Dice times sides of the largest sum that is thrown at once: the law of a larger one takes longer than
/// its dice.
const LARGEST: i64 = 1 << 10;

impl Program {
    /// By site: the pool of which it is the die.
    pub(crate) fn pools(&self) -> Box<[Option<Pool>]> {
        let live = self.liveness();
        let pool = |site: &crate::vm::code::Site| {
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
        let test = match op {
            Op::BinK(test, into, from, bound) if from == face && test.is_test() => {
                Some((into, test, Bound::Is(bound.into())))
            }
            Op::Bin(test, into, from, bound) if from == face && test.is_test() => {
                Some((into, test, Bound::At(bound)))
            }
            _ => None,
        };
        let adds = match test {
            None => Adds::Face,
            Some((into, test, bound)) => {
                op = rest.next()?;
                passes = Some(into);
                Adds::Passes(test, bound)
            }
        };
        let added = passes.unwrap_or(face);
        let sum = match op {
            Op::Bin(Two::Add, into, a, b) if (a, b) == (into, added) || (a, b) == (added, into) => {
                into
            }
            _ => return None,
        };
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

impl Pool {
    /// Throws all dice that are left, unless that is better left to their loop: whether it did.
    pub(crate) fn thrown(&self, regs: &mut Registers, dice: &mut dyn Dice) -> bool {
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
