//! Registers and positions in the operands of an instruction.

use super::code::{Op, Reg};

/// Bag, itself or by one of its digits.
pub(crate) enum BagOrDigit {
    Bag(u8),
    Digit(u16),
}

impl Op {
    /// Returns the register that the instruction writes.
    pub fn gives(mut self) -> Option<Reg> {
        if let Op::Next(_, _, cursor, _) = self {
            return Some(cursor);
        }
        self.gives_mut().copied()
    }

    /// Returns the destination of an instruction that may be given another one.
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

    /// Returns the registers that it reads by number, without those of lists and bags.
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

    /// Returns whether it only computes a value, and cannot fail.
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

    /// Returns the suspend point of a die or a decision.
    pub(crate) fn site(&self) -> Option<usize> {
        let Op::Site(site) = self else { return None };
        Some(usize::from(*site))
    }

    /// Returns whether execution may continue with the next instruction.
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

    /// Returns the consecutive registers that it accesses by index: the first, and their number.
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

    /// Returns the bag that it accesses, or the digit of a bag.
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

    /// Returns its jump target.
    pub fn target(mut self) -> Option<usize> {
        self.target_mut().map(|to| usize::from(*to))
    }

    /// Sets its jump target.
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
