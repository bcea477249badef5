//! Bodies of requests and responses.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;

use super::connection::Lease;
use super::gzip::Gunzip;
use super::{BoxError, TransportError};

/// The body of a request or a response: bytes in memory, or a stream.
///
/// A response's body holds its stream of the connection until it ends or is dropped; dropping it early cancels
/// the rest, which an HTTP/1.1 connection does not survive. `Debug` shows nothing of the content.
#[derive(Default)]
pub struct Body(Kind);

enum Kind {
    Full(Option<Bytes>),
    Incoming(Box<Incoming>),
    Gzip(Box<Gunzip>),
    Boxed(UnsyncBoxBody<Bytes, TransportError>),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Full(None)
    }
}

/// A response as it arrives.
pub(super) struct Incoming {
    body: hyper::body::Incoming,
    target: String,
    /// Given back with the last frame, not only when the caller lets go of the body.
    lease: Option<Lease>,
}

impl Body {
    /// No bytes.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Any stream of bytes.
    pub fn new<B>(body: B) -> Self
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<BoxError>,
    {
        Self(Kind::Boxed(body.map_err(|error| TransportError::from_box(error.into())).boxed_unsync()))
    }

    pub(super) fn incoming(body: hyper::body::Incoming, target: String, lease: Lease) -> Self {
        Self(Kind::Incoming(Box::new(Incoming { body, target, lease: Some(lease) })))
    }

    /// The same, decompressed.
    pub(super) fn gunzip(self) -> Self {
        Self(Kind::Gzip(Box::new(Gunzip::new(self))))
    }

    /// The bytes, where all of them are in memory: what can be sent twice.
    pub(super) fn replayable(&self) -> Option<Bytes> {
        match &self.0 {
            Kind::Full(bytes) => Some(bytes.clone().unwrap_or_default()),
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => None,
        }
    }

    /// All bytes, once they are there.
    pub async fn bytes(self) -> Result<Bytes, TransportError> {
        if let Kind::Full(bytes) = self.0 {
            return Ok(bytes.unwrap_or_default());
        }
        Ok(self.collect().await?.to_bytes())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        match &mut self.0 {
            Kind::Full(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Kind::Incoming(incoming) => incoming.poll_frame(cx),
            Kind::Gzip(gzip) => gzip.poll_frame(cx),
            Kind::Boxed(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Kind::Full(bytes) => bytes.is_none(),
            Kind::Incoming(incoming) => incoming.body.is_end_stream(),
            Kind::Gzip(_) => false,
            Kind::Boxed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Kind::Full(bytes) => SizeHint::with_exact(
                bytes.as_ref().map_or(0, |bytes| u64::try_from(bytes.len()).unwrap_or(u64::MAX)),
            ),
            Kind::Incoming(incoming) => incoming.body.size_hint(),
            Kind::Gzip(_) => SizeHint::default(),
            Kind::Boxed(body) => body.size_hint(),
        }
    }
}

impl Incoming {
    fn poll_frame(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        let frame = frame.map(|frame| {
            frame.map_err(|error| TransportError::Connection { target: self.target.clone(), error })
        });
        if !matches!(frame, Some(Ok(_))) {
            self.lease = None;
        }
        Poll::Ready(frame)
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self(Kind::Full((!bytes.is_empty()).then_some(bytes)))
    }
}

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for Body {
    fn from(text: String) -> Self {
        Bytes::from(text).into()
    }
}

impl From<&'static str> for Body {
    fn from(text: &'static str) -> Self {
        Bytes::from_static(text.as_bytes()).into()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Body")
    }
}
