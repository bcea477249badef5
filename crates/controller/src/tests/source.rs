//! A collection that can be listed and watched.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use client_rs_cache::{FetchError, Incoming, ListWatch, Page, SharedInformer, WatchStream, list_watch};
use client_rs_machinery::meta::v1::{ObjectMeta, OwnerReference, PartialObjectMetadata};
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{ApiError, Object, ObjectKey};
use futures_util::stream;
use tokio::sync::{broadcast, watch};

pub(super) type Thing = PartialObjectMetadata;

#[derive(Clone)]
pub(super) struct Source {
    state: Arc<Mutex<State>>,
    events: broadcast::Sender<WatchEvent<Incoming<Thing>, ApiError>>,
}

#[derive(Default)]
struct State {
    revision: u64,
    things: BTreeMap<ObjectKey, Thing>,
}

impl Source {
    pub(super) fn new() -> Self {
        Self { state: Arc::default(), events: broadcast::channel(100_000).0 }
    }

    /// Creates or changes an object.
    pub(super) fn put(&self, mut thing: Thing) {
        let mut state = self.state.lock().unwrap();
        state.revision += 1;
        thing.metadata.resource_version = state.revision.to_string().into();
        let old = state.things.insert(thing.key(), thing.clone());
        let item = Incoming::Object(thing);
        let _ = self.events.send(if old.is_some() {
            WatchEvent::Modified(item)
        } else {
            WatchEvent::Added(item)
        });
    }

    pub(super) fn delete(&self, key: &ObjectKey) {
        let mut state = self.state.lock().unwrap();
        state.revision += 1;
        if let Some(mut thing) = state.things.remove(key) {
            thing.metadata.resource_version = state.revision.to_string().into();
            let _ = self.events.send(WatchEvent::Deleted(Incoming::Object(thing)));
        }
    }

    pub(super) fn list_watch(&self) -> impl ListWatch<Thing> + use<> {
        self.lagging_list_watch(watch::Sender::new(false))
    }

    /// Like [`list_watch`](Self::list_watch); no event arrives while `lags` is true.
    pub(super) fn lagging_list_watch(&self, lags: watch::Sender<bool>) -> impl ListWatch<Thing> + use<> {
        let (lists, watches) = (self.clone(), self.clone());
        let list = move |_| {
            let state = lists.state.lock().unwrap();
            let page = Page {
                items: state.things.values().cloned().collect(),
                resource_version: state.revision.to_string().into(),
                continue_token: "".into(),
            };
            async move { Ok(page) }
        };
        // No event is missed between a list and its watch, because the tests do not change objects during a list.
        let watch = move |_| {
            let state = (watches.events.subscribe(), lags.clone());
            let stream = stream::unfold(state, |(mut events, lags)| async {
                let item = events.recv().await.ok()?;
                let _ = lags.subscribe().wait_for(|lags| !lags).await;
                Some((Ok::<_, FetchError>(item), (events, lags)))
            });
            async move { Ok(Box::pin(stream) as WatchStream<Thing>) }
        };
        list_watch(list, watch).without_watch_list()
    }

    /// The version of the collection.
    pub(super) fn revision(&self) -> u64 {
        self.state.lock().unwrap().revision
    }

    /// The version of an object.
    pub(super) fn version_of(&self, key: &ObjectKey) -> Option<u64> {
        self.state.lock().unwrap().things.get(key)?.metadata.resource_version.parse().ok()
    }

    pub(super) fn informer(&self) -> SharedInformer<Thing> {
        SharedInformer::new(self.list_watch())
    }
}

pub(super) fn thing(name: &str) -> Thing {
    Thing { metadata: ObjectMeta { name: name.into(), namespace: "n".into(), ..ObjectMeta::EMPTY } }
}

pub(super) fn owned(name: &str, kind: &str, owner: &str, controller: bool) -> Thing {
    let mut thing = thing(name);
    thing.metadata.owner_references = [OwnerReference {
        api_version: "apps/v1".into(),
        kind: kind.into(),
        name: owner.into(),
        uid: "u".into(),
        controller: Some(controller),
        ..OwnerReference::EMPTY
    }]
    .into();
    thing
}

pub(super) fn key(name: &str) -> ObjectKey {
    ObjectKey::new("n", name)
}
