//! The heartbeat, a reply that never ends: each page waits for it, and notices at once when the
//! studio ends.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::response::Response;
use hyper::body::Bytes;

use super::event_stream;
use super::server::StudioServer;

/// Interval of the heartbeat.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(10);

/// Serves the open connection of a page.
pub async fn serve_heartbeat_stream(State(server): State<Arc<StudioServer>>) -> Response {
    let visit = server.here.count_opened_page();
    event_stream::stream_at_intervals(HEARTBEAT_INTERVAL, move || {
        let _open = &visit;
        (Bytes::from_static(b": here\n\n"), false)
    })
}
