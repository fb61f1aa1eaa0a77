//! What all doors of a studio share: rulebooks, folder, threads.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use rayon::ThreadPool;

use super::folder::{Folder, Trouble};
use super::newest::Newest;
use super::reply;
use super::terms::Terms;
use super::visits::Here;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::halt::Halt;

/// What all doors share.
pub struct Bench {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder.
    pub folder: Folder,
    /// The threads on which answers are worked out; those that serve never wait for them.
    pub pool: ThreadPool,
    /// How long an answer may take that was asked by typing.
    pub budget: Duration,
    /// Which question of each page counts.
    pub newest: Newest,
    /// The pages that are open.
    pub here: Here,
}

impl Bench {
    /// A bench over this folder.
    ///
    /// # Errors
    /// When the threads are not to be had.
    pub fn new(catalogue: &Catalogue, folder: Folder, terms: &Terms) -> Result<Bench, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(terms.threads.unwrap_or(0)).build();
        let pool = pool.map_err(|why| Error::Usage(format!("the threads cannot be had: {why}")))?;
        let (built_in, budget) = (catalogue.clone(), terms.budget);
        let (newest, here) = (Newest::default(), Here::default());
        Ok(Bench { built_in, folder, pool, budget, newest, here })
    }

    /// Stops all work: the studio ends.
    pub fn stop(&self) {
        self.newest.stop();
    }
}

/// Does what takes longer than serving may wait.
pub async fn aside<T: Send + 'static>(
    bench: Arc<Bench>,
    work: impl FnOnce(&Bench) -> T + Send + 'static,
) -> Result<T, axum::response::Response> {
    let done = tokio::task::spawn_blocking(move || work(&bench)).await;
    done.map_err(|_| reply::refused(StatusCode::INTERNAL_SERVER_ERROR, "that went wrong"))
}

/// The same; `halt` is asked when `budget` is over before the work is.
pub async fn within<T: Send + 'static>(
    bench: Arc<Bench>,
    budget: Duration,
    halt: Arc<Halt>,
    work: impl FnOnce(&Bench, &Halt) -> T + Send + 'static,
) -> Result<T, axum::response::Response> {
    let watch = Arc::clone(&halt);
    let clock = tokio::spawn(async move {
        tokio::time::sleep(budget).await;
        watch.ask();
    });
    let done = aside(bench, move |bench| work(bench, &halt)).await;
    // Or it would sleep on for every key that was typed.
    clock.abort();
    done
}

/// What a door answers to a file that is not read or written.
pub fn trouble(trouble: &Trouble) -> axum::response::Response {
    match trouble {
        Trouble::Refused(status, why) => reply::refused(*status, why),
        Trouble::Changed(there) => {
            let there = there
                .as_ref()
                .map(|found| serde_json::json!({ "text": found.text, "hash": found.hash }));
            let why = "the file is another than the one that was opened";
            // The text that is there goes along: the page can show both and ask which is to stay.
            let body = serde_json::json!({ "error": why, "there": there });
            reply::json_of(StatusCode::CONFLICT, &body)
        }
    }
}
