//! The transport: it sends requests and receives responses.

use std::fmt;
use std::future::{Future, poll_fn, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::header::{HOST, PROXY_AUTHORIZATION, UPGRADE};
use http::request::Parts;
use http::uri::PathAndQuery;
use http::{HeaderValue, Request, Response, Uri, Version};
use hyper_util::rt::TokioIo;
use tower::util::BoxCloneSyncService;
use tower::{Layer, Service};

use super::Stream;
use super::connection::{SendError, Sender};
use super::connector::Connector;
use super::from_config::SourceTls;
use super::pool::Pool;
use super::{
    Body, BoxError, ConnectError, Dial, HttpOptions, Proxy, TcpDialer, TlsProvider, TransportError, gzip,
};
use crate::config::without_user_info;

/// The server that a transport connects to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The host name, or an address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
    /// Whether the connection uses TLS.
    pub tls: bool,
    /// The name that its certificate must have, if it is not the host name.
    pub server_name: Option<String>,
}

impl Target {
    /// Parses the address in a URL; its path is ignored. A URL with a user or a password is refused, because they would not be
    /// sent.
    ///
    /// ```
    /// use client_rs_transport::http::Target;
    ///
    /// let target = Target::from_uri(&"https://k8s.example/api".parse()?)?;
    /// assert_eq!((&*target.host, target.port, target.tls), ("k8s.example", 443, true));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_uri(uri: &Uri) -> Result<Self, TransportError> {
        let config = |why: &str| {
            let shown = without_user_info(&uri.to_string());
            TransportError::Config(format!("{shown} is not the URL of a server: {why}"))
        };
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(config("it must not contain a user or password"));
        }
        let tls = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(config("it must begin with https:// or http://")),
        };
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| config("it has no host"))?;
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

/// Sends requests to one server. It is a tower service and cheap to clone; clones share connections.
///
/// Create it with [`from_config`](Self::from_config). It has no retries, rate limit or timeout: use the REST client above this
/// crate for those, or add tower layers with [`layer`](Self::layer).
///
/// - The scheme and host of a request's URI are ignored: all requests go to the one server.
/// - The response is returned as soon as its head has arrived. Its body is received while the caller reads it, with
///   backpressure: a slow reader slows the server.
/// - Dropping the future of a request, or the body of its response, cancels the request.
/// - A request that certainly did not reach the server's code is sent again on another connection, regardless of its method.
///   No other request is sent again: the caller decides about that.
/// - A request with an `Upgrade` header gets a separate HTTP/1.1 connection; see [`upgraded`].
/// - No request waits because the caller does not read other responses. Unread responses leave the rest of the connection's
///   window to the others (see [`HttpOptions::stream_window`]). A request with a stream that may be longer than 64 KiB gets a
///   separate connection, because the server may not read it.
///
/// In a test, any tower service can take the place of the connections:
///
/// ```
/// use client_rs_transport::http::{Body, BoxError, Target, Transport};
/// use http::{Request, Response};
/// use tower::ServiceExt as _;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let echo = tower::service_fn(|request: Request<Body>| async move {
///     Ok::<_, BoxError>(Response::new(Body::from(request.uri().path().to_owned())))
/// });
/// let transport = Transport::from_service(Target::from_uri(&"https://k8s.example".parse()?)?, echo);
///
/// let response = transport.oneshot(Request::get("/version").body(Body::empty())?).await?;
/// assert_eq!(response.into_body().bytes().await?, "/version");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Transport {
    service: BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>,
    target: Target,
    /// `None` if the caller supplied a service.
    pool: Option<Arc<Pool>>,
}

/// Builds a [`Transport`] to a server without a [`Config`](crate::Config): no credentials, and your own TLS settings.
///
/// Use [`Transport::from_config`] unless you need that. For a server that uses TLS, [`tls`](Self::tls) is required.
///
/// ```
/// use std::sync::Arc;
/// use client_rs_transport::http::{Target, TransportBuilder};
/// use client_rs_transport::tls::{Trust, client_config};
///
/// let target = Target::from_uri(&"https://k8s.example:6443".parse()?)?;
/// assert!(TransportBuilder::new(target.clone()).build().is_err(), "TLS needs a configuration");
///
/// let tls = client_config(&Trust::Only([].into()), None, &[])?;
/// let transport = TransportBuilder::new(target).tls(Arc::new(tls)).compression(false).build()?;
/// assert_eq!(transport.connections(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// A transport to this server, without a proxy.
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

    /// Sets how byte streams are opened. Default: TCP.
    #[must_use]
    pub fn dial(mut self, dial: Arc<dyn Dial>) -> Self {
        self.dial = Some(dial);
        self
    }

    /// Sets the proxy. Default: none.
    #[must_use]
    pub fn proxy(mut self, proxy: Option<Proxy>) -> Self {
        self.proxy = proxy;
        self
    }

    /// Sets the source of TLS configurations. Required for a server that uses TLS.
    #[must_use]
    pub fn tls(mut self, tls: Arc<dyn TlsProvider>) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Sets the source of TLS configurations for a proxy with an https URL. Default: it trusts the authorities of the operating
    /// system and shows no client certificate.
    #[must_use]
    pub fn proxy_tls(mut self, tls: Arc<dyn TlsProvider>) -> Self {
        self.proxy_tls = Some(tls);
        self
    }

    /// Sets the options of connections.
    #[must_use]
    pub fn options(mut self, options: HttpOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets whether responses may be compressed. Default: true.
    #[must_use]
    pub fn compression(mut self, compression: bool) -> Self {
        self.compression = compression;
        self
    }

    /// Builds the transport. It opens no connection yet.
    pub fn build(self) -> Result<Transport, TransportError> {
        let core = self.core()?;
        let (target, pool) = (core.pool.connector().target.clone(), Arc::clone(&core.pool));
        Ok(Transport::assemble(core, target, Some(pool)))
    }

    pub(super) fn core(self) -> Result<Core, TransportError> {
        let Self { target, dial, proxy, tls, proxy_tls, options, compression } = self;
        if target.tls && tls.is_none() {
            return Err(TransportError::Config(format!(
                "{target} uses TLS, and no TLS configuration was set"
            )));
        }
        let tls = tls.filter(|_| target.tls);
        let dial = dial.unwrap_or_else(|| Arc::new(TcpDialer::new(options.connect_timeout)));
        let proxy_tls = proxy_tls.unwrap_or_else(|| Arc::new(SourceTls::system()));
        let origin = Arc::new(Origin::of(&target));
        let pool = Arc::new(Pool::new(Connector { target, dial, proxy, tls, proxy_tls, options }));
        Ok(Core { pool, origin, compression })
    }
}

impl Transport {
    /// A transport that uses a service of the caller instead of connections: for tests, and for other ways to reach a server.
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

    /// Wraps the transport in a layer. The layer that was added last sees a request first.
    ///
    /// ```
    /// use client_rs_transport::http::{Body, BoxError, Target, Transport};
    /// use http::{HeaderValue, Request, Response};
    /// use tower::ServiceExt as _;
    /// use tower::util::MapRequestLayer;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let service = tower::service_fn(|request: Request<Body>| async move {
    /// #     Ok::<_, BoxError>(Response::new(Body::from(request.headers()["x-trace"].to_str()?.to_owned())))
    /// # });
    /// # let transport = Transport::from_service(Target::from_uri(&"https://k8s.example".parse()?)?, service);
    /// let traced = transport.layer(MapRequestLayer::new(|mut request: Request<Body>| {
    ///     request.headers_mut().insert("x-trace", HeaderValue::from_static("abc"));
    ///     request
    /// }));
    /// let response = traced.oneshot(Request::get("/").body(Body::empty())?).await?;
    /// assert_eq!(response.into_body().bytes().await?, "abc");
    /// # Ok(())
    /// # }
    /// ```
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

    /// Sends a request when the layers are ready for it. Each call has its own copy of the layers, as the callers of a service do.
    ///
    /// Layers that are ready get the request at once, not at the first poll. So await the future, or drop it: one that is only
    /// stored keeps its place in a layer that limits how many requests there are at once.
    pub fn send(
        &self,
        request: Request<Body>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>> {
        let mut service = self.service.clone();
        // Nearly every service is ready at once. Then only the call is a future, which is much smaller than one that also waits.
        match service.poll_ready(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(())) => service.call(request),
            Poll::Ready(Err(error)) => Box::pin(ready(Err(error))),
            Poll::Pending => Box::pin(async move {
                poll_fn(|cx| service.poll_ready(cx)).await?;
                service.call(request).await
            }),
        }
    }

    #[cfg(test)]
    pub(super) fn pool(&self) -> Option<&Arc<Pool>> {
        self.pool.as_ref()
    }

    /// The server.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// The number of open connections.
    pub fn connections(&self) -> usize {
        self.pool.as_ref().map_or(0, |pool| pool.len())
    }

    /// Closes every connection with all its requests, so that the server sees a new certificate at once.
    pub fn close_connections(&self) {
        if let Some(pool) = &self.pool {
            pool.close();
        }
    }

    /// Stops new requests on the open connections. Running requests continue.
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
        self.service.call(request)
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

/// Returns the byte stream of a connection after the server has agreed to switch protocols: its status was 101.
///
/// No other request uses the connection. Dropping the stream closes it.
pub async fn upgraded(response: Response<Body>, target: &Target) -> Result<Stream, TransportError> {
    let failed = |error| TransportError::Connection { target: target.to_string(), error };
    let upgraded = hyper::upgrade::on(response).await.map_err(|error| failed(error.into()))?;
    Ok(Box::new(TokioIo::new(upgraded)))
}

/// The maximum number of times that a request that has not reached the server is sent again.
const MAX_RESENDS: usize = 3;

/// The texts of a target that every request needs.
struct Origin {
    /// The host and port, for errors.
    target: Arc<str>,
    /// The port is left out if it is the scheme's own.
    authority: String,
    /// The URI without a path. `None` if the host can't be part of one.
    uri: Option<Uri>,
}

impl Origin {
    fn of(target: &Target) -> Self {
        let (scheme, own_port) = if target.tls { ("https", 443) } else { ("http", 80) };
        let mut authority = target.to_string();
        if target.port == own_port {
            authority.truncate(authority.len() - format!(":{own_port}").len());
        }
        let uri = Uri::try_from(format!("{scheme}://{authority}")).ok();
        Self { target: target.to_string().into(), authority, uri }
    }

    /// The URI of a path.
    fn absolute(&self, path: PathAndQuery) -> Option<Uri> {
        let mut parts = self.uri.clone()?.into_parts();
        parts.path_and_query = Some(path);
        Uri::from_parts(parts).ok()
    }
}

/// The innermost service.
#[derive(Clone)]
pub(super) struct Core {
    pub(super) pool: Arc<Pool>,
    origin: Arc<Origin>,
    compression: bool,
}

impl Service<Request<Body>> for Core {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, TransportError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // Requests wait for a stream in `call`, where dropping the future cancels the wait.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (core, (mut parts, mut body)) = (self.clone(), request.into_parts());
        Box::pin(async move { core.send(&mut parts, &mut body).await })
    }
}

impl Core {
    /// Sends a request. It takes the body, and leaves a copy of the head: futures that own their request hold it several times.
    pub(super) async fn send(
        &self,
        parts: &mut Parts,
        body: &mut Body,
    ) -> Result<Response<Body>, TransportError> {
        // Rare ways are boxed, so that other requests do not need their memory.
        if parts.headers.contains_key(UPGRADE) {
            return Box::pin(self.upgrade(parts, body)).await;
        }
        let asked = self.compression && gzip::ask(&parts.method, &mut parts.headers);
        let response = if body.is_long_stream() {
            Box::pin(self.alone(parts, body)).await?
        } else {
            self.exchange(parts, body).await?
        };
        Ok(if asked { gzip::open(response) } else { response })
    }

    async fn exchange(&self, parts: &mut Parts, body: &mut Body) -> Result<Response<Body>, TransportError> {
        let replay = body.replayable();
        for last in (0..=MAX_RESENDS).rev() {
            let (mut sender, mut lease) = self.pool.acquire().await?;
            let version = sender.version();
            let (error, unsent) = match sender.send(|| self.request(version, parts, body)).await {
                Ok(response) => {
                    lease.keep(sender);
                    let limit = self.pool.connector().options.max_collected;
                    let target = Arc::clone(&self.origin.target);
                    return Ok(response.map(|body| Body::incoming(body, target, Some(lease), limit)));
                }
                Err(SendError { error, unsent }) => {
                    let target = self.origin.target.to_string();
                    (TransportError::Connection { target, error }, unsent)
                }
            };
            // The connection stays usable if only this request failed; the pool finds out.
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
            *body = match (unsent, &replay) {
                (Some(unsent), _) => unsent,
                (None, Some(bytes)) if error.is_unprocessed() => Body::from(Bytes::clone(bytes)),
                (None, _) => return Err(error),
            };
            tracing::debug!(%error, "the request has not reached the server: sending it again");
        }
        Err(ConnectError::GivenUp { target: self.origin.target.to_string() }.into())
    }

    /// Sends the request on a separate connection of any protocol, so that no other request waits if the server does not read it.
    async fn alone(&self, parts: &mut Parts, body: &mut Body) -> Result<Response<Body>, TransportError> {
        let mut sender = self.pool.alone().await?;
        let version = sender.version();
        let (target, limit) = (&self.origin.target, self.pool.connector().options.max_collected);
        match sender.send(|| self.request(version, parts, body)).await {
            Ok(response) => Ok(response.map(|body| Body::incoming(body, Arc::clone(target), None, limit))),
            Err(SendError { error, .. }) => {
                Err(TransportError::Connection { target: target.to_string(), error })
            }
        }
    }

    async fn upgrade(&self, parts: &mut Parts, body: &mut Body) -> Result<Response<Body>, TransportError> {
        let mut sender = Sender::Http1(self.pool.dedicated().await?);
        let version = sender.version();
        match sender.send(|| self.request(version, parts, body)).await {
            Ok(response) => Ok(response.map(Body::new)),
            Err(SendError { error, .. }) => {
                Err(TransportError::Connection { target: self.origin.target.to_string(), error })
            }
        }
    }

    /// The request for a connection of a version, with its URI in the form that the connection requires.
    fn request(&self, version: Version, parts: &mut Parts, body: &mut Body) -> Request<Body> {
        // The copy is kept, and not sent: the original has space for more headers.
        let again = parts.clone();
        let mut request =
            Request::from_parts(std::mem::replace(parts, again), std::mem::replace(body, Body::empty()));
        let root = PathAndQuery::from_static("/");
        // A path without text reads as `/`, and would be written as nothing.
        let path =
            request.uri().path_and_query().filter(|path| path.as_str() != "/").cloned().unwrap_or(root);
        let uri = if version == Version::HTTP_2 {
            self.origin.absolute(path)
        } else {
            if let Ok(host) = HeaderValue::from_str(&self.origin.authority) {
                request.headers_mut().entry(HOST).or_insert(host);
            }
            match self.pool.connector().absolute_form() {
                None => Some(Uri::from(path)),
                Some(proxy) => {
                    let authorization =
                        proxy.authorization().and_then(|text| HeaderValue::try_from(text).ok());
                    if let Some(mut authorization) = authorization {
                        authorization.set_sensitive(true);
                        request.headers_mut().insert(PROXY_AUTHORIZATION, authorization);
                    }
                    self.origin.absolute(path)
                }
            }
        };
        *request.version_mut() = version;
        if let Some(uri) = uri {
            *request.uri_mut() = uri;
        }
        request
    }
}

#[cfg(test)]
mod tests;
