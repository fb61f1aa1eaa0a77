//! What `skirmishers` hands on, and its arsenal; rules and laws are tested in `enfilade-games`.

mod arsenal;
mod carried;
#[allow(dead_code, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/skirmishers/oracle.rs"]
pub mod oracle;
