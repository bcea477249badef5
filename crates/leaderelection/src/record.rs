//! The record of an election.

use client_rs_api::coordination::v1::LeaseSpec;
use client_rs_machinery::{MicroTime, Str};

/// The record that candidates read and write: the leader, its times and the number of changes.
///
/// The times are for people: no candidate compares them with its own clock.
///
/// ```
/// use client_rs_api::coordination::v1::LeaseSpec;
/// use client_rs_leaderelection::LeaderElectionRecord;
///
/// let lease = LeaseSpec { holder_identity: Some("replica-a".into()), ..LeaseSpec::EMPTY };
/// assert_eq!(LeaderElectionRecord::from(&lease).holder_identity, "replica-a");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderElectionRecord {
    /// The identity of the leader. If it is empty, any candidate may take the lock at once.
    pub holder_identity: Str,
    /// How long a candidate waits after it saw the record change before it takes over.
    pub lease_duration_seconds: i32,
    /// When the holder began to lead, by its own clock.
    pub acquire_time: Option<MicroTime>,
    /// When the holder last renewed, by its own clock.
    pub renew_time: Option<MicroTime>,
    /// Grows by one with every change of the leader. Its start value is not defined.
    pub leader_transitions: i32,
    /// The strategy of a coordinated election; empty in others.
    pub strategy: Str,
    /// The next leader of a coordinated election. If it is set, the holder's term is over.
    pub preferred_holder: Str,
}

impl LeaderElectionRecord {
    /// A record with empty fields.
    pub const EMPTY: Self = Self {
        holder_identity: Str::EMPTY,
        lease_duration_seconds: 0,
        acquire_time: None,
        renew_time: None,
        leader_transitions: 0,
        strategy: Str::EMPTY,
        preferred_holder: Str::EMPTY,
    };
}

impl From<&LeaseSpec> for LeaderElectionRecord {
    fn from(spec: &LeaseSpec) -> Self {
        Self {
            holder_identity: spec.holder_identity.clone().unwrap_or_default(),
            lease_duration_seconds: spec.lease_duration_seconds.unwrap_or_default(),
            acquire_time: spec.acquire_time,
            renew_time: spec.renew_time,
            leader_transitions: spec.lease_transitions.unwrap_or_default(),
            strategy: spec.strategy.clone().unwrap_or_default(),
            preferred_holder: spec.preferred_holder.clone().unwrap_or_default(),
        }
    }
}

impl From<&LeaderElectionRecord> for LeaseSpec {
    fn from(record: &LeaderElectionRecord) -> Self {
        let unless_empty = |text: &Str| (!text.is_empty()).then(|| text.clone());
        Self {
            holder_identity: Some(record.holder_identity.clone()),
            lease_duration_seconds: Some(record.lease_duration_seconds),
            acquire_time: record.acquire_time,
            renew_time: record.renew_time,
            lease_transitions: Some(record.leader_transitions),
            strategy: unless_empty(&record.strategy),
            preferred_holder: unless_empty(&record.preferred_holder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t7_05_spec_and_record_convert_without_loss() {
        let at = |micros: u32| MicroTime::new(1_772_366_400, micros * 1000);
        let full = LeaderElectionRecord {
            holder_identity: "me".into(),
            lease_duration_seconds: 15,
            acquire_time: at(1),
            renew_time: at(2),
            leader_transitions: 7,
            strategy: "OldestEmulationVersion".into(),
            preferred_holder: "you".into(),
        };
        for record in [full, LeaderElectionRecord::EMPTY] {
            assert_eq!(LeaderElectionRecord::from(&LeaseSpec::from(&record)), record);
        }
        assert_eq!(LeaderElectionRecord::from(&LeaseSpec::EMPTY), LeaderElectionRecord::EMPTY);
        let spec = LeaseSpec::from(&LeaderElectionRecord::EMPTY);
        assert_eq!((spec.strategy, spec.preferred_holder), (None, None));
        assert_eq!((spec.holder_identity, spec.lease_transitions), (Some(Str::EMPTY), Some(0)));
    }
}
