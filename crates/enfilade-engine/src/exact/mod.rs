//! Exact odds: probability pushed through the die graph.
//!
//! Distributions are solved in floating point for everything ([`solve_graph_distribution`]), and in
//! whole numbers for fractions and for tests that compare with `==` ([`solve_integer_weights`]).
//! Loops are solved (`solve`). Nothing is ever rescaled: the probability of never ending is a
//! number of the result. A tally has no distribution, only [`TallyMoments`]. Measures are computed
//! in the same two arithmetics ([`measure_value`], [`measure_fraction`]).

pub mod approximation;
mod convergence;
mod distribution;
mod exact_frontier;
#[doc(hidden)]
pub mod independent_check;
mod integer_weights;
pub mod measure_fraction;
pub mod measure_value;
mod rounding_error;
mod solve_loops;
mod tally_figures;
#[doc(hidden)]
pub mod tally_layers;
mod tally_moments;

pub use convergence::{MAX_LOOP_ROUNDS, MAX_UNFINISHED_FOR_MEAN};
#[doc(hidden)]
pub use distribution::solve_announcing_slow_loops;
pub use distribution::{Distribution, solve_graph_distribution, solve_graph_unless_cancelled};
pub use exact_frontier::{DistributionWithoutGraph, solve_first_steps, solve_without_graph};
pub use integer_weights::{
    IntegerEndingWeights, solve_integer_weights, solve_weights_unless_cancelled,
};
pub use measure_fraction::reduce_fraction;
pub use rounding_error::RoundingErrorBound;
pub use tally_figures::tally_figures;
pub use tally_moments::TallyMoments;
