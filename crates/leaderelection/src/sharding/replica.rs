//! A replica, run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::coordination::v1::Lease;
use client_rs_client::{Api, Error, RestClient};
use client_rs_machinery::validation::{NameUse, Violations, label_value, name_is_dns_subdomain};
use client_rs_machinery::{Map, MicroTime, Object, ObjectKey, Str};
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::assignment::plan;
use super::hash::hash;
use super::members::Members;
use super::shards::Shards;
use super::slots::{Claim, Slots};
use crate::machine::Observation;
use crate::{
    LeaderElectionOptions, LeaderElectionRecord, LeaderElector, LeaseLock, LeaseLockOptions, LockError,
    OptionsError, ResourceLock,
};

/// The label by which the Leases of a group of replicas are found.
const LABEL: &str = "client-rs.io/sharding";

/// How a [`Replica`] takes part.
#[derive(Clone, Debug)]
pub struct ShardingOptions {
    /// The namespace of the Leases.
    pub namespace: String,
    /// The name of the group: of its Leases, with a suffix, and of their label. All replicas of a group have the same.
    pub name: String,
    /// How many shards there are. All replicas of a group have the same, for ever. At least 1.
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
}

/// A replica that takes its part of the shards, until it is stopped.
///
/// Dropping it gives everything back without waiting.
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
/// replica.stop().await;
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
    /// Begins to take part.
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
        let member = lock(&client, &options, &format!("member-{:016x}", hash(options.identity.bytes())));
        let coordinator = Coordinator {
            client,
            options,
            member,
            slots: Arc::clone(&slots),
            members: Members::default(),
            shards: BTreeMap::new(),
            electors: BTreeMap::new(),
            running: BTreeMap::new(),
            tasks: JoinSet::new(),
            transitions: 0,
        };
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

    /// The shards for those who work them, such as a sharded controller.
    pub fn shards(&self) -> Shards {
        Shards(Arc::clone(&self.slots))
    }

    /// Drains, gives everything back and leaves. Waits for all claims to end.
    pub async fn stop(mut self) {
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

struct Coordinator {
    client: RestClient,
    options: ShardingOptions,
    member: LeaseLock,
    slots: Arc<Slots>,
    members: Members,
    /// What was seen of each shard's Lease.
    shards: BTreeMap<u32, Observation>,
    electors: BTreeMap<u32, LeaderElector>,
    /// What each running shard is told to end by.
    running: BTreeMap<u32, CancellationToken>,
    tasks: JoinSet<u32>,
    transitions: i32,
}

impl Coordinator {
    async fn run(mut self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(self.options.election.retry_period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(ended) = self.tasks.join_next() => {
                    if let Ok(shard) = ended {
                        self.running.remove(&shard);
                    }
                    continue;
                }
                _ = ticks.tick() => {}
            }
            let patience = self.options.election.renew_deadline;
            let round = tokio::select! {
                biased;
                () = stop.cancelled() => break,
                round = tokio::time::timeout(patience, self.round()) => round,
            };
            match round {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(group = self.options.name, %error, "can't see the other replicas");
                }
                Err(_) => tracing::warn!(group = self.options.name, "can't see the other replicas in time"),
            }
        }
        for end in self.running.values() {
            end.cancel();
        }
        while self.tasks.join_next().await.is_some() {}
        let leaving = tokio::time::timeout(self.options.election.renew_deadline, self.leave()).await;
        if !matches!(leaving, Ok(Ok(()))) {
            tracing::warn!(
                group = self.options.name,
                "a replica's Lease could not be removed: it will expire"
            );
        }
    }

    /// Says that this replica is there, sees who else is, and does its part.
    async fn round(&mut self) -> Result<(), LockError> {
        self.announce().await?;
        let leases = self.list().await?;
        let now = Instant::now();
        let mut members = Vec::new();
        let mut holders = vec![None; self.options.shards as usize];
        for lease in &leases {
            let record = LeaderElectionRecord::from(&*lease.spec);
            match self.shard_of_lease(lease) {
                Some(shard) => {
                    let holder = &record.holder_identity;
                    if let Some(slot) = holders.get_mut(shard as usize).filter(|_| !holder.is_empty()) {
                        *slot = Some(holder.clone());
                    }
                    let seen = self.shards.get(&shard).filter(|seen| seen.record == record);
                    let at = seen.map_or(now, |seen| seen.at);
                    self.shards.insert(shard, Observation { record, at });
                }
                None => members.push(record),
            }
        }
        self.members.observe(members, now);
        let mut live = self.members.live(now);
        live.push(self.options.identity.as_str().into());
        let running = self.running.keys().copied().collect();
        let plan = plan(&self.options.identity, self.options.shards, &live, &holders, &running);
        for shard in plan.drain {
            if let Some(end) = self.running.get(&shard) {
                end.cancel();
            }
        }
        for shard in plan.campaign {
            self.campaign(shard);
        }
        self.forget(&leases, now).await;
        Ok(())
    }

    fn campaign(&mut self, shard: u32) {
        let elector = if let Some(elector) = self.electors.get(&shard) {
            elector.clone()
        } else {
            let lock = lock(&self.client, &self.options, &format!("shard-{shard}"));
            let election = LeaderElectionOptions {
                release_on_cancel: true,
                coordinated: false,
                ..self.options.election.clone()
            };
            match LeaderElector::new(lock, election) {
                Ok(elector) => self.electors.entry(shard).or_insert(elector).clone(),
                // The options were looked at when the replica started.
                Err(error) => return tracing::error!(shard, %error, "no election"),
            }
        };
        if let Some(seen) = self.shards.get(&shard) {
            elector.has_seen(seen.clone());
        }
        let end = CancellationToken::new();
        self.running.insert(shard, end.clone());
        let (slots, patience) = (Arc::clone(&self.slots), self.options.drain_patience);
        self.tasks.spawn(async move {
            hold(shard, &elector, &slots, end, patience).await;
            shard
        });
    }

    async fn announce(&mut self) -> Result<(), LockError> {
        let now = MicroTime::now().truncated();
        let record = LeaderElectionRecord {
            holder_identity: self.options.identity.as_str().into(),
            lease_duration_seconds: self.options.election.lease_seconds().unwrap_or(i32::MAX),
            acquire_time: Some(now),
            renew_time: Some(now),
            leader_transitions: self.transitions,
            ..LeaderElectionRecord::EMPTY
        };
        match self.member.update(record.clone()).await {
            Err(LockError::NotRead | LockError::NotFound) => match self.member.create(record.clone()).await {
                // Left behind by a cancelled create of ours: nobody else has this name.
                Err(LockError::Conflict) => {
                    self.member.get().await?;
                    self.member.update(record).await
                }
                created => created,
            },
            Err(LockError::Conflict) => {
                self.member.get().await?;
                self.member.update(record).await
            }
            updated => updated,
        }
    }

    async fn list(&self) -> Result<Vec<Lease>, Error> {
        let selector = format!("{LABEL}={}", self.options.name);
        Ok(self.leases().list().label_selector(selector).await?.items)
    }

    /// Removes the Leases of replicas that are long gone.
    async fn forget(&self, leases: &[Lease], now: Instant) {
        let silent = self.members.silent(self.options.election.lease_duration * 10, now);
        for lease in leases {
            let gone = self.shard_of_lease(lease).is_none()
                && lease.spec.holder_identity.as_ref().is_some_and(|holder| silent.contains(holder));
            if gone && let Err(error) = self.delete(lease).await {
                tracing::debug!(lease = %lease.key(), %error, "can't remove the Lease of a replica that is gone");
            }
        }
    }

    async fn delete(&self, lease: &Lease) -> Result<(), Error> {
        // One that has come back meanwhile stays.
        let unchanged = lease.metadata.resource_version.clone();
        self.leases().delete(&lease.metadata.name).if_resource_version(unchanged).await.map(drop)
    }

    async fn leave(&self) -> Result<(), Error> {
        let name = format!("{}-member-{:016x}", self.options.name, hash(self.options.identity.bytes()));
        self.leases().delete(&name).await.map(drop)
    }

    fn leases(&self) -> Api<Lease> {
        Api::namespaced(&self.client, self.options.namespace.as_str())
    }

    fn shard_of_lease(&self, lease: &Lease) -> Option<u32> {
        lease.metadata.name.strip_prefix(&self.options.name)?.strip_prefix("-shard-")?.parse().ok()
    }
}

/// Campaigns for a shard, holds it, and hands it over when told to.
async fn hold(
    shard: u32,
    elector: &LeaderElector,
    slots: &Slots,
    end: CancellationToken,
    patience: Duration,
) {
    let leadership = tokio::select! {
        biased;
        () = end.cancelled() => return,
        leadership = elector.acquire() => leadership,
    };
    slots.open(shard, leadership.scope().clone());
    tokio::select! {
        biased;
        // Claims have been told by their scope; nobody waits for them, for the shard is not ours to hold.
        _ = leadership.lost() => drop(slots.close(shard)),
        () = end.cancelled() => {
            let drained = slots.close(shard);
            tokio::pin!(drained);
            if tokio::time::timeout(patience, &mut drained).await.is_err() {
                leadership.scope().wind_down();
                tokio::select! {
                    biased;
                    _ = leadership.lost() => {}
                    () = drained => {}
                }
            }
        }
    }
    leadership.release().await;
}

fn lock(client: &RestClient, options: &ShardingOptions, suffix: &str) -> LeaseLock {
    let key = ObjectKey::new(options.namespace.as_str(), format!("{}-{suffix}", options.name));
    let labels: Map<Str> = [(Str::from(LABEL), Str::from(options.name.as_str()))].into_iter().collect();
    let options = LeaseLockOptions { labels, ..LeaseLockOptions::new(key, options.identity.clone()) };
    LeaseLock::new(client, options)
}
