//! `cargo xtask targets`: the library compiles for systems other than this one.

use std::process::ExitCode;

use anyhow::{Context, Result};
use client_rs_tests_tools::workspace::{self, cargo};

use crate::{published, toolchain};

/// Compiles the façade for other systems, as far as that needs no C compiler of theirs.
///
/// It has the default features and most others, without those that bring C code. The forge compiles with them, on machines of
/// those systems.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Install what is missing (by rustup)
    #[arg(long)]
    install: bool,
    /// Only these targets
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
}

const TARGETS: [&str; 5] = [
    "aarch64-unknown-linux-gnu",
    "x86_64-unknown-linux-musl",
    "aarch64-apple-darwin",
    "x86_64-pc-windows-gnu",
    "x86_64-pc-windows-msvc",
];

/// Features whose dependencies have C or assembler code.
const WITH_C: [&str; 4] = ["aws-lc-rs", "certificate", "packed", "ring"];
/// Features besides the default ones that bring code of their own, some of which differs between systems.
const MORE: [&str; 8] = ["clap", "copy", "core", "disk-cache", "manifest", "oidc", "streams", "terminal"];

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let features = published::default_features("client-rs")?;
    let default = features.iter().map(String::as_str).filter(|feature| !WITH_C.contains(feature));
    let features = default.chain(MORE).collect::<Vec<_>>().join(",");
    let targets =
        TARGETS.iter().filter(|target| args.only.is_empty() || args.only.iter().any(|only| only == *target));
    let mut passed = 0;
    for target in targets {
        toolchain::need_target(target, args.install).with_context(|| format!("can't check {target}"))?;
        println!("{target}: {features}");
        let mut check = cargo();
        check.args(["check", "--quiet", "--locked", "--package", "client-rs", "--no-default-features"]);
        workspace::run(check.args(["--features", &features, "--target", target]))?;
        passed += 1;
    }
    println!("targets: {passed} passed, 0 failed");
    Ok(ExitCode::SUCCESS)
}
