//! Readers, the writer and waiters of a store, and both ends of a queue, in many interleavings.
//!
//! The sources are compiled here a second time with shuttle's locks instead of the standard ones. A failure
//! prints the schedule that replays it.

#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]
#![allow(dead_code, unused_imports, unreachable_pub, missing_docs)]

#[path = "../src/delta.rs"]
mod delta;
#[path = "../src/fifo/mod.rs"]
mod fifo;
#[path = "../src/join.rs"]
mod join;
#[path = "../src/read_scope.rs"]
mod read_scope;
#[path = "../src/store/mod.rs"]
mod store;
mod sync {
    pub(crate) use shuttle::sync::{Mutex, RwLock};
}
#[path = "../src/testing.rs"]
mod testing;
#[path = "../src/transform.rs"]
mod transform;

pub use delta::{Bookmark, Coverage, Deleted, Delta, DeltaKind, Replacement, Tombstone};
pub use fifo::{
    Batch, DeltaFifo, DeltaFifoOptions, InOrderFifo, InOrderFifoOptions, KnownObjects, PopError, Queue,
};
pub use store::{Change, Index, Indexer, IndexerOptions, Snapshot, Writer};
pub use transform::{Transform, TransformError};

use std::convert::Infallible;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Poll, Waker};

use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{Object, ObjectKey, Str};
use shuttle::future::block_on;
use shuttle::thread;

use store::versions::Numeric;

type Meta = PartialObjectMetadata;
type BoxFuture<'a, T> = std::pin::Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// The number of schedules per race.
const SCHEDULES: usize = 500;

fn main() {
    let races: &[(&str, fn())] = &[
        ("a_reader_sees_all_of_a_list_or_nothing", a_reader_sees_all_of_a_list_or_nothing),
        ("a_batch_is_seen_as_a_whole", a_batch_is_seen_as_a_whole),
        ("an_index_added_during_writes_is_complete", an_index_added_during_writes_is_complete),
        ("no_waiter_misses_a_version", no_waiter_misses_a_version),
        ("waiters_end_with_the_writer", waiters_end_with_the_writer),
        ("a_queue_loses_and_reorders_nothing", a_queue_loses_and_reorders_nothing),
        ("joined_futures_miss_no_wake_up", joined_futures_miss_no_wake_up),
    ];
    println!("\nrunning {} races", races.len());
    for (name, race) in races {
        shuttle::check_random(*race, SCHEDULES);
        shuttle::check_pct(*race, SCHEDULES, 3);
        println!("test {name} ... ok");
    }
    println!("\ntest result: ok. {} passed; 0 failed", races.len());
}

fn object(name: usize, version: u64) -> Meta {
    let mut object = Meta::default();
    object.metadata.name = format!("object-{name}").into();
    object.metadata.namespace = "ns".into();
    object.metadata.resource_version = version.to_string().into();
    object
}

fn key(name: usize) -> ObjectKey {
    object(name, 0).key()
}

fn by_version() -> Index<Meta, Str> {
    Index::new("version", |object: &Meta| [Str::from(object.resource_version())])
}

fn store() -> (Writer<Meta>, Indexer<Meta>) {
    let (writer, indexer) = Indexer::new();
    indexer.add_indexes([by_version()]).expect("a new name");
    (writer, indexer)
}

/// Checks that every object of a snapshot has the same version and is found by it, and checks their number.
fn assert_uniform(snapshot: &Snapshot<Meta>, len: usize) {
    let Some(first) = snapshot.iter().next() else { return };
    let version = first.resource_version();
    assert!(snapshot.iter().all(|object| object.resource_version() == version));
    assert_eq!(snapshot.len(), len);
    assert_eq!(snapshot.count_by_index("version", version).expect("it is there"), len);
    assert_eq!(snapshot.index_values("version").expect("it is there").count(), 1);
    assert!((0..len).all(|name| snapshot.get(&key(name)).is_some()));
    assert_eq!(snapshot.resource_version(), version);
}

fn a_reader_sees_all_of_a_list_or_nothing() {
    let (mut writer, indexer) = store();
    let readers: Vec<_> = (0..2)
        .map(|_| {
            let indexer = indexer.clone();
            thread::spawn(move || {
                for _ in 0..3 {
                    assert_uniform(&indexer.snapshot(), 3);
                    thread::yield_now();
                }
            })
        })
        .collect();
    for version in 1..4 {
        let objects = (0..3).map(|name| Arc::new(object(name, version))).collect();
        writer.replace(Replacement::new(objects, version.to_string()));
    }
    for reader in readers {
        reader.join().expect("no reader fails");
    }
    assert_uniform(&indexer.snapshot(), 3);
}

fn a_batch_is_seen_as_a_whole() {
    let (mut writer, indexer) = store();
    let reader = thread::spawn({
        let indexer = indexer.clone();
        move || {
            let mut last = 0;
            for _ in 0..4 {
                let snapshot = indexer.snapshot();
                assert_uniform(&snapshot, 3);
                thread::yield_now();
                assert_uniform(&snapshot, 3);
                let now = indexer
                    .get(&key(1))
                    .map_or(0, |object| object.resource_version().parse::<u64>().expect("it is a number"));
                assert!(now >= last, "versions do not go back");
                last = now;
            }
        }
    });
    for version in 1..4 {
        writer.apply((0..3).map(|name| Delta::Updated(Arc::new(object(name, version)))));
        assert_eq!(indexer.get(&key(2)).expect("it was written").resource_version(), version.to_string());
    }
    reader.join().expect("the reader does not fail");
}

fn an_index_added_during_writes_is_complete() {
    let (mut writer, indexer) = Indexer::<Meta>::new();
    let adder = thread::spawn({
        let indexer = indexer.clone();
        move || indexer.add_indexes([by_version()]).expect("a new name")
    });
    for name in 0..3 {
        writer.add(object(name, 1)).expect("there is no transform");
    }
    adder.join().expect("the index is added");
    writer.add(object(3, 1)).expect("there is no transform");
    assert_eq!(indexer.by(&by_version(), &"1".into()).expect("it is there").len(), 4);
}

fn no_waiter_misses_a_version() {
    let (mut writer, indexer) = store();
    let waiters: Vec<_> = [(0, "2"), (1, "3"), (0, "4")]
        .map(|(name, version)| {
            let indexer = indexer.clone();
            thread::spawn(move || {
                let wanted = Numeric::parse(version).expect("it is a number");
                block_on(indexer.arrival(&key(name), &wanted)).expect("it comes")
            })
        })
        .into();
    writer.apply([Delta::Added(Arc::new(object(0, 1))), Delta::Added(Arc::new(object(1, 2)))]);
    writer.apply([Delta::Updated(Arc::new(object(1, 3)))]);
    writer.bookmark(Bookmark::new("4"));
    for waiter in waiters {
        assert!(waiter.join().expect("no waiter fails").is_some());
    }
    drop(writer);
}

fn waiters_end_with_the_writer() {
    let (mut writer, indexer) = store();
    let waiter = thread::spawn(move || {
        let wanted = Numeric::parse("9").expect("it is a number");
        block_on(indexer.arrival(&key(0), &wanted))
    });
    writer.add(object(0, 1)).expect("there is no transform");
    drop(writer);
    assert_eq!(waiter.join().expect("it does not fail"), Err(store::AtLeastError::Closed));
}

fn a_queue_loses_and_reorders_nothing() {
    let queue = Arc::new(InOrderFifo::<Meta>::new(InOrderFifoOptions::default()));
    let producers: Vec<_> = (0..2)
        .map(|name| {
            let queue = queue.clone();
            thread::spawn(move || {
                for version in 1..4 {
                    queue.add(object(name, version)).expect("there is no transform");
                }
            })
        })
        .collect();
    let consumer = thread::spawn({
        let queue = queue.clone();
        move || {
            let mut seen = [0_u64; 2];
            while block_on(queue.pop::<Infallible>(|batch| {
                for delta in batch.deltas.drain(..) {
                    let object = delta.object().expect("only objects come");
                    let name = usize::from(object.name() == "object-1");
                    let version = object.resource_version().parse().expect("it is a number");
                    assert_eq!(seen[name] + 1, version);
                    seen[name] = version;
                }
                Ok(())
            }))
            .is_ok()
            {}
            seen
        }
    });
    for producer in producers {
        producer.join().expect("no producer fails");
    }
    queue.close();
    assert_eq!(consumer.join().expect("the consumer does not fail"), [3, 3]);
    assert!(queue.has_synced() && queue.is_empty());
}

/// A missed wake-up would be a deadlock, which shuttle reports.
fn joined_futures_miss_no_wake_up() {
    let counters: [_; 2] = std::array::from_fn(|_| Arc::new(shuttle::sync::Mutex::new((0, None::<Waker>))));
    let increased = |counter: &Arc<shuttle::sync::Mutex<(u32, Option<Waker>)>>| -> BoxFuture<'static, u32> {
        let counter = Arc::clone(counter);
        Box::pin(poll_fn(move |cx| {
            let mut counter = counter.lock().unwrap();
            counter.1 = Some(cx.waker().clone());
            if counter.0 == 2 { Poll::Ready(counter.0) } else { Poll::Pending }
        }))
    };
    let joined = join::join([increased(&counters[0]), increased(&counters[1])]);
    let threads: Vec<_> = (0..4)
        .map(|index| Arc::clone(&counters[index % 2]))
        .map(|counter| {
            thread::spawn(move || {
                let waker = {
                    let mut counter = counter.lock().unwrap();
                    counter.0 += 1;
                    counter.1.take()
                };
                waker.into_iter().for_each(Waker::wake);
            })
        })
        .collect();
    assert_eq!(block_on(joined), [2, 2]);
    for thread in threads {
        thread.join().unwrap();
    }
}
