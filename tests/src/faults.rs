//! Requests that fail on command, whichever server they go to.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use anyhow::Result;
use bytes::Bytes;
use client_rs_apiserver::{Effect, Fault, RequestRecord, TestControls};
use client_rs_client::{RestClient, RestClientOptions};
use client_rs_transport::Config;
use client_rs_transport::http::{Body, Transport, TransportError, TransportOptions};
use futures_util::future::BoxFuture;
use futures_util::{StreamExt as _, stream};
use http::{Request, Response, header};
use http_body::Frame;
use http_body_util::{BodyStream, Full, StreamBody};
use serde_json::json;
use tokio::sync::watch;
use tower::util::BoxCloneSyncService;
use tower::{Service, ServiceExt as _};

use crate::Stage;

/// Injected faults, and the requests that were made. The embedded server injects them by its own controls. For the
/// real server, which fails on nobody's command, a layer between the client and its connections does.
///
/// Only requests of its own [`client`](Self::client) are sure to meet faults and to be counted.
#[derive(Clone, Debug)]
pub struct Faults(Kind);

#[derive(Clone, Debug)]
enum Kind {
    Server(TestControls),
    Client(Arc<Injected>),
}

#[derive(Debug)]
struct Injected {
    faults: Arc<client_rs_apiserver::Faults>,
    requests: Mutex<Vec<RequestRecord>>,
    /// The next watch from a version fails because the version is too old.
    forgets: AtomicBool,
    cuts: watch::Sender<u64>,
}

impl Faults {
    /// Creates the faults of a stage's server.
    pub fn of(stage: &Stage) -> Self {
        stage.embedded().map_or_else(|_| Self::of_client(), |controls| Self(Kind::Server(controls)))
    }

    /// Creates the faults of the clients of any server.
    pub fn of_client() -> Self {
        Self(Kind::Client(Arc::new(Injected {
            faults: Arc::default(),
            requests: Mutex::default(),
            forgets: AtomicBool::new(false),
            cuts: watch::Sender::new(0),
        })))
    }

    /// A client whose requests meet the faults.
    pub fn client(&self, config: &Config) -> Result<RestClient> {
        let transport = Transport::from_config_with(config, TransportOptions::default())?;
        self.client_over(config, transport)
    }

    /// A client over this transport whose requests meet the faults.
    pub fn client_over(&self, config: &Config, transport: Transport) -> Result<RestClient> {
        let transport = match &self.0 {
            Kind::Server(_) => transport,
            Kind::Client(injected) => {
                let injected = Arc::clone(injected);
                transport.layer(tower::layer::layer_fn(move |inner| Failing {
                    inner,
                    injected: Arc::clone(&injected),
                }))
            }
        };
        Ok(RestClient::with_options(&config.server, transport, RestClientOptions::from_config(config))?)
    }

    /// Lets requests fail. Of several faults that fit a request, the oldest happens.
    pub fn inject(&self, fault: Fault) {
        match &self.0 {
            Kind::Server(controls) => controls.inject(fault),
            Kind::Client(injected) => injected.faults.inject(fault),
        };
    }

    /// Takes all faults back.
    pub fn clear(&self) {
        match &self.0 {
            Kind::Server(controls) => controls.clear_faults(),
            Kind::Client(injected) => injected.faults.clear(),
        }
    }

    /// Ends every watch that is open now, without an error.
    pub fn drop_watches(&self) {
        match &self.0 {
            Kind::Server(controls) => controls.drop_watches(),
            Kind::Client(injected) => injected.cuts.send_modify(|cuts| *cuts += 1),
        }
    }

    /// Makes the next watch from a version fail with 410; on the embedded server, expires every version from before
    /// now.
    pub fn forget(&self) {
        match &self.0 {
            Kind::Server(controls) => controls.compact(),
            Kind::Client(injected) => injected.forgets.store(true, Ordering::SeqCst),
        }
    }

    /// The requests since they were last forgotten.
    pub fn requests(&self) -> Vec<RequestRecord> {
        match &self.0 {
            Kind::Server(controls) => controls.requests(),
            Kind::Client(injected) => lock(&injected.requests).clone(),
        }
    }

    /// Forgets the requests so far.
    pub fn clear_requests(&self) {
        match &self.0 {
            Kind::Server(controls) => controls.clear_requests(),
            Kind::Client(injected) => lock(&injected.requests).clear(),
        }
    }
}

type Inner = BoxCloneSyncService<Request<Body>, Response<Body>, TransportError>;

/// A transport on which requests fail.
#[derive(Clone)]
struct Failing {
    inner: Inner,
    injected: Arc<Injected>,
}

impl Service<Request<Body>> for Failing {
    type Response = Response<Body>;
    type Error = TransportError;
    type Future = BoxFuture<'static, Result<Response<Body>, TransportError>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), TransportError>> {
        // Each request has a copy of what is inside, and waits for that.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (inner, injected) = (self.inner.clone(), Arc::clone(&self.injected));
        Box::pin(async move {
            let effect = injected.meet(&request);
            let cuts = injected.cuts.subscribe();
            let left = match effect {
                Some(Effect::Status { code, reason, message, retry_after_seconds }) => {
                    return Ok(refusal(code, &reason, &message, retry_after_seconds));
                }
                Some(Effect::Freeze) => return std::future::pending().await,
                Some(Effect::Delay(delay)) => {
                    tokio::time::sleep(delay).await;
                    None
                }
                Some(Effect::Truncate(left)) => Some(left),
                // Every effect of today is above; the enum may grow.
                Some(other) => panic!("this layer does not know the effect {other:?}"),
                None => None,
            };
            let (mut parts, body) = inner.oneshot(request).await?.into_parts();
            parts.headers.remove(header::CONTENT_LENGTH);
            Ok(Response::from_parts(parts, passed(body, left, cuts)))
        })
    }
}

impl Injected {
    /// Records a request, and returns the fault that it meets.
    fn meet(&self, request: &Request<Body>) -> Option<Effect> {
        let text = |name: header::HeaderName| {
            let value = request.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let uri = request.uri();
        let record = RequestRecord {
            method: request.method().to_string(),
            uri: uri.path_and_query().map_or_else(String::new, ToString::to_string),
            user_agent: text(header::USER_AGENT),
            accept: text(header::ACCEPT),
            content_type: text(header::CONTENT_TYPE),
        };
        let effect = self.faults.meet(&record);
        lock(&self.requests).push(record);
        if effect.is_some() {
            return effect;
        }
        let query = uri.query().unwrap_or_default();
        let versioned = query.split('&').any(|part| {
            part.strip_prefix("resourceVersion=").is_some_and(|version| !version.is_empty() && version != "0")
        });
        let resumes = query.contains("watch=") && versioned;
        (resumes && self.forgets.swap(false, Ordering::SeqCst))
            .then(|| Effect::status(410, "Expired", "too old resource version"))
    }
}

/// A server's refusal.
fn refusal(code: u16, reason: &str, message: &str, retry_after: Option<u32>) -> Response<Body> {
    let details = retry_after.map(|seconds| json!({"retryAfterSeconds": seconds}));
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "message": message,
        "reason": reason, "details": details, "code": code,
    });
    let mut response = Response::builder().status(code).header(header::CONTENT_TYPE, "application/json");
    if let Some(seconds) = retry_after {
        response = response.header(header::RETRY_AFTER, seconds);
    }
    response
        .body(Body::new(Full::new(Bytes::from(status.to_string()))))
        .expect("a code from a test, and headers that are text")
}

/// Returns a body that ends at the next cut, or breaks off after this many bytes.
fn passed(body: Body, left: Option<usize>, cuts: watch::Receiver<u64>) -> Body {
    let frames =
        stream::unfold((BodyStream::new(body), left, cuts), |(mut body, left, mut cuts)| async move {
            if left == Some(0) {
                return None;
            }
            let frame = tokio::select! {
                biased;
                _ = cuts.changed() => return None,
                frame = body.next() => frame?,
            };
            let (frame, left) = match (frame, left) {
                (Ok(frame), Some(left)) => match frame.into_data() {
                    Ok(data) if data.len() < left => {
                        let rest = left - data.len();
                        (Ok(Frame::data(data)), Some(rest))
                    }
                    Ok(_) => {
                        let broken = io::Error::new(io::ErrorKind::UnexpectedEof, "the answer breaks off");
                        (Err(TransportError::Other(broken.into())), Some(0))
                    }
                    Err(frame) => (Ok(frame), Some(left)),
                },
                (frame, left) => (frame, left),
            };
            Some((frame, (body, left, cuts)))
        });
    Body::new(StreamBody::new(frames))
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
