//! Results of Go's libraries: programs of `tests/corpora/go`, each of which prints the same bytes every time.

use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use client_rs_tests_tools::{Report, workspace};
use serde_json::Value;

use crate::corpus::{self, How};

/// Records a corpus that Go generates, or compares it with the existing one.
pub(crate) fn run(name: &str, how: &How) -> Result<ExitCode> {
    workspace::run(workspace::command("go").arg("version"))?;
    let mut report = Report::new(format!("record {name}"));
    report.record(name, record(name, how));
    Ok(report.finish())
}

fn record(name: &str, how: &How) -> Result<()> {
    let (module, ending) = match name {
        "correlator" | "events" => ("k8s.io/client-go", "jsonl"),
        "jsonpath" => ("k8s.io/client-go", "json"),
        _ => ("k8s.io/apimachinery", "jsonl"),
    };
    let path = corpus::folder().join(format!("{name}.{ending}"));
    let known = std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let body = match name {
        "correlator" => output(&mut go(&["run", "./events"]))?,
        "events" => traces()?,
        // Seed and count are fixed: the same Go yields the same bytes.
        "patches" => output(&mut go(&["run", "./patches", "-count", "100"]))?,
        "jsonpath" | "labels" | "names" | "quantity" => {
            output(go(&["run", "./tables", name]).stdin(File::open(&path)?))?
        }
        other => bail!("Go has no part in {other}"),
    };
    let version = output(&mut go(&["list", "-m", "-f", "{{.Path}} {{.Version}}", module]))?;
    let recorded = match ending {
        "json" => corpus::document(name, version.trim()) + &body,
        _ => format!("{}\n{body}", corpus::head(name, version.trim(), described(&known).as_deref())),
    };
    keep(&path, &known, &recorded, how.check)
}

/// Returns the description of the lines in the head of a table.
fn described(known: &str) -> Option<String> {
    let head: Value = serde_json::from_str(known.lines().next()?).ok()?;
    head["recorded"]["line"].as_str().map(str::to_owned)
}

fn keep(path: &Path, known: &str, recorded: &str, check: bool) -> Result<()> {
    if !check {
        return corpus::write(path, recorded);
    }
    let line = known.lines().zip(recorded.lines()).take_while(|(known, now)| known == now).count() + 1;
    ensure!(known == recorded, "Go does otherwise from line {line} on");
    Ok(())
}

fn traces() -> Result<String> {
    let folder = tempfile::tempdir().context("can't make a scratch folder")?;
    let path = folder.path().join("traces.jsonl");
    output(go(&["test", "./events", "-run", "TestTraces", "-count=1", "-args", "-out"]).arg(&path))?;
    std::fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))
}

fn output(command: &mut Command) -> Result<String> {
    let output = command.output().context("can't run go")?;
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    Ok(String::from_utf8(output.stdout)?)
}

fn go(args: &[&str]) -> Command {
    let mut command = workspace::command("go");
    command.args(args).current_dir(corpus::folder().join("go"));
    command
}
