//! `cargo xtask events-corpus`: what client-go makes of events, for ours to be held against.
//!
//! Two files of `crates/events/testdata`: what client-go's correlator says to each event of random sequences, and what its
//! broadcasters of both APIs send to a server, call by call. The tests of `crates/events` compare.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};

use crate::report::Report;
use crate::workspace;

/// Records what client-go makes of random events. Needs Go.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Change nothing; fail where client-go does otherwise than recorded
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    workspace::run(workspace::command("go").arg("version"))?;
    let testdata = workspace::root().join("crates/events/testdata");
    let mut report = Report::new("events-corpus".to_owned());
    for (file, record) in [
        ("correlator.jsonl", correlator as fn() -> Result<Vec<u8>>),
        ("traces.jsonl", traces as fn() -> Result<Vec<u8>>),
    ] {
        let outcome = record().and_then(|recorded| keep(&testdata.join(file), &recorded, args.check));
        report.record(file, outcome);
    }
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

fn correlator() -> Result<Vec<u8>> {
    let mut command = go(&["run", "."]);
    let output = command.output().context("can't run go")?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Ok(output.stdout)
}

fn traces() -> Result<Vec<u8>> {
    let folder = tempfile::tempdir().context("can't make a scratch folder")?;
    let path = folder.path().join("traces.jsonl");
    let mut command = go(&["test", "-run", "TestTraces", "-count=1", ".", "-args", "-out"]);
    let output = command.arg(&path).output().context("can't run go")?;
    let said = [output.stdout, output.stderr].concat();
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    std::fs::read(&path).with_context(|| format!("can't read {}", path.display()))
}

fn go(args: &[&str]) -> Command {
    let folder: PathBuf = workspace::root().join("hack/eventcorpus");
    let mut command = workspace::command("go");
    command.args(args).current_dir(folder);
    command
}
