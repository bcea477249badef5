//! The programs that are compared.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use client_rs_tests_tools::workspace::{self, cargo};

use super::process::Process;

/// An operator, or the same writes without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Program {
    Ours,
    /// Ours without its recorder.
    Unrecorded,
    /// The writes without an operator.
    Bare,
    /// The writes, and the watches of an operator whose events are decoded and dropped.
    Watching,
    ControllerRuntime,
    /// With its read-your-writes client.
    Consistent,
    KubeRs,
}

impl Program {
    /// All that take part.
    pub(super) fn all(peers: bool) -> &'static [Self] {
        const ALL: [Program; 6] = [
            Program::Ours,
            Program::Bare,
            Program::Watching,
            Program::ControllerRuntime,
            Program::Consistent,
            Program::KubeRs,
        ];
        if peers { &ALL } else { &ALL[..3] }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Unrecorded => "ours without its recorder",
            Self::Bare => "requests alone",
            Self::Watching => "requests and watches alone",
            Self::ControllerRuntime => "controller-runtime",
            Self::Consistent => "its read-your-writes client",
            Self::KubeRs => "kube-rs",
        }
    }

    /// Whether it reconciles by itself. The others are given each step.
    pub(super) fn is_operator(self) -> bool {
        !matches!(self, Self::Bare | Self::Watching)
    }

    pub(super) fn has_watches(self) -> bool {
        self != Self::Bare
    }
}

/// The work of a program.
#[derive(Clone, Debug)]
pub(super) struct Load {
    /// How many Apps there are.
    pub(super) objects: u32,
    /// How many of them are created or changed per second.
    pub(super) rate: u32,
    /// The delay of watches, in milliseconds.
    pub(super) lag: u64,
    /// The file that valgrind writes the count of instructions to, if it counts them.
    pub(super) counted: Option<PathBuf>,
}

/// The built programs.
pub(super) struct Programs {
    target: PathBuf,
}

impl Programs {
    pub(super) fn build(peers: bool) -> Result<Self> {
        let bench = workspace::root().join("bench");
        eprintln!("building");
        // One after the other: together they would have each other's features of shared dependencies, and kube-rs turns on events of
        // tracing that our users do not pay for.
        let builds: [(&str, &[&str]); 3] = [
            ("release", &["bench-apiserver", "bench-controller-stage"]),
            ("shipped", &["bench-controller"]),
            ("peer", &["bench-operator-kubers"]),
        ];
        for (profile, packages) in &builds[..if peers { 3 } else { 2 }] {
            let mut build = cargo();
            build.args(["build", "--quiet", "--locked", "--profile", profile]);
            build.args(packages.iter().flat_map(|package| ["-p", package]));
            workspace::run(build.arg("--manifest-path").arg(bench.join("Cargo.toml")))?;
        }
        let target = bench.join("target");
        if peers {
            let mut go = workspace::command("go");
            go.current_dir(bench.join("go")).args(["build", "-o"]).arg(target.join("go/appcontroller"));
            workspace::run(go.arg("./cmd/appcontroller"))?;
        }
        Ok(Self { target })
    }

    pub(super) fn start(&self, program: Program, kubeconfig: &Path, load: &Load) -> Result<Process> {
        let Load { objects, rate, counted, .. } = load;
        let built = self.target.join(match program {
            Program::Ours | Program::Unrecorded => "shipped/bench-controller",
            Program::Bare | Program::Watching => "shipped/bench-controller-bare",
            Program::ControllerRuntime | Program::Consistent => "go/appcontroller",
            Program::KubeRs => "peer/bench-operator-kubers",
        });
        let mut command = match counted {
            None => Command::new(built),
            Some(log) => {
                let mut valgrind = Command::new("valgrind");
                valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
                valgrind.arg(format!("--log-file={}", log.display())).arg(built);
                valgrind
            }
        };
        // Go takes two dashes as well.
        command.arg(format!("--kubeconfig={}", kubeconfig.display()));
        command.arg(format!("--objects={objects}")).arg(format!("--workers={WORKERS}"));
        match program {
            Program::Bare => drop(command.arg(format!("--rate={rate}"))),
            Program::Watching => drop(command.args([&format!("--rate={rate}"), "--watch"])),
            Program::Consistent => drop(command.arg("--read-your-writes")),
            Program::Unrecorded => drop(command.arg("--without-recorder")),
            Program::Ours | Program::ControllerRuntime | Program::KubeRs => {}
        }
        Process::start(program.name(), &mut command)
    }

    pub(super) fn server(&self) -> Result<Process> {
        Process::start("the server", self.command("release/bench-apiserver").arg("serve"))
    }

    pub(super) fn stage(
        &self,
        server: &str,
        kubeconfig: &Path,
        arguments: &[(&str, u64)],
    ) -> Result<Process> {
        let mut command = self.command("release/bench-controller-stage");
        command.args(["--server", server, "--kubeconfig"]).arg(kubeconfig);
        for (name, value) in arguments {
            command.arg(format!("--{name}={value}"));
        }
        Process::start("the proxy", &mut command)
    }

    fn command(&self, program: &str) -> Command {
        Command::new(self.target.join(program))
    }
}

/// How many Apps each program processes in parallel.
const WORKERS: usize = 8;
