//! `cargo xtask bench indexer`: the indexed store against client-go's, same objects, same machine, same run.

use std::path::PathBuf;
use std::process::{Command, ExitCode};

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::figures::{Outcome, medians, once};
use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo, command};

/// The indexed store compared with client-go's: nanoseconds per operation, bytes per object.
///
/// Runs of both alternate and the median counts; the result of a run is the least of its rounds. All operations visit
/// the objects in the same shuffled order. Targets are ratios to client-go in the same run.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// How many objects
    #[arg(long, default_value_t = 20_000)]
    objects: usize,
}

/// The compared figures, and the maximum ratio of ours to client-go's.
const TARGETS: &[(&str, f64)] = &[
    ("add", 1.0),
    ("update", 1.0),
    ("get", 1.0),
    ("get_and_read", 1.0),
    ("by_index", 0.5),
    ("list", 1.0),
    ("replace_same", 0.25),
    ("delete", 1.0),
    ("bytes_an_object", 0.5),
];

#[derive(Serialize)]
struct Row {
    name: String,
    ours: f64,
    /// Some things only we do.
    client_go: Option<f64>,
    ratio: Option<f64>,
    target: Option<f64>,
}

#[derive(Serialize)]
struct Summary<'a> {
    bench: &'a str,
    runs: usize,
    objects: usize,
    rows: &'a [Row],
    missed: &'a [String],
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0 && args.objects > 0, "at least one run and one object are needed");
    let (ours, client_go) = (build_ours()?, build_client_go()?);
    let (mut our_runs, mut their_runs) = (Vec::new(), Vec::new());
    for number in 1..=args.runs {
        eprintln!("run {number} of {}…", args.runs);
        our_runs.push(once(Command::new(&ours).arg(format!("--objects={}", args.objects)))?);
        their_runs.push(once(Command::new(&client_go).arg(format!("-objects={}", args.objects)))?);
    }
    let rows = rows(&medians(&our_runs), &medians(&their_runs));
    let missed: Vec<String> = rows.iter().filter_map(missed).collect();
    print_table(&rows);
    let shown = |value: Option<f64>, digits| value.map_or(String::new(), |value| number(value, digits));
    let cells = rows
        .iter()
        .map(|row| vec![row.name.clone(), number(row.ours, 0), shown(row.client_go, 0), shown(row.ratio, 2)]);
    page.table(&["ours", "client-go", "ratio"], cells);
    let summary =
        Summary { bench: "indexer", runs: args.runs, objects: args.objects, rows: &rows, missed: &missed };
    println!("RESULT {}", serde_json::to_string(&summary)?);
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn build_ours() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    let arguments = ["build", "--release", "--locked", "-p", "bench-indexer", "--manifest-path"];
    workspace::run(cargo().args(arguments).arg(&manifest))?;
    Ok(workspace::root().join("bench/target/release/bench-indexer"))
}

fn build_client_go() -> Result<PathBuf> {
    let binary = workspace::root().join("bench/target/go/indexer");
    let mut go = command("go");
    go.current_dir(workspace::root().join("bench/go"));
    workspace::run(go.args(["build", "-o"]).arg(&binary).arg("./cmd/indexer"))?;
    Ok(binary)
}

/// The operations of both sides first, then those of ours alone.
fn rows(ours: &Outcome, client_go: &Outcome) -> Vec<Row> {
    let mut rows: Vec<Row> = ours
        .iter()
        .map(|(name, value)| {
            let theirs = client_go.get(name).copied();
            let target = TARGETS.iter().find(|(known, _)| known == name).map(|(_, most)| *most);
            Row {
                name: name.clone(),
                ours: *value,
                client_go: theirs,
                ratio: theirs.map(|go| value / go),
                target,
            }
        })
        .collect();
    rows.sort_by_key(|row| row.client_go.is_none());
    rows
}

fn missed(row: &Row) -> Option<String> {
    let (ratio, target) = (row.ratio?, row.target?);
    (ratio > target).then(|| format!("{}: {ratio:.2} of client-go's, target {target:.2}", row.name))
}

fn print_table(rows: &[Row]) {
    println!("{:<16} {:>12} {:>12} {:>6} {:>7}", "", "ours", "client-go", "ratio", "target");
    for row in rows {
        let shown = |value: Option<f64>, digits: usize| {
            value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
        };
        println!(
            "{:<16} {:>12.0} {:>12} {:>6} {:>7}",
            row.name,
            row.ours,
            shown(row.client_go, 0),
            shown(row.ratio, 2),
            shown(row.target, 2)
        );
    }
    println!("nanoseconds an operation; bytes of the store alone, with two indexes");
}
