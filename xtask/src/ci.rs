//! `cargo xtask ci`, which `.ci/run` calls.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace::{self, cargo, command};

/// Run every check that a change must pass, with the time of each step.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Also run the slow steps: third-party clients and CRDs, a new project, limits in release, benchmark targets
    #[arg(long)]
    full: bool,
}

/// The name of a step and its action.
type Step = (&'static str, fn() -> Result<()>);

const STEPS: &[Step] = &[
    ("formatting", || workspace::run(cargo().args(["fmt", "--all", "--check"]))),
    ("layers", || xtask(&["layers"])),
    ("words", || xtask(&["words"])),
    ("dependencies", || xtask(&["deny"])),
    ("clippy", || {
        workspace::run(cargo().args([
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
        ]))
    }),
    ("features", || xtask(&["features"])),
    ("rustdoc", || {
        workspace::run(
            cargo().args(["doc", "--workspace", "--no-deps", "--locked"]).env("RUSTDOCFLAGS", "-D warnings"),
        )
    }),
    ("packages", || xtask(&["package", "--quick"])),
    ("generated code", || xtask(&["codegen", "--check"])),
    ("tests", readme_tests),
    ("simulation", || xtask(&["sim", "--tier", "a", "--seeds", "600000", "--coverage"])),
    ("simulation of bytes", || xtask(&["sim", "--tier", "c", "--seeds", "100000", "--within", "20"])),
    ("memory", || xtask(&["memory"])),
    ("benchmarks compile", || {
        let check =
            ["check", "--locked", "--workspace", "--all-targets", "--manifest-path", "bench/Cargo.toml"];
        workspace::run(cargo().args(check))
    }),
    ("fuzz", || xtask(&["fuzz", "--seconds", "20"])),
    ("compat", || xtask(&["compat"])),
    ("conformance, embedded", || xtask(&["conformance", "--backend", "embedded"])),
    ("conformance, real", || xtask(&["conformance", "--backend", "real"])),
    ("krs compared with kubectl", || xtask(&["compare-kubectl"])),
    ("controller-runtime's tests", || {
        // `--full` has all packages.
        xtask(&["strangers", "--only", "controller-runtime", "--package", "client,cache,envtest,webhook"])
    }),
    ("limits", || xtask(&["limits"])),
];

/// The steps that `--full` adds.
const LONGER: &[Step] = &[
    ("every API group alone", || xtask(&["features", "--groups"])),
    ("a million histories", || xtask(&["sim", "--tier", "a", "--seeds", "1000000", "--coverage"])),
    ("histories by priority", || xtask(&["sim", "--tier", "a", "--seeds", "200000", "--mode", "pct"])),
    ("many histories of replicas", || {
        xtask(&["sim", "--tier", "b", "--optimized", "--seeds", "2000", "--within", "600"])
    }),
    ("many histories of bytes", || xtask(&["sim", "--tier", "c", "--seeds", "10000"])),
    ("seeded faults", || xtask(&["sim", "--canaries"])),
    ("operators with bugs", || xtask(&["sim", "--corpus"])),
    ("the same histories everywhere", || xtask(&["sim", "--digests"])),
    ("the same histories of replicas", || xtask(&["sim", "--tier", "b", "--digests", "100"])),
    ("the same histories of bytes", || xtask(&["sim", "--tier", "c", "--digests", "100"])),
    ("the other cryptography", other_cryptography),
    ("strangers", || xtask(&["strangers"])),
    ("definitions of others", || xtask(&["crds"])),
    ("a new project", || xtask(&["scaffold"])),
    ("packages in a new project", || xtask(&["package"])),
    ("the page in a browser", || xtask(&["page"])),
    ("the site", || xtask(&["site", "--check"])),
    ("abuse", || xtask(&["abuse"])),
    ("the oldest Rust", || xtask(&["msrv", "--install"])),
    ("other systems", || xtask(&["targets", "--install"])),
    ("limits in release", || xtask(&["limits", "--full"])),
    ("bench build", || xtask(&["bench", "build", "--peers", "--check"])),
    ("bench objects", || xtask(&["bench", "objects", "--check"])),
    ("bench queue", || xtask(&["bench", "queue", "--check"])),
    ("bench indexer", || xtask(&["bench", "indexer", "--check"])),
    ("bench list", || xtask(&["bench", "list", "--check"])),
    ("bench streams", || xtask(&["bench", "streams", "--check"])),
    ("bench apiserver", || xtask(&["bench", "apiserver", "--check"])),
    ("bench informer", || xtask(&["bench", "informer", "--peers", "--check"])),
];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut minutes: Vec<(&str, Duration)> = Vec::new();
    let mut failure = None;
    let longer = if args.full { LONGER } else { &[] };
    for (name, step) in STEPS.iter().chain(longer) {
        println!("== {name}");
        let start = Instant::now();
        let outcome = step();
        minutes.push((name, start.elapsed()));
        if let Err(error) = outcome {
            failure = Some(format!("{name}: {error:#}"));
            break;
        }
    }
    println!("== minutes by step");
    for (name, took) in &minutes {
        println!("{:6.1}  {name}", took.as_secs_f64() / 60.0);
    }
    match failure {
        None => {
            println!("ci: {} passed, 0 failed", minutes.len());
            Ok(ExitCode::SUCCESS)
        }
        Some(error) => {
            println!("ci: {} passed, 1 failed", minutes.len() - 1);
            bail!("{error}")
        }
    }
}

/// A command of this xtask as a process of its own: a build in an earlier step may have replaced the running program,
/// and one that starts itself again needs its file.
fn xtask(args: &[&str]) -> Result<()> {
    workspace::run(cargo().args(["run", "--quiet", "--locked", "--package", "xtask", "--"]).args(args))
}

/// The tests of TLS with the provider that nothing in the workspace uses.
fn other_cryptography() -> Result<()> {
    workspace::run(cargo().args([
        "test",
        "--locked",
        "--package",
        "client-rs-transport",
        "--no-default-features",
        "--features",
        "aws-lc-rs",
    ]))
}

/// Runs the README's test command, word for word: CI runs the same command as a newcomer.
fn readme_tests() -> Result<()> {
    let path = workspace::root().join("README.md");
    let readme = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let line = readme
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("cargo test"))
        .context("README.md names no `cargo test` command")?;
    println!("$ {line}");
    workspace::run(command("sh").args(["-c", line]))
}
