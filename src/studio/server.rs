//! Work behind a server: where each request waits, who may stop it, and how its answer is sent.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::response::Response;
use enfilade_api::{
    AppState, PLACES_OF_QUEUES, RouteReply, RouteWork, StudioJobSlot, WorkQueueKind, refusal_reply,
};
use hyper::StatusCode;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinHandle;

use super::disk::DiskFolder;
use super::latest_question::LatestQuestionOfPages;
use super::machine::{AllowedRulebookPlaces, LocalAnswerHost};
use super::open_pages::OpenPageCount;
use super::studio_options::StudioOptions;
use crate::cancel::CancelToken;
use crate::catalogue::Catalogue;
use crate::error::Error;

/// Threads for all queues and for a job.
pub const STUDIO_THREAD_COUNT: usize = PLACES_OF_QUEUES[0]
    + PLACES_OF_QUEUES[1]
    + PLACES_OF_QUEUES[2]
    + PLACES_OF_QUEUES[3]
    + PLACES_OF_QUEUES[4]
    + PLACES_OF_QUEUES[5]
    + 1;

/// State that all requests share.
pub struct StudioServer {
    pub bench: Arc<AppState>,
    pub jobs: StudioJobSlot,
    /// The latest question of each page.
    newest: LatestQuestionOfPages,
    /// The pages that are open.
    pub here: OpenPageCount,
    /// Places of each queue for work under way; other work waits, and most of it is cancelled
    /// before its turn.
    queues: [Arc<Semaphore>; PLACES_OF_QUEUES.len()],
    /// A private folder, which is removed with the studio.
    private_folder: PathBuf,
}

impl StudioServer {
    /// Creates a server over a folder.
    ///
    /// # Errors
    /// When there is no such folder, or the threads cannot be started.
    pub fn new(
        catalogue: &Catalogue,
        terms: &StudioOptions,
        reach: AllowedRulebookPlaces,
    ) -> Result<StudioServer, Error> {
        let disk = DiskFolder::open_folder_at(&terms.folder)?;
        let machine = LocalAnswerHost::new(disk.folder_path(), terms.threads, reach)?;
        let folder = machine.private_journal_folder().to_owned();
        let bench =
            AppState::new(catalogue, Arc::new(disk), Box::new(machine), crate::PROGRAM_BUILD_ID);
        let bench = Arc::new(bench.with_time_limits(terms.budget, terms.patient_budget));
        Ok(StudioServer {
            jobs: StudioJobSlot::new(Arc::clone(&bench)),
            bench,
            newest: LatestQuestionOfPages::default(),
            here: OpenPageCount::default(),
            queues: PLACES_OF_QUEUES.map(|places| Arc::new(Semaphore::new(places))),
            private_folder: folder,
        })
    }

    /// A private folder, which is removed with the studio.
    pub fn private_scratch_folder(&self) -> &Path {
        &self.private_folder
    }

    /// Stops all work: the studio ends.
    pub fn stop_all_work(&self) {
        self.newest.cancel_all_questions();
        self.jobs.stop_running_job();
    }

    /// Waits for a place in the queue, which is freed on drop.
    async fn wait_for_place(&self, queue: WorkQueueKind) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.queues[queue as usize]).acquire_owned().await.ok()
    }
}

/// Converts a reply for axum.
pub fn to_http_response(reply: RouteReply) -> Response {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = reply.status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(reply.kind));
    response
}

/// Runs work and returns its reply. The clock stops it, and a newer question of its page where only
/// the newest counts.
pub async fn run_work_unless_outdated(
    server: Arc<StudioServer>,
    mut work: RouteWork,
) -> RouteReply {
    let stale = || refusal_reply(StatusCode::CONFLICT, "a newer question has replaced this one");
    let Some(turn) = work.turn.take() else {
        let halt = Arc::new(server.bench.host.new_cancel_token());
        return run_with_time_limit(server, halt, work).await;
    };
    let Some(halt) = server.newest.begin_question(&turn.page, turn.number) else { return stale() };
    // A limit of zero never starts the work.
    if work.patience.is_some_and(|patience| patience.is_zero()) {
        halt.cancel();
    }
    let reply = run_with_time_limit(Arc::clone(&server), halt, work).await;
    // Checked again: a late answer would appear beside a newer form.
    if server.newest.is_latest_question(&turn.page, turn.number) { reply } else { stale() }
}

/// Runs work that may take longer. `halt` is cancelled at its time limit, and when the connection
/// is gone.
async fn run_with_time_limit(
    server: Arc<StudioServer>,
    halt: Arc<CancelToken>,
    work: RouteWork,
) -> RouteReply {
    let Some(patience) = work.patience else {
        return run_on_worker_thread(server, halt, work).await;
    };
    let watch = Arc::clone(&halt);
    let clock = tokio::spawn(async move {
        tokio::time::sleep(patience).await;
        watch.cancel();
    });
    // The server drops this future, and with it the guard, when the connection is gone.
    let _asker = CancelWorkOnDrop { halt: Arc::clone(&halt), clock };
    run_on_worker_thread(server, halt, work).await
}

/// Runs work on another thread than the server's.
async fn run_on_worker_thread(
    server: Arc<StudioServer>,
    halt: Arc<CancelToken>,
    work: RouteWork,
) -> RouteReply {
    let place = server.wait_for_place(work.queue).await;
    let done = tokio::task::spawn_blocking(move || {
        // The place is freed when the work is over, even if no client waits for it.
        let _place = place;
        work.run_until_cancelled(&server.bench, &halt)
    });
    let wrong = |_| refusal_reply(StatusCode::INTERNAL_SERVER_ERROR, "that went wrong");
    done.await.unwrap_or_else(wrong)
}

/// A guard for a client that waits for an answer: when the client hangs up, the work stops.
struct CancelWorkOnDrop {
    halt: Arc<CancelToken>,
    clock: JoinHandle<()>,
}

impl Drop for CancelWorkOnDrop {
    fn drop(&mut self) {
        self.halt.cancel();
        // Otherwise a timer would run on for every key that was typed.
        self.clock.abort();
    }
}
