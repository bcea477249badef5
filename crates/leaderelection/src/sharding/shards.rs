//! A handle of the shards of a replica, for workers.

use std::collections::BTreeSet;
use std::sync::Arc;

use client_rs_machinery::ObjectKey;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::hash::shard_of;
use super::replica::ShardingError;
use super::slots::{Claim, Slots};

/// A handle of the shards of a [`Replica`](super::Replica), for workers. Cheap to clone. It does not keep the replica alive:
/// after the replica has left, no key can be claimed.
#[derive(Clone, Debug)]
pub struct Shards(pub(super) Arc<Slots>);

impl Shards {
    /// Claims a key, if the replica holds its shard. Never waits.
    pub fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        self.0.claim(key)
    }

    /// The shards that the replica holds, as they change.
    pub fn held(&self) -> watch::Receiver<BTreeSet<u32>> {
        self.0.held()
    }

    /// Runs until `stop` is cancelled, or until the replica is [refused](super::Replica::refused). Add it to a manager as a
    /// runnable, so that the manager ends with that error.
    pub async fn until_refused(self, stop: CancellationToken) -> Result<(), ShardingError> {
        match stop.run_until_cancelled(self.0.refused()).await {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// The number of shards.
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// The shard that a key belongs to.
    pub fn of(&self, key: &ObjectKey) -> u32 {
        shard_of(key, self.count())
    }
}
