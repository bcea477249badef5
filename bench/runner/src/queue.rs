//! `cargo xtask bench queue`: the work queue against client-go's, same keys, same machine, same run.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo, command};

/// The work queue against client-go's: wall, CPU and memory.
///
/// Every round runs every case, on both sides in turn, so that a change in the machine's mood meets all widths
/// and both sides alike; the median counts. Targets: wall at most half of client-go's with one producer
/// and one worker and a third with 4 and 16 of each; no width slower than a narrower one by more than a fifth;
/// delayed items no slower, and no more memory an item.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 9)]
    runs: usize,
}

/// The workload of both sides.
#[derive(Clone, Copy, Serialize)]
struct Case {
    scenario: &'static str,
    width: usize,
    adds: usize,
    keys: usize,
    /// The most that our wall time may be of client-go's.
    most_wall_ratio: f64,
}

const CASES: &[Case] = &[
    Case { scenario: "distinct", width: 1, adds: 1_000_000, keys: 1_000_000, most_wall_ratio: 1.0 / 2.0 },
    Case { scenario: "distinct", width: 4, adds: 1_000_000, keys: 1_000_000, most_wall_ratio: 1.0 / 3.0 },
    Case { scenario: "distinct", width: 16, adds: 1_000_000, keys: 1_000_000, most_wall_ratio: 1.0 / 3.0 },
    Case { scenario: "repeated", width: 1, adds: 1_000_000, keys: 100_000, most_wall_ratio: 1.0 / 2.0 },
    Case { scenario: "repeated", width: 4, adds: 1_000_000, keys: 100_000, most_wall_ratio: 1.0 / 3.0 },
    Case { scenario: "repeated", width: 16, adds: 1_000_000, keys: 100_000, most_wall_ratio: 1.0 / 3.0 },
    Case { scenario: "delayed", width: 4, adds: 200_000, keys: 200_000, most_wall_ratio: 1.0 },
];

const MEMORY: Case =
    Case { scenario: "memory", width: 1, adds: 1_000_000, keys: 1_000_000, most_wall_ratio: f64::INFINITY };

/// How much slower than a narrower width a wider one may be.
const MOST_WIDTH_RATIO: f64 = 1.2;

/// The output of one run of either side.
#[derive(Clone, Copy, Default, Deserialize, Serialize)]
struct Outcome {
    wall_seconds: f64,
    cpu_seconds: f64,
    processed: u64,
    distinct_keys: u64,
    bytes_an_item: f64,
}

#[derive(Serialize)]
struct Row {
    scenario: &'static str,
    width: usize,
    ours: Outcome,
    client_go: Outcome,
    wall_ratio: f64,
    cpu_ratio: f64,
    most_wall_ratio: f64,
}

#[derive(Serialize)]
struct Summary<'a> {
    bench: &'a str,
    runs: usize,
    rows: &'a [Row],
    bytes_an_item: Bytes,
    missed: &'a [String],
}

#[derive(Clone, Copy, Serialize)]
struct Bytes {
    ours: f64,
    client_go: f64,
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let (ours, client_go) = (build_ours()?, build_client_go()?);
    let mut outcomes = vec![(Vec::new(), Vec::new()); CASES.len()];
    for round in 1..=args.runs {
        eprintln!("round {round} of {}…", args.runs);
        for (case, (our_runs, their_runs)) in CASES.iter().zip(&mut outcomes) {
            our_runs.push(once(&ours, "--", case)?);
            their_runs.push(once(&client_go, "-", case)?);
        }
    }
    let rows: Vec<Row> =
        CASES.iter().zip(outcomes).map(|(case, (ours, client_go))| row(case, ours, client_go)).collect();
    eprintln!("memory…");
    let bytes = Bytes {
        ours: once(&ours, "--", &MEMORY)?.bytes_an_item,
        client_go: once(&client_go, "-", &MEMORY)?.bytes_an_item,
    };
    let missed = missed(&rows, bytes);
    print_table(&rows, bytes);
    let cells = rows.iter().map(|row| {
        let case = format!("{}, {} producers and workers", row.scenario, row.width);
        let (ours, go) = (number(row.ours.wall_seconds, 3), number(row.client_go.wall_seconds, 3));
        vec![case, ours, go, number(row.wall_ratio, 2), number(row.cpu_ratio, 2)]
    });
    page.table(&["wall, s", "client-go's", "of client-go's wall", "of client-go's CPU"], cells);
    let memory = vec!["an item that waits".to_owned(), number(bytes.ours, 0), number(bytes.client_go, 0)];
    page.table(&["bytes", "client-go's"], [memory]);
    let summary =
        Summary { bench: "queue", runs: args.runs, rows: &rows, bytes_an_item: bytes, missed: &missed };
    println!("RESULT {}", serde_json::to_string(&summary)?);
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build_ours() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    workspace::run(
        cargo()
            .args(["build", "--release", "--locked", "-p", "bench-queue", "--manifest-path"])
            .arg(&manifest),
    )?;
    Ok(workspace::root().join("bench/target/release/bench-queue"))
}

fn build_client_go() -> Result<PathBuf> {
    let binary = workspace::root().join("bench/target/go/queue");
    let mut go = command("go");
    go.current_dir(workspace::root().join("bench/go")).args(["build", "-o"]).arg(&binary).arg("./cmd/queue");
    workspace::run(&mut go)?;
    Ok(binary)
}

/// Takes the run of median wall time of each side.
fn row(case: &Case, ours: Vec<Outcome>, client_go: Vec<Outcome>) -> Row {
    let (ours, client_go) = (median(ours), median(client_go));
    Row {
        scenario: case.scenario,
        width: case.width,
        ours,
        client_go,
        wall_ratio: ours.wall_seconds / client_go.wall_seconds,
        cpu_ratio: ours.cpu_seconds / client_go.cpu_seconds,
        most_wall_ratio: case.most_wall_ratio,
    }
}

/// One run, whose counts must add up: a queue that loses or invents work has no speed.
fn once(binary: &PathBuf, dashes: &str, case: &Case) -> Result<Outcome> {
    let mut command = Command::new(binary);
    command.arg(format!("{dashes}scenario={}", case.scenario));
    for (name, value) in [("width", case.width), ("adds", case.adds), ("keys", case.keys)] {
        command.arg(format!("{dashes}{name}={value}"));
    }
    let output = command.output().with_context(|| format!("can't start {}", binary.display()))?;
    if !output.status.success() {
        bail!(
            "{} ended with {}: {}",
            binary.display(),
            output.status,
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let outcome: Outcome = serde_json::from_slice(&output.stdout).context("its output is not one result")?;
    let (least, most) = match case.scenario {
        "repeated" => (case.keys as u64, case.adds as u64),
        _ => (case.keys as u64, case.keys as u64),
    };
    ensure!(
        outcome.distinct_keys == case.keys as u64 && (least..=most).contains(&outcome.processed),
        "{} processed {} times {} of {} keys",
        binary.display(),
        outcome.processed,
        outcome.distinct_keys,
        case.keys
    );
    Ok(outcome)
}

fn median(mut outcomes: Vec<Outcome>) -> Outcome {
    outcomes.sort_by(|a, b| a.wall_seconds.total_cmp(&b.wall_seconds));
    outcomes[outcomes.len() / 2]
}

fn missed(rows: &[Row], bytes: Bytes) -> Vec<String> {
    let mut missed = Vec::new();
    for row in rows {
        if row.wall_ratio > row.most_wall_ratio {
            missed.push(format!(
                "{} at width {}: {:.2} of client-go's wall time, target {:.2}",
                row.scenario, row.width, row.wall_ratio, row.most_wall_ratio
            ));
        }
        for narrower in rows.iter().filter(|other| other.scenario == row.scenario && other.width < row.width)
        {
            let ratio = row.ours.wall_seconds / narrower.ours.wall_seconds;
            if ratio > MOST_WIDTH_RATIO {
                missed.push(format!(
                    "{} at width {}: {ratio:.2} of our own wall time at width {}, target {MOST_WIDTH_RATIO}",
                    row.scenario, row.width, narrower.width
                ));
            }
        }
    }
    if bytes.ours > bytes.client_go {
        missed.push(format!("{:.0} bytes an item, client-go {:.0}", bytes.ours, bytes.client_go));
    }
    missed
}

fn print_table(rows: &[Row], bytes: Bytes) {
    println!(
        "{:<10} {:>5}  {:>22}  {:>22}  {:>22}  {:>10}",
        "scenario", "width", "wall s: ours/go = of", "cpu s: ours/go = of", "processed: ours/go", "target"
    );
    for row in rows {
        let (ours, go) = (row.ours, row.client_go);
        println!(
            "{:<10} {:>5}  {:>6.3} / {:>6.3} = {:>4.2}  {:>6.3} / {:>6.3} = {:>4.2}  {:>9} / {:>9}   wall {:>4.2}",
            row.scenario,
            row.width,
            ours.wall_seconds,
            go.wall_seconds,
            row.wall_ratio,
            ours.cpu_seconds,
            go.cpu_seconds,
            row.cpu_ratio,
            ours.processed,
            go.processed,
            row.most_wall_ratio
        );
    }
    println!(
        "{:<10} {:>5}  {:>5.0} B / {:>5.0} B = {:>4.2}",
        "memory",
        "",
        bytes.ours,
        bytes.client_go,
        bytes.ours / bytes.client_go
    );
}
