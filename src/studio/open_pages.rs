//! The number of open pages, and the time since when none is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

/// The number of open pages, and the time of its last change.
#[derive(Clone)]
pub struct OpenPageCount(Arc<Mutex<(usize, Instant)>>);

impl Default for OpenPageCount {
    fn default() -> OpenPageCount {
        OpenPageCount(Arc::new(Mutex::new((0, Instant::now()))))
    }
}

impl OpenPageCount {
    /// Whether no page has been open for `long`.
    pub fn is_idle_for(&self, long: Duration) -> bool {
        let (pages, since) = *self.0.lock();
        pages == 0 && since.elapsed() >= long
    }

    /// Counts a page that was opened.
    pub fn count_opened_page(&self) -> OpenPageGuard {
        let mut state = self.0.lock();
        *state = (state.0 + 1, Instant::now());
        OpenPageGuard(self.clone())
    }
}

/// A page that is open until this is dropped.
pub struct OpenPageGuard(OpenPageCount);

impl Drop for OpenPageGuard {
    fn drop(&mut self) {
        let mut state = self.0.0.lock();
        *state = (state.0.saturating_sub(1), Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_one_leaves_nobody() {
        let here = OpenPageCount::default();
        let (first, second) = (here.count_opened_page(), here.count_opened_page());
        drop(first);
        assert!(!here.is_idle_for(Duration::ZERO));
        drop(second);
        assert!(here.is_idle_for(Duration::ZERO));
        assert!(!here.is_idle_for(Duration::from_secs(60)));
    }
}
