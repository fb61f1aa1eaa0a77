//! What several tests of the program have in common.

pub mod axe;
pub mod known;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/harness/play.rs"]
pub mod play;

pub use enfilade_testkit::test_timeout;
