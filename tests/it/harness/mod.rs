//! What the tests of rulebooks have in common: contests made, played, walked and enumerated.

pub mod axe;
#[path = "../../../crates/enfilade-games/tests/it/harness/exploding.rs"]
pub mod exploding;
pub mod known;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/harness/play.rs"]
pub mod play;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../crates/enfilade-games/tests/it/harness/walk.rs"]
pub mod walk;

pub use enfilade_testkit::test_timeout;
