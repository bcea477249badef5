//! Benchmarks, side by side with the peers: `cargo xtask bench …`.

mod objects;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Which benchmark.
#[derive(Subcommand)]
pub(crate) enum Bench {
    /// Live heap of a pod and the time to decode one
    Objects(objects::Args),
}

pub(crate) fn run(bench: &Bench) -> Result<ExitCode> {
    match bench {
        Bench::Objects(args) => objects::run(args),
    }
}
