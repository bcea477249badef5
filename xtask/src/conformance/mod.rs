//! `cargo xtask conformance`: what must hold on a server, scenario by scenario.

mod life;
mod mishaps;
mod stage;

use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::builder::PossibleValuesParser;

use crate::report::Report;

/// Runs the conformance suites; every suite on every backend unless told otherwise.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The server that the suites run against
    #[arg(long, value_enum)]
    backend: Option<Backend>,
    /// The suites to run, by name
    #[arg(long, value_delimiter = ',', value_parser = PossibleValuesParser::new(SUITES.iter().map(|suite| suite.name)))]
    suite: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Backend {
    /// etcd, kube-apiserver and kube-controller-manager, started as `cargo xtask cluster up` does
    Real,
}

impl Backend {
    fn name(self) -> &'static str {
        match self {
            Self::Real => "real",
        }
    }
}

/// A set of scenarios on one backend. New suites are added to [`SUITES`], and nowhere else.
struct Suite {
    name: &'static str,
    backend: Backend,
    /// Records every scenario; an error means that they could not be tried.
    run: fn(&mut Report) -> Result<()>,
}

const SUITES: &[Suite] = &[Suite { name: "life", backend: Backend::Real, run: life::run }];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let chosen: Vec<&Suite> = SUITES
        .iter()
        .filter(|suite| args.backend.is_none_or(|backend| backend == suite.backend))
        .filter(|suite| args.suite.is_empty() || args.suite.iter().any(|name| name == suite.name))
        .collect();
    if chosen.is_empty() {
        bail!("no suite of that name runs on that backend");
    }
    let mut all_held = true;
    for suite in chosen {
        let mut report = Report::new(format!("conformance {} {}", suite.backend.name(), suite.name));
        if let Err(error) = (suite.run)(&mut report) {
            report.record("the suite can be run", Err(error));
        }
        all_held &= report.all_held();
        report.finish();
    }
    Ok(if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
