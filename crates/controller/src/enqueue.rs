//! From events to keys.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_cache::{EventHandler, HandlerOptions, Notification};
use client_rs_machinery::{GroupKind, Object, ObjectKey};
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};

use crate::Predicate;

/// Gives the keys of an event.
pub(crate) type Keys<K> = Box<dyn Fn(&Notification<K>) -> Mapped + Send + Sync>;

/// The keys that an event concerns.
pub(crate) struct Mapped {
    keys: Vec<ObjectKey>,
    /// The function that gives them panicked for one of the states, so there may be more.
    panicked: bool,
}

/// A handler that puts keys into a queue.
///
/// It is notified of every event, one by one: what a predicate admits and which keys an event concerns is decided
/// before anything is merged. Equal keys are merged by the queue. So the keys of every state that the cache had are
/// queued, also of an object that was gone again before this handler's turn: a reconcile may have seen it in the cache.
pub(crate) struct Enqueue<K> {
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) predicate: Box<dyn Predicate<K>>,
    pub(crate) keys: Keys<K>,
    /// The keys of all primary objects.
    pub(crate) primary: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    pub(crate) controller: Arc<str>,
}

impl<K: Object> EventHandler<K> for Enqueue<K> {
    fn handle(&self, event: &Notification<K>) {
        let admitted = catch_unwind(AssertUnwindSafe(|| self.predicate.admits(event)));
        // One reconcile too many harms nobody; one too few may.
        let admitted = admitted.unwrap_or_else(|_| {
            tracing::error!(controller = &*self.controller, key = %event.key(), "a predicate panicked; the event counts");
            true
        });
        if !admitted {
            return;
        }
        let priority = if event.is_replay() { INITIAL_LIST_PRIORITY } else { 0 };
        let Mapped { keys, panicked } = (self.keys)(event);
        self.add(keys, priority);
        if panicked {
            tracing::error!(
                controller = &*self.controller, key = %event.key(),
                "the function that maps a watched object to keys panicked; all primary objects are queued"
            );
            self.add((self.primary)(), INITIAL_LIST_PRIORITY);
        }
    }
}

impl<K> Enqueue<K> {
    fn add(&self, keys: Vec<ObjectKey>, priority: i32) {
        for key in keys {
            self.queue.add_with(key, AddOptions::default().with_priority(priority));
        }
    }
}

/// How a controller listens: to every event, and without a thread of its own, since putting a key into a queue never
/// blocks. While it is behind by more than 1,024 events its informer waits for it.
pub(crate) fn handler_options(controller: &str) -> HandlerOptions {
    HandlerOptions::enqueueing().with_name(format!("controller {controller}"))
}

/// The object's own key.
pub(crate) fn own<K: Object>() -> Keys<K> {
    Box::new(|event| Mapped { keys: vec![event.key()], panicked: false })
}

/// The keys of owners of a kind, before and after: an object that changes hands concerns both.
pub(crate) fn owners<K: Object>(kind: GroupKind, namespaced: bool, controllers_only: bool) -> Keys<K> {
    Box::new(move |event| {
        let mut keys = Vec::new();
        for object in event.objects() {
            for owner in object.meta().owner_references() {
                let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
                if owner.kind != kind.kind || group != kind.group || (controllers_only && !owner.controller) {
                    continue;
                }
                let namespace = if namespaced { object.namespace() } else { "" };
                let key = ObjectKey::new(namespace, owner.name);
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        Mapped { keys, panicked: false }
    })
}

/// What a function gives for the object before and after.
pub(crate) fn mapped<K, F, I>(map: F) -> Keys<K>
where
    K: Object,
    F: Fn(&Arc<K>) -> I + Send + Sync + 'static,
    I: IntoIterator<Item = ObjectKey>,
{
    Box::new(move |event| {
        let (mut keys, mut panicked) = (Vec::new(), false);
        for object in event.objects() {
            // What it gave for the other state counts all the same.
            panicked |= catch_unwind(AssertUnwindSafe(|| keys.extend(map(object)))).is_err();
        }
        keys.sort_unstable();
        keys.dedup();
        Mapped { keys, panicked }
    })
}
