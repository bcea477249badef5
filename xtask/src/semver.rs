//! `cargo xtask semver`: checks that no release breaks semantic versioning.

use std::process::{ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace::{self, cargo, command};

use crate::published;

/// Compares the public API of every published crate with that of the last release, by cargo-semver-checks.
///
/// The last release is the newest tag that looks like v1.2.3, or --baseline.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Compare with this tag or commit
    #[arg(long, value_name = "REVISION")]
    baseline: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Some(baseline) = args.baseline.clone().map_or_else(last_release, |revision| Ok(Some(revision)))?
    else {
        println!("semver: there is no release yet, nothing to compare with");
        return Ok(ExitCode::SUCCESS);
    };
    let mut version = cargo();
    version.args(["semver-checks", "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    if !version.status().is_ok_and(|status| status.success()) {
        bail!("cargo-semver-checks is not there: `cargo install --locked cargo-semver-checks`");
    }
    println!("semver: compared with {baseline}");
    let mut checks = cargo();
    checks.args(["semver-checks", "--baseline-rev", &baseline]);
    for name in published::libraries()? {
        checks.args(["--package", &name]);
    }
    workspace::run(&mut checks)?;
    println!("semver: 1 passed, 0 failed");
    Ok(ExitCode::SUCCESS)
}

/// The newest tag of a version, if there is one.
fn last_release() -> Result<Option<String>> {
    let mut tags = command("git");
    tags.args(["tag", "--list", "--sort=-version:refname", "v[0-9]*"]);
    let output = tags.stderr(Stdio::inherit()).output().context("can't start git")?;
    if !output.status.success() {
        bail!("`git tag` ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned))
}
