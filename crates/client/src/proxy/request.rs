//! A request to a backend, built part by part.

use std::fmt;
use std::future::IntoFuture;

use client_rs_transport::http::Body;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::client::HttpProxy;
use crate::api::Reply;
use crate::{Error, RequestError};

/// The characters to escape in a path: all except unreserved ones, slashes, and those without a meaning there.
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

/// A request to a backend. `.await` sends it, and nothing is sent before that.
///
/// Dropping the future cancels the request; the backend may have acted on it.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::Service;
/// # use client_rs_client::{Api, testing::Canned};
/// use http::header::ACCEPT_LANGUAGE;
///
/// # let server = Canned::new().on("GET /api/v1/namespaces/shop/services/web:http/proxy/menu", "{}");
/// # let web = Api::<Service>::namespaced(&server.client(), "shop").http("web:http");
/// web.get("/menu").query("size", "large").header(ACCEPT_LANGUAGE, "de").await?;
/// assert!(server.calls()[0].ends_with("/menu?size=large"));
/// assert_eq!(server.received()[0].headers()["accept-language"], "de");
/// # Ok(())
/// # }
/// ```
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

    /// Adds a query parameter, encoded like a form field.
    pub fn query(mut self, name: &str, value: &str) -> Self {
        self.query.append_pair(name, value);
        self
    }

    /// Adds a header. An invalid value is an error when the request is sent.
    pub fn header<V: TryInto<HeaderValue>>(mut self, name: HeaderName, value: V) -> Self {
        match value.try_into() {
            Ok(value) => {
                self.headers.append(name, value);
            }
            Err(_) => self.error = self.error.or(Some(RequestError::Header(name))),
        }
        self
    }

    /// Sets the body: bytes, or a stream.
    pub fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    /// Sends the request. `.await` does the same; `send` returns a future with a name, which can be stored or spawned.
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
