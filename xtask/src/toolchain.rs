//! Rust toolchains other than the one that runs this.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use client_rs_tests_tools::workspace::{self, command};

/// Checks that a toolchain is installed. With `install`, installs it.
pub(crate) fn need(version: &str, install: bool) -> Result<()> {
    if answers(rustup().args(["run", version, "cargo", "--version"])) {
        return Ok(());
    }
    let words = ["toolchain", "install", version, "--profile", "minimal"];
    if install {
        return workspace::run(rustup().args(words));
    }
    bail!("Rust {version} is not there: `rustup {}`, or --install", words.join(" "))
}

/// Checks that the standard library of a target is installed. With `install`, installs it.
pub(crate) fn need_target(target: &str, install: bool) -> Result<()> {
    let output = rustup().args(["target", "list", "--installed"]).output().context("can't start rustup")?;
    if String::from_utf8_lossy(&output.stdout).lines().any(|line| line == target) {
        return Ok(());
    }
    if install {
        return workspace::run(rustup().args(["target", "add", target]));
    }
    bail!("the standard library for {target} is not there: `rustup target add {target}`, or --install")
}

/// Cargo of a toolchain.
pub(crate) fn cargo_of(version: &str) -> Command {
    let mut command = rustup();
    command.args(["run", version, "cargo"]);
    command
}

/// `rustup`, without what the cargo that runs this program has set: it would choose the toolchain.
fn rustup() -> Command {
    let mut command = command("rustup");
    command.env_remove("CARGO").env_remove("RUSTC").env_remove("RUSTUP_TOOLCHAIN");
    command
}

fn answers(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
