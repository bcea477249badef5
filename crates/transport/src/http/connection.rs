//! One connection, and the stream of it that a request occupies.

use std::sync::Arc;

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};
use hyper::client::conn::http1;
use tokio::runtime::Handle;

use super::admission::Id;
use super::http2::{Http2, Http2Body};
use super::pool::Shared;
use super::{Body, BoxError};
use crate::task;

/// Sends requests on a connection.
pub(super) enum Sender {
    Http1(http1::SendRequest<Body>),
    Http2(Http2),
}

/// A request without a response.
pub(super) struct SendError {
    pub(super) error: BoxError,
    /// The body, if no part of the request was sent.
    pub(super) unsent: Option<Body>,
}

/// The body of a response.
pub(super) enum Received {
    Http1(hyper::body::Incoming),
    Http2(Http2Body),
}

impl Sender {
    /// Sends a request and waits for the head of the response. Dropping the future cancels the request.
    ///
    /// The request is made when the connection is ready for it, so that the future does not hold it.
    pub(super) async fn send(
        &mut self,
        request: impl FnOnce() -> http::Request<Body>,
    ) -> Result<http::Response<Received>, SendError> {
        match self {
            // Few connections are of this version. Without the box, requests of both would need its memory.
            Self::Http1(sender) => match Box::pin(sender.try_send_request(request())).await {
                Ok(response) => Ok(response.map(Received::Http1)),
                Err(mut error) => {
                    let unsent = error.take_message().map(http::Request::into_body);
                    Err(SendError { error: error.into_error().into(), unsent })
                }
            },
            Self::Http2(sender) => {
                if let Err(error) = sender.ready().await {
                    return Err(SendError { error, unsent: Some(request().into_body()) });
                }
                Ok(sender.send(request())?.head().await?.map(Received::Http2))
            }
        }
    }

    pub(super) fn version(&self) -> http::Version {
        match self {
            Self::Http1(_) => http::Version::HTTP_11,
            Self::Http2(_) => http::Version::HTTP_2,
        }
    }

    /// Returns `true` if the connection accepts no more requests.
    pub(super) fn is_closed(&mut self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_closed(),
            Self::Http2(sender) => sender.is_closed(),
        }
    }
}

impl http_body::Body for Received {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        match &mut *self {
            Self::Http1(body) => {
                Pin::new(body).poll_frame(cx).map(|frame| frame.map(|frame| frame.map_err(Into::into)))
            }
            Self::Http2(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Http1(body) => body.is_end_stream(),
            Self::Http2(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Http1(body) => body.size_hint(),
            Self::Http2(body) => body.size_hint(),
        }
    }
}

/// A stream of a connection, for the duration of a request and its response. Dropping it returns the stream to the pool.
pub(super) struct Lease {
    pub(super) id: Id,
    pub(super) shared: Arc<Shared>,
    /// An HTTP/1.1 connection, which no other request shares.
    pub(super) http1: Option<http1::SendRequest<Body>>,
    pub(super) runtime: Handle,
}

impl Drop for Lease {
    fn drop(&mut self) {
        let (id, shared) = (self.id, Arc::clone(&self.shared));
        let Some(mut sender) = self.http1.take() else { return shared.released(id, None) };
        if sender.is_ready() {
            return shared.released(id, Some(Sender::Http1(sender)));
        }
        if sender.is_closed() {
            return shared.closed(id);
        }
        // The last bytes of the response may still be in flight, or the connection may be closing.
        task::spawn_on(&self.runtime, async move {
            match sender.ready().await {
                Ok(()) => shared.released(id, Some(Sender::Http1(sender))),
                Err(_) => shared.closed(id),
            }
        });
    }
}
