//! The studio: a page on this machine for questions without a terminal.
//!
//! The program serves the page to the browser beside it and answers what the page asks. Files of one
//! folder stay the only truth: what the studio can do, the command line can. Its answers are
//! those of [`enfilade_api`], whose table of routes stands here behind a server. Only this room knows the libraries
//! that serve.
//!
//! The server listens on this machine alone, and nothing is ever sent elsewhere.

use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::middleware::from_fn_with_state;
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
mod disk;
#[cfg(test)]
mod disk_tests;
mod events;
mod guard;
mod here;
mod lines;
mod machine;
mod newest;
mod one_file;
mod peers;
mod router;
mod scratch;
mod server;
mod terms;
mod visits;

use guard::{Guard, Token, guard};
use machine::Reach;
use peers::{PATIENCE, Peer, Peers, Taken};
use router::open;
use server::{Server, THREADS};

pub use enfilade_api::plain;
pub use lines::answer;
pub use one_file::html;
pub use router::paths;
pub use terms::Terms;

/// Interval at which the server checks whether to end.
const LOOK: Duration = Duration::from_millis(100);

/// A studio that listens, before it answers.
pub struct Studio {
    listener: std::net::TcpListener,
    port: u16,
    token: Token,
    server: Arc<Server>,
    alone: Option<Duration>,
}

opaque!(Studio);

impl Studio {
    /// Opens a studio with the rulebooks of `catalogue` and those of its folder.
    ///
    /// # Errors
    /// When the folder does not exist, the port is taken, or the threads cannot be started.
    pub fn open(catalogue: &Catalogue, terms: &Terms) -> Result<Studio, Error> {
        let server = Arc::new(Server::new(catalogue, terms, Reach::Folder)?);
        let taken = |why| Error::Usage(format!("port {} cannot be had: {why}", terms.port));
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, terms.port));
        let listener = listener.map_err(taken)?;
        let port = listener.local_addr().map_err(taken)?.port();
        listener.set_nonblocking(true).map_err(taken)?;
        let (token, alone) = (Token::new()?, terms.alone);
        Ok(Studio { listener, port, token, server, alone })
    }

    /// The address of its page, with the secret of this start behind the `#`, which browsers do not
    /// send.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#t={}", self.port, self.token.digits())
    }

    /// A private folder, which is removed with the studio.
    pub fn folder(&self) -> &Path {
        self.server.kept()
    }

    /// Serves until `halt` is cancelled, or no page has been open for the time limit of its
    /// options.
    ///
    /// # Errors
    /// When the system provides no sockets.
    pub fn serve(self, halt: &Halt) -> Result<(), Error> {
        let failed = |why| Error::Usage(format!("the studio cannot be served: {why}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(THREADS)
            .enable_all()
            .build();
        let runtime = runtime.map_err(failed)?;
        let server = Arc::clone(&self.server);
        let served = runtime.block_on(self.answer(halt)).map_err(failed);
        server.stop();
        // Cancelled work stops at its next die.
        runtime.shutdown_timeout(PATIENCE);
        served
    }

    async fn answer(self, halt: &Halt) -> std::io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let (alone, here) = (self.alone, self.server.here.clone());
        let watch = Guard::new(self.token, self.port);
        let routes = open(self.server).layer(from_fn_with_state(watch, guard));
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
