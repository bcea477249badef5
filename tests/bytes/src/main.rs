//! `cargo xtask sim --tier c`: fault histories of bytes.
//!
//! Each history has a process of its own, because parts of tokio take numbers from a counter of the process.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use client_rs_sim_bytes::history::{Fact, Outcome, json_lines};
use client_rs_sim_bytes::plan::Plan;
use client_rs_sim_bytes::world::{Made, perform};

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
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    for byte in json_lines(&made.history)?.bytes() {
        digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
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

/// A history of a campaign.
struct Line {
    seed: u64,
    succeeded: bool,
    text: String,
}

/// Performs a plan in a process of its own. Returns whether no rule is broken, and what it prints.
fn perform_alone(plan: &Plan) -> Result<(bool, String)> {
    let output = Command::new(std::env::current_exe()?)
        .args(["--one", &serde_json::to_string(plan)?])
        .stdin(Stdio::null())
        .output()
        .context("can't start a process")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok((output.status.success(), text + &String::from_utf8_lossy(&output.stderr)))
}

/// Returns a plan with fewer steps that breaks the same rule.
fn shrink(plan: &Plan, rule: &str) -> Result<Plan> {
    let (mut best, mut size) = (plan.clone(), plan.ops.len().div_ceil(2));
    while size > 0 {
        let mut from = 0;
        while from < best.ops.len() {
            let mut shorter = best.clone();
            shorter.ops.drain(from..(from + size).min(best.ops.len()));
            let (succeeded, text) = perform_alone(&shorter)?;
            if !succeeded && rule_of(&text) == rule {
                best = shorter;
            } else {
                from += size;
            }
        }
        size /= 2;
    }
    Ok(best)
}

fn rule_of(text: &str) -> &str {
    text.lines().nth(1).and_then(|line| line.split(':').next()).unwrap_or_default()
}

/// Makes many histories, each in a process of its own.
fn campaign(args: &Args) -> Result<ExitCode> {
    let (next, began) = (AtomicU64::new(args.from), Instant::now());
    let lines: Mutex<Vec<Line>> = Mutex::default();
    let is_late = || args.within.is_some_and(|seconds| began.elapsed().as_secs() >= seconds);
    thread::scope(|scope| -> Result<()> {
        let worker = || -> Result<()> {
            loop {
                let seed = next.fetch_add(1, Ordering::Relaxed);
                if seed >= args.from + args.seeds || is_late() {
                    return Ok(());
                }
                let (succeeded, text) = perform_alone(&Plan::of_seed(seed))?;
                let line = Line { seed, succeeded, text };
                lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
            }
        };
        let count = thread::available_parallelism().map_or(1, Into::into);
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
        }
        Ok(())
    })?;
    let seconds = began.elapsed().as_secs_f64();
    let mut lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
    lines.sort_by_key(|line| line.seed);
    let (mut failed, mut totals) = (0, BTreeMap::<String, u64>::new());
    for Line { seed, succeeded, text } in &lines {
        for (name, count) in
            text.lines().next().unwrap_or_default().split(' ').filter_map(|part| part.split_once('='))
        {
            *totals.entry(name.to_owned()).or_default() += count.parse::<u64>().unwrap_or_default();
        }
        if args.digest {
            print!("{seed} {text}");
        }
        if *succeeded {
            continue;
        }
        failed += 1;
        if !args.digest {
            print!("seed {seed}: {text}");
        }
        if failed <= 3 {
            println!("shrunk: {}", serde_json::to_string(&shrink(&Plan::of_seed(*seed), rule_of(text))?)?);
        }
    }
    if !args.digest {
        let totals: Vec<String> = totals.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!(
            "bytes: {} histories, {failed} failed, in {seconds:.1} s ({})",
            lines.len(),
            totals.join(", ")
        );
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
