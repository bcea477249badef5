//! The assignment of shards to replicas, as pure functions.

use std::collections::BTreeSet;

use client_rs_machinery::{Str, canary};

/// Assigns a replica to each shard; empty if there are no replicas.
///
/// Every replica that sees the same replicas and holders computes the same result. Each replica gets `shards / replicas`
/// shards, or one more. A holder keeps its shards as far as that allows.
///
/// ```
/// use client_rs_leaderelection::sharding::assign;
///
/// // `a` holds all shards, and `b` is new: only one shard moves.
/// let holders = [Some("a".into()), Some("a".into()), Some("a".into())];
/// let assigned = assign(3, &["a".into(), "b".into()], &holders);
/// assert_eq!(assigned.iter().filter(|replica| **replica == "b").count(), 1);
/// ```
pub fn assign(shards: u32, replicas: &[Str], holders: &[Option<Str>]) -> Vec<Str> {
    let replicas: Vec<&Str> = BTreeSet::from_iter(replicas).into_iter().collect();
    if replicas.is_empty() {
        return Vec::new();
    }
    let index_of = |holder: &Str| replicas.binary_search(&holder).ok();
    let mut held: Vec<usize> = vec![0; replicas.len()];
    for holder in holders.iter().take(shards as usize).flatten() {
        if let Some(index) = index_of(holder) {
            held[index] += 1;
        }
    }
    let mut quotas = quotas(shards as usize, &held);
    let mut assigned: Vec<Option<usize>> = vec![None; shards as usize];
    for (shard, holder) in holders.iter().take(shards as usize).enumerate() {
        if let Some(index) = holder.as_ref().and_then(index_of)
            && quotas[index] > 0
        {
            quotas[index] -= 1;
            assigned[shard] = Some(index);
        }
    }
    let mut free = quotas.iter().enumerate().flat_map(|(index, quota)| std::iter::repeat_n(index, *quota));
    let assigned = assigned.into_iter().map(|index| index.or_else(|| free.next()));
    // The quotas add up to the number of shards, so every shard has a replica.
    assigned.flatten().map(|index| replicas[index].clone()).collect()
}

/// The number of shards of each replica. Those that hold most get the additional ones, so that fewest shards move.
fn quotas(shards: usize, held: &[usize]) -> Vec<usize> {
    let (base, extra) = (shards / held.len(), shards % held.len());
    let mut by_held: Vec<usize> = (0..held.len()).collect();
    by_held.sort_by_key(|&index| (std::cmp::Reverse(held[index]), index));
    let mut quotas = vec![base; held.len()];
    for &index in &by_held[..extra] {
        quotas[index] += 1;
    }
    quotas
}

/// The next steps of a replica.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Shards to campaign for.
    pub campaign: BTreeSet<u32>,
    /// Shards to drain and release, or to stop campaigning for.
    pub drain: BTreeSet<u32>,
}

/// Plans the next steps of a replica that campaigns for, or holds, the shards in `running`.
///
/// ```
/// use client_rs_leaderelection::sharding::plan;
///
/// // `a` holds both shards, and `b` is new: `a` drains one of them.
/// let (replicas, holders) = (["a".into(), "b".into()], [Some("a".into()), Some("a".into())]);
/// let plan = plan("a", 2, &replicas, &holders, &[0, 1].into());
/// assert_eq!((plan.campaign.len(), plan.drain.len()), (0, 1));
/// ```
pub fn plan(
    me: &str,
    shards: u32,
    replicas: &[Str],
    holders: &[Option<Str>],
    running: &BTreeSet<u32>,
) -> Plan {
    let assigned = assign(shards, replicas, holders);
    let mine: BTreeSet<u32> =
        (0..shards).zip(&assigned).filter(|(_, to)| **to == me).map(|(shard, _)| shard).collect();
    Plan {
        campaign: mine.difference(running).copied().collect(),
        drain: running.difference(&mine).copied().filter(|_| !canary!(63)).collect(),
    }
}

#[cfg(test)]
mod tests;
