//! The model of a game: dice, rules, forms and catalogues.
//!
//! A rule is a [`Combat`](combat::Combat): plain Rust that requests faces from a source of
//! [dice](dice::Dice) and returns the next state. Nothing in it depends on how it is solved. A
//! [`form`] defines the fields that a designer may write in a contest, a
//! [catalogue](catalogue::Catalogue) lists the rulebooks, and [`weapons`] defines the interface of
//! a rulebook whose weapons can be priced. No engine is named here: rules and games do not depend
//! on the way they are solved.

pub mod catalogue;
#[doc(hidden)]
pub mod clock;
pub mod combat;
pub mod dice;
pub mod error;
pub mod form;
#[cfg(feature = "files")]
#[doc(hidden)]
pub mod plain_file;
pub mod shared;
#[doc(hidden)]
pub mod state_hash;
pub mod weapons;
