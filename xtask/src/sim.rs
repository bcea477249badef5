//! `cargo xtask sim`: the programs of the simulation, one per tier.

use std::ffi::OsString;
use std::process::{ExitCode, Stdio};

use anyhow::{Result, ensure};
use client_rs_tests_tools::workspace::{cargo, delegate};

/// Runs the program of a tier, with the arguments that are left.
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    if arguments.iter().any(|argument| argument == "--digests") {
        return digests();
    }
    if let Some(place) = arguments.iter().position(|argument| argument == "--corpus") {
        let mut command = cargo();
        let program = ["--package", "client-rs-operators", "--bin", "operators", "--"];
        command.args(["run", "--quiet", "--locked"]).args(program);
        return delegate(command.args(&arguments[..place]).args(&arguments[place + 1..]));
    }
    let tier = arguments.iter().position(|argument| argument == "--tier");
    let program = tier.and_then(|place| match arguments.get(place + 1)?.to_str()? {
        "b" => Some((place, ["--package", "client-rs-sim-replicas", "--bin", "sim-replicas", "--"])),
        "c" => Some((place, ["--package", "client-rs-sim-bytes", "--bin", "sim-bytes", "--"])),
        _ => None,
    });
    if let Some((place, program)) = program {
        let mut command = cargo();
        command.args(["run", "--quiet", "--locked"]).args(program);
        return delegate(command.args(&arguments[..place]).args(&arguments[place + 2..]));
    }
    let mut command = cargo();
    // Optimized, because it runs a million histories.
    command.args([
        "run",
        "--quiet",
        "--locked",
        "--profile",
        "sim",
        "--package",
        "client-rs-sim",
        "--bin",
        "sim",
    ]);
    // Seeded faults are compiled in only to be found.
    if arguments.iter().any(|argument| argument == "--canaries" || argument == "--canary") {
        command.args(["--features", "canary"]);
    }
    delegate(command.arg("--").args(arguments))
}

/// Checks that the same seeds give the same histories in two processes, with and without optimization.
fn digests() -> Result<ExitCode> {
    let mut first: Option<String> = None;
    for profile in ["dev", "sim"] {
        for _ in 0..2 {
            let mut command = cargo();
            command.args(["run", "--quiet", "--locked", "--profile", profile, "--package", "client-rs-sim"]);
            command.args(["--bin", "sim", "--", "--digest", "--seeds", "170"]).stderr(Stdio::inherit());
            let output = command.output()?;
            ensure!(output.status.success(), "the simulation has failed");
            let text = String::from_utf8(output.stdout)?;
            let expected = first.get_or_insert_with(|| text.clone());
            let differs = expected.lines().zip(text.lines()).find(|(one, other)| one != other);
            ensure!(differs.is_none() && expected.len() == text.len(), "histories differ: {differs:?}");
        }
    }
    let count = first.map_or(0, |text| text.lines().count());
    println!("sim: {count} histories are the same in four processes, with and without optimization");
    Ok(ExitCode::SUCCESS)
}
