//! Requests out, responses in.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION, UPGRADE};
use http::{HeaderValue, Request, Response, Uri, Version};
use hyper::body::Incoming;
use hyper_util::rt::TokioIo;
use tower::util::BoxCloneSyncService;
use tower::{Layer, Service};

use super::Stream;
use super::connection::Sender;
use super::connector::Connector;
use super::from_config::SourceTls;
use super::pool::Pool;
use super::{
    Body, BoxError, ConnectError, Dial, HttpOptions, Proxy, TcpDialer, TlsProvider, TransportError, gzip,
};
use crate::config::without_user_info;

/// The server that a transport talks to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The host's name, or its address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether it is spoken to in TLS.
    pub tls: bool,
    /// The name that its certificate must have, if not the host's.
    pub server_name: Option<String>,
}

impl Target {
    /// From a URL, whose path does not matter. One with a user or a password in it is refused: they would not be sent.
    pub fn from_uri(uri: &Uri) -> Result<Self, TransportError> {
        let config = |why: &str| {
            let shown = without_user_info(&uri.to_string());
            TransportError::Config(format!("{shown} is no server's URL: {why}"))
        };
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(config("it must not hold a user or password"));
        }
        let tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(config("it must begin with https:// or http://")),
        };
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| config("it names no host"))?;
        let port = uri.port_u16().unwrap_or(if tls { 443 } else { 80 });
        Ok(Self { host: host.trim_matches(['[', ']']).to_owned(), port, tls, server_name: None })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&host_port(&self.host, self.port))
    }
}

pub(super) fn host_port(host: &str, port: u16) -> String {
    if host.contains(':') { format!("[{host}]:{port}") } else { format!("{host}:{port}") }
}

/// Sends requests to one server: a tower service, cheap to clone; clones share connections.
///
/// - Requests name path and query; what scheme and host a URI has is not looked at: they all go to the one server.
/// - A response comes when its head has arrived. Its body is read as the caller asks for it, and holds back the
///   server when the caller is slow; dropping it, or the future, cancels the request.
/// - A request that certainly has not reached the server's code is sent again on another connection, whatever
///   it is. No other is: that is for the caller to decide.
/// - A request with an `Upgrade` header has an HTTP/1.1 connection of its own; see [`upgraded`].
/// - No request waits because others are not read. Responses that the caller does not read leave their connection's credit
///   to the others (see [`HttpOptions::stream_window`]); a request whose body is a stream that may be longer than 64 KiB
///   has a connection of its own, as the server may not read it.
#[derive(Clone)]
pub struct Transport {
    service: BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>,
    target: Target,
    /// `None` where the caller brought a service of their own.
    pool: Option<Arc<Pool>>,
}

/// What a [`Transport`] is made of.
#[derive(Debug)]
pub struct TransportBuilder {
    target: Target,
    dial: Option<Arc<dyn Dial>>,
    proxy: Option<Proxy>,
    tls: Option<Arc<dyn TlsProvider>>,
    proxy_tls: Option<Arc<dyn TlsProvider>>,
    options: HttpOptions,
    compression: bool,
}

impl TransportBuilder {
    /// To a server, directly.
    pub fn new(target: Target) -> Self {
        Self {
            target,
            dial: None,
            proxy: None,
            tls: None,
            proxy_tls: None,
            options: HttpOptions::default(),
            compression: true,
        }
    }

    /// Who opens byte streams. Default: TCP.
    #[must_use]
    pub fn dial(mut self, dial: Arc<dyn Dial>) -> Self {
        self.dial = Some(dial);
        self
    }

    /// Through a proxy. Default: directly.
    #[must_use]
    pub fn proxy(mut self, proxy: Option<Proxy>) -> Self {
        self.proxy = proxy;
        self
    }

    /// Where certificates come from. Needed for a server that speaks TLS.
    #[must_use]
    pub fn tls(mut self, tls: Arc<dyn TlsProvider>) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Where certificates come from for a proxy that is itself reached by https. Default: the system's authorities are
    /// trusted, and no client certificate is shown.
    #[must_use]
    pub fn proxy_tls(mut self, tls: Arc<dyn TlsProvider>) -> Self {
        self.proxy_tls = Some(tls);
        self
    }

    /// How connections are kept.
    #[must_use]
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.options = options;
        self
    }

    /// Whether responses may come compressed. Default: yes.
    #[must_use]
    pub fn compression(mut self, compression: bool) -> Self {
        self.compression = compression;
        self
    }

    /// The transport. Connects nowhere yet.
    pub fn build(self) -> Result<Transport, TransportError> {
        let core = self.core()?;
        let (target, pool) = (core.pool.connector().target.clone(), Arc::clone(&core.pool));
        Ok(Transport::assemble(core, target, Some(pool)))
    }

    pub(super) fn core(self) -> Result<Core, TransportError> {
        let Self { target, dial, proxy, tls, proxy_tls, options, compression } = self;
        if target.tls && tls.is_none() {
            return Err(TransportError::Config(format!(
                "{target} speaks TLS, and there are no certificates"
            )));
        }
        let tls = tls.filter(|_| target.tls);
        let dial = dial.unwrap_or_else(|| Arc::new(TcpDialer::new(options.connect_timeout)));
        let proxy_tls = proxy_tls.unwrap_or_else(|| Arc::new(SourceTls::system()));
        let pool = Arc::new(Pool::new(Connector { target, dial, proxy, tls, proxy_tls, options }));
        Ok(Core { pool, compression })
    }
}

impl Transport {
    /// A service of the caller's own in place of connections: for tests, and for other ways to a server.
    pub fn from_service<S>(target: Target, service: S) -> Self
    where
        S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
        S::Error: Into<BoxError>,
        S::Future: Send + 'static,
    {
        Self { service: boxed(service), target, pool: None }
    }

    pub(super) fn assemble<S>(service: S, target: Target, pool: Option<Arc<Pool>>) -> Self
    where
        S: Service<Request<Body>, Response = Response<Body>, Error = TransportError>
            + Clone
            + Send
            + Sync
            + 'static,
        S::Future: Send + 'static,
    {
        Self { service: BoxCloneSyncService::new(service), target, pool }
    }

    /// The same transport with a layer around it: the last one added sees a request first.
    #[must_use]
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>>,
        L::Service: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
        <L::Service as Service<Request<Body>>>::Error: Into<BoxError>,
        <L::Service as Service<Request<Body>>>::Future: Send + 'static,
    {
        Self { service: boxed(layer.layer(self.service)), ..self }
    }

    #[cfg(test)]
    pub(super) fn pool(&self) -> Option<&Arc<Pool>> {
        self.pool.as_ref()
    }

    /// The server.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// How many connections are open now.
    pub fn connections(&self) -> usize {
        self.pool.as_ref().map_or(0, |pool| pool.len())
    }

    /// Closes every connection with all that runs on it, so that the server sees a new certificate at once.
    pub fn close_connections(&self) {
        if let Some(pool) = &self.pool {
            pool.close();
        }
    }

    /// Begins no more requests on the connections that are open; what runs on them goes on.
    pub fn retire_connections(&self) {
        if let Some(pool) = &self.pool {
            pool.retire();
        }
    }
}

fn boxed<S>(service: S) -> BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError>,
    S::Future: Send + 'static,
{
    let service = tower::util::MapErr::new(service, |error: S::Error| TransportError::from_box(error.into()));
    BoxCloneSyncService::new(service)
}

impl Service<Request<Body>> for Transport {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        self.service.poll_ready(cx)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        Box::pin(self.service.call(request))
    }
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("target", self.target())
            .field("connections", &self.connections())
            .finish_non_exhaustive()
    }
}

/// The byte stream of a connection that the server has agreed to use for something else: its answer was 101.
///
/// It is the caller's alone from then on, and closed when dropped.
pub async fn upgraded(response: Response<Body>, target: &Target) -> Result<Stream, TransportError> {
    let failed = |error| TransportError::Connection { target: target.to_string(), error };
    let upgraded = hyper::upgrade::on(response).await.map_err(failed)?;
    Ok(Box::new(TokioIo::new(upgraded)))
}

/// How often a request that has not reached the server is sent again.
const MAX_RESENDS: usize = 3;

/// The innermost service.
#[derive(Clone)]
pub(super) struct Core {
    pub(super) pool: Arc<Pool>,
    compression: bool,
}

impl Service<Request<Body>> for Core {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // Requests wait for a stream in `call`: whoever waits there can be cancelled by drop.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let core = self.clone();
        Box::pin(async move { core.send(request).await })
    }
}

impl Core {
    async fn send(self, mut request: Request<Body>) -> Result<Response<Body>, TransportError> {
        if request.headers().contains_key(UPGRADE) {
            return self.upgrade(request).await;
        }
        let method = request.method().clone();
        let asked = self.compression && gzip::ask(&method, request.headers_mut());
        let response = if request.body().is_long_stream() {
            self.alone(request).await?
        } else {
            self.exchange(request).await?
        };
        Ok(if asked { gzip::open(response) } else { response })
    }

    async fn exchange(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let (parts, mut body) = request.into_parts();
        let replay = body.replayable();
        for last in (0..=MAX_RESENDS).rev() {
            let (mut sender, mut lease) = self.pool.acquire().await?;
            let request = self.address(Request::from_parts(parts.clone(), body), &sender);
            let mut outcome = sender.send(request).await;
            let target = || self.pool.connector().target.to_string();
            let unsent = match &mut outcome {
                Ok(_) => None,
                Err(error) => error.take_message(),
            };
            let error = match outcome {
                Ok(response) => {
                    lease.keep(sender);
                    let limit = self.pool.connector().options.max_collected;
                    return Ok(
                        response.map(|body: Incoming| Body::incoming(body, target(), Some(lease), limit))
                    );
                }
                Err(error) => TransportError::Connection { target: target(), error: error.into_error() },
            };
            // Ready for more if the failure was this request's alone; the pool finds out.
            let closed = sender.is_closed() || unsent.is_some();
            if closed {
                lease.shared.closed(lease.id);
            } else {
                lease.keep(sender);
            }
            drop(lease);
            if last == 0 {
                return Err(error);
            }
            body = match (unsent, &replay) {
                (Some(request), _) => request.into_body(),
                (None, Some(bytes)) if error.is_unprocessed() => Body::from(Bytes::clone(bytes)),
                (None, _) => return Err(error),
            };
            tracing::debug!(%error, "the request has not reached the server and is sent again");
        }
        Err(ConnectError::GivenUp { target: self.pool.connector().target.to_string() }.into())
    }

    /// On a connection of its own, of whatever protocol: nothing else waits if the server does not read the request.
    async fn alone(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let mut sender = self.pool.alone().await?;
        let request = self.address(request, &sender);
        let connector = self.pool.connector();
        let (target, limit) = (connector.target.to_string(), connector.options.max_collected);
        match sender.send(request).await {
            Ok(response) => Ok(response.map(|body| Body::incoming(body, target, None, limit))),
            Err(error) => Err(TransportError::Connection { target, error: error.into_error() }),
        }
    }

    async fn upgrade(&self, request: Request<Body>) -> Result<Response<Body>, TransportError> {
        let mut sender = Sender::Http1(self.pool.dedicated().await?);
        let request = self.address(request, &sender);
        let target = self.pool.connector().target.to_string();
        match sender.send(request).await {
            Ok(response) => Ok(response.map(Body::new)),
            Err(error) => Err(TransportError::Connection { target, error: error.into_error() }),
        }
    }

    /// The request with its URI in the form that the connection speaks.
    fn address(&self, mut request: Request<Body>, sender: &Sender) -> Request<Body> {
        let connector = self.pool.connector();
        let Target { host, port, tls, .. } = &connector.target;
        let default = *port == if *tls { 443 } else { 80 };
        let authority = if default {
            host_port(host, *port).trim_end_matches(&format!(":{port}")).to_owned()
        } else {
            host_port(host, *port)
        };
        let path = request.uri().path_and_query().map_or("/", http::uri::PathAndQuery::as_str).to_owned();
        let scheme = if *tls { "https" } else { "http" };
        let absolute = format!("{scheme}://{authority}{path}");
        let (version, uri) = match sender {
            Sender::Http2(_) => (Version::HTTP_2, absolute),
            Sender::Http1(_) => {
                if let Ok(host) = HeaderValue::from_str(&authority) {
                    request.headers_mut().entry(HOST).or_insert(host);
                }
                match connector.absolute_form() {
                    None => (Version::HTTP_11, path),
                    Some(proxy) => {
                        let authorization =
                            proxy.authorization().and_then(|text| HeaderValue::try_from(text).ok());
                        if let Some(mut authorization) = authorization {
                            authorization.set_sensitive(true);
                            request.headers_mut().insert(PROXY_AUTHORIZATION, authorization);
                        }
                        (Version::HTTP_11, absolute)
                    }
                }
            }
        };
        *request.version_mut() = version;
        if let Ok(uri) = Uri::try_from(uri) {
            *request.uri_mut() = uri;
        }
        request
    }
}

#[cfg(test)]
mod tests;
