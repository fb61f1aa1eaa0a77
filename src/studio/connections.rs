//! The connections of a studio: those that have shown the secret, a limit for the others, and a
//! time limit for reading replies.
//!
//! Any program of the machine can connect. One that has not shown the secret has little time, and
//! is replaced by the next one when there are many: so no client waits for a stranger. A connection
//! that does not read its replies is closed in any case.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

/// Time limit to send a head or a body, or to read a reply.
pub const SOCKET_TIME_LIMIT: Duration = Duration::from_secs(5);

/// The largest number of connections without the secret: beyond it, the oldest is closed.
const MAX_UNTRUSTED: usize = 32;

/// The largest number of connections with the secret: beyond it, the oldest is closed. A browser
/// opens six to a studio, for any number of pages.
const MAX_TRUSTED: usize = 128;

/// Time limit of a connection without the secret: a page loads in less.
const MAX_UNTRUSTED_STAY: Duration = Duration::from_secs(20);

/// One connection, as its requests see it.
#[derive(Clone, Default)]
pub struct StudioConnection(Arc<PeerState>);

#[derive(Default)]
struct PeerState {
    is_known: AtomicBool,
    /// Notified when the connection must close.
    close: Notify,
}

impl StudioConnection {
    /// Marks the connection as one that has shown the secret.
    pub fn mark_as_trusted(&self) {
        self.0.is_known.store(true, Ordering::Relaxed);
    }

    fn has_sent_valid_token(&self) -> bool {
        self.0.is_known.load(Ordering::Relaxed)
    }

    /// Waits until the connection must close: it was replaced, or has stayed too long without the
    /// secret.
    pub async fn wait_until_must_close(&self) {
        let timeout = tokio::time::timeout(MAX_UNTRUSTED_STAY, self.0.close.notified()).await;
        if timeout.is_err() && self.has_sent_valid_token() {
            self.0.close.notified().await;
        }
    }
}

/// Waits for the first of two.
pub async fn wait_for_first_of_two(one: impl Future, other: impl Future) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    poll_fn(|context| {
        let over = one.as_mut().poll(context).is_ready() || other.as_mut().poll(context).is_ready();
        if over { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

/// All connections, the oldest first.
#[derive(Default)]
pub struct OpenConnections(Mutex<VecDeque<StudioConnection>>);

impl OpenConnections {
    /// Adds a connection; of too many of its kind the oldest is closed.
    pub fn add_or_replace_oldest(&self) -> StudioConnection {
        let peer = StudioConnection::default();
        let mut all = self.0.lock();
        // Connections that have ended have no other owner.
        all.retain(|other| Arc::strong_count(&other.0) > 1);
        for (is_known, most) in [(false, MAX_UNTRUSTED), (true, MAX_TRUSTED)] {
            let of_kind =
                all.iter().filter(|other| other.has_sent_valid_token() == is_known).count();
            // A new connection is a stranger until it has sent a request.
            let others = if is_known { most } else { most - 1 };
            if of_kind > others
                && let Some(at) =
                    all.iter().position(|other| other.has_sent_valid_token() == is_known)
                && let Some(first) = all.remove(at)
            {
                first.0.close.notify_one();
            }
        }
        all.push_back(peer.clone());
        peer
    }
}

/// A socket that fails when the client reads nothing for a while.
pub struct WriteTimeoutSocket {
    socket: TcpStream,
    /// Timer of a write that waits, if there is one.
    waits: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeoutSocket {
    /// Wraps this socket.
    pub fn new(socket: TcpStream) -> WriteTimeoutSocket {
        WriteTimeoutSocket { socket, waits: None }
    }

    /// Checks a write: it may wait only until its time limit.
    fn check_write_deadline<T>(
        &mut self,
        context: &mut Context<'_>,
        result: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.waits = None;
            return result;
        }
        let waits = self.waits.get_or_insert_with(|| Box::pin(sleep(SOCKET_TIME_LIMIT)));
        match waits.as_mut().poll(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
        }
    }
}

impl AsyncRead for WriteTimeoutSocket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutSocket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.check_write_deadline(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, pieces);
        self.check_write_deadline(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_stranger_gives_way_and_nobody_who_is_known() {
        let peers = OpenConnections::default();
        let known = peers.add_or_replace_oldest();
        known.mark_as_trusted();
        let gone = peers.add_or_replace_oldest();
        drop(gone);
        let strangers: Vec<StudioConnection> =
            (0..MAX_UNTRUSTED + 2).map(|_| peers.add_or_replace_oldest()).collect();
        let stays = |peer: &StudioConnection| {
            peers.0.lock().iter().any(|other| Arc::ptr_eq(&peer.0, &other.0))
        };
        assert!(stays(&known));
        let staying: Vec<bool> = strangers.iter().map(stays).collect();
        assert_eq!(staying.iter().position(|stays| *stays), Some(2));
        assert_eq!(staying.iter().filter(|stays| **stays).count(), MAX_UNTRUSTED);
    }
}
