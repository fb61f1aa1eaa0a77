//! The door that every open page keeps open: so it hears at once when the studio ends.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;

use super::events;
use super::server::Server;

/// How often a page hears that the studio is there.
const BEAT: Duration = Duration::from_secs(10);

/// The connection of a page that is open.
pub async fn here(State(server): State<Arc<Server>>) -> Response {
    let visit = server.here.enter();
    events::every(BEAT, move || {
        let _open = &visit;
        (Bytes::from_static(b": here\n\n"), false)
    })
}
