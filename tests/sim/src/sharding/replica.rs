//! A replica: the parts of production that decide, in a shell of the simulation.

use client_rs_leaderelection::sharding::ShardingOptions;
use client_rs_leaderelection::sharding::sim::{Found, Group, Holding, Step};
use client_rs_leaderelection::sim::Candidate;
use tokio::time::Instant;

/// The number of shards.
pub const SHARDS: u32 = 3;
/// The number of shards of a replica that differs.
pub const ODD: u32 = 2;

/// A process.
pub(super) struct Replica {
    pub(super) identity: String,
    /// Its number of shards.
    pub(super) count: u32,
    pub(super) group: Group,
    pub(super) paused: bool,
    pub(super) life: Life,
    pub(super) round: Option<Round>,
    pub(super) next_round: Instant,
    /// The version of its own Lease that it has read or written last.
    pub(super) version: Option<u32>,
    pub(super) slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Life {
    Runs,
    /// It waits for its shards, and stays announced.
    Stops,
    /// It removes its Lease until then.
    Leaves(Instant, u32),
    /// It was refused, and does nothing.
    Refused,
}

/// A round in progress.
pub(super) struct Round {
    pub(super) began: Instant,
    /// When it is given up.
    pub(super) until: Instant,
    /// Whether the membership was valid when it began.
    pub(super) established: bool,
    pub(super) announcing: Announcing,
    pub(super) listing: Listing,
}

/// The announcement of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Announcing {
    /// A request is in progress, and this many have been sent.
    Requests(Step, u32, u32),
    Done,
    Failed,
}

/// The list of a round.
pub(super) enum Listing {
    /// It waits for the announcement.
    Later,
    /// This request is in progress.
    Request(u32),
    Done(Vec<Found>),
    Failed,
}

/// A shard of a replica.
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "one for each task that may run")]
pub(super) struct Slot {
    /// The campaign in progress, or the last one, with its memory.
    pub(super) candidate: Option<Candidate>,
    /// Whether the campaign is in progress.
    pub(super) campaigns: bool,
    /// Whether the replica campaigns for the shard, or holds it.
    pub(super) runs: bool,
    /// Whether that is over, and the replica has not looked yet.
    pub(super) over: bool,
    /// Whether the next campaign waits for the end of the last one.
    pub(super) waits: bool,
    pub(super) request: Option<u32>,
    pub(super) version: u32,
    pub(super) holding: Option<Holding>,
    pub(super) term: Option<Term>,
}

/// A term of a shard.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    pub(super) token: i64,
    /// The end of the term unless it is renewed; `None` when it has ended.
    pub(super) gate: Option<Instant>,
    /// Claims that run.
    pub(super) claims: u8,
}

impl Replica {
    pub(super) fn new(identity: String, count: u32, now: Instant) -> Self {
        let options = ShardingOptions::new("default", "group", count, identity.clone());
        Self {
            identity,
            count,
            group: Group::new(options, now),
            paused: false,
            life: Life::Runs,
            round: None,
            next_round: now,
            version: None,
            slots: (0..count).map(|_| Slot::default()).collect(),
        }
    }

    /// Returns the time of its next wake-up.
    pub(super) fn wake_at(&self) -> Option<Instant> {
        let round = self.round.as_ref().map(|round| round.until);
        let own = match self.life {
            Life::Runs | Life::Stops => Some(round.unwrap_or(self.next_round)),
            Life::Leaves(until, _) => Some(until),
            Life::Refused => None,
        };
        let slots = self.slots.iter().flat_map(|slot| {
            let campaign = slot.candidate.as_ref().filter(|_| slot.campaigns).and_then(Candidate::wake_at);
            [campaign, slot.holding.as_ref().and_then(Holding::wake_at)]
        });
        // Terms end with the membership.
        let terms = self.slots.iter().any(|slot| slot.term.is_some_and(|term| term.gate.is_some()));
        slots.flatten().chain(own).chain(terms.then(|| self.group.until())).min()
    }

    /// Returns whether it has seen the Lease of a shard.
    pub(super) fn knows(&self, shard: u32) -> bool {
        self.group.has_seen(shard)
    }

    /// Returns whether a claim of a shard may write.
    pub(super) fn may_write(&self, term: Term, now: Instant) -> bool {
        term.gate.is_some_and(|gate| now < gate) && self.group.is_member(now)
    }

    /// Returns the number of shards that can be claimed.
    pub(super) fn held(&self, now: Instant) -> u8 {
        let open = self.slots.iter().filter(|slot| {
            slot.holding.as_ref().is_some_and(Holding::is_open)
                && slot.term.is_some_and(|term| self.may_write(term, now))
        });
        u8::try_from(open.count()).unwrap_or(u8::MAX)
    }
}
