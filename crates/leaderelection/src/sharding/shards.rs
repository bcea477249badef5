//! The shards of a replica, for those who work them.

use std::collections::BTreeSet;
use std::sync::Arc;

use client_rs_machinery::ObjectKey;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::hash::shard_of;
use super::replica::ShardingError;
use super::slots::{Claim, Slots};

/// The shards of a [`Replica`](super::Replica), for those who work them. Cheap to clone; it does not keep the replica: of
/// one that has left, nothing can be claimed.
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

    /// Runs until it is stopped, or until the replica is [refused](super::Replica::refused): for a manager, which then ends
    /// with that error.
    pub async fn until_refused(self, stop: CancellationToken) -> Result<(), ShardingError> {
        match stop.run_until_cancelled(self.0.refused()).await {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// How many shards there are.
    pub fn count(&self) -> u32 {
        self.0.count()
    }

    /// The shard that a key belongs to.
    pub fn of(&self, key: &ObjectKey) -> u32 {
        shard_of(key, self.count())
    }
}
