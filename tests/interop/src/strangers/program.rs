//! Third-party clients that are programs: each prints one line of JSON per check.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, bail};
use serde::Deserialize;

use client_rs_tests_tools::Report;
use client_rs_tests_tools::workspace::{self, cargo, command};

/// A program's line about one check; without an error it passed.
#[derive(Debug, Deserialize)]
struct Line {
    check: String,
    #[serde(default)]
    error: String,
}

/// Builds the Go program of a folder here.
pub(super) fn build_go(name: &str) -> Result<PathBuf> {
    let binary = workspace::target().join("interop").join(name);
    let mut go = command("go");
    go.current_dir(workspace::root().join("tests/interop").join(name));
    go.args(["build", "-o"]).arg(&binary).arg(".");
    workspace::run(&mut go)?;
    Ok(binary)
}

/// Builds the Rust program of a folder here, which is a workspace of its own.
pub(super) fn build_rust(name: &str) -> Result<PathBuf> {
    let folder = workspace::root().join("tests/interop").join(name);
    let target = workspace::target().join("interop").join(name);
    let mut build = cargo();
    build.args(["build", "--locked", "--manifest-path"]).arg(folder.join("Cargo.toml"));
    build.arg("--target-dir").arg(&target);
    workspace::run(&mut build)?;
    Ok(target.join("debug").join(format!("strangers-{name}")))
}

/// Runs one against the server of a kubeconfig. One that breaks off is a failed check more.
pub(super) fn run(client: &str, binary: &Path, kubeconfig: &Path, report: &mut Report) -> Result<()> {
    let mut child = Command::new(binary)
        .arg("--kubeconfig")
        .arg(kubeconfig)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("can't start {}", binary.display()))?;
    let printed = child.stdout.take().context("the program has no output")?;
    for line in BufReader::new(printed).lines() {
        let (check, outcome) = read(&line?)?;
        report.record(&format!("{client} {check}"), outcome);
    }
    let status = child.wait()?;
    if !status.success() {
        report.record(&format!("{client} ends well"), Err(anyhow!("it ended with {status}")));
    }
    Ok(())
}

fn read(line: &str) -> Result<(String, Result<()>)> {
    let Ok(line) = serde_json::from_str::<Line>(line) else { bail!("this is no check: {line}") };
    let outcome = if line.error.is_empty() { Ok(()) } else { Err(anyhow!("{}", line.error)) };
    Ok((line.check, outcome))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_error_passed() {
        let (check, outcome) = read(r#"{"check":"get"}"#).unwrap();
        assert!(check == "get" && outcome.is_ok());
        assert_eq!(read(r#"{"check":"get","error":"404"}"#).unwrap().1.unwrap_err().to_string(), "404");
        assert!(read("panic: nil map").is_err());
    }
}
