//! A plain in-order queue.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::{Object, ObjectKey, Str};
use tokio::sync::{Notify, watch};

use crate::{
    Batch, Bookmark, Coverage, Deleted, Delta, PopError, Queue, Replacement, Tombstone, Transform, TransformError,
};

pub(crate) struct InterimQueue<K> {
    state: Mutex<State<K>>,
    transform: Option<Transform<K>>,
    wake: Notify,
    synced: watch::Sender<bool>,
}

struct State<K> {
    deltas: VecDeque<Delta<K>>,
    closed: bool,
}

impl<K: Object> InterimQueue<K> {
    pub(crate) fn new(transform: Option<Transform<K>>) -> Self {
        Self {
            state: Mutex::new(State { deltas: VecDeque::new(), closed: false }),
            transform,
            wake: Notify::new(),
            synced: watch::Sender::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, delta: Delta<K>) {
        self.lock().deltas.push_back(delta);
        self.wake.notify_one();
    }

    fn put_or_stale(&self, object: K, delta: impl FnOnce(Arc<K>) -> Delta<K>) -> Result<(), TransformError> {
        let resource_version = Str::from(object.resource_version());
        match self.stage(object) {
            Ok(object) => {
                self.put(delta(object));
                Ok(())
            }
            Err(error) => {
                self.stale(error.key.clone(), resource_version);
                Err(error)
            }
        }
    }
}

impl<K: Object> Queue<K> for InterimQueue<K> {
    fn stage(&self, object: K) -> Result<Arc<K>, TransformError> {
        match &self.transform {
            Some(transform) => transform.apply(object).map(Arc::new),
            None => Ok(Arc::new(object)),
        }
    }

    fn add(&self, object: K) -> Result<(), TransformError> {
        self.put_or_stale(object, Delta::Added)
    }

    fn update(&self, object: K) -> Result<(), TransformError> {
        self.put_or_stale(object, Delta::Updated)
    }

    fn delete(&self, object: K) -> Result<(), TransformError> {
        match self.stage(object) {
            Ok(object) => {
                self.put(Delta::Deleted(Deleted::Object(object)));
                Ok(())
            }
            Err(error) => {
                self.delete_key(error.key.clone());
                Err(error)
            }
        }
    }

    fn delete_key(&self, key: ObjectKey) {
        self.put(Delta::Deleted(Deleted::FinalStateUnknown(Tombstone { key, object: None })));
    }

    fn replace(&self, replacement: Replacement<K>) {
        self.put(Delta::ReplacedAll(Box::new(replacement)));
    }

    fn resync(&self, coverage: Coverage) {
        self.put(Delta::SyncAll(coverage));
    }

    fn bookmark(&self, bookmark: Bookmark) {
        self.put(Delta::Bookmark(bookmark));
    }

    fn stale(&self, key: ObjectKey, resource_version: Str) {
        self.put(Delta::Stale { key, resource_version });
    }

    async fn pop<E: Send>(
        &self,
        mut process: impl FnMut(&mut Batch<K>) -> Result<(), E> + Send,
    ) -> Result<(), PopError<E>> {
        loop {
            if let Some(done) = self.try_pop(&mut process) {
                return done;
            }
            if self.lock().closed {
                return Err(PopError::Closed);
            }
            self.wake.notified().await;
        }
    }

    fn try_pop<E>(
        &self,
        mut process: impl FnMut(&mut Batch<K>) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>> {
        let delta = self.lock().deltas.pop_front()?;
        let first = matches!(delta, Delta::ReplacedAll(_));
        let mut batch = Batch { deltas: vec![delta], is_initial: !self.has_synced() };
        let done = process(&mut batch).map_err(PopError::Process);
        if first {
            self.synced.send_replace(true);
        }
        Some(done)
    }

    async fn ready(&self) {}

    fn has_synced(&self) -> bool {
        *self.synced.borrow()
    }

    async fn synced(&self) {
        let _ = self.synced.subscribe().wait_for(|synced| *synced).await;
    }

    fn len(&self) -> usize {
        self.lock().deltas.len()
    }

    fn close(&self) {
        self.lock().closed = true;
        self.wake.notify_one();
    }

    fn is_closed(&self) -> bool {
        self.lock().closed
    }
}
