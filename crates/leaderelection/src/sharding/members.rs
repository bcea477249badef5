//! Which replicas are alive: pure.

use std::collections::BTreeMap;
use std::time::Duration;

use client_rs_machinery::Str;
use tokio::time::Instant;

use crate::LeaderElectionRecord;

/// The replicas that were seen, each with its record and when that was seen to change, by the local clock.
#[derive(Debug, Default)]
pub(super) struct Members {
    seen: BTreeMap<Str, (LeaderElectionRecord, Instant)>,
}

impl Members {
    /// Takes over all that there are now; those who are not there any more have gone.
    pub(super) fn observe(&mut self, records: impl IntoIterator<Item = LeaderElectionRecord>, now: Instant) {
        let mut before = std::mem::take(&mut self.seen);
        for record in records {
            let at = match before.remove(&record.holder_identity) {
                Some((seen, at)) if seen == record => at,
                _ => now,
            };
            if !record.holder_identity.is_empty() {
                self.seen.insert(record.holder_identity.clone(), (record, at));
            }
        }
    }

    /// Those whose record has changed within its own lease.
    pub(super) fn live(&self, now: Instant) -> Vec<Str> {
        let live = self.seen.iter().filter(|(_, (record, at))| {
            let seconds = u64::try_from(record.lease_duration_seconds).unwrap_or_default();
            now < *at + Duration::from_secs(seconds)
        });
        live.map(|(identity, _)| identity.clone()).collect()
    }

    /// Those who have been silent for so long.
    pub(super) fn silent(&self, longer_than: Duration, now: Instant) -> Vec<Str> {
        let silent = self.seen.iter().filter(|(_, (_, at))| now.saturating_duration_since(*at) > longer_than);
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
        members.observe([record("a", 2), record("b", 1)], at(10));
        assert_eq!(members.live(at(15)), ["a"]);
        // Another clock that is far off does no harm, in either direction.
        members.observe([record("a", -500), record("b", 1)], at(20));
        assert_eq!(members.live(at(34)), ["a"]);
        assert_eq!(members.silent(Duration::from_secs(33), at(34)), ["b"]);
        members.observe([record("b", 1)], at(34));
        assert!(members.live(at(34)).is_empty());
    }
}
