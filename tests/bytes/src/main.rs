//! `cargo xtask sim --tier c`: fault histories of bytes.
//!
//! Each history has a process of its own, because parts of tokio take numbers from a counter of the process.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Result;
use clap::Parser;
use client_rs_sim_bytes::history::{Fact, Outcome, json_lines};
use client_rs_sim_bytes::plan::Plan;
use client_rs_sim_bytes::world::{Made, perform};
use client_rs_tests_tools::histories::{Campaign, digest};

/// The longest time of a history. It takes a fraction of a second on an idle machine, and minutes on a busy one.
const LIMIT: Duration = Duration::from_hours(1);

/// Run fault histories of HTTP/2 over pipes in memory.
#[derive(Parser)]
#[command(name = "cargo xtask sim --tier c", bin_name = "cargo xtask sim --tier c")]
struct Args {
    /// The number of histories
    #[arg(long, default_value_t = 1_000)]
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
        let made = perform(plan)?;
        print!("{}", json_lines(&made.history)?);
        return Ok(match made.outcome {
            Ok(()) => ExitCode::SUCCESS,
            Err(violation) => {
                println!("{violation}");
                ExitCode::FAILURE
            }
        });
    }
    if let Some(plan) = &args.one {
        return one(perform(serde_json::from_str(plan)?)?);
    }
    campaign(args)
}

/// Prints the summary of a history: its digest, its length, how often each outcome was, and the rule that it breaks.
fn one(made: Made) -> Result<ExitCode> {
    let digest = digest(&json_lines(&made.history)?);
    print!("{digest:016x} {}", made.history.len());
    for (name, count) in counts(&made) {
        print!(" {name}={count}");
    }
    println!();
    match made.outcome {
        Ok(()) => Ok(ExitCode::SUCCESS),
        Err(violation) => {
            println!("{violation}");
            Ok(ExitCode::FAILURE)
        }
    }
}

fn counts(made: &Made) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for entry in &made.history {
        let name = match &entry.op {
            Fact::End { outcome: Outcome::Ok { .. }, .. } => "ok",
            Fact::End { outcome: Outcome::Failed { .. }, .. } => "failed",
            Fact::End { outcome: Outcome::Cancelled, .. } => "cancelled",
            Fact::Attempt { attempt, .. } if *attempt > 1 => "resent",
            Fact::Event { .. } => "events",
            Fact::Ended { .. } => "watches",
            Fact::Cut { .. } => "cuts",
            Fact::Stall { .. } => "stalls",
            Fact::Trickle { .. } => "trickles",
            Fact::GoAway { .. } => "goaways",
            Fact::Abort { .. } => "aborts",
            _ => continue,
        };
        *counts.entry(name).or_default() += 1;
    }
    counts
}

fn campaign(args: &Args) -> Result<ExitCode> {
    Campaign {
        name: "bytes",
        seeds: args.from..args.from + args.seeds,
        within: args.within.map(Duration::from_secs),
        limit: LIMIT,
        digest: args.digest,
        plan: &|seed| Ok(serde_json::to_string(&Plan::of_seed(seed))?),
    }
    .run()
}
