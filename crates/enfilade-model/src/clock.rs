//! Time that has passed, for those who say how long something takes.
//!
//! In a browser no module has a clock of its own: there no time passes, nothing is ever late, and nothing is said of
//! how long it takes.

use std::time::Duration;

/// A moment that time is counted from.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    started: std::time::Instant,
}

impl Stopwatch {
    /// Starts to count.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn start() -> Stopwatch {
        Stopwatch { started: std::time::Instant::now() }
    }

    /// Starts to count.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn start() -> Stopwatch {
        Stopwatch {}
    }

    /// Returns the time since the start.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the time since the start: none.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
