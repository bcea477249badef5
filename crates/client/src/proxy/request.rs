//! A request, put together part by part.

use std::fmt;
use std::future::IntoFuture;

use client_rs_transport::http::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::client::HttpProxy;
use crate::api::Reply;
use crate::{Error, RequestError};

/// What stands as it is in a path: unreserved characters, slashes, and those that mean nothing there.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~')
    .remove(b':')
    .remove(b'@')
    .remove(b'!')
    .remove(b'$')
    .remove(b'&')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*')
    .remove(b'+')
    .remove(b',')
    .remove(b';')
    .remove(b'=');

/// A request to a backend, before it is sent: `.await` sends it.
#[must_use = "nothing is sent until it is awaited"]
pub struct HttpProxyRequest {
    client: HttpProxy,
    method: Method,
    path: String,
    query: form_urlencoded::Serializer<'static, String>,
    headers: HeaderMap,
    body: Body,
    error: Option<RequestError>,
}

impl HttpProxyRequest {
    pub(super) fn new(client: HttpProxy, method: Method, path: &str) -> Self {
        let path = path.strip_prefix('/').unwrap_or(path);
        let path = format!("/{}", utf8_percent_encode(path, ESCAPED));
        let query = form_urlencoded::Serializer::new(String::new());
        let (headers, body) = (HeaderMap::new(), Body::empty());
        Self { client, method, path, query, headers, body, error: None }
    }

    /// Adds a parameter of the query, escaped as a form's.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.query.append_pair(name, value);
        self
    }

    /// Adds a header. One that can't be is an error of sending.
    pub fn header<V: TryInto<HeaderValue>>(mut self, name: HeaderName, value: V) -> Self {
        match value.try_into() {
            Ok(value) => {
                self.headers.append(name, value);
            }
            Err(_) => self.error = self.error.or(Some(RequestError::Header(name))),
        }
        self
    }

    /// The body: bytes, or a stream.
    pub fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends it: what `.await` does, as a future to pass on.
    pub fn send(mut self) -> Reply<Response<Body>> {
        let query = self.query.finish();
        let uri = if query.is_empty() { self.path } else { format!("{}?{query}", self.path) };
        Box::pin(async move {
            if let Some(error) = self.error {
                return Err(error.into());
            }
            let mut request = http::Request::new(self.body);
            *request.method_mut() = self.method;
            *request.uri_mut() = uri.parse().map_err(|_| RequestError::uri(&uri))?;
            *request.headers_mut() = self.headers;
            self.client.send(request).await
        })
    }
}

impl IntoFuture for HttpProxyRequest {
    type Output = Result<Response<Body>, Error>;
    type IntoFuture = Reply<Response<Body>>;

    fn into_future(self) -> Self::IntoFuture {
        self.send()
    }
}

impl fmt::Debug for HttpProxyRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpProxyRequest")
            .field("client", &self.client)
            .field("method", &self.method)
            .field("path", &self.path)
            .finish_non_exhaustive()
    }
}
