//! A controller whose keys are distributed over replicas.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use client_rs_leaderelection::sharding::{Claim, Shards};
use client_rs_machinery::ObjectKey;
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};
use tokio_util::sync::CancellationToken;

/// The shards of a controller, and a function that lists all keys: a new shard's keys come from it.
pub(crate) struct Sharding {
    shards: Shards,
    keys: Box<dyn Fn() -> Vec<ObjectKey> + Send + Sync>,
    /// Shards that had at least one key skipped.
    missed: Mutex<BTreeSet<u32>>,
}

impl Sharding {
    pub(crate) fn new(shards: Shards, keys: impl Fn() -> Vec<ObjectKey> + Send + Sync + 'static) -> Self {
        Self { shards, keys: Box::new(keys), missed: Mutex::default() }
    }

    /// Claims a key, if this replica holds its shard.
    pub(crate) fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        if let Some(claim) = self.shards.claim(key) {
            return Some(claim);
        }
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(self.shards.of(key));
        // The shard may have arrived in between: then `take_over` has already read `missed`.
        self.shards.claim(key)
    }

    /// Enqueues the keys of each shard that arrives, until `stop` is cancelled. While another replica held the shard, or
    /// none did, this replica skipped the events of its keys.
    pub(crate) async fn take_over(&self, queue: &WorkQueue<ObjectKey>, stop: &CancellationToken) {
        let mut held_shards = self.shards.held();
        let mut held = BTreeSet::new();
        loop {
            let now = held_shards.borrow_and_update().clone();
            // A shard that left and came back between two iterations is in `held` and in `now`: `missed` finds it.
            let missed = std::mem::take(&mut *self.missed.lock().unwrap_or_else(PoisonError::into_inner));
            let is_due =
                |shard: &u32| now.contains(shard) && (missed.contains(shard) || !held.contains(shard));
            if now.iter().any(is_due) {
                for key in (self.keys)().into_iter().filter(|key| is_due(&self.shards.of(key))) {
                    queue.add_with(key, AddOptions::default().with_priority(INITIAL_LIST_PRIORITY));
                }
            }
            held = now;
            tokio::select! {
                () = stop.cancelled() => return,
                changed = held_shards.changed() => if changed.is_err() {
                    return;
                },
            }
        }
    }
}
