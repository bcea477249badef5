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

/// A connection to a pod, on which connections to its ports are opened. Cheap to clone.
///
/// It lives while it, or a [`PortStream`] of it, does; dropping the last closes it. It does not come back when it is lost,
/// or when the pod goes: a [`Forwarder`](super::Forwarder) does.
///
/// All streams share the connection, and its protocol can't slow down one of them alone: one that is not read stops the
/// others when its buffer is full.
#[derive(Clone)]
#[must_use = "the connection is closed when this and its streams are dropped"]
pub struct PortForward {
    mux: Mux,
    requests: Arc<AtomicU64>,
    tunnelled: bool,
    call: Call,
}

/// A port of a pod that could not be reached.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PortError {
    /// What the node says: nobody listens there, most of all.
    #[error("port {port}: {why}")]
    Remote {
        /// The port.
        port: u16,
        /// The node's words.
        why: String,
    },
    /// The connection to the pod has ended, or takes no more.
    #[error("port {port}: {error}")]
    Connection {
        /// The port.
        port: u16,
        /// How.
        error: OpenError,
    },
}

impl PortForward {
    /// Opens a connection to a port.
    ///
    /// Whether anybody listens there shows only later: the first read, or write, of the stream fails with a [`PortError`]
    /// inside if nobody does.
    pub async fn connect(&self, port: u16) -> Result<PortStream, PortError> {
        let lost = |error| PortError::Connection { port, error };
        let id = self.requests.fetch_add(1, Ordering::Relaxed).to_string();
        let number = port.to_string();
        let headers = |kind| {
            Headers::from([("streamType", kind), ("port", number.as_str()), ("requestID", id.as_str())])
        };
        let error = self.mux.open(&headers("error")).await.map_err(lost)?;
        // Nothing is ever sent on it.
        error.finish();
        let data = self.mux.open(&headers("data")).await.map_err(lost)?;
        Ok(PortStream { port, data, error: Some(error), told: Vec::new() })
    }

    /// How many streams are open, two for each connection to a port.
    pub fn streams(&self) -> usize {
        self.mux.streams()
    }

    /// Whether another connection could be opened now.
    pub fn is_open(&self) -> bool {
        self.mux.is_open()
    }

    /// How the connection to the pod has ended, if it has.
    pub fn end(&self) -> Option<ConnectionEnd> {
        self.mux.end()
    }

    /// On a connection that speaks SPDY already.
    #[cfg(test)]
    pub(super) fn over(io: tokio::io::DuplexStream) -> Self {
        let options = MuxOptions { ping_every: None, ..MuxOptions::default() };
        let mux = Mux::spdy(io, Session::new(Role::Client), options);
        Self { mux, requests: Arc::default(), tunnelled: false, call: Call::new("POST", "/") }
    }

    /// Whether it is the same connection.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.requests, &other.requests)
    }

    /// Waits until the connection to the pod has ended.
    pub async fn ended(&self) -> ConnectionEnd {
        self.mux.ended().await
    }

    /// Whether its SPDY goes through a WebSocket, as newer servers want it.
    pub fn is_tunnelled(&self) -> bool {
        self.tunnelled
    }

    /// What was asked.
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

/// A connection to a port of a pod: bytes both ways.
///
/// `shutdown` says that no more bytes come from here. Dropping it before both sides have finished cuts it. Where the node
/// says what went wrong, reading ends with an error, whose [`get_ref`](io::Error::get_ref) is a [`PortError`].
#[derive(Debug)]
pub struct PortStream {
    port: u16,
    data: MuxStream,
    /// Until it has been read.
    error: Option<MuxStream>,
    told: Vec<u8>,
}

impl PortStream {
    /// The pod's port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// What the node says went wrong, once it has said all. A node says it before it ends the data, so one that has said
    /// nothing by then is not waited for: it may wait for our own end before it is done.
    fn poll_verdict(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        /// More than any error needs.
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
        // An end: the node may know why.
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

/// The protocol's name.
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
