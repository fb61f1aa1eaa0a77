//! The time of the system, under the names of `web-time`; in a module of a browser a clock that stands still.
//!
//! The solver of prices asks how long it has worked and is given no end. The crate of that name asks the browser,
//! through glue that another program has to write for each module.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::*;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use still::*;

/// A clock that stands still.
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod still {
    use std::ops::{Add, Sub};
    pub use std::time::Duration;

    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        pub fn now() -> Instant {
            Instant(Duration::ZERO)
        }

        pub fn elapsed(&self) -> Duration {
            Duration::ZERO
        }

        pub fn duration_since(&self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        pub fn checked_add(&self, long: Duration) -> Option<Instant> {
            self.0.checked_add(long).map(Instant)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, long: Duration) -> Instant {
            Instant(self.0.saturating_add(long))
        }
    }

    impl Sub<Instant> for Instant {
        type Output = Duration;

        fn sub(self, other: Instant) -> Duration {
            self.duration_since(other)
        }
    }
}
