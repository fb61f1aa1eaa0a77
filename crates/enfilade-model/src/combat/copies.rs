//! Combats made of independent copies of a part whose effects add up.
//!
//! A hundred shots at one target are a hundred times the same few dice, and all that matters of
//! those rolled is what they add up to. A combat that [declares](crate::combat::Combat::copies) so
//! is compiled once for a single copy, not once per copy and sum. What it declares is believed by
//! the exact and the simulated engine; the played one plays the combat as its rule tells it, so that
//! a wrong declaration is seen where the three are compared.

pub use super::any::AnyCopies;
pub use super::rule::{COUNTS, Copies, Effect};
