//! What a game is to those who work its odds out: dice, rules, forms and catalogues.
//!
//! A rule is a [`Combat`](combat::Combat): plain Rust that asks a source of [dice](dice::Dice) for faces and hands a state
//! on. Nothing in it says how it is played. A [`form`] says what a designer may write in a contest, a
//! [catalogue](catalogue::Catalogue) which rulebooks there are, and [`weapons`] what is asked of a rulebook whose weapons are
//! to be priced. No engine is named here: rules and games never know how they are solved.

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
