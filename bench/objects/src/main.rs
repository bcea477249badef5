//! Live heap of a pod and the time to decode one: ours, and k8s-openapi's.
//!
//! Each process makes one measurement, so that its heap contains no data of another, and prints one line of JSON. The
//! allocator is jemalloc for both, whose `stats.allocated` counts live bytes with the rounding to size classes, as
//! Go's `HeapAlloc` does. Time is the process's CPU time, which is more reliable than a clock on a busy machine.

mod records;

use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use clap::{Parser, ValueEnum};
use client_rs_api::core::v1::Pod;
use client_rs_cache::Replacement;
use client_rs_cache::store::{self, Indexer, IndexerOptions};
use client_rs_machinery::pool::Pool;
use client_rs_machinery::wire::{Decoding, Message};
use records::Records;
use rustix::time::{ClockId, clock_gettime};

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

#[derive(Parser)]
struct Args {
    /// Where the pods are
    #[arg(long)]
    dir: PathBuf,
    #[arg(long)]
    layout: Layout,
    #[arg(long, default_value = "protobuf")]
    format: Format,
    /// Leave out managedFields
    #[arg(long)]
    strip: bool,
    /// Time the decode of each pod's update while the old one is alive, instead of the first decode
    #[arg(long)]
    update: bool,
    /// Decode this many times, for a profiler; the time is that of the last
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    repeat: u16,
}

#[derive(Clone, Copy, ValueEnum)]
enum Layout {
    /// Our structs
    Plain,
    /// Our structs, decoded through a pool
    Pooled,
    /// The protobuf bytes, decoded on access
    Packed,
    /// A whole store of packed objects, with its tables and the index by namespace; the time is that of a read
    PackedStore,
    /// The same of decoded objects, pooled
    DecodedStore,
    /// The types that kube-rs caches
    K8sOpenapi,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Format {
    Protobuf,
    Json,
}

fn main() -> Result<()> {
    let args = Args::parse();
    let extension = if args.format == Format::Json { "json" } else { "pb" };
    let first = Records::read(&args.dir.join(format!("pods.{extension}")))?;
    let updated = if args.update {
        Records::read(&args.dir.join(format!("updated.{extension}")))?
    } else {
        Records::default()
    };
    let (heap, micros) = measure(&args, &first, &updated)?;
    println!("{}", serde_json::json!({ "heap": heap, "decode_us": micros }));
    Ok(())
}

fn measure(args: &Args, first: &Records, updated: &Records) -> Result<(f64, f64)> {
    let pool = Pool::new();
    match args.layout {
        Layout::Plain => {
            run(args.repeat.into(), first, updated, |record| decode(args, Decoding::new(), record))
        }
        Layout::Pooled => {
            run(args.repeat.into(), first, updated, |record| decode(args, Decoding::with_pool(&pool), record))
        }
        Layout::Packed => run(args.repeat.into(), first, updated, |record| {
            let bytes: Arc<[u8]> = if args.strip {
                decode(args, Decoding::new(), record)?.to_protobuf().into()
            } else {
                record.into()
            };
            Ok(bytes)
        }),
        Layout::PackedStore => store(args, store::Layout::packed(), first),
        Layout::DecodedStore => store(args, store::Layout::default(), first),
        Layout::K8sOpenapi => run(args.repeat.into(), first, updated, |record| {
            let mut pod: k8s_openapi::api::core::v1::Pod = serde_json::from_slice(record)?;
            if args.strip {
                pod.metadata.managed_fields = None;
            }
            Ok(Arc::new(pod))
        }),
    }
}

fn decode(args: &Args, cx: Decoding<'_>, record: &[u8]) -> Result<Arc<Pod>> {
    let mut cx = if args.strip { cx.stripped() } else { cx };
    let pod = match args.format {
        Format::Protobuf => Pod::from_protobuf_with(record, &mut cx),
        Format::Json => Pod::from_json_with(record, &mut cx),
    };
    Ok(Arc::new(pod?))
}

/// Decodes all records and keeps the results; returns live bytes and microseconds per object.
fn run<T>(
    repeat: usize,
    first: &Records,
    updated: &Records,
    decode: impl Fn(&[u8]) -> Result<T>,
) -> Result<(f64, f64)> {
    let mut objects = Vec::with_capacity(first.len());
    let (heap, start) = (allocated()?, cpu_micros());
    for record in first.iter() {
        objects.push(decode(record)?);
    }
    let mut micros = cpu_micros() - start;
    let again = if updated.len() > 0 { [updated, first] } else { [first, first] };
    let rounds = if updated.len() > 0 { repeat } else { repeat - 1 };
    for records in again.into_iter().cycle().take(rounds) {
        let mut renewed = Vec::with_capacity(first.len());
        let start = cpu_micros();
        for record in records.iter() {
            renewed.push(decode(record)?);
        }
        micros = cpu_micros() - start;
        objects = renewed;
    }
    let heap = allocated()? - heap;
    black_box(&objects);
    #[allow(clippy::cast_precision_loss)] // Thousands.
    let count = objects.len() as f64;
    Ok((heap / count, micros / count))
}

/// Fills a store with one list, as an informer does; returns live bytes per object and microseconds per read.
fn store(args: &Args, layout: store::Layout<Pod>, first: &Records) -> Result<(f64, f64)> {
    let heap = allocated()?;
    let pool = Pool::new();
    let (mut writer, indexer) = Indexer::with_options(IndexerOptions::default().with_layout(layout));
    let pods: Result<Vec<_>> =
        first.iter().map(|record| decode(args, Decoding::with_pool(&pool), record)).collect();
    drop(writer.replace(Replacement::new(pods?, "1")));
    while indexer.footprint().packing {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    pool.sweep();
    let key = indexer.snapshot().keys().next().context("there are pods")?;
    // The setup of a thread's first read is part of the cost.
    black_box(indexer.get(&key));
    let heap = allocated()? - heap;
    let keys = indexer.list_keys();
    let start = cpu_micros();
    for key in &keys {
        black_box(indexer.get(key));
    }
    let micros = cpu_micros() - start;
    #[allow(clippy::cast_precision_loss)] // Thousands.
    let count = keys.len() as f64;
    drop((writer, pool));
    Ok((heap / count, micros / count))
}

fn allocated() -> Result<f64> {
    // jemalloc's counters are a snapshot that moves with its epoch.
    tikv_jemalloc_ctl::epoch::advance().map_err(|error| anyhow!("jemalloc's epoch: {error}"))?;
    let bytes = tikv_jemalloc_ctl::stats::allocated::read()
        .map_err(|error| anyhow!("jemalloc's statistics: {error}"))?;
    #[allow(clippy::cast_precision_loss)] // Less than 2^53.
    Ok(bytes as f64)
}

fn cpu_micros() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    #[allow(clippy::cast_precision_loss)] // Seconds of one run.
    let (seconds, nanos) = (time.tv_sec as f64, time.tv_nsec as f64);
    seconds * 1e6 + nanos / 1e3
}
