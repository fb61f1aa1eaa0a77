//! Numbers that hang on those of the contest alone: what a part gives that looks at no die is reckoned once
//! for a contest, and not whenever the rule comes by.
//!
//! Its code is cut out and becomes a number of the contest like those that are given: it is asked for, or
//! known where the rule is written out by it. So contests of one program may differ in a range as long
//! as it is the same band. Who decides what is cut out is the emitter, in `contest_parameters`.

use crate::vm::code::{Op, Program, Reg};

/// Numbers of a contest as bits: those that are given, and behind them those that are reckoned.
pub type Slots = u128;

/// A number of a contest that is reckoned from others.
#[derive(Debug)]
pub struct Settled {
    /// How: operations that halt, and what they look up.
    program: Program,
    /// Where they leave it.
    into: Reg,
}

impl PartialEq for Settled {
    fn eq(&self, other: &Settled) -> bool {
        let (a, b) = (&self.program, &other.program);
        self.into == other.into
            && a.ops == b.ops
            && (&a.lists, &a.keys, &a.wide) == (&b.lists, &b.keys, &b.wide)
    }
}

impl Settled {
    /// What it is where these are the numbers before it; nothing where that goes wrong.
    pub fn of(&self, numbers: &[i64]) -> Option<i64> {
        self.program.reckoned(numbers, self.into).ok()
    }

    /// Numbers that it is reckoned from, as bits.
    pub fn reads(&self) -> Slots {
        self.program.asked()
    }

    /// What `ops` leave in `into`, which were written behind the first `start` of a program; nothing where they
    /// do more than reckon in registers from `top` on.
    pub(super) fn cut(from: &Program, start: usize, top: Reg, into: Reg) -> Option<Settled> {
        let mut program = Program::default();
        let moved = |reg: &mut Reg| match reg.checked_sub(top) {
            Some(less) => {
                *reg = less;
                true
            }
            None => false,
        };
        for (op, span) in from.ops[start..].iter().zip(&from.spans[start..]) {
            let mut op = *op;
            if let Some(to) = op.target() {
                op.aim(to.checked_sub(start)?);
            }
            let within = program.takes(&mut op, from)
                && op.sources_mut().into_iter().flatten().all(moved)
                && op.gives_mut().is_none_or(moved);
            if !within {
                return None;
            }
            program.ops.push(op);
            program.spans.push(span.clone());
        }
        program.ops.push(Op::Halt);
        program.spans.push(0..0);
        let worth = program.ops.iter().filter(|op| !matches!(op, Op::Skip)).count() > 2;
        let into = into.checked_sub(top)?;
        worth.then_some(Settled { program, into })
    }
}

impl Program {
    /// Brings what an operation looks up from another program; whether it only reckons.
    fn takes(&mut self, op: &mut Op, from: &Program) -> bool {
        match op {
            Op::Look(_, list, _) => *list = brought(&from.lists, &mut self.lists, *list),
            Op::Key(_, keys, _) => *keys = brought(&from.keys, &mut self.keys, *keys),
            Op::Wide(_, wide) => *wide = brought(&from.wide, &mut self.wide, *wide),
            Op::Const(..)
            | Op::Field(..)
            | Op::Copy(..)
            | Op::Narrow(..)
            | Op::Bin(..)
            | Op::BinK(..)
            | Op::Jump(_)
            | Op::Unless(..)
            | Op::UnlessCmp(..)
            | Op::UnlessCmpK(..)
            | Op::Skip => {}
            #[rustfmt::skip]
            Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Load(..) | Op::Store(..) | Op::Keep(..)
            | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Get(..) | Op::Put(..) | Op::Count(..)
            | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..)
            | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt => return false,
        }
        true
    }
}

/// Brings one of several over; its place there.
fn brought<T: Clone + PartialEq>(from: &[T], to: &mut Vec<T>, at: u16) -> u16 {
    let one = &from[usize::from(at)];
    let known = to.iter().position(|known| known == one);
    let place = known.unwrap_or_else(|| {
        to.push(one.clone());
        to.len() - 1
    });
    place as u16
}
