//! The view that a replica has of its group, without a clock and I/O.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use client_rs_machinery::{Str, canary};
use tokio::time::Instant;

use super::assignment::{Plan, plan};
use super::hash::ShardBy;
use super::members::Members;
use super::replica::{ShardingError, ShardingOptions};
use crate::LeaderElectionRecord;
use crate::machine::Observation;

/// A Lease of the group.
#[derive(Clone, Debug)]
pub struct Found {
    /// The shard; `None` for the Lease of a replica.
    pub shard: Option<u32>,
    /// Its record.
    pub record: LeaderElectionRecord,
    /// The number of shards that its holder announces; `None` if it did not write it.
    pub count: Option<u32>,
}

/// The result of a round.
#[derive(Debug)]
pub enum Round {
    /// A replica with another number of shards is alive: this one does not take part.
    Refused(ShardingError),
    /// A replica with another number of shards may be alive.
    Waits(ShardingError),
    /// The replica takes part.
    Planned(Planned),
}

/// The next steps of a replica.
#[derive(Debug)]
pub struct Planned {
    /// Whether a membership begins: terms of the one before must end.
    pub begins: bool,
    /// A replica that does not take part, because its number of shards is another.
    pub odd: Option<ShardingError>,
    /// Shards to campaign for and to drain.
    pub plan: Plan,
    /// Replicas that are long gone.
    pub gone: Vec<Str>,
}

/// The view of one replica.
#[derive(Debug)]
pub struct Group {
    options: ShardingOptions,
    /// The deadline until which no replica with another number of shards can have begun: as for a term, it counts from the
    /// last renewal of the own Lease.
    until: Instant,
    members: Members,
    /// The last observation of each shard's Lease.
    shards: BTreeMap<u32, Observation>,
}

impl Group {
    /// Makes the view of a replica that has not announced itself.
    pub fn new(options: ShardingOptions, now: Instant) -> Self {
        Self { options, until: now, members: Members::default(), shards: BTreeMap::new() }
    }

    /// Whether the membership is valid: others have seen this replica all the time, so those with another number of shards
    /// have not begun.
    pub fn is_member(&self, now: Instant) -> bool {
        now < self.until
    }

    /// The end of the membership unless it is renewed.
    pub fn until(&self) -> Instant {
        self.until
    }

    /// How long a round may take that begins now. For a member it leaves time for another round before the membership ends: one
    /// request without a response must not cost all shards.
    pub fn patience(&self, now: Instant) -> Duration {
        let all = self.options.election.renew_deadline;
        if self.is_member(now) { all / 2 } else { all }
    }

    /// The own Lease was renewed by a request of this time. Returns whether the membership continues: one that has ended
    /// begins again with a round that reads the Leases after its announcement.
    pub fn renewed(&mut self, sent: Instant, now: Instant) -> bool {
        let valid = self.is_member(now);
        if valid {
            self.until = sent + self.options.election.renew_deadline;
        }
        valid
    }

    /// Returns the last observation of a shard's Lease.
    pub(crate) fn seen(&self, shard: u32) -> Option<&Observation> {
        self.shards.get(&shard)
    }

    /// Whether the Lease of a shard was ever seen.
    #[cfg(feature = "sim")]
    pub fn has_seen(&self, shard: u32) -> bool {
        self.shards.contains_key(&shard)
    }

    /// Plans the next steps of a replica that runs these shards, from the Leases of its group. `established` is whether the
    /// membership was valid when the round began, at `sent`.
    pub fn plan(
        &mut self,
        leases: Vec<Found>,
        running: &BTreeSet<u32>,
        established: bool,
        sent: Instant,
        now: Instant,
    ) -> Round {
        let mut members = Vec::new();
        let mut counts = BTreeMap::new();
        let mut holders = vec![None; self.options.shards as usize];
        let mut held = Vec::new();
        for Found { shard, record, count } in leases {
            if let Some(shard) = shard {
                let holder = &record.holder_identity;
                if let Some(slot) = holders.get_mut(shard as usize).filter(|_| !holder.is_empty()) {
                    *slot = Some(holder.clone());
                }
                let seen = self.shards.get(&shard).filter(|seen| seen.record == record);
                let at = seen.map_or(now, |seen| seen.at);
                self.shards.insert(shard, Observation { record, at });
                held.push((shard, count));
            } else {
                counts.insert(record.holder_identity.clone(), count);
                members.push(record);
            }
        }
        self.members.observe(members, now);
        let mut live = self.members.live(now);
        let mut begins = false;
        let mut odd = None;
        if let Some((error, member)) = self.disagreement(&held, &live, &counts, now) {
            if !established && self.members.is_proven(&member) {
                return Round::Refused(error);
            }
            if !established && !canary!(60) {
                // Perhaps the Lease is a leftover: then it expires.
                return Round::Waits(error);
            }
            // The other replica was later, and is refused. It does not take part.
            odd = Some(error);
        }
        if !established {
            begins = true;
            self.until = sent + self.options.election.renew_deadline;
        }
        live.retain(|member| counts.get(member).is_none_or(|count| self.agrees(*count)));
        live.push(self.options.identity.as_str().into());
        let plan = plan(&self.options.identity, self.options.shards, &live, &holders, running);
        let gone = self.members.silent(self.options.election.lease_duration * 10, now);
        Round::Planned(Planned { begins, odd, plan, gone })
    }

    /// A replica with another number of shards that is alive, or may be.
    fn disagreement(
        &self,
        held: &[(u32, Option<u32>)],
        live: &[Str],
        counts: &BTreeMap<Str, Option<u32>>,
        now: Instant,
    ) -> Option<(ShardingError, Str)> {
        if canary!(65) {
            return None;
        }
        let error = |announced, member: &Str| {
            let (group, member_name) = (self.options.name.clone(), member.to_string());
            let error = match ShardBy::read(announced) {
                (by, count) if count == self.options.shards && by != self.options.by => {
                    ShardingError::ShardBy { group, own: self.options.by, other: by, member: member_name }
                }
                (_, other) => {
                    ShardingError::ShardCount { group, own: self.options.shards, other, member: member_name }
                }
            };
            (error, member.clone())
        };
        for member in live.iter().filter(|member| **member != self.options.identity) {
            if let Some(Some(other)) = counts.get(member).filter(|count| !self.agrees(**count)) {
                return Some(error(*other, member));
            }
        }
        // A replica whose own Lease was removed may still hold shards.
        for (shard, count) in held {
            let Some(seen) = self.shards.get(shard) else { continue };
            let holder = &seen.record.holder_identity;
            let seconds = u64::try_from(seen.record.lease_duration_seconds).unwrap_or_default();
            if holder.is_empty()
                || *holder == self.options.identity
                || now >= seen.at + Duration::from_secs(seconds)
            {
                continue;
            }
            match count {
                Some(other) if !self.agrees(Some(*other)) => return Some(error(*other, holder)),
                None if *shard >= self.options.shards => {
                    return Some(error(shard.saturating_add(1), holder));
                }
                _ => {}
            }
        }
        None
    }

    /// Whether a Lease announces the same number of shards, by the same part of keys. Leases of versions that did not write their number count as equal.
    fn agrees(&self, count: Option<u32>) -> bool {
        count.is_none_or(|count| count == self.options.by.announced(self.options.shards))
    }
}
