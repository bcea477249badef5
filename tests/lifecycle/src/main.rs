//! The suite `life` of `cargo xtask conformance`: the life of a real control plane that `cargo xtask cluster` starts.

mod life;
mod mishaps;
mod stage;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use client_rs_tests_tools::Report;

/// Starts control planes, uses them, harms them and ends them.
#[derive(Parser)]
#[command(name = "lifecycle")]
struct Args {
    /// The xtask whose command `cluster` is tested
    #[arg(long)]
    xtask: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut report = Report::new("conformance real life");
    if let Err(error) = life::run(&mut report, &args.xtask) {
        report.record("the suite can be run", Err(error));
    }
    report.finish()
}
