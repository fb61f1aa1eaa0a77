//! Reasons for which a run of a program stops.

use crate::diagnostics::RuleRunFailure;

/// Reason why a run stopped.
pub enum StopReason {
    Suspend(u16),
    /// Face merge.
    Merge(usize),
    /// Memo point, by its index in [`Program::memo_points`].
    Memo(u16),
    End,
    Halt,
    Failed(RuleRunFailure),
}
