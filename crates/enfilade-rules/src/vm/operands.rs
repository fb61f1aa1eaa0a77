//! Registers and positions in the operands of an instruction.

use super::code::{Instr, Reg};

/// Bag, itself or by one of its digits.
pub(crate) enum BagOrDigit {
    Bag(u8),
    Digit(u16),
}

impl Instr {
    /// Returns the register that the instruction writes.
    pub fn written_register(mut self) -> Option<Reg> {
        if let Instr::Next(_, _, cursor, _) = self {
            return Some(cursor);
        }
        self.replaceable_destination().copied()
    }

    /// Returns the destination of an instruction that may be given another one.
    pub fn replaceable_destination(&mut self) -> Option<&mut Reg> {
        match self {
            Instr::Const(d, _)
            | Instr::Wide(d, _)
            | Instr::Field(d, _)
            | Instr::Copy(d, _)
            | Instr::Narrow(d, _)
            | Instr::Bin(_, d, ..)
            | Instr::BinK(_, d, ..)
            | Instr::BinNarrow(_, d, ..)
            | Instr::BinKNarrow(_, d, ..)
            | Instr::Load(d, ..)
            | Instr::Look(d, ..)
            | Instr::Key(d, ..)
            | Instr::Get(d, ..)
            | Instr::Count(d, ..)
            | Instr::Before(d, ..) => Some(d),
            #[rustfmt::skip]
            Instr::Jump(_) | Instr::Unless(..) | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Store(..)
            | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Put(..) | Instr::There(..)
            | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Fail(_) | Instr::Tell(_)
            | Instr::End | Instr::Halt | Instr::Skip => None,
        }
    }

    /// Returns the registers that it reads by number, without those of lists and bags.
    pub fn scalar_registers_read_mut(&mut self) -> [Option<&mut Reg>; 2] {
        match self {
            Instr::Copy(_, s)
            | Instr::Narrow(_, s)
            | Instr::BinK(_, _, s, _)
            | Instr::BinKNarrow(_, _, s, _)
            | Instr::Unless(s, _)
            | Instr::UnlessCmpK(_, s, ..)
            | Instr::Load(.., s)
            | Instr::Look(_, _, s)
            | Instr::Key(_, _, s)
            | Instr::Keep(_, _, s, _)
            | Instr::Tally(_, s)
            | Instr::Get(.., s)
            | Instr::There(_, s, _)
            | Instr::Take(_, _, s) => [Some(s), None],
            Instr::Bin(_, _, a, b)
            | Instr::BinNarrow(_, _, a, b)
            | Instr::UnlessCmp(_, a, b, _)
            | Instr::Store(_, _, a, b)
            | Instr::Put(_, a, b)
            | Instr::Before(_, _, a, b) => [Some(a), Some(b)],
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Jump(_) | Instr::Site(_) | Instr::Rest(_)
            | Instr::Count(..) | Instr::Next(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Fail(_) | Instr::Tell(_)
            | Instr::End | Instr::Halt | Instr::Skip => [None, None],
        }
    }

    /// Returns whether it only computes a value, and cannot fail.
    pub(crate) fn is_pure_computation(&self) -> bool {
        match self {
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) => true,
            Instr::Get(..) | Instr::Count(..) | Instr::Before(..) => true,
            Instr::Bin(two, ..) | Instr::BinK(two, ..) => two.is_comparison(),
            #[rustfmt::skip]
            Instr::Narrow(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Unless(..)
            | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..)
            | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Put(..)
            | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Fail(_)
            | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => false,
        }
    }

    /// Returns the suspend point of a die or a decision.
    pub(crate) fn suspend_site(&self) -> Option<usize> {
        let Instr::Site(site) = self else { return None };
        Some(usize::from(*site))
    }

    /// Returns whether execution may continue with the next instruction.
    pub(crate) fn can_fall_through(&self) -> bool {
        match self {
            Instr::Jump(_) | Instr::Fail(_) | Instr::Halt => false,
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Unless(..) | Instr::UnlessCmp(..)
            | Instr::UnlessCmpK(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..)
            | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..) | Instr::Count(..)
            | Instr::There(..) | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..)
            | Instr::Tell(_) | Instr::End | Instr::Skip => true,
        }
    }

    /// Returns the consecutive registers that it accesses by index: the first, and their number.
    pub(crate) fn indexed_register_row(&self) -> Option<(Reg, u8)> {
        match *self {
            Instr::Load(_, base, count, _)
            | Instr::Store(base, count, ..)
            | Instr::Keep(base, count, ..) => Some((base, count)),
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Unless(..)
            | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Look(..) | Instr::Key(..) | Instr::Site(_)
            | Instr::Rest(_) | Instr::Tally(..) | Instr::Get(..) | Instr::Put(..) | Instr::Count(..) | Instr::There(..)
            | Instr::Next(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..) | Instr::Before(..) | Instr::Fail(_)
            | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => None,
        }
    }

    /// Returns the bag that it accesses, or the digit of a bag.
    pub(crate) fn bag_or_digit_operand(&self) -> Option<BagOrDigit> {
        match *self {
            Instr::There(bag, ..)
            | Instr::Take(bag, ..)
            | Instr::Next(bag, ..)
            | Instr::Close(bag, _)
            | Instr::Sort(bag, _)
            | Instr::Before(_, bag, ..) => Some(BagOrDigit::Bag(bag)),
            Instr::Get(_, digit, _) | Instr::Count(_, digit, ..) | Instr::Put(digit, ..) => {
                Some(BagOrDigit::Digit(digit))
            }
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Jump(_) | Instr::Unless(..)
            | Instr::UnlessCmp(..) | Instr::UnlessCmpK(..) | Instr::Load(..) | Instr::Store(..) | Instr::Look(..)
            | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..) | Instr::Fail(_)
            | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => None,
        }
    }

    /// Returns its jump target.
    pub fn jump_target(mut self) -> Option<usize> {
        self.jump_target_mut().map(|to| usize::from(*to))
    }

    /// Sets its jump target.
    pub fn set_jump_target(&mut self, place: usize) {
        if let Some(to) = self.jump_target_mut() {
            *to = place as u16;
        }
    }

    fn jump_target_mut(&mut self) -> Option<&mut u16> {
        match self {
            Instr::Jump(to)
            | Instr::Unless(_, to)
            | Instr::UnlessCmp(_, _, _, to)
            | Instr::UnlessCmpK(_, _, _, to)
            | Instr::There(_, _, to)
            | Instr::Next(_, _, _, to) => Some(to),
            #[rustfmt::skip]
            Instr::Const(..) | Instr::Wide(..) | Instr::Field(..) | Instr::Copy(..) | Instr::Narrow(..) | Instr::Bin(..)
            | Instr::BinK(..) | Instr::BinNarrow(..) | Instr::BinKNarrow(..) | Instr::Load(..) | Instr::Store(..)
            | Instr::Look(..) | Instr::Key(..) | Instr::Keep(..) | Instr::Site(_) | Instr::Rest(_) | Instr::Tally(..)
            | Instr::Get(..) | Instr::Put(..) | Instr::Count(..) | Instr::Take(..) | Instr::Close(..) | Instr::Sort(..)
            | Instr::Before(..) | Instr::Fail(_) | Instr::Tell(_) | Instr::End | Instr::Halt | Instr::Skip => None,
        }
    }
}
