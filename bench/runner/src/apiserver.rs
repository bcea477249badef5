//! `cargo xtask bench apiserver`: how soon the embedded server answers, and what it does for many watchers.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo};

/// The embedded server: start to first answer, and creates with many watchers.
///
/// Every watcher must receive every create once, in the order of the versions, and all in the same order; a run in which
/// one does not fails. Target: the first answer within 50 ms, in a process that has just begun, with TLS and without.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// The number of starts; the median counts
    #[arg(long, default_value_t = 9)]
    runs: usize,
    /// How many objects are created
    #[arg(long, default_value_t = 10_000)]
    objects: usize,
    /// How many watchers receive them
    #[arg(long, default_value_t = 100)]
    watchers: usize,
}

/// From the start to the first answer, in milliseconds.
const MOST_START: f64 = 50.0;

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
struct Start {
    started_ms: f64,
    answered_ms: f64,
}

#[derive(Debug, Deserialize, Serialize)]
struct Load {
    creates_a_second: f64,
    events_a_second: f64,
    events: f64,
    create_seconds: f64,
    receive_seconds: f64,
    slowest_watcher_seconds: f64,
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let program = build()?;
    let plain = starts(&program, args.runs, &[])?;
    let tls = starts(&program, args.runs, &["--tls"])?;
    eprintln!("{} creates, {} watchers…", args.objects, args.watchers);
    let server = Serving::start(&program)?;
    let idle = server.memory("VmRSS")?;
    let load: Load = one(Command::new(&program).args(["load", "--url", &server.url]).args([
        "--objects",
        &args.objects.to_string(),
        "--watchers",
        &args.watchers.to_string(),
    ]))?;
    let (after, peak) = (server.memory("VmRSS")?, server.memory("VmHWM")?);
    drop(server);
    println!(
        "start to first answer, ms       {:>10.1}  (with TLS {:.1})",
        plain.answered_ms, tls.answered_ms
    );
    println!("creates a second                {:>10.0}", load.creates_a_second);
    println!("events a second, all watchers   {:>10.0}", load.events_a_second);
    println!("events received, in order       {:>10.0}", load.events);
    println!("server's memory, MB             {after:>10.1}  (idle {idle:.1}, peak {peak:.1})");
    page.table(
        &["figure"],
        [
            ("start to first answer, ms", number(plain.answered_ms, 1)),
            ("the same with TLS, ms", number(tls.answered_ms, 1)),
            ("creates a second", number(load.creates_a_second, 0)),
            ("events a second, all watchers", number(load.events_a_second, 0)),
            ("memory when idle, MB", number(idle, 1)),
            ("memory after the load, MB", number(after, 1)),
            ("peak memory, MB", number(peak, 1)),
        ]
        .map(|(name, figure)| vec![name.to_owned(), figure]),
    );
    let mut missed = Vec::new();
    for (how, start) in [("plain", plain), ("TLS", tls)] {
        if start.answered_ms > MOST_START {
            missed.push(format!(
                "first answer, {how}, after {:.1} ms, at most {MOST_START}",
                start.answered_ms
            ));
        }
    }
    println!(
        "RESULT {}",
        json!({
            "bench": "apiserver", "runs": args.runs, "objects": args.objects, "watchers": args.watchers,
            "start": plain, "start_tls": tls, "load": load,
            "memory_mb": {"idle": idle, "after": after, "peak": peak}, "missed": missed,
        })
    );
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    workspace::run(
        cargo()
            .args(["build", "--release", "--locked", "-p", "bench-apiserver", "--manifest-path"])
            .arg(&manifest),
    )?;
    Ok(workspace::root().join("bench/target/release/bench-apiserver"))
}

/// The start of median time to an answer, each in a process of its own.
fn starts(program: &Path, runs: usize, arguments: &[&str]) -> Result<Start> {
    let mut all = Vec::new();
    for _ in 0..runs {
        all.push(one::<Start>(Command::new(program).arg("start").args(arguments))?);
    }
    all.sort_by(|a, b| a.answered_ms.total_cmp(&b.answered_ms));
    all.get(all.len() / 2).copied().context("no run")
}

/// Runs a process and parses its output, which is one line of JSON.
fn one<T: serde::de::DeserializeOwned>(command: &mut Command) -> Result<T> {
    let output = command.stderr(Stdio::inherit()).output().context("can't start the measured program")?;
    ensure!(output.status.success(), "the measured program ended with {}", output.status);
    serde_json::from_slice(&output.stdout).context("the measured program printed no result")
}

/// A server in a process of its own. Ends when dropped.
struct Serving {
    child: Child,
    url: String,
}

impl Serving {
    fn start(program: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Told {
            url: String,
        }
        let mut child = Command::new(program)
            .arg("serve")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("can't start the server")?;
        let printed = child.stdout.take().context("the server has no output")?;
        let mut serving = Self { child, url: String::new() };
        let mut line = String::new();
        BufReader::new(printed).read_line(&mut line)?;
        serving.url = serde_json::from_str::<Told>(&line).context("the server did not say where it is")?.url;
        Ok(serving)
    }

    /// A figure of its memory, in MB.
    fn memory(&self, name: &str) -> Result<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).context("this needs Linux' /proc")?;
        megabytes(&status, name)
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // It ends when its input closes, which `wait` does first.
        let _ = self.child.wait();
    }
}

pub(crate) fn megabytes(status: &str, name: &str) -> Result<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kib: f64 = line.context("no such figure")?.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kib * 1024.0 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_of_memory_is_read() {
        let status = "Name:\tserver\nVmHWM:\t  2000000 kB\nVmRSS:\t   1000 kB\n";
        assert!((megabytes(status, "VmRSS").unwrap() - 1.024).abs() < 1e-9);
        assert!((megabytes(status, "VmHWM").unwrap() - 2048.0).abs() < 1e-9);
        assert!(megabytes(status, "VmSwap").is_err());
    }
}
