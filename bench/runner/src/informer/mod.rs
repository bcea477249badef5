//! `cargo xtask bench informer`: our informer compared with client-go's and kube-rs's reflector.
//!
//! Every client is a process of its own. They take turns, and the median of each figure counts. Four parts:
//!
//! - **sync** against a real kube-apiserver with pods that differ as real ones do;
//! - **relist**: the watch expires and the list has not changed;
//! - **replay**: changes as fast as a client takes them, then one by one;
//! - **fan-out**: the same with more handlers, and with one of them blocked.
//!
//! A real server on the same cores would be the bottleneck of the last three, so they are replayed: the events of the
//! real server are recorded, and a small server of ours sends them again, over plain HTTP. See [`replay`].

mod chart;
pub(crate) mod clients;
mod protobuf;
pub(crate) mod recording;
pub(crate) mod replay;
mod report;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use client_rs_testkit::Cluster;

use self::clients::{Client, Programs, Run};
use self::recording::{Format, Recording};
use self::replay::{Command, Server};
use super::{list, objects};
use crate::figures::Figures;
use crate::page::Page;
use client_rs_tests_tools::workspace;

/// Our informer compared with client-go's and kube-rs's: CPU, memory, and the cost of notifications.
///
/// The targets are those of `--check`: ratios to the peers in the same run, and two of our own (a relist's peak, a
/// blocked handler's effect on others).
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many pods there are
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..))]
    pods: u32,
    /// Run the peers too: client-go and kube-rs
    #[arg(long)]
    peers: bool,
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// How many changes a replay sends at once
    #[arg(long, default_value_t = 100_000)]
    events: usize,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// Write the chart of the figures here, as SVG
    #[arg(long)]
    chart: Option<PathBuf>,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Sync,
    Relist,
    Replay,
    FanOut,
}

/// Changes a second when they come one by one, and how many come.
const PACE: (u32, usize) = (1_000, 2_000);
/// Numbers of handlers.
const WIDTHS: [usize; 3] = [1, 10, 100];

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let has = |part| args.only.is_empty() || args.only.contains(&part);
    let programs = Programs::build(args.peers)?;
    let clients = Client::all(args.peers);
    let target = workspace::root().join("bench/target");
    let pods = objects::pods(&target, args.pods)?;
    let folder = target.join(format!("recording-{}", args.pods));
    let mut figures = Figures::default();
    if has(Part::Sync) || !Recording::is_there(&folder) {
        let cluster = list::cluster()?;
        list::fill(&cluster, &pods.join("pods.pb"))?;
        if has(Part::Sync) {
            sync(args, &programs, &clients, &cluster, &mut figures)?;
        }
        if !Recording::is_there(&folder) {
            recording::record(&cluster, &pods, args.pods as usize, &folder)?;
        }
        cluster.stop()?;
    }
    let recordings = Recordings::read(&folder, args)?;
    for round in 1..=args.runs {
        if has(Part::Relist) {
            eprintln!("relist, run {round} of {}", args.runs);
            for client in &clients {
                relist(args, &programs, *client, &recordings, &mut figures)?;
            }
        }
        if has(Part::Replay) {
            eprintln!("replay, run {round} of {}", args.runs);
            for client in &clients {
                let name = client.name();
                replayed(args, &programs, *client, (1, false), &recordings, |measure, value| {
                    figures.note("replay", name, measure, value);
                })?;
            }
        }
        if has(Part::FanOut) {
            eprintln!("fan-out, run {round} of {}", args.runs);
            for width in WIDTHS {
                for blocked in [false, true] {
                    if blocked && width == 1 {
                        continue;
                    }
                    for client in clients.iter().filter(|client| client.fans_out()) {
                        let part = fan_out_name(width, blocked);
                        replayed(
                            args,
                            &programs,
                            *client,
                            (width, blocked),
                            &recordings,
                            |measure, value| {
                                figures.note(&part, client.name(), measure, value);
                            },
                        )?;
                    }
                }
            }
        }
    }
    report::report(args, &figures, page)
}

fn fan_out_name(width: usize, blocked: bool) -> String {
    format!(
        "{width} handler{}{}",
        if width == 1 { "" } else { "s" },
        if blocked { ", 1 blocked" } else { "" }
    )
}

/// Syncs every client with a real server.
fn sync(
    args: &Args,
    programs: &Programs,
    clients: &[Client],
    cluster: &Cluster,
    figures: &mut Figures,
) -> Result<()> {
    for round in 0..=args.runs {
        eprintln!("sync, run {round} of {}", args.runs);
        for client in clients.iter().chain([&Client::Bare]) {
            let mut run = Run::start(programs, *client, cluster.kubeconfig(), args.pods, (1, false), "")?;
            let synced = run.line("synced")?;
            run.end()?;
            // The first round warms the server's caches, and counts for nothing.
            if round > 0 {
                let heap = synced.get("heap_bytes")? / f64::from(args.pods);
                figures.note("sync", client.name(), "heap_bytes_an_object", heap);
                for measure in ["wall_ms", "cpu_ms", "peak_mb"] {
                    figures.note("sync", client.name(), measure, synced.get(measure)?);
                }
            }
        }
    }
    Ok(())
}

/// Lets a client's watch expire, with nothing changed.
fn relist(
    args: &Args,
    programs: &Programs,
    client: Client,
    recordings: &Recordings,
    figures: &mut Figures,
) -> Result<()> {
    let server = Server::start(recordings.of(client))?;
    let mut run = Run::start(programs, client, &server.kubeconfig(), args.pods, (1, false), "relist")?;
    run.line("synced")?;
    server.send(Command::Expire)?;
    server.send(Command::End)?;
    let line = run.line("relist")?;
    run.end()?;
    let steady = line.get("steady_bytes")?;
    figures.note("relist", client.name(), "peak_ratio", line.get("peak_bytes")? / steady);
    figures.note("relist", client.name(), "steady_mb", steady / 1e6);
    figures.note("relist", client.name(), "cpu_ms", line.get("cpu_ms")?);
    Ok(())
}

/// Sends changes to a client, and notes what that costs it.
fn replayed(
    args: &Args,
    programs: &Programs,
    client: Client,
    (width, blocked): (usize, bool),
    recordings: &Recordings,
    mut note: impl FnMut(&str, f64),
) -> Result<()> {
    // Handlers multiply the work.
    let events = args.events.div_ceil(if width < 50 { 1 } else { 4 });
    let server = Server::start(recordings.of(client))?;
    let mut run =
        Run::start(programs, client, &server.kubeconfig(), args.pods, (width, blocked), "burst,paced")?;
    let synced = run.line("synced")?;
    note("sync_cpu_ms", synced.get("cpu_ms")?);
    let began = server.send(Command::Burst { events })?;
    let burst = run.line("burst")?;
    #[allow(clippy::cast_precision_loss, reason = "counts, and nanoseconds that are shown as seconds")]
    let (events, began) = (events as f64, began as f64);
    note("cpu_us_an_event", burst.get("cpu_ms")? * 1e3 / events);
    note("events_a_second", events / ((burst.get("end_ns")? - began) / 1e9));
    note("told", burst.get("told")?);
    let (per_second, events) = PACE;
    server.send(Command::Paced { events, per_second })?;
    let paced = run.line("paced")?;
    note("lag_p50_us", paced.get("lag_p50_us")?);
    note("lag_p99_us", paced.get("lag_p99_us")?);
    run.end()
}

/// The recordings in both formats.
struct Recordings {
    protobuf: Arc<Recording>,
    json: Option<Arc<Recording>>,
}

impl Recordings {
    fn read(folder: &std::path::Path, args: &Args) -> Result<Self> {
        let pods = args.pods as usize;
        let read = |format| Recording::read(folder, format, pods).map(Arc::new);
        let json = if args.peers { Some(read(Format::Json)?) } else { None };
        Ok(Self { protobuf: read(Format::Protobuf)?, json })
    }

    fn of(&self, client: Client) -> Arc<Recording> {
        match (&self.json, client.format()) {
            (Some(json), Format::Json) => json.clone(),
            _ => self.protobuf.clone(),
        }
    }
}
