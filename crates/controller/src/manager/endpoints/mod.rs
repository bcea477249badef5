//! The listeners of a manager: health, metrics, debug. Each has its own connections, so that a client that keeps one busy
//! does not affect the others.

mod access;
mod answers;
mod page;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use client_rs_transport::serving::{ServingCertificate, keep_current, server_config};
use http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::task::{AbortHandle, JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_rustls::TlsAcceptor;

use super::{ManagerError, ManagerOptions, Status};
use crate::task::{spawn, spawn_in};
pub use access::AccessReview;
use access::Decision;
use answers::text;
pub(crate) use answers::{Answers, Endpoint, Handler};

/// How many connections a listener serves at once. One more closes the oldest: a probe does not keep its connection for
/// long.
const CONNECTIONS_MAX: usize = 64;
/// The timeout of a TLS handshake, and of the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a connection accepts new requests.
const SERVED_FOR: Duration = Duration::from_secs(20);
/// The longest life of a connection, even in the middle of a response.
const LASTS_FOR: Duration = Duration::from_secs(30);
/// The largest head of a request.
const MAX_HEAD: usize = 16 << 10;

client_rs_machinery::options! {
    /// The certificate of a manager's metrics and debug endpoints, as two files. They are read again when they change, so a
    /// certificate that a controller renews in a mounted Secret needs no restart.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct EndpointTls {
        /// The certificate and its intermediates, in PEM.
        pub certificate: PathBuf => with_certificate,
        /// Its private key, in PEM.
        pub key: PathBuf => with_key,
        /// How often the two files are checked for changes.
        pub reload: Duration => with_reload,
    }
}

impl EndpointTls {
    /// `tls.crt` and `tls.key` in this folder, checked every ten seconds: the layout of a mounted Secret.
    ///
    /// ```
    /// use client_rs_controller::{EndpointTls, ManagerOptions};
    ///
    /// let tls = EndpointTls::in_folder("/certs");
    /// assert!(tls.certificate.ends_with("tls.crt") && tls.key.ends_with("tls.key"));
    /// let options = ManagerOptions::default().with_tls(tls);
    /// # assert!(options.tls.is_some());
    /// ```
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        let (certificate, key) = (folder.join("tls.crt"), folder.join("tls.key"));
        Self { certificate, key, reload: Duration::from_secs(10) }
    }
}

/// The servers of the endpoints. Dropping it ends them.
pub(super) struct Endpoints {
    serving: Vec<JoinHandle<()>>,
}

impl Endpoints {
    pub(super) async fn start(options: &ManagerOptions, status: Arc<Status>) -> Result<Self, ManagerError> {
        let answers = Arc::new(Answers { status, metrics: options.metrics.clone() });
        let mut started = Self { serving: Vec::new() };
        let wanted = [
            (Endpoint::Health, options.health_listen),
            (Endpoint::Metrics, options.metrics_listen),
            (Endpoint::Debug, options.debug_listen),
        ];
        let guarded = options.metrics_listen.is_some() || options.debug_listen.is_some();
        let mut acceptor = None;
        if let Some(tls) = options.tls.as_ref().filter(|_| guarded) {
            let certificate = Arc::new(ServingCertificate::read(&tls.certificate, &tls.key)?);
            acceptor = Some(TlsAcceptor::from(Arc::new(server_config(&certificate, None, &[b"http/1.1"])?)));
            started.serving.push(spawn(keep_current(certificate, None, tls.reload)));
        }
        for (endpoint, address) in wanted {
            let Some(address) = address else { continue };
            let mut site = Site { endpoint, answers: Arc::clone(&answers), acceptor: None, access: None };
            if endpoint != Endpoint::Health {
                site.acceptor.clone_from(&acceptor);
                site.access.clone_from(&options.access);
            }
            site.check(address)?;
            let name = endpoint.name();
            let failed = |error| ManagerError::Listen { endpoint: name, address, error };
            let listener = TcpListener::bind(address).await.map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            tracing::info!(%address, ?endpoint, tls = site.acceptor.is_some(), "listening");
            started.serving.push(spawn(accept(listener, Arc::new(site))));
        }
        Ok(started)
    }
}

impl Drop for Endpoints {
    fn drop(&mut self) {
        self.serving.iter().for_each(JoinHandle::abort);
    }
}

async fn accept(listener: TcpListener, site: Arc<Site>) {
    let mut connections = JoinSet::new();
    let mut slots = Slots::default();
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    slots.take(spawn_in(&mut connections, Arc::clone(&site).serve(Box::new(stream))));
                }
                Err(error) => {
                    tracing::warn!(%error, "can't accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

/// The bytes of a connection, with or without TLS. One type, so that the HTTP server is compiled once.
pub(crate) type Stream = Box<dyn ReadWrite>;

/// A stream in both directions.
pub(crate) trait ReadWrite: AsyncRead + AsyncWrite + Send + Unpin {}

impl<S: AsyncRead + AsyncWrite + Send + Unpin> ReadWrite for S {}

/// The connections of a listener, the oldest first.
#[derive(Default)]
struct Slots(VecDeque<AbortHandle>);

impl Slots {
    /// Adds a connection, and ends the oldest one if there are too many.
    fn take(&mut self, connection: AbortHandle) {
        self.0.retain(|connection| !connection.is_finished());
        if self.0.len() >= CONNECTIONS_MAX
            && let Some(oldest) = self.0.pop_front()
        {
            oldest.abort();
        }
        self.0.push_back(connection);
    }
}

/// An endpoint with its protection.
pub(crate) struct Site {
    pub(crate) endpoint: Endpoint,
    pub(crate) answers: Arc<Answers>,
    pub(crate) acceptor: Option<TlsAcceptor>,
    pub(crate) access: Option<AccessReview>,
}

impl Site {
    /// Checks that the endpoint may be served at this address.
    fn check(&self, address: SocketAddr) -> Result<(), ManagerError> {
        let public = !address.ip().is_loopback();
        if public && self.endpoint == Endpoint::Debug && self.access.is_none() {
            let why =
                "the state names objects and quotes errors: listen at a loopback address, or set `access`";
            return Err(ManagerError::Exposed { address, why });
        }
        if public && self.access.is_some() && self.acceptor.is_none() {
            let why = "tokens would be sent as clear text: listen at a loopback address, or set `tls`";
            return Err(ManagerError::Exposed { address, why });
        }
        Ok(())
    }

    /// Serves a connection, for `LASTS_FOR` at most.
    pub(crate) async fn serve(self: Arc<Self>, stream: Stream) {
        let end = Instant::now() + LASTS_FOR;
        if tokio::time::timeout_at(end, self.connection(stream)).await.is_err() {
            tracing::debug!("closed a connection to the endpoints that lasted too long");
        }
    }

    async fn connection(self: Arc<Self>, stream: Stream) {
        match self.acceptor.clone() {
            None => self.requests(stream).await,
            Some(acceptor) => match tokio::time::timeout(HEADER_TIMEOUT, acceptor.accept(stream)).await {
                Ok(Ok(stream)) => self.requests(Box::new(stream)).await,
                Ok(Err(error)) => tracing::debug!(%error, "TLS handshake failed"),
                Err(_) => tracing::debug!("TLS handshake timed out"),
            },
        }
    }

    async fn requests(self: Arc<Self>, stream: Stream) {
        let service = service_fn(move |request: Request<hyper::body::Incoming>| {
            let site = Arc::clone(&self);
            async move { Ok::<_, Infallible>(site.answer(&request).await) }
        });
        let mut builder = hyper::server::conn::http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(MAX_HEAD);
        let connection = builder.serve_connection(TokioIo::new(stream), service);
        tokio::pin!(connection);
        let served = tokio::select! {
            served = connection.as_mut() => served,
            // The request in progress gets its response; the client connects again for more.
            () = tokio::time::sleep(SERVED_FOR) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = served {
            tracing::debug!(%error, "connection to the endpoints failed");
        }
    }

    async fn answer<B>(&self, request: &Request<B>) -> Response<Full<Bytes>> {
        let (method, path) = (request.method(), request.uri().path());
        if let Some(access) = &self.access {
            let authorization = request.headers().get(header::AUTHORIZATION);
            let authorization = authorization.and_then(|value| value.to_str().ok());
            match access.decide(authorization, &method.as_str().to_ascii_lowercase(), path).await {
                Ok(Decision::Allowed) => {}
                Ok(Decision::Unknown) => {
                    let mut refused = text(StatusCode::UNAUTHORIZED, "a valid bearer token is required\n");
                    let scheme = HeaderValue::from_static("Bearer");
                    refused.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
                    return refused;
                }
                Ok(Decision::Forbidden) => {
                    return text(StatusCode::FORBIDDEN, "the user may not read this path\n");
                }
                Err(error) => {
                    tracing::warn!(%error, path, "access review failed");
                    return text(StatusCode::SERVICE_UNAVAILABLE, "the access review failed\n");
                }
            }
        }
        let host = request.headers().get(header::HOST).map(|host| host.to_str().unwrap_or("?"));
        if self.endpoint == Endpoint::Debug && self.access.is_none() && !page::is_local_host(host) {
            let why = "the host of the request is a name: use an address or localhost\n";
            return text(StatusCode::MISDIRECTED_REQUEST, why);
        }
        if let Some(handler) = self.answers.handler(self.endpoint, path) {
            return handler.answer(request).await;
        }
        self.answers.answer(self.endpoint, method, path, request.uri().query().unwrap_or_default())
    }
}
