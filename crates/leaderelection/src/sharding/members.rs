//! The live replicas, without a clock and I/O.

use std::collections::BTreeMap;
use std::time::Duration;

use client_rs_machinery::{Str, canary};
use tokio::time::Instant;

use crate::LeaderElectionRecord;

/// The replicas that were seen.
#[derive(Debug, Default)]
pub(super) struct Members {
    seen: BTreeMap<Str, Member>,
}

#[derive(Debug)]
struct Member {
    record: LeaderElectionRecord,
    /// When the record was seen to change, by the local clock.
    at: Instant,
    /// Whether the record was seen to change: until then it may be a leftover.
    proven: bool,
}

impl Members {
    /// Stores the current records. Replicas without a record have left.
    pub(super) fn observe(&mut self, records: impl IntoIterator<Item = LeaderElectionRecord>, now: Instant) {
        let mut before = std::mem::take(&mut self.seen);
        for record in records {
            let (at, proven) = match before.remove(&record.holder_identity) {
                Some(seen) if seen.record == record => (seen.at, seen.proven),
                Some(_) => (now, true),
                None => (now, false),
            };
            if !record.holder_identity.is_empty() {
                self.seen.insert(record.holder_identity.clone(), Member { record, at, proven });
            }
        }
    }

    /// The replicas whose record has changed within its own lease.
    pub(super) fn live(&self, now: Instant) -> Vec<Str> {
        let live = self.seen.iter().filter(|(_, member)| {
            let seconds = u64::try_from(member.record.lease_duration_seconds).unwrap_or_default();
            now < member.at + Duration::from_secs(seconds) || canary!(62)
        });
        live.map(|(identity, _)| identity.clone()).collect()
    }

    /// Whether a replica's record was seen to change, so that it is not a leftover.
    pub(super) fn is_proven(&self, identity: &str) -> bool {
        self.seen.get(identity).is_some_and(|member| member.proven)
    }

    /// The replicas without a change for this time.
    pub(super) fn silent(&self, longer_than: Duration, now: Instant) -> Vec<Str> {
        let silent =
            self.seen.iter().filter(|(_, member)| now.saturating_duration_since(member.at) > longer_than);
        silent.map(|(identity, _)| identity.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::MicroTime;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_replica_lives_as_long_as_its_record_changes() {
        let record = |identity: &str, renewed: i64| LeaderElectionRecord {
            holder_identity: identity.into(),
            lease_duration_seconds: 15,
            renew_time: MicroTime::new(renewed, 0),
            ..LeaderElectionRecord::EMPTY
        };
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut members = Members::default();
        members.observe([record("a", 1), record("b", 1), record("", 1)], at(0));
        assert_eq!(members.live(at(14)), ["a", "b"]);
        assert!(!members.is_proven("a"));
        members.observe([record("a", 2), record("b", 1)], at(10));
        assert!(members.is_proven("a") && !members.is_proven("b") && !members.is_proven("c"));
        assert_eq!(members.live(at(15)), ["a"]);
        // A wrong clock of another replica has no effect, in either direction.
        members.observe([record("a", -500), record("b", 1)], at(20));
        assert_eq!(members.live(at(34)), ["a"]);
        assert_eq!(members.silent(Duration::from_secs(33), at(34)), ["b"]);
        members.observe([record("b", 1)], at(34));
        assert!(members.live(at(34)).is_empty());
    }
}
