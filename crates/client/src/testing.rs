//! Canned responses, for unit tests and for the examples of this documentation.
//!
//! [`Canned`] maps requests to fixed responses. It keeps no objects and checks nothing, so a test sees exactly the bytes that
//! it configured: the right tool for one request, an error path, or a malformed response. For a test that creates an object
//! and expects to find it in a list, use the API server of the crate `client-rs-apiserver` instead.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Request, Response, StatusCode, Uri};

use crate::{RestClient, RestClientOptions};

/// The URL of the server, which nothing listens at.
const URL: &str = "https://k8s.example";

/// A server with fixed responses, in memory: no sockets, no TLS, no state.
///
/// A route is a method and a path, such as `GET /api/v1/namespaces/default/pods`. It may end with query parameters: then it
/// matches only requests that have all of them, and wins over a route with fewer. So `GET /api/v1/pods?watch=true` can
/// answer the watch and `GET /api/v1/pods` the list. A request that matches no route gets 404 with a `Status` that names
/// the request.
///
/// Several responses on the same route are returned in order; the last one repeats. That is how a test lets the first try fail.
///
/// Clones share the routes and the recorded requests.
///
/// ```
/// use client_rs_api::core::v1::Pod;
/// use client_rs_client::Api;
/// use client_rs_client::testing::Canned;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_client::Error> {
/// let server = Canned::new()
///     .on("GET /api/v1/namespaces/default/pods/web", r#"{"metadata": {"name": "web"}}"#)
///     .fail("DELETE /api/v1/namespaces/default/pods/web", 403, "Forbidden");
/// let pods = Api::<Pod>::namespaced(&server.client(), "default");
///
/// assert_eq!(pods.get("web").await?.metadata.name, "web");
/// assert!(pods.delete("web").await.unwrap_err().is_forbidden());
/// assert!(pods.get("db").await.unwrap_err().is_not_found());
/// assert_eq!(server.calls().len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Canned(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    routes: Vec<Route>,
    received: Vec<Request<Bytes>>,
}

struct Route {
    method: String,
    path: String,
    params: Vec<String>,
    /// The next response is the last one, so that it can be popped.
    responses: Vec<Answer>,
}

#[derive(Clone)]
enum Answer {
    Fixed(Response<Bytes>),
    Echo,
}

impl Canned {
    /// A server without routes: it answers every request with 404.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers with 200 and this JSON.
    ///
    /// ```
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let server = Canned::new().on("GET /version", serde_json::json!({"major": "1"}));
    /// let response = server.client().send_raw(Request::get().abs_path(["version"])).await?;
    /// assert_eq!(response.body, r#"{"major":"1"}"#);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn on(self, route: &str, json: impl fmt::Display) -> Self {
        self.respond(route, in_json(StatusCode::OK, json.to_string()))
    }

    /// Answers with an error: this HTTP status, and a `Status` object with this reason.
    ///
    /// ```
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let server = Canned::new().fail("PUT /api/v1/namespaces/a/configmaps/b", 409, "Conflict");
    /// let request = Request::put().api("", "v1").namespace("a").resource("configmaps").name("b");
    /// let error = server.client().send_raw(request).await.unwrap_err();
    /// assert!(error.is_conflict());
    /// # }
    /// ```
    #[must_use]
    pub fn fail(self, route: &str, status: u16, reason: &str) -> Self {
        let message = format!("canned response to {route}");
        self.respond(route, failure(status, reason, &message))
    }

    /// Answers with 200 and the body of the request: a server that accepts a write as it is.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let server = Canned::new().echo("POST /api/v1/namespaces/a/configmaps");
    /// let mut config = ConfigMap::default();
    /// config.metadata.name = "settings".into();
    /// let created = Api::namespaced(&server.client(), "a").create(config.clone()).await?;
    /// assert_eq!(created, config);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn echo(self, route: &str) -> Self {
        self.add(route, Answer::Echo)
    }

    /// Answers with any response: for another media type, for headers, for a malformed body.
    ///
    /// ```
    /// # use client_rs_client::{Request, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let healthy = http::Response::builder().header("content-type", "text/plain").body("ok").unwrap();
    /// let server = Canned::new().respond("GET /healthz", healthy);
    /// let response = server.client().send_raw(Request::get().abs_path(["healthz"])).await?;
    /// assert_eq!((response.content_type(), &response.body[..]), ("text/plain", &b"ok"[..]));
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn respond(self, route: &str, response: Response<impl Into<Bytes>>) -> Self {
        self.add(route, Answer::Fixed(response.map(Into::into)))
    }

    /// A client of this server, without rate limits. It sends objects as JSON, so that a test can read them.
    pub fn client(&self) -> RestClient {
        let options = RestClientOptions {
            limiter: None,
            url_backoff: None,
            content_type: Some("application/json".to_owned()),
            ..RestClientOptions::default()
        };
        self.client_with(options)
    }

    /// A client of this server with other options.
    ///
    /// ```
    /// # use client_rs_client::{Request, RestClientOptions, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let server = Canned::new().on("GET /livez", "{}");
    /// let rest = server.client_with(RestClientOptions::default().with_user_agent("inventory/2.1"));
    /// rest.send_raw(Request::get().abs_path(["livez"])).await?;
    /// assert_eq!(server.received()[0].headers()["user-agent"], "inventory/2.1");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// If the user agent of the options is not a valid header value.
    pub fn client_with(&self, options: RestClientOptions) -> RestClient {
        let url = Uri::from_static(URL);
        RestClient::with_options(&url, self.transport(), options).expect("a valid user agent")
    }

    /// The transport to this server, for a client that is built from one.
    pub fn transport(&self) -> Transport {
        let server = self.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let request = Request::from_parts(parts, body.bytes().await?);
                Ok::<_, TransportError>(server.answer(request).map(Body::from))
            }
        });
        let target = Target::from_uri(&Uri::from_static(URL)).expect("a constant URL with a host");
        Transport::from_service(target, service)
    }

    /// The method, path and query of every request so far, in order.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Node;
    /// # use client_rs_client::{Api, testing::Canned};
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), client_rs_client::Error> {
    /// let server = Canned::new().on("GET /api/v1/nodes", r#"{"items": []}"#);
    /// Api::<Node>::cluster(&server.client()).list().limit(5).await?;
    /// assert_eq!(server.calls(), ["GET /api/v1/nodes?limit=5"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn calls(&self) -> Vec<String> {
        let call = |request: &Request<Bytes>| format!("{} {}", request.method(), target(request.uri()));
        self.received().iter().map(call).collect()
    }

    /// Every request so far, in order, with its headers and its body.
    pub fn received(&self) -> Vec<Request<Bytes>> {
        self.state().received.clone()
    }

    fn add(self, route: &str, answer: Answer) -> Self {
        let (method, uri) = route.split_once(' ').unwrap_or(("", route));
        let (path, query) = uri.split_once('?').unwrap_or((uri, ""));
        let params: Vec<String> = parameters(query).map(str::to_owned).collect();
        let mut state = self.state();
        let same = state.routes.iter_mut().find(|route| {
            (route.method.as_str(), route.path.as_str(), &route.params) == (method, path, &params)
        });
        match same {
            Some(route) => route.responses.insert(0, answer),
            None => state.routes.push(Route {
                method: method.to_owned(),
                path: path.to_owned(),
                params,
                responses: vec![answer],
            }),
        }
        drop(state);
        self
    }

    fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let mut state = self.state();
        state.received.push(request.clone());
        let matching = state.routes.iter_mut().filter(|route| route.matches(&request));
        match matching.max_by_key(|route| route.params.len()).and_then(Route::next) {
            Some(Answer::Fixed(response)) => response,
            Some(Answer::Echo) => {
                let mut response = Response::new(request.body().clone());
                if let Some(media_type) = request.headers().get(CONTENT_TYPE) {
                    response.headers_mut().insert(CONTENT_TYPE, media_type.clone());
                }
                response
            }
            None => {
                let call = format!("{} {}", request.method(), target(request.uri()));
                failure(404, "NotFound", &format!("no canned response for {call}"))
            }
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Route {
    fn matches(&self, request: &Request<Bytes>) -> bool {
        let has = |wanted: &String| {
            parameters(request.uri().query().unwrap_or_default()).any(|param| param == wanted)
        };
        self.method == request.method().as_str()
            && self.path == request.uri().path()
            && self.params.iter().all(has)
    }

    /// The next response; the last one stays.
    fn next(&mut self) -> Option<Answer> {
        if self.responses.len() > 1 { self.responses.pop() } else { self.responses.first().cloned() }
    }
}

impl fmt::Debug for Canned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("Canned")
            .field("routes", &state.routes.len())
            .field("received", &state.received.len())
            .finish()
    }
}

fn parameters(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|param| !param.is_empty())
}

fn target(uri: &Uri) -> &str {
    uri.path_and_query().map_or("/", http::uri::PathAndQuery::as_str)
}

fn failure(status: u16, reason: &str, message: &str) -> Response<Bytes> {
    let body = serde_json::json!({
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "reason": reason,
        "message": message,
        "code": status,
    });
    in_json(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), body.to_string())
}

fn in_json(status: StatusCode, body: String) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Request;

    fn at(path: &str) -> Request {
        Request::get().request_uri(path)
    }

    #[tokio::test]
    async fn the_route_with_the_most_matching_parameters_answers() {
        let server = Canned::new().on("GET /a?x=1", "1").on("GET /a", "0").on("GET /a?x=1&y=2", "2");
        let rest = server.client();
        for (path, body) in [("/a", "0"), ("/a?y=2&x=1", "2"), ("/a?x=1", "1"), ("/a?x=3", "0")] {
            assert_eq!(rest.send_raw(at(path)).await.unwrap().body, body, "{path}");
        }
    }

    #[tokio::test]
    async fn responses_of_one_route_come_in_order_and_the_last_repeats() {
        let server = Canned::new().on("GET /a", "1").fail("GET /a", 409, "Conflict").on("GET /a", "2");
        let rest = server.client();
        assert_eq!(rest.send_raw(at("/a")).await.unwrap().body, "1");
        assert!(rest.send_raw(at("/a")).await.unwrap_err().is_conflict());
        for _ in 0..2 {
            assert_eq!(rest.send_raw(at("/a")).await.unwrap().body, "2");
        }
    }

    #[tokio::test]
    async fn an_unknown_route_is_not_found_and_is_named() {
        let server = Canned::new().on("a route without a method", "1");
        let error = server.client().send_raw(at("/b?c=d")).await.unwrap_err();
        assert!(error.is_not_found());
        assert!(error.to_string().contains("no canned response for GET /b?c=d"), "{error}");
    }
}
