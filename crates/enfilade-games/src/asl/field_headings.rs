//! The headings under which the fields of a contest stand on forms, the same in all actions; readings
//! and numbers of the rules stand under that of [`readings`](enfilade_model::form::field_groups::readings).

/// What is fired how, and what modifies it.
pub const ATTACK: &str = "the attack";
/// Who fires.
pub const FIRERS: &str = "the firers";
/// Who is fired at.
pub const TARGET: &str = "the target";
/// What a stack has to pass.
pub const CHECK: &str = "the check";
