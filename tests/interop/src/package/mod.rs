//! `cargo xtask package`: what would be published, and a new project that depends on it.

mod archives;
mod project;

use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use client_rs_tests_tools::Report;

/// Packages every published crate, and builds README's controller in a new project against the packages.
///
/// The packages and the crates that they need become a directory that cargo takes for crates.io, so the project depends on
/// `client-rs` by its version, as it will after a release. Then its program runs against `krs serve`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only create the packages and check their content; takes seconds
    #[arg(long)]
    quick: bool,
    /// Also compile each package by itself, as `cargo publish` does
    #[arg(long, conflicts_with = "quick")]
    verify: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let published = archives::published()?;
    let folder = tempfile::tempdir().context("can't make a folder")?;
    let project = project::Project::new(folder.path(), &published);
    let steps: [(&str, &dyn Fn() -> Result<()>); 6] = [
        ("every published crate is packaged", &|| archives::package(&published, args.verify)),
        ("packages hold what they should, and no more", &|| archives::check(&published)),
        ("packages and what they need, as a registry", &|| project.registry()),
        ("cargo new, with README's controller", &|| project.write()),
        ("cargo build", &|| project.build()),
        ("it runs against krs serve", &|| project.operate()),
    ];
    let count = if args.quick { 2 } else { steps.len() };
    let mut report = Report::new("package");
    for (name, step) in &steps[..count] {
        let start = Instant::now();
        let outcome = step();
        let failed = outcome.is_err();
        report.record(&format!("{name} ({} s)", start.elapsed().as_secs()), outcome);
        if failed {
            break;
        }
    }
    Ok(report.finish())
}
