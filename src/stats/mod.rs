//! Statistics: numbers in, numbers out.
//!
//! How sure a simulated number is ([`intervals`], [`mean`]) or a difference of two ([`difference`]), whether two laws are the same
//! ([`agreement`]), how many trials a wanted accuracy needs ([`precision`]) and how many decimals
//! it deserves ([`decimals`]); how soon what is repeated happens ([`repeated`]). There is no randomness here, no file and no clock.

pub mod agreement;
pub mod decimals;
pub mod difference;
mod divergence;
pub mod intervals;
pub mod mean;
pub mod precision;
pub mod repeated;
