//! One connection, and the stream of it that a request occupies.

use std::sync::Arc;

use hyper::client::conn::{TrySendError, http1, http2};
use tokio::runtime::Handle;

use super::Body;
use super::admission::Id;
use super::pool::Shared;

/// Sends requests on a connection.
pub(super) enum Sender {
    Http1(http1::SendRequest<Body>),
    Http2(http2::SendRequest<Body>),
}

impl Sender {
    pub(super) async fn send(
        &mut self,
        request: http::Request<Body>,
    ) -> Result<http::Response<hyper::body::Incoming>, TrySendError<http::Request<Body>>> {
        match self {
            Self::Http1(sender) => sender.try_send_request(request).await,
            Self::Http2(sender) => sender.try_send_request(request).await,
        }
    }

    /// Returns `true` if the connection accepts no more requests.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_closed(),
            Self::Http2(sender) => sender.is_closed(),
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
        self.runtime.spawn(async move {
            match sender.ready().await {
                Ok(()) => shared.released(id, Some(Sender::Http1(sender))),
                Err(_) => shared.closed(id),
            }
        });
    }
}
