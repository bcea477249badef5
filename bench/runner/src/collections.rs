//! `cargo xtask bench collections`: derived collections compared with an index that is written by hand, with themselves at other
//! sizes, and with krt.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::figures::{Outcome, medians, once};
use crate::page::{Page, number};
use client_rs_tests_tools::workspace::{self, cargo, command};

/// Derived collections: services joined with pods by label selector, and changes of one pod.
///
/// Runs alternate, and the median counts. Targets: at most twice the CPU of an index that is written by hand for this join; at most twice
/// the CPU and 1.3 times the instructions with a hundred times as many inputs and the same number of changing ones; and with `--peers`, at most
/// 0.2 of the CPU and 0.1 of the bytes of Istio's krt. Instructions are counted by valgrind, which must be installed.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many runs of each
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Compare with krt, which needs Go
    #[arg(long)]
    peers: bool,
}

/// The numbers of pods. The second is compared with the index that is written by hand.
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];

/// Each number of pods with the number of those that change. Changes of the same number of pods need as much of the processor's caches
/// at every size, so that the last of these shows what the other inputs cost. Where all of them change, a larger number of them no
/// longer fits into the caches.
const CASES: [(usize, usize); 4] =
    [(SIZES[0], SIZES[0]), (SIZES[1], SIZES[1]), (SIZES[2], SIZES[2]), (SIZES[2], SIZES[0])];

/// The most that a change may cost, of the index that is written by hand.
const MOST_OF_BY_HAND: f64 = 2.0;

/// The most that a change may cost with the most inputs, of its cost with the fewest: time and instructions.
const MOST_GROWTH: f64 = 2.0;
const MOST_INSTRUCTIONS: f64 = 1.3;

/// The most that a change may cost, of krt: time and allocated bytes.
const MOST_OF_KRT: f64 = 0.2;
const MOST_BYTES_OF_KRT: f64 = 0.1;

const KINDS: [&str; 3] = ["status", "address", "labels"];

/// The joins that krt does too. Our side makes more changes, because it needs less time for one.
const SCENARIOS: [&str; 2] = ["controllers", "churn"];
const CHANGES_OF_KRT: [usize; 2] = [50_000, 10_000];
const CHANGES: usize = 100_000;

#[derive(Serialize)]
struct Row {
    kind: &'static str,
    /// Nanoseconds of CPU per change, for each number of pods.
    nanoseconds: Vec<f64>,
    by_hand: f64,
    bytes: f64,
    by_hand_bytes: f64,
    of_by_hand: f64,
    /// The growth from the fewest to the most inputs, with the same number of changing ones.
    growth: f64,
    by_hand_growth: f64,
    /// The same if all of them change.
    growth_of_all: f64,
    by_hand_growth_of_all: f64,
    /// Instructions of a change with the fewest and with the most inputs.
    instructions: [f64; 2],
    instructions_growth: f64,
}

#[derive(Serialize)]
struct OfKrt {
    scenario: &'static str,
    ours: f64,
    krt: f64,
    of_krt: f64,
    bytes: f64,
    krt_bytes: f64,
    bytes_of_krt: f64,
}

#[derive(Serialize)]
struct Summary<'a> {
    bench: &'a str,
    runs: usize,
    sizes: [usize; 3],
    rows: &'a [Row],
    krt: &'a [OfKrt],
    missed: &'a [String],
}

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let binary = build()?;
    let krt = if args.peers { Some(build_krt()?) } else { None };
    let mut ours: [Vec<Outcome>; 4] = Default::default();
    let mut by_hand: [Vec<Outcome>; 4] = Default::default();
    let mut compared: [[Vec<Outcome>; 2]; 2] = Default::default();
    for round in 1..=args.runs {
        eprintln!("run {round} of {}…", args.runs);
        for ((pods, changing), (ours, by_hand)) in CASES.iter().zip(ours.iter_mut().zip(&mut by_hand)) {
            let arguments = [format!("--pods={pods}"), format!("--changing={changing}")];
            ours.push(once(Command::new(&binary).args(&arguments))?);
            by_hand.push(once(Command::new(&binary).args(&arguments).arg("--by-hand"))?);
        }
        let Some(krt) = &krt else { continue };
        for (at, scenario) in SCENARIOS.iter().enumerate() {
            let [ours, theirs] = &mut compared[at];
            let mut command = Command::new(&binary);
            command.args([format!("--scenario={scenario}"), format!("--changes={CHANGES}")]);
            ours.push(once(&mut command)?);
            let mut command = Command::new(krt);
            command.args([format!("-scenario={scenario}"), format!("-changes={}", CHANGES_OF_KRT[at])]);
            theirs.push(once(&mut command)?);
        }
    }
    let ours = ours.map(|runs| medians(&runs));
    let by_hand = by_hand.map(|runs| medians(&runs));
    let mut rows = Vec::new();
    for kind in KINDS {
        let counted = [instructions(&binary, kind, SIZES[0])?, instructions(&binary, kind, SIZES[2])?];
        rows.push(row(kind, &ours, &by_hand, counted));
    }
    let krt: Vec<OfKrt> = if krt.is_some() {
        SCENARIOS.into_iter().zip(&compared).map(|(scenario, runs)| of_krt(scenario, runs)).collect()
    } else {
        Vec::new()
    };
    let missed: Vec<String> =
        rows.iter().flat_map(missed).chain(krt.iter().flat_map(missed_of_krt)).collect();
    print_table(&rows, &krt);
    write(page, &rows, &krt);
    let summary = Summary {
        bench: "collections",
        runs: args.runs,
        sizes: SIZES,
        rows: &rows,
        krt: &krt,
        missed: &missed,
    };
    println!("RESULT {}", serde_json::to_string(&summary)?);
    for target in &missed {
        println!("MISSED {target}");
    }
    Ok(if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn write(page: &mut Page, rows: &[Row], krt: &[OfKrt]) {
    let cells = rows.iter().map(|row| {
        let mut cells = vec![format!("a pod's {} changes", row.kind)];
        cells.extend(row.nanoseconds.iter().take(SIZES.len()).map(|value| number(*value, 0)));
        cells.extend([number(row.by_hand, 0), number(row.of_by_hand, 2), number(row.growth, 2)]);
        cells.extend([number(row.by_hand_growth, 2), number(row.growth_of_all, 2)]);
        cells.extend([number(row.by_hand_growth_of_all, 2), number(row.instructions_growth, 2)]);
        cells.extend([number(row.bytes, 0), number(row.by_hand_bytes, 0)]);
        cells
    });
    let heads = [
        "ns of CPU, 1,000 pods",
        "10,000",
        "100,000",
        "by hand, 10,000",
        "of by hand",
        "growth, 1,000 pods change",
        "by hand",
        "growth, all change",
        "by hand",
        "growth of instructions",
        "bytes allocated",
        "by hand",
    ];
    page.table(&heads, cells);
    if krt.is_empty() {
        return;
    }
    let cells = krt.iter().map(|one| {
        let name = match one.scenario {
            "controllers" => "1,000 pods with the names of 50 services (krt's own benchmark)",
            _ => "10,000 services with the addresses of 10,000 pods, with churn",
        };
        let mut cells = vec![name.to_owned(), number(one.ours, 0), number(one.krt, 0), number(one.of_krt, 3)];
        cells.extend([number(one.bytes, 0), number(one.krt_bytes, 0), number(one.bytes_of_krt, 3)]);
        cells
    });
    let heads = ["ns of CPU a change", "krt", "of krt", "bytes a change", "krt", "of krt"];
    page.table(&heads, cells);
}

fn build() -> Result<PathBuf> {
    let manifest = workspace::root().join("bench/Cargo.toml");
    let arguments = ["build", "--release", "--locked", "-p", "bench-collections", "--manifest-path"];
    workspace::run(cargo().args(arguments).arg(&manifest))?;
    Ok(workspace::root().join("bench/target/release/bench-collections"))
}

fn build_krt() -> Result<PathBuf> {
    let binary = workspace::root().join("bench/target/go/krt");
    let mut go = command("go");
    go.current_dir(workspace::root().join("bench/krt"));
    workspace::run(go.args(["build", "-o"]).arg(&binary).arg("."))?;
    Ok(binary)
}

/// Counts the instructions of one change: the difference of two runs, so that what comes before does not count.
fn instructions(binary: &Path, kind: &str, pods: usize) -> Result<f64> {
    const FEW: u32 = 1_000;
    // So many that the seeds of hash tables, which differ between two runs, do not count.
    const MANY: u32 = 31_000;
    let count = |changes: u32| -> Result<f64> {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(binary);
        valgrind.args([format!("--pods={pods}"), format!("--changes={changes}"), format!("--only={kind}")]);
        let output = valgrind.output().context("can't start valgrind, which counts instructions")?;
        ensure!(output.status.success(), "valgrind ended with {}", output.status);
        // The last line: `==123== Collected : 123456`.
        let text = String::from_utf8_lossy(&output.stderr);
        let collected = text.lines().find_map(|line| line.split_once("Collected :"));
        let (_, collected) = collected.context("valgrind has counted nothing")?;
        collected.trim().parse().context("valgrind's count is not a number")
    };
    eprintln!("instructions of {kind} with {pods} pods…");
    Ok((count(MANY)? - count(FEW)?) / f64::from(MANY - FEW))
}

fn row(kind: &'static str, ours: &[Outcome; 4], by_hand: &[Outcome; 4], instructions: [f64; 2]) -> Row {
    let of = |outcome: &Outcome, figure: &str| {
        outcome.get(&format!("{kind}_{figure}_a_change")).copied().unwrap_or(f64::NAN)
    };
    let nanoseconds: Vec<f64> = ours.iter().map(|outcome| of(outcome, "ns")).collect();
    let hand = of(&by_hand[1], "ns");
    Row {
        kind,
        by_hand: hand,
        bytes: of(&ours[1], "bytes"),
        by_hand_bytes: of(&by_hand[1], "bytes"),
        of_by_hand: nanoseconds[1] / hand,
        growth: nanoseconds[3] / nanoseconds[0],
        by_hand_growth: of(&by_hand[3], "ns") / of(&by_hand[0], "ns"),
        growth_of_all: nanoseconds[2] / nanoseconds[0],
        by_hand_growth_of_all: of(&by_hand[2], "ns") / of(&by_hand[0], "ns"),
        nanoseconds,
        instructions,
        instructions_growth: instructions[1] / instructions[0],
    }
}

fn of_krt(scenario: &'static str, [ours, theirs]: &[Vec<Outcome>; 2]) -> OfKrt {
    let (ours, theirs) = (medians(ours), medians(theirs));
    let of = |outcome: &Outcome, figure: &str| outcome.get(figure).copied().unwrap_or(f64::NAN);
    let (time, krt) = (of(&ours, "ns_a_change"), of(&theirs, "ns_a_change"));
    let (bytes, krt_bytes) = (of(&ours, "bytes_a_change"), of(&theirs, "bytes_a_change"));
    OfKrt { scenario, ours: time, krt, of_krt: time / krt, bytes, krt_bytes, bytes_of_krt: bytes / krt_bytes }
}

fn missed(row: &Row) -> Vec<String> {
    let targets = [
        ("of the index written by hand", row.of_by_hand, MOST_OF_BY_HAND),
        ("with a hundred times the inputs", row.growth, MOST_GROWTH),
        ("of instructions with a hundred times the inputs", row.instructions_growth, MOST_INSTRUCTIONS),
    ];
    above(row.kind, &targets)
}

fn missed_of_krt(row: &OfKrt) -> Vec<String> {
    let targets =
        [("of krt's time", row.of_krt, MOST_OF_KRT), ("of krt's bytes", row.bytes_of_krt, MOST_BYTES_OF_KRT)];
    above(row.scenario, &targets)
}

/// Returns the targets that are missed. A figure that is missing is not within its target.
fn above(name: &str, targets: &[(&str, f64, f64)]) -> Vec<String> {
    let missed = targets.iter().filter(|(_, figure, most)| !figure.le(most));
    missed.map(|(what, figure, most)| format!("{name}: {figure:.2} {what}, target {most:.1}")).collect()
}

fn print_table(rows: &[Row], krt: &[OfKrt]) {
    println!(
        "{:<8} {:>9} {:>9} {:>9} {:>9} {:>10} {:>7} {:>8} {:>7} {:>8} {:>13} {:>7} {:>13}",
        "",
        "1,000",
        "10,000",
        "100,000",
        "by hand",
        "of by hand",
        "growth",
        "by hand",
        "of all",
        "by hand",
        "instructions",
        "bytes",
        "by hand bytes"
    );
    for row in rows {
        let [small, middle, large, _] = row.nanoseconds[..] else { continue };
        println!(
            "{:<8} {small:>9.0} {middle:>9.0} {large:>9.0} {:>9.0} {:>10.2} {:>7.2} {:>8.2} {:>7.2} {:>8.2} {:>13.2} {:>7.0} {:>13.0}",
            row.kind,
            row.by_hand,
            row.of_by_hand,
            row.growth,
            row.by_hand_growth,
            row.growth_of_all,
            row.by_hand_growth_of_all,
            row.instructions_growth,
            row.bytes,
            row.by_hand_bytes
        );
    }
    println!("nanoseconds of CPU and allocated bytes per change of one pod; growth of time and instructions");
    for one in krt {
        println!(
            "{:<12} {:>9.0} ns, krt {:>9.0}: {:.3}; {:>6.0} bytes, krt {:>7.0}: {:.3}",
            one.scenario, one.ours, one.krt, one.of_krt, one.bytes, one.krt_bytes, one.bytes_of_krt
        );
    }
}
