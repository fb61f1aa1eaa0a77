//! What all doors of a studio share: rulebooks, folder, threads.

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

/// What all doors share.
pub struct Bench {
    /// The rulebooks that come with the program.
    pub built_in: Catalogue,
    /// The folder.
    pub folder: Folder,
    /// What is kept beside its questions.
    pub drawers: Drawers,
    /// The threads on which answers are worked out; those that serve never wait for them.
    pub pool: ThreadPool,
    /// How long an answer may take that was asked by typing.
    pub budget: Duration,
    /// Which question of each page counts.
    pub newest: Newest,
    /// The pages that are open.
    pub here: Here,
    /// Which rulebooks a question may name.
    pub reach: Reach,
    queues: Queues,
}

/// How far the rulebooks may lie that a question names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// In the folder, by a plain name: a page has no other.
    Folder,
    /// Where the file that asks finds them, as on the command line: whoever asks has started the program.
    Path,
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
        let (newest, here, queues) = (Newest::default(), Here::default(), Queues::default());
        let drawers = Drawers::of(&folder);
        let reach = Reach::Folder;
        Ok(Bench { built_in, folder, drawers, pool, budget, newest, here, reach, queues })
    }

    /// The same, where rulebooks may lie so far.
    pub fn with(self, reach: Reach) -> Bench {
        Bench { reach, ..self }
    }

    /// Stops all work: the studio ends.
    pub fn stop(&self) {
        self.newest.stop();
    }
}

/// Where work waits until there is a thread for it. Each has threads of its own, so that a list of files never
/// waits for a page that is made, nor an answer while one types.
#[derive(Clone, Copy)]
pub enum Queue {
    /// What takes a moment: files, texts, forms.
    Light,
    /// What is asked while one types.
    Typed,
    /// Laws of a few dice and a way that is not looked for: never behind those that take seconds.
    Glance,
    /// Laws of many dice, which may take seconds.
    Dice,
    /// Ways that are looked for, which may too.
    Ways,
    /// What is waited for on purpose.
    Long,
}

/// How much of each kind is under way at a time; the rest waits, and most is stopped before its turn comes.
struct Queues([Arc<Semaphore>; PLACES.len()]);

impl Default for Queues {
    fn default() -> Queues {
        Queues(PLACES.map(|places| Arc::new(Semaphore::new(places))))
    }
}

impl Queues {
    /// A place, which is given back when it is dropped.
    async fn place(&self, queue: Queue) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0[queue as usize]).acquire_owned().await.ok()
    }
}

/// Places of the light, the typed, the glanced at, the dice, the ways and the long.
const PLACES: [usize; 6] = [4, 8, 4, 4, 4, 4];

/// Threads for all of them and for a job.
pub const THREADS: usize =
    PLACES[0] + PLACES[1] + PLACES[2] + PLACES[3] + PLACES[4] + PLACES[5] + 1;

/// Does what takes a moment, beside the thread that serves.
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
        // Given back when the work is over, whoever still waits for it.
        let _place = place;
        work(&bench)
    });
    done.await.map_err(|_| reply::refused(StatusCode::INTERNAL_SERVER_ERROR, "that went wrong"))
}

/// Does what takes longer. `halt` is asked when `budget` is over before the work is, and when nobody waits for
/// it any more.
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
    // The server drops this future, and with it the asker, when the connection is gone.
    let _asker = Asker { halt: Arc::clone(&halt), clock };
    queued(bench, queue, move |bench| work(bench, &halt)).await
}

/// Somebody who waits for an answer: it is made for nobody else, so when they hang up the work stops.
struct Asker {
    halt: Arc<Halt>,
    clock: JoinHandle<()>,
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.halt.ask();
        // Or it would sleep on for every key that was typed.
        self.clock.abort();
    }
}

/// The refusal of a text that would replace another one than its writer has seen.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Conflict {
    error: String,
    there: Option<FoundView>,
}

/// A text that is there, and its hash.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct FoundView {
    text: String,
    hash: String,
}

/// What a door answers to a file that is not read or written.
pub fn trouble(trouble: &Trouble) -> axum::response::Response {
    match trouble {
        Trouble::Refused(status, why) => reply::refused(*status, why),
        Trouble::Changed(there) => {
            let there = there.as_ref();
            let there = there
                .map(|Found { text, hash }| FoundView { text: text.clone(), hash: hash.clone() });
            let error = "the file is another than the one that was opened".to_owned();
            // The text that is there goes along: the page can show both and ask which is to stay.
            let body = Conflict { error, there };
            reply::json_of(StatusCode::CONFLICT, &body)
        }
    }
}
