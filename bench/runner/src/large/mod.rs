//! `cargo xtask bench large`: large caches, and many informers in one process, compared with client-go's and kube-rs's.
//!
//! Three parts:
//!
//! - **sizes**: an informer of pods, from 10,000 to 200,000: CPU and memory of a sync, and the peak of a relist. Both should
//!   grow as the number of pods does, or slower.
//! - **cases**: the kinds and numbers of objects of public reports about caches that filled the memory of a program.
//! - **many**: one informer of each of 150 namespaces: CPU while nothing happens, memory, connections.
//!
//! The first two run against the server of [`bench informer`](crate::informer), which sends prepared bytes over plain HTTP.
//! The objects are made by bench/go/cmd/pods. Many informers run against the embedded server, with TLS.

mod report;

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command as Program, ExitCode, Stdio};
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use clap::ValueEnum;
use client_rs_tests_tools::workspace::{self, cargo};
use serde_json::Value;

use crate::figures::Figures;
use crate::informer::clients::{Client, Programs, Run};
use crate::informer::recording::{Format, Kind, Recording};
use crate::informer::replay::{Command, Server};
use crate::objects;
use crate::page::Page;

/// Large caches and many informers, compared with client-go's and kube-rs's.
///
/// The targets are those of `--check`: what must grow no faster than the number of objects, a relist's peak, and ratios to
/// client-go in the same run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run the peers too: client-go and kube-rs
    #[arg(long)]
    peers: bool,
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// The numbers of pods, from the smallest to the largest
    #[arg(long, value_delimiter = ',', default_values_t = [10_000, 50_000, 150_000, 200_000])]
    sizes: Vec<u32>,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    Sizes,
    Cases,
    Many,
}

/// A public report: its objects.
struct Case {
    name: &'static str,
    resource: &'static str,
    count: u32,
    kind: Kind,
}

const PODS: Kind = Kind { path: "/api/v1/pods", api_version: "v1", kind: "Pod" };

const CASES: [Case; 5] = [
    Case { name: "8,209 pods", resource: "pods", count: 8_209, kind: PODS },
    Case {
        name: "20,000 Secrets of Helm releases",
        resource: "secrets",
        count: 20_000,
        kind: Kind { path: "/api/v1/secrets", api_version: "v1", kind: "Secret" },
    },
    Case {
        name: "20,000 ReplicaSets",
        resource: "replicasets",
        count: 20_000,
        kind: Kind { path: "/apis/apps/v1/replicasets", api_version: "apps/v1", kind: "ReplicaSet" },
    },
    Case {
        name: "11,000 RoleBindings",
        resource: "rolebindings",
        count: 11_000,
        kind: Kind {
            path: "/apis/rbac.authorization.k8s.io/v1/rolebindings",
            api_version: "rbac.authorization.k8s.io/v1",
            kind: "RoleBinding",
        },
    },
    Case {
        name: "10,500 Ingresses",
        resource: "ingresses",
        count: 10_500,
        kind: Kind {
            path: "/apis/networking.k8s.io/v1/ingresses",
            api_version: "networking.k8s.io/v1",
            kind: "Ingress",
        },
    },
];

/// How many informers run in one process, each of a namespace with this many objects.
const MANY: (u32, u32) = (150, 10);
const MANY_NAME: &str = "many";

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    ensure!(args.sizes.is_sorted() && !args.sizes.is_empty(), "the sizes must begin with the smallest");
    let has = |part| args.only.is_empty() || args.only.contains(&part);
    let programs = Programs::build(args.peers)?;
    let mut figures = Figures::default();
    if has(Part::Sizes) {
        for size in &args.sizes {
            pods(args, &programs, *size, &mut figures)?;
        }
    }
    if has(Part::Cases) {
        for case in &CASES {
            one_case(args, &programs, case, &mut figures)?;
        }
    }
    if has(Part::Many) {
        many(args, &programs, &mut figures)?;
    }
    Ok(report::report(args, &figures, page))
}

/// The clients of a part; kube-rs reads JSON only.
fn clients(args: &Args, with_kube_rs: bool) -> Vec<Client> {
    let mut all = vec![Client::Ours, Client::OursPacked];
    if args.peers {
        all.push(Client::Go);
        if with_kube_rs {
            all.push(Client::KubeRs);
        }
    }
    all
}

/// The name of a size in the figures.
fn pods_name(size: u32) -> String {
    format!("{size} pods")
}

/// Syncs with this many pods, then relists.
fn pods(args: &Args, programs: &Programs, size: u32, figures: &mut Figures) -> Result<()> {
    let made = objects::of_resource(&workspace::root().join("bench/target"), "pods", size)?;
    let recording = Recording::of_records(PODS, Format::Protobuf, &made.join("objects.pb"))?;
    // Gigabytes, which are made again in seconds.
    std::fs::remove_dir_all(&made)?;
    let (recording, name) = (Arc::new(recording), pods_name(size));
    for round in 1..=args.runs {
        for client in clients(args, false) {
            eprintln!("{name}, {}, run {round} of {}", client.name(), args.runs);
            synced(programs, client, "pods", size, &recording, |measure, value| {
                figures.note(&name, client.name(), measure, value);
            })?;
            let server = Server::start(Arc::clone(&recording))?;
            let mut run = Run::start(programs, client, &server.kubeconfig(), size, (1, false), "relist")?;
            run.line("synced")?;
            server.send(Command::Expire)?;
            server.send(Command::End)?;
            let line = run.line("relist")?;
            run.end()?;
            let ratio = line.get("peak_bytes")? / line.get("steady_bytes")?;
            figures.note(&name, client.name(), "relist_peak_ratio", ratio);
            figures.note(&name, client.name(), "relist_cpu_us", line.get("cpu_ms")? * 1e3 / f64::from(size));
        }
    }
    Ok(())
}

fn one_case(args: &Args, programs: &Programs, case: &Case, figures: &mut Figures) -> Result<()> {
    let made = objects::of_resource(&workspace::root().join("bench/target"), case.resource, case.count)?;
    let read = |format, file| Recording::of_records(case.kind, format, &made.join(file)).map(Arc::new);
    let protobuf = read(Format::Protobuf, "objects.pb")?;
    let json = if args.peers { Some(read(Format::Json, "objects.json")?) } else { None };
    std::fs::remove_dir_all(&made)?;
    for round in 1..=args.runs {
        for client in clients(args, true) {
            eprintln!("{}, {}, run {round} of {}", case.name, client.name(), args.runs);
            let recording = match (&json, client.format()) {
                (Some(json), Format::Json) => json,
                _ => &protobuf,
            };
            synced(programs, client, case.resource, case.count, recording, |measure, value| {
                figures.note(case.name, client.name(), measure, value);
            })?;
        }
    }
    Ok(())
}

/// Syncs a client, and notes what that costs it.
fn synced(
    programs: &Programs,
    client: Client,
    resource: &str,
    count: u32,
    recording: &Arc<Recording>,
    mut note: impl FnMut(&str, f64),
) -> Result<()> {
    let server = Server::start(Arc::clone(recording))?;
    let arguments = [format!("--resource={resource}")];
    let mut run = Run::start_with(programs, client, &server.kubeconfig(), count, (1, false), "", &arguments)?;
    let line = run.line("synced")?;
    run.end()?;
    note("cpu_us_an_object", line.get("cpu_ms")? * 1e3 / f64::from(count));
    note("peak_mb", line.get("peak_mb")?);
    note("heap_bytes_an_object", line.get("heap_bytes")? / f64::from(count));
    note("wall_ms", line.get("wall_ms")?);
    Ok(())
}

/// Many informers in one process.
fn many(args: &Args, programs: &Programs, figures: &mut Figures) -> Result<()> {
    let (namespaces, secrets) = MANY;
    let server = EmbeddedServer::start(namespaces, secrets)?;
    let arguments = ["--resource=secrets".to_owned(), format!("--namespaces={namespaces}")];
    for round in 1..=args.runs {
        let peers = if args.peers { &[Client::Ours, Client::Go][..] } else { &[Client::Ours] };
        for client in peers {
            eprintln!("{namespaces} informers, {}, run {round} of {}", client.name(), args.runs);
            let all = namespaces * secrets;
            let mut run =
                Run::start_with(programs, *client, server.kubeconfig(), all, (1, false), "", &arguments)?;
            let line = run.line("synced")?;
            run.end()?;
            for measure in ["cpu_ms", "peak_mb", "heap_bytes", "connections", "idle_us_a_second", "wall_ms"] {
                figures.note(MANY_NAME, client.name(), measure, line.get(measure)?);
            }
        }
    }
    Ok(())
}

/// The embedded server as a process. It ends when it is dropped.
struct EmbeddedServer {
    child: Child,
    kubeconfig: tempfile::NamedTempFile,
}

impl EmbeddedServer {
    fn start(namespaces: u32, secrets: u32) -> Result<Self> {
        let bench = workspace::root().join("bench");
        let mut build = cargo();
        build.args(["build", "--quiet", "--release", "--locked", "-p", "bench-apiserver", "--manifest-path"]);
        workspace::run(build.arg(bench.join("Cargo.toml")))?;
        let mut program = Program::new(bench.join("target/release/bench-apiserver"));
        program.args(["serve", "--tls"]);
        program.arg(format!("--namespaces={namespaces}")).arg(format!("--secrets={secrets}"));
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("no output")?).read_line(&mut line)?;
        let started: Value = serde_json::from_str(&line).context("the server has not started")?;
        let kubeconfig = tempfile::NamedTempFile::new()?;
        std::fs::write(kubeconfig.path(), started["kubeconfig"].as_str().context("no kubeconfig")?)?;
        Ok(Self { child, kubeconfig })
    }

    fn kubeconfig(&self) -> &Path {
        self.kubeconfig.path()
    }
}

impl Drop for EmbeddedServer {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
