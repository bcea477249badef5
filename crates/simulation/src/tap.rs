//! Reads and writes of a process, taken from its network.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use client_rs_transport::http::{Body, Transport};
use http::{HeaderValue, Method, Request, Uri, header};
use http_body_util::BodyExt as _;
use serde::Deserialize;
use serde_json::Value;

use crate::network::call;
use crate::path::ObjectPath;
use crate::plan::AtWrite;
use crate::record::{Recorder, What};
use crate::state::changed_fields;

/// The annotation that the simulator changes when it plays another client. No property looks at it.
pub(crate) const TOUCHED: &str = "simulation.client-rs.dev/touched";

/// The writes at which something happens, by the number of the write in the history.
pub(crate) type Arms = Arc<Mutex<BTreeMap<u64, AtWrite>>>;

/// A request of a process.
#[derive(Debug)]
pub(crate) struct Call {
    method: Method,
    pub(crate) object: Option<ObjectPath>,
    pub(crate) is_watch: bool,
    /// Whether it is a watch that begins with a list.
    pub(crate) streams_list: bool,
    /// Whether it has a precondition.
    conditional: bool,
    /// The number of the request, for writes; set when it is sent.
    number: Mutex<Option<u64>>,
    /// The objects of a response that is on its way.
    listing: Mutex<Option<Listing>>,
}

/// The result of a list, and the objects in it with their versions.
type Listing = (What, Vec<(String, Known)>);

/// The version of an object that a process knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known {
    version: String,
    uid: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Meta {
    name: String,
    namespace: String,
    resource_version: String,
    uid: String,
    generate_name: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Head {
    metadata: Meta,
    preconditions: Option<Value>,
    items: Vec<Item>,
}

/// The version of a lease, and who leads. Events and reviews have no holder.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Lease {
    metadata: Meta,
    spec: LeaseSpec,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct LeaseSpec {
    holder_identity: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Item {
    metadata: Meta,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Delivered {
    #[serde(rename = "type")]
    change: String,
    object: Item,
}

impl Call {
    /// Reads a request. It asks for JSON from here on. A list of a watch cache gets this version, if there is one.
    pub(crate) async fn read(
        request: Request<Body>,
        behind: Option<u64>,
    ) -> io::Result<(Self, Request<Body>)> {
        let (mut parts, body) = request.into_parts();
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let has = |pair: &str| query.split('&').any(|part| part == pair);
        let mut object = ObjectPath::parse(parts.uri.path());
        let is_watch = parts.method == Method::GET && (has("watch=true") || has("watch=1"));
        let streams_list = is_watch && has("sendInitialEvents=true");
        if parts.method == Method::GET
            && !is_watch
            && has("resourceVersion=0")
            && let Some(version) = behind
        {
            let mut pairs: Vec<String> = query
                .split('&')
                .filter(|part| !part.starts_with("resourceVersion") && !part.starts_with("limit="))
                .map(str::to_owned)
                .collect();
            pairs.push(format!("resourceVersion={version}"));
            pairs.push("resourceVersionMatch=Exact".to_owned());
            let uri = format!("{}?{}", parts.uri.path(), pairs.join("&"));
            parts.uri = uri.parse::<Uri>().map_err(io::Error::other)?;
        }
        let accept = parts.headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or("*/*");
        let json: Vec<&str> = accept.split(',').filter(|part| !part.contains("protobuf")).collect();
        let json = if json.is_empty() { "application/json".to_owned() } else { json.join(",") };
        if let Ok(json) = HeaderValue::from_str(&json) {
            parts.headers.insert(header::ACCEPT, json);
        }
        parts.headers.remove(header::ACCEPT_ENCODING);
        let is_read = matches!(parts.method, Method::GET | Method::HEAD | Method::OPTIONS);
        // Leases are renewed all the time, and nothing but their name is needed.
        let is_renewal =
            object.as_ref().is_some_and(|object| object.is_bookkeeping() && !object.name.is_empty());
        let (body, head) = if is_read || is_renewal {
            (body, Head::default())
        } else {
            let bytes = body.collect().await.map_err(io::Error::other)?.to_bytes();
            let head = serde_json::from_slice::<Head>(&bytes).unwrap_or_default();
            (Body::from(bytes), head)
        };
        if let Some(object) = object.as_mut().filter(|object| object.name.is_empty() && !is_read) {
            object.name.clone_from(&head.metadata.name);
            if object.name.is_empty() && !head.metadata.generate_name.is_empty() {
                object.name = format!("{}*", head.metadata.generate_name);
            }
        }
        // The UID in an update says which object is meant, not which version of it.
        let names_object = parts.method != Method::PUT && !head.metadata.uid.is_empty();
        let conditional =
            !head.metadata.resource_version.is_empty() || names_object || head.preconditions.is_some();
        let call = Self {
            method: parts.method.clone(),
            object,
            is_watch,
            streams_list,
            conditional,
            number: Mutex::default(),
            listing: Mutex::default(),
        };
        Ok((call, Request::from_parts(parts, body)))
    }

    fn is_write(&self) -> bool {
        matches!(self.method, Method::POST | Method::PUT | Method::PATCH | Method::DELETE)
    }

    /// Whether it is about leases, events or reviews.
    pub(crate) fn is_bookkeeping(&self) -> bool {
        self.object.as_ref().is_some_and(ObjectPath::is_bookkeeping)
    }

    /// Whether it is a write that properties look at.
    pub(crate) fn counts(&self) -> bool {
        self.is_write() && self.object.as_ref().is_some_and(|object| !object.is_bookkeeping())
    }

    /// Returns the object as it is on the server.
    pub(crate) async fn look(&self, server: &Transport) -> io::Result<Option<Value>> {
        let Some(object) = self.object.as_ref().filter(|object| !object.name.is_empty()) else {
            return Ok(None);
        };
        if object.name.ends_with('*') {
            return Ok(None);
        }
        let (status, bytes) =
            call(server, Method::GET, &object.object(), "application/json", Vec::new()).await?;
        Ok((status == 200).then(|| serde_json::from_slice(&bytes).ok()).flatten())
    }

    /// Changes the object as another client would.
    pub(crate) async fn touch(&self, server: &Transport) -> io::Result<()> {
        let Some(Value::Object(before)) = self.look(server).await? else { return Ok(()) };
        let Some(object) = &self.object else { return Ok(()) };
        let version = before.get("metadata").and_then(|meta| meta.get("resourceVersion"));
        let body = serde_json::json!({"metadata": {"annotations": {TOUCHED: version}}}).to_string();
        call(server, Method::PATCH, &object.object(), "application/merge-patch+json", body.into_bytes())
            .await?;
        Ok(())
    }

    fn number(&self) -> Option<u64> {
        *self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Records what a process reads and writes.
#[derive(Debug)]
pub(crate) struct Tap {
    who: String,
    recorder: Recorder,
    arms: Arms,
    /// The versions that the process knows, by the path of the object.
    known: Mutex<BTreeMap<String, Known>>,
}

impl Tap {
    pub(crate) fn new(who: String, recorder: Recorder, arms: Arms) -> Self {
        Self { who, recorder, arms, known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a request is sent. Returns what is to happen to it.
    pub(crate) fn sends(&self, call: &Call) -> Option<AtWrite> {
        let object = call.object.as_ref().filter(|_| call.counts())?;
        let request = self.recorder.count_write();
        *call.number.lock().unwrap_or_else(PoisonError::into_inner) = Some(request);
        let (method, text) = (call.method.to_string(), object.to_string());
        self.recorder.record(&self.who, What::Sent { request, method, object: text });
        let act = self.arms.lock().unwrap_or_else(PoisonError::into_inner).remove(&request)?;
        self.recorder.record("simulator", What::Fault { fault: act.text(request) });
        Some(act)
    }

    /// Notes the response of the server, before it is on its way.
    pub(crate) fn answered(&self, call: &Call, status: u16, before: Option<&Value>, body: &Bytes) {
        let Some(object) = &call.object else { return };
        if object.is_bookkeeping() {
            if status < 300 && call.is_write() {
                self.kept_books(object, body);
            }
            return;
        }
        let after = if call.counts() {
            serde_json::from_slice::<Value>(body).unwrap_or_default()
        } else {
            Value::Null
        };
        let head = if call.counts() { Head::deserialize(&after) } else { serde_json::from_slice(body) };
        let head = head.unwrap_or_default();
        if call.counts() {
            let known = self.known().get(&object.object()).cloned().unwrap_or_default();
            let meta = |value: Option<&Value>, field: &str| {
                let text = value.and_then(|value| value.get("metadata")?.get(field)?.as_str());
                text.unwrap_or_default().to_owned()
            };
            let has_uid = after.get("metadata").is_some_and(|meta| meta.get("uid").is_some());
            let stored = has_uid.then_some(&after);
            let fields = match (call.method == Method::DELETE, before, stored) {
                (false, Some(before), Some(after)) => changed_fields(before, after),
                _ => Vec::new(),
            };
            // A process that knows another object of the same name does not know this one.
            let mistaken = before.is_some() && !known.uid.is_empty() && known.uid != meta(before, "uid");
            let version = if status < 300 { meta(stored, "resourceVersion") } else { String::new() };
            self.recorder.record(
                &self.who,
                What::Wrote {
                    request: call.number().unwrap_or_default(),
                    method: call.method.to_string(),
                    object: object.to_string(),
                    status,
                    known: if mistaken { String::new() } else { known.version },
                    before: meta(before, "resourceVersion"),
                    version,
                    fields,
                    conditional: call.conditional || call.method == Method::POST,
                    mistaken,
                },
            );
        }
        if status >= 300 {
            return;
        }
        if call.counts() {
            self.recorder.note_collection(object.everywhere());
            if status == 201 && object.subresource.is_empty() {
                self.recorder.note_made(object.with_name(&head.metadata.namespace, &head.metadata.name));
            }
        }
        let known = |meta: &Meta| Known { version: meta.resource_version.clone(), uid: meta.uid.clone() };
        let path = |meta: &Meta| object.with_name(&meta.namespace, &meta.name).object();
        let listing = if call.is_write() || !object.name.is_empty() {
            let known = known(&head.metadata);
            (What::Quiet, vec![(path(&head.metadata), known)])
        } else {
            let texts = head
                .items
                .iter()
                .map(|item| format!("{}@{}", item.metadata.name, item.metadata.resource_version));
            let what = What::Listed {
                resource: object.to_string(),
                version: head.metadata.resource_version.clone(),
                objects: texts.collect(),
            };
            (what, head.items.iter().map(|item| (path(&item.metadata), known(&item.metadata))).collect())
        };
        *call.listing.lock().unwrap_or_else(PoisonError::into_inner) = Some(listing);
    }

    /// Notes the response to a write of a lease, an event or a review. Properties do not look at these.
    fn kept_books(&self, object: &ObjectPath, body: &Bytes) {
        let Ok(Lease { metadata, spec }) = serde_json::from_slice::<Lease>(body) else { return };
        self.recorder.note_bookkeeping(&metadata.resource_version);
        if object.plural == "leases"
            && let Some(holder) = spec.holder_identity
            && self.recorder.note_holder(&object.object(), &holder)
        {
            self.recorder.record(&self.who, What::Leads { lease: object.to_string(), holder });
        }
    }

    /// Notes that the response has arrived.
    pub(crate) fn received(&self, call: &Call) {
        let listing = call.listing.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((what, objects)) = listing else { return };
        if let What::Listed { .. } = &what
            && call.object.as_ref().is_some_and(|object| !object.is_bookkeeping())
        {
            self.recorder.record(&self.who, what);
        }
        self.known().extend(objects.into_iter().filter(|(_, known)| !known.uid.is_empty()));
    }

    /// Notes that a write does not reach the server.
    pub(crate) fn lost(&self, call: &Call) {
        if let Some(request) = call.number() {
            self.recorder.record(&self.who, What::Lost { request });
        }
    }

    /// Notes that the server refuses a write without looking at it.
    pub(crate) fn refused(&self, call: &Call, status: u16) {
        let (Some(request), Some(object)) = (call.number(), &call.object) else { return };
        let (method, object) = (call.method.to_string(), object.to_string());
        self.recorder.record(&self.who, What::Refused { request, method, object, status });
    }

    pub(crate) fn unanswered(&self, call: &Call) {
        if let Some(request) = call.number() {
            self.recorder.record(&self.who, What::Unanswered { request });
        }
    }
}

/// Records the events of one watch.
#[derive(Debug)]
pub(crate) struct WatchTap {
    tap: Arc<Tap>,
    object: Option<ObjectPath>,
    /// The beginning of an event that is not complete.
    rest: Vec<u8>,
}

impl WatchTap {
    pub(crate) fn new(tap: Arc<Tap>, call: Call) -> Self {
        Self { tap, object: call.object, rest: Vec::new() }
    }

    pub(crate) fn frame(&mut self, data: &[u8]) {
        let Some(object) = self.object.clone().filter(|object| !object.is_bookkeeping()) else { return };
        self.rest.extend_from_slice(data);
        while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.rest.drain(..=end).collect();
            let Ok(Delivered { change, object: Item { metadata } }) = serde_json::from_slice(&line) else {
                continue;
            };
            if change == "BOOKMARK" || change == "ERROR" {
                continue;
            }
            let object = object.with_name(&metadata.namespace, &metadata.name);
            let known = Known { version: metadata.resource_version.clone(), uid: metadata.uid };
            if change == "DELETED" {
                self.tap.known().remove(&object.object());
            } else {
                self.tap.known().insert(object.object(), known);
            }
            let version = metadata.resource_version;
            self.tap
                .recorder
                .record(&self.tap.who, What::Saw { object: object.to_string(), change, version });
        }
    }
}
