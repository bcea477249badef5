//! The clients that are compared: their programs, and one run of one of them.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::recording::Format;
use crate::objects;
use client_rs_tests_tools::workspace::{self, cargo};

/// A client and how it is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    Ours,
    OursPacked,
    /// Our client alone, without a cache.
    Bare,
    Go,
    GoStripped,
    GoJson,
    KubeRs,
}

impl Client {
    /// All that take part.
    pub(super) fn all(peers: bool) -> Vec<Self> {
        let mut all = vec![Self::Ours, Self::OursPacked];
        if peers {
            all.extend([Self::Go, Self::GoStripped, Self::GoJson, Self::KubeRs]);
        }
        all
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::OursPacked => "ours, packed",
            Self::Bare => "decoding alone",
            Self::Go => "client-go",
            Self::GoStripped => "client-go, strip transform",
            Self::GoJson => "client-go, JSON",
            Self::KubeRs => "kube-rs",
        }
    }

    pub(crate) fn is_ours(self) -> bool {
        matches!(self, Self::Ours | Self::OursPacked)
    }

    pub(crate) fn format(self) -> Format {
        match self {
            Self::Ours | Self::OursPacked | Self::Bare | Self::Go | Self::GoStripped => Format::Protobuf,
            Self::GoJson | Self::KubeRs => Format::Json,
        }
    }

    /// Whether it takes part in the comparison of many handlers.
    pub(super) fn fans_out(self) -> bool {
        matches!(self, Self::Ours | Self::Go)
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Ours | Self::Go | Self::KubeRs => &[],
            Self::OursPacked => &["--packed"],
            Self::Bare => &["--bare"],
            Self::GoStripped => &["-strip"],
            Self::GoJson => &["-format=json"],
        }
    }
}

/// The built programs.
pub(crate) struct Programs {
    target: PathBuf,
}

impl Programs {
    pub(crate) fn build(peers: bool) -> Result<Self> {
        let bench = workspace::root().join("bench");
        eprintln!("building");
        let mut build = cargo();
        // Build both even if only one runs: alone, each would build its dependencies again, with other features.
        build.args([
            "build",
            "--quiet",
            "--release",
            "--locked",
            "-p",
            "bench-informer",
            "-p",
            "bench-kubers",
        ]);
        workspace::run(build.arg("--manifest-path").arg(bench.join("Cargo.toml")))?;
        objects::build_generator()?;
        let target = bench.join("target");
        if peers {
            let mut go = workspace::command("go");
            go.current_dir(bench.join("go")).args(["build", "-o"]).arg(target.join("go/informer"));
            workspace::run(go.arg("./cmd/informer"))?;
        }
        Ok(Self { target })
    }

    fn of(&self, client: Client) -> PathBuf {
        self.target.join(match client {
            Client::Ours | Client::OursPacked | Client::Bare => "release/bench-informer",
            Client::KubeRs => "release/bench-kubers",
            Client::Go | Client::GoStripped | Client::GoJson => "go/informer",
        })
    }
}

/// One run of a client, ended when dropped.
pub(crate) struct Run {
    client: Client,
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Run {
    /// Starts a client with this many handlers; the first may be blocked.
    pub(crate) fn start(
        programs: &Programs,
        client: Client,
        kubeconfig: &Path,
        pods: u32,
        (handlers, blocked): (usize, bool),
        phases: &str,
    ) -> Result<Self> {
        Self::start_with(programs, client, kubeconfig, pods, (handlers, blocked), phases, &[])
    }

    /// Starts a client with more arguments.
    pub(crate) fn start_with(
        programs: &Programs,
        client: Client,
        kubeconfig: &Path,
        objects: u32,
        (handlers, blocked): (usize, bool),
        phases: &str,
        arguments: &[String],
    ) -> Result<Self> {
        let mut command = Command::new(programs.of(client));
        // Go takes two dashes as well.
        command.arg(format!("--kubeconfig={}", kubeconfig.display()));
        command.arg(format!("--objects={objects}")).arg(format!("--handlers={handlers}"));
        if !phases.is_empty() {
            command.arg(format!("--phases={phases}"));
        }
        if blocked {
            command.arg("--blocked");
        }
        command.args(client.arguments()).args(arguments).stdout(Stdio::piped());
        let mut child = command.spawn().with_context(|| format!("can't start {}", client.name()))?;
        let lines = BufReader::new(child.stdout.take().context("no output")?);
        Ok(Self { client, child, lines })
    }

    /// Returns its next line, which must be that of this phase.
    pub(crate) fn line(&mut self, phase: &str) -> Result<Line> {
        let name = self.client.name();
        let mut line = String::new();
        self.lines.read_line(&mut line)?;
        if line.is_empty() {
            bail!("{name} ended with {} before {phase}", self.child.wait()?);
        }
        let value: Value = serde_json::from_str(&line).with_context(|| format!("{name} printed {line}"))?;
        ensure!(value["phase"] == phase, "{name} printed {line} instead of {phase}");
        Ok(Line(value))
    }

    /// Waits for its end.
    pub(crate) fn end(mut self) -> Result<()> {
        let status = self.child.wait()?;
        ensure!(status.success(), "{} ended with {status}", self.client.name());
        Ok(())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A client's line about a phase.
pub(crate) struct Line(Value);

impl Line {
    pub(crate) fn get(&self, name: &str) -> Result<f64> {
        self.0[name].as_f64().with_context(|| format!("no {name} in {}", self.0))
    }
}
