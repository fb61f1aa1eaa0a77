//! Exact odds: probability pushed through the die graph.
//!
//! Distributions are solved in floating point for everything ([`law`]), and in whole numbers for
//! fractions and for tests that compare with `==` ([`weights`]). Loops are solved (`solve`).
//! Nothing is ever rescaled: the probability of never ending is a number of the result. A tally has
//! no distribution, only [`Moments`]. Measures are computed in the same two arithmetics
//! ([`measure_value`], [`measure_fraction`]).

pub mod approximation;
mod convergence;
mod distribution;
mod exact_frontier;
mod integer_weights;
#[doc(hidden)]
pub mod layers;
pub mod measure_fraction;
pub mod measure_value;
mod solve;
mod tally_figures;
mod tally_moments;
#[doc(hidden)]
pub mod witness;

pub use convergence::{MAX_ROUNDS, OPEN};
#[doc(hidden)]
pub use distribution::law_watched;
pub use distribution::{Law, law, law_unless};
pub use exact_frontier::{Found, law_in_waves};
pub use integer_weights::{Weights, weights, weights_unless};
pub use measure_fraction::reduced;
pub use tally_figures::tally_figures;
pub use tally_moments::Moments;
