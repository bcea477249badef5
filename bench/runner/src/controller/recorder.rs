//! `cargo xtask bench recorder`: the operator of `bench controller` with its recorder and without it.

use std::process::ExitCode;

use anyhow::{Context, Result, ensure};

use super::programs::{Load, Program, Programs};
use super::{end, number, sum, work};
use crate::figures::Figures;
use crate::page::{self, Page};

/// The recorder's cost: an operator with it and without it, in pairs.
///
/// All figures are medians of pairs that take turns. Instructions are counted by valgrind, which must be installed, as the
/// difference of two numbers of objects. Targets: at most 2 % more instructions and CPU, and at most 5 % more delay.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many pairs of runs
    #[arg(long, default_value_t = 10)]
    pairs: usize,
    /// How many Apps there are
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    objects: u32,
}

const PROGRAMS: [Program; 2] = [Program::Ours, Program::Unrecorded];
const RATE: u32 = 200;
/// Under valgrind everything takes longer.
const COUNTED_RATE: u32 = 10;
const COUNTED: [u32; 2] = [50, 200];
/// How often instructions are counted. How many changes a run finds in its caches depends on the time that requests take, so one count
/// differs from the next by about half a percent.
const COUNTS: usize = 5;

/// Measures, how they are called in the table, and the most that each may be of the same without the recorder.
const MEASURES: [(&str, &str, f64); 4] = [
    ("instructions", "instructions of an App", 1.02),
    ("cpu", "CPU of an App, µs", 1.02),
    ("p50_ms", "event to first write, median, ms", 1.05),
    ("p99_ms", "event to first write, p99, ms", 1.05),
];
const PART: &str = "recorder";

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.pairs > 0, "at least one pair is needed");
    let programs = Programs::build(false)?;
    let mut figures = Figures::default();
    for count in 1..=COUNTS {
        for program in PROGRAMS {
            eprintln!("instructions of {}, {count} of {COUNTS}…", program.name());
            let [few, many] = [
                instructions(&programs, program, COUNTED[0])?,
                instructions(&programs, program, COUNTED[1])?,
            ];
            let one = (many - few) / f64::from(COUNTED[1] - COUNTED[0]);
            figures.note(PART, program.name(), "instructions", one);
        }
    }
    for pair in 1..=args.pairs {
        // Whatever one leaves behind for the next must not always be to the same one's cost.
        let order = if pair % 2 == 0 { [PROGRAMS[1], PROGRAMS[0]] } else { PROGRAMS };
        for program in order {
            eprintln!("pair {pair} of {}, {}…", args.pairs, program.name());
            timed(&programs, program, args.objects, &mut figures)?;
        }
    }
    Ok(report(args, &figures, page))
}

fn timed(programs: &Programs, program: Program, objects: u32, figures: &mut Figures) -> Result<()> {
    let load = Load { objects, rate: RATE, lag: 0, counted: None };
    let worked = work(programs, program, &load)?;
    let mut note = |measure: &str, value: f64| figures.note(PART, program.name(), measure, value);
    note("cpu", worked.usage.cpu_ms * 1e3 / f64::from(objects));
    for measure in ["p50_ms", "p99_ms"] {
        // Creations alone: changes are the same path.
        note(measure, number(&worked.phases[0], measure)?);
    }
    ensure!(sum(&worked.phases, "failures")? == 0.0, "requests have failed");
    end(worked.stage, worked.server)
}

fn instructions(programs: &Programs, program: Program, objects: u32) -> Result<f64> {
    let folder = tempfile::tempdir().context("can't make a folder")?;
    let log = folder.path().join("valgrind");
    let load = Load { objects, rate: COUNTED_RATE, lag: 0, counted: Some(log.clone()) };
    let worked = work(programs, program, &load)?;
    end(worked.stage, worked.server)?;
    let text = std::fs::read_to_string(&log).context("valgrind has written nothing")?;
    // The last line: `==123== Collected : 123456`.
    let collected = text.lines().find_map(|line| line.split_once("Collected :"));
    let (_, collected) = collected.context("valgrind has counted nothing")?;
    collected.trim().parse().context("valgrind's count is not a number")
}

fn report(args: &Args, figures: &Figures, page: &mut Page) -> ExitCode {
    let of = |program: Program, measure: &str| figures.get(PART, program.name(), measure).unwrap_or(f64::NAN);
    let mut missed = Vec::new();
    let rows = MEASURES.map(|(measure, name, most)| {
        let [with, without] = PROGRAMS.map(|program| of(program, measure));
        let ratio = with / without;
        println!("{name:<36} {with:>14.2} {without:>14.2} {ratio:>6.3}");
        // A figure that is missing is not within its target.
        if !ratio.le(&most) {
            missed.push(format!("{name}: {ratio:.3} of the same without the recorder, target {most:.2}"));
        }
        let digits = if with < 100.0 { 2 } else { 0 };
        [name.to_owned(), page::number(with, digits), page::number(without, digits), page::number(ratio, 3)]
    });
    page.table(&["with the recorder", "without", "ratio"], rows.map(Vec::from));
    println!("RESULT {}", figures.to_json());
    for target in &missed {
        println!("MISSED {target}");
    }
    if args.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
