//! The studio: a page on this machine for questions without a terminal.
//!
//! The program serves the page to a browser on the same machine and answers its questions. The
//! files of one folder are the only state: the command line can do everything that the studio can.
//! The answers come from the routes of [`enfilade_api`]; this module puts a server in front of
//! them, and no other module depends on the libraries of a server.
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

use crate::cancel::CancelToken;
use crate::catalogue::Catalogue;
use crate::error::Error;
use crate::static_or_shared::opaque;

mod assets;
mod connections;
mod disk;
#[cfg(test)]
mod disk_tests;
mod event_stream;
mod heartbeat;
mod latest_question;
mod line_server;
mod machine;
mod one_file_studio;
mod open_pages;
mod request_guard;
mod router;
mod scratch_folder;
mod server;
pub mod site;
mod studio_options;

use connections::{OpenConnections, SOCKET_TIME_LIMIT, StudioConnection, WriteTimeoutSocket};
use machine::AllowedRulebookPlaces;
use request_guard::{RequestGuard, SecretToken, admit_or_refuse_request};
use router::build_unguarded_router;
use server::{STUDIO_THREAD_COUNT, StudioServer};

pub use enfilade_api::{PATIENT_TIME_LIMIT, check_openable_file_name};
pub use line_server::answer_input_lines;
pub use one_file_studio::{PackedEngineModules, build_page_engine, build_standalone_page};
pub use router::list_methods_and_paths;
pub use studio_options::StudioOptions;

/// Interval at which the server checks whether to end.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// A studio that listens, before it answers.
pub struct Studio {
    listener: std::net::TcpListener,
    port: u16,
    token: SecretToken,
    server: Arc<StudioServer>,
    alone: Option<Duration>,
}

opaque!(Studio);

impl Studio {
    /// Opens a studio with the rulebooks of `catalogue` and those of its folder.
    ///
    /// # Errors
    /// When the folder does not exist, the port is taken, or the threads cannot be started.
    pub fn open_with_catalogue(
        catalogue: &Catalogue,
        terms: &StudioOptions,
    ) -> Result<Studio, Error> {
        let server = Arc::new(StudioServer::new(catalogue, terms, AllowedRulebookPlaces::Folder)?);
        let port_error = |why| Error::Usage(format!("port {} cannot be used: {why}", terms.port));
        let listener = std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, terms.port));
        let listener = listener.map_err(port_error)?;
        let port = listener.local_addr().map_err(port_error)?.port();
        listener.set_nonblocking(true).map_err(port_error)?;
        let (token, alone) = (SecretToken::new()?, terms.idle_limit);
        Ok(Studio { listener, port, token, server, alone })
    }

    /// The address of its page, with the secret of this start behind the `#`, which browsers do not
    /// send.
    pub fn url_with_token(&self) -> String {
        format!("http://127.0.0.1:{}/#t={}", self.port, self.token.hex_digits())
    }

    /// A private folder, which is removed with the studio.
    pub fn private_scratch_folder(&self) -> &Path {
        self.server.private_scratch_folder()
    }

    /// Serves until `halt` is cancelled, or no page has been open for the time limit of its
    /// options.
    ///
    /// # Errors
    /// When the system provides no sockets.
    pub fn serve_until_idle(self, halt: &CancelToken) -> Result<(), Error> {
        let failed = |why| Error::Usage(format!("the studio cannot be served: {why}"));
        let runtime = tokio::runtime::Builder::new_current_thread()
            .max_blocking_threads(STUDIO_THREAD_COUNT)
            .enable_all()
            .build();
        let runtime = runtime.map_err(failed)?;
        let server = Arc::clone(&self.server);
        let served = runtime.block_on(self.accept_until_stopped_or_idle(halt)).map_err(failed);
        server.stop_all_work();
        // Cancelled work stops at its next die.
        runtime.shutdown_timeout(SOCKET_TIME_LIMIT);
        served
    }

    async fn accept_until_stopped_or_idle(self, halt: &CancelToken) -> std::io::Result<()> {
        let listener = TcpListener::from_std(self.listener)?;
        let (alone, here) = (self.alone, self.server.here.clone());
        let watch = RequestGuard::new(self.token, self.port);
        let routes = build_unguarded_router(self.server)
            .layer(from_fn_with_state(watch, admit_or_refuse_request));
        let peers = OpenConnections::default();
        while !halt.is_cancelled() && !alone.is_some_and(|long| here.is_idle_for(long)) {
            let arrived = tokio::time::timeout(STOP_POLL_INTERVAL, listener.accept()).await;
            let socket = match arrived {
                Ok(Ok((socket, _))) => socket,
                // No more sockets are available: until one is closed, another try would take all
                // the time.
                Ok(Err(_)) => {
                    tokio::time::sleep(STOP_POLL_INTERVAL).await;
                    continue;
                }
                Err(_) => continue,
            };
            let (peer, routes) = (peers.add_or_replace_oldest(), routes.clone());
            tokio::spawn(async move {
                let stays = peer.clone();
                // A connection that ends early, or sends nonsense, affects no other.
                connections::wait_for_first_of_two(
                    serve_one_connection(socket, routes, peer),
                    stays.wait_until_must_close(),
                )
                .await;
            });
        }
        Ok(())
    }
}

/// Serves one connection; one that sends no head of a request is closed.
async fn serve_one_connection(
    socket: TcpStream,
    routes: Router,
    peer: StudioConnection,
) -> hyper::Result<()> {
    // Answers are small, and users wait for them.
    let _ = socket.set_nodelay(true);
    let routes = TowerToHyperService::new(routes);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(peer.clone());
        routes.call(request)
    });
    let mut server = hyper::server::conn::http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(SOCKET_TIME_LIMIT);
    server.serve_connection(TokioIo::new(WriteTimeoutSocket::new(socket)), service).await
}
