//! Of several questions of one page the latest counts: it stops the one before.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::cancel::Halt;

/// The largest number of pages in the table; beyond it the table is cleared, which stops no work.
const PAGES: usize = 64;

/// The latest question of every page.
#[derive(Default)]
pub struct Newest(Mutex<HashMap<String, (u64, Arc<Halt>)>>);

impl Newest {
    /// Begins question `number` of a page and returns its cancel token. `None` if a newer one has
    /// begun.
    pub fn begin(&self, page: &str, number: u64) -> Option<Arc<Halt>> {
        let mut pages = self.0.lock();
        // Questions without a page do not compete.
        if page.is_empty() {
            return Some(Arc::new(Halt::new()));
        }
        if let Some((newest, halt)) = pages.get(page) {
            // Requests may overtake each other on their way.
            if *newest > number {
                return None;
            }
            halt.ask();
        }
        if pages.len() >= PAGES {
            pages.clear();
        }
        let halt = Arc::new(Halt::new());
        pages.insert(page.to_owned(), (number, Arc::clone(&halt)));
        Some(halt)
    }

    /// Whether no newer question of the page has begun.
    pub fn is(&self, page: &str, number: u64) -> bool {
        let pages = self.0.lock();
        pages.get(page).is_none_or(|(newest, _)| *newest == number)
    }

    /// Stops all of them.
    pub fn stop(&self) {
        let pages = self.0.lock();
        pages.values().for_each(|(_, halt)| halt.ask());
    }
}

#[cfg(test)]
mod tests {
    use super::Newest;

    #[test]
    fn questions_of_no_page_stop_nobody() {
        let newest = Newest::default();
        let first = newest.begin("", 2).expect("it is nobody's");
        assert!(newest.begin("", 1).is_some() && newest.is("", 1) && !first.asked());
    }

    #[test]
    fn a_newer_question_stops_the_older_one_of_its_page_alone() {
        let newest = Newest::default();
        let first = newest.begin("a", 1).expect("it is the first");
        let other = newest.begin("b", 1).expect("it is another page's");
        let second = newest.begin("a", 2).expect("it is newer");
        assert!(first.asked() && !second.asked() && !other.asked());
        assert!(newest.begin("a", 1).is_none());
        assert!(newest.is("a", 2) && !newest.is("a", 1));
        newest.stop();
        assert!(second.asked() && other.asked());
    }
}
