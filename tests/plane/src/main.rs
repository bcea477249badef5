//! `cargo xtask sim --tier d`: a real control plane whose programs fail.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Result;
use clap::Parser;
use client_rs_sim_plane::nemesis::Sizes;
use client_rs_sim_plane::stage::{Settings, run};

/// Run the library on a real control plane whose programs fail: etcd and kube-apiserver on loopback.
#[derive(Parser)]
#[command(name = "cargo xtask sim --tier d", bin_name = "cargo xtask sim --tier d")]
struct Args {
    /// How long there are faults, in seconds
    #[arg(long, default_value_t = 300)]
    seconds: u64,
    /// The seed of the faults and of the changes
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of members of etcd
    #[arg(long, default_value_t = 3)]
    etcds: usize,
    /// The number of kube-apiservers
    #[arg(long, default_value_t = 2)]
    apiservers: usize,
    /// The number of replicas with a controller; with an even seed one of them leads, otherwise they share the keys
    #[arg(long, default_value_t = 2)]
    replicas: usize,
    /// Set the storage back once, to a copy of its data
    #[arg(long)]
    restore: bool,
    /// Watch only objects that match a selector
    #[arg(long)]
    selector: bool,
    /// Write the histories as JSON lines into this folder
    #[arg(long, value_name = "FOLDER")]
    histories: Option<PathBuf>,
}

fn main() -> ExitCode {
    match perform(&Args::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn perform(args: &Args) -> Result<ExitCode> {
    let began = Instant::now();
    let settings = Settings {
        sizes: Sizes { etcds: args.etcds, apiservers: args.apiservers, replicas: args.replicas },
        seed: args.seed,
        lasts: Duration::from_secs(args.seconds),
        restore: args.restore,
        selected: args.selector,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let outcome = runtime.block_on(run(settings))?;
    if let Some(folder) = &args.histories {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("informer.jsonl"), outcome.history.json_lines(usize::MAX))?;
        std::fs::write(folder.join("replicas.jsonl"), outcome.replicas.json_lines(usize::MAX))?;
    }
    let faults: Vec<String> = outcome.faults.iter().map(|(name, count)| format!("{name} {count}")).collect();
    println!(
        "plane: seed {}, faults for {} s, {} s in all; {} revisions, {} facts, {} comparisons of the cache, {} writes of replicas",
        args.seed,
        args.seconds,
        began.elapsed().as_secs(),
        outcome.revisions,
        outcome.history.entries.len() + outcome.replicas.entries.len(),
        outcome.commits,
        outcome.writes
    );
    println!("faults: {}", faults.join(", "));
    let replayed = outcome.replayed;
    println!(
        "model: the same {} lists, {} watches with {} events and {} bookmarks, {} times expired",
        replayed.lists, replayed.watches, replayed.events, replayed.bookmarks, replayed.expired
    );
    for remark in &outcome.remarks {
        println!("remark: {remark}");
    }
    for finding in &outcome.findings {
        println!("FOUND: {finding}");
    }
    println!("plane: {} findings", outcome.findings.len());
    Ok(if outcome.findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
