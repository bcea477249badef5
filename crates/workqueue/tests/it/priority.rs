//! Priority and ageing, alone and with fairness.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use client_rs_workqueue::{
    AddOptions, ExponentialFailure, Fairness, INITIAL_LIST_PRIORITY, Priority, QueueOptions, WorkQueue,
};

fn queue<K: std::hash::Hash + Eq + Clone + Send + 'static>(ageing: Option<u32>) -> WorkQueue<K> {
    WorkQueue::with_options(QueueOptions::default().with_priority(Priority::default().with_ageing(ageing)))
}

fn at(priority: i32) -> AddOptions {
    AddOptions::default().with_priority(priority)
}

fn keys<K: std::hash::Hash + Eq + Clone + Send + 'static>(queue: &WorkQueue<K>) -> Vec<K> {
    std::iter::from_fn(|| queue.try_get().map(|item| item.key().clone())).collect()
}

#[test]
fn the_highest_first_and_first_in_first_out_among_equals() {
    let queue = queue(Some(16));
    for (key, priority) in [("low 1", -5), ("mid 1", 0), ("high", 7), ("low 2", -5), ("mid 2", 0)] {
        queue.add_with(key, at(priority));
    }
    assert_eq!(keys(&queue), ["high", "mid 1", "mid 2", "low 1", "low 2"]);
}

#[test]
fn the_extreme_priorities_work_like_any_other() {
    let queue = queue(Some(16));
    for (key, priority) in [("least", i32::MIN), ("none", 0), ("most", i32::MAX)] {
        queue.add_with(key, at(priority));
    }
    assert_eq!(keys(&queue), ["most", "none", "least"]);
}

#[test]
fn initial_list_keys_come_after_live_events() {
    let queue = queue(Some(16));
    for key in 0..5 {
        queue.add_with(key, at(INITIAL_LIST_PRIORITY));
    }
    queue.add(7);
    queue.add(3);
    assert_eq!(keys(&queue), [7, 3, 0, 1, 2, 4], "an event raises a key that was listed");
}

#[test]
fn a_queued_key_keeps_the_higher_of_its_priorities() {
    let queue = queue(None);
    queue.add_with("a", at(5));
    queue.add_with("b", at(3));
    queue.add_with("a", at(1));
    queue.add_with("b", at(9));
    let first = queue.try_get().unwrap();
    assert_eq!((*first, first.priority()), ("b", 9));
    assert_eq!(queue.try_get().unwrap().priority(), 5);
}

#[tokio::test(start_paused = true)]
async fn a_retry_keeps_the_priority_of_its_run() {
    let limiter = Arc::new(ExponentialFailure::new(Duration::from_millis(5), Duration::from_secs(1)));
    let queue = WorkQueue::with_options(
        QueueOptions::default().with_priority(Priority::default()).with_limiter(limiter),
    );
    queue.add_with("a", at(-7));
    queue.add_with("b", at(4));
    queue.try_get().unwrap().retry();
    let a = queue.try_get().unwrap();
    queue.add_rate_limited("a");
    a.done();
    tokio::time::advance(Duration::from_millis(5)).await;
    let (b, a) = (queue.try_get().unwrap(), queue.try_get().unwrap());
    assert_eq!((*b, b.priority(), *a, a.priority()), ("b", 4, "a", -7));
    a.retry_after(Duration::from_secs(9));
    b.retry_after(Duration::from_secs(9));
    tokio::time::advance(Duration::from_secs(9)).await;
    assert_eq!(queue.try_get().unwrap().priority(), 4);
    assert_eq!(queue.try_get().unwrap().priority(), -7);
}

#[test]
fn an_event_during_a_low_run_queues_it_as_an_event() {
    let queue = queue(None);
    queue.add_with("a", at(-100));
    let run = queue.try_get().unwrap();
    queue.add_with("a", at(-100));
    queue.add("a");
    run.done();
    assert_eq!(queue.try_get().unwrap().priority(), 0);
}

/// A new high-priority key for each handout: without ageing the low one would wait forever.
#[test]
fn low_priority_drains_within_its_bound_under_constant_load() {
    for (ageing, levels) in [(1_usize, 1_usize), (4, 1), (16, 1), (4, 3), (2, 5)] {
        let queue = queue(Some(u32::try_from(ageing).unwrap()));
        for level in 1..=levels {
            queue.add_with(level, at(-i32::try_from(level).unwrap()));
        }
        let mut waited = vec![0; levels + 1];
        for handout in 1..=(ageing + 1) * (levels + 1) {
            queue.add(1000 + handout);
            let got = *queue.try_get().unwrap();
            if got <= levels {
                waited[got] = handout;
            }
        }
        assert!(waited[1..].iter().all(|&handout| handout > 0), "{ageing} {levels}: {waited:?}");
    }
}

/// The opposite bound: the high priority keeps everything except the share of the low one.
#[test]
fn ageing_takes_no_more_than_its_share() {
    let queue = queue(Some(9));
    for key in 0..1000 {
        queue.add_with(key, at(-1));
        queue.add_with(1000 + key, at(1));
    }
    let low = (0..500).filter(|_| *queue.try_get().unwrap() < 1000).count();
    assert_eq!(low, 50, "one in ten");
}

#[test]
fn without_ageing_priority_is_strict() {
    for off in [None, Some(0)] {
        let queue = queue(off);
        queue.add_with(0, at(-1));
        for key in 1..1000 {
            queue.add(key);
            assert_eq!(*queue.try_get().unwrap(), key);
        }
        assert_eq!(*queue.try_get().unwrap(), 0);
    }
}

#[test]
fn priority_without_the_option_is_ignored() {
    let queue = WorkQueue::default();
    queue.add_with("a", at(1));
    queue.add_with("b", at(9));
    assert_eq!(queue.try_get().unwrap().priority(), 0);
    assert_eq!(keys(&queue), ["b"]);
}

/// Priority × fair × delay × rate limit, on one queue.
#[tokio::test(start_paused = true)]
async fn the_options_compose() {
    let queue = WorkQueue::with_options(
        QueueOptions::default()
            .with_priority(Priority::default())
            .with_fairness(Fairness::by(|key: &&str| {
                Cow::Borrowed(key.split('/').next().unwrap_or_default())
            }))
            .with_limiter(Arc::new(ExponentialFailure::new(
                Duration::from_millis(5),
                Duration::from_secs(1),
            ))),
    );
    for key in ["a/1", "a/2", "a/3", "b/1"] {
        queue.add_with(key, at(-1));
    }
    for key in ["a/4", "a/5", "c/1"] {
        queue.add(key);
    }
    queue.add_after("b/2", Duration::from_millis(1));
    queue.add_rate_limited("b/3");
    assert_eq!((queue.len(), queue.waiting()), (7, 2));
    tokio::time::advance(Duration::from_millis(5)).await;
    assert_eq!(keys(&queue), ["a/4", "c/1", "b/2", "a/5", "b/3", "a/1", "b/1", "a/2", "a/3"]);
}
