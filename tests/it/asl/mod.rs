//! The oracle of `asl`, for cards; rules and laws are tested in `enfilade-games`.

#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/asl/oracle.rs"]
pub mod oracle;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/asl/play.rs"]
pub mod play;
