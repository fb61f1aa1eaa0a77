//! Properties that all targets of a contest share.

use super::super::rule_numbers::RuleNumbers;

/// Fields of a contest about all its targets.
#[derive(Clone, Copy, Debug)]
pub struct PropertiesOfAllTargets {
    /// Whether the targets are encircled.
    pub encircled: bool,
    /// Whether units can be replaced by lower quality.
    pub elr: bool,
    /// Whether the loss of a leader is felt.
    pub leader_loss: bool,
    /// Whether the targets are attacked more than once, here or by a follow-up.
    pub again: bool,
    /// Numbers of the rules.
    pub numbers: RuleNumbers,
}

/// Reader of the targets of a contest.
pub(super) struct ContestTargetReader {
    /// Properties that all targets share.
    pub(super) setting: PropertiesOfAllTargets,
    /// Whether something can happen to the targets after the attack.
    pub(super) lasting: bool,
}
