//! Which pages are open, and since when none is.

use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How many pages are open, and since when it is so.
#[derive(Clone)]
pub struct Here(Arc<Mutex<(usize, Instant)>>);

impl Default for Here {
    fn default() -> Here {
        Here(Arc::new(Mutex::new((0, Instant::now()))))
    }
}

impl Here {
    /// Whether no page has been open for so long.
    pub fn nobody_for(&self, long: Duration) -> bool {
        let (pages, since) = *self.held();
        pages == 0 && since.elapsed() >= long
    }

    /// A page was opened.
    pub fn enter(&self) -> Visit {
        let mut held = self.held();
        *held = (held.0 + 1, Instant::now());
        Visit(self.clone())
    }

    fn held(&self) -> MutexGuard<'_, (usize, Instant)> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// A page that is open until this is dropped.
pub struct Visit(Here);

impl Drop for Visit {
    fn drop(&mut self) {
        let mut held = self.0.held();
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
