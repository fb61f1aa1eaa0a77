//! Statistics: numbers in, numbers out.
//!
//! Intervals of simulated numbers ([`intervals`], [`mean`], [`deviation`], [`quantile`]) and of a
//! difference of two ([`difference`]), tests whether two distributions are the same
//! ([`agreement`]), the number of trials that an accuracy needs ([`precision`]), and the time until
//! a repeated event happens ([`repeated_trials`]).
//!
//! For prices: where a curve of wins passes one half ([`logistic`], [`isotonic`]), the best mix of a
//! game of two sides ([`equilibrium`]), the centre and the slope of points of which some are wrong
//! ([`robust_line`]), worths in sums of which the larger wins ([`worth_fit`]). Random numbers come from a
//! key ([`random_draws`]); everything else is free of chance, and nothing reads a file or a clock.

pub mod agreement;
pub mod deviation;
pub mod difference;
mod divergence;
pub mod equilibrium;
pub mod intervals;
pub mod isotonic;
pub mod logistic;
pub mod mean;
pub mod precision;
pub mod quantile;
pub mod random_draws;
pub mod repeated_trials;
pub mod robust_line;
pub mod worth_fit;
