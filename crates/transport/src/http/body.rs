//! Bodies of requests and responses.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::connection::{Lease, Received};
use super::gzip::Gunzip;
use super::{BoxError, TransportError};

/// The body of a request or a response: bytes in memory, or a stream.
///
/// It implements [`http_body::Body`]. A response's body occupies its stream of the connection until it ends or is dropped.
/// Dropping it early cancels the rest, which closes an HTTP/1.1 connection. `Debug` shows no part of the content.
///
/// A request whose body is in memory can be sent again; one with a stream can't.
///
/// ```
/// use client_rs_transport::http::Body;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// assert_eq!(Body::from("some text").bytes().await?, "some text");
///
/// let stream = Body::new(http_body_util::Full::new(bytes::Bytes::from_static(b"0123456789")));
/// let error = stream.bytes_up_to(4).await.unwrap_err();
/// assert!(error.to_string().contains("larger than 4 bytes"));
/// # Ok(())
/// # }
/// ```
pub struct Body {
    kind: Kind,
    /// The limit of [`bytes`](Self::bytes).
    limit: usize,
}

enum Kind {
    Full(Option<Bytes>),
    Incoming(Box<Incoming>),
    Gzip(Box<Gunzip>),
    Boxed(UnsyncBoxBody<Bytes, TransportError>),
}

/// The default limit of collected bytes: 512 MiB.
pub(super) const DEFAULT_MAX_COLLECTED: usize = 512 * 1024 * 1024;

impl Default for Body {
    fn default() -> Self {
        Self::of(Kind::Full(None))
    }
}

/// A response that is being received.
pub(super) struct Incoming {
    body: Received,
    target: Arc<str>,
    /// Released with the last frame, not only when the caller drops the body.
    lease: Option<Lease>,
}

impl Body {
    fn of(kind: Kind) -> Self {
        Self { kind, limit: DEFAULT_MAX_COLLECTED }
    }

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
        Self::of(Kind::Boxed(body.map_err(|error| TransportError::from_box(error.into())).boxed_unsync()))
    }

    /// The body of a response. Without a lease, no other request shares the connection.
    pub(super) fn incoming(body: Received, target: Arc<str>, lease: Option<Lease>, limit: usize) -> Self {
        Self { kind: Kind::Incoming(Box::new(Incoming { body, target, lease })), limit }
    }

    /// The decompressed body.
    pub(super) fn gunzip(self) -> Self {
        Self { limit: self.limit, kind: Kind::Gzip(Box::new(Gunzip::new(self))) }
    }

    /// Returns `true` if, as a request body, this may be long enough to use up the flow-control window of a connection when the
    /// server does not read it. The server reads the bodies of its own API, and those are sent from memory; a stream may be for
    /// another program.
    pub(super) fn is_long_stream(&self) -> bool {
        /// The smallest window of a connection that a server may have.
        const CREDIT: u64 = 65_535;
        match &self.kind {
            Kind::Full(_) => false,
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => {
                !self.is_end_stream() && self.size_hint().upper().is_none_or(|size| size > CREDIT)
            }
        }
    }

    /// The bytes, or the body if they are not in memory.
    pub(super) fn into_memory(self) -> Result<Bytes, Self> {
        match self.kind {
            Kind::Full(bytes) => Ok(bytes.unwrap_or_default()),
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => Err(self),
        }
    }

    /// The bytes, if all of them are in memory, so that they can be sent again.
    pub(super) fn replayable(&self) -> Option<Bytes> {
        match &self.kind {
            Kind::Full(bytes) => Some(bytes.clone().unwrap_or_default()),
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => None,
        }
    }

    /// The limit of [`bytes`](Self::bytes), in bytes.
    pub fn max_collected(&self) -> usize {
        self.limit
    }

    /// Sets the limit of [`bytes`](Self::bytes). A body that wraps another one should keep the limit of the inner body.
    #[must_use]
    pub fn with_max_collected(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// Collects all bytes. Fails if the body is larger than the transport's
    /// [`max_collected`](super::HttpOptions::max_collected), or than 512 MiB if it does not come from a transport.
    pub async fn bytes(self) -> Result<Bytes, TransportError> {
        let limit = self.limit;
        self.bytes_up_to(limit).await
    }

    /// Collects all bytes. Fails as soon as the body is known to be larger than `limit` bytes. Bytes that are in memory already
    /// have no limit.
    pub async fn bytes_up_to(self, limit: usize) -> Result<Bytes, TransportError> {
        if let Kind::Full(bytes) = self.kind {
            return Ok(bytes.unwrap_or_default());
        }
        if usize::try_from(self.size_hint().lower()).map_or(true, |size| size > limit) {
            return Err(TransportError::TooLarge { limit });
        }
        match Limited::new(self, limit).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(TransportError::TooLarge { limit }),
            Err(error) => Err(TransportError::from_box(error)),
        }
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        match &mut self.kind {
            Kind::Full(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Kind::Incoming(incoming) => incoming.poll_frame(cx),
            Kind::Gzip(gzip) => gzip.poll_frame(cx),
            Kind::Boxed(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.kind {
            Kind::Full(bytes) => bytes.is_none(),
            Kind::Incoming(incoming) => incoming.body.is_end_stream(),
            Kind::Gzip(_) => false,
            Kind::Boxed(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.kind {
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
            frame.map_err(|error| TransportError::Connection { target: self.target.to_string(), error })
        });
        if !matches!(frame, Some(Ok(_))) {
            self.lease = None;
        }
        Poll::Ready(frame)
    }
}

impl From<Bytes> for Body {
    fn from(bytes: Bytes) -> Self {
        Self::of(Kind::Full((!bytes.is_empty()).then_some(bytes)))
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

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;

    #[tokio::test]
    async fn a_body_that_is_too_large_is_not_collected() {
        let streamed = |size: usize| Body::new(Full::new(Bytes::from(vec![0; size])));
        assert_eq!(streamed(10).bytes_up_to(10).await.unwrap().len(), 10);
        let error = streamed(11).bytes_up_to(10).await.unwrap_err();
        assert!(matches!(error, TransportError::TooLarge { limit: 10 }), "{error:?}");
        assert!(error.to_string().contains("10 bytes"), "{error}");
        // Without a known length.
        let unknown = Body::new(http_body_util::StreamBody::new(Twice(2)));
        assert!(matches!(unknown.bytes_up_to(10).await, Err(TransportError::TooLarge { .. })));
        assert_eq!(Body::from("in memory already").bytes_up_to(3).await.unwrap(), "in memory already");
        assert_eq!(streamed(11).bytes().await.unwrap().len(), 11);
        let around = streamed(11).with_max_collected(5);
        assert_eq!(around.max_collected(), 5);
        assert!(matches!(around.bytes().await, Err(TransportError::TooLarge { limit: 5 })));
    }

    /// Six bytes, repeated.
    struct Twice(usize);

    impl futures_core::Stream for Twice {
        type Item = Result<Frame<Bytes>, TransportError>;

        fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            let more = self.0 > 0;
            self.0 = self.0.saturating_sub(1);
            Poll::Ready(more.then(|| Ok(Frame::data(Bytes::from_static(b"sixsix")))))
        }
    }
}
