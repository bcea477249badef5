//! The server of a replay: it answers from the recording.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use bytes::Bytes;
use client_rs_controller::ReconcileOutcome;
use client_rs_controller::recording::{
    CurrentRun, Direction, HeldGraph, Hider, RunStart, Tape, Target, What,
};
use client_rs_transport::http::Body;
use http::{HeaderValue, Method, Request, Response, StatusCode, header};
use http_body::Frame;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::sync::{Notify, mpsc, oneshot};

use super::collections::Collection;
use super::compare::Sent;
use super::log::{Log, METADATA};

/// A response of the recording.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Response { status: u16, retry_after: String, body: String },
    Lost,
}

/// A request of a run that waits for its place in the recording.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) run: u64,
    pub(super) sent: Sent,
    pub(super) answer: oneshot::Sender<Answer>,
}

impl State {
    /// Whether a run waits for the recording.
    pub(super) fn sends(&self, run: u64) -> bool {
        self.pending.iter().any(|pending| pending.run == run)
    }
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) collections: BTreeMap<String, Collection>,
    pub(super) pending: Vec<Pending>,
    /// Reads of caches that wait for their place in the recording, with their runs.
    pub(super) reads: Vec<(u64, oneshot::Sender<()>)>,
    /// The runs that have begun, and whether they have ended.
    pub(super) runs: BTreeMap<u64, bool>,
    pub(super) controllers: BTreeMap<String, mpsc::UnboundedSender<Direction>>,
    /// The graphs of controllers.
    pub(super) graphs: BTreeMap<String, HeldGraph>,
    /// Responses to requests outside of runs, by method and path.
    background: BTreeMap<(String, String), VecDeque<Answer>>,
    leases: BTreeMap<String, Value>,
    leases_version: u64,
    /// Requests outside of runs that are not in the recording.
    pub(super) unknown: BTreeSet<String>,
}

/// The server.
#[derive(Debug)]
pub(super) struct Server {
    state: Mutex<State>,
    hider: Hider,
    recorded: BTreeSet<String>,
    /// A collection has got its first list.
    listed: Notify,
}

impl Server {
    pub(super) fn new(log: &Log) -> Self {
        let mut state = State::default();
        let mut requests = BTreeMap::new();
        for line in &log.lines {
            match &line.what {
                What::Request { request, run: None, method, path, .. } => {
                    requests.insert(*request, (method.clone(), path.clone()));
                }
                What::Response { request, .. } | What::Lost { request, .. } => {
                    if let (Some(of), Some(answer)) = (requests.remove(request), answer_of(&line.what)) {
                        state.background.entry(of).or_default().push_back(answer);
                    }
                }
                _ => {}
            }
        }
        let recorded = log.changes.keys().cloned().collect();
        Self { state: Mutex::new(state), hider: Hider::new(&log.header), recorded, listed: Notify::new() }
    }

    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes requests that wait for a first list.
    pub(super) fn has_listed(&self) {
        self.listed.notify_waiters();
    }

    pub(super) async fn send(self: Arc<Self>, request: Request<Body>) -> io::Result<Response<Body>> {
        let (parts, body) = request.into_parts();
        let path = parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned();
        let target = Target::parse(&path);
        let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let text = |name| parts.headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        if target.is_bookkeeping() {
            return Ok(self.bookkeeping(&parts.method, parts.uri.path(), &target, &bytes));
        }
        if let Some(run) = CurrentRun::get() {
            let content = text(header::CONTENT_TYPE).filter(|_| !bytes.is_empty()).unwrap_or_default();
            let body = self.hider.body(&target, &bytes);
            let sent = Sent { method: parts.method.to_string(), path, content: content.to_owned(), body };
            let (answer, answered) = oneshot::channel();
            self.state().pending.push(Pending { run: run.number, sent, answer });
            return match answered.await {
                Ok(answer) => respond(answer),
                // The replay is over.
                Err(_) => std::future::pending().await,
            };
        }
        if parts.method == Method::GET && target.is_collection() {
            let is_metadata =
                text(header::ACCEPT).is_some_and(|accept| accept.contains("as=PartialObjectMetadata"));
            let of = target.collection() + if is_metadata { METADATA } else { "" };
            return Ok(self.collection(of, &target).await);
        }
        let mut state = self.state();
        let known = state.background.get_mut(&(parts.method.to_string(), path.clone()));
        let answer = known.and_then(|answers| {
            // A program may ask again: it gets the last response.
            if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() }
        });
        let answer = answer.unwrap_or_else(|| {
            state.unknown.insert(format!("{} {path}", parts.method));
            Answer::Response { status: 404, retry_after: String::new(), body: status(404, "NotFound") }
        });
        respond(answer)
    }

    async fn collection(&self, of: String, target: &Target) -> Response<Body> {
        loop {
            let listed = self.listed.notified();
            tokio::pin!(listed);
            listed.as_mut().enable();
            {
                let mut state = self.state();
                if !self.recorded.contains(&of) && state.unknown.insert(format!("GET {of}")) {
                    state.collections.entry(of.clone()).or_default().assume_empty();
                }
                if let Some(collection) = state.collections.get_mut(&of).filter(|found| found.is_listed()) {
                    if !target.is_watch() {
                        return json_response(200, collection.list().to_string());
                    }
                    let streams_list = target.parameter("sendInitialEvents") == "true";
                    let after = target.parameter("resourceVersion").parse().unwrap_or(0);
                    let events = collection.watch((!streams_list).then_some(after));
                    let mut response = json_response(200, String::new());
                    *response.body_mut() = Body::new(Events(events));
                    return response;
                }
            }
            listed.await;
        }
    }

    /// Leases are granted, and Events accepted: neither is in a recording.
    fn bookkeeping(&self, method: &Method, path: &str, target: &Target, body: &[u8]) -> Response<Body> {
        let mut object = serde_json::from_slice::<Value>(body).unwrap_or_else(|_| json!({}));
        if !target.resource.starts_with("leases.") {
            return json_response(if method == Method::POST { 201 } else { 200 }, object.to_string());
        }
        let mut state = self.state();
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let path = if target.name.is_empty() && method == Method::POST {
            format!("{path}/{name}")
        } else {
            path.to_owned()
        };
        match (method, state.leases.get(&path)) {
            (&Method::GET, Some(lease)) => json_response(200, lease.to_string()),
            (&Method::GET, None) if target.name.is_empty() => {
                let items: Vec<&Value> = state.leases.values().collect();
                let list = json!({"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1",
                                  "metadata": {"resourceVersion": "1"}, "items": items});
                json_response(200, list.to_string())
            }
            (&Method::GET, None) => json_response(404, status(404, "NotFound")),
            (&Method::DELETE, _) => {
                state.leases.remove(&path);
                json_response(
                    200,
                    json!({"kind": "Status", "apiVersion": "v1", "status": "Success"}).to_string(),
                )
            }
            _ => {
                state.leases_version += 1;
                object["metadata"]["resourceVersion"] = state.leases_version.to_string().into();
                object["metadata"]["uid"] = "00000000-0000-0000-0000-000000000000".into();
                let response =
                    json_response(if method == Method::POST { 201 } else { 200 }, object.to_string());
                state.leases.insert(path, object);
                response
            }
        }
    }
}

impl Tape for Server {
    fn began(&self, _: &RunStart<'_>, direction: Option<u64>) -> Option<u64> {
        let run = direction?;
        self.state().runs.insert(run, false);
        Some(run)
    }

    fn before_read(&self, run: u64) -> Option<oneshot::Receiver<()>> {
        let (ready, wait) = oneshot::channel();
        self.state().reads.push((run, ready));
        Some(wait)
    }

    fn ended(&self, run: u64, _: ReconcileOutcome) {
        self.state().runs.insert(run, true);
    }

    fn directions(&self, controller: &str) -> Option<mpsc::UnboundedReceiver<Direction>> {
        let (sender, receiver) = mpsc::unbounded_channel();
        self.state().controllers.insert(controller.to_owned(), sender);
        Some(receiver)
    }

    fn derives(&self, controller: &str, graph: HeldGraph) {
        self.state().graphs.insert(controller.to_owned(), graph);
    }
}

/// The response in a line.
pub(super) fn answer_of(what: &What) -> Option<Answer> {
    match what {
        What::Response { status, retry_after, body, .. } => {
            Some(Answer::Response { status: *status, retry_after: retry_after.clone(), body: body.clone() })
        }
        What::Lost { .. } => Some(Answer::Lost),
        _ => None,
    }
}

fn respond(answer: Answer) -> io::Result<Response<Body>> {
    match answer {
        Answer::Response { status, retry_after, body } => {
            let mut response = json_response(status, body);
            if let Ok(value) = HeaderValue::from_str(&retry_after)
                && !retry_after.is_empty()
            {
                response.headers_mut().insert(header::RETRY_AFTER, value);
            }
            Ok(response)
        }
        Answer::Lost => Err(io::Error::new(io::ErrorKind::ConnectionReset, "connection reset")),
    }
}

/// The text of an error.
pub(super) fn status(code: u16, reason: &str) -> String {
    json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason,
           "message": "not in the recording"})
    .to_string()
}

fn json_response(status: u16, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}

/// The body of a watch.
struct Events(mpsc::UnboundedReceiver<Bytes>);

impl http_body::Body for Events {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        self.0.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}
