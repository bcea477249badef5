//! From events to keys.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use client_rs_cache::{Delivery, EventHandler, Execution, HandlerOptions, Notification};
use client_rs_machinery::{GroupKind, Object, ObjectKey};
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};

use crate::{Event, Predicate};

/// Gives the keys of an event.
pub(crate) type Keys<K> = Box<dyn Fn(&Event<'_, K>) -> Vec<ObjectKey> + Send + Sync>;

/// A handler that puts keys into a queue.
pub(crate) struct Enqueue<K> {
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) predicate: Box<dyn Predicate<K>>,
    pub(crate) keys: Keys<K>,
    pub(crate) controller: Arc<str>,
}

impl<K: Object> Enqueue<K> {
    fn take(&self, notification: &Notification<K>) {
        let event = Event::of(notification);
        let admitted = catch_unwind(AssertUnwindSafe(|| self.predicate.admits(&event)));
        // One reconcile too many harms nobody; one too few may.
        let admitted = admitted.unwrap_or_else(|_| {
            tracing::error!(controller = &*self.controller, key = %event.key(), "a predicate panicked; the event counts");
            true
        });
        if !admitted {
            return;
        }
        let priority = if event.is_old_news() { INITIAL_LIST_PRIORITY } else { 0 };
        for key in (self.keys)(&event) {
            self.queue.add_with(key, AddOptions { priority: Some(priority), ..AddOptions::default() });
        }
    }
}

impl<K: Object> EventHandler<K> for Enqueue<K> {
    fn on_add(&self, object: &Arc<K>, is_initial: bool) {
        self.take(&Notification::Added { object: Arc::clone(object), is_initial });
    }

    fn on_update(&self, old: &Arc<K>, new: &Arc<K>) {
        self.take(&Notification::Updated { old: Arc::clone(old), new: Arc::clone(new) });
    }

    fn on_delete(&self, deleted: &client_rs_cache::Deleted<K>) {
        self.take(&Notification::Deleted(deleted.clone()));
    }
}

/// How a controller listens: without a thread of its own, since putting a key into a queue never blocks.
pub(crate) fn handler_options(controller: &str) -> HandlerOptions {
    HandlerOptions {
        name: Some(format!("controller {controller}")),
        delivery: Delivery::coalesced(),
        execution: Execution::Inline,
        ..HandlerOptions::default()
    }
}

/// The object's own key.
pub(crate) fn own<K: Object>() -> Keys<K> {
    Box::new(|event| vec![event.key()])
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
        keys
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
        let mut keys = Vec::new();
        for object in event.objects() {
            keys.extend(map(object));
        }
        keys.sort_unstable();
        keys.dedup();
        keys
    })
}
