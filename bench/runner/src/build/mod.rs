//! `cargo xtask bench build`: the cost of a build for users, compared with kube-rs and client-go.
//!
//! Crates and modules are downloaded before the measurement. Three parts:
//!
//! - **first**: README's first command in a fresh copy of this checkout, its build and its run;
//! - **debug**: README's controller as a project of its own, built from nothing, and built again after a change of
//!   one line;
//! - **release**: the same with `--release`, and the size of the program without symbols.
//!
//! The peers' controllers do the same: a cache of all pods, a queue of keys, a worker that prints a pod's phase. All
//! have the profiles of a new cargo project. Go also compiles its standard library, because its build cache is empty.

mod cost;
mod projects;
mod report;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::ValueEnum;
use client_rs_tests_tools::Readme;
use client_rs_tests_tools::workspace::{self, cargo};

use self::cost::{as_in_a_new_shell, measured};
use self::projects::{Profile, Project, Side, built_by_cargo};
use self::report::{Build, Figures, First};
use crate::page::Page;

/// CPU seconds of builds, and sizes of programs: ours, kube-rs's and client-go's.
///
/// Each build runs once. The change of one line runs three times, and the least counts. CPU seconds are user and
/// system time of the command and of all processes that it starts. Takes many minutes.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Build the peers' controllers too
    #[arg(long)]
    peers: bool,
    /// Exit with 1 when a limit is passed, and name it
    #[arg(long)]
    check: bool,
    /// Only these parts
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
}

/// The parts of the benchmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Part {
    First,
    Debug,
    Release,
}

/// How often a line is changed.
const CHANGES: usize = 3;

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    let has = |part| args.only.is_empty() || args.only.contains(&part);
    let mut figures = Figures::default();
    if has(Part::First) {
        eprintln!("README's first command…");
        figures.first = Some(first()?);
    }
    for side in Side::all(args.peers) {
        if has(Part::Debug) {
            eprintln!("{}, debug…", side.name());
            debug(*side, &mut figures)?;
        }
        if has(Part::Release) {
            eprintln!("{}, release…", side.name());
            release(*side, &mut figures)?;
        }
    }
    Ok(report::report(&figures, args.check, page))
}

/// README's first command, built and then run.
fn first() -> Result<First> {
    let readme = Readme::here()?;
    let words = readme.first_command()?;
    ensure!(words.starts_with(&["cargo", "run"]), "README's first command is not `cargo run`");
    let folder = projects::clone()?;
    let command = || {
        let mut command = cargo();
        as_in_a_new_shell(&mut command).current_dir(folder.path());
        command.env("CARGO_TARGET_DIR", folder.path().join("target"));
        command
    };
    workspace::run(command().args(["fetch", "--quiet", "--locked"]))?;
    let options: Vec<&str> = words[2..].iter().copied().take_while(|word| *word != "--").collect();
    let built = built_by_cargo(command().args(["build", "--offline"]).args(options))?;
    eprintln!("  {built}");
    let (run, _) = measured(command().args(&words[1..]))?;
    Ok(First { words: words.join(" "), build: Build::of(&built), run })
}

fn debug(side: Side, figures: &mut Figures) -> Result<()> {
    let project = Project::new(side)?;
    let cold = project.build(Profile::Debug)?;
    eprintln!("  {cold}");
    let mut rebuilt = f64::INFINITY;
    for number in 1..=CHANGES {
        project.change(number)?;
        rebuilt = rebuilt.min(project.build(Profile::Debug)?.cost.cpu_seconds);
    }
    let figures = figures.controllers.entry(side).or_default();
    figures.debug = Some(Build::of(&cold));
    figures.rebuilt_cpu_seconds = Some(rebuilt);
    Ok(())
}

fn release(side: Side, figures: &mut Figures) -> Result<()> {
    let project = Project::new(side)?;
    let cold = project.build(Profile::Release)?;
    eprintln!("  {cold}");
    // Go's linker has left symbols out already.
    let bytes = if side == Side::ClientGo {
        cold.program.metadata()?.len()
    } else {
        projects::stripped(&cold.program)?
    };
    let figures = figures.controllers.entry(side).or_default();
    figures.release = Some(Build::of(&cold));
    figures.stripped_bytes = Some(bytes);
    Ok(())
}
