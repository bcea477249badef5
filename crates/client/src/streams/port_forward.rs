//! Connections to the ports of a pod.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use client_rs_streams::spdy::{Headers, Session};
use client_rs_streams::upgrade::TUNNEL_PREFIX;
use client_rs_streams::websocket::Tunnel;
use client_rs_streams::{ConnectionEnd, Mux, MuxOptions, MuxStream, OpenError, Role};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::fallback::{self, Agreed};
use crate::api::Reply;
use crate::{Call, DecodeOptions, Request, RestClient};

/// A connection to a pod, over which connections to its ports are opened. It is cheap to clone.
///
/// Create it with [`Api::port_forward`](crate::Api::port_forward), which has an example. It stays open while it, or one of its
/// [`PortStream`]s, exists; dropping the last one closes it. It does not reconnect when it is lost or when the pod is gone: a
/// [`Forwarder`](super::Forwarder) does.
///
/// All streams share the connection, and its protocol has no flow control per stream: an unread stream blocks the others when
/// its buffer is full.
#[derive(Clone)]
#[must_use = "the connection is closed when this and its streams are dropped"]
pub struct PortForward {
    mux: Mux,
    requests: Arc<AtomicU64>,
    tunnelled: bool,
    call: Call,
}

/// A port of a pod could not be reached.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// The node reports an error: usually, no process listens on the port.
    #[error("port {port}: {why}")]
    Remote {
        /// The port.
        port: u16,
        /// The node's message.
        why: String,
    },
    /// The connection to the pod has ended, or accepts no more streams.
    #[error("port {port}: {error}")]
    Connection {
        /// The port.
        port: u16,
        /// The cause.
        error: OpenError,
    },
}

impl PortForward {
    /// Opens a connection to a port.
    ///
    /// It succeeds even if no process listens on the port: then the first read or write of the stream fails with a [`PortError`]
    /// inside.
    pub async fn connect(&self, port: u16) -> Result<PortStream, PortError> {
        let lost = |error| PortError::Connection { port, error };
        let id = self.requests.fetch_add(1, Ordering::Relaxed).to_string();
        let number = port.to_string();
        let headers = |kind| {
            Headers::from([("streamType", kind), ("port", number.as_str()), ("requestID", id.as_str())])
        };
        let error = self.mux.open(&headers("error")).await.map_err(lost)?;
        // No data is ever sent on it.
        error.finish();
        let data = self.mux.open(&headers("data")).await.map_err(lost)?;
        Ok(PortStream { port, data, error: Some(error), told: Vec::new() })
    }

    /// The number of open streams: two per connection to a port.
    pub fn streams(&self) -> usize {
        self.mux.streams()
    }

    /// Returns `true` if another connection could be opened now.
    pub fn is_open(&self) -> bool {
        self.mux.is_open()
    }

    /// The reason why the connection to the pod has ended; `None` while it is open.
    pub fn end(&self) -> Option<ConnectionEnd> {
        self.mux.end()
    }

    /// Over a connection that already uses SPDY.
    #[cfg(test)]
    pub(super) fn over(io: tokio::io::DuplexStream) -> Self {
        let options = MuxOptions::default().with_ping_every(None);
        let mux = Mux::spdy(io, Session::new(Role::Client), options);
        Self { mux, requests: Arc::default(), tunnelled: false, call: Call::new("POST", "/") }
    }

    /// Returns `true` if it is the same connection.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.requests, &other.requests)
    }

    /// Waits until the connection to the pod has ended. It is safe to drop the future.
    pub async fn ended(&self) -> ConnectionEnd {
        self.mux.ended().await
    }

    /// Returns `true` if SPDY is tunnelled through a WebSocket, which newer servers require.
    pub fn is_tunnelled(&self) -> bool {
        self.tunnelled
    }

    /// The request.
    pub fn call(&self) -> &Call {
        &self.call
    }
}

impl fmt::Debug for PortForward {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortForward")
            .field("call", &self.call)
            .field("connection", &self.mux)
            .finish_non_exhaustive()
    }
}

/// A connection to a port of a pod: a bidirectional byte stream.
///
/// `shutdown` ends the data in this direction. Dropping it before both sides have finished resets it. If the node reports an
/// error, reading fails with an error whose [`get_ref`](io::Error::get_ref) is a [`PortError`].
#[derive(Debug)]
pub struct PortStream {
    port: u16,
    data: MuxStream,
    /// `None` after it has been read.
    error: Option<MuxStream>,
    told: Vec<u8>,
}

impl PortStream {
    /// The pod's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The node's error, when it is complete. A node sends it before it ends the data, so this does not wait for a node that has
    /// sent none by then: the node may wait for our own end of data.
    fn poll_verdict(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        /// The longest error to read.
        const MOST: usize = 16 * 1024;
        while let Some(error) = &mut self.error {
            let mut chunk = [0; 1024];
            let mut buf = ReadBuf::new(&mut chunk);
            let read = match Pin::new(error).poll_read(cx, &mut buf) {
                Poll::Pending if self.told.is_empty() => return Poll::Ready(Ok(())),
                read => ready!(read),
            };
            if read.is_err() || buf.filled().is_empty() || self.told.len() >= MOST {
                self.error = None;
            } else {
                self.told.extend_from_slice(buf.filled());
            }
        }
        if self.told.is_empty() {
            return Poll::Ready(Ok(()));
        }
        let why = String::from_utf8_lossy(&self.told).trim().to_owned();
        Poll::Ready(Err(io::Error::new(
            io::ErrorKind::ConnectionRefused,
            PortError::Remote { port: self.port, why },
        )))
    }
}

impl AsyncRead for PortStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        if buf.remaining() == 0 {
            return Poll::Ready(Ok(()));
        }
        let before = buf.filled().len();
        let read = ready!(Pin::new(&mut self.data).poll_read(cx, buf));
        if read.is_ok() && buf.filled().len() > before {
            return Poll::Ready(Ok(()));
        }
        // The end of the data: the node may have sent the reason.
        ready!(self.poll_verdict(cx))?;
        Poll::Ready(read)
    }
}

impl AsyncWrite for PortStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.data).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.data).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.data).poll_shutdown(cx)
    }
}

/// The name of the protocol.
const PROTOCOL: &str = "portforward.k8s.io";

pub(crate) fn forward(request: Request, options: &MuxOptions) -> Request {
    request.extension(options.clone())
}

pub(crate) fn connect(rest: RestClient, request: Request, _: DecodeOptions) -> Reply<PortForward> {
    Box::pin(async move {
        request.check()?;
        let options = request.noted::<MuxOptions>().cloned().unwrap_or_default();
        let tunnel = [format!("{TUNNEL_PREFIX}{PROTOCOL}")];
        let session = Session::new(Role::Client);
        let (mux, tunnelled, call) = match fallback::agree(&rest, request, &tunnel, &[PROTOCOL]).await? {
            Agreed::WebSocket(upgraded) => {
                let tunnel = Tunnel::new(upgraded.io, Role::Client);
                (Mux::spdy(tunnel, session, options), true, upgraded.call)
            }
            Agreed::Spdy(upgraded) => (Mux::spdy(upgraded.io, session, options), false, upgraded.call),
        };
        Ok(PortForward { mux, requests: Arc::new(AtomicU64::new(0)), tunnelled, call })
    })
}
