//! The studio: a page on this machine for questions without a terminal.
//!
//! The program serves the page to the browser on the same machine and answers its requests. The
//! files of one folder stay the only source: the command line can do everything that the studio
//! can. This module has the routes and their order; each is described in its file. Only this module
//! depends on the server libraries.
//!
//! The server listens on this machine alone, and nothing is ever sent elsewhere.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{MethodRouter, delete, get, post, put};
use hyper::StatusCode;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use crate::cancel::Halt;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::shared::opaque;

mod assets;
mod bench;
mod dice;
mod drawer;
mod early;
mod ends;
mod events;
mod files;
mod folder;
mod forms;
mod fought;
mod grid;
mod guard;
mod here;
mod jobs;
mod lines;
mod live;
mod newest;
mod papers;
mod peers;
mod question;
mod reply;
mod rules;
mod runs;
mod scratch;
mod sheets;
mod shelf;
mod terms;
mod texts;
#[cfg(test)]
mod types;
mod visits;
mod why;
mod worked;

use bench::Bench;
use folder::Folder;
use guard::{Guard, Token, guard};
use jobs::Jobs;
use peers::{PATIENCE, Peer, Peers, Taken};

pub use lines::answer;
pub use terms::Terms;

/// Interval at which the server checks whether to end.
const LOOK: Duration = Duration::from_millis(100);

/// A studio that listens, before it answers.
pub struct Studio {
    listener: std::net::TcpListener,
    port: u16,
    token: Token,
    bench: Arc<Bench>,
    jobs: Arc<Jobs>,
    alone: Option<Duration>,
}

opaque!(Studio);

impl Studio {
    /// Opens a studio with the rulebooks of `catalogue` and those of its folder.
    ///
    /// # Errors
    /// When the folder does not exist, the port is taken, or the threads cannot be started.
    pub fn open(catalogue: &Catalogue, terms: &Terms) -> Result<Studio, Error> {
        let folder = Folder::open(&terms.folder)?;
        let taken = |why| Error::Usage(format!("port {} cannot be had: {why}", terms.port));
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, terms.port));
        let listener = listener.map_err(taken)?;
        let port = listener.local_addr().map_err(taken)?.port();
        listener.set_nonblocking(true).map_err(taken)?;
        let bench = Arc::new(Bench::new(catalogue, folder, terms)?);
        let jobs = Arc::new(Jobs::new(Arc::clone(&bench))?);
        let (token, alone) = (Token::new()?, terms.alone);
        Ok(Studio { listener, port, token, bench, jobs, alone })
    }

    /// The address of its page, with the secret of this start behind the `#`, which browsers do not
    /// send.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#t={}", self.port, self.token.digits())
    }

    /// A private folder, which is removed with the studio.
    pub fn folder(&self) -> &Path {
        self.jobs.folder()
    }

    /// Serves until `halt` is cancelled, or no page has been open for the time limit of its
    /// options.
    ///
    /// # Errors
    /// When the system provides no sockets.
    pub fn serve(self, halt: &Halt) -> Result<(), Error> {
        let failed = |why| Error::Usage(format!("the studio cannot be served: {why}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(bench::THREADS)
            .enable_all()
            .build();
        let runtime = runtime.map_err(failed)?;
        let (bench, jobs) = (Arc::clone(&self.bench), Arc::clone(&self.jobs));
        let served = runtime.block_on(self.answer(halt)).map_err(failed);
        bench.stop();
        jobs.stop();
        // Cancelled work stops at its next die.
        runtime.shutdown_timeout(PATIENCE);
        served
    }

    async fn answer(self, halt: &Halt) -> std::io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let (alone, here) = (self.alone, self.bench.here.clone());
        let watch = Guard::new(self.token, self.port);
        let routes = open(self.bench, self.jobs).layer(from_fn_with_state(watch, guard));
        let peers = Peers::default();
        while !halt.asked() && !alone.is_some_and(|long| here.nobody_for(long)) {
            let arrived = tokio::time::timeout(LOOK, listener.accept()).await;
            let socket = match arrived {
                Ok(Ok((socket, _))) => socket,
                // No more sockets are available: until one is closed, another try would take all
                // the time.
                Ok(Err(_)) => {
                    tokio::time::sleep(LOOK).await;
                    continue;
                }
                Err(_) => continue,
            };
            let (peer, routes) = (peers.enter(), routes.clone());
            tokio::spawn(async move {
                let stays = peer.clone();
                // A connection that ends early, or sends nonsense, affects no other.
                peers::first(connection(socket, routes, peer), stays.outstayed()).await;
            });
        }
        Ok(())
    }
}

/// Serves one connection; one that sends no head of a request is closed.
async fn connection(socket: TcpStream, routes: Router, peer: Peer) -> hyper::Result<()> {
    // Answers are small, and users wait for them.
    let _ = socket.set_nodelay(true);
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        routes.call(request)
    });
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    server.serve_connection(TokioIo::new(Taken::new(socket)), service).await
}

/// A route: the method, the path, and its handler.
type Door<S> = (&'static str, &'static str, MethodRouter<S>);

/// The routes of longer work.
fn long() -> Vec<Door<Arc<Jobs>>> {
    vec![
        ("POST", "/api/jobs", post(runs::begin)),
        ("DELETE", "/api/jobs/{number}", delete(runs::stop)),
        ("GET", "/api/jobs/{number}/events", get(runs::events)),
    ]
}

/// All other routes.
fn doors() -> Vec<Door<Arc<Bench>>> {
    let own = vec![
        ("GET", "/", get(assets::page)),
        ("GET", "/assets/{name}", get(assets::asset)),
        ("GET", "/api/forms", get(forms::forms)),
        ("GET", "/api/here", get(here::here)),
        ("POST", "/api/odds", post(live::odds)),
        ("POST", "/api/dice", post(dice::dice)),
        ("POST", "/api/explain", post(why::explain)),
        ("POST", "/api/rules", post(rules::check)),
        ("POST", "/api/sheets/{name}", post(sheets::sheet)),
        ("GET", "/api/texts", get(texts::list)),
        ("GET", "/api/texts/{name}", get(texts::read)),
        ("GET", "/api/files", get(files::list)),
        ("GET", "/api/files/{name}", get(files::read)),
        ("PUT", "/api/files/{name}", put(files::write)),
    ];
    own.into_iter().chain(papers::doors()).collect()
}

/// The methods and the paths of all routes, for tests of the guard.
pub fn paths() -> Vec<(&'static str, &'static str)> {
    let long = long().into_iter().map(|(method, path, _)| (method, path));
    doors().into_iter().map(|(method, path, _)| (method, path)).chain(long).collect()
}

/// Builds the router of all routes, without the guard.
fn open(bench: Arc<Bench>, jobs: Arc<Jobs>) -> Router {
    let nothing = || async { reply::refused(StatusCode::NOT_FOUND, "there is nothing here") };
    hung(doors())
        .with_state(bench)
        .merge(hung(long()).with_state(jobs))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
}

/// Builds a router of these routes.
fn hung<S: Clone + Send + Sync + 'static>(doors: Vec<Door<S>>) -> Router<S> {
    doors.into_iter().fold(Router::new(), |all, (_, path, answer)| all.route(path, answer))
}
