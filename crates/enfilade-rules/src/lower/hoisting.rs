//! Hoisted values: a number that a part returns without rolling a die is computed once for a
//! contest, rather than whenever the rule calls the part.
//!
//! Its code is cut out and becomes a parameter like the explicit ones: it is loaded, or constant if
//! it shapes the code. Contests of one program may therefore differ in a range if it belongs to the
//! same band. The emitter decides what is hoisted, in `contest_parameters`.

use crate::vm::code::{Op, Program, Reg};

/// Set of parameters as bits: the explicit ones, then the derived ones.
pub type Slots = u128;

/// Parameter that is derived from others.
#[derive(Debug)]
pub struct Settled {
    /// Code that computes the value and halts, with the lists that it looks up.
    program: Program,
    /// Register of the value.
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
    /// Evaluates the value from the parameters before it; `None` on failure.
    pub fn of(&self, numbers: &[i64]) -> Option<i64> {
        self.program.reckoned(numbers, self.into).ok()
    }

    /// Returns the parameters that the value is derived from, as a bit set.
    pub fn reads(&self) -> Slots {
        self.program.asked()
    }

    /// Cuts out the instructions from `start` on if they compute the value in `into` alone; `None`
    /// if they do anything but compute in registers from `top` on.
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
    /// Copies the lists and keys of an instruction from another program. Returns whether the
    /// instruction only computes.
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

/// Copies one entry of a list unless it is already there. Returns its index.
fn brought<T: Clone + PartialEq>(from: &[T], to: &mut Vec<T>, at: u16) -> u16 {
    let one = &from[usize::from(at)];
    let known = to.iter().position(|known| known == one);
    let place = known.unwrap_or_else(|| {
        to.push(one.clone());
        to.len() - 1
    });
    place as u16
}
