//! The registers and places that an operation names.

use super::code::{Op, Reg};

/// A bag, by itself or by one of its digits.
pub(crate) enum BagOrDigit {
    Bag(u8),
    Digit(u16),
}

impl Op {
    /// The register it gives a value to, whatever that was.
    pub fn gives(mut self) -> Option<Reg> {
        if let Op::Next(_, _, cursor, _) = self {
            return Some(cursor);
        }
        self.gives_mut().copied()
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
            #[rustfmt::skip]
            Op::Jump(_) | Op::Unless(..) | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Store(..)
            | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Put(..) | Op::There(..)
            | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Fail(_) | Op::Tell(_)
            | Op::End | Op::Halt | Op::Skip => None,
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
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Jump(_) | Op::Site(_) | Op::Rest(_)
            | Op::Count(..) | Op::Next(..) | Op::Close(..) | Op::Sort(..) | Op::Fail(_) | Op::Tell(_)
            | Op::End | Op::Halt | Op::Skip => [None, None],
        }
    }

    /// Whether it does nothing but give a value, and cannot fail.
    pub(crate) fn only_gives(&self) -> bool {
        match self {
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) => true,
            Op::Get(..) | Op::Count(..) | Op::Before(..) => true,
            Op::Bin(two, ..) | Op::BinK(two, ..) => two.is_test(),
            #[rustfmt::skip]
            Op::Narrow(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Unless(..)
            | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Load(..) | Op::Store(..) | Op::Look(..)
            | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Put(..)
            | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Fail(_)
            | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => false,
        }
    }

    /// The die or decision at which it stops.
    pub(crate) fn site(&self) -> Option<usize> {
        let Op::Site(site) = self else { return None };
        Some(usize::from(*site))
    }

    /// Whether the next operation may follow it.
    pub(crate) fn goes_on(&self) -> bool {
        match self {
            Op::Jump(_) | Op::Fail(_) | Op::Halt => false,
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Unless(..) | Op::UnlessCmp(..)
            | Op::UnlessCmpK(..) | Op::Load(..) | Op::Store(..) | Op::Look(..) | Op::Key(..) | Op::Keep(..)
            | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Get(..) | Op::Put(..) | Op::Count(..)
            | Op::There(..) | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..)
            | Op::Tell(_) | Op::End | Op::Skip => true,
        }
    }

    /// Registers in a row that it reads or writes by a place that another says: the first, and how many.
    pub(crate) fn row(&self) -> Option<(Reg, u8)> {
        match *self {
            Op::Load(_, base, count, _)
            | Op::Store(base, count, ..)
            | Op::Keep(base, count, ..) => Some((base, count)),
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Unless(..)
            | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Look(..) | Op::Key(..) | Op::Site(_)
            | Op::Rest(_) | Op::Tally(..) | Op::Get(..) | Op::Put(..) | Op::Count(..) | Op::There(..)
            | Op::Next(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..) | Op::Before(..) | Op::Fail(_)
            | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => None,
        }
    }

    /// The bag with whose things it does something, or the digit of which bag.
    pub(crate) fn bag(&self) -> Option<BagOrDigit> {
        match *self {
            Op::There(bag, ..)
            | Op::Take(bag, ..)
            | Op::Next(bag, ..)
            | Op::Close(bag, _)
            | Op::Sort(bag, _)
            | Op::Before(_, bag, ..) => Some(BagOrDigit::Bag(bag)),
            Op::Get(_, digit, _) | Op::Count(_, digit, ..) | Op::Put(digit, ..) => {
                Some(BagOrDigit::Digit(digit))
            }
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Jump(_) | Op::Unless(..)
            | Op::UnlessCmp(..) | Op::UnlessCmpK(..) | Op::Load(..) | Op::Store(..) | Op::Look(..)
            | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..) | Op::Fail(_)
            | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => None,
        }
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
            #[rustfmt::skip]
            Op::Const(..) | Op::Wide(..) | Op::Field(..) | Op::Copy(..) | Op::Narrow(..) | Op::Bin(..)
            | Op::BinK(..) | Op::BinNarrow(..) | Op::BinKNarrow(..) | Op::Load(..) | Op::Store(..)
            | Op::Look(..) | Op::Key(..) | Op::Keep(..) | Op::Site(_) | Op::Rest(_) | Op::Tally(..)
            | Op::Get(..) | Op::Put(..) | Op::Count(..) | Op::Take(..) | Op::Close(..) | Op::Sort(..)
            | Op::Before(..) | Op::Fail(_) | Op::Tell(_) | Op::End | Op::Halt | Op::Skip => None,
        }
    }
}
