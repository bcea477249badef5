//! `cargo xtask fuzz`: every surface that takes bytes from outside, with bytes that nobody would send.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use client_rs_tests_tools::workspace::{self, cargo, command, delegate};

/// Runs the fuzz targets: seeds first, then what is made of them.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long all targets run together, without the build; each has the same part
    #[arg(long, default_value_t = 20)]
    seconds: u32,
    /// Only this target; may be given several times
    #[arg(long, value_name = "NAME")]
    target: Vec<String>,
    /// Where the numbers of the mutator begin
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Keep inputs that reach new code in fuzz/corpus, and begin with those that are there
    #[arg(long)]
    keep: bool,
    /// Run one input of the one target that is given
    #[arg(long, value_name = "FILE")]
    replay: Option<String>,
    /// Run libFuzzer with `AddressSanitizer` instead of the driver; needs a nightly toolchain and a C++ compiler
    #[arg(long, conflicts_with = "replay")]
    libfuzzer: bool,
}

/// One counter for each edge: stable `rustc` hands these to LLVM. The driver reads the counters.
const COUNTERS: [&str; 3] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=3",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
];
/// Flags that libFuzzer needs in addition.
const LIBFUZZER: [&str; 4] = [
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Zsanitizer=address",
    "--cfg=fuzzing",
];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let folder = workspace::root().join("fuzz");
    let targets = check_targets(&folder)?;
    if let Some(unknown) = args.target.iter().find(|name| !targets.contains(*name)) {
        let names: Vec<&str> = targets.iter().map(String::as_str).collect();
        bail!("there is no target {unknown:?}, only {}", names.join(", "));
    }
    if args.libfuzzer { libfuzzer(args, &folder, &targets) } else { driver(args) }
}

/// A cargo command in the fuzz workspace. A target is named so that build scripts and macros are built without the flags.
fn build(mut cargo: Command, flags: &[&str], host: &str) -> Command {
    cargo.args(["build", "--quiet", "--locked", "--manifest-path", "fuzz/Cargo.toml", "--target", host]);
    cargo.arg("--target-dir").arg(workspace::target().join("fuzz"));
    cargo.env("RUSTFLAGS", flags.join(" "));
    cargo
}

fn driver(args: &Args) -> Result<ExitCode> {
    let host = host()?;
    let mut built = build(cargo(), &COUNTERS, &host);
    workspace::run(built.args(["--no-default-features", "--bin", "driver"]))?;
    let mut run = command(workspace::target().join("fuzz").join(&host).join("debug/driver"));
    run.args(["--seconds", &args.seconds.to_string(), "--seed", &args.seed.to_string()]);
    for target in &args.target {
        run.args(["--target", target]);
    }
    if let Some(file) = &args.replay {
        run.args(["--replay", file]);
    }
    delegate(run.args(args.keep.then_some("--keep")))
}

/// One binary for each target, one after the other. New inputs go to `fuzz/corpus`, failures to `fuzz/artifacts`.
fn libfuzzer(args: &Args, folder: &Path, targets: &BTreeSet<String>) -> Result<ExitCode> {
    let host = host()?;
    let chosen: Vec<&String> =
        if args.target.is_empty() { targets.iter().collect() } else { args.target.iter().collect() };
    let seconds = (usize::try_from(args.seconds).unwrap_or(usize::MAX) / chosen.len()).max(1);
    let mut failed = 0;
    for name in &chosen {
        let mut nightly = command("cargo");
        nightly.arg("+nightly").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
        let flags = [&COUNTERS[..], &LIBFUZZER[..]].concat();
        workspace::run(build(nightly, &flags, &host).args(["--release", "--bin", name]))?;
        let [corpus, artifacts] = ["corpus", "artifacts"].map(|kind| folder.join(kind).join(name));
        for folder in [&corpus, &artifacts] {
            std::fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        }
        let mut run = command(workspace::target().join("fuzz").join(&host).join("release").join(name));
        run.arg(&corpus).arg(folder.join("seeds").join(name));
        run.arg(format!("-max_total_time={seconds}")).arg(format!("-seed={}", args.seed));
        run.arg(format!("-artifact_prefix={}/", artifacts.display()));
        run.args(["-max_len=16384", "-timeout=10", "-rss_limit_mb=4096", "-print_final_stats=1"]);
        println!("== {name}");
        if let Err(error) = workspace::run(&mut run) {
            println!("{name}: {error:#}");
            failed += 1;
        }
    }
    println!("fuzz: {} passed, {failed} failed", chosen.len() - failed);
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The targets of the library: each has a binary for libFuzzer that calls it, an entry in the manifest and seeds.
fn check_targets(folder: &Path) -> Result<BTreeSet<String>> {
    let read = |path: &str| {
        std::fs::read_to_string(folder.join(path)).with_context(|| format!("can't read fuzz/{path}"))
    };
    let library = read("src/lib.rs")?;
    let (_, list) = library.split_once("\ntargets! {").context("fuzz/src/lib.rs has no list of targets")?;
    let names = list.lines().filter_map(|line| line.trim().strip_suffix(','));
    let targets: BTreeSet<String> = names.map(str::to_owned).collect();
    let manifest = read("Cargo.toml")?;
    for name in &targets {
        let entry = format!(
            "name = \"{name}\"\npath = \"fuzz_targets/{name}.rs\"\nrequired-features = [\"libfuzzer\"]"
        );
        if !manifest.contains(&entry) {
            bail!("fuzz/Cargo.toml has no binary for the target {name}");
        }
        let call = format!("libfuzzer_sys::fuzz_target!(|data: &[u8]| client_rs_fuzz::{name}(data));");
        if !read(&format!("fuzz_targets/{name}.rs"))?.contains(&call) {
            bail!("fuzz/fuzz_targets/{name}.rs does not call the target {name}");
        }
        let seeds = std::fs::read_dir(folder.join("seeds").join(name)).map_or(0, Iterator::count);
        if seeds == 0 {
            bail!("fuzz/seeds/{name} has no seed");
        }
    }
    for kind in ["fuzz_targets", "seeds"] {
        for entry in
            std::fs::read_dir(folder.join(kind)).with_context(|| format!("can't read fuzz/{kind}"))?
        {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
            if !targets.contains(name) {
                bail!("{} belongs to no target", path.display());
            }
        }
    }
    Ok(targets)
}

fn host() -> Result<String> {
    let output = command("rustc").args(["--print", "host-tuple"]).output().context("can't start rustc")?;
    let host = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if host.is_empty() {
        bail!("rustc names no host");
    }
    Ok(host)
}
