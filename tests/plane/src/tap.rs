//! Records what a client asks a real server, and what it answers.

use std::pin::Pin;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Instant;

use bytes::Bytes;
use client_rs_machinery::meta::v1::ListOptions;
use client_rs_sim::content::State;
use client_rs_sim::history::{EventType, Fact, Fault, History, Phase, Verb};
use client_rs_sim::replay::{Observed, requested};
use client_rs_transport::http::{Body, BoxError, Transport};
use http::{HeaderValue, Method, Request, Response, header};
use http_body::Frame;
use http_body_util::BodyExt as _;
use serde_json::Value;
use tower::ServiceExt as _;

use crate::etcd::{Uids, content_of, key_of};

/// The process with the informer.
pub const NODE: u8 = 1;
/// The key of a bookmark.
const NO_KEY: u8 = u8::MAX;

/// The history of a run, and the answers for the model.
#[derive(Clone, Debug)]
pub struct Log {
    inner: Arc<Mutex<(History, Vec<Observed>)>>,
    start: Instant,
    /// The newest version that somebody has got.
    newest: Arc<AtomicU32>,
    /// The version up to which the history was dropped.
    compacted: Arc<AtomicU32>,
    /// The numbers of objects.
    pub uids: Uids,
}

impl Log {
    /// Makes an empty one.
    pub fn new(uids: &Uids) -> Self {
        Self {
            inner: Arc::default(),
            start: Instant::now(),
            newest: Arc::default(),
            compacted: Arc::default(),
            uids: uids.clone(),
        }
    }

    fn inner(&self) -> MutexGuard<'_, (History, Vec<Observed>)> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the time since the start, in microseconds.
    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    /// Records a fact.
    pub fn record(&self, node: u8, phase: Phase, fact: Fact) {
        let now = self.now();
        self.inner().0.push(now, node, phase, fact);
    }

    /// Records the content of a store.
    pub fn commit(&self, version: u32, objects: &[(u8, State)], indexed: u8, unsure: bool) {
        let now = self.now();
        let (history, _) = &mut *self.inner();
        let first = u32::try_from(history.states.len()).unwrap_or(u32::MAX);
        history.states.extend_from_slice(objects);
        let len = u32::try_from(objects.len()).unwrap_or(u32::MAX);
        let fact = Fact::Commit { version, first, len, stale: 0, indexed, unsure };
        history.push(now, NODE, Phase::Info, fact);
    }

    fn observe(&self, observed: Observed) {
        self.inner().1.push(observed);
    }

    /// Notes that somebody has got this version.
    pub fn note(&self, version: u32) {
        self.newest.fetch_max(version, Ordering::Relaxed);
    }

    /// Notes that the history up to this version will be dropped.
    pub fn note_compaction(&self, version: u32) {
        self.compacted.fetch_max(version, Ordering::Relaxed);
        self.record(0, Phase::Info, Fact::Compact { version });
    }

    /// Notes that the storage was set back.
    pub fn note_restore(&self, version: u32) {
        self.newest.store(version, Ordering::Relaxed);
        self.record(0, Phase::Info, Fact::Restore { to: version, version, bump: false });
        self.observe(Observed::Restored { version });
    }

    /// Takes everything.
    pub fn take(&self) -> (History, Vec<Observed>) {
        std::mem::take(&mut *self.inner())
    }

    /// Returns a transport whose lists and watches are recorded.
    pub fn tap(&self, inner: Transport) -> Transport {
        let (log, target) = (self.clone(), inner.target().clone());
        let watches = Arc::new(AtomicU32::new(0));
        let service = tower::service_fn(move |request| {
            let (log, inner, watches) = (log.clone(), inner.clone(), Arc::clone(&watches));
            async move { log.send(inner, &watches, request).await }
        });
        Transport::from_service(target, service)
    }

    async fn send(
        self,
        inner: Transport,
        watches: &AtomicU32,
        mut request: Request<Body>,
    ) -> Result<Response<Body>, BoxError> {
        if request.method() != Method::GET || !request.uri().path().ends_with("/configmaps") {
            return Ok(inner.oneshot(request).await?);
        }
        request.headers_mut().insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        let (asked, is_watch) = options(request.uri().query().unwrap_or_default());
        let verb = match (is_watch, asked.send_initial_events) {
            (false, _) => Verb::List,
            (true, Some(true)) => Verb::Stream,
            (true, _) => Verb::Watch,
        };
        let version = Some(requested(&asked)).filter(|version| *version > 0);
        let before = self.newest.load(Ordering::Relaxed);
        let compacted = self.compacted.load(Ordering::Relaxed);
        self.record(NODE, Phase::Invoke, Fact::Request { verb, version });
        let response = match inner.oneshot(request).await {
            Ok(response) => response,
            Err(error) => {
                self.record(NODE, Phase::Fail, Fact::Error { error: Fault::Refused });
                return Err(error.into());
            }
        };
        if !response.status().is_success() {
            let error = match response.status().as_u16() {
                410 => {
                    let version = requested(&asked);
                    self.observe(Observed::Expired { version, before, compacted });
                    Fault::Expired
                }
                429 => Fault::Busy,
                503 => Fault::Unavailable,
                504 => Fault::TooLarge,
                _ => Fault::Internal,
            };
            self.record(NODE, Phase::Fail, Fact::Error { error });
            return Ok(response);
        }
        let (parts, body) = response.into_parts();
        if is_watch {
            let watch = watches.fetch_add(1, Ordering::Relaxed);
            self.observe(Observed::Watch { watch, asked: asked.clone() });
            let body = TapBody { body, log: self, watch, asked, before, compacted, rest: Vec::new() };
            return Ok(Response::from_parts(parts, Body::new(body)));
        }
        let bytes = body.collect().await.inspect_err(|_| {
            self.record(NODE, Phase::Fail, Fact::Error { error: Fault::Cut });
        })?;
        let bytes = bytes.to_bytes();
        let list: Value = serde_json::from_slice(&bytes)?;
        let version = number(&list["metadata"]["resourceVersion"]);
        let more = list["metadata"]["continue"].as_str().is_some_and(|token| !token.is_empty());
        let items = list["items"].as_array().into_iter().flatten();
        let objects = items.filter_map(|item| self.object(item)).collect();
        self.record(NODE, Phase::Ok, Fact::Answer { verb, version, more });
        // Pages are those of an opaque token: the model has its own.
        if asked.continue_.is_empty() && !more {
            self.observe(Observed::List { asked, before, version, objects });
        }
        self.note(version);
        Ok(Response::from_parts(parts, Body::from(bytes)))
    }

    fn object(&self, object: &Value) -> Option<(u8, State)> {
        let metadata = &object["metadata"];
        let key = key_of(metadata["namespace"].as_str()?, metadata["name"].as_str()?)?;
        let uid = self.uids.number(metadata["uid"].as_str()?);
        Some((key, State { version: number(&metadata["resourceVersion"]), uid, content: content_of(object) }))
    }
}

fn number(value: &Value) -> u32 {
    value.as_str().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// Returns the options of a request, and whether it is a watch.
fn options(query: &str) -> (ListOptions, bool) {
    let (mut options, mut is_watch) = (ListOptions::EMPTY, false);
    for (name, value) in query.split('&').filter_map(|pair| pair.split_once('=')) {
        match name {
            "watch" => is_watch = matches!(value, "true" | "1"),
            "resourceVersion" => options.resource_version = value.into(),
            "limit" => options.limit = value.parse().unwrap_or_default(),
            "continue" => options.continue_ = value.into(),
            "sendInitialEvents" => options.send_initial_events = Some(value == "true"),
            _ => {}
        }
    }
    (options, is_watch)
}

/// The body of a watch.
struct TapBody {
    body: Body,
    log: Log,
    watch: u32,
    asked: ListOptions,
    before: u32,
    compacted: u32,
    /// The beginning of a line.
    rest: Vec<u8>,
}

impl TapBody {
    fn data(&mut self, data: &Bytes) {
        self.rest.extend_from_slice(data);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            if let Ok(event) = serde_json::from_slice::<Value>(&line) {
                self.event(&event);
            }
        }
    }

    fn event(&self, event: &Value) {
        let (log, object) = (&self.log, &event["object"]);
        let kind = match event["type"].as_str().unwrap_or_default() {
            "ADDED" => EventType::Added,
            "MODIFIED" => EventType::Modified,
            "DELETED" => EventType::Deleted,
            "BOOKMARK" if object["metadata"]["annotations"]["k8s.io/initial-events-end"] == "true" => {
                EventType::EndOfList
            }
            "BOOKMARK" => EventType::Bookmark,
            _ => {
                if object["code"] == 410 {
                    let (before, compacted) = (self.before, self.compacted);
                    let version = requested(&self.asked);
                    log.observe(Observed::Expired { version, before, compacted });
                }
                return log.record(NODE, Phase::Fail, Fact::Error { error: Fault::Expired });
            }
        };
        let version = number(&object["metadata"]["resourceVersion"]);
        let is_mark = matches!(kind, EventType::Bookmark | EventType::EndOfList);
        let (key, state) = match log.object(object) {
            Some(object) => object,
            None if is_mark => (NO_KEY, State { version, ..State::default() }),
            // Not one of ours.
            None => return,
        };
        log.note(version);
        log.observe(Observed::Event { watch: self.watch, event: kind, key, state });
        let key = Some(key).filter(|key| *key != NO_KEY);
        log.record(NODE, Phase::Ok, Fact::Event { event: kind, key, version });
    }
}

impl http_body::Body for TapBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        if let Some(Ok(frame)) = &frame
            && let Some(data) = frame.data_ref()
        {
            let data = data.clone();
            self.data(&data);
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }
}
