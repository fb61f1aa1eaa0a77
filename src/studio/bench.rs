//! Shared state of all routes: rulebooks, folder, threads.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use rayon::ThreadPool;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;

use super::drawer::Drawers;
use super::folder::{Folder, Found, Trouble};
use super::newest::Newest;
use super::reply;
use super::terms::Terms;
use super::visits::Here;
use crate::cancel::Halt;
use crate::catalogue::Catalogue;
use crate::error::Error;

/// Shared state of all routes.
pub struct Bench {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder.
    pub folder: Folder,
    /// Variants and drafts beside its questions.
    pub drawers: Drawers,
    /// The threads that solve questions; those that serve never wait for them.
    pub pool: ThreadPool,
    /// Time limit of an answer while the user types.
    pub budget: Duration,
    /// The latest question of each page.
    pub newest: Newest,
    /// The pages that are open.
    pub here: Here,
    /// Which rulebooks a question may name.
    pub reach: Reach,
    queues: Queues,
}

/// Places of the rulebooks that a question may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// In the folder, by a plain name: a page has no other.
    Folder,
    /// At the path in the file, as on the command line: the caller has started the program.
    Path,
}

impl Bench {
    /// Creates the state over this folder.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(catalogue: &Catalogue, folder: Folder, terms: &Terms) -> Result<Bench, Error> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(terms.threads.unwrap_or(0)).build();
        let pool =
            pool.map_err(|why| Error::Usage(format!("the threads cannot be started: {why}")))?;
        let (built_in, budget) = (catalogue.clone(), terms.budget);
        let (newest, here, queues) = (Newest::default(), Here::default(), Queues::default());
        let drawers = Drawers::of(&folder);
        let reach = Reach::Folder;
        Ok(Bench { built_in, folder, drawers, pool, budget, newest, here, reach, queues })
    }

    /// Sets the places of rulebooks.
    pub fn with(self, reach: Reach) -> Bench {
        Bench { reach, ..self }
    }

    /// Stops all work: the studio ends.
    pub fn stop(&self) {
        self.newest.stop();
    }
}

/// Queues of work, which waits for a free thread. Each has its own threads, so that a list of files
/// never waits for an export, nor an answer while the user types.
#[derive(Clone, Copy)]
pub enum Queue {
    /// Short work: files, texts, forms.
    Light,
    /// Questions while the user types.
    Typed,
    /// Distributions of a few dice and rolls without a search: never behind those that take
    /// seconds.
    Glance,
    /// Distributions of many dice, which may take seconds.
    Dice,
    /// Searches for rolls, which may take seconds too.
    Ways,
    /// Work that the user waits for on purpose.
    Long,
}

/// Limits of each kind of work at a time; the rest waits, and most is cancelled before its turn
/// comes.
struct Queues([Arc<Semaphore>; PLACES.len()]);

impl Default for Queues {
    fn default() -> Queues {
        Queues(PLACES.map(|places| Arc::new(Semaphore::new(places))))
    }
}

impl Queues {
    /// Waits for a place in the queue, which is freed on drop.
    async fn place(&self, queue: Queue) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0[queue as usize]).acquire_owned().await.ok()
    }
}

/// Number of places of each queue, in the order of [`Queue`].
const PLACES: [usize; 6] = [4, 8, 4, 4, 4, 4];

/// Threads for all of them and for a job.
pub const THREADS: usize =
    PLACES[0] + PLACES[1] + PLACES[2] + PLACES[3] + PLACES[4] + PLACES[5] + 1;

/// Runs short work, off the thread that serves.
pub async fn aside<T: Send + 'static>(
    bench: Arc<Bench>,
    work: impl FnOnce(&Bench) -> T + Send + 'static,
) -> Result<T, axum::response::Response> {
    queued(bench, Queue::Light, work).await
}

async fn queued<T: Send + 'static>(
    bench: Arc<Bench>,
    queue: Queue,
    work: impl FnOnce(&Bench) -> T + Send + 'static,
) -> Result<T, axum::response::Response> {
    let place = bench.queues.place(queue).await;
    let done = tokio::task::spawn_blocking(move || {
        // The place is freed when the work is over, even if no client waits for it.
        let _place = place;
        work(&bench)
    });
    done.await.map_err(|_| reply::refused(StatusCode::INTERNAL_SERVER_ERROR, "internal error"))
}

/// Runs longer work. `halt` is cancelled when `budget` runs out before the work is done, and when
/// no client waits for it any more.
pub async fn within<T: Send + 'static>(
    bench: Arc<Bench>,
    (queue, budget): (Queue, Duration),
    halt: Arc<Halt>,
    work: impl FnOnce(&Bench, &Halt) -> T + Send + 'static,
) -> Result<T, axum::response::Response> {
    let watch = Arc::clone(&halt);
    let clock = tokio::spawn(async move {
        tokio::time::sleep(budget).await;
        watch.ask();
    });
    // The server drops this future, and with it the guard, when the connection is gone.
    let _asker = Asker { halt: Arc::clone(&halt), clock };
    queued(bench, queue, move |bench| work(bench, &halt)).await
}

/// A guard for a client that waits for an answer: when the client hangs up, the work stops.
struct Asker {
    halt: Arc<Halt>,
    clock: JoinHandle<()>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.halt.ask();
        // Otherwise a timer would run on for every key that was typed.
        self.clock.abort();
    }
}

/// The refusal of a text that would overwrite changes that its author has not seen.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Conflict {
    error: String,
    there: Option<FoundView>,
}

/// The current text, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct FoundView {
    text: String,
    hash: String,
}

/// Builds the response to a file that cannot be read or written.
pub fn trouble(trouble: &Trouble) -> axum::response::Response {
    match trouble {
        Trouble::Refused(status, why) => reply::refused(*status, why),
        Trouble::Changed(there) => {
            let there = there.as_ref();
            let there = there
                .map(|Found { text, hash }| FoundView { text: text.clone(), hash: hash.clone() });
            let error = "the file has changed since it was opened".to_owned();
            // The current text is included: the page can show both and ask which to keep.
            let body = Conflict { error, there };
            reply::json_of(StatusCode::CONFLICT, &body)
        }
    }
}
