//! The task of a replica.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::coordination::v1::Lease;
use client_rs_client::{Api, Error, RestClient};
use client_rs_machinery::{Map, MicroTime, Object, ObjectKey, Str};
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::assignment::plan;
use super::hash::hash;
use super::members::Members;
use super::replica::{ShardingError, ShardingOptions};
use super::slots::Slots;
use crate::leadership::Deadline;
use crate::machine::Observation;
use crate::{
    LeaderElectionOptions, LeaderElectionRecord, LeaderElector, LeaseLock, LeaseLockOptions, LockError,
    ResourceLock,
};

/// The label of the Leases of a group of replicas.
const LABEL: &str = "client-rs.io/sharding";

/// The annotation with the number of shards of a group.
const COUNT: &str = "client-rs.io/shards";

/// A replica, which runs in its own task.
pub(super) struct Coordinator {
    /// Without a rate limit.
    client: RestClient,
    options: ShardingOptions,
    member: LeaseLock,
    /// The deadline until which no replica with another number of shards can have begun: as for a term, it counts from the
    /// last renewal of the own Lease. No shard's term outlives it.
    membership: Arc<Deadline>,
    slots: Arc<Slots>,
    members: Members,
    /// The last observation of each shard's Lease.
    shards: BTreeMap<u32, Observation>,
    electors: BTreeMap<u32, LeaderElector>,
    running: BTreeMap<u32, Running>,
    tasks: JoinSet<()>,
    transitions: i32,
}

/// A shard that this replica campaigns for, or holds.
struct Running {
    /// The token that ends it.
    end: CancellationToken,
    task: tokio::task::Id,
}

/// The reason why a round failed.
enum Failed {
    Lock(LockError),
    Refused(ShardingError),
}

impl From<LockError> for Failed {
    fn from(error: LockError) -> Self {
        Self::Lock(error)
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Lock(error.into())
    }
}

impl Coordinator {
    pub(super) fn new(client: &RestClient, options: ShardingOptions, slots: Arc<Slots>) -> Self {
        let client = client.without_rate_limit().without_write_gate();
        let member = lock(&client, &options, &format!("member-{:016x}", hash(options.identity.bytes())));
        Self {
            client,
            options,
            member,
            membership: Arc::new(Deadline::new(Instant::now())),
            slots,
            members: Members::default(),
            shards: BTreeMap::new(),
            electors: BTreeMap::new(),
            running: BTreeMap::new(),
            tasks: JoinSet::new(),
            transitions: 0,
        }
    }

    /// Takes part until it is stopped, or refused.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        let mut ticks = tokio::time::interval(self.options.election.retry_period);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // Aborted when this ends.
        let mut watching = JoinSet::new();
        watching.spawn(watch_over(
            Arc::clone(&self.membership),
            Arc::clone(&self.slots),
            self.options.election.retry_period,
        ));
        let mut refused = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                Some(ended) = self.tasks.join_next_with_id() => {
                    self.ended(&ended);
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
                Ok(Err(Failed::Lock(error))) => {
                    tracing::warn!(group = self.options.name, %error, "can't list the other replicas");
                }
                Ok(Err(Failed::Refused(error))) => {
                    tracing::error!(%error, "replica does not take part");
                    refused = Some(error);
                    break;
                }
                Err(_) => tracing::warn!(group = self.options.name, "listing the other replicas timed out"),
            }
        }
        for running in self.running.values() {
            running.end.cancel();
        }
        // Claims may take a while to end: until then this replica stays announced.
        while !self.tasks.is_empty() {
            tokio::select! {
                biased;
                _ = self.tasks.join_next() => {}
                _ = ticks.tick() => self.stay().await,
            }
        }
        let leaving = tokio::time::timeout(self.options.election.renew_deadline, self.leave()).await;
        if !matches!(leaving, Ok(Ok(()))) {
            tracing::warn!(
                group = self.options.name,
                "can't remove the Lease of this replica; it will expire"
            );
        }
        if let Some(error) = refused {
            self.slots.refuse(error);
        }
    }

    /// Renews the membership, as long as it is valid.
    async fn stay(&self) {
        let sent = Instant::now();
        let patience = self.options.election.renew_deadline;
        let announced = tokio::time::timeout(patience, self.announce()).await;
        if matches!(announced, Ok(Ok(()))) && !self.membership.left().is_zero() {
            self.membership.extend(sent + patience);
        }
    }

    /// Removes a shard whose task has ended, for any reason.
    fn ended(&mut self, ended: &Result<(tokio::task::Id, ()), tokio::task::JoinError>) {
        let task = match ended {
            Ok((task, ())) => *task,
            Err(error) => error.id(),
        };
        if let Some(shard) =
            self.running.iter().find(|(_, running)| running.task == task).map(|(shard, _)| *shard)
        {
            self.running.remove(&shard);
            if ended.is_err() {
                drop(self.slots.close(shard));
            }
        }
    }

    /// Announces this replica, reads the Leases of the others, and starts or drains shards.
    async fn round(&mut self) -> Result<(), Failed> {
        let until = Instant::now() + self.options.election.renew_deadline;
        // While the membership is valid, others have always seen this replica: those with another number of shards have not
        // begun.
        let established = !self.membership.left().is_zero();
        let leases = if established {
            let (announced, leases) = tokio::join!(self.announce(), self.list());
            announced?;
            if self.membership.left().is_zero() {
                // Too late: the next round reads the Leases again.
                return Ok(());
            }
            self.membership.extend(until);
            leases?
        } else {
            // In this order: if two begin at once, at least one sees the other.
            self.announce().await?;
            self.list().await?
        };
        let now = Instant::now();
        let mut members = Vec::new();
        let mut counts = BTreeMap::new();
        let mut holders = vec![None; self.options.shards as usize];
        for lease in &leases {
            let record = LeaderElectionRecord::from(&*lease.spec);
            if let Some(shard) = self.shard_of_lease(lease) {
                let holder = &record.holder_identity;
                if let Some(slot) = holders.get_mut(shard as usize).filter(|_| !holder.is_empty()) {
                    *slot = Some(holder.clone());
                }
                let seen = self.shards.get(&shard).filter(|seen| seen.record == record);
                let at = seen.map_or(now, |seen| seen.at);
                self.shards.insert(shard, Observation { record, at });
            } else {
                counts.insert(record.holder_identity.clone(), count_of(lease));
                members.push(record);
            }
        }
        self.members.observe(members, now);
        let mut live = self.members.live(now);
        if let Some(error) = self.disagreement(&leases, &live, &counts, now) {
            let ShardingError::ShardCount { member, .. } = &error else { return Ok(()) };
            if !established && self.members.is_proven(member) {
                return Err(Failed::Refused(error));
            }
            if !established {
                // Perhaps the Lease is a leftover: then it expires.
                tracing::info!(%error, "waiting to find out whether the other replica is alive");
                return Ok(());
            }
            // The other replica was later, and is refused. It does not take part.
            tracing::warn!(%error, "found a replica with another number of shards");
        } else if !established {
            // The remaining time of the old membership must not become valid again.
            self.slots.end(true);
            self.membership.extend(until);
        }
        live.retain(|member| counts.get(member).is_none_or(|count| self.agrees(*count)));
        live.push(self.options.identity.as_str().into());
        let running = self.running.keys().copied().collect();
        let plan = plan(&self.options.identity, self.options.shards, &live, &holders, &running);
        for shard in plan.drain {
            if let Some(running) = self.running.get(&shard) {
                running.end.cancel();
            }
        }
        for shard in plan.campaign {
            self.campaign(shard);
        }
        self.forget(&leases, now).await;
        Ok(())
    }

    /// A replica with another number of shards that is alive, or may be.
    fn disagreement(
        &self,
        leases: &[Lease],
        live: &[Str],
        counts: &BTreeMap<Str, Option<u32>>,
        now: Instant,
    ) -> Option<ShardingError> {
        let error = |other, member: &str| ShardingError::ShardCount {
            group: self.options.name.clone(),
            own: self.options.shards,
            other,
            member: member.to_owned(),
        };
        for member in live.iter().filter(|member| **member != self.options.identity) {
            if let Some(Some(other)) = counts.get(member).filter(|count| !self.agrees(**count)) {
                return Some(error(*other, member));
            }
        }
        // A replica whose own Lease was removed may still hold shards.
        for lease in leases {
            let Some(shard) = self.shard_of_lease(lease) else { continue };
            let Some(seen) = self.shards.get(&shard) else { continue };
            let holder = &seen.record.holder_identity;
            let seconds = u64::try_from(seen.record.lease_duration_seconds).unwrap_or_default();
            if holder.is_empty()
                || *holder == self.options.identity
                || now >= seen.at + Duration::from_secs(seconds)
            {
                continue;
            }
            match count_of(lease) {
                Some(other) if other != self.options.shards => return Some(error(other, holder)),
                None if shard >= self.options.shards => {
                    return Some(error(shard.saturating_add(1), holder));
                }
                _ => {}
            }
        }
        None
    }

    /// Leases of versions that did not write their number count as equal.
    fn agrees(&self, count: Option<u32>) -> bool {
        count.is_none_or(|count| count == self.options.shards)
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
            match LeaderElector::within(Arc::new(lock), election, Some(Arc::clone(&self.membership))) {
                Ok(elector) => self.electors.entry(shard).or_insert(elector).clone(),
                // The options were checked when the replica started.
                Err(error) => return tracing::error!(shard, %error, "can't start the election of a shard"),
            }
        };
        if let Some(seen) = self.shards.get(&shard) {
            elector.has_seen(seen.clone());
        }
        let end = CancellationToken::new();
        let (slots, patience, ends) = (Arc::clone(&self.slots), self.options.drain_patience, end.clone());
        let task = self.tasks.spawn(async move { hold(shard, &elector, &slots, ends, patience).await });
        self.running.insert(shard, Running { end, task: task.id() });
    }

    async fn announce(&self) -> Result<(), LockError> {
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
                // A leftover of our cancelled create: no other replica has this name.
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
                tracing::debug!(lease = %lease.key(), %error, "can't remove the Lease of a replica that has left");
            }
        }
    }

    async fn delete(&self, lease: &Lease) -> Result<(), Error> {
        // A replica that has come back in the meantime stays.
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

/// Ends the terms of shards with the membership, to notify waiting tasks; others read the clock.
async fn watch_over(membership: Arc<Deadline>, slots: Arc<Slots>, pause: Duration) {
    loop {
        let left = membership.left();
        if left.is_zero() {
            slots.end(false);
        }
        tokio::time::sleep(if left.is_zero() { pause } else { left }).await;
    }
}

fn count_of(lease: &Lease) -> Option<u32> {
    lease.metadata.annotations.get(COUNT)?.parse().ok()
}

/// Campaigns for a shard, holds it, and hands it over when the token is cancelled.
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
        _ = leadership.lost() => {}
        () = end.cancelled() => {}
    }
    let drained = slots.close(shard);
    tokio::pin!(drained);
    let ended = tokio::select! {
        biased;
        () = &mut drained => true,
        _ = leadership.lost() => false,
        () = tokio::time::sleep(patience) => {
            leadership.scope().wind_down();
            tokio::select! {
                biased;
                () = &mut drained => true,
                _ = leadership.lost() => false,
            }
        }
    };
    // Lost: the scope has notified the claims, and their work is dropped. The Lease is not released while one of them runs.
    if ended || tokio::time::timeout(patience, drained).await.is_ok() {
        leadership.release().await;
    } else {
        tracing::warn!(shard, "work continues under a lost shard; its Lease will expire");
        leadership.abandon();
    }
}

fn lock(client: &RestClient, options: &ShardingOptions, suffix: &str) -> LeaseLock {
    let key = ObjectKey::new(options.namespace.as_str(), format!("{}-{suffix}", options.name));
    let labels: Map<Str> = [(Str::from(LABEL), Str::from(options.name.as_str()))].into_iter().collect();
    let annotations: Map<Str> =
        [(Str::from(COUNT), Str::from(options.shards.to_string()))].into_iter().collect();
    let options =
        LeaseLockOptions { labels, annotations, ..LeaseLockOptions::new(key, options.identity.clone()) };
    LeaseLock::new(client, options)
}
