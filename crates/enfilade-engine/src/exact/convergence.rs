//! Convergence of contests that may loop for ever: when the probability in loops can be left
//! unfinished.

/// Number of rounds after which a loop that no other method solves is left unfinished.
pub const MAX_LOOP_ROUNDS: u32 = 10_000;

/// Unfinished probability at which the frontier engine stops early.
pub(super) const NEGLIGIBLE_UNFINISHED: f64 = 1e-15;

/// Unfinished probability from which on a mean is meaningless: the unfinished part may have any
/// weight.
pub const MAX_UNFINISHED_FOR_MEAN: f64 = 1e-9;
