//! Runs a protocol on a connection and exposes its streams for reading and writing.

mod driver;
mod options;
mod shared;
mod stream;

use std::fmt;
use std::io;
use std::sync::Arc;

use bytes::BytesMut;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::ProtocolError;
use crate::spdy::{Headers, ResetCode, Session};
use crate::websocket::Channels;
use driver::Driver;
pub(crate) use driver::read_into;
pub use options::MuxOptions;
use shared::{Handle, Shared};
pub use stream::{MuxStream, OnDrop};

/// A protocol that carries several streams on one connection: bytes in, events and bytes out. No I/O, no clock.
pub(crate) trait Core: Send + 'static {
    /// Consumes as much of `input` as possible, and reports the decoded events.
    fn receive(&mut self, input: &mut BytesMut, sink: &mut dyn Sink) -> Result<(), ProtocolError>;
    /// The bytes to send.
    fn output(&mut self) -> &mut BytesMut;
    /// Opens a stream; `None` if there can be no more.
    fn open(&mut self, headers: &Headers) -> Option<u32>;
    /// Takes a stream that the other side has opened.
    fn accept(&mut self, stream: u32);
    /// Sends bytes.
    fn send(&mut self, stream: u32, data: &[u8]);
    /// Says that no more bytes come.
    fn finish(&mut self, stream: u32);
    /// Ends a stream at once.
    fn reset(&mut self, stream: u32);
    /// Asks whether the other side is there.
    fn ping(&mut self);
    /// Says that the connection will be closed.
    fn goodbye(&mut self);
    /// Whether the connection may be closed after our goodbye: no answer to it is to be waited for.
    fn may_close(&self) -> bool {
        true
    }
}

/// Receives the events of a [`Core`].
pub(crate) trait Sink {
    /// The other side has opened a stream. False: it is not wanted.
    fn opened(&mut self, stream: u32, headers: Headers) -> bool;
    /// The other side has taken a stream of ours.
    fn answered(&mut self, stream: u32);
    /// Bytes have come.
    fn data(&mut self, stream: u32, data: &[u8]);
    /// No more bytes come.
    fn finished(&mut self, stream: u32);
    /// A stream has ended at once.
    fn reset(&mut self, stream: u32, code: ResetCode);
    /// The other side takes no new streams.
    fn no_more_streams(&mut self);
    /// The other side has said goodbye: every stream ends as if finished.
    fn closed(&mut self);
}

/// How a connection ended.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConnectionEnd {
    /// As agreed: the other side said goodbye, or we did.
    #[error("the connection is closed")]
    Closed,
    /// It broke off.
    #[error("the connection was lost: {0}")]
    Lost(String),
    /// The other side was not heard of for too long, though it was asked.
    #[error("the other side has not been heard of for {0:?}")]
    Silent(std::time::Duration),
    /// The other side does not keep to the protocol.
    #[error(transparent)]
    Protocol(#[from] ProtocolError),
}

impl ConnectionEnd {
    pub(crate) fn into_io(self) -> io::Error {
        let kind = match &self {
            Self::Closed => io::ErrorKind::BrokenPipe,
            Self::Lost(_) => io::ErrorKind::ConnectionReset,
            Self::Silent(_) => io::ErrorKind::TimedOut,
            Self::Protocol(_) => io::ErrorKind::InvalidData,
        };
        io::Error::new(kind, self)
    }
}

/// A stream that could not be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The connection has ended.
    #[error(transparent)]
    Connection(#[from] ConnectionEnd),
    /// The other side does not want it.
    #[error("the other side refused the stream: {0}")]
    Refused(String),
    /// The other side takes no more streams on this connection.
    #[error("the other side takes no more streams on this connection")]
    NoMore,
    /// There was no answer in time.
    #[error("no answer to a new stream within {0:?}")]
    Timeout(std::time::Duration),
}

/// A connection that carries many streams. Cheap to clone.
///
/// - It lives while a handle on it, or a stream of it, does. With the last one dropped, what was written is still sent
///   (for [`linger`](MuxOptions::linger) at most), the peer is notified, and the connection is closed. One task drives
///   it, which ends then.
/// - Each stream holds [`stream_buffer`](MuxOptions::stream_buffer) bytes that nobody has read; while one holds more,
///   nothing is read from the connection, for the protocols have no other way to slow a sender down. So memory is bounded,
///   and a stream that is not read stops all others. A stream that is dropped stops nobody: what comes for it is thrown
///   away.
/// - What is written waits in a queue of bounded size; a writer waits while it is full.
#[derive(Clone)]
pub struct Mux {
    handle: Arc<Handle>,
}

impl Mux {
    /// SPDY on a connection.
    ///
    /// Spawns the task that drives it, so it must be called inside a tokio runtime.
    #[allow(clippy::needless_pass_by_value, reason = "options are given away, as everywhere")]
    pub fn spdy<S>(io: S, session: Session, options: MuxOptions) -> Self
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Self::start(io, Box::new(session), &[], OnDrop::Reset, &options).0
    }

    /// Channels on a connection, and the streams of the channels named, in their order. Bytes of others are thrown away.
    ///
    /// A channel that is dropped is finished, not cut. Spawns the task that drives the connection, so it must be called
    /// inside a tokio runtime.
    #[allow(clippy::needless_pass_by_value, reason = "options are given away, as everywhere")]
    pub fn channels<S>(
        io: S,
        channels: Channels,
        wanted: &[u8],
        options: MuxOptions,
    ) -> (Self, Vec<MuxStream>)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        Self::start(io, Box::new(channels), wanted, OnDrop::Finish, &options)
    }

    fn start<S>(
        io: S,
        core: Box<dyn Core>,
        wanted: &[u8],
        on_drop: OnDrop,
        options: &MuxOptions,
    ) -> (Self, Vec<MuxStream>)
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let shared = Arc::new(Shared::new(core, options.clone(), wanted));
        let handle = Arc::new(Handle(Arc::clone(&shared)));
        let streams = wanted
            .iter()
            .map(|id| MuxStream::new(u32::from(*id), Headers::default(), Arc::clone(&handle), on_drop));
        let streams = streams.collect();
        tokio::spawn(Driver::new(io, shared, options));
        (Self { handle }, streams)
    }

    /// Opens a stream, and waits until the other side has taken it.
    pub async fn open(&self, headers: &Headers) -> Result<MuxStream, OpenError> {
        let id = self.handle.0.open(headers)?;
        let stream = MuxStream::new(id, headers.clone(), Arc::clone(&self.handle), OnDrop::Reset);
        let limit = self.handle.0.options().open_timeout;
        match tokio::time::timeout(limit, std::future::poll_fn(|cx| self.handle.0.poll_open(id, cx))).await {
            Ok(opened) => opened.map(|()| stream),
            Err(_) => Err(OpenError::Timeout(limit)),
        }
    }

    /// The next stream that the other side opens, taken; `None` when the connection has ended.
    ///
    /// Distinguish streams by their [`headers`](MuxStream::headers).
    pub async fn accept(&self) -> Option<MuxStream> {
        let (id, headers) = std::future::poll_fn(|cx| self.handle.0.poll_accept(cx)).await?;
        Some(MuxStream::new(id, headers, Arc::clone(&self.handle), OnDrop::Reset))
    }

    /// Waits until the connection has ended, and says how.
    pub async fn ended(&self) -> ConnectionEnd {
        std::future::poll_fn(|cx| self.handle.0.poll_ended(cx)).await
    }

    /// How it has ended, if it has.
    pub fn end(&self) -> Option<ConnectionEnd> {
        self.handle.0.end()
    }

    /// Whether a stream could be opened now: the connection is there, and the other side takes streams.
    pub fn is_open(&self) -> bool {
        self.handle.0.is_open()
    }

    /// How many streams there are.
    pub fn streams(&self) -> usize {
        self.handle.0.streams()
    }
}

impl fmt::Debug for Mux {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mux").field("streams", &self.streams()).field("end", &self.end()).finish()
    }
}

#[cfg(test)]
mod tests;
