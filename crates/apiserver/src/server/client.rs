//! Clients in the same process.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use client_rs_client::{Error, RestClient, RestClientOptions};
use client_rs_transport::http::{Body, Target, Transport};
use http::{Request, Response, Uri};

use crate::http::{Api, Peer};
use crate::request::User;

/// Whether a server has stopped.
pub(crate) type Ended = Arc<AtomicBool>;

/// Creates a client that calls the API directly, without a socket or a connection. So it works with a paused clock.
pub(crate) fn rest_client(
    api: &Arc<Api>,
    ended: &Ended,
    user: User,
    options: RestClientOptions,
) -> Result<RestClient, Error> {
    // Clients of one server see the same versions; other servers have versions of their own.
    let server_id = format!("embedded {:p}", Arc::as_ptr(api));
    let options = options.with_server_id(server_id);
    let (api, ended) = (Arc::clone(api), Arc::clone(ended));
    let peer = Arc::new(Peer { user: Some(user), ..Peer::default() });
    let service = tower::service_fn(move |request: Request<Body>| {
        let (api, ended, peer) = (Arc::clone(&api), Arc::clone(&ended), Arc::clone(&peer));
        async move {
            if ended.load(Ordering::Relaxed) {
                return Err(io::Error::new(io::ErrorKind::ConnectionRefused, "the server has stopped"));
            }
            let (parts, body) = api.answer(request, peer).await.into_parts();
            Ok(Response::from_parts(parts, Body::new(body)))
        }
    });
    let target = Target { host: "embedded".to_owned(), port: 80, tls: false, server_name: None };
    RestClient::with_options(
        &Uri::from_static("http://embedded"),
        Transport::from_service(target, service),
        options,
    )
}
