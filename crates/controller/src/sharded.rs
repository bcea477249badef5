//! A controller whose keys are shared among replicas.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use client_rs_leaderelection::sharding::{Claim, Shards};
use client_rs_machinery::ObjectKey;
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};
use tokio_util::sync::CancellationToken;

/// What a controller works of, and where it finds the keys of a shard that comes to it.
pub(crate) struct Sharding {
    shards: Shards,
    keys: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    /// Shards of which keys were passed over.
    missed: Mutex<BTreeSet<u32>>,
}

impl Sharding {
    pub(crate) fn new(shards: Shards, keys: impl Fn() -> Vec<ObjectKey> + Send + Sync + 'static) -> Self {
        Self { shards, keys: Box::new(keys), missed: Mutex::default() }
    }

    /// Leave to work a key, if its shard is here.
    pub(crate) fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        if let Some(claim) = self.shards.claim(key) {
            return Some(claim);
        }
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(self.shards.of(key));
        // It may have come in between: then nobody looks at what was missed any more.
        self.shards.claim(key)
    }

    /// Queues the keys of each shard that comes, until it is stopped: while it was elsewhere, or nowhere, events of its
    /// keys were passed over here.
    pub(crate) async fn take_over(&self, queue: &WorkQueue<ObjectKey>, stop: &CancellationToken) {
        let mut news = self.shards.held();
        let mut held = BTreeSet::new();
        loop {
            let now = news.borrow_and_update().clone();
            // A shard that went and came back between two looks is in both.
            let missed = std::mem::take(&mut *self.missed.lock().unwrap_or_else(PoisonError::into_inner));
            let is_due =
                |shard: &u32| now.contains(shard) && (missed.contains(shard) || !held.contains(shard));
            if now.iter().any(is_due) {
                for key in (self.keys)().into_iter().filter(|key| is_due(&self.shards.of(key))) {
                    let old_news = AddOptions::default().with_priority(INITIAL_LIST_PRIORITY);
                    queue.add_with(key, old_news);
                }
            }
            held = now;
            tokio::select! {
                () = stop.cancelled() => return,
                changed = news.changed() => if changed.is_err() {
                    return;
                },
            }
        }
    }
}
