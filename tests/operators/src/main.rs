//! `cargo xtask sim --corpus`: which bugs of small operators the simulation finds, and whether it is silent for their twins.

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::Parser;
use client_rs_operators::cases::all;
use client_rs_operators::kit::{Case, simulation};

/// Run the simulation on small operators with bugs, and on their repaired twins.
#[derive(Parser)]
#[command(name = "cargo xtask sim --corpus", bin_name = "cargo xtask sim --corpus")]
struct Args {
    /// Only the operators with this text in their names
    #[arg(long, default_value = "")]
    only: String,
    /// The number of random histories of each repaired twin
    #[arg(long, default_value_t = 100)]
    twin_seeds: u64,
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

fn run(args: &Args) -> Result<ExitCode> {
    let cases = all();
    if let Some(name) = &args.one {
        // A worker, or a person who repeats a seed.
        let Some(case) = cases.iter().find(|case| case.name == name) else {
            bail!("there is no operator {name}")
        };
        return Ok(match simulation(case, !args.repaired).campaign(name, &arguments(case, args.repaired)) {
            Ok(summary) => {
                println!("{name}: {summary}");
                ExitCode::SUCCESS
            }
            Err(failure) => {
                println!("{failure}");
                ExitCode::FAILURE
            }
        });
    }
    let chosen: Vec<&Case> = cases.iter().filter(|case| case.name.contains(&args.only)).collect();
    let (mut found, mut silent, mut sizes) = (0, 0, Vec::new());
    for case in &chosen {
        let began = Instant::now();
        let bug = match simulation(case, true).campaign(case.name, &arguments(case, false)) {
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
        println!("{:34} {:44} {bug} ({seconds:.1} s)", case.name, case.class);
        let repaired = simulation(case, false).seeds(args.twin_seeds);
        match repaired.campaign(case.name, &arguments(case, true)) {
            Ok(summary) => {
                silent += 1;
                println!("{:34} repaired: {summary}", "");
            }
            Err(failure) => println!("{:34} repaired: ALARM\n{failure}", ""),
        }
    }
    sizes.sort_unstable();
    let median = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
    let count = chosen.len();
    println!(
        "corpus: {found} of {count} bugs found, {silent} of {count} repaired twins silent, median of {median} steps"
    );
    Ok(if found == count && silent == count { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
