//! `cargo xtask strangers`: clients that are not ours, against the embedded server.

mod controller_runtime;
mod kubectl;
mod program;
pub(crate) mod server;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use client_rs_testkit::{Cluster, Options};

use client_rs_tests_tools::Report;

/// Run kubectl, client-go and kube-rs against the embedded server, which must behave like a real one, and the tests of
/// controller-runtime with `krs envtest`.
///
/// kubectl is the one that `cargo xtask cluster` builds; client-go and kube-rs are programs next to this one;
/// controller-runtime is a module of the Go proxy.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these [default: all]
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Stranger>,
    /// Against which server: the real one shows whether the checks themselves are right
    #[arg(long, value_enum, default_value_t = Backend::Embedded)]
    backend: Backend,
    /// Against the server of this kubeconfig instead
    #[arg(long, conflicts_with = "backend")]
    kubeconfig: Option<PathBuf>,
    /// Only the tests of these packages of controller-runtime, such as `client` or `webhook/admission` [default: all]
    #[arg(long, value_delimiter = ',')]
    package: Vec<String>,
    /// Write the results of controller-runtime to docs/fidelity.md
    #[arg(long)]
    write: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Backend {
    /// The embedded API server, in a process of its own
    Embedded,
    /// etcd, kube-apiserver and kube-controller-manager, for this run alone
    Real,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stranger {
    /// The command line tool
    Kubectl,
    /// Clientset, dynamic client, informers, leader election and event recorder in Go
    ClientGo,
    /// Api, discovery, watcher, reflector and controller of kube-rs
    KubeRs,
    /// The tests of controller-runtime, whose control plane is krs
    ControllerRuntime,
}

/// The server under test. Ends when dropped.
enum Server {
    Embedded(server::EmbeddedServer),
    Real(Box<Cluster>),
    Given(PathBuf),
}

impl Server {
    fn start(args: &Args) -> Result<Self> {
        Ok(match (&args.kubeconfig, args.backend) {
            (Some(given), _) => Self::Given(std::path::absolute(given)?),
            (None, Backend::Embedded) => Self::Embedded(server::EmbeddedServer::start()?),
            (None, Backend::Real) => Self::Real(Box::new(Cluster::start(Options::default())?)),
        })
    }

    fn kubeconfig(&self) -> &Path {
        match self {
            Self::Embedded(server) => server.kubeconfig(),
            Self::Real(cluster) => cluster.kubeconfig(),
            Self::Given(path) => path,
        }
    }
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let mut report = Report::new("strangers");
    let wanted = |stranger| args.only.is_empty() || args.only.contains(&stranger);
    if wanted(Stranger::ControllerRuntime) {
        controller_runtime::run(&args.package, args.write, &mut report)?;
    } else {
        ensure!(!args.write && args.package.is_empty(), "--write and --package are for controller-runtime");
    }
    if [Stranger::Kubectl, Stranger::ClientGo, Stranger::KubeRs].into_iter().any(wanted) {
        clients(args, wanted, &mut report)?;
    }
    Ok(report.finish())
}

/// Runs the clients against one server.
fn clients(args: &Args, wanted: impl Fn(Stranger) -> bool, report: &mut Report) -> Result<()> {
    let server = Server::start(args)?;
    let kubeconfig = server.kubeconfig();
    if wanted(Stranger::Kubectl) {
        kubectl::run(kubeconfig, report)?;
    }
    if wanted(Stranger::ClientGo) {
        program::run("client-go", &program::build_go("client-go")?, kubeconfig, report)?;
    }
    if wanted(Stranger::KubeRs) {
        program::run("kube-rs", &program::build_rust("kube-rs")?, kubeconfig, report)?;
    }
    Ok(())
}
