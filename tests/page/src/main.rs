//! `cargo xtask page`: the page of the debug listener in a real browser.

mod browser;
mod checks;
mod stage;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Parser;
use client_rs_tests_tools::workspace;

use self::browser::Browser;
use self::checks::{CHECKS, Scene};

/// Look at the page of the debug listener with a headless Chromium
#[derive(Parser)]
#[command(bin_name = "cargo xtask page")]
struct Args {
    /// Run only checks with this text in their names
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Write the pictures of the guide again
    #[arg(long)]
    pictures: bool,
}

fn main() -> Result<ExitCode> {
    let args = Args::parse();
    let runtime = tokio::runtime::Runtime::new().context("can't start a runtime")?;
    let pictures: Option<PathBuf> = args.pictures.then(|| workspace::root().join("docs/guide/img"));
    let mut browser = Browser::start()?;
    let (mut passed, mut failed) = (0, 0);
    for (name, check) in CHECKS.iter().filter(|(name, _)| name.contains(&args.only)) {
        let mut scene =
            Scene { browser: &mut browser, runtime: runtime.handle(), pictures: pictures.as_deref() };
        match check(&mut scene) {
            Ok(()) => {
                passed += 1;
                println!("passed  {name}");
            }
            Err(error) => {
                failed += 1;
                println!("FAILED  {name}: {error:#}");
            }
        }
    }
    drop(browser);
    println!("page: {passed} passed, {failed} failed");
    // Managers may still be draining.
    runtime.shutdown_background();
    Ok(if failed == 0 && passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
