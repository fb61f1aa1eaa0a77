//! The oracle of `d20`, for tests of mixed games; rules and laws are tested in `enfilade-games`.

#[allow(dead_code, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/d20/oracle.rs"]
pub mod oracle;
