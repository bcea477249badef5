//! A server that is a function, for tests.

use std::fmt;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{HeaderMap, Method, Response, Uri};

use crate::{RestClient, RestClientOptions};

/// A request that the server has received.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Heard {
    /// Path and query.
    pub(crate) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("", |path| path.as_str())
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub(crate) type Reply = Result<Response<Body>, TransportError>;

/// Responds with a function, and records the requests.
#[derive(Clone)]
pub(crate) struct FakeApi {
    answer: Arc<dyn Fn(&Heard) -> Reply + Send + Sync>,
    heard: Arc<Mutex<Vec<Heard>>>,
}

impl fmt::Debug for FakeApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FakeApi")
    }
}

impl FakeApi {
    pub(crate) fn new(answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Self {
        Self { answer: Arc::new(answer), heard: Arc::default() }
    }

    /// A client at `https://k8s.example` without limits.
    pub(crate) fn client(&self) -> RestClient {
        self.client_at("https://k8s.example")
    }

    pub(crate) fn client_at(&self, url: &str) -> RestClient {
        let server = self.clone();
        let service = tower::service_fn(move |request: http::Request<Body>| {
            let server = server.clone();
            async move {
                let (parts, body) = request.into_parts();
                let http::request::Parts { method, uri, headers, .. } = parts;
                let heard = Heard { method, uri, headers, body: body.bytes().await? };
                server.heard.lock().unwrap().push(heard.clone());
                (server.answer)(&heard)
            }
        });
        let url: Uri = url.parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        let options = RestClientOptions { limiter: None, url_backoff: None, ..RestClientOptions::default() };
        RestClient::with_options(&url, transport, options).unwrap()
    }

    pub(crate) fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }

    /// The method and path of each request so far, in order; and clears the record.
    pub(crate) fn take_calls(&self) -> Vec<String> {
        let heard = std::mem::take(&mut *self.heard.lock().unwrap());
        heard.iter().map(|heard| format!("{} {}", heard.method, heard.path())).collect()
    }
}

#[allow(clippy::unnecessary_wraps)] // Others are errors.
pub(crate) fn reply(status: u16, content_type: &str, body: impl Into<Body>) -> Reply {
    Ok(Response::builder().status(status).header("content-type", content_type).body(body.into()).unwrap())
}

pub(crate) fn json(body: impl Into<String>) -> Reply {
    reply(200, "application/json", Body::from(body.into()))
}

/// A `Status` with a failure.
pub(crate) fn refuse(code: u16, reason: &str) -> Reply {
    let status = format!(
        r#"{{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"{reason}","message":"no","code":{code}}}"#
    );
    reply(code, "application/json", Body::from(status))
}
