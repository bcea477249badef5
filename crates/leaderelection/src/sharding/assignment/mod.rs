//! Who is to have which shard: pure.

use std::collections::BTreeSet;

use client_rs_machinery::Str;

/// The replica of each shard; empty if there are no replicas.
///
/// Every replica that sees the same replicas and holders gets the same answer. Each replica gets `shards / replicas` of
/// them, or one more; a holder keeps what it has as far as that allows.
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
    // The quotas add up to the shards, so each has one.
    assigned.flatten().map(|index| replicas[index].clone()).collect()
}

/// How many each replica gets. Those that hold most get the one more, so that fewest shards move.
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

/// What a replica is to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Shards to campaign for.
    pub campaign: BTreeSet<u32>,
    /// Shards to drain and give back, or to stop campaigning for.
    pub drain: BTreeSet<u32>,
}

/// What a replica is to do that campaigns for, or holds, the shards in `running`.
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
        drain: running.difference(&mine).copied().collect(),
    }
}

#[cfg(test)]
mod tests;
