//! When a contest that can go on for ever is left as it is.

/// Rounds after which a loop that is beyond all other means is left unsettled.
pub const MAX_ROUNDS: u32 = 10_000;

/// Unsettled probability at which waves end early.
pub(super) const SETTLED: f64 = 1e-15;

/// Unsettled probability from which on a mean says nothing: what is not over may weigh anything.
pub const OPEN: f64 = 1e-9;
