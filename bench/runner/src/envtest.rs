//! `cargo xtask bench envtest`: how soon the API server of `krs envtest` answers, compared with the real programs.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use client_rs_testkit::{Access, Binaries, Folders, Probe, Progress};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::json;
use tempfile::TempDir;

use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo, command};

/// The programs of envtest: from their start to the first answer over TLS, with the flags that envtest passes.
///
/// Ours are links to a release build of krs. The real ones are those of `cargo xtask cluster`. etcd and kube-apiserver
/// start at the same moment. Targets: the first answer of ours within 50 ms (median), at most 30 MB then, 32 servers at
/// once, and a fork of 10,000 objects within 5 ms.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// The number of starts of ours; the median counts
    #[arg(long, default_value_t = 20)]
    runs: usize,
    /// The number of starts of the real programs
    #[arg(long, default_value_t = 5)]
    real_runs: usize,
    /// How many of ours run at once
    #[arg(long, default_value_t = 32)]
    servers: usize,
    /// How many objects a forked server has
    #[arg(long, default_value_t = 10_000)]
    objects: usize,
}

const MOST_START_MS: f64 = 50.0;
const MOST_MEMORY_MB: f64 = 30.0;
const MOST_FORK_MS: f64 = 5.0;
/// How long a server may take.
const PATIENCE: Duration = Duration::from_mins(2);

/// The programs of one side.
struct Programs {
    etcd: PathBuf,
    apiserver: PathBuf,
}

/// One control plane. Its processes end when it is dropped.
struct Plane {
    apiserver: Child,
    etcd: Child,
    probe: Probe,
    started: Instant,
    _folder: TempDir,
}

/// One start: milliseconds, megabytes.
#[derive(Clone, Copy)]
struct Start {
    answered: f64,
    memory: f64,
    with_etcd: f64,
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0 && args.real_runs > 0 && args.servers > 0, "at least one run is needed");
    let ours = ours()?;
    let real = Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let real = Programs { etcd: real.path("etcd"), apiserver: real.path("kube-apiserver") };
    eprintln!("{} starts of krs, {} of the real programs…", args.runs, args.real_runs);
    let (our_start, real_start) = (median_start(&ours, args.runs)?, median_start(&real, args.real_runs)?);
    eprintln!("{} servers at once…", args.servers);
    let (last_ms, sum_mb) = at_once(&ours, args.servers)?;
    eprintln!("forks of {} objects…", args.objects);
    let fork = fork(&ours, args.objects, args.runs)?;
    let row = |name: &str, ours: f64, real: Option<f64>| {
        println!("{name:<44} {ours:>10.1} {}", real.map_or_else(String::new, |real| format!("{real:>12.1}")));
        vec![name.to_owned(), number(ours, 1), real.map_or_else(String::new, |real| number(real, 1))]
    };
    println!("{:<44} {:>10} {:>12}", "", "krs", "real");
    let rows = vec![
        row("start to first answer over TLS, ms", our_start.answered, Some(real_start.answered)),
        row("memory of kube-apiserver then, MB", our_start.memory, Some(real_start.memory)),
        row("the same with etcd, MB", our_start.with_etcd, Some(real_start.with_etcd)),
        row(&format!("{} servers at once, until the last answers, ms", args.servers), last_ms, None),
        row(&format!("memory of these {}, MB", args.servers), sum_mb, None),
        row(&format!("fork of a server with {} objects, ms", number(as_float(args.objects), 0)), fork, None),
    ];
    page.table(&["krs", "etcd and kube-apiserver"], rows);
    let mut missed = Vec::new();
    for (what, value, most) in [
        ("first answer, ms", our_start.answered, MOST_START_MS),
        ("memory, MB", our_start.memory, MOST_MEMORY_MB),
        ("fork, ms", fork, MOST_FORK_MS),
    ] {
        if value > most {
            missed.push(format!("{what}: {value:.1}, at most {most}"));
        }
    }
    let side = |start: Start| json!({"answered_ms": start.answered, "memory_mb": start.memory, "with_etcd_mb": start.with_etcd});
    println!(
        "RESULT {}",
        json!({
            "bench": "envtest", "runs": args.runs, "ours": side(our_start), "real": side(real_start),
            "at_once": {"servers": args.servers, "ms": last_ms, "memory_mb": sum_mb}, "fork_ms": fork, "missed": missed,
        })
    );
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Builds krs as it is released, and returns its links.
fn ours() -> Result<Programs> {
    workspace::run(cargo().args(["build", "--release", "--locked", "-p", "client-rs-cli", "--bin", "krs"]))?;
    let output = command(workspace::target().join("release/krs")).args(["envtest", "path"]).output()?;
    ensure!(output.status.success(), "krs envtest path: {}", String::from_utf8_lossy(&output.stderr));
    let folder = PathBuf::from(String::from_utf8(output.stdout)?.trim());
    Ok(Programs { etcd: folder.join("etcd"), apiserver: folder.join("kube-apiserver") })
}

fn median_start(programs: &Programs, runs: usize) -> Result<Start> {
    let mut all = Vec::new();
    for _ in 0..runs {
        let mut plane = Plane::start(programs)?;
        let answered = plane.wait()?;
        let (memory, etcd) = (memory(&plane.apiserver)?, memory(&plane.etcd)?);
        all.push(Start { answered, memory, with_etcd: memory + etcd });
        plane.end()?;
    }
    all.sort_by(|a, b| a.answered.total_cmp(&b.answered));
    all.get(all.len() / 2).copied().context("no run")
}

/// Milliseconds until the last of several servers answers, and the memory of all.
fn at_once(programs: &Programs, count: usize) -> Result<(f64, f64)> {
    let begun = Instant::now();
    let mut planes = (0..count).map(|_| Plane::start(programs)).collect::<Result<Vec<_>>>()?;
    for plane in &mut planes {
        plane.wait()?;
    }
    let ms = begun.elapsed().as_secs_f64() * 1e3;
    let all = planes.iter().map(|plane| memory(&plane.apiserver)).sum::<Result<f64>>()?;
    planes.into_iter().try_for_each(Plane::end)?;
    Ok((ms, all))
}

/// Milliseconds from the request for a fork to its response: the new server listens then. The median.
fn fork(programs: &Programs, objects: usize, runs: usize) -> Result<f64> {
    let mut plane = Plane::start(programs)?;
    plane.wait()?;
    for index in 0..objects {
        let map = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": format!("map-{index}")},
            "data": {"key": "value"},
        });
        let path = "/api/v1/namespaces/default/configmaps";
        let headers = [("Content-Type", "application/json")];
        let answer = plane.probe.send("POST", path, &headers, map.to_string().as_bytes())?;
        ensure!(answer.status == 201, "create: {}", answer.body);
    }
    let mut all = Vec::new();
    for _ in 0..runs {
        let begun = Instant::now();
        let answer = plane.probe.send("POST", "/krs/forks", &[], b"")?;
        all.push(begun.elapsed().as_secs_f64() * 1e3);
        ensure!(answer.status == 201, "fork: {}", answer.body);
    }
    plane.end()?;
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().context("no run")
}

impl Plane {
    fn start(programs: &Programs) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let file = |name: &str| folder.path().join(name).display().to_string();
        let authority = certificates(folder.path())?;
        let (client, peer, port) = (free_port()?, free_port()?, free_port()?);
        let etcd_url = format!("http://127.0.0.1:{client}");
        let quiet = |program: &Path| {
            let mut command = Command::new(program);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let started = Instant::now();
        let etcd = quiet(&programs.etcd)
            .args([
                format!("--advertise-client-urls={etcd_url}"),
                format!("--data-dir={}", file("etcd")),
                format!("--listen-client-urls={etcd_url}"),
                format!("--listen-peer-urls=http://127.0.0.1:{peer}"),
                "--unsafe-no-fsync=true".to_owned(),
            ])
            .spawn()
            .with_context(|| format!("can't start {}", programs.etcd.display()))?;
        let apiserver = quiet(&programs.apiserver)
            .args([
                "--allow-privileged=true".to_owned(),
                "--authorization-mode=RBAC".to_owned(),
                "--bind-address=127.0.0.1".to_owned(),
                format!("--cert-dir={}", file("")),
                format!("--token-auth-file={}", file("tokens.csv")),
                "--disable-admission-plugins=ServiceAccount".to_owned(),
                format!("--etcd-servers={etcd_url}"),
                format!("--secure-port={port}"),
                format!("--service-account-issuer=https://127.0.0.1:{port}/"),
                format!("--service-account-key-file={}", file("apiserver.crt")),
                format!("--service-account-signing-key-file={}", file("apiserver.key")),
                "--service-cluster-ip-range=10.0.0.0/24".to_owned(),
            ])
            .spawn()
            .with_context(|| format!("can't start {}", programs.apiserver.display()))?;
        let mut access = Access { server: format!("https://127.0.0.1:{port}"), ..Access::default() };
        access.certificate_authority = Some(authority.into_bytes());
        access.token = Some("t0ken".to_owned());
        Ok(Self { apiserver, etcd, probe: Probe::new(&access)?, started, _folder: folder })
    }

    /// Waits until kube-apiserver is healthy; milliseconds since its start.
    fn wait(&mut self) -> Result<f64> {
        loop {
            if self.probe.get("/healthz").is_ok_and(|answer| answer.status == 200) {
                return Ok(self.started.elapsed().as_secs_f64() * 1e3);
            }
            if let Some(status) = self.apiserver.try_wait()? {
                bail!("kube-apiserver ended with {status}");
            }
            ensure!(self.started.elapsed() < PATIENCE, "kube-apiserver does not answer");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Ends both with SIGTERM. Those of krs must end well.
    fn end(mut self) -> Result<()> {
        for child in [&mut self.apiserver, &mut self.etcd] {
            let id = child.id().to_string();
            ensure!(Command::new("kill").args(["-TERM", &id]).status()?.success(), "can't end process {id}");
            child.wait()?;
        }
        Ok(())
    }
}

impl Drop for Plane {
    fn drop(&mut self) {
        for child in [&mut self.apiserver, &mut self.etcd] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Writes the files that the flags name, and returns the authority in PEM.
fn certificates(folder: &Path) -> Result<String> {
    let mut params = CertificateParams::default();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
    let key = KeyPair::generate()?;
    let certificate = CertificateParams::new(vec!["127.0.0.1".to_owned()])?.signed_by(&key, &authority)?;
    std::fs::write(folder.join("apiserver.crt"), certificate.pem())?;
    std::fs::write(folder.join("apiserver.key"), key.serialize_pem())?;
    std::fs::write(folder.join("tokens.csv"), "t0ken,admin,admin,\"system:masters\"\n")?;
    Ok(authority.pem())
}

/// A port that is free now.
fn free_port() -> Result<u16> {
    Ok(std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port())
}

/// The resident memory of a process, in MB.
fn memory(child: &Child) -> Result<f64> {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", child.id())).context("this needs Linux' /proc")?;
    crate::apiserver::megabytes(&status, "VmRSS")
}

#[expect(clippy::cast_precision_loss, reason = "a number of objects")]
fn as_float(count: usize) -> f64 {
    count as f64
}
