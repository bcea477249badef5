//! [`Replica`] and its options.

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
use super::hash::ShardBy;
use super::shards::Shards;
use super::slots::{Claim, Slots};
use crate::{LeaderElectionOptions, OptionsError};

client_rs_machinery::options! {
    /// The options of a [`Replica`].
    #[derive(Clone, Debug)]
    pub struct ShardingOptions {
        /// The namespace of the Leases.
        pub namespace: String => with_namespace,
        /// The name of the group: of its Leases, with a suffix, and of their label. All replicas of a group have the same.
        pub name: String => with_name,
        /// The number of shards. All replicas of a group must have the same; one that differs is
        /// [refused](Replica::refused). At least 1.
        pub shards: u32 => with_shards,
        /// The part of a key that decides about its shard. All replicas of a group must have the same. Default: namespace and name.
        pub by: ShardBy => with_by,
        /// The identity of this replica: unique among all replicas, including earlier ones. See
        /// [`unique_identity`](crate::unique_identity).
        pub identity: String => with_identity,
        /// The timings of the shards' elections, and of the replicas' own Leases. `release_on_cancel` and `coordinated` do not
        /// apply.
        pub election: LeaderElectionOptions => with_election,
        /// How long claims may continue in a hand-over before their scope is cancelled. Default: 10 s.
        pub drain_patience: Duration => with_drain_patience,
    }
}

impl ShardingOptions {
    /// The namespace and name of a group, its number of shards, and the identity of this replica.
    pub fn new(namespace: &str, name: &str, shards: u32, identity: impl Into<String>) -> Self {
        Self {
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            shards,
            by: ShardBy::default(),
            identity: identity.into(),
            election: LeaderElectionOptions::default(),
            drain_patience: Duration::from_secs(10),
        }
    }
}

/// The reason why a replica can't take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ShardingError {
    /// The number of shards is 0.
    #[error("there must be at least one shard")]
    NoShards,
    /// The number of shards does not fit into a Lease.
    #[error("there may be at most 2147483647 shards")]
    TooManyShards,
    /// The name of the group can't be used in names of Leases and as a label.
    #[error("the name of the group can't be used for Leases: {0}")]
    Name(Violations),
    /// The durations contradict each other.
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
        /// The other number; a lower bound if the other replica has not written it.
        other: u32,
        /// The identity of the other replica.
        member: String,
    },
    /// A live replica of the group shards by another part of keys.
    #[error(
        "this replica shards by {own:?}, and {member} of the group {group:?} by {other:?}: all must have the same; \
         stop the others first, or give the group another name"
    )]
    ShardBy {
        /// The group.
        group: String,
        /// That of this replica.
        own: ShardBy,
        /// The other one.
        other: ShardBy,
        /// The identity of the other replica.
        member: String,
    },
}

/// A replica that holds its part of the shards until it is stopped.
///
/// Dropping it releases everything without waiting. [`shutdown`](Self::shutdown) waits until the claims have ended.
///
/// It uses the connections of the client for its Leases, but not the client's rate limit and write gate: renewals must not
/// queue behind other requests.
///
/// ```
/// use client_rs_leaderelection::sharding::{Replica, ShardingError, ShardingOptions};
/// use client_rs_leaderelection::unique_identity;
/// use client_rs_machinery::ObjectKey;
/// # use client_rs_client::RestClient;
/// # use client_rs_transport::Config;
///
/// /// Works on a key, if this replica holds its shard.
/// async fn work(replica: &Replica, key: &ObjectKey) {
///     let Some(claim) = replica.claim(key) else { return };
///     let token = claim.scope().fencing_token();
///     let worked = claim.run(async { println!("{key} in the term {token}") }).await;
///     assert!(worked.is_ok(), "the shard was lost");
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let client = RestClient::from_config(&Config::new("http://127.0.0.1:1".parse()?))?;
/// let options = ShardingOptions::new("shop", "my-controller", 0, unique_identity());
/// assert_eq!(Replica::start(client.clone(), options.clone()).err(), Some(ShardingError::NoShards));
/// let replica = Replica::start(client, options.with_shards(32_u32))?;
/// work(&replica, &ObjectKey::new("default", "web")).await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the replica leaves when this is dropped"]
pub struct Replica {
    slots: Arc<Slots>,
    stop: CancellationToken,
    task: Option<JoinHandle<()>>,
}

impl Replica {
    /// Starts the replica, in a task of the current tokio runtime.
    ///
    /// # Errors
    ///
    /// [`ShardingError`] if the options are not valid. Errors of requests are logged and retried.
    #[allow(clippy::needless_pass_by_value, reason = "constructors take the client by value")]
    pub fn start(client: RestClient, options: ShardingOptions) -> Result<Self, ShardingError> {
        if options.shards == 0 {
            return Err(ShardingError::NoShards);
        }
        if ShardBy::read(options.shards).1 != options.shards {
            return Err(ShardingError::TooManyShards);
        }
        if options.identity.is_empty() {
            return Err(OptionsError::Identity.into());
        }
        options.election.validate()?;
        let longest = format!("{}-member-{:016x}", options.name, 0);
        name_is_dns_subdomain(&longest, NameUse::Name).map_err(ShardingError::Name)?;
        label_value(&options.name).map_err(ShardingError::Name)?;
        let slots = Slots::new(options.shards, options.by);
        let stop = CancellationToken::new();
        let coordinator = Coordinator::new(&client, options, Arc::clone(&slots));
        let task = tokio::spawn(coordinator.run(stop.clone()));
        Ok(Self { slots, stop, task: Some(task) })
    }

    /// Claims a key, if this replica holds its shard. Never waits.
    pub fn claim(&self, key: &ObjectKey) -> Option<Claim> {
        self.slots.claim(key)
    }

    /// The shards that this replica holds, as they change. When a shard arrives, look at all of its keys.
    pub fn held(&self) -> watch::Receiver<BTreeSet<u32>> {
        self.slots.held()
    }

    /// Returns when this replica is refused because another one has another number of shards
    /// ([`ShardingError::ShardCount`], [`ShardingError::ShardBy`]); otherwise never. It has then released everything, and stays inactive.
    pub async fn refused(&self) -> ShardingError {
        self.slots.refused().await
    }

    /// The shards, for workers such as a sharded controller.
    pub fn shards(&self) -> Shards {
        Shards(Arc::clone(&self.slots))
    }

    /// Drains, releases everything and leaves. Waits for all claims to end.
    pub async fn shutdown(mut self) {
        self.stop.cancel();
        if let Some(task) = self.task.take() {
            // The runtime has reported a panic, and the terms of the claims have ended with it.
            let _ = task.await;
        }
    }
}

impl Drop for Replica {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}
