//! The task of a replica.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use client_rs_api::coordination::v1::Lease;
use client_rs_client::{Api, Error, RestClient};
use client_rs_machinery::{Map, MicroTime, Object, ObjectKey, Str};
use futures_core::future::BoxFuture;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

use super::announce::{self, Next, Outcome, Step};
use super::group::{Found, Group, Planned, Round};
use super::hash::hash;
use super::holding::{Action, Event, Holding};
use super::replica::{ShardingError, ShardingOptions};
use super::slots::Slots;
use crate::leadership::Deadline;
use crate::{
    LeaderElectionOptions, LeaderElectionRecord, LeaderElector, LeaseLock, LeaseLockOptions, LockError,
    ResourceLock,
};

/// The label of the Leases of a group of replicas.
const LABEL: &str = "client-rs.io/sharding";

/// The annotation with the number of shards of a group; [`ShardBy`](super::hash::ShardBy) is a part of it.
const COUNT: &str = "client-rs.io/shards";

/// A replica, which runs in its own task.
pub(super) struct Coordinator {
    /// Without a rate limit.
    client: RestClient,
    options: ShardingOptions,
    member: LeaseLock,
    group: Group,
    /// The end of the membership in the group. No shard's term outlives it.
    membership: Arc<Deadline>,
    slots: Arc<Slots>,
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
        let now = Instant::now();
        Self {
            client,
            group: Group::new(options.clone(), now),
            options,
            member,
            membership: Arc::new(Deadline::new(now)),
            slots,
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
            let patience = self.group.patience(Instant::now());
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
    async fn stay(&mut self) {
        let sent = Instant::now();
        let announced = tokio::time::timeout(self.group.patience(sent), self.announce()).await;
        if matches!(announced, Ok(Ok(()))) {
            self.renewed(sent);
        }
    }

    /// The own Lease was renewed. Returns whether the membership continues.
    fn renewed(&mut self, sent: Instant) -> bool {
        let valid = self.group.renewed(sent, Instant::now());
        if valid {
            self.membership.extend(self.group.until());
        }
        valid
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
        let sent = Instant::now();
        let established = self.group.is_member(sent);
        let leases = if established {
            let listing = self.list();
            // The membership is renewed even if the list fails or takes too long.
            let announcing = async {
                self.announce().await?;
                Ok::<_, LockError>(self.renewed(sent))
            };
            let (renewed, leases) = tokio::join!(announcing, listing);
            if !renewed? {
                // Too late: the next round reads the Leases again.
                return Ok(());
            }
            leases?
        } else {
            // In this order: if two begin at once, at least one sees the other.
            self.announce().await?;
            self.list().await?
        };
        let running: BTreeSet<u32> = self.running.keys().copied().collect();
        let found = leases.iter().map(|lease| self.found(lease)).collect();
        let Planned { begins, odd, plan, gone } =
            match self.group.plan(found, &running, established, sent, Instant::now()) {
                Round::Refused(error) => return Err(Failed::Refused(error)),
                Round::Waits(error) => {
                    tracing::info!(%error, "waiting to find out whether the other replica is alive");
                    return Ok(());
                }
                Round::Planned(planned) => planned,
            };
        if let Some(error) = odd {
            tracing::warn!(%error, "found a replica with another number of shards");
        }
        if begins {
            // The remaining time of the old membership must not become valid again.
            self.slots.end(true);
            self.membership.extend(self.group.until());
        }
        for shard in plan.drain {
            if let Some(running) = self.running.get(&shard) {
                running.end.cancel();
            }
        }
        for shard in plan.campaign {
            self.campaign(shard);
        }
        self.forget(&leases, &gone).await;
        Ok(())
    }

    fn found(&self, lease: &Lease) -> Found {
        let record = LeaderElectionRecord::from(&*lease.spec);
        Found { shard: self.shard_of_lease(lease), record, count: count_of(lease) }
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
        if let Some(seen) = self.group.seen(shard) {
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
        let mut step = Step::Update;
        for _ in 0..announce::MOST {
            let answer = match step {
                Step::Update => self.member.update(record.clone()).await,
                Step::Create => self.member.create(record.clone()).await,
                Step::Get => self.member.get().await.map(drop),
            };
            let outcome = match &answer {
                Ok(()) => Outcome::Done,
                Err(LockError::NotRead | LockError::NotFound) => Outcome::Missing,
                Err(LockError::Conflict) => Outcome::Conflict,
                Err(_) => Outcome::Failed,
            };
            match announce::next(step, outcome) {
                Next::Announced | Next::Failed => return answer,
                Next::Request(next) => step = next,
            }
        }
        Err(LockError::Conflict)
    }

    fn list(&self) -> impl Future<Output = Result<Vec<Lease>, Error>> + Send + use<> {
        let selector = format!("{LABEL}={}", self.options.name);
        let leases = self.leases();
        async move { Ok(leases.list().label_selector(selector).await?.items) }
    }

    /// Removes the Leases of replicas that are long gone.
    async fn forget(&self, leases: &[Lease], silent: &[Str]) {
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
    let mut holding = Holding::new(patience);
    let mut drained: Option<BoxFuture<'static, ()>> = None;
    loop {
        let event = tokio::select! {
            biased;
            () = until_drained(&mut drained) => {
                drained = None;
                Event::Drained
            }
            _ = leadership.lost(), if !holding.is_lost() => Event::Lost,
            () = end.cancelled(), if holding.is_open() => Event::End,
            () = until(holding.wake_at()) => Event::Tick,
        };
        for action in holding.handle(event, Instant::now()) {
            match action {
                Action::Close => drained = Some(Box::pin(slots.close(shard))),
                Action::WindDown => leadership.scope().wind_down(),
                Action::Release => {
                    leadership.release().await;
                    return;
                }
                Action::Abandon => {
                    tracing::warn!(shard, "work continues under a lost shard; its Lease will expire");
                    return leadership.abandon();
                }
            }
        }
    }
}

async fn until_drained(drained: &mut Option<BoxFuture<'static, ()>>) {
    match drained {
        Some(drained) => drained.await,
        None => std::future::pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

fn lock(client: &RestClient, options: &ShardingOptions, suffix: &str) -> LeaseLock {
    let key = ObjectKey::new(options.namespace.as_str(), format!("{}-{suffix}", options.name));
    let labels: Map<Str> = [(Str::from(LABEL), Str::from(options.name.as_str()))].into_iter().collect();
    let annotations: Map<Str> =
        [(Str::from(COUNT), Str::from(options.by.announced(options.shards).to_string()))]
            .into_iter()
            .collect();
    let options =
        LeaseLockOptions { labels, annotations, ..LeaseLockOptions::new(key, options.identity.clone()) };
    LeaseLock::new(client, options)
}
