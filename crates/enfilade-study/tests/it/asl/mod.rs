//! What `asl` hands on; rules and laws are tested in `enfilade-games`.

mod carried;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/asl/oracle.rs"]
pub mod oracle;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/asl/play.rs"]
pub mod play;
