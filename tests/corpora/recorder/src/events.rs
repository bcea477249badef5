//! What client-go makes of events: what its correlator says to each event of random sequences, and what its broadcasters of
//! both APIs send to a server, call by call. The tests of `crates/events` compare.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace;

/// Records a file of `tests/corpora`, or compares it with the one that is there.
pub(crate) fn run(name: &str, check: bool, record: fn() -> Result<Vec<u8>>) -> Result<ExitCode> {
    workspace::run(workspace::command("go").arg("version"))?;
    let path = workspace::root().join("tests/corpora").join(format!("{name}.jsonl"));
    let mut report = Report::new(format!("record {name}"));
    report.record(name, record().and_then(|recorded| keep(&path, &recorded, check)));
    Ok(report.finish())
}

fn keep(path: &Path, recorded: &[u8], check: bool) -> Result<()> {
    if !check {
        return std::fs::write(path, recorded).with_context(|| format!("can't write {}", path.display()));
    }
    let known = std::fs::read(path).with_context(|| format!("can't read {}", path.display()))?;
    let differ = known.split(|byte| *byte == b'\n').zip(recorded.split(|byte| *byte == b'\n'));
    let line = differ.take_while(|(known, recorded)| known == recorded).count() + 1;
    ensure!(known == recorded, "client-go does otherwise from line {line} on");
    Ok(())
}

pub(crate) fn correlator() -> Result<Vec<u8>> {
    let mut command = go("events", &["run", "."]);
    let output = command.output().context("can't run go")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

pub(crate) fn traces() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().context("can't make a scratch folder")?;
    let path = folder.path().join("traces.jsonl");
    let mut command = go("events", &["test", "-run", "TestTraces", "-count=1", ".", "-args", "-out"]);
    let output = command.arg(&path).output().context("can't run go")?;
    let said = [output.stdout, output.stderr].concat();
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))
}

/// A command of Go in a folder of `tests/corpora/go`.
pub(crate) fn go(folder: &str, args: &[&str]) -> Command {
    let folder: PathBuf = workspace::root().join("tests/corpora/go").join(folder);
    let mut command = workspace::command("go");
    command.args(args).current_dir(folder);
    command
}
