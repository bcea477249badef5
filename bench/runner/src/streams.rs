//! `cargo xtask bench streams`: bytes through exec and through a forwarded port, ours compared with kubectl.
//!
//! Client, API server, kubelet, and back: both clients go the same way, to the kubelet of the test kit. It and the process
//! that drives the clients are in `bench/streams`.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::{Binaries, Cluster, Folders, Options, Progress};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo};

/// Exec and port-forward, both ways, compared with kubectl.
///
/// Each byte that arrives is compared with the one that was sent. Target: no slower than kubectl, at a third of its
/// memory or less.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How much is sent each way
    #[arg(long, default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    megabytes: u32,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// The server between the clients and the kubelet
    #[arg(long, value_enum, default_value = "real")]
    backend: Server,
    /// Let the node serve WebSocket itself, so that the server translates nothing
    #[arg(long)]
    websocket: bool,
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Server {
    /// kube-apiserver
    Real,
    /// The API server of `crates/apiserver`
    Embedded,
}

/// The measurement of one process.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Sample {
    bytes: u64,
    ready_ms: f64,
    wall_ms: f64,
    cpu_ms: f64,
    peak_mb: f64,
}

impl Sample {
    /// Megabytes a second.
    fn speed(&self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "megabytes")]
        let bytes = self.bytes as f64;
        bytes / 1e3 / self.wall_ms
    }
}

const CASES: [(&str, &[&str]); 4] = [
    ("exec, in", &["--via", "exec", "--way", "in"]),
    ("exec, out", &["--via", "exec", "--way", "out"]),
    ("port-forward, in", &["--via", "forward", "--way", "in"]),
    ("port-forward, out", &["--via", "forward", "--way", "out"]),
];

/// The minimum ratio to kubectl's speed.
const LEAST_SPEED: f64 = 1.0;
/// The maximum ratio to kubectl's memory.
const MOST_MEMORY: f64 = 1.0 / 3.0;

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let programs = build()?;
    let ours = programs.join("bench-streams");
    let cluster = match args.backend {
        Server::Real => Some(Cluster::start(Options::default())?),
        Server::Embedded => None,
    };
    let backend = Backend::start(args, &programs.join("bench-streams-backend"), cluster.as_ref())?;
    let kubectl = Binaries::ready(&Folders::of_user(), &Progress::stderr())?.path("kubectl");
    let mut samples: BTreeMap<(usize, bool), Vec<Sample>> = BTreeMap::new();
    for number in 0..=args.runs {
        eprintln!("run {number} of {}", args.runs);
        for (at, (name, arguments)) in CASES.iter().enumerate() {
            // The second client finds a warmer server, so they take turns.
            for peer in [number % 2 == 0, number % 2 != 0] {
                let program = if peer { &kubectl } else { &ours };
                let sample = backend
                    .drive(&ours, program, arguments)
                    .with_context(|| format!("{name}, through {}", if peer { "kubectl" } else { "ours" }))?;
                // The first round warms all up, and counts for nothing.
                if number > 0 {
                    samples.entry((at, peer)).or_default().push(sample);
                }
            }
        }
    }
    drop(backend);
    if let Some(cluster) = cluster {
        cluster.stop()?;
    }
    let figures = samples.into_iter().map(|(case, samples)| (case, median(&samples))).collect();
    report(args, &figures, page)
}

fn report(args: &Args, figures: &BTreeMap<(usize, bool), Sample>, page: &mut Page) -> Result<ExitCode> {
    println!(
        "{:<18} {:>8} {:>9} {:>6} {:>9} {:>9} {:>6} {:>8} {:>9} {:>6}",
        "", "MB/s", "kubectl's", "ratio", "peak, MB", "kubectl's", "share", "CPU, ms", "kubectl's", "share"
    );
    let (mut rows, mut cells, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, _)) in CASES.iter().enumerate() {
        let (ours, peer) =
            (figures.get(&(at, false)).context("no run")?, figures.get(&(at, true)).context("no run")?);
        let (speed, memory) = (ours.speed() / peer.speed(), ours.peak_mb / peer.peak_mb);
        println!(
            "{name:<18} {:>8.0} {:>9.0} {speed:>6.2} {:>9.1} {:>9.1} {memory:>6.2} {:>8.0} {:>9.0} {:>6.2}",
            ours.speed(),
            peer.speed(),
            ours.peak_mb,
            peer.peak_mb,
            ours.cpu_ms,
            peer.cpu_ms,
            ours.cpu_ms / peer.cpu_ms
        );
        if speed < LEAST_SPEED {
            missed.push(format!("{name}: {speed:.2} of kubectl's speed, at least {LEAST_SPEED}"));
        }
        if memory > MOST_MEMORY {
            missed.push(format!("{name}: {memory:.2} of kubectl's memory, at most {MOST_MEMORY:.2}"));
        }
        cells.push(vec![
            (*name).to_owned(),
            number(ours.speed(), 0),
            number(speed, 2),
            number(ours.peak_mb, 1),
            number(memory, 2),
        ]);
        rows.push(json!({
            "name": name, "ours": ours, "kubectl": peer, "speed_ratio": speed, "memory_ratio": memory,
        }));
    }
    page.table(&["MB/s", "of kubectl's", "peak memory, MB", "of kubectl's"], cells);
    println!(
        "RESULT {}",
        json!({
            "bench": "streams", "backend": args.backend, "megabytes": args.megabytes, "runs": args.runs,
            "websocket": args.websocket, "rows": rows, "missed": missed,
        })
    );
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    let packages = ["-p", "bench-streams", "-p", "bench-streams-backend"];
    let arguments = ["build", "--quiet", "--release", "--locked", "--manifest-path"];
    workspace::run(cargo().args(arguments).arg(&manifest).args(packages))?;
    Ok(workspace::root().join("bench/target/release"))
}

/// Where streams end: a kubelet in a process of its own. Ends when dropped.
struct Backend {
    child: Child,
    place: Place,
    /// For the kubeconfig of an embedded server.
    _folder: tempfile::TempDir,
}

/// The output about its address.
#[derive(Default, Deserialize)]
struct Place {
    kubeconfig: PathBuf,
    namespace: String,
    pod: String,
    source: PathBuf,
}

impl Backend {
    fn start(args: &Args, program: &Path, cluster: Option<&Cluster>) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let mut command = Command::new(program);
        command.args(["--megabytes", &args.megabytes.to_string(), "--write-kubeconfig"]);
        command.arg(folder.path().join("kubeconfig"));
        if let Some(cluster) = cluster {
            command.arg("--kubeconfig").arg(cluster.kubeconfig());
        }
        if args.websocket {
            command.arg("--websocket");
        }
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", program.display()))?;
        let printed = child.stdout.take().context("the backend has no output")?;
        let mut backend = Self { child, place: Place::default(), _folder: folder };
        let mut line = String::new();
        BufReader::new(printed).read_line(&mut line)?;
        backend.place = serde_json::from_str(&line).context("the backend did not say where it is")?;
        Ok(backend)
    }

    /// One client, from its start to its end.
    fn drive(&self, driver: &Path, client: &Path, case: &[&str]) -> Result<Sample> {
        let mut command = Command::new(driver);
        command.arg("drive").args(case).arg("--program").arg(client);
        command.arg("--source").arg(&self.place.source).arg("--kubeconfig").arg(&self.place.kubeconfig);
        command.args(["--namespace", &self.place.namespace, "--pod", &self.place.pod]);
        let output = command.output().context("can't start the driver")?;
        if !output.status.success() {
            bail!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim());
        }
        serde_json::from_slice(&output.stdout).context("its output is not one result")
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        // It ends when its input closes, which `wait` does first.
        let _ = self.child.wait();
    }
}

/// Returns the median of the runs for each number.
fn median(samples: &[Sample]) -> Sample {
    let of = |number: fn(&Sample) -> f64| {
        let mut numbers: Vec<f64> = samples.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied().unwrap_or_default()
    };
    Sample {
        bytes: samples.first().map_or(0, |sample| sample.bytes),
        ready_ms: of(|sample| sample.ready_ms),
        wall_ms: of(|sample| sample.wall_ms),
        cpu_ms: of(|sample| sample.cpu_ms),
        peak_mb: of(|sample| sample.peak_mb),
    }
}
