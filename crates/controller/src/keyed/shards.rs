//! Keys of a [`KeyedController`](super::KeyedController) that are distributed over replicas.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use client_rs_leaderelection::sharding::{Claim, Shards};
use client_rs_machinery::ObjectKey;
use tokio_util::sync::CancellationToken;

use super::{Core, ReconcileKey};

/// The shards of a [`KeyedController`](super::KeyedController): a key is worked on only while this replica holds its shard.
///
/// Keys of shards that other replicas hold are skipped. When a shard arrives, the keys of all cached objects of the watches are enqueued that belong to
/// it.
#[derive(Clone)]
pub struct KeyShards<Q> {
    shards: Shards,
    of: Arc<dyn Fn(&Q) -> ObjectKey + Send + Sync>,
    /// Shards that had at least one key skipped.
    missed: Arc<Mutex<BTreeSet<u32>>>,
}

impl<Q> KeyShards<Q> {
    /// Shards of keys: `of` returns the object that decides about the shard. It must be the same in all replicas, and depend on nothing but the
    /// key.
    pub fn new(shards: Shards, of: impl Fn(&Q) -> ObjectKey + Send + Sync + 'static) -> Self {
        Self { shards, of: Arc::new(of), missed: Arc::default() }
    }

    /// Claims a key, if this replica holds its shard.
    pub(super) fn claim(&self, key: &Q) -> Option<Claim> {
        let key = (self.of)(key);
        if let Some(claim) = self.shards.claim(&key) {
            return Some(claim);
        }
        self.missed.lock().unwrap_or_else(PoisonError::into_inner).insert(self.shards.of(&key));
        // The shard may have arrived in between: then `follow` has already read `missed`.
        self.shards.claim(&key)
    }

    /// The shard of a key, and whether this replica holds it.
    pub(super) fn standing(&self, key: &Q) -> (u32, bool) {
        let shard = self.shards.of(&(self.of)(key));
        (shard, self.shards.held().borrow().contains(&shard))
    }

    /// The shards that this replica holds.
    pub(super) fn held(&self) -> Vec<u32> {
        self.shards.held().borrow().iter().copied().collect()
    }
}

impl<Q: ReconcileKey> Core<Q> {
    /// Enqueues the keys of each shard that arrives, until `stop` is cancelled.
    pub(super) async fn follow(&self, shards: &KeyShards<Q>, stop: &CancellationToken) {
        let mut changes = shards.shards.held();
        let mut held = BTreeSet::new();
        loop {
            let now = changes.borrow_and_update().clone();
            // A shard that left and came back between two iterations is in `held` and in `now`, and in `missed`.
            let missed = std::mem::take(&mut *shards.missed.lock().unwrap_or_else(PoisonError::into_inner));
            let is_due =
                |shard: &u32| now.contains(shard) && (missed.contains(shard) || !held.contains(shard));
            if now.iter().any(is_due) {
                self.replay(&|key| is_due(&shards.shards.of(&(shards.of)(key))));
            }
            held = now;
            tokio::select! {
                () = stop.cancelled() => return,
                // The replica may leave first: then no key can be claimed until the stop.
                outcome = changes.changed() => if outcome.is_err() { return stop.cancelled().await },
            }
        }
    }
}

impl From<Shards> for KeyShards<ObjectKey> {
    fn from(shards: Shards) -> Self {
        Self::new(shards, ObjectKey::clone)
    }
}

impl<Q> fmt::Debug for KeyShards<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyShards").field(&self.shards).finish()
    }
}
