//! One connection, and the share of it that a request has.

use std::sync::Arc;

use hyper::client::conn::{TrySendError, http1, http2};
use tokio::runtime::Handle;

use super::Body;
use super::admission::Id;
use super::pool::Shared;

/// How requests get onto a connection.
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

    /// Whether the connection takes no more requests.
    pub(super) fn is_closed(&self) -> bool {
        match self {
            Self::Http1(sender) => sender.is_closed(),
            Self::Http2(sender) => sender.is_closed(),
        }
    }
}

/// A stream of a connection, for as long as a request and its response need it; given back by drop.
pub(super) struct Lease {
    pub(super) id: Id,
    pub(super) shared: Arc<Shared>,
    /// An HTTP/1.1 connection is the request's alone.
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
        // The response's last bytes may still be on their way, or the connection may be closing.
        self.runtime.spawn(async move {
            match sender.ready().await {
                Ok(()) => shared.released(id, Some(Sender::Http1(sender))),
                Err(_) => shared.closed(id),
            }
        });
    }
}
