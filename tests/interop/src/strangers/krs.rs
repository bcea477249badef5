//! The `krs` that others' tests run with.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use client_rs_tests_tools::workspace::{self, cargo, command};

/// The program that was given, or the one of this workspace, which is built.
pub(super) fn program(given: Option<&Path>) -> Result<PathBuf> {
    if let Some(given) = given {
        return given.canonicalize().with_context(|| format!("can't find {}", given.display()));
    }
    workspace::run(cargo().args(["build", "--locked", "--package", "client-rs-cli", "--bin", "krs"]))?;
    Ok(workspace::target().join("debug/krs"))
}

/// The folder with the programs that envtest starts.
pub(super) fn assets(krs: &Path) -> Result<PathBuf> {
    let output = command(krs).args(["envtest", "path"]).output().context("can't start krs")?;
    ensure!(output.status.success(), "krs envtest path: {}", String::from_utf8_lossy(&output.stderr));
    Ok(PathBuf::from(String::from_utf8(output.stdout)?.trim()))
}
