//! `cargo xtask msrv`: `rust-version` is true.

use std::process::ExitCode;

use anyhow::{Context, Result};
use client_rs_tests_tools::workspace;

use crate::{published, toolchain};

/// Compiles every published crate with the oldest Rust that `rust-version` promises.
///
/// Clippy's `incompatible_msrv` finds newer functions of the standard library on each run of CI; this finds the rest: newer
/// syntax, and dependencies that need a newer compiler.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install the toolchain when it is missing (by rustup)
    #[arg(long)]
    install: bool,
    /// Compile with this version instead, to find out what could be promised
    #[arg(long, value_name = "VERSION")]
    with: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let promised = published::rust_version()?;
    let version = args.with.as_ref().unwrap_or(&promised);
    toolchain::need(version, args.install).context("can't check rust-version")?;
    let mut check = toolchain::cargo_of(version);
    check.args(["check", "--locked"]);
    if args.with.is_some() {
        check.arg("--ignore-rust-version");
    }
    for name in published::all()? {
        check.args(["--package", &name]);
    }
    // Other compilers' artifacts would replace those of the usual one.
    check.env("CARGO_TARGET_DIR", workspace::target().join("msrv"));
    workspace::run(&mut check)?;
    println!("msrv: compiled with Rust {version}");
    println!("msrv: 1 passed, 0 failed");
    Ok(ExitCode::SUCCESS)
}
