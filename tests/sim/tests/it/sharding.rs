//! Shards of the simulated replicas move as `sharding` documents it.

use client_rs_sim::history::{Fact, History};
use client_rs_sim::sharding::op::{Op, Setup};
use client_rs_sim::sharding::replica::SHARDS;
use client_rs_sim::sharding::world::{NODES, World};
use client_rs_sim::subject::base;

fn world() -> World {
    let setup = Setup { rates: [100; 3], kills: true, odd: false, seed: 7 };
    let mut world = World::new(setup, base(), History::default());
    assert!(world.apply(Op::Calm(20_000)));
    world
}

/// Returns the replica that can claim each shard. Checks that no other one can.
fn holders(world: &mut World) -> Vec<Option<u8>> {
    let shards = 0..u8::try_from(SHARDS).unwrap();
    shards
        .map(|shard| {
            let claims = |world: &mut World, node| {
                let claimed = world.apply(Op::Claim(node, shard));
                assert!(!claimed || world.apply(Op::Done(node, shard)));
                claimed
            };
            let by: Vec<u8> = (0..NODES).filter(|node| claims(world, *node)).collect();
            assert!(by.len() < 2, "shard {shard} is claimed by {by:?}");
            by.first().copied()
        })
        .collect()
}

#[test]
fn shards_of_a_replica_that_is_gone_move_after_its_lease() {
    let mut world = world();
    let before = holders(&mut world);
    assert!((0..NODES).all(|node| before.contains(&Some(node))), "{before:?}");
    assert!(world.apply(Op::Pause(0)));
    // Its last renewal was at most a round before, and is valid for 15 s.
    world.apply(Op::Calm(12_900));
    assert!(holders(&mut world).contains(&None), "nobody works on its shard");
    world.apply(Op::Calm(6_000));
    let after = holders(&mut world);
    assert!(after.iter().all(|holder| holder.is_some_and(|holder| holder != 0)), "{after:?}");
    // It comes back, and gets a shard again.
    assert!(world.apply(Op::Resume(0)));
    world.apply(Op::Calm(10_000));
    assert!(holders(&mut world).contains(&Some(0)));
}

#[test]
fn shards_of_a_replica_that_ends_in_order_move_at_once() {
    let mut world = world();
    let before = holders(&mut world);
    assert!(before.contains(&Some(0)), "{before:?}");
    assert!(world.apply(Op::Stop(0)));
    // Long before a lease expires each shard has a holder, though some move on, to the process that follows.
    let mut moved = vec![false; before.len()];
    for _ in 0..10 {
        world.apply(Op::Calm(500));
        for (moved, holder) in moved.iter_mut().zip(holders(&mut world)) {
            *moved |= holder.is_some();
        }
    }
    assert_eq!(moved, vec![true; before.len()]);
    world.apply(Op::Calm(15_000));
    assert!(holders(&mut world).iter().all(Option::is_some));
}

#[test]
fn a_request_without_a_response_costs_no_shard() {
    // Each message of a round in turn.
    for message in 0..8 {
        let mut world = world();
        while !world.apply(Op::Lose(message)) {
            assert!(world.apply(Op::Next));
        }
        world.apply(Op::Calm(20_000));
        let history = world.into_history();
        let terms = history
            .entries
            .iter()
            .filter(|entry| matches!(entry.op, Fact::ShardTerm { .. }) && entry.t > 20_000_000);
        assert_eq!(terms.count(), 0, "message {message}");
    }
}
