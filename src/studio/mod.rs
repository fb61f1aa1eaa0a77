//! The studio: a page on this machine on which one asks without a terminal.
//!
//! The program serves the page to the browser beside it and answers what the page asks. Files of one
//! folder stay the only truth: what the studio can do, the command line can. Here are the doors and
//! their order; what each does stands in its file. Only this room knows the libraries that serve.
//!
//! It listens on this machine alone, and nothing is ever sent elsewhere.

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{delete, get, post};
use hyper::StatusCode;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::halt::Halt;
use crate::shared::opaque;

mod assets;
mod bench;
mod files;
mod folder;
mod forms;
mod grid;
mod guard;
mod jobs;
mod live;
mod newest;
mod question;
mod reply;
mod rules;
mod runs;
mod sheets;
mod shelf;
mod terms;
mod why;

use bench::Bench;
use folder::Folder;
use guard::{Guard, PATIENCE, Token, guard};
use jobs::Jobs;

pub use terms::Terms;

/// Connections at a time; who comes later waits.
const CONNECTIONS: usize = 16;

/// Pieces of work at a time; the others wait, and most are stopped before their turn comes.
const WORKERS: usize = 8;

/// How often the server looks whether it is to end.
const LOOK: Duration = Duration::from_millis(100);

/// A studio that listens, and does not answer yet.
pub struct Studio {
    listener: std::net::TcpListener,
    port: u16,
    token: Token,
    bench: Arc<Bench>,
    jobs: Arc<Jobs>,
}

opaque!(Studio);

impl Studio {
    /// A studio with the rulebooks of `catalogue` and those of its folder.
    ///
    /// # Errors
    /// When there is no such folder, the port is taken, or the threads are not to be had.
    pub fn open(catalogue: &Catalogue, terms: &Terms) -> Result<Studio, Error> {
        let folder = Folder::open(&terms.folder)?;
        let taken = |why| Error::Usage(format!("port {} cannot be had: {why}", terms.port));
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, terms.port));
        let listener = listener.map_err(taken)?;
        let port = listener.local_addr().map_err(taken)?.port();
        listener.set_nonblocking(true).map_err(taken)?;
        let bench = Arc::new(Bench::new(catalogue, folder, terms)?);
        let jobs = Arc::new(Jobs::new(Arc::clone(&bench)));
        Ok(Studio { listener, port, token: Token::new()?, bench, jobs })
    }

    /// The address of its page, with the secret of this start behind the `#`, where no server sees it.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#t={}", self.port, self.token.digits())
    }

    /// Answers until `halt` is asked.
    ///
    /// # Errors
    /// When the system gives no sockets.
    pub fn serve(self, halt: &Halt) -> Result<(), Error> {
        let failed = |why| Error::Usage(format!("the studio cannot be served: {why}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(WORKERS)
            .enable_all()
            .build();
        let runtime = runtime.map_err(failed)?;
        let (bench, jobs) = (Arc::clone(&self.bench), Arc::clone(&self.jobs));
        let served = runtime.block_on(self.answer(halt)).map_err(failed);
        bench.stop();
        jobs.stop();
        // What was asked to stop does so at its next die.
        runtime.shutdown_timeout(PATIENCE);
        served
    }

    async fn answer(self, halt: &Halt) -> std::io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let routes = routes(self.bench, self.jobs, Guard::new(self.token, self.port));
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        while !halt.asked() {
            let arrived = tokio::time::timeout(LOOK, async {
                let place = Arc::clone(&places).acquire_owned().await;
                (listener.accept().await, place)
            });
            let Ok((Ok((socket, _)), place)) = arrived.await else { continue };
            let routes = routes.clone();
            tokio::spawn(async move {
                // One that ends early, or says what nobody understands, harms nobody else.
                let _ = connection(socket, routes).await;
                drop(place);
            });
        }
        Ok(())
    }
}

/// Answers on one connection; one on which no head of a request comes is closed.
async fn connection(socket: TcpStream, routes: Router) -> hyper::Result<()> {
    // Answers are small and waited for.
    let _ = socket.set_nodelay(true);
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    server.serve_connection(TokioIo::new(socket), TowerToHyperService::new(routes)).await
}

/// All doors.
fn routes(bench: Arc<Bench>, jobs: Arc<Jobs>, watch: Guard) -> Router {
    let nothing = || async { reply::refused(StatusCode::NOT_FOUND, "there is nothing here") };
    let long = Router::new()
        .route("/api/jobs", post(runs::begin))
        .route("/api/jobs/{number}", delete(runs::stop))
        .route("/api/jobs/{number}/events", get(runs::events))
        .with_state(jobs);
    Router::new()
        .merge(long)
        .route("/", get(assets::page))
        .route("/assets/{name}", get(assets::asset))
        .route("/api/forms", get(forms::forms))
        .route("/api/odds", post(live::odds))
        .route("/api/explain", post(why::explain))
        .route("/api/rules", post(rules::check))
        .route("/api/sheets/{name}", post(sheets::sheet))
        .route("/api/files", get(files::list))
        .route("/api/files/{name}", get(files::read).put(files::write))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
        .with_state(bench)
        .layer(from_fn_with_state(watch, guard))
}
