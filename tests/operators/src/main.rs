//! `cargo xtask sim --corpus`: which bugs of small operators the simulation finds, and whether it is silent for their twins.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use client_rs_operators::cases::all;
use client_rs_operators::example::example;
use client_rs_operators::kit::{Case, simulation};
use client_rs_operators::recorded::{Story, record, replay};
use client_rs_operators::workloads::workloads;
use client_rs_simulation::{Failure, Simulation, Summary};

/// The name of the example operator.
const EXAMPLE: &str = "example";
/// The name of the controllers of workloads.
const WORKLOADS: &str = "workloads";

/// Run the simulation on small operators with bugs, and on their repaired twins.
#[derive(Parser)]
#[command(name = "cargo xtask sim --corpus", bin_name = "cargo xtask sim --corpus")]
#[allow(clippy::struct_excessive_bools, reason = "flags of a command line")]
struct Args {
    /// Only the operators with this text in their names
    #[arg(long, default_value = "")]
    only: String,
    /// The number of random histories of each repaired twin
    #[arg(long, default_value_t = 100)]
    seeds: u64,
    /// Leave out the repaired twins
    #[arg(long, conflicts_with = "twins")]
    bugs: bool,
    /// Leave out the operators with bugs
    #[arg(long)]
    twins: bool,
    /// The number of histories that are made at the same time
    #[arg(long, default_value_t = 1)]
    workers: usize,
    /// Run the example operator instead, and print the number of histories per second
    #[arg(long, conflicts_with = "workloads")]
    example: bool,
    /// Run the controllers of built-in workloads instead
    #[arg(long)]
    workloads: bool,
    /// The first seed of the random histories
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Record the example operator with this many sites instead, and replay the recording
    #[arg(long, value_name = "SITES")]
    recorded: Option<usize>,
    /// With --recorded: the number of changes of the user
    #[arg(long, default_value_t = 1_000)]
    changes: usize,
    /// With --recorded: the seed of the changes and of the faults
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Replay a recording of the example operator
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
    /// Print the explanation of each bug
    #[arg(long)]
    explain: bool,
    /// Run one operator: with its bug, or repaired
    #[arg(long, value_name = "NAME", hide = true)]
    one: Option<String>,
    /// With --one: the repaired twin
    #[arg(long, hide = true)]
    repaired: bool,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn arguments(case: &Case, repaired: bool) -> Vec<String> {
    let mut arguments = vec!["--one".to_owned(), case.name.to_owned()];
    if repaired {
        arguments.push("--repaired".to_owned());
    }
    arguments
}

/// Chooses the random histories. Those of one fault each belong to the first part.
fn part(simulation: Simulation, args: &Args) -> Simulation {
    simulation.first_seed(args.from).seeds(args.seeds).targeted(args.from == 0)
}

fn finish(name: &str, result: Result<Summary, Box<Failure>>) -> ExitCode {
    match result {
        Ok(summary) => {
            println!("{name}: {summary}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            println!("{failure}");
            ExitCode::FAILURE
        }
    }
}

/// The smallest part of runs that must be as they were recorded, in tenths of a percent.
const EQUAL: u64 = 999;

/// Replays a recording, and compares.
fn replayed(file: &Path) -> Result<ExitCode> {
    let arguments = ["--replay".to_owned(), file.display().to_string()];
    let began = Instant::now();
    let report = replay(file).differences(usize::MAX).run(&arguments)?;
    println!("replay: {report}");
    println!("replay: {:.1} s", began.elapsed().as_secs_f64());
    let enough = report.runs > 0 && report.equal * 1_000 >= report.runs * EQUAL;
    Ok(if enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Records the example operator, and replays that.
fn recorded(args: &Args, sites: usize) -> Result<ExitCode> {
    let file = std::env::temp_dir().join(format!("client-rs-{}.jsonl", std::process::id()));
    let runtime = tokio::runtime::Runtime::new()?;
    let story = Story { sites, changes: args.changes, seed: args.seed };
    let began = Instant::now();
    let summary = runtime.block_on(record(&file, story))?;
    drop(runtime);
    let (runs, bytes, seconds) = (summary.runs, summary.bytes, began.elapsed().as_secs_f64());
    println!("recording: {runs} runs, {bytes} bytes, {seconds:.1} s: {}", file.display());
    replayed(&file)
}

fn run(args: &Args) -> Result<ExitCode> {
    if let Some(file) = &args.replay {
        return replayed(file);
    }
    if let Some(sites) = args.recorded {
        return recorded(args, sites);
    }
    let chosen = |name: &str, flag: bool| flag || args.one.as_deref() == Some(name);
    let whole = match args {
        _ if chosen(EXAMPLE, args.example) => Some((EXAMPLE, example())),
        _ if chosen(WORKLOADS, args.workloads) => Some((WORKLOADS, workloads())),
        _ => None,
    };
    if let Some((name, simulation)) = whole {
        let arguments = ["--one", name].map(str::to_owned);
        let simulation = part(simulation.workers(args.workers), args);
        return Ok(finish(name, simulation.campaign(name, &arguments)));
    }
    let cases = all();
    if let Some(name) = &args.one {
        // A worker, or a person who repeats a seed.
        let Some(case) = cases.iter().find(|case| case.name == name) else {
            bail!("there is no operator {name}")
        };
        let simulation = simulation(case, !args.repaired).workers(args.workers);
        return Ok(finish(name, simulation.campaign(name, &arguments(case, args.repaired))));
    }
    let chosen: Vec<&Case> = cases.iter().filter(|case| case.name.contains(&args.only)).collect();
    let (mut found, mut silent, mut sizes) = (0, 0, Vec::new());
    let (mut slowest, mut histories, mut time) = (0.0_f64, 0, 0.0);
    for case in &chosen {
        let mut line = format!("{:34} {:44}", case.name, case.class);
        if !args.twins {
            let began = Instant::now();
            let simulation = simulation(case, true).workers(args.workers);
            let bug = match simulation.campaign(case.name, &arguments(case, false)) {
                Ok(_) => "NOT FOUND".to_owned(),
                Err(failure) if failure.seed.is_empty() => format!("NOT RUN: {}", failure.text),
                Err(failure) => {
                    found += 1;
                    sizes.push(failure.steps.len());
                    if args.explain {
                        println!("{failure}");
                    }
                    let (seed, steps) = (&failure.seed, failure.steps.len());
                    format!("history {}, seed {seed}, {steps} steps: {}", failure.histories, failure.property)
                }
            };
            let seconds = began.elapsed().as_secs_f64();
            slowest = slowest.max(seconds);
            let _ = write!(line, " {bug} ({seconds:.1} s)");
        }
        println!("{line}");
        if !args.bugs {
            let repaired = part(simulation(case, false).workers(args.workers), args);
            match repaired.campaign(case.name, &arguments(case, true)) {
                Ok(summary) => {
                    silent += 1;
                    histories += summary.histories;
                    time += summary.seconds;
                    println!("{:34} repaired: {summary}", "");
                }
                Err(failure) => println!("{:34} repaired: ALARM\n{failure}", ""),
            }
        }
    }
    sizes.sort_unstable();
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
    let count = chosen.len();
    if !args.twins {
        println!(
            "corpus: {found} of {count} bugs found, each in at most {slowest:.1} s, median of {median} steps"
        );
    }
    if !args.bugs {
        println!(
            "corpus: {silent} of {count} repaired twins silent, in {histories} histories and {time:.0} s"
        );
    }
    let all = (args.twins || found == count) && (args.bugs || silent == count);
    Ok(if all { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
