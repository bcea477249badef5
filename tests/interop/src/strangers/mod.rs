//! `cargo xtask strangers`: clients that are not ours, against the embedded server.

mod controller_runtime;
mod e2e;
mod known;
mod krs;
mod kubectl;
mod page;
mod program;
mod results;
mod sandbox;
pub(crate) mod server;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use client_rs_testkit::{Cluster, Options};

use client_rs_tests_tools::Report;

/// Run kubectl, client-go and kube-rs against the embedded server, which must behave like a real one; the tests of
/// controller-runtime with `krs envtest`; and, if asked for, Kubernetes' e2e suite against `krs serve`.
///
/// kubectl is the one that `cargo xtask cluster` builds; client-go and kube-rs are programs next to this one;
/// controller-runtime and the e2e suite are modules of the Go proxy. Their tests have the loopback interface alone, if
/// namespaces can be created.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only these [default: all except e2e]
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Stranger>,
    /// Against which server: the real one shows whether the checks themselves are right
    #[arg(long, value_enum, default_value_t = Backend::Embedded)]
    backend: Backend,
    /// Against the server of this kubeconfig instead; not for controller-runtime
    #[arg(long, conflicts_with = "backend")]
    kubeconfig: Option<PathBuf>,
    /// Only the tests of these packages of controller-runtime, such as `client` or `webhook/admission` [default: all]
    #[arg(long, value_delimiter = ',')]
    package: Vec<String>,
    /// Run the packages of controller-runtime that start a control plane with the real one too, and compare results and times
    #[arg(long)]
    compare: bool,
    /// Only the specs of e2e that match a regular expression, such as `\[sig-auth\]` [default: those of api-machinery, apps and auth, and others about the API alone]
    #[arg(long)]
    focus: Vec<String>,
    /// Only the specs of e2e that failed in the last run; the other results are kept
    #[arg(long, conflicts_with = "focus")]
    again: bool,
    /// How many specs of e2e run at once
    #[arg(long, default_value_t = 6)]
    processes: usize,
    /// The krs to run [default: the debug build of this workspace]
    #[arg(long, value_name = "FILE")]
    krs: Option<PathBuf>,
    /// Write the results of controller-runtime and e2e to docs/fidelity.md
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
    /// Kubernetes' e2e suite against `krs serve`; the first build takes many minutes
    E2e,
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
    // The suite of Kubernetes is only run if it is asked for.
    let wanted = |stranger| match args.only.as_slice() {
        [] => stranger != Stranger::E2e,
        only => only.contains(&stranger),
    };
    let (controller_runtime, e2e) = (wanted(Stranger::ControllerRuntime), wanted(Stranger::E2e));
    ensure!(controller_runtime || args.package.is_empty(), "--package is for controller-runtime");
    ensure!(controller_runtime || !args.compare, "--compare is for controller-runtime");
    ensure!(e2e || (args.focus.is_empty() && !args.again), "--focus and --again are for e2e");
    ensure!(controller_runtime || e2e || !args.write, "--write is for controller-runtime and e2e");
    if controller_runtime {
        let krs = krs::program(args.krs.as_deref())?;
        let run = controller_runtime::Run {
            krs: &krs,
            only: &args.package,
            compare: args.compare,
            write: args.write,
        };
        controller_runtime::run(&run, &mut report)?;
    }
    if e2e {
        let run = e2e::Run {
            krs: &krs::program(args.krs.as_deref())?,
            focus: &args.focus,
            again: args.again,
            processes: args.processes,
            kubeconfig: args.kubeconfig.as_deref(),
            write: args.write,
        };
        e2e::run(&run, &mut report)?;
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
