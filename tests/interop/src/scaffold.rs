//! `cargo xtask scaffold`: what `krs new operator` writes builds, passes its own tests and runs on a real control plane, and so do
//! the worked operators. All of them have exactly the rights that their tests use.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::Cluster;

use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, cargo};

use crate::running::{PATIENCE, Running};
use crate::worked::{DATABASE, GATEWAY, operate_databases, operate_gateways};

const NAME: &str = "note";
/// One with everything that can be chosen.
const OTHER: &str = "other";
/// The namespace that its manifests have.
const SYSTEM: &str = "note-system";

/// Writes a project into a fresh folder, runs its tests, and its operator on a real control plane.
///
/// The project builds with this checkout, and with the versions and the target folder of this workspace, so that what both
/// need is built once.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Resolve and build as a newcomer's machine does: newest versions, a target folder of its own; takes minutes
    #[arg(long)]
    cold: bool,
    /// Run only the steps with this text in their names, such as `gateway`
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    workspace::run(cargo().args(["build", "--quiet", "--locked", "--package", "client-rs-cli"]))?;
    let folder = tempfile::tempdir().context("can't make a folder")?;
    let project = |name: &str| Project { folder: folder.path().join(name), cold: args.cold };
    let (plain, other) = (project(NAME), project(OTHER));
    let chosen =
        ["--webhook", "--cluster-scoped", "--kind=Policy", "--version=v1beta1", "--group=shop.example.com"];
    let mut report = Report::new("scaffold");
    let steps: [(&str, &dyn Fn() -> Result<()>); 11] = [
        ("krs new operator note", &|| plain.write(folder.path(), NAME, &[])),
        ("clippy and rustfmt have nothing to say", &|| plain.build()),
        ("cargo test, which uses exactly the rights of config/rbac", &|| plain.test("notes", "example.com")),
        ("krs new operator --webhook --cluster-scoped", &|| other.write(folder.path(), OTHER, &chosen)),
        ("clippy and rustfmt have nothing to say of it", &|| other.build()),
        ("cargo test in it", &|| other.test("policies", "shop.example.com")),
        ("the operator runs on a real control plane", &|| plain.operate()),
        ("the tests of the database operator, and its rights", &|| DATABASE.test()),
        ("the database operator runs on a real control plane", &operate_databases),
        ("the tests of the gateway operator, and its rights", &|| GATEWAY.test()),
        ("the gateway operator runs on a real control plane", &operate_gateways),
    ];
    let only = args.only.as_deref().unwrap_or_default();
    for (name, step) in steps.into_iter().filter(|(name, _)| name.contains(only)) {
        let start = Instant::now();
        let outcome = step();
        let failed = outcome.is_err();
        report.record(&format!("{name} ({} s)", start.elapsed().as_secs()), outcome);
        if failed {
            break;
        }
    }
    Ok(report.finish())
}

struct Project {
    folder: PathBuf,
    cold: bool,
}

impl Project {
    fn write(&self, within: &Path, name: &str, more: &[&str]) -> Result<()> {
        let krs = workspace::target().join("debug/krs");
        workspace::run(Command::new(krs).args(["new", "operator", name]).args(more).current_dir(within))?;
        if !self.cold {
            std::fs::copy(workspace::root().join("Cargo.lock"), self.folder.join("Cargo.lock"))?;
        }
        Ok(())
    }

    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = cargo();
        command.current_dir(&self.folder).args(words);
        if !self.cold {
            command.arg("--offline").env("CARGO_TARGET_DIR", self.target());
            // The workspace's own, or the one that it was built with: otherwise everything would be compiled again.
            let debug = std::env::var_os("CARGO_PROFILE_DEV_DEBUG");
            command.env("CARGO_PROFILE_DEV_DEBUG", debug.unwrap_or_else(|| "line-tables-only".into()));
        }
        command
    }

    /// Builds it, without a warning for its author.
    fn build(&self) -> Result<()> {
        let output = self.cargo(&["clippy", "--all-targets"]).stdout(Stdio::inherit()).output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && !said.contains("warning: "), "{}: {said}", output.status);
        let mut format = cargo();
        workspace::run(format.current_dir(&self.folder).args(["fmt", "--check"]))
    }

    fn program(&self) -> PathBuf {
        self.target().join("debug").join(NAME)
    }

    fn target(&self) -> PathBuf {
        if self.cold { self.folder.join("target") } else { workspace::target() }
    }

    /// Runs its tests, as `make rbac` does.
    fn test(&self, plural: &str, group: &str) -> Result<()> {
        let name = self.folder.file_name().context("a project has a name")?.display().to_string();
        let cargo = self.cargo(&["test", "--quiet"]);
        let mut command = Command::new(workspace::target().join("debug/krs"));
        command.args(["rbac", "--account", &format!("{name}-system/{name}"), "--check", "config/rbac"]);
        // Rights that no test on the embedded server can use.
        for kept in [
            &format!("update:{plural}/finalizers.{group}"),
            "create:tokenreviews.authentication.k8s.io",
            "create:subjectaccessreviews.authorization.k8s.io",
        ] {
            command.args(["--keep", kept]);
        }
        command.arg("--").arg(cargo.get_program()).args(cargo.get_args()).current_dir(&self.folder);
        command.envs(cargo.get_envs().filter_map(|(name, value)| Some((name, value?))));
        workspace::run(&mut command)
    }

    /// Runs its program as a user would, and looks at what it does with `kubectl`.
    fn operate(&self) -> Result<()> {
        workspace::run(&mut self.cargo(&["build", "--quiet"]))?;
        let cluster = Cluster::real()?;
        let namespace = cluster.namespace(NAME)?;
        let kubectl = |words: &[&str]| namespace.run_kubectl(words);
        let config = |folder: &str| self.folder.join("config").join(folder).display().to_string();
        // Like `make deploy`; nothing runs its pods here.
        let manifests = ["crd", "manager", "rbac"].map(config);
        let [crd, manager, rbac] = &manifests;
        cluster.run_kubectl(&["apply", "-f", crd, "-f", manager, "-f", rbac])?;
        let mut program = Command::new(self.program());
        program.arg("--kubeconfig").arg(cluster.kubeconfig()).args(["--watch-namespace", namespace.name()]);
        program.args([
            "--health-listen=127.0.0.1:0",
            "--metrics-listen=127.0.0.1:0",
            "--leader-elect",
            "--leader-elect-resource-namespace",
            SYSTEM,
        ]);
        // With the rights of its account, and no others.
        program.arg(format!("--as=system:serviceaccount:{SYSTEM}:{NAME}")).stdin(Stdio::null());
        let mut operator = Running::start("the operator", &mut program)?;

        eventually(&mut operator, || {
            Ok(kubectl(&["wait", "--for=condition=Established", "--timeout=10s", "crd/notes.example.com"])?)
        })?;
        eventually(&mut operator, || Ok(kubectl(&["apply", "-f", &config("samples")])?))?;
        let wait = ["wait", "--for=condition=Ready", "--timeout=60s", "note/sample"];
        kubectl(&wait)?;
        let text = kubectl(&["get", "configmap", "sample", "-o", "jsonpath={.data.text}"])?;
        ensure!(text == "hello", "the config map says {text:?}");
        // The desired state changes, and a change by another client is reverted.
        kubectl(&["patch", "note", "sample", "--type=merge", "-p", r#"{"spec":{"text":"there"}}"#])?;
        let says = |expected: &str| {
            let expected = format!("--for=jsonpath={{.data.text}}={expected}");
            kubectl(&["wait", &expected, "--timeout=60s", "configmap/sample"])
        };
        says("there")?;
        kubectl(&["patch", "configmap", "sample", "--type=merge", "-p", r#"{"data":{"text":"else"}}"#])?;
        says("there")?;
        kubectl(&["delete", "note", "sample", "--timeout=60s"])?;
        // The garbage collector deletes its dependents with it.
        kubectl(&["wait", "--for=delete", "--timeout=60s", "configmap/sample"])?;
        let lease = cluster.run_kubectl(&[
            "get",
            "lease",
            NAME,
            "-n",
            SYSTEM,
            "-o",
            "jsonpath={.spec.holderIdentity}",
        ])?;
        ensure!(!lease.is_empty(), "the operator leads without a lease");
        let events = kubectl(&["get", "events", "-o", "jsonpath={.items[*].reason}"])?;
        ensure!(events.contains("Applied") && events.contains("CleanedUp"), "events: {events:?}");
        operator.end()?;
        // The printed definition equals the installed one.
        let printed = Command::new(self.program()).arg("--print-crd").stderr(Stdio::inherit()).output()?;
        ensure!(printed.status.success(), "--print-crd ended with {}", printed.status);
        let file = self.folder.join("crd.yaml");
        std::fs::write(&file, &printed.stdout)?;
        // As it was applied: kubectl's own annotation is not a difference.
        cluster.run_kubectl(&["diff", "-f", &file.display().to_string()])?;
        cluster.run_kubectl(&["delete", "-f", crd, "-f", rbac, "-f", manager, "--timeout=60s"])?;
        Ok(())
    }
}

/// Tries until it works, as long as the operator runs.
pub(crate) fn eventually(
    operator: &mut Running,
    mut attempt: impl FnMut() -> Result<String>,
) -> Result<String> {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(done) => return Ok(done),
            Err(error) if start.elapsed() > PATIENCE => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(200)),
        }
        operator.check()?;
    }
}
