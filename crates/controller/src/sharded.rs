//! A controller whose keys are distributed over replicas.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use client_rs_leaderelection::sharding::{Claim, Shards};
use client_rs_machinery::ObjectKey;
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue};
use tokio_util::sync::CancellationToken;

use crate::recorder::{Cause, Log, What};

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

    /// The shard of a key.
    pub(crate) fn of(&self, key: &ObjectKey) -> u32 {
        self.shards.of(key)
    }

    /// The shards that this replica holds.
    pub(crate) fn held(&self) -> Vec<u32> {
        self.shards.held().borrow().iter().copied().collect()
    }

    /// The shard of a key, and the shards that this replica holds.
    pub(crate) fn standing(&self, key: &ObjectKey) -> (u32, BTreeSet<u32>) {
        (self.shards.of(key), self.shards.held().borrow().clone())
    }

    /// Enqueues the keys of each shard that arrives, until `stop` is cancelled. While another replica held the shard, or
    /// none did, this replica skipped the events of its keys.
    pub(crate) async fn take_over(&self, queue: &WorkQueue<ObjectKey>, log: &Log, stop: &CancellationToken) {
        let mut changes = self.shards.held();
        let mut held = BTreeSet::new();
        loop {
            let now = changes.borrow_and_update().clone();
            // A shard that left and came back between two iterations is in `held` and in `now`, and in `missed`.
            let missed = std::mem::take(&mut *self.missed.lock().unwrap_or_else(PoisonError::into_inner));
            let is_due =
                |shard: &u32| now.contains(shard) && (missed.contains(shard) || !held.contains(shard));
            for shard in now.symmetric_difference(&held) {
                log.write(What::Shard { shard: *shard, held: now.contains(shard) });
            }
            if now.iter().any(is_due) {
                let keys: Vec<ObjectKey> =
                    (self.keys)().into_iter().filter(|key| is_due(&self.shards.of(key))).collect();
                log.write(What::EnqueuedAll { cause: Cause::ShardArrived, count: keys.len() as u64 });
                for key in keys {
                    queue.add_with(key, AddOptions::default().with_priority(INITIAL_LIST_PRIORITY));
                }
            }
            held = now;
            tokio::select! {
                () = stop.cancelled() => return,
                outcome = changes.changed() => if outcome.is_err() {
                    return;
                },
            }
        }
    }
}
