//! The commands of kubectl, and their expected results.

mod access;
mod apply;
mod change;
mod create;
mod custom;
mod delete;
mod discovery;
mod objects;
mod read;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use client_rs_testkit::{Binaries, Folders, Progress};
use serde_json::Value;
use tempfile::TempDir;

use client_rs_tests_tools::Report;

/// The checks by subject, in order: later ones build on what earlier ones made.
const CHECKS: [&[(&str, Check)]; 8] = [
    discovery::CHECKS,
    create::CHECKS,
    apply::CHECKS,
    read::CHECKS,
    change::CHECKS,
    access::CHECKS,
    custom::CHECKS,
    delete::CHECKS,
];

const NAMESPACE: &str = "third-party";
/// The longest that anything may take that is to happen.
const PATIENCE: Duration = Duration::from_mins(1);

type Check = fn(&Kubectl) -> Result<()>;

/// kubectl of one server.
struct Kubectl {
    program: PathBuf,
    kubeconfig: PathBuf,
    /// Its caches, so that it remembers no other server, and files for it to read.
    folder: TempDir,
}

/// The result of a call.
struct Ended {
    ok: bool,
    out: String,
    err: String,
}

pub(super) fn run(kubeconfig: &Path, report: &mut Report) -> Result<()> {
    let binaries = Binaries::ready(&Folders::of_user(), &Progress::stderr())?;
    let kubectl = Kubectl {
        program: binaries.path("kubectl"),
        kubeconfig: kubeconfig.to_owned(),
        folder: tempfile::tempdir()?,
    };
    for (name, check) in CHECKS.concat() {
        report.record(&format!("kubectl {name}"), check(&kubectl));
    }
    Ok(())
}

impl Kubectl {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.env("HOME", self.folder.path()).env_remove("KUBECONFIG");
        command.arg("--kubeconfig").arg(&self.kubeconfig);
        command.arg("--cache-dir").arg(self.folder.path().join("cache"));
        command.args(["--namespace", NAMESPACE]).args(arguments);
        command
    }

    fn end(&self, mut command: Command, input: &str) -> Result<Ended> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .with_context(|| format!("can't start {}", self.program.display()))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A process that does not read its input reports why it ended.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output()?;
        Ok(Ended {
            ok: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Returns its output; an error if it failed.
    fn run(&self, arguments: &[&str]) -> Result<String> {
        self.feed(arguments, "")
    }

    /// Like [`run`](Self::run), with this on standard input.
    fn feed(&self, arguments: &[&str], input: &str) -> Result<String> {
        let ended = self.end(self.command(arguments), input)?;
        ensure!(ended.ok, "`{}` failed: {}", arguments.join(" "), ended.err.trim());
        Ok(ended.out)
    }

    /// Like [`run`](Self::run), repeated until it succeeds: for asynchronous work of a server.
    fn soon(&self, arguments: &[&str]) -> Result<String> {
        let give_up = Instant::now() + PATIENCE;
        loop {
            match self.run(arguments) {
                Err(_) if Instant::now() < give_up => thread::sleep(Duration::from_millis(200)),
                outcome => return outcome,
            }
        }
    }

    /// Returns its error message; an error if it succeeded.
    fn refused(&self, arguments: &[&str], input: &str) -> Result<String> {
        let ended = self.end(self.command(arguments), input)?;
        ensure!(!ended.ok, "`{}` succeeded: {}", arguments.join(" "), ended.out.trim());
        Ok(ended.err)
    }

    /// An object as JSON, managed fields included.
    fn object(&self, name: &str) -> Result<Value> {
        let text = self.run(&["get", name, "-o", "json", "--show-managed-fields"])?;
        Ok(serde_json::from_str(&text)?)
    }

    /// Returns the value at this path of an object.
    fn at(&self, name: &str, pointer: &str) -> Result<Value> {
        Ok(self.object(name)?.pointer(pointer).cloned().unwrap_or(Value::Null))
    }

    fn apply(&self, flags: &[&str], object: &Value) -> Result<String> {
        self.feed(&[&["apply", "-f", "-"], flags].concat(), &object.to_string())
    }

    fn create(&self, object: &Value) -> Result<Value> {
        Ok(serde_json::from_str(&self.feed(&["create", "-f", "-", "-o", "json"], &object.to_string())?)?)
    }
}

fn has(text: &str, parts: &[&str]) -> Result<()> {
    for part in parts {
        ensure!(text.contains(part), "`{part}` is missing in: {}", text.trim());
    }
    Ok(())
}

fn same(found: &Value, expected: &Value) -> Result<()> {
    ensure!(found == expected, "{found} where {expected} was expected");
    Ok(())
}
