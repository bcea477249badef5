//! A replica.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use client_rs_client::RestClient;
use client_rs_machinery::ObjectKey;
use client_rs_machinery::validation::{NameUse, Violations, label_value, name_is_dns_subdomain};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::coordinator::Coordinator;
use super::shards::Shards;
use super::slots::{Claim, Slots};
use crate::{LeaderElectionOptions, OptionsError};

/// How a [`Replica`] takes part.
#[derive(Clone, Debug)]
pub struct ShardingOptions {
    /// The namespace of the Leases.
    pub namespace: String,
    /// The name of the group: of its Leases, with a suffix, and of their label. All replicas of a group have the same.
    pub name: String,
    /// How many shards there are. All replicas of a group have the same; one that differs is
    /// [refused](Replica::refused). At least 1.
    pub shards: u32,
    /// Who this replica is; unique among all there ever were, restarts included: see
    /// [`unique_identity`](crate::unique_identity).
    pub identity: String,
    /// The timings of the shards' elections, and of the replicas' own Leases. `release_on_cancel` and `coordinated` do not
    /// apply.
    pub election: LeaderElectionOptions,
    /// How long claims may go on in a hand-over before they are asked to end. Default: 10 s.
    pub drain_patience: Duration,
}

impl ShardingOptions {
    /// A group, and who this replica is.
    pub fn new(namespace: &str, name: &str, shards: u32, identity: impl Into<String>) -> Self {
        Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            shards,
            identity: identity.into(),
            election: LeaderElectionOptions::default(),
            drain_patience: Duration::from_secs(10),
        }
    }
}

/// A group that can't be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// There must be something to share.
    #[error("there must be at least one shard")]
    NoShards,
    /// The name names Leases, and is a label.
    #[error("the name can't name Leases: {0}")]
    Name(Violations),
    /// The timings make no election.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// A live replica of the group has another number of shards.
    #[error(
        "this replica has {own} shards, and {member} of the group {group:?} has {other}: all must have the same number; \
         stop the others first, or give the group another name"
    )]
    ShardCount {
        /// The group.
        group: String,
        /// The number of this replica.
        own: u32,
        /// The other number; at least that, if the other replica does not say.
        other: u32,
        /// Who the other replica is.
        member: String,
    },
}

/// A replica that takes its part of the shards, until it is stopped.
///
/// Dropping it gives everything back without waiting.
///
/// Its Leases are read and written with the connections of the client that it is given, and without the rate limit and the
/// write gate of that client: renewals do not queue behind other requests.
///
/// ```no_run
/// use client_rs_leaderelection::sharding::{Replica, ShardingOptions};
/// use client_rs_leaderelection::unique_identity;
/// # async fn example(client: client_rs_client::RestClient, key: client_rs_machinery::ObjectKey) -> Result<(), Box<dyn std::error::Error>> {
/// let replica = Replica::start(client, ShardingOptions::new("shop", "my-controller", 32, unique_identity()))?;
/// if let Some(claim) = replica.claim(&key) {
///     let token = claim.scope().fencing_token();
///     let worked = claim.run(async { /* the work, with the token */ }).await;
/// }
/// replica.shutdown().await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the replica takes no part any more when this is dropped"]
pub struct Replica {
    slots: Arc<Slots>,
    stop: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl Replica {
    /// Begins to take part, in a task of the current tokio runtime.
    #[allow(clippy::needless_pass_by_value, reason = "what it is made of, as everywhere")]
    pub fn start(client: RestClient, options: ShardingOptions) -> Result<Self, ShardingError> {
        if options.shards == 0 {
            return Err(ShardingError::NoShards);
        }
        if options.identity.is_empty() {
            return Err(OptionsError::Identity.into());
        }
        options.election.validate()?;
        let longest = format!("{}-member-{:016x}", options.name, 0);
        name_is_dns_subdomain(&longest, NameUse::Name).map_err(ShardingError::Name)?;
        label_value(&options.name).map_err(ShardingError::Name)?;
        let slots = Slots::new(options.shards);
        let stop = CancellationToken::new();
        let coordinator = Coordinator::new(&client, options, Arc::clone(&slots));
        let task = tokio::spawn(coordinator.run(stop.clone()));
        Ok(Self { slots, stop, task: Some(task) })
    }

    /// Claims a key, if this replica holds its shard. Never waits.
    pub fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        self.slots.claim(key)
    }

    /// The shards that this replica holds, as they change: the keys of one that is gained are to be looked at.
    pub fn held(&self) -> watch::Receiver<BTreeSet<u32>> {
        self.slots.held()
    }

    /// Returns when this replica takes no part because another has another number of shards
    /// ([`ShardingError::ShardCount`]); never, if it is not refused. It has then given everything back, and does nothing
    /// more.
    pub async fn refused(&self) -> ShardingError {
        self.slots.refused().await
    }

    /// The shards for those who work them, such as a sharded controller.
    pub fn shards(&self) -> Shards {
        Shards(Arc::clone(&self.slots))
    }

    /// Drains, gives everything back and leaves. Waits for all claims to end.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        if let Some(task) = self.task.take() {
            // A panic has been reported by the runtime, and has taken the claims' terms with it.
            let _ = task.await;
        }
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
