//! `cargo xtask conformance`: scenarios that every server must pass.
//!
//! The suite `life` is of the tools that start a real control plane: the program of `tests/lifecycle`. All others run on
//! both servers and need our own crates: they are in the program of `tests/conformance`. Both are built and run from here.

use std::process::ExitCode;

use anyhow::{Context, Result};

use client_rs_tests_tools::workspace::{delegate, program};

/// Run the conformance suites, by default every suite on every backend.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The server that the suites run against; both by default
    #[arg(long, value_enum)]
    backend: Option<Backend>,
    /// The suites to run, by name (`life`, `rest`, …); all by default
    #[arg(long, value_delimiter = ',')]
    suite: Vec<String>,
    /// Only scenarios whose name contains this text
    #[arg(long, default_value = "")]
    filter: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    /// The API server of `crates/apiserver`, in the program that runs the suites
    Embedded,
    /// etcd, kube-apiserver and kube-controller-manager, started as `cargo xtask cluster up` does
    Real,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::Embedded => "embedded",
            Self::Real => "real",
        }
    }
}

/// The suite that starts control planes itself, so it has no embedded side.
const LIFE: &str = "life";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let life = args.backend != Some(Backend::Embedded)
        && (args.suite.is_empty() || args.suite.iter().any(|name| name == LIFE));
    let others: Vec<&str> = args.suite.iter().map(String::as_str).filter(|name| *name != LIFE).collect();
    let mut all_held = true;
    // It is chosen by name only, since its scenarios build on each other.
    if life && args.filter.is_empty() {
        let this = std::env::current_exe().context("can't find this program")?;
        let mut command = program("client-rs-lifecycle", "lifecycle");
        all_held &= delegate(command.arg("--xtask").arg(this))? == ExitCode::SUCCESS;
    }
    if args.suite.is_empty() || !others.is_empty() {
        all_held &= run_others(args, &others)?;
    }
    Ok(if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_others(args: &Args, suites: &[&str]) -> Result<bool> {
    let mut command = program("client-rs-conformance", "conformance");
    if let Some(backend) = args.backend {
        command.args(["--backend", backend.name()]);
    }
    for suite in suites {
        command.args(["--suite", suite]);
    }
    Ok(delegate(command.args(["--filter", &args.filter]))? == ExitCode::SUCCESS)
}
