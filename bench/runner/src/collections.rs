//! `cargo xtask bench collections`: derived collections compared with an index that is written by hand, and with themselves at other
//! sizes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use serde::Serialize;

use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo};

/// Derived collections: services joined with pods by label selector, and changes of one pod.
///
/// Runs alternate, and the median counts. Targets: at most twice the CPU of an index that is written by hand for this join; and
/// at most twice the CPU with a hundred times as many inputs.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
}

/// The numbers of pods. The one in the middle is compared with the index that is written by hand.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// The most that a change may cost, of the index that is written by hand.
const MOST_OF_BY_HAND: f64 = 2.0;

/// The most that a change may cost with the most inputs, of its cost with the fewest.
const MOST_GROWTH: f64 = 2.0;

const KINDS: [&str; 3] = ["status", "address", "labels"];

type Outcome = BTreeMap<String, f64>;

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    /// Nanoseconds of CPU per change, for each number of pods.
    nanoseconds: Vec<f64>,
    by_hand: f64,
    bytes: f64,
    by_hand_bytes: f64,
    of_by_hand: f64,
    growth: f64,
}

#[derive(Serialize)]
struct Summary<'a> {
    bench: &'a str,
    runs: usize,
    sizes: [usize; 3],
    rows: &'a [Row],
    missed: &'a [String],
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let binary = build()?;
    let mut ours: [Vec<Outcome>; 3] = Default::default();
    let mut by_hand = Vec::new();
    for round in 1..=args.runs {
        eprintln!("run {round} of {}…", args.runs);
        for (size, runs) in SIZES.iter().zip(&mut ours) {
            runs.push(once(&binary, *size, false)?);
        }
        by_hand.push(once(&binary, SIZES[1], true)?);
    }
    let ours = ours.map(|runs| median(&runs));
    let by_hand = median(&by_hand);
    let rows: Vec<Row> = KINDS.iter().map(|kind| row(kind, &ours, &by_hand)).collect();
    let missed: Vec<String> = rows.iter().flat_map(missed).collect();
    print_table(&rows);
    let cells = rows.iter().map(|row| {
        let mut cells = vec![format!("a pod's {} changes", row.kind)];
        cells.extend(row.nanoseconds.iter().map(|value| number(*value, 0)));
        cells.extend([number(row.by_hand, 0), number(row.of_by_hand, 2), number(row.growth, 2)]);
        cells.extend([number(row.bytes, 0), number(row.by_hand_bytes, 0)]);
        cells
    });
    let heads = [
        "ns of CPU, 1,000 pods",
        "10,000",
        "100,000",
        "by hand, 10,000",
        "of by hand",
        "growth",
        "bytes allocated",
        "by hand",
    ];
    page.table(&heads, cells);
    let summary =
        Summary { bench: "collections", runs: args.runs, sizes: SIZES, rows: &rows, missed: &missed };
    println!("RESULT {}", serde_json::to_string(&summary)?);
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    let arguments = ["build", "--release", "--locked", "-p", "bench-collections", "--manifest-path"];
    workspace::run(cargo().args(arguments).arg(&manifest))?;
    Ok(workspace::root().join("bench/target/release/bench-collections"))
}

fn once(binary: &Path, pods: usize, by_hand: bool) -> Result<Outcome> {
    let mut command = Command::new(binary);
    command.arg(format!("--pods={pods}"));
    if by_hand {
        command.arg("--by-hand");
    }
    let output = command.output().with_context(|| format!("can't start {}", binary.display()))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        bail!("{} ended with {}: {errors}", binary.display(), output.status);
    }
    serde_json::from_slice(&output.stdout).context("its output is not one result")
}

/// Returns the median of the runs for each number.
fn median(runs: &[Outcome]) -> Outcome {
    let names = runs.iter().flat_map(BTreeMap::keys);
    names
        .map(|name| {
            let mut values: Vec<f64> = runs.iter().filter_map(|run| run.get(name).copied()).collect();
            values.sort_by(f64::total_cmp);
            (name.clone(), values[values.len() / 2])
        })
        .collect()
}

fn row(kind: &'static str, ours: &[Outcome; 3], by_hand: &Outcome) -> Row {
    let of = |outcome: &Outcome, figure: &str| {
        outcome.get(&format!("{kind}_{figure}_a_change")).copied().unwrap_or(f64::NAN)
    };
    let nanoseconds: Vec<f64> = ours.iter().map(|outcome| of(outcome, "ns")).collect();
    let hand = of(by_hand, "ns");
    Row {
        kind,
        by_hand: hand,
        bytes: of(&ours[1], "bytes"),
        by_hand_bytes: of(by_hand, "bytes"),
        of_by_hand: nanoseconds[1] / hand,
        growth: nanoseconds[2] / nanoseconds[0],
        nanoseconds,
    }
}

fn missed(row: &Row) -> Vec<String> {
    let mut missed = Vec::new();
    // A figure that is missing is not within its target.
    if !row.of_by_hand.le(&MOST_OF_BY_HAND) {
        let (kind, of) = (row.kind, row.of_by_hand);
        missed.push(format!("{kind}: {of:.2} of the index written by hand, target {MOST_OF_BY_HAND:.1}"));
    }
    if !row.growth.le(&MOST_GROWTH) {
        let (kind, growth) = (row.kind, row.growth);
        missed.push(format!("{kind}: {growth:.2} with a hundred times the inputs, target {MOST_GROWTH:.1}"));
    }
    missed
}

fn print_table(rows: &[Row]) {
    println!(
        "{:<8} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7} {:>7} {:>13}",
        "", "1,000", "10,000", "100,000", "by hand", "of by hand", "growth", "bytes", "by hand bytes"
    );
    for row in rows {
        let [small, middle, large] = row.nanoseconds[..] else { continue };
        println!(
            "{:<8} {small:>9.0} {middle:>9.0} {large:>9.0} {:>9.0} {:>10.2} {:>7.2} {:>7.0} {:>13.0}",
            row.kind, row.by_hand, row.of_by_hand, row.growth, row.bytes, row.by_hand_bytes
        );
    }
    println!("nanoseconds of CPU and allocated bytes per change of one pod");
}
