//! A handle of the shards of a replica, for workers.

use std::collections::BTreeSet;
use std::sync::Arc;

use client_rs_machinery::{ObjectKey, ShardSelector};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::hash::ShardBy;
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

    /// The part of a key that decides about its shard.
    pub fn by(&self) -> ShardBy {
        self.0.by()
    }

    /// Selects the objects of some of the shards on the server (KEP-5866), for [`RestListWatch::shard`](https://docs.rs/client-rs-informers). `None` for
    /// shards [by key](ShardBy::Key), which no server can select, and for no or unknown shards.
    ///
    /// It decides only which objects a cache has: ownership is that of [`claim`](Self::claim), whether or not the server supports the selection.
    pub fn selector(&self, shards: impl IntoIterator<Item = u32>) -> Option<ShardSelector> {
        self.by().selector(shards, self.count())
    }

    /// The shard that a key belongs to.
    pub fn of(&self, key: &ObjectKey) -> u32 {
        self.by().shard_of(key, self.count())
    }
}
