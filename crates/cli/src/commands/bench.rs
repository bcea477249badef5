//! `krs bench`: the speed of this machine at the usual work of controllers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_api::core::v1::{Container, Pod, PodSpec};
use client_rs_apiserver::Server;
use client_rs_cache::HandlerFns;
use client_rs_client::RestClient;
use client_rs_informers::SharedInformerFactory;
use client_rs_kubernetes::Clientset;
use client_rs_kubernetes::informers::BuiltInInformers;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Map, json};
use client_rs_transport::Config;
use client_rs_workqueue::{WorkQueue, WorkerPool, WorkerPoolOptions};

use crate::Streams;
use crate::output::table;

const NAMESPACE: &str = "default";
/// The number of concurrent requests.
const CREATORS: usize = 16;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Number of pods to create, list and cache
    #[arg(long, default_value_t = 2000, value_name = "COUNT")]
    pods: usize,
    /// Number of updates to make, each after the informer has delivered the one before
    #[arg(long, default_value_t = 200, value_name = "COUNT")]
    updates: usize,
    /// Number of adds to the work queue
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT")]
    adds: usize,
    /// Number of different keys to add
    #[arg(long, default_value_t = 100_000, value_name = "COUNT")]
    keys: usize,
}

/// The measured figures, as printed.
type Row = [String; 3];

pub(crate) async fn run(args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let began = Instant::now();
    let server = Server::start().await.context("can't start the embedded server")?;
    let mut rows: Vec<Row> = vec![row("start of the server", "", began.elapsed())];
    let url = server.url().context("the server does not listen")?;
    let config = Config::new(url.parse().context("the server's own address")?).with_qps(-1.0);
    let rest = RestClient::from_config(&config)?;

    let began = Instant::now();
    create(&rest, args.pods, streams).await?;
    rows.push(row("create over HTTP", &rate(args.pods, began.elapsed(), "pods"), began.elapsed()));

    let began = Instant::now();
    let listed = Clientset::from_rest(rest.clone()).core_v1().pods(NAMESPACE).list().await?.items.len();
    ensure!(listed == args.pods, "{listed} pods are listed, {} were made", args.pods);
    rows.push(row("list", &rate(listed, began.elapsed(), "pods"), began.elapsed()));

    informer(&rest, args, streams, &mut rows).await?;
    queue(args, streams, &mut rows).await?;
    server.shutdown().await;
    streams.progress("")?;
    let headers = ["WHAT", "RATE", "TIME"].map(str::to_owned).to_vec();
    let rows: Vec<Vec<String>> = std::iter::once(headers).chain(rows.into_iter().map(Vec::from)).collect();
    Ok(table::print(&rows, &mut streams.out)?)
}

fn row(what: &str, rate: &str, time: Duration) -> Row {
    [what.to_owned(), rate.to_owned(), shown(time)]
}

fn shown(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{seconds:.2} s"),
        seconds if seconds >= 0.001 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{:.0} µs", seconds * 1e6),
    }
}

fn rate(count: usize, time: Duration, of: &str) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    let rate = count as f64 / time.as_secs_f64().max(1e-9);
    format!("{rate:.0} {of}/s")
}

async fn create(rest: &RestClient, count: usize, streams: &mut Streams<'_>) -> Result<()> {
    let mut tasks = tokio::task::JoinSet::new();
    let mut made = 0;
    for at in 0..count {
        if tasks.len() == CREATORS
            && let Some(done) = tasks.join_next().await
        {
            done.context("a task that makes pods failed")??;
            made += 1;
            if made % 100 == 0 {
                streams.progress(&format!("{made} of {count} pods made"))?;
            }
        }
        let pods = Clientset::from_rest(rest.clone());
        tasks.spawn(async move { pods.core_v1().pods(NAMESPACE).create(pod(at)).await.map(drop) });
    }
    while let Some(done) = tasks.join_next().await {
        done.context("a task that makes pods failed")??;
    }
    Ok(())
}

/// Pods differ as real ones do.
fn pod(at: usize) -> Pod {
    let mut labels = Map::default();
    labels.insert("app", format!("app-{}", at % 40).into());
    labels
        .insert("pod-template-hash", format!("{:08x}", at.wrapping_mul(2_654_435_761) & 0xffff_ffff).into());
    Pod {
        metadata: ObjectMeta { name: format!("bench-{at:06}").into(), labels, ..ObjectMeta::EMPTY },
        spec: PodSpec {
            containers: [Container {
                name: "app".into(),
                image: format!("registry.example/app-{}:1.{at}", at % 40).into(),
                args: [format!("--shard={at}").into(), "--verbose".into()].into(),
                ..Container::EMPTY
            }]
            .into(),
            ..PodSpec::EMPTY
        }
        .into(),
        ..Pod::EMPTY
    }
}

async fn informer(
    rest: &RestClient,
    args: &Args,
    streams: &mut Streams<'_>,
    rows: &mut Vec<Row>,
) -> Result<()> {
    streams.progress("an informer syncs")?;
    let factory = SharedInformerFactory::new(rest.clone());
    let pods = factory.core().v1().pods();
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let handler = HandlerFns::new().on_update(move |_: &Arc<Pod>, new: &Arc<Pod>| {
        // As many as are changed, and those one by one.
        let _ = sender.send(new.metadata.resource_version.clone());
    });
    let registration = pods.informer().add_handler(handler)?;
    let began = Instant::now();
    factory.start();
    factory.wait_for_cache_sync().await;
    let time = began.elapsed();
    let cached = pods.lister().list(&Selector::everything()).len();
    ensure!(cached == args.pods, "{cached} pods are cached, {} were made", args.pods);
    rows.push(row("informer sync", &rate(cached, time, "pods"), time));

    // An update of a pod whose addition still waits for the handler would be part of that addition.
    ensure!(registration.synced().await, "the handler has stopped");
    let clientset = Clientset::from_rest(rest.clone());
    let mut times = Vec::new();
    for at in 0..args.updates.min(args.pods) {
        let annotations = json!({"bench": at.to_string()});
        let patch = Patch::Merge(json!({"metadata": {"annotations": annotations}}));
        let began = Instant::now();
        let changed = clientset.core_v1().pods(NAMESPACE).patch(&format!("bench-{at:06}"), &patch).await?;
        while told.recv().await.context("the informer has stopped")? != changed.metadata.resource_version {}
        times.push(began.elapsed());
    }
    times.sort_unstable();
    for (what, of) in [("write to handler, p50", 50), ("write to handler, p99", 99)] {
        if let Some(time) = times.get((times.len() * of / 100).min(times.len().saturating_sub(1))) {
            rows.push(row(what, "", *time));
        }
    }
    factory.shutdown().await;
    Ok(())
}

async fn queue(args: &Args, streams: &mut Streams<'_>, rows: &mut Vec<Row>) -> Result<()> {
    streams.progress("a work queue works")?;
    let queue: WorkQueue<usize> = WorkQueue::default();
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let began = Instant::now();
    let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions::default().with_workers(4), move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        async { Ok::<(), String>(()) }
    });
    let (adds, keys) = (args.adds, args.keys.max(1));
    let producers = (0..4).map(|part| {
        let queue = queue.clone();
        tokio::task::spawn_blocking(move || (part..adds).step_by(4).for_each(|at| queue.add(at % keys)))
    });
    for producer in producers.collect::<Vec<_>>() {
        producer.await.context("a producer failed")?;
    }
    let added = began.elapsed();
    let processed = pool.drain().await.processed;
    let time = began.elapsed();
    ensure!(processed == runs.load(Ordering::Relaxed), "{processed} runs are counted, {runs:?} were made");
    rows.push(row("work queue, adds", &rate(adds, added, "adds"), added));
    rows.push(row(
        "work queue, runs",
        &rate(usize::try_from(processed).unwrap_or(usize::MAX), time, "runs"),
        time,
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_for_people() {
        assert_eq!(shown(Duration::from_millis(1500)), "1.50 s");
        assert_eq!(shown(Duration::from_micros(2500)), "2.5 ms");
        assert_eq!(shown(Duration::from_nanos(2500)), "2 µs");
        assert_eq!(rate(100, Duration::from_millis(500), "pods"), "200 pods/s");
    }
}
