//! Statistics of dice: every function takes numbers and returns numbers.
//!
//! ```
//! use enfilade_stats::intervals::{ConfidenceLevel, proportion_interval};
//! // No hit in a million trials: the chance is below 4 in a million, at 95 %.
//! assert!(proportion_interval(0, 1_000_000, ConfidenceLevel::P95).high < 4e-6);
//! ```
//!
//! Intervals of simulated numbers ([`intervals`], [`mean`], [`deviation`], [`quantile`]) and of a
//! difference of two ([`difference`]), tests whether two distributions are the same
//! ([`agreement`]), the number of trials that an accuracy needs ([`precision`]), and the time until
//! a repeated event happens ([`repeated_trials`]).
//!
//! For prices: the point at which a curve of wins passes one half ([`logistic`], [`isotonic`]),
//! centre and slope of points of which some are wrong ([`robust_line`]), and worths from battles of
//! sums ([`worth_fit`]). Random numbers come from a key ([`random_draws`]); nothing else is random,
//! and nothing reads a file or a clock.

pub mod agreement;
pub mod deviation;
pub mod difference;
mod divergence;
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
