//! `cargo xtask sim`: the programs of the simulation, one per tier.

use std::ffi::OsString;
use std::process::{ExitCode, Stdio};

use anyhow::{Context as _, Result, bail, ensure};
use client_rs_tests_tools::workspace::{cargo, delegate};

/// The number of histories that are compared, unless the command names another one.
const DIGESTS: u64 = 1_000;

/// The package and the program of a tier.
fn program(tier: &str) -> Result<[&'static str; 2]> {
    Ok(match tier {
        "a" => ["client-rs-sim", "sim"],
        "b" => ["client-rs-sim-replicas", "sim-replicas"],
        "c" => ["client-rs-sim-bytes", "sim-bytes"],
        "d" => ["client-rs-sim-plane", "sim-plane"],
        other => bail!("there is no tier {other:?}: a, b, c or d"),
    })
}

/// Runs the program of a tier, with the arguments that are left.
pub(crate) fn run(arguments: &[OsString]) -> Result<ExitCode> {
    let mut arguments = arguments.to_vec();
    if take_flag(&mut arguments, "--corpus") {
        let mut command = cargo();
        let program = ["--package", "client-rs-operators", "--bin", "operators", "--"];
        return delegate(
            command
                .args(["run", "--quiet", "--locked", "--profile", "histories"])
                .args(program)
                .args(arguments),
        );
    }
    let tier = match arguments.iter().position(|argument| argument == "--tier") {
        Some(place) => {
            ensure!(place + 1 < arguments.len(), "--tier needs a tier: a, b, c or d");
            arguments.drain(place..place + 2).nth(1).unwrap_or_default()
        }
        None => "a".into(),
    };
    let tier = tier.to_str().context("a tier is a letter")?;
    let [package, binary] = program(tier)?;
    if let Some(place) = arguments.iter().position(|argument| argument == "--digests") {
        let count = arguments.get(place + 1).and_then(|text| text.to_str()?.parse().ok());
        return digests(tier, count.unwrap_or(DIGESTS));
    }
    let mut command = cargo();
    command.args(["run", "--quiet", "--locked", "--package", package, "--bin", binary]);
    // Machines run a million histories. The others are rather compiled fast, unless a campaign is long.
    if take_flag(&mut arguments, "--optimized") || tier == "a" {
        command.args(["--profile", "sim"]);
    }
    // Seeded faults are compiled in only to be found.
    if arguments.iter().any(|argument| argument == "--canaries" || argument == "--canary") {
        command.args(["--features", "canary"]);
    }
    delegate(command.arg("--").args(arguments))
}

/// Removes a flag. Returns whether it was there.
fn take_flag(arguments: &mut Vec<OsString>, flag: &str) -> bool {
    let before = arguments.len();
    arguments.retain(|argument| argument != flag);
    arguments.len() < before
}

/// Checks that the same seeds give the same histories in two processes, with and without optimization. Those of tiers a and c are
/// also the same in both.
fn digests(tier: &str, count: u64) -> Result<ExitCode> {
    ensure!(tier != "d", "histories of a real control plane are not repeated: tiers a, b and c have digests");
    let [package, binary] = program(tier)?;
    // A seed of tier a has a history for each of three subjects, in two modes.
    let seeds = if tier == "a" { count.div_ceil(6) } else { count };
    let mut first: Option<String> = None;
    for profile in ["dev", "sim"] {
        // Whole replicas are repeated exactly by the same program, but not by one with another optimization.
        if tier == "b" {
            first = None;
        }
        for process in 1..=2 {
            let mut command = cargo();
            command.args(["run", "--quiet", "--locked", "--profile", profile, "--package", package]);
            command.args(["--bin", binary, "--", "--digest", "--seeds", &seeds.to_string()]);
            let output = command.stderr(Stdio::inherit()).output()?;
            ensure!(output.status.success(), "the simulation has failed");
            let text = String::from_utf8(output.stdout)?;
            let expected = first.get_or_insert_with(|| text.clone());
            let differs = expected.lines().zip(text.lines()).find(|(one, other)| one != other);
            ensure!(differs.is_none() && expected.len() == text.len(), "histories differ: {differs:?}");
            println!("sim: profile {profile}, process {process}: {} histories", text.lines().count());
        }
    }
    let count = first.map_or(0, |text| text.lines().count());
    println!(
        "sim: tier {tier}: {count} histories are the same in every process, with and without optimization"
    );
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tier_has_a_program() {
        for tier in ["a", "b", "c", "d"] {
            assert_eq!(program(tier).unwrap().len(), 2);
        }
        assert!(program("e").unwrap_err().to_string().contains("no tier \"e\""));
    }

    #[test]
    fn flags_of_the_command_do_not_reach_the_program() {
        let mut arguments: Vec<OsString> = ["--seeds", "5", "--optimized"].map(Into::into).to_vec();
        assert!(take_flag(&mut arguments, "--optimized"));
        assert!(!take_flag(&mut arguments, "--optimized"));
        assert_eq!(arguments, ["--seeds", "5"]);
    }
}
