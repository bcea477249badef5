//! The state of a queue behind a lock, with notifications for waiting tasks.

use std::sync::{Arc, PoisonError};

use client_rs_machinery::{Object, ObjectKey, Str};
use tokio::sync::Notify;

use super::queue::{Batch, PopError};
use super::queue_core::QueueCore;
use crate::sync::Mutex;
use crate::{Bookmark, Coverage, Deleted, Delta, Replacement, Tombstone, Transform, TransformError};

/// The number of queued entries from which on the consumer lags: two of its batches.
const LAG: usize = 2_000;

pub(super) struct Shell<K, L> {
    state: Mutex<State<L>>,
    transform: Option<Transform<K>>,
    /// Notified when an entry is queued or the queue is closed.
    filled: Notify,
    /// Notified when a batch is processed that somebody waits for, or the queue is closed.
    emptied: Notify,
    synced: Notify,
}

pub(super) struct State<L> {
    pub(super) core: L,
    closed: bool,
    /// Whether somebody waits for a batch to be processed.
    awaited: bool,
}

impl<K: Object, L: QueueCore<K>> Shell<K, L> {
    pub(super) fn new(core: L, transform: Option<Transform<K>>) -> Self {
        Self {
            state: Mutex::new(State { core, closed: false, awaited: false }),
            transform,
            filled: Notify::new(),
            emptied: Notify::new(),
            synced: Notify::new(),
        }
    }

    pub(super) fn stage(&self, object: K) -> Result<Arc<K>, TransformError> {
        match &self.transform {
            Some(transform) => transform.apply(object).map(Arc::new),
            None => Ok(Arc::new(object)),
        }
    }

    /// Transforms an object and queues it. If the transform fails, queues a stale mark.
    pub(super) fn event(
        &self,
        object: K,
        delta: impl FnOnce(Arc<K>) -> Delta<K>,
    ) -> Result<(), TransformError> {
        let version = self.transform.as_ref().map(|_| Str::from(object.resource_version()));
        match self.stage(object) {
            Ok(object) => {
                self.put(|core| core.event(delta(object)));
                Ok(())
            }
            Err(error) => {
                let resource_version = version.unwrap_or_default();
                self.put(|core| core.event(Delta::Stale { key: error.key.clone(), resource_version }));
                Err(error)
            }
        }
    }

    /// Transforms a last state and queues the deletion. If the transform fails, queues the deletion without the state.
    pub(super) fn delete(&self, object: K) -> Result<(), TransformError> {
        let version = self.transform.as_ref().map(|_| Str::from(object.resource_version()));
        match self.stage(object) {
            Ok(object) => {
                self.put(|core| core.event(Delta::Deleted(Deleted::Object(object))));
                Ok(())
            }
            Err(error) => {
                self.delete_key(error.key.clone(), version.unwrap_or_default());
                Err(error)
            }
        }
    }

    pub(super) fn delete_key(&self, key: ObjectKey, resource_version: Str) {
        let tombstone = Deleted::FinalStateUnknown(Tombstone { key, object: None, resource_version });
        self.put(|core| core.event(Delta::Deleted(tombstone)));
    }

    pub(super) fn stale(&self, key: ObjectKey, resource_version: Str) {
        self.put(|core| core.event(Delta::Stale { key, resource_version }));
    }

    pub(super) fn replace(&self, list: Replacement<K>) {
        self.put(|core| core.replace(list));
    }

    pub(super) fn resync(&self, coverage: Coverage) {
        self.put(|core| core.resync(coverage));
    }

    pub(super) fn bookmark(&self, bookmark: Bookmark) {
        self.put(|core| core.bookmark(bookmark));
    }

    pub(super) async fn pop<E>(
        &self,
        mut process: impl FnMut(&mut Batch<K>) -> Result<(), E> + Send,
    ) -> Result<(), PopError<E>> {
        loop {
            // Registered before the check, so that an entry between the two is not missed.
            let filled = self.filled.notified();
            if let Some(outcome) = self.try_pop(&mut process) {
                return outcome;
            }
            filled.await;
        }
    }

    pub(super) fn try_pop<E>(
        &self,
        mut process: impl FnMut(&mut Batch<K>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>> {
        let (batch, closed) = self.with(|state| (state.core.take(), state.closed));
        let Some(mut batch) = batch else { return closed.then_some(Err(PopError::Closed)) };
        // Also if processing panics: a removed batch is no longer queued.
        let mut taken = Taken { shell: self, left: Vec::new() };
        let outcome = process(&mut batch);
        if outcome.is_err() {
            taken.left = batch.deltas;
        }
        drop(taken);
        Some(outcome.map_err(PopError::Process))
    }

    pub(super) async fn ready(&self) {
        loop {
            let emptied = self.emptied.notified();
            let is_ready = self.with(|state| {
                let is_ready = state.closed || state.core.len() < LAG;
                state.awaited |= !is_ready;
                is_ready
            });
            if is_ready {
                return;
            }
            emptied.await;
        }
    }

    pub(super) async fn synced(&self) {
        loop {
            let synced = self.synced.notified();
            if self.has_synced() {
                return;
            }
            synced.await;
        }
    }

    pub(super) fn has_synced(&self) -> bool {
        self.with(|state| state.core.has_synced())
    }

    pub(super) fn len(&self) -> usize {
        self.with(|state| state.core.len())
    }

    pub(super) fn is_idle(&self) -> bool {
        self.with(|state| state.core.is_idle())
    }

    pub(super) fn close(&self) {
        self.with(|state| state.closed = true);
        // The tasks that wait now, and those that are about to wait.
        self.filled.notify_waiters();
        self.filled.notify_one();
        self.emptied.notify_waiters();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.with(|state| state.closed)
    }

    fn put(&self, change: impl FnOnce(&mut L)) {
        let synced = self.with(|state| state.synced_by(change));
        self.filled.notify_one();
        if synced {
            self.synced.notify_waiters();
        }
    }

    fn done(&self, left: Vec<Delta<K>>) {
        let (synced, awaited) =
            self.with(|state| (state.synced_by(|core| core.done(left)), std::mem::take(&mut state.awaited)));
        if awaited {
            self.emptied.notify_waiters();
        }
        if synced {
            self.synced.notify_waiters();
        }
    }

    pub(super) fn with<R>(&self, f: impl FnOnce(&mut State<L>) -> R) -> R {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<L> State<L> {
    /// Changes the queue. Returns whether every entry of the first list is processed now, and was not before.
    fn synced_by<K>(&mut self, change: impl FnOnce(&mut L)) -> bool
    where
        L: QueueCore<K>,
    {
        let before = self.core.has_synced();
        change(&mut self.core);
        !before && self.core.has_synced()
    }
}

/// A batch that is being processed.
struct Taken<'a, K: Object, L: QueueCore<K>> {
    shell: &'a Shell<K, L>,
    left: Vec<Delta<K>>,
}

impl<K: Object, L: QueueCore<K>> Drop for Taken<'_, K, L> {
    fn drop(&mut self) {
        self.shell.done(std::mem::take(&mut self.left));
    }
}

/// Implements [`Queue`] for a queue by forwarding to its shell.
macro_rules! queue {
    ($name:ident) => {
        impl<K: Object> Queue<K> for $name<K> {
            fn stage(&self, object: K) -> Result<Arc<K>, TransformError> {
                self.shell.stage(object)
            }

            fn add(&self, object: K) -> Result<(), TransformError> {
                self.shell.event(object, Delta::Added)
            }

            fn update(&self, object: K) -> Result<(), TransformError> {
                self.shell.event(object, Delta::Updated)
            }

            fn delete(&self, object: K) -> Result<(), TransformError> {
                self.shell.delete(object)
            }

            fn delete_key(&self, key: ObjectKey, resource_version: Str) {
                self.shell.delete_key(key, resource_version);
            }

            fn replace(&self, replacement: Replacement<K>) {
                self.shell.replace(replacement);
            }

            fn resync(&self, coverage: Coverage) {
                self.shell.resync(coverage);
            }

            fn bookmark(&self, bookmark: Bookmark) {
                self.shell.bookmark(bookmark);
            }

            fn stale(&self, key: ObjectKey, resource_version: Str) {
                self.shell.stale(key, resource_version);
            }

            fn pop<E: Send>(
                &self,
                process: impl FnMut(&mut Batch<K>) -> Result<(), E> + Send,
            ) -> impl Future<Output = Result<(), PopError<E>>> + Send {
                self.shell.pop(process)
            }

            fn try_pop<E>(
                &self,
                process: impl FnMut(&mut Batch<K>) -> Result<(), E>,
            ) -> Option<Result<(), PopError<E>>> {
                self.shell.try_pop(process)
            }

            fn ready(&self) -> impl Future<Output = ()> + Send {
                self.shell.ready()
            }

            fn has_synced(&self) -> bool {
                self.shell.has_synced()
            }

            fn synced(&self) -> impl Future<Output = ()> + Send {
                self.shell.synced()
            }

            fn len(&self) -> usize {
                self.shell.len()
            }

            fn is_idle(&self) -> bool {
                self.shell.is_idle()
            }

            fn close(&self) {
                self.shell.close();
            }

            fn is_closed(&self) -> bool {
                self.shell.is_closed()
            }
        }

        impl<K: Object> fmt::Debug for $name<K> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name))
                    .field("len", &self.shell.len())
                    .field("has_synced", &self.shell.has_synced())
                    .field("closed", &self.shell.is_closed())
                    .finish()
            }
        }
    };
}

pub(super) use queue;
