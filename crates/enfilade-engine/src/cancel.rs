//! Cancellation token, polled between work units and inside long ones, which also show there how
//! far they are.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::error::SolveError;

/// Flag that asks running work to stop. Once raised, it stays raised.
#[derive(Debug, Default)]
pub struct CancelToken {
    raised: AtomicBool,
    query: Option<fn() -> bool>,
    /// States of the graph that is explored; 0 if none is.
    states: AtomicUsize,
}

/// Token of work that nothing can cancel.
pub static NEVER_CANCELLED: CancelToken = CancelToken::new();

impl CancelToken {
    /// Creates a token that has not been raised.
    pub const fn new() -> CancelToken {
        CancelToken { raised: AtomicBool::new(false), query: None, states: AtomicUsize::new(0) }
    }

    /// A request that `over` answers: on one thread nobody can ask while the work is under way.
    pub const fn from_query(over: fn() -> bool) -> CancelToken {
        CancelToken { query: Some(over), ..CancelToken::new() }
    }

    /// Raises the token: the work stops at its next check.
    pub fn cancel(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    /// Returns the flag itself, for code that sets flags directly, such as a signal handler.
    pub fn as_flag(&self) -> &AtomicBool {
        &self.raised
    }

    /// Checks that the work may continue.
    ///
    /// # Errors
    /// [`SolveError::Cancelled`] if the token has been raised.
    pub fn check_not_cancelled(&self) -> Result<(), SolveError> {
        if self.is_cancelled() { Err(SolveError::Cancelled) } else { Ok(()) }
    }

    /// Notes the states of the graph that is explored; 0 once none is. Of several, the last one
    /// counts.
    pub(crate) fn note_explored_states(&self, states: usize) {
        self.states.store(states, Ordering::Relaxed);
    }

    /// Returns the states of the graph that is explored under this token; 0 if none is.
    pub fn explored_states(&self) -> usize {
        self.states.load(Ordering::Relaxed)
    }

    /// Returns whether the work has to stop.
    pub fn is_cancelled(&self) -> bool {
        self.raised.load(Ordering::Relaxed) || self.query.is_some_and(|over| over())
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
