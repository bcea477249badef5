//! The shell of a graph in many interleavings: writers, the task that takes inboxes, observers, snapshots, and handles that are
//! dropped.
//!
//! The sources are compiled here a second time with shuttle's locks instead of the standard ones. A failure
//! prints the schedule that replays it.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

#[path = "../src/batch.rs"]
mod batch;
#[path = "../src/change.rs"]
mod change;
#[path = "../src/complete.rs"]
mod complete;
#[path = "../src/core/mod.rs"]
mod core;
#[path = "../src/graph.rs"]
mod graph;
#[path = "../src/handler.rs"]
mod handler;
#[path = "../src/handles.rs"]
mod handles;
#[path = "../src/informer.rs"]
mod informer;
#[path = "../src/input.rs"]
mod input;
#[path = "../src/labels.rs"]
mod labels;
#[path = "../src/observer.rs"]
mod observer;
#[path = "../src/running.rs"]
mod running;
#[path = "../src/signal.rs"]
mod signal;
#[path = "../src/snapshot.rs"]
mod snapshot;
#[path = "../src/state.rs"]
mod state;
mod sync {
    pub(crate) use shuttle::sync::atomic::AtomicBool;
    pub(crate) use shuttle::sync::{Mutex, MutexGuard};
}
#[path = "../src/task.rs"]
mod task;
#[path = "../src/why.rs"]
mod why;

pub use batch::Batch;
pub use change::{Changes, LiveChange};
pub use complete::Incomplete;
pub use core::look::Look;
pub use core::rules::Members;
pub use graph::Graph;
pub use handler::LiveHandler;
pub use handles::{ByLabels, BySelector, LiveIndex, LiveSet};
pub use input::Input;
pub use labels::{LabelSet, Selection};
pub use observer::Observer;
pub use running::RunningGraph;
pub use snapshot::LiveSnapshot;
pub use state::{GraphState, LiveSetState};
pub use why::Why;

pub trait Key: Eq + Ord + std::hash::Hash + Clone + std::fmt::Debug + Send + Sync + 'static {}

impl<T: Eq + Ord + std::hash::Hash + Clone + std::fmt::Debug + Send + Sync + 'static> Key for T {}

use std::collections::BTreeMap;
use std::sync::Arc;

use shuttle::future::block_on;
use shuttle::sync::atomic::{AtomicBool, Ordering};
use shuttle::thread;

/// The number of schedules per race and scheduler.
const SCHEDULES: usize = 500;

fn main() {
    let races: &[(&str, fn())] = &[
        ("every_write_arrives", every_write_arrives),
        ("an_observer_sees_one_epoch_at_a_time", an_observer_sees_one_epoch_at_a_time),
        ("synced_means_that_the_first_content_is_there", synced_means_that_the_first_content_is_there),
        ("collections_that_end_during_epochs_are_freed", collections_that_end_during_epochs_are_freed),
        ("a_collection_that_is_added_late_is_complete", a_collection_that_is_added_late_is_complete),
    ];
    println!("\nrunning {} races", races.len());
    for (name, race) in races {
        shuttle::check_random(*race, SCHEDULES);
        shuttle::check_pct(*race, SCHEDULES, 3);
        println!("test {name} ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed", races.len());
}

/// Takes inboxes whenever the bell has rung, as the task of a graph does, until `done` returns true.
fn run(graph: &Graph, mut done: impl FnMut() -> bool + Send + 'static) -> thread::JoinHandle<()> {
    let shared = graph.shared.clone();
    thread::spawn(move || {
        block_on(async {
            loop {
                shared.flush();
                if done() {
                    break;
                }
                shared.bell.notify.notified().await;
            }
        });
    })
}

/// No write is lost, and the task that parks is woken.
fn every_write_arrives() {
    let graph = Graph::new();
    let (a, b) = (graph.input::<u32, u32>("a"), graph.input::<u32, u32>("b"));
    let sum = {
        let (a, b) = (a.live().clone(), b.live().clone());
        graph.single("sum", move |look| {
            Some(look.all(&a).iter().chain(&look.all(&b)).map(|(_, value)| ***value).sum::<u32>())
        })
    };
    let (check, read) = (graph.clone(), sum.clone());
    let running = run(&graph, move || check.get(&read, &()).as_deref() == Some(&1111));
    let writers = [(a.clone(), 1_u32, 10_u32), (b.clone(), 100, 1000)].map(|(input, first, second)| {
        thread::spawn(move || {
            input.insert(1, 7);
            input.insert(1, first);
            input.insert(2, 3);
            input.insert(2, second);
        })
    });
    for writer in writers {
        writer.join().unwrap();
    }
    running.join().unwrap();
    assert_eq!(graph.get(&sum, &()).as_deref(), Some(&1111));
}

/// Two collections that must agree do so in every delivery, each `old` is what the observer last saw, and epochs only grow.
fn an_observer_sees_one_epoch_at_a_time() {
    const LAST: u32 = 5;
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let b = graph.map("b", &a, |_, value, _| **value + 1);
    let c = {
        let a = a.live().clone();
        graph.map("c", &b, move |key, value, look| (**value, look.get(&a, key).map_or(0, |value| **value)))
    };
    graph.update(|batch| batch.insert(&a, 1, 0));
    let mut observer = graph.observe(&c);
    let (input, other) = (a.live().clone(), b.clone());
    let observing = thread::spawn(move || {
        let mut known: BTreeMap<u32, (u32, u32)> = BTreeMap::new();
        let mut epoch = 0;
        while known.get(&1).is_none_or(|seen| seen.1 < LAST) {
            let (changes, now) = block_on(observer.next_with_snapshot());
            assert!(changes.epoch > epoch && changes.epoch == now.epoch());
            epoch = changes.epoch;
            for change in changes.list {
                assert_eq!(change.old.as_deref(), known.get(&change.key), "old is what was seen last");
                let new = change.new.as_deref().copied().unwrap();
                assert_eq!(new.0, new.1 + 1, "both reads are of one epoch");
                assert_eq!(now.get(&input, &change.key).as_deref(), Some(&new.1));
                assert_eq!(now.get(&other, &change.key).as_deref(), Some(&new.0));
                known.insert(change.key, new);
            }
        }
    });
    let writing = {
        let (graph, a) = (graph.clone(), a.clone());
        thread::spawn(move || {
            for value in 1..=LAST {
                graph.update(|batch| batch.insert(&a, 1, value));
            }
        })
    };
    graph.update(|batch| batch.insert(&a, 2, 9));
    writing.join().unwrap();
    observing.join().unwrap();
}

/// A graph that says it has synced has everything that was written before `mark_synced`.
fn synced_means_that_the_first_content_is_there() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a").awaiting_sync(&graph);
    let b = graph.input::<u32, u32>("b").awaiting_sync(&graph);
    let waiting = {
        let (graph, a, b) = (graph.clone(), a.live().clone(), b.live().clone());
        thread::spawn(move || {
            block_on(graph.synced());
            let now = graph.complete().expect("it has synced");
            assert_eq!((now.len(&a), now.len(&b)), (2, 1));
        })
    };
    let check = graph.clone();
    let running = run(&graph, move || check.has_synced());
    let filling = {
        let a = a.clone();
        thread::spawn(move || {
            a.insert(1, 1);
            a.insert(2, 2);
            a.mark_synced();
        })
    };
    assert!(graph.complete().is_err(), "b has no content");
    b.insert(1, 1);
    b.mark_synced();
    filling.join().unwrap();
    running.join().unwrap();
    waiting.join().unwrap();
}

/// Handles, indexes and observers that are dropped by other threads leave nothing behind, and disturb no epoch.
fn collections_that_end_during_epochs_are_freed() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let by_parity = graph.index(&a, |key, _| [key % 2]);
    let (index, keep) = (by_parity.clone(), graph.clone());
    let count = graph.map("count", &a, move |key, _, look| look.indexed(&index, &(key % 2)).len());
    let observer = graph.observe(&count);
    let dropping = thread::spawn(move || {
        drop(count);
        drop(observer);
        drop(by_parity);
    });
    let late = {
        let (graph, a) = (graph.clone(), a.live().clone());
        thread::spawn(move || drop(graph.map("late", &a, |_, value, _| **value)))
    };
    for value in 0..3 {
        graph.update(|batch| batch.insert(&a, value, value));
    }
    dropping.join().unwrap();
    late.join().unwrap();
    assert_eq!(keep.state().collections.len(), 1, "only the input is left");
    drop(a);
    assert_eq!(keep.state().collections.len(), 0);
}

/// A collection and an observer that are added while others write start with all that exists, and miss nothing afterwards.
fn a_collection_that_is_added_late_is_complete() {
    let graph = Graph::new();
    let a = graph.input::<u32, u32>("a");
    let stop = Arc::new(AtomicBool::new(false));
    let stopping = stop.clone();
    let running = run(&graph, move || stopping.load(Ordering::SeqCst));
    let writing = {
        let a = a.clone();
        thread::spawn(move || (0..4).for_each(|key| a.insert(key, key)))
    };
    let doubled = graph.map("doubled", &a, |_, value, _| 2 * **value);
    let mut observer = graph.observe(&doubled);
    let mut known = BTreeMap::new();
    while known.len() < 4 {
        for change in block_on(observer.next()).list {
            assert_eq!(change.old.as_deref(), known.get(&change.key));
            known.insert(change.key, change.new.as_deref().copied().unwrap());
        }
    }
    assert_eq!(known, (0..4).map(|key| (key, 2 * key)).collect());
    writing.join().unwrap();
    stop.store(true, Ordering::SeqCst);
    // Wakes the task.
    a.remove(&0);
    running.join().unwrap();
}
