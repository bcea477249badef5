//! `cargo xtask bench list`: a long list from a real server as it arrives, ours compared with curl.
//!
//! The pods are those of `bench objects`. They are put into etcd as they are, statuses and managed fields included, in
//! the form in which kube-apiserver keeps them: it takes seconds, and creating them one by one would lose half.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_testkit::{Cluster, Options};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::objects;
use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo};

/// Options of the benchmark.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many pods to list
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pods: u32,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
}

/// The measurement of one process.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
struct Sample {
    items: u64,
    bytes: u64,
    cpu_ms: f64,
    wall_ms: f64,
    idle_mb: f64,
    peak_mb: f64,
}

/// A format, compressed or not; only plain answers have targets, since curl throws compressed ones away unread.
const VARIANTS: [(&str, &[&str]); 4] = [
    ("protobuf", &["--format", "protobuf"]),
    ("json", &["--format", "json"]),
    ("protobuf, gzip", &["--format", "protobuf", "--gzip"]),
    ("json, gzip", &["--format", "json", "--gzip"]),
];

/// Client CPU, of curl's that fetches the same bytes.
const MOST_CPU: f64 = 2.5;
/// Megabytes above an idle client.
const MOST_MEMORY: f64 = 30.0;

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let program = build()?;
    let target = workspace::root().join("bench/target");
    let pods = objects::pods(&target, args.pods)?;
    let cluster = cluster()?;
    fill(&cluster, &pods.join("pods.pb"))?;
    let mut samples: BTreeMap<(usize, bool), Vec<Sample>> = BTreeMap::new();
    for number in 0..=args.runs {
        eprintln!("run {number} of {}", args.runs);
        for (at, (_, arguments)) in VARIANTS.iter().enumerate() {
            for curl in [false, true] {
                let sample = once(&program, &cluster, arguments, curl)?;
                ensure!(curl || sample.items == u64::from(args.pods), "{} pods came", sample.items);
                // The first round warms the server's caches, and counts for nothing.
                if number > 0 {
                    samples.entry((at, curl)).or_default().push(sample);
                }
            }
        }
    }
    cluster.stop()?;
    let figures: BTreeMap<(usize, bool), Sample> =
        samples.into_iter().map(|(variant, samples)| (variant, median(&samples))).collect();
    report(args, &figures, page)
}

fn report(args: &Args, figures: &BTreeMap<(usize, bool), Sample>, page: &mut Page) -> Result<ExitCode> {
    println!(
        "{:<16} {:>9} {:>9} {:>9} {:>6} {:>9} {:>9} {:>10}",
        "", "MB", "CPU, ms", "curl's", "ratio", "wall, ms", "curl's", "MB on idle"
    );
    let (mut rows, mut cells, mut missed) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (name, _)) in VARIANTS.iter().enumerate() {
        let (ours, curl) =
            (figures.get(&(at, false)).context("no run")?, figures.get(&(at, true)).context("no run")?);
        let (ratio, memory) = (ours.cpu_ms / curl.cpu_ms, ours.peak_mb - ours.idle_mb);
        #[allow(clippy::cast_precision_loss, reason = "megabytes")]
        let megabytes = curl.bytes as f64 / 1e6;
        println!(
            "{name:<16} {megabytes:>9.1} {:>9.0} {:>9.0} {ratio:>6.2} {:>9.0} {:>9.0} {memory:>10.1}",
            ours.cpu_ms, curl.cpu_ms, ours.wall_ms, curl.wall_ms
        );
        if memory > MOST_MEMORY {
            missed.push(format!("{name}: {memory:.1} MB above an idle client, at most {MOST_MEMORY}"));
        }
        if ratio > MOST_CPU && !name.contains("gzip") {
            missed.push(format!("{name}: {ratio:.2} of curl's CPU time, at most {MOST_CPU}"));
        }
        // curl throws compressed answers away unread: no comparison.
        let plain = |text: String| if name.contains("gzip") { String::new() } else { text };
        cells.push(vec![
            name.replace("json", "JSON"),
            number(megabytes, 0),
            number(ours.cpu_ms, 0),
            plain(number(ratio, 2)),
            plain(number(memory, 1)),
        ]);
        rows.push(
            json!({ "name": name, "ours": ours, "curl": curl, "cpu_ratio": ratio, "memory_mb": memory }),
        );
    }
    page.table(&["bytes, MB", "CPU, ms", "of curl's CPU", "memory above an idle client, MB"], cells);
    println!(
        "RESULT {}",
        json!({ "bench": "list", "pods": args.pods, "runs": args.runs, "rows": rows, "missed": missed })
    );
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    let arguments = ["build", "--quiet", "--release", "--locked", "-p", "bench-list", "--manifest-path"];
    workspace::run(cargo().args(arguments).arg(&manifest))?;
    objects::build_generator()?;
    Ok(workspace::root().join("bench/target/release/bench-list"))
}

fn once(program: &Path, cluster: &Cluster, arguments: &[&str], curl: bool) -> Result<Sample> {
    let mut command = Command::new(program);
    command.arg("--kubeconfig").arg(cluster.kubeconfig()).args(arguments);
    if curl {
        command.arg("--curl");
    }
    let output = command.output().with_context(|| format!("can't start {}", program.display()))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}: {}",
            program.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    serde_json::from_slice(&output.stdout).context("its output is not one result")
}

/// Returns the median of the runs for each number.
fn median(samples: &[Sample]) -> Sample {
    let of = |number: fn(&Sample) -> f64| {
        let mut numbers: Vec<f64> = samples.iter().map(number).collect();
        numbers.sort_by(f64::total_cmp);
        numbers.get(numbers.len() / 2).copied().unwrap_or_default()
    };
    let first = samples.first().cloned().unwrap_or_default();
    Sample {
        cpu_ms: of(|sample| sample.cpu_ms),
        wall_ms: of(|sample| sample.wall_ms),
        idle_mb: of(|sample| sample.idle_mb),
        peak_mb: of(|sample| sample.peak_mb),
        ..first
    }
}

/// A control plane that leaves pods alone.
pub(crate) fn cluster() -> Result<Cluster> {
    // Only the controller that a cluster needs to become ready: others would delete pods without node and owner.
    let controllers = vec!["--controllers=serviceaccount-controller".to_owned()];
    Ok(Cluster::start(Options::default().with_controller_manager_args(controllers))?)
}

/// Writes the pods of a file into a cluster's etcd, and waits until its server has them all.
pub(crate) fn fill(cluster: &Cluster, pods: &Path) -> Result<()> {
    /// etcd takes up to 128 operations and 1.5 MiB at a time.
    const AT_ONCE: usize = 48;
    let socket = cluster.folder().context("the cluster has no folder")?.join("etcd.sock");
    let bytes = std::fs::read(pods).with_context(|| format!("can't read {}", pods.display()))?;
    let records = records(&bytes)?;
    eprintln!("putting {} pods into etcd", records.len());
    for records in records.chunks(AT_ONCE) {
        let puts: Result<Vec<_>> = records
            .iter()
            .map(|pod| {
                let (namespace, name) = key(pod)?;
                let key = STANDARD.encode(format!("/registry/pods/{namespace}/{name}"));
                Ok(json!({ "requestPut": { "key": key, "value": STANDARD.encode(stored(pod)) } }))
            })
            .collect();
        post(&socket, "/v3/kv/txn", &json!({ "success": puts? }).to_string())?;
    }
    let expected = records.len().to_string();
    for _ in 0..600 {
        let count = cluster.run_kubectl(&["get", "--raw", "/api/v1/pods?limit=1&resourceVersion=0"])?;
        // A list from the cache ignores the limit: all of them are there when the last one is. The list also has a
        // version.
        if count.matches("\"resourceVersion\":").count() > records.len() {
            return Ok(());
        }
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    bail!("the server does not know {expected} pods")
}

/// Length-prefixed records.
fn records(mut bytes: &[u8]) -> Result<Vec<&[u8]>> {
    let mut records = Vec::new();
    while let Some((length, rest)) = bytes.split_first_chunk::<4>() {
        let length = u32::from_le_bytes(*length) as usize;
        let record = rest.get(..length).context("a record that is cut off")?;
        records.push(record);
        bytes = &rest[length..];
    }
    ensure!(bytes.is_empty(), "a length that is cut off");
    Ok(records)
}

/// A pod as kube-apiserver keeps it: a magic number, then its kind and its bytes.
fn stored(pod: &[u8]) -> Vec<u8> {
    let kind: &[u8] = b"\x0a\x02v1\x12\x03Pod";
    let mut stored = b"k8s\0".to_vec();
    for (tag, part) in [(0x0a, kind), (0x12, pod), (0x1a, b""), (0x22, b"")] {
        stored.push(tag);
        varint(&mut stored, part.len());
        stored.extend_from_slice(part);
    }
    stored
}

/// Appends a number in seven bits a byte.
pub(crate) fn varint(out: &mut Vec<u8>, mut value: usize) {
    while value >= 0x80 {
        #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    #[allow(clippy::cast_possible_truncation, reason = "seven bits")]
    out.push(value as u8);
}

/// Namespace and name of a pod: fields 3 and 1 of its first field.
fn key(pod: &[u8]) -> Result<(String, String)> {
    let metadata = field(pod, 1).context("a pod without metadata")?;
    let text = |number| -> Result<String> {
        let text = field(metadata, number).context("a pod without a name")?;
        Ok(String::from_utf8(text.to_vec())?)
    };
    Ok((text(3)?, text(1)?))
}

/// The first field of this number, which must hold bytes; those before it must too.
fn field(mut message: &[u8], number: u8) -> Option<&[u8]> {
    loop {
        let (&tag, rest) = message.split_first()?;
        let (mut length, mut shift, mut rest) = (0_usize, 0, rest);
        loop {
            let (&byte, after) = rest.split_first()?;
            rest = after;
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        let content = rest.get(..length)?;
        if tag >> 3 == number {
            return Some(content);
        }
        message = &rest[length..];
    }
}

/// A request to etcd's JSON gateway.
fn post(socket: &Path, path: &str, body: &str) -> Result<()> {
    let mut stream =
        UnixStream::connect(socket).with_context(|| format!("can't connect to {}", socket.display()))?;
    let length = body.len();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nHost: etcd\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "etcd answered: {answer}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pod_is_found_and_wrapped() {
        let pod = b"\x0a\x0b\x0a\x03web\x12\x00\x1a\x02ns\x12\x00";
        assert_eq!(key(pod).unwrap(), ("ns".to_owned(), "web".to_owned()));
        let stored = stored(&[7; 300]);
        assert!(stored.starts_with(b"k8s\0\x0a\x09\x0a\x02v1\x12\x03Pod\x12\xac\x02\x07"));
        assert!(stored.ends_with(b"\x07\x1a\0\x22\0"));
    }

    #[test]
    fn records_are_read_to_their_end() {
        assert_eq!(records(b"\x02\0\0\0ab\x01\0\0\0c").unwrap(), [&b"ab"[..], b"c"]);
        assert!(records(b"\x02\0\0\0a").is_err() && records(b"\x02\0").is_err());
    }
}
