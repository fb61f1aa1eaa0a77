//! Contests of the built-in rulebooks, built, played and walked, as in the tests of the games.

#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/harness/play.rs"]
pub mod play;
#[allow(dead_code, unused_imports, reason = "the tests of the games use all of it")]
#[path = "../../../../enfilade-games/tests/it/harness/walk.rs"]
pub mod walk;
