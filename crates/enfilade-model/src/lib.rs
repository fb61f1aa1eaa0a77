//! The model of a game: dice, rules, forms and catalogues.
//!
//! A rule is a [`Combat`](combat::Combat): plain Rust that requests faces from a source of
//! [dice](dice::Dice) and returns the next state. Nothing in it depends on how it is solved. A
//! [`form`] defines the fields that a designer may write in a contest, a
//! [catalogue](catalogue::Catalogue) lists the rulebooks, and [`weapons`] defines the interface of
//! a rulebook whose weapons can be priced. No engine is named here: rules and games do not depend
//! on the way they are solved.
//!
//! The shortest game is a form, a rule and a line in a catalogue; `examples/toy` of the repository
//! is a whole one. A rule alone can be played with any dice:
//!
//! ```
//! use enfilade_model::combat::{AnyCombat, Combat, OutcomeField, OutcomeVocabulary};
//! use enfilade_model::dice::ScriptedDice;
//!
//! /// The better of two six-sided dice.
//! struct Better;
//!
//! impl Combat for Better {
//!     type State = u8;
//!     type Outcome = u8;
//!     fn initial_state(&self) -> u8 { 0 }
//!     fn play_one_step(&self, _: u8, dice: &mut impl enfilade_model::dice::Dice) -> u8 {
//!         dice.die(6).max(dice.die(6))
//!     }
//!     fn outcome_if_over(&self, best: &u8) -> Option<u8> { (*best > 0).then_some(*best) }
//!     fn vocabulary(&self) -> OutcomeVocabulary<u8> {
//!         OutcomeVocabulary {
//!             fields: vec![OutcomeField::new("best", "the better die", |&face| face.into())],
//!             measures: vec![],
//!         }
//!     }
//! }
//!
//! let ending = AnyCombat::new(Better).play_one_trial(&mut ScriptedDice::new(&[3, 5]), 10).expect("one step is enough");
//! assert_eq!(ending.fields[0], 5);
//! ```

pub mod catalogue;
#[doc(hidden)]
pub mod clock;
pub mod combat;
pub mod dice;
pub mod error;
pub mod form;
mod open_options;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod plain_file;
#[doc(hidden)]
pub mod state_hash;
pub mod static_or_shared;
pub mod weapons;
