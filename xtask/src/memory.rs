//! `cargo xtask memory`: the modules with `unsafe` code under a tool that sees every access.

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, bail};

use client_rs_tests_tools::workspace::{self, cargo, command};

/// Runs the tests of all `unsafe` code under `AddressSanitizer`, or under valgrind where there is no nightly toolchain.
#[derive(clap::Args)]
pub(crate) struct Args {}

/// A package with `unsafe` code.
struct Package {
    name: &'static str,
    /// The tests that exercise that code.
    tests: &'static [&'static str],
    /// The files and folders of that code.
    places: &'static [&'static str],
    /// The reason why valgrind can't run these tests.
    not_valgrind: Option<&'static str>,
}

const PACKAGES: [Package; 2] = [
    // Collections, text from bytes, JSON that is read by blocks.
    Package {
        name: "client-rs-machinery",
        tests: &["collections::", "utf8::", "wire::json::"],
        places: &[
            "crates/machinery/src/collections/raw",
            "crates/machinery/src/utf8.rs",
            "crates/machinery/src/wire/json/block.rs",
        ],
        not_valgrind: None,
    },
    // The clock and the random numbers of a simulation.
    Package {
        name: "client-rs-simulation",
        tests: &["os::"],
        places: &["crates/simulation/src/os.rs"],
        not_valgrind: Some("rustix reads the vDSO of the process, which valgrind hides"),
    },
];
/// loom's own coroutines leak, which is not ours to find.
const SKIPPED: &str = "loom_";

pub(crate) fn run(_args: &Args) -> Result<ExitCode> {
    check_places()?;
    if answers(command("cargo").args(["+nightly", "--version"])) {
        println!("memory: AddressSanitizer, nightly toolchain");
        PACKAGES.iter().try_for_each(with_sanitizer)?;
    } else if answers(command("valgrind").arg("--version")) {
        println!("memory: valgrind");
        PACKAGES.iter().try_for_each(with_valgrind)?;
    } else {
        bail!(
            "neither a nightly toolchain (`rustup toolchain install nightly`) nor valgrind is there: install one"
        );
    }
    println!("memory: {} passed, 0 failed", PACKAGES.len());
    Ok(ExitCode::SUCCESS)
}

fn with_sanitizer(package: &Package) -> Result<()> {
    let target = host()?;
    let mut tests = command("cargo");
    tests.args(["+nightly", "test", "--package", package.name, "--lib", "--target", &target, "--target-dir"]);
    tests.arg(workspace::target().join("asan"));
    tests.env("RUSTFLAGS", "-Zsanitizer=address").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    workspace::run(tests.arg("--").args(package.tests).args(["--skip", SKIPPED]))
}

fn with_valgrind(package: &Package) -> Result<()> {
    if let Some(why) = package.not_valgrind {
        println!("memory: {} is not checked without a nightly toolchain: {why}", package.name);
        return Ok(());
    }
    let output = cargo()
        .args(["test", "--package", package.name, "--lib", "--no-run", "--message-format=json"])
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
    valgrind.arg(binary).args(package.tests).args(["--skip", SKIPPED, "--test-threads", "1"]);
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
            let mut places = PACKAGES.iter().flat_map(|package| package.places);
            let known = places.any(|place| path.starts_with(workspace::root().join(place)));
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
