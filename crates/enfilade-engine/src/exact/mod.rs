//! Exact odds: probability mass pushed through the die graph.
//!
//! Once in floating point, for everything ([`law`]), and once in whole numbers, for fractions and
//! for tests that compare with `==` ([`weights`]). Nothing is ever rescaled: mass that has not
//! settled is a number of the result. What is tallied on the way has no law, only [`Moments`]. What a law says of one measure is found in the same two
//! arithmetics ([`values`], [`fractions`]).

pub mod approximation;
pub mod fractions;
mod mass;
mod rounds;
mod tallies;
pub mod values;
mod waves;
mod weights;

pub use fractions::reduced;
#[doc(hidden)]
pub use mass::law_watched;
pub use mass::{Law, law, law_unless};
pub use rounds::{MAX_ROUNDS, OPEN};
pub use tallies::Moments;
pub use waves::{Found, law_in_waves};
pub use weights::{Weights, weights, weights_unless};
