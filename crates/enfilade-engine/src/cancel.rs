//! Cancellation token, polled between work units and inside long ones.

use std::sync::atomic::{AtomicBool, Ordering};

use enfilade_model::error::Unsolved;

/// Flag that asks running work to stop. Once raised, it stays raised.
#[derive(Debug, Default)]
pub struct Halt(AtomicBool, Option<fn() -> bool>);

/// Token of work that nothing can cancel.
pub static NEVER: Halt = Halt::new();

impl Halt {
    /// Creates a token that has not been raised.
    pub const fn new() -> Halt {
        Halt(AtomicBool::new(false), None)
    }

    /// A request that `over` answers: on one thread nobody can ask while the work is under way.
    pub const fn watched(over: fn() -> bool) -> Halt {
        Halt(AtomicBool::new(false), Some(over))
    }

    /// Raises the token: the work stops at its next check.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns the flag itself, for code that sets flags directly, such as a signal handler.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Checks that the work may continue.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] if the token has been raised.
    pub fn unless_asked(&self) -> Result<(), Unsolved> {
        if self.asked() { Err(Unsolved::Stopped) } else { Ok(()) }
    }

    /// Returns whether the work has to stop.
    pub fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) || self.1.is_some_and(|over| over())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_asked_it_stays_asked() {
        let halt = Halt::new();
        assert!(!halt.asked());
        halt.ask();
        assert!(halt.asked() && halt.asked());
        assert!(!NEVER.asked());
        let watched = Halt::watched(|| true);
        assert!(watched.asked());
    }
}
