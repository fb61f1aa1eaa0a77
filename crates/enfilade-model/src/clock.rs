//! Time that has passed, for estimates and progress.
//!
//! A module in a browser has no clock: no time passes there, nothing is ever late, and no durations
//! are reported.

use std::time::Duration;

/// Start of a measured duration.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    started: std::time::Instant,
}

impl Stopwatch {
    /// Starts the measurement.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn start_now() -> Stopwatch {
        Stopwatch { started: std::time::Instant::now() }
    }

    /// Starts the measurement.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn start_now() -> Stopwatch {
        Stopwatch {}
    }

    /// Returns the time since the start.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns zero, because there is no clock.
    #[cfg(all(target_family = "wasm", target_os = "unknown"))]
    pub fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
