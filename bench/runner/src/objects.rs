//! `bench objects`: the cost to hold and to decode one pod, compared with client-go's and kube-rs's types.
//!
//! Every variant runs in a process of its own. They take turns, five times; each figure is the median of its five.
//! Heap is the allocator's count of live bytes, with the rounding to size classes (jemalloc's `stats.allocated`, Go's
//! `HeapAlloc`). Time is CPU time of the process. Go runs twice: with its defaults, and with its garbage collector
//! off. Our times are compared with the latter, which is its decoder alone.

use std::collections::BTreeMap;
use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::page::{Page, number};
use client_rs_tests_tools::workspace;

/// Runs of each variant.
const RUNS: usize = 5;

/// Options of the benchmark.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// How many pods to decode
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pods: u32,
    /// Exit with 1 when a target is missed
    #[arg(long)]
    check: bool,
}

/// The measurement of one process.
#[derive(Clone, Copy, Deserialize, Serialize)]
struct Sample {
    /// Live bytes an object.
    heap: f64,
    /// Microseconds to decode one.
    decode_us: f64,
}

/// A program and its arguments.
struct Variant {
    name: &'static str,
    program: Program,
    arguments: &'static [&'static str],
}

#[derive(Clone, Copy, PartialEq)]
enum Program {
    Rust,
    Go,
    /// With its garbage collector off.
    GoAlone,
}

const VARIANTS: &[Variant] = &[
    rust("plain protobuf", &["plain"]),
    rust("plain protobuf stripped", &["plain", "--strip"]),
    rust("pooled protobuf", &["pooled"]),
    rust("pooled protobuf stripped", &["pooled", "--strip"]),
    rust("plain json", &["plain", "--format", "json"]),
    rust("plain json stripped", &["plain", "--format", "json", "--strip"]),
    rust("pooled json", &["pooled", "--format", "json"]),
    rust("pooled json stripped", &["pooled", "--format", "json", "--strip"]),
    rust("packed", &["packed"]),
    rust("packed stripped", &["packed", "--strip"]),
    rust("packed store stripped", &["packed-store", "--strip"]),
    rust("decoded store stripped", &["decoded-store", "--strip"]),
    rust("update plain", &["plain", "--update"]),
    rust("update plain stripped", &["plain", "--update", "--strip"]),
    rust("update pooled", &["pooled", "--update"]),
    rust("update pooled stripped", &["pooled", "--update", "--strip"]),
    rust("k8s-openapi json", &["k8s-openapi", "--format", "json"]),
    rust("k8s-openapi json stripped", &["k8s-openapi", "--format", "json", "--strip"]),
    go("go protobuf", Program::Go, &["-format", "protobuf"]),
    go("go protobuf stripped", Program::Go, &["-format", "protobuf", "-strip"]),
    go("go json", Program::Go, &["-format", "json"]),
    go("go json stripped", Program::Go, &["-format", "json", "-strip"]),
    go("go protobuf, no gc", Program::GoAlone, &["-format", "protobuf"]),
    go("go protobuf stripped, no gc", Program::GoAlone, &["-format", "protobuf", "-strip"]),
    go("go json, no gc", Program::GoAlone, &["-format", "json"]),
    go("go json stripped, no gc", Program::GoAlone, &["-format", "json", "-strip"]),
];

const fn rust(name: &'static str, arguments: &'static [&'static str]) -> Variant {
    Variant { name, program: Program::Rust, arguments }
}

const fn go(name: &'static str, program: Program, arguments: &'static [&'static str]) -> Variant {
    Variant { name, program, arguments }
}

/// A ratio of two figures that must not be passed.
struct Target {
    name: &'static str,
    measure: fn(&Sample) -> f64,
    ours: &'static str,
    theirs: &'static str,
    most: f64,
}

const TARGETS: &[Target] = &[
    heap("heap, pooled and stripped, of Go's", "pooled protobuf stripped", "go protobuf stripped", 0.5),
    heap(
        "heap, pooled and stripped, of k8s-openapi's",
        "pooled protobuf stripped",
        "k8s-openapi json stripped",
        1.0 / 6.0,
    ),
    heap("heap, a whole packed store, of Go's", "packed store stripped", "go protobuf stripped", 1.0 / 15.0),
    heap("heap, stripped, of Go's", "plain protobuf stripped", "go protobuf stripped", 0.9),
    time("protobuf decode, of Go's", "plain protobuf", "go protobuf, no gc", 1.0),
    time("protobuf decode, stripped, of Go's", "plain protobuf stripped", "go protobuf stripped, no gc", 1.0),
    time(
        "protobuf decode, pooled and stripped, of Go's",
        "pooled protobuf stripped",
        "go protobuf stripped, no gc",
        1.0,
    ),
    time("JSON decode, of Go's", "plain json", "go json, no gc", 0.5),
    time("JSON decode, stripped, of Go's", "plain json stripped", "go json stripped, no gc", 0.5),
    time(
        "status-only update, pooled and stripped, of a full decode",
        "update pooled stripped",
        "update plain stripped",
        0.5,
    ),
];

const fn heap(name: &'static str, ours: &'static str, theirs: &'static str, most: f64) -> Target {
    Target { name, measure: |sample| sample.heap, ours, theirs, most }
}

const fn time(name: &'static str, ours: &'static str, theirs: &'static str, most: f64) -> Target {
    Target { name, measure: |sample| sample.decode_us, ours, theirs, most }
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    let target = workspace::root().join("bench/target");
    let programs = build(&target)?;
    let pods = pods(&target, args.pods)?;
    let figures = measure(&programs, &pods)?;
    print_table(&figures)?;
    fill(page, &figures)?;
    let mut outcomes = Vec::new();
    let mut missed = Vec::new();
    println!("\n{:<60} {:>6} {:>8}", "ratio", "is", "at most");
    for target in TARGETS {
        let ratio =
            (target.measure)(find(&figures, target.ours)?) / (target.measure)(find(&figures, target.theirs)?);
        let met = ratio <= target.most;
        let mark = if met { "" } else { "  MISSED" };
        println!("{:<60} {ratio:>6.3} {:>8.3}{mark}", target.name, target.most);
        outcomes.push(json!({ "name": target.name, "ratio": ratio, "most": target.most, "met": met }));
        if !met {
            missed.push(target.name);
        }
    }
    println!(
        "RESULT {}",
        json!({ "bench": "objects", "pods": args.pods, "runs": RUNS, "figures": figures, "targets": outcomes })
    );
    if args.check && !missed.is_empty() {
        eprintln!("missed: {}", missed.join("; "));
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The built programs.
struct Programs {
    rust: PathBuf,
    go: PathBuf,
}

fn build(target: &Path) -> Result<Programs> {
    let bench = workspace::root().join("bench");
    eprintln!("building");
    workspace::run(workspace::cargo().current_dir(&bench).args([
        "build",
        "--quiet",
        "--release",
        "-p",
        "bench-objects",
    ]))?;
    build_generator()?;
    Ok(Programs { rust: target.join("release/bench-objects"), go: target.join("go/objects") })
}

/// Builds what makes the pods, and Go's side of this benchmark. The slash makes it a folder that need not be there.
pub(crate) fn build_generator() -> Result<()> {
    let bench = workspace::root().join("bench");
    let mut go = workspace::command("go");
    go.current_dir(bench.join("go")).args(["build", "-o"]).arg(bench.join("target/go/"));
    workspace::run(go.args(["./cmd/pods", "./cmd/objects"]))
}

/// Returns the folder with the pods, and creates it unless it exists.
pub(crate) fn pods(target: &Path, count: u32) -> Result<PathBuf> {
    made(target, &target.join(format!("pods-{count}")), count, &[])
}

/// Returns the folder with objects of a resource, and creates it unless it exists.
pub(crate) fn of_resource(target: &Path, resource: &str, count: u32) -> Result<PathBuf> {
    made(target, &target.join(format!("large-{resource}-{count}")), count, &[format!("-kind={resource}")])
}

fn made(target: &Path, folder: &Path, count: u32, arguments: &[String]) -> Result<PathBuf> {
    let generator = target.join("go/pods");
    // Written last, so that an interrupted generation is repeated. It names the generator, because a rebuilt one is
    // newer even if it is the same.
    let done = folder.join("done");
    let bytes = fs::read(&generator).with_context(|| format!("can't read {}", generator.display()))?;
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    let made_by = format!("{:x}", hasher.finish());
    let fresh = fs::read_to_string(&done).is_ok_and(|found| found == made_by);
    if !fresh {
        eprintln!("making {count} objects in {}", folder.display());
        workspace::run(
            workspace::command(&generator)
                .arg(format!("-pods={count}"))
                .args(arguments)
                .arg("-dir")
                .arg(folder),
        )?;
        fs::write(&done, made_by)?;
    }
    Ok(folder.to_owned())
}

fn measure(programs: &Programs, pods: &Path) -> Result<BTreeMap<&'static str, Sample>> {
    let mut samples: BTreeMap<&'static str, Vec<Sample>> = BTreeMap::new();
    for round in 1..=RUNS {
        eprintln!("round {round} of {RUNS}");
        for variant in VARIANTS {
            samples.entry(variant.name).or_default().push(sample(programs, pods, variant)?);
        }
    }
    Ok(samples.into_iter().map(|(name, samples)| (name, medians(&samples))).collect())
}

fn sample(programs: &Programs, pods: &Path, variant: &Variant) -> Result<Sample> {
    let mut command = match variant.program {
        Program::Rust => {
            let mut command = Command::new(&programs.rust);
            command.arg("--dir").arg(pods).arg("--layout");
            command
        }
        Program::Go | Program::GoAlone => {
            let mut command = Command::new(&programs.go);
            command.arg("-dir").arg(pods);
            command
        }
    };
    if variant.program == Program::GoAlone {
        command.env("GOGC", "off");
    }
    let output =
        command.args(variant.arguments).output().with_context(|| format!("can't start {}", variant.name))?;
    if !output.status.success() {
        bail!("{} ended with {}: {}", variant.name, output.status, String::from_utf8_lossy(&output.stderr));
    }
    serde_json::from_slice(&output.stdout).with_context(|| format!("what {} printed", variant.name))
}

fn medians(samples: &[Sample]) -> Sample {
    let median = |measure: fn(&Sample) -> f64| {
        let mut values: Vec<f64> = samples.iter().map(measure).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Sample { heap: median(|sample| sample.heap), decode_us: median(|sample| sample.decode_us) }
}

/// Every figure, and its ratio to Go's of the same format and the same treatment of managedFields.
fn print_table(figures: &BTreeMap<&'static str, Sample>) -> Result<()> {
    println!("{:<30} {:>12} {:>8} {:>12} {:>8}", "", "heap, bytes", "of Go", "decode, µs", "of Go");
    for variant in VARIANTS {
        let sample = find(figures, variant.name)?;
        let format = if variant.name.contains("json") { "json" } else { "protobuf" };
        let stripped = if variant.name.contains("stripped") { " stripped" } else { "" };
        let go = find(figures, &format!("go {format}{stripped}"))?;
        // Packing is not a decode.
        let time = if variant.name.starts_with("packed") {
            String::new()
        } else {
            format!("{:>12.1} {:>8.2}", sample.decode_us, sample.decode_us / go.decode_us)
        };
        println!("{:<30} {:>12.0} {:>8.2} {time}", variant.name, sample.heap, sample.heap / go.heap);
    }
    Ok(())
}

/// Rows of the page: whose objects, the variant with managedFields, that without, and whose times count.
const ROWS: &[(&str, &str, &str)] = &[
    ("ours, protobuf", "plain protobuf", ""),
    ("ours, protobuf, pooled", "pooled protobuf", ""),
    ("ours, protobuf, pooled, an update of the status", "update pooled", ""),
    ("ours, JSON", "plain json", ""),
    ("Go, protobuf", "go protobuf", ", no gc"),
    ("Go, JSON", "go json", ", no gc"),
    ("k8s-openapi, JSON", "k8s-openapi json", ""),
];

fn fill(page: &mut Page, figures: &BTreeMap<&'static str, Sample>) -> Result<()> {
    let mut rows = Vec::new();
    for (label, variant, timed) in ROWS {
        let stripped = format!("{variant} stripped");
        let (kept, less) = (find(figures, variant)?, find(figures, &stripped)?);
        let times =
            (find(figures, &format!("{variant}{timed}"))?, find(figures, &format!("{stripped}{timed}"))?);
        rows.push(vec![
            (*label).to_owned(),
            format!("{} / {}", number(kept.heap, 0), number(less.heap, 0)),
            format!("{} / {}", number(times.0.decode_us, 1), number(times.1.decode_us, 1)),
        ]);
    }
    page.table(&["heap kept / stripped, bytes", "decode kept / stripped, µs"], rows);
    let store = find(figures, "packed store stripped")?;
    page.table(
        &["heap, bytes"],
        [vec!["ours, in a packed store, stripped".to_owned(), number(store.heap, 0)]],
    );
    Ok(())
}

fn find<'f>(figures: &'f BTreeMap<&'static str, Sample>, name: &str) -> Result<&'f Sample> {
    figures.get(name).with_context(|| format!("no variant is called {name}"))
}
