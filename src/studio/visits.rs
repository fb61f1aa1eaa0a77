//! The number of open pages, and the time since when none is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The number of open pages, and the time of its last change.
#[derive(Clone)]
pub struct Here(Arc<Mutex<(usize, Instant)>>);

impl Default for Here {
    fn default() -> Here {
        Here(Arc::new(Mutex::new((0, Instant::now()))))
    }
}

impl Here {
    /// Whether no page has been open for `long`.
    pub fn nobody_for(&self, long: Duration) -> bool {
        let (pages, since) = *self.0.lock();
        pages == 0 && since.elapsed() >= long
    }

    /// Counts a page that was opened.
    pub fn enter(&self) -> Visit {
        let mut held = self.0.lock();
        *held = (held.0 + 1, Instant::now());
        Visit(self.clone())
    }
}

/// A page that is open until this is dropped.
pub struct Visit(Here);

impl Drop for Visit {
    fn drop(&mut self) {
        let mut held = self.0.0.lock();
        *held = (held.0.saturating_sub(1), Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_leaves_nobody() {
        let here = Here::default();
        let (first, second) = (here.enter(), here.enter());
        drop(first);
        assert!(!here.nobody_for(Duration::ZERO));
        drop(second);
        assert!(here.nobody_for(Duration::ZERO));
        assert!(!here.nobody_for(Duration::from_secs(60)));
    }
}
