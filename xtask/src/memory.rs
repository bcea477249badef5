//! `cargo xtask memory`: the modules with `unsafe` code under a tool that sees every access.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use crate::workspace::{self, cargo, command};

/// Runs the tests of all `unsafe` code under `AddressSanitizer`, or under valgrind where there is no nightly toolchain.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// The package and the tests that exercise its `unsafe` code.
const PACKAGE: &str = "client-rs-machinery";
const FILTER: &str = "collections::";
/// loom's own coroutines leak, which is not ours to find.
const SKIPPED: &str = "loom_";

pub(crate) fn run(_args: &Args) -> Result<ExitCode> {
    if answers(command("cargo").args(["+nightly", "--version"])) {
        println!("memory: AddressSanitizer, nightly toolchain");
        with_sanitizer()?;
    } else if answers(command("valgrind").arg("--version")) {
        println!("memory: valgrind");
        with_valgrind()?;
    } else {
        bail!(
            "neither a nightly toolchain (`rustup toolchain install nightly`) nor valgrind is there: install one"
        );
    }
    println!("memory: 1 passed, 0 failed");
    Ok(ExitCode::SUCCESS)
}

fn with_sanitizer() -> Result<()> {
    let target = host()?;
    let mut tests = command("cargo");
    tests.args(["+nightly", "test", "--package", PACKAGE, "--lib", "--target", &target, "--target-dir"]);
    tests.arg(workspace::root().join("target/asan"));
    tests.env("RUSTFLAGS", "-Zsanitizer=address").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    workspace::run(tests.args(["--", FILTER, "--skip", SKIPPED]))
}

fn with_valgrind() -> Result<()> {
    let output = cargo()
        .args(["test", "--package", PACKAGE, "--lib", "--no-run", "--message-format=json"])
        .stderr(Stdio::inherit())
        .output()
        .context("can't start cargo")?;
    let binary = String::from_utf8_lossy(&output.stdout)
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .context("cargo named no test binary")?;
    let mut valgrind = command("valgrind");
    valgrind.args(["--quiet", "--error-exitcode=1", "--leak-check=full", "--errors-for-leak-kinds=definite"]);
    valgrind.arg(binary).args([FILTER, "--skip", SKIPPED, "--test-threads", "1"]);
    workspace::run(valgrind.env("PROPTEST_CASES", "8"))
}

fn answers(command: &mut Command) -> bool {
    let command = command.stdout(Stdio::null()).stderr(Stdio::null());
    command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").status().is_ok_and(|status| status.success())
}

fn host() -> Result<String> {
    let output = command("rustc").arg("-vV").output().context("can't start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).context("rustc names no host")
}
