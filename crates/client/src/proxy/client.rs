//! The client of the API server's proxy.

use std::fmt;
use std::task::{Context, Poll};
use std::time::Duration;

use client_rs_transport::http::{Body, Stream, upgraded};
use http::header::{
    ACCEPT, AUTHORIZATION, CONNECTION, COOKIE, HOST, PROXY_AUTHORIZATION, TE, TRAILER, TRANSFER_ENCODING,
    UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use percent_encoding::percent_decode_str;

use super::answer;
use super::request::HttpProxyRequest;
use crate::api::Reply;
use crate::rest::{Answer, is_success};
use crate::{BodySource, Error, PathPart, Request, RequestError, RestClient, Verb};

/// An HTTP client for a pod, a service or a node, through the API server. Cheap to clone. Also a tower service.
///
/// - URLs are those of the backend. Path and query are sent unchanged, and scheme and host (`http://web`) are ignored. A segment `.`
///   or `..` is refused, in any encoding, because it would leave the backend.
/// - Bodies are streams in both directions, and nothing is buffered.
/// - Every response of the backend is returned as a response, also one with an error status. An error of the API server itself (pod
///   not found, no endpoints, forbidden, connection refused) is [`Error::Api`]. The client recognizes it by its form: a `Status` in
///   JSON with the code of the response. A backend that answers in the same form, such as another API server, is mistaken for it,
///   unless [`every_answer`](Self::every_answer) is set.
/// - Requests are not retried, and redirects are not followed. A `Location` that the API server has rewritten to its own path is
///   converted back. Links in HTML stay as the API server has rewritten them.
/// - Headers with an identity (`Authorization`, `Proxy-Authorization`, `Impersonate-*`, `X-Remote-*`) would reach the API server, which
///   acts for this program. A request that has one is refused, so that it is safe to forward requests of others. A request with
///   cookies is refused too, unless [`cookies`](Self::cookies) is set.
/// - The methods are `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Service;
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::Api;
///
/// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/web:http/proxy/search?q=a+b", r#"["x"]"#);
/// # let services = Api::<Service>::namespaced(&server.client(), "shop");
/// let web = services.http("web:http");
/// let response = web.get("/search").query("q", "a b").await?;
/// assert_eq!(response.status(), 200);
/// assert_eq!(response.into_body().bytes().await?, r#"["x"]"#);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpProxy {
    rest: RestClient,
    /// The request, without verb and tail.
    place: Request,
    timeout: Option<Duration>,
    every_answer: bool,
    cookies: bool,
}

/// Headers of a connection, not of a request. The transport sets its own.
const HOP_BY_HOP: [HeaderName; 5] = [CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// The result of a protocol upgrade.
#[derive(Debug)]
pub enum ProxyUpgrade {
    /// The backend has switched protocols: its response, and the connection, which the caller owns.
    Switched(http::response::Parts, Upgraded),
    /// The backend has refused: its response.
    Refused(Response<Body>),
}

/// A connection after a protocol upgrade. Dropping it closes the connection.
pub struct Upgraded(pub Stream);

impl fmt::Debug for Upgraded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Upgraded")
    }
}

impl HttpProxy {
    pub(crate) fn new(rest: RestClient, place: Request) -> Self {
        Self { rest, place, timeout: None, every_answer: false, cookies: false }
    }

    /// Limits how long a request may take, until the end of the response body. Default: the timeout of the client.
    ///
    /// The limit is not sent to the backend.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/web:http/proxy/slow", "{}");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// let patient = web.timeout(std::time::Duration::from_secs(30));
    /// patient.get("/slow").await?;
    /// assert_eq!(server.calls(), ["GET /api/v1/namespaces/shop/services/web:http/proxy/slow"]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Returns every response as a response, also an error of the API server. Default: no.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().fail("GET /api/v1/namespaces/shop/services/web:http/proxy/", 503, "ServiceUnavailable");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// assert!(web.get("/").await.unwrap_err().is_service_unavailable());
    /// assert_eq!(web.every_answer().get("/").await?.status(), 503);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn every_answer(mut self) -> Self {
        self.every_answer = true;
        self
    }

    /// Forwards cookies. Default: a request with a `Cookie` header is refused, because a browser would send the cookies of the program's
    /// own site to the operator of the backend.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/web:http/proxy/", "{}");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// let request = || http::Request::get("/").header("cookie", "cart=7").body("");
    /// assert!(web.send(request()?).await.is_err());
    /// web.cookies().send(request()?).await?;
    /// assert_eq!(server.received()[0].headers()["cookie"], "cart=7");
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cookies(mut self) -> Self {
        self.cookies = true;
        self
    }

    /// Returns a request to a path. The path is escaped where needed: `/a b` is sent as `/a%20b`, and `%` is a percent sign.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// use http::Method;
    ///
    /// # let server = Canned::new().on("DELETE /api/v1/namespaces/shop/services/web:http/proxy/files/a%20b", "{}");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// web.request(Method::DELETE, "/files/a b").await?;
    /// assert!(server.calls()[0].ends_with("/files/a%20b"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn request(&self, method: Method, path: &str) -> HttpProxyRequest {
        HttpProxyRequest::new(self.clone(), method, path)
    }

    /// Returns a `GET` request to a path: see [`request`](Self::request).
    pub fn get(&self, path: &str) -> HttpProxyRequest {
        self.request(Method::GET, path)
    }

    /// Returns a `POST` request to a path: see [`request`](Self::request).
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().echo("POST /api/v1/namespaces/shop/services/web:http/proxy/orders");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// let response = web.post("/orders", "tea").await?;
    /// assert_eq!(response.into_body().bytes().await?, "tea");
    /// # Ok(())
    /// # }
    /// ```
    pub fn post(&self, path: &str, body: impl Into<Body>) -> HttpProxyRequest {
        self.request(Method::POST, path).body(body)
    }

    /// Sends a request, and returns the response once its headers have arrived. The path of the URL is sent unchanged.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # let server = Canned::new().on("PUT /api/v1/namespaces/shop/services/web:http/proxy/raw%2Fname", "{}");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// let request = http::Request::put("http://web/raw%2Fname").body("content")?;
    /// assert_eq!(web.send(request).await?.status(), 200);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Request`] for a header or a path that is refused, [`Error::Api`] for an error of the API server.
    pub async fn send<B: Into<Body>>(&self, request: http::Request<B>) -> Result<Response<Body>, Error> {
        let mut request = request.map(Into::into);
        for name in &HOP_BY_HOP {
            request.headers_mut().remove(name);
        }
        self.pass(request).await
    }

    /// Requests a protocol upgrade. The `Upgrade` header of the request names the protocol. The caller sets the other headers of the
    /// handshake, such as the key of a WebSocket, and checks those of the response.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_api::core::v1::Service;
    /// # use client_rs_client::{Api, testing::Canned};
    /// use client_rs_client::proxy::ProxyUpgrade;
    ///
    /// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/web:http/proxy/chat", "{}");
    /// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
    /// let request = http::Request::get("/chat").header("upgrade", "websocket").body(())?;
    /// match web.upgrade(request).await? {
    ///     ProxyUpgrade::Switched(_, connection) => println!("{connection:?}"),
    ///     ProxyUpgrade::Refused(response) => assert_eq!(response.status(), 200),
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub async fn upgrade(&self, mut request: http::Request<()>) -> Result<ProxyUpgrade, Error> {
        if !request.headers().contains_key(UPGRADE) {
            return Err(RequestError::NoUpgrade.into());
        }
        request.headers_mut().insert(CONNECTION, HeaderValue::from_static("Upgrade"));
        let call = self.call(request.method(), request.uri())?;
        let response = self.pass(request.map(|()| Body::empty())).await?;
        if response.status() != StatusCode::SWITCHING_PROTOCOLS {
            return Ok(ProxyUpgrade::Refused(response));
        }
        let (mut parts, body) = response.into_parts();
        let mut head = Response::new(());
        (*head.status_mut(), *head.headers_mut()) = (parts.status, parts.headers.clone());
        // The extensions hold the connection.
        *head.extensions_mut() = std::mem::take(&mut parts.extensions);
        match upgraded(head.map(|()| body), self.rest.transport().target()).await {
            Ok(io) => Ok(ProxyUpgrade::Switched(parts, Upgraded(io))),
            Err(error) => Err(Error::Transport { call, error, previous: None }),
        }
    }

    async fn pass(&self, request: http::Request<Body>) -> Result<Response<Body>, Error> {
        let (parts, body) = request.into_parts();
        let place = self.place(&parts.method, &parts.uri)?;
        if let Some(name) = parts.headers.keys().find(|name| is_reserved(name)) {
            return Err(RequestError::ReservedHeader(name.clone()).into());
        }
        if parts.headers.contains_key(COOKIE) && !self.cookies {
            return Err(RequestError::Cookie.into());
        }
        let prefix = self.place.path_and_query(self.rest.base_path())?;
        let place = place.body(BodySource::stream(body)).map_headers(|headers| *headers = own(parts.headers));
        // The timeout of a request is a query parameter, which would reach the backend.
        let Answer { response, call, .. } = self.rest.send_through(&place, self.timeout).await?;
        let mut response = if self.every_answer || is_success(response.status()) {
            response
        } else {
            match answer::sort_out(response).await {
                Ok(Ok(response)) => response,
                Ok(Err(error)) => return Err(Error::Api { call, error: error.into() }),
                Err(error) => return Err(Error::Transport { call, error, previous: None }),
            }
        };
        answer::unprefix(response.headers_mut(), &prefix);
        Ok(response)
    }

    /// Builds the request to the API server.
    fn place(&self, method: &Method, uri: &http::Uri) -> Result<Request, RequestError> {
        let verb = Verb::of_method(method).ok_or_else(|| RequestError::Method(method.clone()))?;
        let tail = uri.path_and_query().map_or("/", |path| path.as_str());
        for segment in uri.path().split('/') {
            let decoded = percent_decode_str(segment).decode_utf8_lossy();
            if decoded.split(['/', '\\']).any(|part| part == "." || part == "..") {
                let (part, value) = (PathPart::Subresource, segment.chars().take(256).collect());
                let why = "it would leave the backend".to_owned();
                return Err(RequestError::Segment { part, value, why });
            }
        }
        let tail = if tail.starts_with('/') { tail.to_owned() } else { format!("/{tail}") };
        Ok(self.place.clone().with_verb(verb).max_retries(0).tail(tail))
    }

    fn call(&self, method: &Method, uri: &http::Uri) -> Result<crate::Call, RequestError> {
        let place = self.place(method, uri)?;
        Ok(crate::Call::new(place.verb().as_str(), self.rest.url(&place)?))
    }
}

/// Whether a header identifies the caller to the API server or to a proxy in front of it. Only this program may do that.
fn is_reserved(name: &HeaderName) -> bool {
    *name == AUTHORIZATION
        || *name == PROXY_AUTHORIZATION
        || ["impersonate-", "x-remote-"].iter().any(|prefix| name.as_str().starts_with(prefix))
}

/// The headers of the caller, with defaults for those that are missing.
fn own(mut headers: HeaderMap) -> HeaderMap {
    headers.remove(HOST);
    headers.entry(ACCEPT).or_insert(HeaderValue::from_static("*/*"));
    headers
}

impl tower::Service<http::Request<Body>> for HttpProxy {
    type Response = Response<Body>;
    type Error = Error;
    type Future = Reply<Response<Body>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let client = self.clone();
        Box::pin(async move { client.send(request).await })
    }
}

impl fmt::Debug for HttpProxy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpProxy").field("place", &self.place.object_name()).finish_non_exhaustive()
    }
}
