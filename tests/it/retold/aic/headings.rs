//! The headings under which the fields of a contest stand on forms, the same in all actions; readings
//! and numbers of the rules stand under that of [`readings`](enfilade::form::field_groups::readings).

/// Who attacks.
pub const ATTACKERS: &str = "the attackers";
/// Who is attacked or tested, where, with whom.
pub const TARGET: &str = "the target";
/// What a roll does, and who bears it.
pub const RESULTS: &str = "the results";
/// How a squad tests its morale.
pub const MORALE: &str = "the morale test";
