//! One stream of a connection.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::shared::Handle;
use crate::spdy::Headers;

/// How dropping a stream is signalled to the peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnDrop {
    /// This side sends no more bytes; the peer may continue to send.
    Finish,
    /// That the stream is over, both ways, unless it was finished both ways already.
    Reset,
}

/// One stream of a [`Mux`](super::Mux): bytes both ways.
///
/// - Reading gives the end of file when the other side has finished it; where the connection broke before, an error whose
///   [`get_ref`](io::Error::get_ref) is the [`ConnectionEnd`](super::ConnectionEnd).
/// - A write returns when the bytes are queued; `flush` waits until the connection has taken them.
/// - `shutdown` signals the end of this side's bytes; reading continues.
pub struct MuxStream {
    id: u32,
    headers: Headers,
    handle: Arc<Handle>,
    on_drop: OnDrop,
}

impl MuxStream {
    pub(super) fn new(id: u32, headers: Headers, handle: Arc<Handle>, on_drop: OnDrop) -> Self {
        Self { id, headers, handle, on_drop }
    }

    /// Its number.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The headers that it was opened with.
    pub fn headers(&self) -> &Headers {
        &self.headers
    }

    /// Says what dropping it means. Default: [`OnDrop::Reset`] for a stream of SPDY, [`OnDrop::Finish`] for a channel.
    pub fn set_on_drop(&mut self, on_drop: OnDrop) {
        self.on_drop = on_drop;
    }

    /// Says that no more bytes come, without waiting until that is sent.
    pub fn finish(&self) {
        self.handle.0.finish(self.id);
    }
}

impl Drop for MuxStream {
    fn drop(&mut self) {
        self.handle.0.forget(self.id, self.on_drop);
    }
}

impl AsyncRead for MuxStream {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        // A reader that is never out of bytes lets others run.
        let coop = ready!(tokio::task::coop::poll_proceed(cx));
        let read = self.handle.0.poll_read(self.id, cx, buf);
        if read.is_ready() {
            coop.made_progress();
        }
        read
    }
}

impl AsyncWrite for MuxStream {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let coop = ready!(tokio::task::coop::poll_proceed(cx));
        let written = self.handle.0.poll_write(self.id, cx, buf);
        if written.is_ready() {
            coop.made_progress();
        }
        written
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.handle.0.poll_flush(self.id, cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.handle.0.finish(self.id);
        // A connection that has ended has nothing more to send.
        match self.handle.0.poll_flush(self.id, cx) {
            Poll::Ready(_) => Poll::Ready(Ok(())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl fmt::Debug for MuxStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MuxStream")
            .field("id", &self.id)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}
