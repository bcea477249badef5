//! Each key has one writer at a time, and in the end all of them have one.

use std::collections::{BTreeMap, BTreeSet};

use super::{Violation, broken};
use crate::history::{Fact, History, Phase};

/// After the last fault every shard has a holder within a lease at the slowest clock, twice if a Lease was deleted, and some
/// rounds.
const PATIENCE: u64 = 80 * 1_000_000;

/// Writes of different terms of a shard do not overlap, and no Lease is released under a claim.
pub(super) fn check(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("sharding", at, message));
    let mut owners: BTreeMap<(u8, i64), u8> = BTreeMap::new();
    // The highest token that has written, per shard.
    let mut newest: BTreeMap<u8, i64> = BTreeMap::new();
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::ShardTerm { shard, token, .. } => {
                if let Some(owner) = owners.insert((shard, token), entry.node) {
                    return fail(
                        at,
                        format!("token {token} of shard {shard} is given again, after replica {owner}"),
                    );
                }
            }
            Fact::ShardRelease { shard, running: true } => {
                return fail(at, format!("replica {} releases shard {shard} under a claim", entry.node));
            }
            Fact::ShardWrite { shard, token, .. } if entry.phase == Phase::Ok => {
                let newest = newest.entry(shard).or_insert(token);
                if token < *newest {
                    return fail(
                        at,
                        format!("token {token} of shard {shard} writes after token {newest} has"),
                    );
                }
                *newest = token;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Replicas with different numbers of shards never work at the same time.
pub(super) fn check_numbers(history: &History) -> Result<(), Violation> {
    // When each term began, and the last write of each number of shards.
    let mut began: BTreeMap<(u8, i64), usize> = BTreeMap::new();
    let mut wrote: BTreeMap<u8, usize> = BTreeMap::new();
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::ShardTerm { shard, token, .. } => {
                began.insert((shard, token), at);
            }
            Fact::ShardWrite { shard, token, count } if entry.phase == Phase::Ok => {
                let since = began.get(&(shard, token)).copied().unwrap_or_default();
                let other = wrote.iter().find(|(other, last)| **other != count && **last > since);
                if let Some((other, last)) = other {
                    let message = format!(
                        "a replica with {count} shards works, although one with {other} has at entry {last}, in the same term"
                    );
                    return Err(broken("numbers of shards", at, message));
                }
                wrote.insert(count, at);
            }
            _ => {}
        }
    }
    Ok(())
}

/// After the last fault every shard is worked on, and the shards are distributed evenly.
pub(super) fn check_progress(history: &History) -> Result<(), Violation> {
    let fail = |at, message: String| Err(broken("sharding progress", at, message));
    let (mut healed, mut shares) = (None, Vec::new());
    let mut worked: BTreeSet<(u8, u8)> = BTreeSet::new();
    for (at, entry) in history.entries.iter().enumerate() {
        match entry.op {
            Fact::Heal => healed = Some(entry.t),
            Fact::ShardWrite { shard, count, .. }
                if entry.phase == Phase::Ok && healed.is_some_and(|healed| entry.t > healed + PATIENCE) =>
            {
                worked.insert((count, shard));
            }
            Fact::Share { held, count, takes_part: true } => shares.push((count, held)),
            Fact::Quiet { .. } => {
                let held: BTreeSet<u8> =
                    shares.iter().filter(|(_, held)| *held > 0).map(|(count, _)| *count).collect();
                // All may have refused each other.
                let Some(count) = held.first().copied() else {
                    if shares.is_empty() {
                        return Ok(());
                    }
                    return fail(at, "no shard is held".to_owned());
                };
                let own = || shares.iter().filter(|(other, _)| *other == count).map(|(_, held)| *held);
                let (least, most) = (own().min().unwrap_or_default(), own().max().unwrap_or_default());
                if held.len() > 1 || most - least > 1 || own().sum::<u8>() != count {
                    return fail(at, format!("shards and holders in the end: {shares:?}"));
                }
                if let Some(shard) = (0..count).find(|shard| !worked.contains(&(count, *shard))) {
                    return fail(at, format!("shard {shard} is not worked on, long after the last fault"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
