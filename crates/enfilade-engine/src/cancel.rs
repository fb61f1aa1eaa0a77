//! Cancellation token, polled between work units and inside long ones.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::SolveError;

/// Flag that asks running work to stop. Once raised, it stays raised.
#[derive(Debug, Default)]
pub struct CancelToken(AtomicBool, Option<fn() -> bool>);

/// Token of work that nothing can cancel.
pub static NEVER_CANCELLED: CancelToken = CancelToken::new();

impl CancelToken {
    /// Creates a token that has not been raised.
    pub const fn new() -> CancelToken {
        CancelToken(AtomicBool::new(false), None)
    }

    /// A request that `over` answers: on one thread nobody can ask while the work is under way.
    pub const fn from_query(over: fn() -> bool) -> CancelToken {
        CancelToken(AtomicBool::new(false), Some(over))
    }

    /// Raises the token: the work stops at its next check.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns the flag itself, for code that sets flags directly, such as a signal handler.
    pub fn as_flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Checks that the work may continue.
    ///
    /// # Errors
    /// [`SolveError::Cancelled`] if the token has been raised.
    pub fn check_not_cancelled(&self) -> Result<(), SolveError> {
        if self.is_cancelled() { Err(SolveError::Cancelled) } else { Ok(()) }
    }

    /// Returns whether the work has to stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) || self.1.is_some_and(|over| over())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_asked_it_stays_asked() {
        let halt = CancelToken::new();
        assert!(!halt.is_cancelled());
        halt.cancel();
        assert!(halt.is_cancelled() && halt.is_cancelled());
        assert!(!NEVER_CANCELLED.is_cancelled());
        let watched = CancelToken::from_query(|| true);
        assert!(watched.is_cancelled());
    }
}
