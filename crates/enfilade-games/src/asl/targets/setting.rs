//! What holds of all targets of a contest.

use super::super::rule_numbers::Numbers;

/// What a contest says about all its targets.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// They are encircled.
    pub encircled: bool,
    /// Units can be replaced by lower quality.
    pub elr: bool,
    /// The loss of a leader is felt.
    pub leader_loss: bool,
    /// They are attacked more than once, here or by what follows.
    pub again: bool,
    /// The numbers of the rules.
    pub numbers: Numbers,
}

/// Reads the targets of a contest.
pub(super) struct Reader {
    /// What holds of all of them.
    pub(super) setting: Setting,
    /// Whether something can happen to them after the attack.
    pub(super) lasting: bool,
}
