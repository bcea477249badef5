//! Fairness among tenants.

use std::borrow::Cow;
use std::collections::HashMap;

use client_rs_workqueue::{Fairness, QueueOptions, WorkQueue};

type Key = (&'static str, u32);

fn by_name() -> Fairness<Key> {
    Fairness::by(|key: &Key| Cow::Borrowed(key.0))
}

fn queue(fairness: Fairness<Key>) -> WorkQueue<Key> {
    WorkQueue::with_options(QueueOptions::default().with_fairness(fairness))
}

fn next(queue: &WorkQueue<Key>) -> Key {
    *queue.try_get().expect("a key is queued")
}

#[test]
fn a_noisy_tenant_delays_another_by_one_turn_only() {
    let queue = queue(by_name());
    (0..10_000).for_each(|key| queue.add(("noisy", key)));
    (0..100).for_each(|key| queue.add(("quiet", key)));
    let mut quiet = 0;
    for _ in 0..200 {
        quiet += u32::from(next(&queue).0 == "quiet");
    }
    assert_eq!(quiet, 100, "turn by turn, as long as it has keys");
    queue.add(("late", 0));
    assert!((0..2).any(|_| next(&queue).0 == "late"));
}

#[test]
fn each_tenants_keys_stay_in_order() {
    let queue = queue(by_name());
    for key in 0..50 {
        queue.add(("a", key));
        queue.add(("b", 100 - key));
    }
    let mut seen: HashMap<&str, Vec<u32>> = HashMap::new();
    while let Some(item) = queue.try_get() {
        seen.entry(item.0).or_default().push(item.1);
    }
    assert_eq!(seen["a"], (0..50).collect::<Vec<_>>());
    assert_eq!(seen["b"], (0..50).map(|key| 100 - key).collect::<Vec<_>>());
}

/// A tenant that adds one key at a time, as fast as it is processed, gets no more than its share against a backlog.
#[test]
fn a_tenant_that_leaves_and_returns_earns_no_credit() {
    let queue = queue(by_name());
    (0..1000).for_each(|key| queue.add(("backlog", key)));
    let mut visits = 0;
    queue.add(("visitor", 0));
    for _ in 0..400 {
        if next(&queue).0 == "visitor" {
            visits += 1;
            queue.add(("visitor", visits));
        }
    }
    assert!((195..=205).contains(&visits), "{visits}");
}

#[test]
fn weights_divide_the_turns() {
    let weights = by_name().weigh(|tenant| match tenant {
        "gold" => 6,
        "silver" => 3,
        _ => 0,
    });
    let queue = queue(weights);
    for key in 0..1000 {
        for tenant in ["free", "silver", "gold"] {
            queue.add((tenant, key));
        }
    }
    let mut turns: HashMap<&str, i32> = HashMap::new();
    (0..1000).for_each(|_| *turns.entry(next(&queue).0).or_default() += 1);
    for (tenant, share) in [("gold", 600), ("silver", 300), ("free", 100)] {
        assert!((turns[tenant] - share).abs() <= 2, "{turns:?}");
    }
}

#[test]
fn absurd_weights_are_bounded() {
    let queue = queue(by_name().weigh(|tenant| if tenant == "greedy" { u32::MAX } else { 1 }));
    (0..100).for_each(|key| queue.add(("greedy", key)));
    queue.add(("meek", 0));
    assert!((0..101).any(|_| next(&queue).0 == "meek"));
}

#[test]
fn a_key_is_still_one_key() {
    let queue = queue(by_name());
    (0..10).for_each(|_| queue.add(("a", 1)));
    let item = queue.try_get().unwrap();
    queue.add(("a", 1));
    assert!(queue.try_get().is_none());
    item.done();
    assert_eq!(next(&queue), ("a", 1));
    assert!(queue.is_empty());
}
