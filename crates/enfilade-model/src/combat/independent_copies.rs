//! Combats made of independent copies of a part whose effects add up.
//!
//! A hundred shots at one target are a hundred times the same few dice, and only their sum matters.
//! A combat that [declares](crate::combat::Combat::as_independent_copies) this is compiled once for
//! a single copy, not once per copy and sum. The exact and the simulated engine rely on the
//! declaration. The played engine plays the combat as its rule defines it, so that a comparison of
//! the three shows a wrong declaration.

pub use super::any_combat::TypeErasedCopies;
pub use super::rule::{COPY_EFFECT_COUNTS, CopyEffectCounts, IndependentCopies};
