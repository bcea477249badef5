//! `cargo xtask strangers`: clients that are not ours, against the embedded server.

mod kubectl;
mod program;
mod server;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Result;
use clap::ValueEnum;

use crate::report::Report;

/// Runs kubectl and client-go against the embedded server, which they must not tell from a real one.
///
/// kubectl is the one that `cargo xtask cluster` builds; client-go is a Go program under bench/go.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Stranger>,
    /// Against the server of this kubeconfig instead: a real one shows whether the checks themselves are right
    #[arg(long)]
    kubeconfig: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stranger {
    /// The command line tool
    Kubectl,
    /// Clientset, dynamic client, informers, leader election and event recorder in Go
    ClientGo,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new("strangers");
    let wanted = |stranger| args.only.is_empty() || args.only.contains(&stranger);
    let server = match &args.kubeconfig {
        Some(_) => None,
        None => Some(server::EmbeddedServer::start()?),
    };
    let kubeconfig = match (&args.kubeconfig, &server) {
        (Some(given), _) => std::path::absolute(given)?,
        (None, Some(server)) => server.kubeconfig().to_owned(),
        (None, None) => unreachable!("a server is started unless one is given"),
    };
    if wanted(Stranger::Kubectl) {
        kubectl::run(&kubeconfig, &mut report)?;
    }
    if wanted(Stranger::ClientGo) {
        client_go(&kubeconfig, &mut report)?;
    }
    Ok(report.finish())
}

fn client_go(kubeconfig: &Path, report: &mut Report) -> Result<()> {
    let binary = program::build_go("strangers")?;
    program::run("client-go", &binary, kubeconfig, report)
}
