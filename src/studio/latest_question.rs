//! The latest question of each page, which cancels the one before.

use std::collections::HashMap;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::cancel::CancelToken;

/// The largest number of pages in the table; beyond it the table is cleared, which stops no work.
const MAX_ASKING_PAGES: usize = 64;

/// The latest question of every page.
#[derive(Default)]
pub struct LatestQuestionOfPages(Mutex<HashMap<String, (u64, Arc<CancelToken>)>>);

impl LatestQuestionOfPages {
    /// Begins question `number` of a page and returns its cancel token. `None` if a newer one has
    /// begun.
    pub fn begin_question(&self, page: &str, number: u64) -> Option<Arc<CancelToken>> {
        let mut pages = self.0.lock();
        // Questions without a page do not compete.
        if page.is_empty() {
            return Some(Arc::new(CancelToken::new()));
        }
        if let Some((newest, halt)) = pages.get(page) {
            // Requests may overtake each other on their way.
            if *newest > number {
                return None;
            }
            halt.cancel();
        }
        if pages.len() >= MAX_ASKING_PAGES {
            pages.clear();
        }
        let halt = Arc::new(CancelToken::new());
        pages.insert(page.to_owned(), (number, Arc::clone(&halt)));
        Some(halt)
    }

    /// Whether no newer question of the page has begun.
    pub fn is_latest_question(&self, page: &str, number: u64) -> bool {
        let pages = self.0.lock();
        pages.get(page).is_none_or(|(newest, _)| *newest == number)
    }

    /// Cancels the questions of all pages.
    pub fn cancel_all_questions(&self) {
        let pages = self.0.lock();
        pages.values().for_each(|(_, halt)| halt.cancel());
    }
}

#[cfg(test)]
mod tests {
    use super::LatestQuestionOfPages;

    #[test]
    fn questions_of_no_page_stop_nobody() {
        let newest = LatestQuestionOfPages::default();
        let first = newest.begin_question("", 2).expect("it is nobody's");
        assert!(
            newest.begin_question("", 1).is_some()
                && newest.is_latest_question("", 1)
                && !first.is_cancelled()
        );
    }

    #[test]
    fn a_newer_question_stops_the_older_one_of_its_page_alone() {
        let newest = LatestQuestionOfPages::default();
        let first = newest.begin_question("a", 1).expect("it is the first");
        let other = newest.begin_question("b", 1).expect("it is another page's");
        let second = newest.begin_question("a", 2).expect("it is newer");
        assert!(first.is_cancelled() && !second.is_cancelled() && !other.is_cancelled());
        assert!(newest.begin_question("a", 1).is_none());
        assert!(newest.is_latest_question("a", 2) && !newest.is_latest_question("a", 1));
        newest.cancel_all_questions();
        assert!(second.is_cancelled() && other.is_cancelled());
    }
}
