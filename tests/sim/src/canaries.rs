//! Seeded faults in the library, and how many histories it takes to find each.

use crate::campaign;
use crate::schedule::Mode;
use crate::subject::{Run, Subject, corpus};

/// A seeded fault.
#[derive(Clone, Copy, Debug)]
pub struct Canary {
    /// Its number in the code: `canary!(N)`.
    pub number: u32,
    /// The fault.
    pub name: &'static str,
    /// The histories that it may take to find it.
    pub budget: u64,
}

const fn canary(number: u32, name: &'static str, budget: u64) -> Canary {
    Canary { number, name, budget }
}

/// Faults in informers and the work queue.
pub const INFORMER: &[Canary] = &[
    canary(1, "merging: an update and its deletion become the deletion", 10_000),
    canary(2, "merging: the old state of two updates is the one in between", 10_000),
    canary(3, "reflector: forgets that the server does not have the version", 10_000),
    canary(4, "reflector: a streamed list has no version", 10_000),
    canary(5, "reflector: a deletion during a streamed list is ignored", 10_000),
    canary(6, "reflector: a list begins with the items of one that failed", 10_000),
    canary(7, "reflector: does not notice a list that is older than the cache", 100_000),
    canary(8, "reflector: shares cached objects with a server that uses versions again", 1_000_000),
    canary(9, "store: an unreadable object in a list counts as deleted", 10_000),
    canary(10, "store: objects that are missing in a list stay", 10_000),
    canary(11, "store: a mark as stale is never removed", 10_000),
    canary(12, "store: the deletion of a stale object hides its last change", 100_000),
    canary(13, "resync: a change to an object of the same version counts as a replay", 1_000_000),
    canary(14, "handlers: a new handler gets only one existing object", 10_000),
    canary(15, "reflector: no pause between attempts", 100_000),
    canary(16, "reflector: short watches are reopened without a pause", 1_000_000),
    canary(17, "reflector: a dead watch is never given up", 10_000),
    canary(18, "reflector: lists never ask for a version again", 10_000),
    canary(19, "store: a reader gets an old state of an unreadable object", 100_000),
    canary(20, "store: a list does not set the version", 10_000),
    canary(21, "store: a changed object stays at its old values in the index", 10_000),
    canary(22, "store: a bookmark does not set the version", 10_000),
    canary(23, "filter: an object that no longer passes is not deleted", 10_000),
    canary(24, "mapping: the old state of an update is not mapped", 10_000),
    canary(25, "handlers: never have the first list", 10_000),
    canary(26, "handlers: the informer does not wait for one that lags", 100_000),
    canary(27, "reflector: the deletion of an unreadable object has no version", 10_000),
    canary(28, "reflector: an unreadable change is ignored", 10_000),
    canary(30, "queue: a key that is added during its run is lost", 10_000),
    canary(31, "queue: a key in progress is handed out again", 10_000),
    canary(32, "queue: a retry is lost", 10_000),
];

/// Faults in elections.
pub const ELECTION: &[Canary] = &[
    canary(40, "election: a lost term is released while its work runs", 10_000),
    canary(41, "election: a term counts from the response, not from the request", 100_000),
    canary(42, "election: a missing lock is created although its leader may still lead", 100_000),
    canary(43, "election: releases the lock of another leader", 1_000_000),
    canary(44, "election: takes over after half of the lease", 100_000),
    canary(45, "election: a lock that nobody renews never expires", 10_000),
    canary(46, "election: the next leader has the same token", 10_000),
    canary(47, "election: leads on after its deadline", 100_000),
    canary(48, "election: leads on although another one does", 1_000_000),
    canary(49, "election: continues with a record that a late request has written", 1_000_000),
    canary(50, "election: leads at once by a record that a late request has written", 1_000_000),
];

/// Faults in sharding.
pub const SHARDING: &[Canary] = &[
    canary(60, "sharding: begins although a replica with another number of shards may be alive", 100_000),
    canary(61, "sharding: a shard is handed over under a claim", 10_000),
    canary(62, "sharding: a replica that is gone counts as alive", 10_000),
    canary(63, "sharding: no shard is handed over", 10_000),
    canary(64, "sharding: a lost shard is released under a claim", 100_000),
    canary(65, "sharding: another number of shards is not noticed", 10_000),
    canary(67, "election: a term whose campaign is dropped gets its token again", 10_000),
    canary(66, "sharding: a replica whose Lease was deleted is never announced again", 10_000),
];

/// The result for one fault.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    /// The fault.
    pub canary: Canary,
    /// The histories until it was found; `None` if it is alive.
    pub histories: Option<u64>,
}

/// Chooses a fault in all crates; 0 for none.
pub fn choose(number: u32) {
    #[cfg(feature = "canary")]
    client_rs_machinery::canary::choose(number);
    client_rs_workqueue::sim::choose(number);
}

/// Returns whether a history of the corpus, which has failed once, fails.
fn corpus_finds<S: Subject>() -> bool {
    let mut run = Run::default();
    corpus::<S>().into_iter().flatten().any(|(_, case)| run.case::<S>(case.setup, &case.ops).is_err())
}

/// Returns how many histories it takes to find a fault: 0 if the corpus finds it.
pub fn hunt<S: Subject>(canary: Canary) -> Outcome {
    choose(canary.number);
    if corpus_finds::<S>() {
        choose(0);
        return Outcome { canary, histories: Some(0) };
    }
    let mut histories = None;
    // Half of the histories by weight, half by priority, in growing portions.
    let (mut from, mut size) = (0, 64);
    while histories.is_none() && from < canary.budget {
        for mode in [Mode::Random, Mode::Pct] {
            let report = campaign::run::<S>(from / 2..from / 2 + size / 2, mode, true);
            if histories.is_none() && report.failed.is_some() {
                histories = Some(from + report.histories);
            }
        }
        from += size;
        size = (size * 2).min(100_000);
    }
    choose(0);
    Outcome { canary, histories }
}
