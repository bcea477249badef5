//! Our side of `cargo xtask bench indexer`: one line of JSON on stdout.
//!
//! The Go side (bench/go/cmd/indexer) does the same work over the same objects; change both together.

use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use clap::Parser;
use client_rs_cache::store::{Index, Indexer, IndexerOptions};
use client_rs_cache::{Delta, Replacement};
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{Object, ObjectKey, Str};
use serde::Serialize;

/// Measures the store: nanoseconds an operation, bytes an object.
#[derive(Parser)]
struct Args {
    /// How many objects
    #[arg(long, default_value_t = 20_000)]
    objects: usize,
    /// How many share a value of the second index
    #[arg(long, default_value_t = 200)]
    group: usize,
    /// How many rounds; of each number the least counts, which is the one with the least noise
    #[arg(long, default_value_t = 9)]
    rounds: usize,
}

/// The output of both sides. Times are nanoseconds per operation.
#[derive(Default, Serialize)]
struct Outcome {
    add: f64,
    update: f64,
    /// Updates in batches of 1,000.
    update_batch: f64,
    /// Updates while a snapshot of the moment before is alive.
    update_shared: f64,
    get: f64,
    /// The same, and its version read: what a caller does next.
    get_and_read: f64,
    by_index: f64,
    /// The same without cloning: iterated in a snapshot.
    by_index_iter: f64,
    list: f64,
    replace_same: f64,
    delete: f64,
    /// The memory of the store itself, with two indexes.
    bytes_an_object: f64,
}

struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);

#[allow(unsafe_code)]
// Sound: every call goes unchanged to the system's allocator; only sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size(), Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let args = Args::parse();
    let mut least: BTreeMap<String, f64> = BTreeMap::new();
    for _ in 0..args.rounds {
        let round = serde_json::to_value(measure(args.objects, args.group)).expect("numbers are JSON");
        let round: BTreeMap<String, f64> = serde_json::from_value(round).expect("all are numbers");
        for (name, value) in round {
            least.entry(name).and_modify(|least| *least = least.min(value)).or_insert(value);
        }
    }
    println!("{}", serde_json::to_string(&least).expect("numbers are JSON"));
}

#[allow(clippy::cast_precision_loss)]
fn measure(count: usize, group: usize) -> Outcome {
    let mut outcome = Outcome::default();
    // An informer's decode pool shares what repeats.
    let namespaces: Vec<Str> = (0..100).map(|number| format!("namespace-{number:03}").into()).collect();
    let objects: Vec<_> = (0..count).map(|number| object(number, count / group, 1, &namespaces)).collect();
    let newer: Vec<_> = (0..count).map(|number| object(number, count / group, 2, &namespaces)).collect();
    // The keys that a handler enqueues for the last events.
    let keys: Vec<ObjectKey> = newer.iter().map(|object| object.key()).collect();
    // A fixed shuffle: neither side may profit from the order.
    let order: Vec<usize> = (0..count).map(|number| number.wrapping_mul(7_919) % count).collect();
    let options = IndexerOptions::default();
    let by_node = Index::new("node", |object: &PartialObjectMetadata| object.label("node").map(Str::from));
    let before = LIVE.load(Ordering::Relaxed);
    let (mut writer, indexer) = Indexer::with_options(options);
    indexer.add_indexes([by_node]).expect("a new name");

    outcome.add = time(count, || {
        for number in &order {
            black_box(writer.apply([Delta::Added(objects[*number].clone())]));
        }
    });
    outcome.bytes_an_object = (LIVE.load(Ordering::Relaxed) - before) as f64 / count as f64;
    outcome.update = time(count, || {
        for number in &order {
            black_box(writer.apply([Delta::Updated(newer[*number].clone())]));
        }
    });
    outcome.get = time(count, || {
        for number in &order {
            black_box(indexer.get(&keys[*number]));
        }
    });
    outcome.get_and_read = time(count, || {
        for number in &order {
            let object = indexer.get(&keys[*number]).expect("it is there");
            black_box(object.resource_version().len());
        }
    });
    let nodes: Vec<String> = (0..count / group).map(|node| format!("node-{node:05}")).collect();
    outcome.by_index = time(nodes.len() * 10, || {
        for node in nodes.iter().cycle().take(nodes.len() * 10) {
            let found = indexer.by_index("node", node).expect("it is there");
            assert_eq!(found.len(), group);
            black_box(found);
        }
    });
    outcome.by_index_iter = time(nodes.len() * 10, || {
        for node in nodes.iter().cycle().take(nodes.len() * 10) {
            let snapshot = indexer.snapshot();
            for object in snapshot.by_index("node", node).expect("it is there") {
                black_box(object);
            }
        }
    });
    outcome.list = time(20, || {
        for _ in 0..20 {
            black_box(indexer.list());
        }
    });
    let list: Vec<_> = newer.clone();
    outcome.replace_same = time(count, || {
        black_box(writer.replace(Replacement::new(list, "9")));
    });
    outcome.delete = time(count, || {
        for number in &order {
            black_box(writer.delete(&keys[*number]));
        }
    });
    // Our own operations come last, so that they leave the processor's caches alone: both sides do the others in the same order.
    for number in &order {
        black_box(writer.apply([Delta::Added(newer[*number].clone())]));
    }
    outcome.update_batch = time(count, || {
        for batch in order.chunks(1_000) {
            let batch: Vec<_> = batch.iter().map(|number| Delta::Updated(objects[*number].clone())).collect();
            black_box(writer.apply(batch));
        }
    });
    outcome.update_shared = time(count, || {
        for number in &order {
            let snapshot = indexer.snapshot();
            black_box(writer.apply([Delta::Updated(newer[*number].clone())]));
            drop(snapshot);
        }
    });
    outcome
}

#[allow(clippy::cast_precision_loss)]
fn time(operations: usize, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    start.elapsed().as_nanos() as f64 / operations as f64
}

fn object(number: usize, nodes: usize, version: u64, namespaces: &[Str]) -> Arc<PartialObjectMetadata> {
    let mut object = PartialObjectMetadata::default();
    object.metadata.name = format!("deployment-{:04}-6f6b679f8f-{number:06}", number / 50).into();
    object.metadata.namespace = namespaces[number % namespaces.len()].clone();
    object.metadata.uid = format!("00000000-0000-4000-8000-{number:012}").into();
    object.metadata.resource_version = (version * 1_000_000_000 + number as u64).to_string().into();
    object.metadata.labels.insert("node", format!("node-{:05}", number % nodes).into());
    Arc::new(object)
}
