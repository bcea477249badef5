//! `cargo xtask conformance`: what must hold on a server, scenario by scenario.
//!
//! The suite `life` is of the tools that start a real control plane, and is here. All others run on both servers and
//! need our own crates: they are in the program `conformance` of `tests/`, which is built and run from here.

mod life;
mod mishaps;
mod stage;

use std::process::ExitCode;

use anyhow::{Context, Result};

use crate::report::Report;
use crate::workspace::cargo;

/// Runs the conformance suites; every suite on every backend unless told otherwise.
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

/// The suite that is here: it starts control planes itself, so it has no embedded side.
const LIFE: &str = "life";

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let life = args.backend != Some(Backend::Embedded)
        && (args.suite.is_empty() || args.suite.iter().any(|name| name == LIFE));
    let others: Vec<&str> = args.suite.iter().map(String::as_str).filter(|name| *name != LIFE).collect();
    let mut all_held = true;
    // It is chosen by name only, since its scenarios build on each other.
    if life && args.filter.is_empty() {
        let mut report = Report::new(format!("conformance real {LIFE}"));
        if let Err(error) = life::run(&mut report) {
            report.record("the suite can be run", Err(error));
        }
        all_held &= report.all_held();
        report.finish();
    }
    if args.suite.is_empty() || !others.is_empty() {
        all_held &= run_others(args, &others)?;
    }
    Ok(if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_others(args: &Args, suites: &[&str]) -> Result<bool> {
    let mut command = cargo();
    command.args([
        "run",
        "--quiet",
        "--locked",
        "--package",
        "client-rs-tests",
        "--bin",
        "conformance",
        "--",
    ]);
    if let Some(backend) = args.backend {
        command.args(["--backend", backend.name()]);
    }
    for suite in suites {
        command.args(["--suite", suite]);
    }
    let status = command.args(["--filter", &args.filter]).status().context("can't start cargo")?;
    Ok(status.success())
}
