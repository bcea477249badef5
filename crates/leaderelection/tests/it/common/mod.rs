//! A small server in memory: objects by path, with versions, conflicts, label selectors and watches.
#![allow(dead_code, reason = "not every test needs all of it")]

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use bytes::Bytes;
use client_rs_client::flow_control::RequestRateLimiter;
use client_rs_client::{RestClient, RestClientOptions};
use client_rs_transport::http::{Body, Target, Transport, TransportError};
use http::{Method, Request, Response, Uri};
use http_body::Frame;
use serde_json::{Value, json};
use tokio::sync::mpsc;

#[derive(Clone, Default)]
pub(crate) struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    version: u64,
    objects: BTreeMap<String, Value>,
    watches: Vec<mpsc::UnboundedSender<Bytes>>,
    heard: Vec<String>,
    failures: Vec<u16>,
    /// The events that every watch sends before it ends.
    broken: Option<Value>,
}

impl Server {
    /// A client, and a switch that makes its requests hang.
    pub(crate) fn client(&self) -> (RestClient, Arc<AtomicBool>) {
        self.client_with(None)
    }

    /// The same with a rate limit.
    pub(crate) fn client_with(
        &self,
        limiter: Option<Arc<dyn RequestRateLimiter>>,
    ) -> (RestClient, Arc<AtomicBool>) {
        let (server, cut) = (self.clone(), Arc::new(AtomicBool::new(false)));
        let is_cut = Arc::clone(&cut);
        let service = tower::service_fn(move |request: Request<Body>| {
            let (server, cut) = (server.clone(), Arc::clone(&is_cut));
            async move {
                let (parts, body) = request.into_parts();
                let body = body.bytes().await?;
                if cut.load(Ordering::Relaxed) {
                    std::future::pending::<()>().await;
                }
                Ok::<_, TransportError>(server.answer(&parts.method, &parts.uri, &body))
            }
        });
        let url: Uri = "http://k8s.example".parse().unwrap();
        let transport = Transport::from_service(Target::from_uri(&url).unwrap(), service);
        let json = "application/json";
        let mut options = RestClientOptions::default().with_accept(json).with_content_type(json);
        (options.limiter, options.url_backoff) = (limiter, None);
        (RestClient::with_options(&url, transport, options).unwrap(), cut)
    }

    pub(crate) fn object(&self, path: &str) -> Option<Value> {
        self.0.lock().unwrap().objects.get(path).cloned()
    }

    pub(crate) fn heard(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().unwrap().heard)
    }

    pub(crate) fn fail_next(&self, code: u16) {
        self.0.lock().unwrap().failures.push(code);
    }

    /// From now on every watch sends only these events.
    pub(crate) fn watches_say(&self, event: &Value) {
        self.0.lock().unwrap().broken = Some(event.clone());
    }

    pub(crate) fn delete(&self, path: &str) {
        self.0.lock().unwrap().objects.remove(path);
    }

    pub(crate) fn paths(&self) -> Vec<String> {
        self.0.lock().unwrap().objects.keys().cloned().collect()
    }

    /// Changes an object as another client would.
    pub(crate) fn edit(&self, path: &str, edit: impl FnOnce(&mut Value)) {
        let mut state = self.0.lock().unwrap();
        let mut object = state.objects[path].clone();
        edit(&mut object);
        state.store(path, object);
    }

    fn answer(&self, method: &Method, uri: &Uri, body: &[u8]) -> Response<Body> {
        let mut state = self.0.lock().unwrap();
        let (path, query) = (uri.path(), uri.query().unwrap_or_default());
        let watch = query.contains("watch=true");
        let what = if watch { "WATCH" } else { method.as_str() };
        state.heard.push(format!("{what} {}", path.rsplit('/').next().unwrap_or_default()));
        if let Some(code) = state.failures.pop() {
            return refusal(code, "Failed");
        }
        let object = || serde_json::from_slice::<Value>(body).unwrap();
        if let Some(event) = state.broken.as_ref().filter(|_| watch) {
            return reply(200, format!("{event}\n"));
        }
        if watch {
            let (sender, receiver) = mpsc::unbounded_channel();
            state.watches.push(sender);
            return reply(200, Body::new(Stream(receiver)));
        }
        match *method {
            Method::POST => {
                let object = object();
                let path = format!("{path}/{}", object["metadata"]["name"].as_str().unwrap());
                if state.objects.contains_key(&path) {
                    return refusal(409, "AlreadyExists");
                }
                let stored = state.store(&path, object);
                reply(201, stored.to_string())
            }
            Method::GET if state.objects.contains_key(path) => reply(200, state.objects[path].to_string()),
            Method::GET if path.ends_with("/leases") => {
                let label = query.split("labelSelector=").nth(1).unwrap_or_default();
                let name =
                    label.split('&').next().unwrap_or_default().rsplit("%3D").next().unwrap_or_default();
                let chosen = state.objects.values().filter(|object| {
                    object["metadata"]["labels"]["client-rs.io/sharding"].as_str() == Some(name)
                });
                let items: Vec<Value> = chosen.cloned().collect();
                let list = json!({
                    "kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1",
                    "metadata": {"resourceVersion": state.version.to_string()}, "items": items,
                });
                reply(200, list.to_string())
            }
            Method::PUT => {
                let object = object();
                match state.objects.get(path) {
                    None => refusal(404, "NotFound"),
                    Some(stored)
                        if stored["metadata"]["resourceVersion"] != object["metadata"]["resourceVersion"] =>
                    {
                        refusal(409, "Conflict")
                    }
                    Some(_) => reply(200, state.store(path, object).to_string()),
                }
            }
            Method::DELETE => match state.objects.remove(path) {
                Some(removed) => reply(200, removed.to_string()),
                None => refusal(404, "NotFound"),
            },
            _ => refusal(404, "NotFound"),
        }
    }
}

impl State {
    fn store(&mut self, path: &str, mut object: Value) -> Value {
        self.version += 1;
        object["metadata"]["resourceVersion"] = json!(self.version.to_string());
        object["metadata"]["uid"] = json!("uid");
        self.objects.insert(path.to_owned(), object.clone());
        let event = format!("{}\n", json!({"type": "MODIFIED", "object": object}));
        self.watches.retain(|watch| watch.send(event.clone().into()).is_ok());
        object
    }
}

fn reply(status: u16, body: impl Into<Body>) -> Response<Body> {
    let response = Response::builder().status(status).header("content-type", "application/json");
    response.body(body.into()).unwrap()
}

fn refusal(code: u16, reason: &str) -> Response<Body> {
    let status = json!({
        "kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": reason,
    });
    reply(code, status.to_string())
}

struct Stream(mpsc::UnboundedReceiver<Bytes>);

impl http_body::Body for Stream {
    type Data = Bytes;
    type Error = TransportError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, TransportError>>> {
        self.0.poll_recv(cx).map(|chunk| chunk.map(|chunk| Ok(Frame::data(chunk))))
    }
}
