//! Our side of `cargo xtask bench queue`: one scenario per process, one line of JSON on stdout.
//!
//! The client-go side (bench/go/cmd/queue) does the same work over the same keys; change both together. Producers and
//! workers are tokio tasks on as many threads as there are cores, as goroutines are there. Both schedulers make tasks
//! take turns: Go's stops a goroutine after 10 ms; here a producer yields after each page, and a worker when its
//! task's budget is used up, which is tokio's 128 operations. The backlog that builds up between turns decides how
//! many of the repeated keys are processed more than once: the table prints it for both sides.

mod usage;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use clap::Parser;
use client_rs_workqueue::WorkQueue;
use serde::Serialize;

type Key = Arc<str>;

/// One scenario, measured.
#[derive(Parser)]
struct Args {
    /// distinct, repeated, delayed or memory
    #[arg(long, default_value = "distinct")]
    scenario: String,
    /// Producers, and as many workers
    #[arg(long, default_value_t = 1)]
    width: usize,
    /// How many adds in all
    #[arg(long, default_value_t = 1_000_000)]
    adds: usize,
    /// Over how many keys
    #[arg(long, default_value_t = 1_000_000)]
    keys: usize,
    /// A producer lets other tasks run after this many adds, as one does that awaits the next page of a list.
    /// It matters: more lets a backlog build up, which costs cache misses on distinct keys and saves work on
    /// repeated ones. A goroutine is made to by its scheduler, after 10 ms
    #[arg(long, default_value_t = 500)]
    page: usize,
    /// OS threads and the blocking `get` in place of tasks
    #[arg(long)]
    threads: bool,
}

#[derive(Default, Serialize)]
struct Outcome {
    wall_seconds: f64,
    cpu_seconds: f64,
    processed: u64,
    distinct_keys: u64,
    bytes_an_item: f64,
}

fn main() {
    let args = Args::parse();
    let names: Arc<[Key]> =
        (0..args.keys).map(|i| Key::from(format!("namespace-{:03}/object-{i:07}", i % 500))).collect();
    let outcome = match (args.scenario.as_str(), args.threads) {
        ("distinct" | "repeated", false) => through(&names, args.adds, args.width, args.page),
        ("distinct" | "repeated", true) => through_threads(&names, args.adds, args.width),
        ("delayed", _) => delayed(&names, args.width, args.page),
        ("memory", _) => memory(&names),
        (other, _) => {
            eprintln!("unknown scenario {other:?}");
            std::process::exit(2);
        }
    };
    println!("{}", serde_json::to_string(&outcome).expect("plain numbers"));
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_time().build().expect("a runtime")
}

/// Takes every add from `width` producers to `width` workers.
fn through(names: &Arc<[Key]>, adds: usize, width: usize, page: usize) -> Outcome {
    let queue = WorkQueue::<Key>::default();
    let runtime = runtime();
    measured(|| {
        runtime.block_on(async {
            let workers: Vec<_> =
                (0..width).map(|_| tokio::spawn(work(queue.clone(), names.len(), || {}))).collect();
            let producers: Vec<_> = (0..width)
                .map(|p| {
                    let (queue, names) = (queue.clone(), Arc::clone(names));
                    tokio::spawn(async move {
                        for i in p * adds / width..(p + 1) * adds / width {
                            queue.add(Arc::clone(&names[i % names.len()]));
                            if i.is_multiple_of(page) {
                                tokio::task::yield_now().await;
                            }
                        }
                    })
                })
                .collect();
            for producer in producers {
                producer.await.expect("no panic");
            }
            queue.shutdown();
            all(workers).await
        })
    })
}

/// The same with threads.
fn through_threads(names: &Arc<[Key]>, adds: usize, width: usize) -> Outcome {
    let queue = WorkQueue::<Key>::default();
    measured(|| {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..width)
                .map(|_| {
                    scope.spawn(|| {
                        let mut seen = Seen::new(names.len());
                        let mut next = queue.get_blocking();
                        while let Some(item) = next {
                            seen.mark(&item);
                            next = item.next_blocking();
                        }
                        seen
                    })
                })
                .collect();
            let producers: Vec<_> = (0..width)
                .map(|p| {
                    let queue = &queue;
                    scope.spawn(move || {
                        for i in p * adds / width..(p + 1) * adds / width {
                            queue.add(Arc::clone(&names[i % names.len()]));
                        }
                    })
                })
                .collect();
            for producer in producers {
                producer.join().expect("no panic");
            }
            queue.shutdown();
            workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
        })
    })
}

/// Adds every key with a delay of 1 to 100 ms and waits until all were processed.
fn delayed(names: &Arc<[Key]>, width: usize, page: usize) -> Outcome {
    let queue = WorkQueue::<Key>::default();
    let runtime = runtime();
    measured(|| {
        runtime.block_on(async {
            let (left, finished) =
                (Arc::new(AtomicUsize::new(names.len())), Arc::new(tokio::sync::Notify::new()));
            let workers: Vec<_> = (0..width)
                .map(|_| {
                    let (left, finished) = (Arc::clone(&left), Arc::clone(&finished));
                    tokio::spawn(work(queue.clone(), names.len(), move || {
                        if left.fetch_sub(1, Ordering::AcqRel) == 1 {
                            finished.notify_one();
                        }
                    }))
                })
                .collect();
            for p in 0..width {
                let (queue, names) = (queue.clone(), Arc::clone(names));
                tokio::spawn(async move {
                    let count = names.len();
                    for i in p * count / width..(p + 1) * count / width {
                        let delay = Duration::from_millis(1 + i as u64 * 7919 % 100);
                        queue.add_after(Arc::clone(&names[i]), delay);
                        if i.is_multiple_of(page) {
                            tokio::task::yield_now().await;
                        }
                    }
                });
            }
            finished.notified().await;
            queue.shutdown();
            all(workers).await
        })
    })
}

/// Fills the queue and nothing more: live heap an item, the keys themselves not counted.
fn memory(names: &Arc<[Key]>) -> Outcome {
    let queue = WorkQueue::<Key>::default();
    let before = usage::live_heap();
    for name in names.iter() {
        queue.add(Arc::clone(name));
    }
    let queued = queue.len() as u64;
    let after = usage::live_heap();
    #[allow(clippy::cast_precision_loss)]
    let bytes_an_item = (after as f64 - before as f64) / names.len() as f64;
    Outcome { processed: queued, distinct_keys: queued, bytes_an_item, ..Outcome::default() }
}

async fn work(queue: WorkQueue<Key>, keys: usize, each: impl Fn()) -> Seen {
    let mut seen = Seen::new(keys);
    let mut next = queue.get().await;
    while let Some(item) = next {
        seen.mark(&item);
        each();
        next = item.next().await;
    }
    seen
}

async fn all(workers: Vec<tokio::task::JoinHandle<Seen>>) -> Vec<Seen> {
    let mut found = Vec::new();
    for worker in workers {
        found.push(worker.await.expect("no panic"));
    }
    found
}

fn measured(work: impl FnOnce() -> Vec<Seen>) -> Outcome {
    let cpu = usage::cpu_time();
    let start = Instant::now();
    let found = work();
    let wall = start.elapsed();
    let cpu = usage::cpu_time().saturating_sub(cpu);

    let mut all = vec![0; found[0].bits.len()];
    for seen in &found {
        for (all, word) in all.iter_mut().zip(&seen.bits) {
            *all |= word;
        }
    }
    Outcome {
        wall_seconds: wall.as_secs_f64(),
        cpu_seconds: cpu.as_secs_f64(),
        processed: found.iter().map(|seen| seen.processed).sum(),
        distinct_keys: all.iter().map(|word: &u64| u64::from(word.count_ones())).sum(),
        bytes_an_item: 0.0,
    }
}

/// The work of one worker: how many keys, and which.
struct Seen {
    processed: u64,
    bits: Vec<u64>,
}

impl Seen {
    fn new(keys: usize) -> Self {
        Self { processed: 0, bits: vec![0; keys.div_ceil(64)] }
    }

    /// Reads the key's number from its last seven digits.
    fn mark(&mut self, key: &str) {
        let digits = &key.as_bytes()[key.len() - 7..];
        let index = digits.iter().fold(0, |index, digit| index * 10 + usize::from(digit - b'0'));
        self.bits[index / 64] |= 1 << (index % 64);
        self.processed += 1;
    }
}
