//! Races of add, get, done, cancellation and shut-down, under a scheduler that chooses every interleaving.
//!
//! The sources of the queue are compiled here a second time, with shuttle's locks and threads instead of the
//! standard library's (`mod sync`), so that the tests check the code that ships. Failures print a schedule that
//! replays them.
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs, clippy::pedantic)]

mod sync {
    pub(crate) use shuttle::sync::{Mutex, MutexGuard};
    pub(crate) use shuttle::thread::{Thread, current, park, park_timeout};

    pub(crate) fn pause(_: u32) {
        shuttle::thread::yield_now();
    }
}

#[path = "../src/canary.rs"]
mod canary;
#[path = "../src/clock.rs"]
mod clock;
#[path = "../src/core/mod.rs"]
mod core;
#[path = "../src/get.rs"]
mod get;
#[path = "../src/item.rs"]
mod item;
#[path = "../src/key_state.rs"]
mod key_state;
#[path = "../src/later.rs"]
mod later;
#[path = "../src/limiter/mod.rs"]
mod limiter;
#[path = "../src/lock.rs"]
mod lock;
#[path = "../src/metrics.rs"]
mod metrics;
#[path = "../src/options.rs"]
mod options;
#[path = "../src/queue.rs"]
mod queue;
#[path = "../src/shared/mod.rs"]
mod shared;
#[path = "../src/waiters.rs"]
mod waiters;

pub use self::get::{Drain, Get};
pub use self::item::Item;
pub use self::metrics::QueueMetrics;
pub use self::options::{AddOptions, QueueOptions};
pub use self::queue::WorkQueue;

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};

use shuttle::sync::atomic::{AtomicUsize, Ordering};
use shuttle::{future, thread};

/// The number of schedules to try per race.
const SCHEDULES: usize = 3000;

fn race(run: impl Fn() + Send + Sync + 'static) {
    // Half at random, half with few but well-placed switches: each finds bugs that the other misses.
    let run = Arc::new(run);
    let other = Arc::clone(&run);
    shuttle::check_random(move || run(), SCHEDULES / 2);
    shuttle::check_pct(move || other(), SCHEDULES / 2, 3);
}

fn queue() -> WorkQueue<usize> {
    WorkQueue::default()
}

/// Works until the queue ends; returns how often each key was processed.
fn work(queue: &WorkQueue<usize>, busy: &[AtomicUsize]) -> BTreeMap<usize, usize> {
    let mut times = BTreeMap::new();
    let mut next = queue.get_blocking();
    while let Some(item) = next {
        assert_eq!(busy[*item].fetch_add(1, Ordering::SeqCst), 0, "two workers have {}", *item);
        thread::yield_now();
        busy[*item].fetch_sub(1, Ordering::SeqCst);
        *times.entry(*item).or_default() += 1;
        next = item.next_blocking();
    }
    times
}

fn busy() -> Arc<Vec<AtomicUsize>> {
    Arc::new((0..8).map(|_| AtomicUsize::new(0)).collect())
}

#[test]
fn every_key_is_processed_and_none_by_two() {
    race(|| {
        let (queue, busy) = (queue(), busy());
        let workers: Vec<_> = (0..2)
            .map(|_| {
                let (queue, busy) = (queue.clone(), Arc::clone(&busy));
                thread::spawn(move || work(&queue, &busy))
            })
            .collect();
        let producers: Vec<_> = (0..2)
            .map(|producer| {
                let queue = queue.clone();
                thread::spawn(move || (0..3).for_each(|key| queue.add(producer + key)))
            })
            .collect();
        producers.into_iter().for_each(|producer| producer.join().unwrap());
        queue.shutdown();
        let mut times = BTreeMap::<usize, usize>::new();
        for worker in workers {
            for (key, count) in worker.join().unwrap() {
                *times.entry(key).or_default() += count;
            }
        }
        assert_eq!(times.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert!(times.values().all(|&count| count <= 2), "at most once per add: {times:?}");
    });
}

/// An add after the handout of a key is never lost, regardless of what the worker does at that time.
#[test]
fn an_add_during_a_run_is_not_lost() {
    race(|| {
        let queue = queue();
        queue.add(0);
        let item = queue.try_get().unwrap();
        let adder = {
            let queue = queue.clone();
            thread::spawn(move || queue.add(0))
        };
        drop(item);
        adder.join().unwrap();
        assert_eq!(*queue.get_blocking().unwrap(), 0);
        assert!(queue.try_get().is_none());
    });
}

/// An add and the shut-down both wake a worker that waits or is about to wait.
#[test]
fn no_wake_up_is_lost() {
    race(|| {
        let queue = queue();
        let workers: Vec<_> = (0..2)
            .map(|_| {
                let queue = queue.clone();
                thread::spawn(move || queue.get_blocking().map(Item::detach))
            })
            .collect();
        queue.add(1);
        queue.add(2);
        let mut got: Vec<_> = workers.into_iter().map(|worker| worker.join().unwrap().unwrap()).collect();
        got.sort_unstable();
        assert_eq!(got, [1, 2]);
        let last = {
            let queue = queue.clone();
            thread::spawn(move || queue.get_blocking().is_none())
        };
        queue.shutdown();
        assert!(last.join().unwrap());
    });
}

/// The same for tasks. One of them is cancelled at any moment, and its wake-up is not lost.
#[test]
fn a_cancelled_get_wakes_another_waiter() {
    race(|| {
        let queue = queue();
        let patient = {
            let queue = queue.clone();
            thread::spawn(move || future::block_on(queue.get()).map(Item::detach))
        };
        let fickle = {
            let queue = queue.clone();
            thread::spawn(move || {
                let mut get = pin!(queue.get());
                let polled = get.as_mut().poll(&mut Context::from_waker(Waker::noop()));
                thread::yield_now();
                matches!(polled, std::task::Poll::Ready(Some(_)))
            })
        };
        queue.add(1);
        let taken = fickle.join().unwrap();
        if taken {
            queue.add(1);
        }
        assert_eq!(patient.join().unwrap(), Some(1));
    });
}

/// A drain ends when the last run does, though keys come back during it.
#[test]
fn a_drain_ends() {
    race(|| {
        let (queue, busy) = (queue(), busy());
        queue.add(1);
        queue.add(2);
        let worker = {
            let (queue, busy) = (queue.clone(), Arc::clone(&busy));
            thread::spawn(move || work(&queue, &busy))
        };
        let adder = {
            let queue = queue.clone();
            thread::spawn(move || queue.add(1))
        };
        queue.shutdown_with_drain().wait_blocking();
        adder.join().unwrap();
        let times = worker.join().unwrap();
        assert_eq!(times.keys().copied().collect::<Vec<_>>(), [1, 2]);
        assert_eq!((queue.len(), queue.processing()), (0, 0));
    });
}

/// A shut-down ends a drain that nothing else would end.
#[test]
fn a_shut_down_ends_a_drain() {
    race(|| {
        let queue = queue();
        queue.add(1);
        let _stuck = queue.try_get().unwrap();
        let drain = {
            let queue = queue.clone();
            thread::spawn(move || queue.shutdown_with_drain().wait_blocking())
        };
        // The drain may begin after this, and would then wait for another shut-down.
        while !queue.is_shutting_down() {
            thread::yield_now();
        }
        queue.shutdown();
        drain.join().unwrap();
    });
}

/// Adds race the shut-down: each is processed or refused, and the queue is empty in the end.
#[test]
fn adds_and_the_shut_down() {
    race(|| {
        let (queue, busy) = (queue(), busy());
        let worker = {
            let (queue, busy) = (queue.clone(), Arc::clone(&busy));
            thread::spawn(move || work(&queue, &busy))
        };
        let producers: Vec<_> = (0..2)
            .map(|key| {
                let queue = queue.clone();
                thread::spawn(move || queue.add(key))
            })
            .collect();
        queue.shutdown();
        producers.into_iter().for_each(|producer| producer.join().unwrap());
        let times = worker.join().unwrap();
        assert!(times.values().all(|&count| count == 1));
        assert_eq!((queue.len(), queue.processing()), (0, 0));
        assert!(queue.get_blocking().is_none());
    });
}
