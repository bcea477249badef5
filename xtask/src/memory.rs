//! `cargo xtask memory`: the modules with `unsafe` code under a tool that sees every access.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace::{self, cargo, command};

/// Runs the tests of all `unsafe` code under `AddressSanitizer`, or under valgrind where there is no nightly toolchain.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// The package and the tests that exercise its `unsafe` code: that of collections, of text from bytes, and of what reads JSON by
/// blocks.
const PACKAGE: &str = "client-rs-machinery";
const FILTERS: [&str; 3] = ["collections::", "utf8::", "wire::json::"];
/// Where that code is.
const PLACES: [&str; 3] = [
    "crates/machinery/src/collections/raw",
    "crates/machinery/src/utf8.rs",
    "crates/machinery/src/wire/json/block.rs",
];
/// loom's own coroutines leak, which is not ours to find.
const SKIPPED: &str = "loom_";

pub(crate) fn run(_args: &Args) -> Result<ExitCode> {
    check_places()?;
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
    tests.arg(workspace::target().join("asan"));
    tests.env("RUSTFLAGS", "-Zsanitizer=address").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    workspace::run(tests.arg("--").args(FILTERS).args(["--skip", SKIPPED]))
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
    valgrind.arg(binary).args(FILTERS).args(["--skip", SKIPPED, "--test-threads", "1"]);
    workspace::run(valgrind.env("PROPTEST_CASES", "8"))
}

/// All `unsafe` code is where the tests look.
fn check_places() -> Result<()> {
    let mut folders = vec![workspace::root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| format!("can't read {}", folder.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let is_code = path.extension().is_some_and(|extension| extension == "rs");
            let known = PLACES.iter().any(|place| path.starts_with(workspace::root().join(place)));
            if is_code && !known && std::fs::read_to_string(&path)?.contains("(unsafe_code") {
                bail!("{} has unsafe code: name it here, with the tests that exercise it", path.display());
            }
        }
    }
    Ok(())
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
