//! When a contest that can go on for ever is left as it is.

/// Rounds after which a contest that can go on for ever is left unsettled.
pub const MAX_ROUNDS: u32 = 10_000;

/// Unsettled probability at which the rounds end early.
pub(super) const SETTLED: f64 = 1e-15;
