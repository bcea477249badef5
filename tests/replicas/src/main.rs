//! `cargo xtask sim --tier b`: fault histories against whole replicas.
//!
//! Each history has a process of its own, because parts of tokio take numbers from a counter of the process.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use client_rs_sim_replicas::op::Plan;
use client_rs_sim_replicas::subject::{Made, perform};
use client_rs_tests_tools::histories::{Campaign, digest};

/// The longest time of a history. It takes seconds in a debug build on an idle machine, and minutes on a busy one.
const LIMIT: Duration = Duration::from_hours(1);

/// Run fault histories against whole replicas.
#[derive(Parser)]
#[command(name = "cargo xtask sim --tier b", bin_name = "cargo xtask sim --tier b")]
struct Args {
    /// The number of histories
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS")]
    within: Option<u64>,
    /// Repeat one seed, and print its history as JSON lines
    #[arg(long, value_name = "SEED")]
    replay: Option<u64>,
    /// Repeat a plan, as a failure prints it, and print its history as JSON lines
    #[arg(long, value_name = "JSON")]
    plan: Option<String>,
    /// Print one digest per history, to compare processes
    #[arg(long)]
    digest: bool,
    /// Perform a plan, and print only its summary
    #[arg(long, value_name = "JSON", hide = true)]
    one: Option<String>,
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

fn run(args: &Args) -> Result<ExitCode> {
    let replay = match (&args.plan, args.replay) {
        (Some(plan), _) => Some(serde_json::from_str(plan)?),
        (None, seed) => seed.map(Plan::of_seed),
    };
    if let Some(plan) = replay {
        println!("{}", serde_json::to_string(&plan)?);
        let made = perform(plan)?;
        print!("{}", made.history.json_lines(usize::MAX));
        return Ok(verdict(&made));
    }
    if let Some(plan) = &args.one {
        let made = perform(serde_json::from_str(plan)?)?;
        let digest = digest(&made.history.json_lines(usize::MAX));
        print!("{digest:016x} {}", made.history.entries.len());
        let mut counts = BTreeMap::<String, u64>::new();
        for op in made.ops.iter().filter(|op| op.is_fault()) {
            *counts.entry(op.name()).or_default() += 1;
        }
        counts.insert("steps".to_owned(), made.ops.len() as u64);
        for (name, count) in &counts {
            print!(" {name}={count}");
        }
        println!();
        return Ok(verdict(&made));
    }
    Campaign {
        name: "replicas",
        seeds: args.from..args.from + args.seeds,
        within: args.within.map(Duration::from_secs),
        limit: LIMIT,
        digest: args.digest,
        plan: &|seed| Ok(serde_json::to_string(&Plan::of_seed(seed))?),
    }
    .run()
}

fn verdict(made: &Made) -> ExitCode {
    let Err(violation) = &made.outcome else { return ExitCode::SUCCESS };
    println!("{violation}");
    ExitCode::FAILURE
}
