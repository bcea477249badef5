//! A server in memory for the tests of this crate: lists, pages, watches, streamed lists, and faults on demand.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{DecodeError, DecodeErrorKind, ListSummary, WatchEvent, WatchEventType};
use client_rs_machinery::{
    ApiError, ErrorCause, ErrorDetails, ErrorStatus, Object, ObjectKey, StatusReason, Str,
};
use futures_core::Stream;
use tokio::sync::mpsc;

use crate::fixtures::{TestObject, plain};
use crate::{BoxFuture, FetchContext, FetchError, Incoming, ItemSink, ListWatch, Undecodable, WatchStream};

type Item = Result<WatchEvent<Incoming<TestObject>, ApiError>, FetchError>;

/// The data of an object that does not decode.
pub(crate) const GARBAGE: &str = "garbage";

/// The server; a clone is another handle.
#[derive(Clone, Default)]
pub(crate) struct FakeServer {
    state: Arc<Mutex<State>>,
    /// Restricts a client to this namespace.
    namespace: Option<Str>,
}

#[derive(Default)]
struct State {
    version: u64,
    objects: BTreeMap<ObjectKey, TestObject>,
    log: Vec<(u64, WatchEventType, TestObject)>,
    /// The server has dropped all events up to this version.
    compacted: u64,
    watches: Vec<(mpsc::UnboundedSender<Item>, Option<Str>)>,
    requests: Vec<String>,
    selectors: Vec<Str>,
    watch_timeouts: Vec<i64>,
    list_faults: VecDeque<ListFault>,
    watch_faults: VecDeque<WatchFault>,
    no_streams: bool,
    no_watch_cache: bool,
    dropped_watches: usize,
    marker: Option<String>,
}

/// A fault of a list.
#[derive(Clone, Debug)]
pub(crate) enum ListFault {
    /// It fails at once.
    Fails(FetchError),
    /// It fails after some items.
    CutAfter(usize),
    /// It never responds.
    Hangs,
    /// It returns a Table.
    Table,
    /// It succeeds, but then the server drops its history: the following pages have expired.
    ThenForgets,
}

/// A fault of a watch.
#[derive(Clone, Debug)]
pub(crate) enum WatchFault {
    /// It can't be opened.
    Fails(FetchError),
    /// It ends as soon as it is open, without an event.
    Ends,
    /// It sends some of its events, then ends.
    EndsAfter(usize),
    /// It opens and never sends an event.
    Mute,
    /// It sends this error and ends.
    Says(ApiError),
}

impl FakeServer {
    /// Makes a server with objects of these names, each at a version of its own.
    pub(crate) fn with(names: &[&str]) -> Self {
        let server = Self::default();
        for name in names {
            server.put(name, "");
        }
        server
    }

    /// Returns a client of the same server, restricted to one namespace.
    pub(crate) fn in_namespace(&self, namespace: &str) -> Self {
        Self { state: self.state.clone(), namespace: Some(namespace.into()) }
    }

    /// Creates or changes an object of namespace `ns`.
    pub(crate) fn put(&self, name: &str, data: &str) {
        self.put_in("ns", name, data);
    }

    /// Creates or changes an object.
    pub(crate) fn put_in(&self, namespace: &str, name: &str, data: &str) {
        let mut state = self.lock();
        state.version += 1;
        let mut object = plain(name, state.version);
        object.metadata.namespace = namespace.into();
        object.data = data.to_owned();
        let old = state.objects.insert(object.key(), object.clone());
        state.happen(if old.is_none() { WatchEventType::Added } else { WatchEventType::Modified }, object);
    }

    /// Deletes an object of namespace `ns`, if it exists.
    pub(crate) fn delete(&self, name: &str) {
        self.delete_in("ns", name);
    }

    /// Deletes an object, if it exists.
    pub(crate) fn delete_in(&self, namespace: &str, name: &str) {
        let mut state = self.lock();
        let Some(mut object) = state.objects.remove(&ObjectKey::new(namespace, name)) else { return };
        state.version += 1;
        object.metadata.resource_version = state.version.to_string().into();
        state.happen(WatchEventType::Deleted, object);
    }

    /// Sends a bookmark to all watches.
    pub(crate) fn bookmark(&self) {
        let mut state = self.lock();
        state.version += 1;
        let resource_version = state.version.to_string().into();
        state.say(|| WatchEvent::Bookmark {
            resource_version: Str::clone(&resource_version),
            initial_events_end: false,
        });
    }

    /// Sends an event to all watches.
    pub(crate) fn say(&self, item: &WatchEvent<Incoming<TestObject>, ApiError>) {
        self.lock().say(|| item.clone());
    }

    /// Ends all watches.
    pub(crate) fn end_watches(&self) {
        self.lock().watches.clear();
    }

    /// Ends all watches with an error of the server.
    pub(crate) fn break_watches(&self, error: &ApiError) {
        let mut state = self.lock();
        state.say(|| WatchEvent::Error(error.clone()));
        state.watches.clear();
    }

    /// Drops the history: watches can only begin at the current version.
    pub(crate) fn compact(&self) {
        let mut state = self.lock();
        state.compacted = state.version;
        state.log.clear();
    }

    /// Sets the version back, as a restore from a backup does; the objects stay.
    pub(crate) fn rewind(&self, version: u64) {
        let mut state = self.lock();
        state.version = version;
        state.compacted = 0;
        state.log.clear();
        let objects: Vec<_> = state.objects.values().cloned().collect();
        for (number, mut object) in (version..).zip(objects) {
            object.metadata.resource_version = (number + 1).to_string().into();
            object.metadata.uid = format!("{}-again", object.metadata.uid).into();
            state.version = number + 1;
            state.objects.insert(object.key(), object);
        }
        state.watches.clear();
    }

    pub(crate) fn list_fault(&self, fault: ListFault) {
        self.lock().list_faults.push_back(fault);
    }

    pub(crate) fn watch_fault(&self, fault: WatchFault) {
        self.lock().watch_faults.push_back(fault);
    }

    /// Drops the faults that have not happened yet.
    pub(crate) fn heal(&self) {
        let mut state = self.lock();
        state.list_faults.clear();
        state.watch_faults.clear();
    }

    /// Refuses streamed lists.
    pub(crate) fn without_streams(self) -> Self {
        self.lock().no_streams = true;
        self
    }

    /// Returns lists at version 0 in pages too.
    pub(crate) fn without_watch_cache(self) -> Self {
        self.lock().no_watch_cache = true;
        self
    }

    /// Marks the end of a streamed list by this value of the annotation instead of `true`.
    pub(crate) fn with_marker(self, value: &str) -> Self {
        self.lock().marker = Some(value.to_owned());
        self
    }

    /// Returns the requests since the last call.
    pub(crate) fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.lock().requests)
    }

    /// Returns the label selectors of all requests.
    pub(crate) fn selectors(&self) -> Vec<Str> {
        self.lock().selectors.clone()
    }

    /// Returns the requested duration of each watch, in seconds.
    pub(crate) fn watch_timeouts(&self) -> Vec<i64> {
        self.lock().watch_timeouts.clone()
    }

    pub(crate) fn open_watches(&self) -> usize {
        let mut state = self.lock();
        state.watches.retain(|(watch, _)| !watch.is_closed());
        state.watches.len()
    }

    /// Returns the number of watches that the client has dropped.
    pub(crate) fn dropped_watches(&self) -> usize {
        self.lock().dropped_watches
    }

    /// Returns the keys and versions of all objects that decode, and the keys of the others.
    pub(crate) fn content(&self) -> BTreeMap<ObjectKey, Option<String>> {
        let state = self.lock();
        let objects = state.objects.iter().filter(|(key, _)| self.covers(&key.namespace));
        objects
            .map(|(key, object)| {
                let version = (object.data != GARBAGE).then(|| object.resource_version().to_owned());
                (key.clone(), version)
            })
            .collect()
    }

    fn covers(&self, namespace: &str) -> bool {
        self.namespace.as_ref().is_none_or(|own| own == namespace)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn list_now(
        &self,
        options: &ListOptions,
        items: ItemSink<'_, TestObject>,
    ) -> Result<ListSummary, Option<FetchError>> {
        let mut state = self.lock();
        state.selectors.push(options.label_selector.clone());
        let token = if options.continue_.is_empty() {
            String::new()
        } else {
            format!(" continue={}", options.continue_)
        };
        let exact = if options.resource_version_match.is_empty() {
            String::new()
        } else {
            format!(" {}", options.resource_version_match)
        };
        state
            .requests
            .push(format!("LIST rv={} limit={}{token}{exact}", options.resource_version, options.limit));
        let (mut cut, mut forgets) = (usize::MAX, false);
        match state.list_faults.pop_front() {
            Some(ListFault::Fails(error)) => return Err(Some(error)),
            Some(ListFault::CutAfter(count)) => cut = count,
            Some(ListFault::Hangs) => return Err(None),
            Some(ListFault::Table) => {
                return Ok(ListSummary {
                    api_version: "meta.k8s.io/v1".into(),
                    kind: "Table".into(),
                    ..ListSummary::default()
                });
            }
            Some(ListFault::ThenForgets) => forgets = true,
            None => (),
        }
        if options.resource_version.parse::<u64>().is_ok_and(|version| version > state.version) {
            return Err(Some(too_large()));
        }
        let mut objects: Vec<_> =
            state.objects.values().filter(|object| self.covers(object.namespace())).cloned().collect();
        let mut version = state.version;
        if let Some((at, key)) = options.continue_.split_once(':') {
            version = at.parse().unwrap();
            if version < state.compacted {
                return Err(Some(expired()));
            }
            objects.retain(|object| object.key().to_string().as_str() > key);
        }
        let served_whole = options.resource_version == "0" && !state.no_watch_cache;
        let limit = usize::try_from(options.limit).unwrap();
        let mut continue_token = Str::EMPTY;
        if limit > 0 && objects.len() > limit && !served_whole {
            objects.truncate(limit);
            continue_token = format!("{version}:{}", objects[limit - 1].key()).into();
        }
        let count = objects.len();
        if forgets {
            state.version += 1;
            state.compacted = state.version;
        }
        for (index, object) in objects.into_iter().enumerate() {
            if index >= cut {
                return Err(Some(FetchError::Disconnected(Arc::new(std::io::Error::from(
                    std::io::ErrorKind::ConnectionReset,
                )))));
            }
            items(incoming(object));
        }
        if cut != usize::MAX {
            return Err(Some(FetchError::Disconnected(Arc::new(std::io::Error::from(
                std::io::ErrorKind::ConnectionReset,
            )))));
        }
        Ok(ListSummary {
            resource_version: version.to_string().into(),
            continue_token,
            items: count,
            ..ListSummary::default()
        })
    }

    fn watch_now(&self, options: &ListOptions) -> Result<WatchStream<TestObject>, FetchError> {
        let mut state = self.lock();
        state.selectors.push(options.label_selector.clone());
        state.watch_timeouts.push(options.timeout_seconds.unwrap_or(0));
        let stream = options.send_initial_events == Some(true);
        let word = if stream { "STREAM" } else { "WATCH" };
        state.requests.push(format!("{word} rv={}", options.resource_version));
        let fault = state.watch_faults.pop_front();
        if let Some(WatchFault::Fails(error)) = fault {
            return Err(error);
        }
        if stream && state.no_streams {
            return Err(ApiError::bad_request("sendInitialEvents is forbidden for watch").into());
        }
        let from: u64 = options.resource_version.parse().unwrap_or(0);
        if from > state.version {
            return Err(too_large());
        }
        let (sender, receiver) = mpsc::unbounded_channel();
        let mut items = Vec::new();
        if stream || from == 0 {
            let objects = state.objects.values().filter(|object| self.covers(object.namespace()));
            items.extend(objects.map(|object| WatchEvent::Added(incoming(object.clone()))));
            if stream {
                let marker = state.marker.as_deref().unwrap_or("true") == "true";
                items.push(WatchEvent::Bookmark {
                    resource_version: state.version.to_string().into(),
                    initial_events_end: marker,
                });
            }
        } else if from < state.compacted {
            items.push(WatchEvent::Error(ApiError::resource_expired("too old resource version")));
        } else {
            let since = state
                .log
                .iter()
                .filter(|(version, _, object)| *version > from && self.covers(object.namespace()));
            items.extend(since.map(|(_, kind, object)| event(kind, object.clone())));
        }
        let mut open = true;
        match fault {
            Some(WatchFault::Ends) => (items, open) = (Vec::new(), false),
            Some(WatchFault::EndsAfter(count)) => {
                items.truncate(count);
                open = false;
            }
            Some(WatchFault::Mute) => {
                // It owns its own sender: it sends no event and never ends.
                let watch = Watch { items: receiver, server: self.clone(), _sender: Some(sender) };
                return Ok(Box::pin(watch));
            }
            Some(WatchFault::Says(error)) => (items, open) = (vec![WatchEvent::Error(error)], false),
            Some(WatchFault::Fails(_)) | None => (),
        }
        for item in items {
            let _ = sender.send(Ok(item));
        }
        if open {
            state.watches.push((sender, self.namespace.clone()));
        }
        Ok(Box::pin(Watch { items: receiver, server: self.clone(), _sender: None }))
    }
}

impl State {
    fn happen(&mut self, kind: WatchEventType, object: TestObject) {
        let item = event(&kind, object.clone());
        self.watches.retain(|(watch, namespace)| {
            let covered = namespace.as_ref().is_none_or(|namespace| namespace == object.namespace());
            if covered { watch.send(Ok(item.clone())).is_ok() } else { !watch.is_closed() }
        });
        self.log.push((self.version, kind, object));
    }

    fn say(&mut self, item: impl Fn() -> WatchEvent<Incoming<TestObject>, ApiError>) {
        self.watches.retain(|(watch, _)| watch.send(Ok(item())).is_ok());
    }
}

impl ListWatch<TestObject> for FakeServer {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<TestObject>,
        items: ItemSink<'a, TestObject>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        Box::pin(async move {
            // Never at once, as real servers, so that other tasks get their turn.
            tokio::task::yield_now().await;
            match self.list_now(&options, items) {
                Ok(summary) => Ok(summary),
                Err(Some(error)) => Err(error),
                Err(None) => std::future::pending().await,
            }
        })
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<TestObject>,
    ) -> BoxFuture<'a, Result<WatchStream<TestObject>, FetchError>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            self.watch_now(&options)
        })
    }
}

struct Watch {
    items: mpsc::UnboundedReceiver<Item>,
    server: FakeServer,
    _sender: Option<mpsc::UnboundedSender<Item>>,
}

impl Stream for Watch {
    type Item = Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Item>> {
        self.items.poll_recv(cx)
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.server.lock().dropped_watches += 1;
    }
}

fn event(kind: &WatchEventType, object: TestObject) -> WatchEvent<Incoming<TestObject>, ApiError> {
    match kind {
        WatchEventType::Added => WatchEvent::Added(incoming(object)),
        WatchEventType::Deleted => WatchEvent::Deleted(incoming(object)),
        _ => WatchEvent::Modified(incoming(object)),
    }
}

fn incoming(object: TestObject) -> Incoming<TestObject> {
    if object.data == GARBAGE {
        return Incoming::Undecodable(Undecodable {
            key: object.key(),
            resource_version: object.resource_version().into(),
            error: DecodeError::new(DecodeErrorKind::Truncated),
        });
    }
    Incoming::Object(object)
}

pub(crate) fn expired() -> FetchError {
    ApiError::resource_expired("too old resource version").into()
}

pub(crate) fn too_large() -> FetchError {
    ApiError::new(ErrorStatus {
        code: 504,
        reason: StatusReason::Timeout,
        message: "Too large resource version".into(),
        details: Some(ErrorDetails { causes: Vec::<ErrorCause>::new().into(), ..ErrorDetails::default() }),
        unexpected_object: false,
    })
    .into()
}
