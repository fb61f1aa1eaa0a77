//! Three ways to play one rule: exactly, by counts, and one trial at a time.
//!
//! A rule is a [`Combat`](enfilade_model::combat::Combat): plain Rust that rolls dice from a source
//! and returns the next state. The [die graph](graph) replays it with every face of every die.
//! [exact](mod@exact) propagates probability through the graph. [simulate] propagates counts of
//! trials through it, with real rolls. [play] rolls one trial at a time and uses no graph. The
//! three must agree. A contest that is too large for a graph is solved state by state instead.
//!
//! [`odds`] is the short way to all three:
//!
//! ```
//! use enfilade_engine::odds::Odds;
//! use enfilade_model::combat::{Combat, Measure, OutcomeVocabulary};
//! use enfilade_model::dice::Dice;
//!
//! /// A morale check: 2d6 must not exceed the level.
//! struct StackMoraleCheck(i32);
//!
//! impl Combat for StackMoraleCheck {
//!     /// Whether the check was passed; `None` before the roll.
//!     type State = Option<bool>;
//!     type Outcome = bool;
//!     fn initial_state(&self) -> Option<bool> { None }
//!     fn play_one_step(&self, _: Option<bool>, dice: &mut impl Dice) -> Option<bool> {
//!         Some(i32::from(dice.die(6)) + i32::from(dice.die(6)) <= self.0)
//!     }
//!     fn outcome_if_over(&self, state: &Option<bool>) -> Option<bool> { *state }
//!     fn vocabulary(&self) -> OutcomeVocabulary<bool> {
//!         let pass = Measure::probability("p_pass", "the check is passed", |&passed| passed);
//!         OutcomeVocabulary { fields: vec![], measures: vec![pass] }
//!     }
//! }
//!
//! // 21 of the 36 rolls are 7 or less.
//! assert_eq!(Odds::of(StackMoraleCheck(7))?.exact().fraction("p_pass")?.to_string(), "7/12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without its default features the crate has the exact engine alone, in few libraries: `trials`
//! adds the two engines that roll dice, and `threads` lets them use several processors.

pub mod cancel;
pub mod error;
pub mod exact;
#[doc(hidden)]
pub mod frontier;
pub mod graph;
pub mod odds;
#[doc(hidden)]
pub mod parallel;
#[cfg(feature = "trials")]
pub mod play;
#[cfg(feature = "trials")]
pub mod random_stream;
#[cfg(feature = "trials")]
pub mod simulate;
#[cfg(feature = "trials")]
#[doc(hidden)]
pub mod work_units;
