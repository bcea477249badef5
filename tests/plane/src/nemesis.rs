//! The faults of a run, as data.

use std::time::Duration;

use fastrand::Rng;

/// A fault. Each ends before the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A member of etcd is killed, and starts again.
    KillEtcd(usize),
    /// A member of etcd is paused.
    PauseEtcd(usize),
    /// The other members of etcd do not reach this one; it reaches them.
    IsolateEtcd(usize),
    /// The history is dropped up to now.
    Compact,
    /// A kube-apiserver is killed, and starts again.
    KillApiserver(usize),
    /// A kube-apiserver is paused.
    PauseApiserver(usize),
    /// The informer's connections are cut, in the middle of everything.
    Cut,
    /// The informer's requests do not arrive.
    HoldRequests,
    /// Responses do not reach the informer.
    HoldResponses,
    /// The informer's connections are refused.
    Refuse,
    /// The user's connections are cut.
    CutUser,
    /// A replica is killed, and another takes its place.
    KillReplica(usize),
    /// Responses do not reach a replica.
    PartitionReplica(usize),
    /// All programs are killed, and the data of etcd is copied.
    BackUp,
    /// All programs are killed, and the data of etcd is that of the copy.
    Restore,
}

/// The sizes of a control plane.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Members of etcd.
    pub etcds: usize,
    /// kube-apiservers.
    pub apiservers: usize,
    /// Replicas.
    pub replicas: usize,
}

/// Chooses a fault, and how long it lasts.
pub fn choose(random: &mut Rng, sizes: Sizes) -> (Fault, Duration) {
    let etcd = random.usize(..sizes.etcds);
    let apiserver = random.usize(..sizes.apiservers);
    let replica = random.usize(..sizes.replicas.max(1));
    let fault = match random.u8(..20) {
        0..2 => Fault::KillEtcd(etcd),
        2..4 => Fault::PauseEtcd(etcd),
        4 => Fault::IsolateEtcd(etcd),
        5..8 => Fault::Compact,
        8 => Fault::KillApiserver(apiserver),
        9..11 => Fault::PauseApiserver(apiserver),
        13 => Fault::HoldRequests,
        14 => Fault::HoldResponses,
        15 => Fault::Refuse,
        16 => Fault::CutUser,
        17 if sizes.replicas > 0 => Fault::KillReplica(replica),
        18 if sizes.replicas > 0 => Fault::PartitionReplica(replica),
        _ => Fault::Cut,
    };
    let lasts = Duration::from_millis(random.u64(500..9_000));
    (fault, lasts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_of_a_seed_are_chosen_and_the_same() {
        let sizes = Sizes { etcds: 3, apiservers: 2, replicas: 2 };
        let all = |seed| {
            let mut random = Rng::with_seed(seed);
            (0..500).map(|_| choose(&mut random, sizes)).collect::<Vec<_>>()
        };
        assert_eq!(all(1), all(1));
        for fault in [Fault::KillEtcd(2), Fault::IsolateEtcd(0), Fault::PauseApiserver(1), Fault::Refuse] {
            assert!(all(1).iter().any(|(chosen, _)| *chosen == fault), "{fault:?}");
        }
    }
}
