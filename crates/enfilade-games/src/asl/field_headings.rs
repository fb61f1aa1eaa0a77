//! Headings of the fields of a contest on forms, the same in all actions; readings and numbers of
//! the rules are under [`under_readings`](enfilade_model::form::field_groups::under_readings).

/// Heading of the attack and its modifiers.
pub const ATTACK_HEADING: &str = "the attack";
/// Heading of the firers.
pub const FIRERS_HEADING: &str = "the firers";
/// Heading of the targets.
pub const TARGET_HEADING: &str = "the target";
/// Heading of the check that a stack has to pass.
pub const CHECK_HEADING: &str = "the check";
