//! Bodies of requests and responses.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use http_body::{Body as _, Frame, SizeHint};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::connection::Lease;
use super::gzip::Gunzip;
use super::{BoxError, TransportError};

/// The body of a request or a response: bytes in memory, or a stream.
///
/// A response's body holds its stream of the connection until it ends or is dropped; dropping it early cancels
/// the rest, which an HTTP/1.1 connection does not survive. `Debug` shows nothing of the content.
pub struct Body {
    kind: Kind,
    /// The most that [`bytes`](Self::bytes) collects.
    limit: usize,
}

enum Kind {
    Full(Option<Bytes>),
    Incoming(Box<Incoming>),
    Gzip(Box<Gunzip>),
    Boxed(UnsyncBoxBody<Bytes, TransportError>),
}

/// The most that is collected where no option says otherwise: 512 MiB.
pub(super) const DEFAULT_MAX_COLLECTED: usize = 512 * 1024 * 1024;

impl Default for Body {
    fn default() -> Self {
        Self::of(Kind::Full(None))
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

    /// A response's. Without a lease, the connection is its alone.
    pub(super) fn incoming(
        body: hyper::body::Incoming,
        target: String,
        lease: Option<Lease>,
        limit: usize,
    ) -> Self {
        Self { kind: Kind::Incoming(Box::new(Incoming { body, target, lease })), limit }
    }

    /// The same, decompressed.
    pub(super) fn gunzip(self) -> Self {
        Self { limit: self.limit, kind: Kind::Gzip(Box::new(Gunzip::new(self))) }
    }

    /// As the body of a request: may it be so long that a server which does not read it uses up its credit for a whole
    /// connection? A server reads what its API takes, and that is sent from memory; a stream may be for anybody.
    pub(super) fn is_long_stream(&self) -> bool {
        /// The credit that a server gives for a connection at least.
        const CREDIT: u64 = 65_535;
        match &self.kind {
            Kind::Full(_) => false,
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => {
                !self.is_end_stream() && self.size_hint().upper().is_none_or(|size| size > CREDIT)
            }
        }
    }

    /// The bytes, where all of them are in memory: what can be sent twice.
    pub(super) fn replayable(&self) -> Option<Bytes> {
        match &self.kind {
            Kind::Full(bytes) => Some(bytes.clone().unwrap_or_default()),
            Kind::Incoming(_) | Kind::Gzip(_) | Kind::Boxed(_) => None,
        }
    }

    /// The most that [`bytes`](Self::bytes) collects, in bytes.
    pub fn max_collected(&self) -> usize {
        self.limit
    }

    /// The same, of which [`bytes`](Self::bytes) collects so much at most: for a body around another, which should keep
    /// that one's limit.
    #[must_use]
    pub fn with_max_collected(self, limit: usize) -> Self {
        Self { limit, ..self }
    }

    /// All bytes, once they are there. A body that is larger than the transport's
    /// [`max_collected`](super::HttpOptions::max_collected), or than 512 MiB if it came from elsewhere, is an error.
    pub async fn bytes(self) -> Result<Bytes, TransportError> {
        let limit = self.limit;
        self.bytes_up_to(limit).await
    }

    /// All bytes, once they are there. A body that is larger than `limit` bytes is an error as soon as that is known;
    /// what is in memory already has no limit.
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
        // Without a length that tells beforehand.
        let unknown = Body::new(http_body_util::StreamBody::new(Twice(2)));
        assert!(matches!(unknown.bytes_up_to(10).await, Err(TransportError::TooLarge { .. })));
        assert_eq!(Body::from("in memory already").bytes_up_to(3).await.unwrap(), "in memory already");
        assert_eq!(streamed(11).bytes().await.unwrap().len(), 11);
        let around = streamed(11).with_max_collected(5);
        assert_eq!(around.max_collected(), 5);
        assert!(matches!(around.bytes().await, Err(TransportError::TooLarge { limit: 5 })));
    }

    /// Six bytes, so many times.
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
