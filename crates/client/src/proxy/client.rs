//! The client.

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

/// An HTTP client of what listens at a pod, a service or a node, by way of the API server. Cheap to clone; a tower service.
///
/// - URLs are the backend's: path and query go as they are, and what stands before them (`http://web`) is not looked at. A
///   segment `.` or `..` is refused, however it is written: it would lead out of the backend.
/// - Bodies are streams both ways, and nothing is held in memory. Whatever the backend answers is an answer, an error
///   status too. What the API server says in its place ([`Error::Api`]: no such pod, no endpoints, not allowed, nobody
///   listens) is known by its form, a `Status` in JSON whose code is the answer's; a backend that answers in this very form
///   (a kubelet's API, another API server) is taken for it, unless [`every_answer`](Self::every_answer) is set.
/// - Nothing is sent twice and no redirection is followed. A `Location` that the API server has led through its own path is
///   the backend's again. Links in HTML are left as the API server has rewritten them.
/// - Headers that say who asks (`Authorization`, `Proxy-Authorization`, `Impersonate-*`, `X-Remote-*`) are read by the API
///   server, which acts in the name of this program: a request that has one is refused, so that the requests of others can
///   be passed on. So is one with cookies, unless [`cookies`](Self::cookies) is set. The methods are `GET`,
///   `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`, no others.
///
/// ```
/// # use client_rs_api::core::v1::Service;
/// # use client_rs_client::{Api, Error};
/// # async fn example(services: Api<Service>) -> Result<(), Error> {
/// let web = services.http("web:http");
/// let answer = web.get("/search").query("q", "a b").await?;
/// println!("{} {:?}", answer.status(), answer.into_body().bytes().await);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HttpProxy {
    rest: RestClient,
    /// All but verb and tail.
    place: Request,
    timeout: Option<Duration>,
    every_answer: bool,
    cookies: bool,
}

/// Headers of a connection, not of a request: ours are the transport's.
const HOP_BY_HOP: [HeaderName; 5] = [CONNECTION, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];

/// What came of an attempt to speak something else than HTTP.
#[derive(Debug)]
pub enum ProxyUpgrade {
    /// The backend has agreed: its answer, and the connection, which is the caller's alone.
    Switched(http::response::Parts, Upgraded),
    /// It has not, and says so.
    Refused(Response<Body>),
}

/// A connection on which something else than HTTP is spoken. Closed when it is dropped.
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

    /// How long a request may take until the end of its answer's body. Default: what the client says, or no limit.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Gives every answer as an answer, the API server's too. Default: no.
    #[must_use]
    pub fn every_answer(mut self) -> Self {
        self.every_answer = true;
        self
    }

    /// Passes on the cookies of requests. Default: a request that has a `Cookie` header is refused, for a browser sends those
    /// of the program's own site, and whoever runs the backend would have them.
    #[must_use]
    pub fn cookies(mut self) -> Self {
        self.cookies = true;
        self
    }

    /// A request to a path, which is escaped where it must be: `/a b` is sent as `/a%20b`, and `%` is a percent sign.
    pub fn request(&self, method: Method, path: &str) -> HttpProxyRequest {
        HttpProxyRequest::new(self.clone(), method, path)
    }

    /// A `GET` of a path: see [`request`](Self::request).
    pub fn get(&self, path: &str) -> HttpProxyRequest {
        self.request(Method::GET, path)
    }

    /// A `POST` to a path: see [`request`](Self::request).
    pub fn post(&self, path: &str, body: impl Into<Body>) -> HttpProxyRequest {
        self.request(Method::POST, path).body(body)
    }

    /// Sends a request, and gives the answer when its head is there. Its URL is taken as it is.
    pub async fn send<B: Into<Body>>(&self, request: http::Request<B>) -> Result<Response<Body>, Error> {
        let mut request = request.map(Into::into);
        for name in &HOP_BY_HOP {
            request.headers_mut().remove(name);
        }
        self.pass(request).await
    }

    /// Asks for another protocol: the request's `Upgrade` header names it, and the headers of its own handshake (a
    /// WebSocket's key) are the caller's, as is checking the answer's.
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
        // The connection is among them.
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
        // A limit of the request itself would go to the server, and so to the backend, in the query.
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

    /// The request to the API server.
    fn place(&self, method: &Method, uri: &http::Uri) -> Result<Request, RequestError> {
        let verb = Verb::of_method(method).ok_or_else(|| RequestError::Method(method.clone()))?;
        let tail = uri.path_and_query().map_or("/", |path| path.as_str());
        for segment in uri.path().split('/') {
            let decoded = percent_decode_str(segment).decode_utf8_lossy();
            if decoded.split(['/', '\\']).any(|part| part == "." || part == "..") {
                let (part, value) = (PathPart::Subresource, segment.chars().take(256).collect());
                let why = "it would lead out of the backend".to_owned();
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

/// Whether a header says to the API server, or to one before it, who asks: that is this program, whatever its callers say.
fn is_reserved(name: &HeaderName) -> bool {
    *name == AUTHORIZATION
        || *name == PROXY_AUTHORIZATION
        || ["impersonate-", "x-remote-"].iter().any(|prefix| name.as_str().starts_with(prefix))
}

/// The caller's headers, and what must be said where it says nothing.
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
