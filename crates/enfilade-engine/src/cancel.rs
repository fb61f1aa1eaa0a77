//! A request to stop, which long work looks at between its pieces and inside the long ones.

use std::sync::atomic::{AtomicBool, Ordering};

use enfilade_model::error::Unsolved;

/// Whether somebody has asked the work to stop. Once asked, it stays asked.
#[derive(Debug, Default)]
pub struct Halt(AtomicBool, Option<fn() -> bool>);

/// Work that nobody stops.
pub static NEVER: Halt = Halt::new();

impl Halt {
    /// Nobody has asked yet.
    pub const fn new() -> Halt {
        Halt(AtomicBool::new(false), None)
    }

    /// A request that `over` answers: on one thread nobody can ask while the work is under way.
    pub const fn watched(over: fn() -> bool) -> Halt {
        Halt(AtomicBool::new(false), Some(over))
    }

    /// Asks the work to stop.
    pub fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// The flag itself, for what sets flags on its own, such as a signal.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Goes on, unless somebody asked to stop.
    ///
    /// # Errors
    /// [`Unsolved::Stopped`] once somebody has asked.
    pub fn unless_asked(&self) -> Result<(), Unsolved> {
        if self.asked() { Err(Unsolved::Stopped) } else { Ok(()) }
    }

    /// Whether the work is to stop.
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
