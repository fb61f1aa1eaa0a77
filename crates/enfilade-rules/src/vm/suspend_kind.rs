//! Reasons for which a rule suspends: a die, a decision, the end.

use super::register_set::Reg;

/// Kind of a suspend point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SuspendKind {
    /// Die with this number of sides.
    Die(u8),
    /// Die whose sides are in a register, at least this many.
    DieOf(Reg, u8),
    /// Decision: its number, and the number of options.
    Choice(u8, u8),
    /// Decision of which some options may be closed.
    ChoiceOf(u8, u8, OpenOptionsSource),
    /// End.
    End,
}

/// Source of the open options of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenOptionsSource {
    /// Bits in a register, from the first option up.
    Bits(Reg),
    /// Numbers between two registers; the first option is the number `base`.
    Numbers {
        /// Least number; `base` without a register.
        from: Option<Reg>,
        /// Greatest number.
        to: Reg,
        /// Number of the first option.
        base: i64,
    },
}

impl SuspendKind {
    /// Returns the decision that is taken here.
    pub fn decision(self) -> Option<u8> {
        match self {
            SuspendKind::Choice(decision, _) | SuspendKind::ChoiceOf(decision, ..) => {
                Some(decision)
            }
            SuspendKind::Die(_) | SuspendKind::DieOf(..) | SuspendKind::End => None,
        }
    }

    /// Returns the registers that a die or a decision reads.
    pub fn registers_read(self) -> [Option<Reg>; 2] {
        match self {
            SuspendKind::DieOf(reg, _)
            | SuspendKind::ChoiceOf(.., OpenOptionsSource::Bits(reg)) => [Some(reg), None],
            SuspendKind::ChoiceOf(.., OpenOptionsSource::Numbers { from, to, .. }) => {
                [from, Some(to)]
            }
            SuspendKind::Die(_) | SuspendKind::Choice(..) | SuspendKind::End => [None, None],
        }
    }
}
