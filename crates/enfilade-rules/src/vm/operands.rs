//! The registers and places that an operation names.

use super::code::{Op, Reg};

impl Op {
    /// The register it gives a value to, whatever that was.
    pub fn gives(mut self) -> Option<Reg> {
        match self {
            Op::Next(_, _, cursor, _) => Some(cursor),
            _ => self.gives_mut().copied(),
        }
    }

    /// The same, where it may as well be given to another.
    pub fn gives_mut(&mut self) -> Option<&mut Reg> {
        match self {
            Op::Const(d, _)
            | Op::Wide(d, _)
            | Op::Field(d, _)
            | Op::Copy(d, _)
            | Op::Narrow(d, _)
            | Op::Bin(_, d, ..)
            | Op::BinK(_, d, ..)
            | Op::BinNarrow(_, d, ..)
            | Op::BinKNarrow(_, d, ..)
            | Op::Load(d, ..)
            | Op::Look(d, ..)
            | Op::Key(d, ..)
            | Op::Get(d, ..)
            | Op::Count(d, ..)
            | Op::Before(d, ..) => Some(d),
            _ => None,
        }
    }

    /// Registers that it reads by their number; those of lists and bags are not among them.
    pub fn sources_mut(&mut self) -> [Option<&mut Reg>; 2] {
        match self {
            Op::Copy(_, s)
            | Op::Narrow(_, s)
            | Op::BinK(_, _, s, _)
            | Op::BinKNarrow(_, _, s, _)
            | Op::Unless(s, _)
            | Op::UnlessCmpK(_, s, ..)
            | Op::Load(.., s)
            | Op::Look(_, _, s)
            | Op::Key(_, _, s)
            | Op::Keep(_, _, s, _)
            | Op::Tally(_, s)
            | Op::Get(.., s)
            | Op::There(_, s, _)
            | Op::Take(_, _, s) => [Some(s), None],
            Op::Bin(_, _, a, b)
            | Op::BinNarrow(_, _, a, b)
            | Op::UnlessCmp(_, a, b, _)
            | Op::Store(_, _, a, b)
            | Op::Put(_, a, b)
            | Op::Before(_, _, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        }
    }

    /// Whether it does nothing but give a value, and cannot fail.
    pub(crate) fn only_gives(&self) -> bool {
        matches!(
            self,
            Op::Const(..)
                | Op::Wide(..)
                | Op::Field(..)
                | Op::Copy(..)
                | Op::Get(..)
                | Op::Count(..)
                | Op::Before(..)
        ) || matches!(self, Op::Bin(two, ..) | Op::BinK(two, ..) if two.is_test())
    }

    /// Where it may go on but for the next operation.
    pub fn target(mut self) -> Option<usize> {
        self.target_mut().map(|to| usize::from(*to))
    }

    /// Lets it go on at `place`.
    pub fn aim(&mut self, place: usize) {
        if let Some(to) = self.target_mut() {
            *to = place as u16;
        }
    }

    fn target_mut(&mut self) -> Option<&mut u16> {
        match self {
            Op::Jump(to)
            | Op::Unless(_, to)
            | Op::UnlessCmp(_, _, _, to)
            | Op::UnlessCmpK(_, _, _, to)
            | Op::There(_, _, to)
            | Op::Next(_, _, _, to) => Some(to),
            _ => None,
        }
    }
}
