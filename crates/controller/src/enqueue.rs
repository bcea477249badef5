//! Handlers that map events to keys and enqueue them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_cache::{EventHandler, HandlerOptions, Notification};
use client_rs_machinery::{GroupKind, Object, ObjectKey};
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};

use crate::Predicate;

/// A function that returns the keys of an event.
pub(crate) type Keys<K> = Box<dyn Fn(&Notification<K>) -> Mapped + Send + Sync>;

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
    pub(crate) keys: Keys<K>,
    /// The keys of all primary objects.
    pub(crate) primary: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    pub(crate) controller: Arc<str>,
}

impl<K: Object> EventHandler<K> for Enqueue<K> {
    fn handle(&self, event: &Notification<K>) {
        let admitted = catch_unwind(AssertUnwindSafe(|| self.predicate.admits(event)));
        // An extra reconcile is harmless; a missing one may not be.
        let admitted = admitted.unwrap_or_else(|_| {
            tracing::error!(controller = &*self.controller, key = %event.key(), "predicate panicked; the event is admitted");
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
                "the function that maps a watched object to keys panicked; enqueueing all primary objects"
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

/// The options of a controller's handlers: every event is delivered, and on the informer's task, because enqueueing a key
/// never blocks. Backpressure: while a handler is more than 1,024 events behind, its informer waits for it.
pub(crate) fn handler_options(controller: &str) -> HandlerOptions {
    HandlerOptions::enqueueing().with_name(format!("controller {controller}"))
}

/// Maps an event to the key of its object.
pub(crate) fn own<K: Object>() -> Keys<K> {
    Box::new(|event| Mapped { keys: vec![event.key()], panicked: false })
}

/// Maps an event to the keys of the owners of a kind, in the old and in the new state: an object that gets another owner
/// affects both.
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

/// Maps an event to the keys that a function returns for the old and for the new state.
pub(crate) fn mapped<K, F, I>(map: F) -> Keys<K>
where
    K: Object,
    F: Fn(&Arc<K>) -> I + Send + Sync + 'static,
    I: IntoIterator<Item = ObjectKey>,
{
    Box::new(move |event| {
        let (mut keys, mut panicked) = (Vec::new(), false);
        for object in event.objects() {
            // The keys of the other state are still used.
            panicked |= catch_unwind(AssertUnwindSafe(|| keys.extend(map(object)))).is_err();
        }
        keys.sort_unstable();
        keys.dedup();
        Mapped { keys, panicked }
    })
}
