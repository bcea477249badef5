//! Handlers that map events to keys and enqueue them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use client_rs_cache::{EventHandler, HandlerOptions, Notification};
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{GroupKind, Object, ObjectKey, Str, WrittenObject};
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};

use crate::Predicate;
use crate::own_writes::OwnWrites;
use crate::recorder::{Cause, Log, Source, StagedEvent, StagedVerdict, What, kind_of, version_number};

/// A function from an object to keys.
type MapToKeys<K> = Box<dyn Fn(&Arc<K>) -> Vec<ObjectKey> + Send + Sync>;

/// How the objects of a source map to keys of the controller.
pub(crate) enum Keys<K> {
    /// To their own key.
    Own,
    /// To the owners of a kind.
    Owners { kind: GroupKind, namespaced: bool, controllers_only: bool },
    /// To the keys that a function returns.
    Mapped { map: MapToKeys<K>, decode: fn(Format, &[u8]) -> Option<K> },
    /// To none: the controller only reads them.
    None,
}

/// The keys that an event affects.
pub(crate) struct Mapped {
    keys: Vec<ObjectKey>,
    /// Whether the mapping function panicked for one of the states, so that keys may be missing.
    panicked: bool,
}

/// A handler that enqueues keys.
///
/// It is notified of every event, one by one. The predicate and the mapping to keys see each event; only then does the queue
/// deduplicate keys. So the keys of every state that the cache had are enqueued, including those of an object that was gone
/// again before this handler ran: a reconcile may have seen it in the cache.
pub(crate) struct Enqueue<K> {
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) predicate: Box<dyn Predicate<K>>,
    pub(crate) keys: Arc<Keys<K>>,
    /// The own writes that wait for this source, and its position among the caches.
    pub(crate) own_writes: Arc<OnceLock<Arc<OwnWrites>>>,
    pub(crate) cache: usize,
    /// The keys of all primary objects.
    pub(crate) primary: Arc<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    pub(crate) controller: Arc<str>,
    /// How long a key waits in the queue for further events.
    pub(crate) debounce: Duration,
    pub(crate) log: Log,
    pub(crate) source: Arc<Source>,
}

impl<K: Object> EventHandler<K> for Enqueue<K> {
    fn handle(&self, event: &Notification<K>) {
        self.log.attention.active();
        if let Some(own_writes) = self.own_writes.get() {
            own_writes.seen(self.cache, || event.key());
        }
        let version = version_of(event);
        self.source.saw(version);
        if matches!(*self.keys, Keys::None) {
            return;
        }
        let refused = catch_unwind(AssertUnwindSafe(|| self.predicate.refused_by(event)));
        let predicate_panicked = refused.is_err();
        // An extra reconcile is harmless; a missing one may not be.
        let refused = refused.unwrap_or_else(|_| {
            tracing::error!(controller = &*self.controller, key = %event.key(), "predicate panicked; the event is admitted");
            None
        });
        if let Some(part) = refused {
            let part = u8::try_from(part).unwrap_or(u8::MAX);
            return self.record(event, version, || StagedVerdict::Refused { part }, false);
        }
        let priority = if event.is_replay() { INITIAL_LIST_PRIORITY } else { 0 };
        let Mapped { keys, panicked } = self.keys.of_event(event);
        let verdict = || match *self.keys {
            Keys::Own => StagedVerdict::Own,
            _ => StagedVerdict::mapped(&keys),
        };
        // Before the key is in the queue: its run comes after.
        self.record(event, version, verdict, panicked || predicate_panicked);
        self.add(keys, priority);
        if panicked {
            tracing::error!(
                controller = &*self.controller, key = %event.key(),
                "the function that maps a watched object to keys panicked; enqueueing all primary objects"
            );
            let all = (self.primary)();
            let count = all.len() as u64;
            self.log.write(What::EnqueuedAll { cause: Cause::MappingPanicked, count });
            self.add(all, INITIAL_LIST_PRIORITY);
        }
    }
}

impl<K> Enqueue<K> {
    fn add(&self, keys: Vec<ObjectKey>, priority: i32) {
        let own_writes = self.own_writes.get().filter(|_| self.debounce.is_zero());
        for key in keys {
            if own_writes.is_some_and(|own_writes| own_writes.holds_back(&key)) {
                continue;
            }
            self.queue.add_with(key, AddOptions::default().with_priority(priority).with_after(self.debounce));
        }
    }
}

impl<K: Object> Enqueue<K> {
    fn record(
        &self,
        event: &Notification<K>,
        version: u64,
        verdict: impl FnOnce() -> StagedVerdict,
        panicked: bool,
    ) {
        if self.log.is_off() {
            return;
        }
        let (kind, changed) = kind_of(event);
        self.log.record_event(StagedEvent {
            at: self.log.now(),
            controller: self.log.controller,
            source: u8::try_from(self.cache).unwrap_or(u8::MAX),
            kind,
            changed,
            panicked,
            version,
            object: event.key(),
            verdict: verdict(),
        });
    }
}

/// The version after an event, as a number; zero if it is not one.
fn version_of<K: Object>(event: &Notification<K>) -> u64 {
    let object = match event {
        Notification::Added { object, .. } | Notification::Updated { new: object, .. } => Some(object),
        Notification::Deleted(deleted) => deleted.object(),
    };
    object.map_or(0, |object| version_number(object.resource_version()))
}

/// The options of a controller's handlers: every event is delivered, and on the informer's task, because enqueueing a key
/// never blocks. Backpressure: while a handler is more than 1,024 events behind, its informer waits for it.
pub(crate) fn handler_options(controller: &str) -> HandlerOptions {
    HandlerOptions::enqueueing().with_name(format!("controller {controller}"))
}

impl<K: Object> Keys<K> {
    /// The keys that a function returns.
    pub(crate) fn mapped<F, I>(map: F) -> Self
    where
        K: Payload,
        F: Fn(&Arc<K>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        Self::Mapped {
            map: Box::new(move |object| map(object).into_iter().collect()),
            decode: |format, body| K::decode(format, body, &mut Decoding::new()).ok(),
        }
    }

    /// The keys of an event: those of the old and of the new state, because an object that gets another owner affects both.
    fn of_event(&self, event: &Notification<K>) -> Mapped {
        if let Self::Own = self {
            return Mapped { keys: vec![event.key()], panicked: false };
        }
        let mut mapped = Mapped { keys: Vec::new(), panicked: false };
        for object in event.objects() {
            // The keys of the other state are still used.
            mapped.panicked |=
                catch_unwind(AssertUnwindSafe(|| self.of_object(object, &mut mapped.keys))).is_err();
        }
        if mapped.keys.len() > 1 {
            mapped.keys.sort_unstable();
            mapped.keys.dedup();
        }
        mapped
    }

    /// The keys of an object that was written, as the server returned it, and as the cache has it.
    pub(crate) fn of_written(
        &self,
        key: &ObjectKey,
        written: &WrittenObject<'_>,
        cached: Option<&Arc<K>>,
    ) -> Vec<ObjectKey> {
        let mut keys = self.of_key(key, cached);
        match self {
            Self::Own | Self::None => {}
            Self::Owners { .. } => self.of_owned(written.metadata, &mut keys),
            Self::Mapped { decode, .. } => {
                if let Some(object) = decode(written.format, written.body).map(Arc::new) {
                    // A panic is reported when the event arrives.
                    let _ = catch_unwind(AssertUnwindSafe(|| self.of_object(&object, &mut keys)));
                }
            }
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// The keys of an object that is known only by its key and by its state in the cache.
    pub(crate) fn of_key(&self, key: &ObjectKey, cached: Option<&Arc<K>>) -> Vec<ObjectKey> {
        let mut keys = Vec::new();
        if let Self::Own = self {
            keys.push(key.clone());
        } else if let Some(cached) = cached {
            let _ = catch_unwind(AssertUnwindSafe(|| self.of_object(cached, &mut keys)));
        }
        keys
    }

    fn of_object(&self, object: &Arc<K>, keys: &mut Vec<ObjectKey>) {
        match self {
            Self::Own => keys.push(object.key()),
            Self::Owners { .. } => self.of_owned(&**object, keys),
            Self::Mapped { map, .. } => keys.extend(map(object)),
            Self::None => {}
        }
    }

    fn of_owned(&self, object: &dyn Object, keys: &mut Vec<ObjectKey>) {
        let Self::Owners { kind, namespaced, controllers_only } = self else { return };
        let is_owner = |api_version: &str, named: &str, controls: bool| {
            let group = api_version.split_once('/').map_or("", |(group, _)| group);
            named == kind.kind && group == kind.group && (controls || !controllers_only)
        };
        // The texts of our own metadata are shared.
        if let Some(meta) = object.meta().as_object_meta() {
            for owner in &meta.owner_references {
                if is_owner(&owner.api_version, &owner.kind, owner.controller == Some(true)) {
                    let namespace = if *namespaced { meta.namespace.clone() } else { Str::EMPTY };
                    keys.push(ObjectKey { namespace, name: owner.name.clone() });
                }
            }
            return;
        }
        for owner in object.meta().owner_references() {
            if is_owner(owner.api_version, owner.kind, owner.controller) {
                let namespace = if *namespaced { object.namespace() } else { "" };
                keys.push(ObjectKey::new(namespace, owner.name));
            }
        }
    }
}
