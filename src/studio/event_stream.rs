//! Streams of events from the studio to its page.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use hyper::body::{Body as Stream, Bytes, Frame};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use tokio::sync::mpsc::{Receiver, channel};

/// The bytes of an event, and whether it is the last.
pub type StreamEvent = (Bytes, bool);

/// Streams `next` now and at every interval, to the last event or until the page is gone; then
/// `next` is dropped.
pub fn stream_at_intervals(
    beat: Duration,
    mut next: impl FnMut() -> StreamEvent + Send + 'static,
) -> Response {
    let (send, receive) = channel(1);
    tokio::spawn(async move {
        loop {
            let (event, over) = next();
            if send.send(event).await.is_err() || over {
                return;
            }
            // Waits for one interval, which ends at once when the page is gone.
            if tokio::time::timeout(beat, send.closed()).await.is_ok() {
                return;
            }
        }
    });
    let mut reply = Response::new(Body::new(EventStream(receive)));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    reply
}

struct EventStream(Receiver<Bytes>);

impl Stream for EventStream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let next = self.get_mut().0.poll_recv(context);
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}
