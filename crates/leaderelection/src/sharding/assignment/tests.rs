use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn name(index: usize) -> Str {
    format!("replica-{index}").into()
}

fn counts(assigned: &[Str]) -> BTreeMap<&Str, usize> {
    let mut counts = BTreeMap::new();
    for replica in assigned {
        *counts.entry(replica).or_default() += 1;
    }
    counts
}

proptest! {
    #[test]
    fn every_shard_has_one_live_replica_and_the_numbers_differ_by_at_most_one(
        shards in 0u32..40,
        replicas in prop::collection::btree_set(0usize..12, 1..8),
        holders in prop::collection::vec(prop::option::of(0usize..12), 0..40),
    ) {
        let replicas: Vec<Str> = replicas.into_iter().map(name).collect();
        let holders: Vec<Option<Str>> = holders.into_iter().map(|holder| holder.map(name)).collect();
        let assigned = assign(shards, &replicas, &holders);
        prop_assert_eq!(assigned.len(), shards as usize);
        let counts = counts(&assigned);
        prop_assert!(counts.keys().all(|replica| replicas.contains(*replica)));
        let of = |replica| counts.get(replica).copied().unwrap_or(0);
        let (least, most) = (replicas.iter().map(of).min().unwrap(), replicas.iter().map(of).max().unwrap());
        prop_assert!(most - least <= 1, "{least} to {most}");
        // The order of the replicas does not matter, and assigned shards stay.
        let reversed: Vec<Str> = replicas.iter().rev().cloned().collect();
        prop_assert_eq!(&assign(shards, &reversed, &holders), &assigned);
        let settled: Vec<Option<Str>> = assigned.iter().cloned().map(Some).collect();
        prop_assert_eq!(&assign(shards, &replicas, &settled), &assigned);
    }

    #[test]
    fn as_few_shards_as_possible_move(shards in 1u32..40, replicas in 1usize..8) {
        let before: Vec<Str> = (0..replicas).map(name).collect();
        let holders: Vec<Option<Str>> = assign(shards, &before, &[]).into_iter().map(Some).collect();
        let more: Vec<Str> = (0..=replicas).map(name).collect();
        let after = assign(shards, &more, &holders);
        let moved = after.iter().zip(&holders).filter(|(after, before)| before.as_ref() != Some(*after)).count();
        // Only the shards of the new replica.
        prop_assert_eq!(moved, counts(&after).get(&name(replicas)).copied().unwrap_or(0));
    }

    /// Replicas with views of any age, killed and stopped at random. They take Leases only if these are free, or expired by
    /// their own observation. No two replicas ever believe that they hold the same shard, and at the end all shards are held,
    /// evenly.
    #[test]
    fn no_two_hold_a_shard_and_all_are_held_in_the_end(
        shards in 1u32..12,
        steps in prop::collection::vec((0usize..4, 0u8..12), 50..300),
    ) {
        let mut world = World::new(shards, 4);
        for (replica, chance) in steps {
            match chance {
                0 => world.kill(replica),
                1 => world.replicas[replica].stopped = true,
                2 => world.replicas[replica].stopped = false,
                3..=5 => world.now += 1,
                6 => world.look(replica),
                _ => world.step(replica),
            }
            world.check();
        }
        for replica in &mut world.replicas {
            replica.stopped = false;
        }
        for _ in 0..(40 * LEASE) {
            world.now += 1;
            for replica in 0..4 {
                world.look(replica);
                world.step(replica);
                world.check();
            }
        }
        let alive: Vec<usize> = (0..4).filter(|&replica| !world.replicas[replica].dead).collect();
        if !alive.is_empty() {
            let held: Vec<usize> = alive.iter().map(|&replica| world.replicas[replica].held.len()).collect();
            prop_assert_eq!(held.iter().sum::<usize>(), shards as usize);
            prop_assert!(held.iter().max().unwrap() - held.iter().min().unwrap() <= 1, "{:?}", held);
        }
    }
}

/// In ticks: others take over after `LEASE`, a holder gives up after `RENEW`.
const LEASE: u64 = 6;
const RENEW: u64 = 4;

#[derive(Clone, Default)]
struct Lease {
    holder: Option<usize>,
    version: u64,
}

#[derive(Default)]
struct Sim {
    dead: bool,
    /// Its process does not run; its beliefs stay.
    stopped: bool,
    running: BTreeSet<u32>,
    /// Until when it believes to hold a shard.
    held: BTreeMap<u32, u64>,
    /// The version of each Lease and when it was seen to change; shards, then members.
    seen: Vec<(u64, u64)>,
    /// Its view of holders.
    holders: Vec<Option<usize>>,
}

struct World {
    now: u64,
    shards: u32,
    leases: Vec<Lease>,
    members: Vec<u64>,
    replicas: Vec<Sim>,
}

impl World {
    fn new(shards: u32, replicas: usize) -> Self {
        let sim = || Sim {
            seen: vec![(0, 0); shards as usize + replicas],
            holders: vec![None; shards as usize],
            ..Sim::default()
        };
        Self {
            now: 0,
            shards,
            leases: vec![Lease::default(); shards as usize],
            members: vec![0; replicas],
            replicas: (0..replicas).map(|_| sim()).collect(),
        }
    }

    fn kill(&mut self, replica: usize) {
        self.replicas[replica].dead = true;
        self.replicas[replica].held.clear();
        self.replicas[replica].running.clear();
    }

    /// Renews its own Lease and reads all others. A view may be old, because it is updated only here.
    fn look(&mut self, replica: usize) {
        let now = self.now;
        if self.replicas[replica].dead || self.replicas[replica].stopped {
            return;
        }
        self.members[replica] += 1;
        let versions: Vec<u64> =
            self.leases.iter().map(|lease| lease.version).chain(self.members.iter().copied()).collect();
        let sim = &mut self.replicas[replica];
        for (seen, version) in sim.seen.iter_mut().zip(versions) {
            if seen.0 != version {
                *seen = (version, now);
            }
        }
        sim.holders = self.leases.iter().map(|lease| lease.holder).collect();
    }

    fn step(&mut self, replica: usize) {
        let (now, shards) = (self.now, self.shards);
        if self.replicas[replica].dead || self.replicas[replica].stopped {
            return;
        }
        let members = self.members.len();
        let sim = &mut self.replicas[replica];
        sim.held.retain(|_, until| now < *until);
        let live: Vec<Str> = (0..members)
            .filter(|&member| {
                let (version, at) = sim.seen[shards as usize + member];
                member == replica || (version > 0 && now < at + LEASE)
            })
            .map(name)
            .collect();
        let holders: Vec<Option<Str>> = sim.holders.iter().map(|holder| holder.map(name)).collect();
        let plan = plan(&name(replica), shards, &live, &holders, &sim.running);
        sim.running.extend(&plan.campaign);
        for shard in plan.drain {
            sim.running.remove(&shard);
            let lease = &mut self.leases[shard as usize];
            if sim.held.remove(&shard).is_some() && lease.holder == Some(replica) {
                *lease = Lease { holder: None, version: lease.version + 1 };
            }
        }
        for &shard in &sim.running {
            let (lease, seen) = (&mut self.leases[shard as usize], &mut sim.seen[shard as usize]);
            if seen.0 != lease.version {
                *seen = (lease.version, now);
            }
            let free = lease.holder.is_none_or(|holder| holder == replica) || now >= seen.1 + LEASE;
            if free {
                *lease = Lease { holder: Some(replica), version: lease.version + 1 };
                *seen = (lease.version, now);
                sim.held.insert(shard, now + RENEW);
            }
        }
    }

    /// Checks that at most one replica believes that it holds a shard.
    fn check(&self) {
        for shard in 0..self.shards {
            let believers = self
                .replicas
                .iter()
                .filter(|sim| sim.held.get(&shard).is_some_and(|until| self.now < *until));
            assert!(believers.count() <= 1, "shard {shard} at {}", self.now);
        }
    }
}
