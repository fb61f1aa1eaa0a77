//! From wanted odds to the numbers of a game.
//!
//! A file with `[seek]` lists the numbers that may change and the odds that are wanted. Every want
//! reads few of the numbers: those are its scope, found from the rule itself. The grid of each
//! scope is solved exactly, and grids are joined with intervals, so that all designs are decided
//! and few contests are solved.

#[doc(hidden)]
pub mod answer;
mod bounds;
mod condition;
mod contests;
mod decide;
#[doc(hidden)]
pub mod design;
#[doc(hidden)]
pub mod document;
mod given;
mod join;
#[doc(hidden)]
pub mod matters;
mod missing;
#[doc(hidden)]
pub mod numbers;
mod order;
#[doc(hidden)]
pub mod paste;
mod places;
#[doc(hidden)]
pub mod question;
mod scopes;
#[doc(hidden)]
pub mod terminal;
mod text;
#[doc(hidden)]
pub mod want;
mod wanted;
