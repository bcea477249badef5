//! The shards of this replica, and the claims of their keys.

use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_machinery::ObjectKey;
use tokio::sync::watch;
use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;

use super::hash::ShardBy;
use super::replica::ShardingError;
use crate::{LeadershipScope, Loss};

/// The permission to work on a key, as long as it lives and its shard is held. The shard is not handed over before the claim
/// is dropped.
#[derive(Debug)]
#[must_use = "the shard may be handed over when this is dropped"]
pub struct Claim {
    shard: u32,
    scope: LeadershipScope,
    _running: TaskTrackerToken,
}

impl Claim {
    /// The key's shard.
    pub fn shard(&self) -> u32 {
        self.shard
    }

    /// The term of the shard: its fencing token, and a token that is cancelled when the work should end.
    pub fn scope(&self) -> &LeadershipScope {
        &self.scope
    }

    /// Runs work. If the shard is lost, the work is dropped at its next `.await`, and the reason is returned.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, Loss> {
        tokio::select! {
            biased;
            loss = self.scope.lost() => Err(loss),
            done = work => Ok(done),
        }
    }
}

#[derive(Debug)]
pub(super) struct Slots {
    by: ShardBy,
    open: Mutex<Vec<Option<Open>>>,
    held: watch::Sender<BTreeSet<u32>>,
    /// The reason why the replica does not take part.
    refused: watch::Sender<Option<ShardingError>>,
}

#[derive(Clone, Debug)]
struct Open {
    scope: LeadershipScope,
    running: TaskTracker,
}

impl Slots {
    pub(super) fn new(shards: u32, by: ShardBy) -> Arc<Self> {
        Arc::new(Self {
            by,
            open: Mutex::new(vec![None; shards as usize]),
            held: watch::Sender::new(BTreeSet::new()),
            refused: watch::Sender::new(None),
        })
    }

    pub(super) fn count(&self) -> u32 {
        // The index was computed from a `u32`.
        u32::try_from(self.lock().len()).unwrap_or(u32::MAX)
    }

    pub(super) fn by(&self) -> ShardBy {
        self.by
    }

    pub(super) fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        let open = self.lock();
        let shard = self.by.shard_of(key, u32::try_from(open.len()).ok()?);
        let Open { scope, running } = open.get(shard as usize)?.as_ref()?;
        scope.is_leading().then(|| Claim { shard, scope: scope.clone(), _running: running.token() })
    }

    pub(super) fn held(&self) -> watch::Receiver<BTreeSet<u32>> {
        self.held.subscribe()
    }

    /// Allows claims of the shard from now on.
    pub(super) fn open(&self, shard: u32, scope: LeadershipScope) {
        if let Some(slot) = self.lock().get_mut(shard as usize) {
            *slot = Some(Open { scope, running: TaskTracker::new() });
        }
        self.held.send_if_modified(|held| held.insert(shard));
    }

    /// Refuses claims of the shard from now on. The returned future completes when the last claim has ended.
    pub(super) fn close(&self, shard: u32) -> impl Future<Output = ()> + Send + use<> {
        let open = self.lock().get_mut(shard as usize).and_then(Option::take);
        self.held.send_if_modified(|held| held.remove(&shard));
        async move {
            if let Some(Open { running, .. }) = open {
                running.close();
                running.wait().await;
            }
        }
    }

    /// Ends the terms of all shards, or only of those whose deadline has passed.
    pub(super) fn end(&self, all: bool) {
        let ended: Vec<_> = self.lock().iter().flatten().map(|open| open.scope.clone()).collect();
        for scope in ended.into_iter().filter(|scope| all || !scope.is_leading()) {
            scope.end(Loss::Deadline);
        }
    }

    pub(super) fn refuse(&self, error: ShardingError) {
        self.refused.send_replace(Some(error));
    }

    /// Returns when the replica is refused; otherwise never.
    pub(super) fn refused(&self) -> impl Future<Output = ShardingError> + Send + use<> {
        let mut refused = self.refused.subscribe();
        async move {
            if let Ok(error) = refused.wait_for(Option::is_some).await
                && let Some(error) = error.clone()
            {
                return error;
            }
            std::future::pending().await
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Option<Open>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
