//! `cargo xtask sim --tier b`: fault histories against whole replicas.
//!
//! Each history has a process of its own, because parts of tokio take numbers from a counter of the process.

use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Parser;
use client_rs_sim_replicas::subject;

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
    /// Repeat one seed, and print its history as JSON lines
    #[arg(long, value_name = "SEED")]
    replay: Option<u64>,
    /// Print one digest per history, to compare processes
    #[arg(long)]
    digest: bool,
    /// Make one history, and print only its summary
    #[arg(long, value_name = "SEED", hide = true)]
    one: Option<u64>,
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
    if let Some(seed) = args.replay {
        let made = subject::make(seed)?;
        print!("{}", made.history.json_lines(usize::MAX));
        return Ok(report(seed, &made));
    }
    if let Some(seed) = args.one {
        let made = subject::make(seed)?;
        let mut digest = 0xcbf2_9ce4_8422_2325_u64;
        for byte in made.history.json_lines(usize::MAX).bytes() {
            digest = (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let faults = made.ops.iter().filter(|op| op.is_fault()).count();
        println!("{seed} {digest:016x} {} {faults} {}", made.ops.len(), made.history.entries.len());
        return Ok(report(seed, &made));
    }
    campaign(args)
}

fn report(seed: u64, made: &subject::Made) -> ExitCode {
    let Err(violation) = &made.outcome else { return ExitCode::SUCCESS };
    println!("seed {seed}: {violation}");
    println!("{:?}", made.ops);
    ExitCode::FAILURE
}

/// Makes many histories, each in a process of its own.
fn campaign(args: &Args) -> Result<ExitCode> {
    let program = std::env::current_exe()?;
    let next = AtomicU64::new(args.from);
    let lines: Mutex<Vec<(u64, bool, String)>> = Mutex::default();
    let began = Instant::now();
    let one = |seed: u64| -> Result<(u64, bool, String)> {
        let output = Command::new(&program)
            .args(["--one", &seed.to_string()])
            .stdin(Stdio::null())
            .output()
            .context("can't start a process")?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok((seed, output.status.success(), text + &String::from_utf8_lossy(&output.stderr)))
    };
    thread::scope(|scope| -> Result<()> {
        let workers: Vec<_> = (0..thread::available_parallelism().map_or(1, Into::into))
            .map(|_| {
                scope.spawn(|| -> Result<()> {
                    loop {
                        let seed = next.fetch_add(1, Ordering::Relaxed);
                        if seed >= args.from + args.seeds {
                            return Ok(());
                        }
                        let line = one(seed)?;
                        lines.lock().unwrap_or_else(PoisonError::into_inner).push(line);
                    }
                })
            })
            .collect();
        for worker in workers {
            worker.join().map_err(|_| anyhow::anyhow!("a worker panicked"))??;
        }
        Ok(())
    })?;
    let mut lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
    lines.sort();
    let mut failed = 0;
    for (_, succeeded, text) in &lines {
        if args.digest || !succeeded {
            print!("{text}");
        }
        failed += usize::from(!succeeded);
    }
    let seconds = began.elapsed().as_secs_f64();
    if !args.digest {
        println!("replicas: {} histories, {failed} failed, in {seconds:.1} s", lines.len());
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
