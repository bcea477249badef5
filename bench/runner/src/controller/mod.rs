//! `cargo xtask bench controller`: an operator of ours compared with those of controller-runtime and kube-rs.
//!
//! The operator manages Apps, a custom resource: each has an owned `ConfigMap`, an owned `Service` and a status. Every
//! program is a process of its own, and so is the embedded server. Between them is a proxy (`bench/controller-stage`), which
//! delays the events of watches and counts requests. It is a program of its own too, because this one is built without
//! optimization. One round of a program:
//!
//! - It starts on an empty server. Apps are created at a fixed rate: two creates and one status write are due for each.
//! - All specs are changed at the same rate: one update and one status write are due for each.
//! - It starts again: nothing is due.

mod process;
mod programs;
pub(crate) mod recorder;
mod report;
mod targets;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use self::process::{Process, Usage};
use self::programs::{Load, Program, Programs};
use crate::figures::Figures;
use crate::page::Page;

/// An operator of ours compared with controller-runtime's and kube-rs's: CPU, writes, stale runs, memory, delays.
///
/// Each runs with watches that are current, and with watches that are late. Targets: no run with a stale cache and no
/// write more than necessary when watches are late, and ratios to the peers and to the requests alone.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Run the peers too: controller-runtime and kube-rs
    #[arg(long)]
    peers: bool,
    /// Exit with 1 when a target is missed, and name it
    #[arg(long)]
    check: bool,
    /// How many Apps there are
    #[arg(long, default_value_t = 2_000, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    objects: u32,
    /// How many runs of each; the median counts
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// How many Apps are created or changed per second
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// Only this delay of watches, in milliseconds
    #[arg(long, value_parser = ["0", "500"])]
    lag: Option<String>,
}

/// Delays of watches, in milliseconds.
const LAGS: [u64; 2] = [0, 500];
/// The fewest writes per App: two creates and a status write, then an update and a status write.
const FEWEST_WRITES: f64 = 5.0;
/// How long a program may take for a step, in addition to the time that the rate takes.
const PATIENCE: Duration = Duration::from_mins(5);

pub(crate) fn run(args: &Args, page: &mut Page) -> Result<ExitCode> {
    ensure!(args.runs > 0, "at least one run is needed");
    let programs = Programs::build(args.peers)?;
    let mut figures = Figures::default();
    for round in 1..=args.runs {
        for lag in
            LAGS.into_iter().filter(|lag| args.lag.as_ref().is_none_or(|only| *only == lag.to_string()))
        {
            for program in Program::all(args.peers) {
                eprintln!("round {round} of {}, {}, {}…", args.runs, part(lag), program.name());
                once(args, &programs, *program, lag, &mut figures)
                    .with_context(|| format!("{}, {}", program.name(), part(lag)))?;
            }
        }
    }
    Ok(report::report(args, &figures, page))
}

/// The name of a part of the figures.
fn part(lag: u64) -> String {
    format!("watches {lag} ms late")
}

/// A program that has converged after both steps.
struct Worked {
    server: Process,
    stage: Process,
    kubeconfig: tempfile::TempDir,
    usage: Usage,
    /// The requests that the proxy has seen in each step.
    phases: Vec<Value>,
    /// The counts that the program printed at its end.
    counts: Option<Value>,
    /// How long a step may take.
    within: Duration,
}

/// Starts a program on an empty server, and creates and changes all Apps.
fn work(programs: &Programs, program: Program, load: &Load) -> Result<Worked> {
    let kubeconfig = tempfile::tempdir().context("can't make a folder")?;
    let file = kubeconfig.path().join(KUBECONFIG);
    let within = PATIENCE + Duration::from_secs(u64::from(load.objects / load.rate));
    let mut server = programs.server()?;
    let started = server.line(PATIENCE)?;
    let url = started["url"].as_str().context("the server has no URL")?;
    let arguments = [("lag-ms", load.lag), ("objects", load.objects.into()), ("rate", load.rate.into())];
    let mut stage = programs.stage(url, &file, &arguments)?;
    stage.line(PATIENCE)?;

    let mut operator = programs.start(program, &file, load)?;
    if program.has_watches() {
        stage.ask("watched", within, Some(&mut operator))?;
    }
    let mut phases = Vec::new();
    for step in ["create", "update"] {
        stage.ask(step, within, Some(&mut operator))?;
        if !program.is_operator() {
            operator.ask(step, within, Some(&mut stage))?;
        }
        phases.push(stage.ask("converged", within, Some(&mut operator))?);
    }
    let usage = operator.usage()?;
    let counts = operator.end()?;
    Ok(Worked { server, stage, kubeconfig, usage, phases, counts, within })
}

/// The name of the file in its folder.
const KUBECONFIG: &str = "kubeconfig";

/// One round of a program.
fn once(args: &Args, programs: &Programs, program: Program, lag: u64, figures: &mut Figures) -> Result<()> {
    let load = Load { objects: args.objects, rate: args.rate, lag, counted: None };
    let Worked { server, mut stage, kubeconfig, usage, phases, counts, within } =
        work(programs, program, &load)?;
    let part = part(lag);
    let objects = f64::from(args.objects);
    let mut note = |measure: &str, value: f64| figures.note(&part, program.name(), measure, value);
    note("cpu_us_per_object", usage.cpu_ms * 1e3 / objects);
    note("peak_mb", usage.peak_mb);
    note("resident_mb", usage.resident_mb);
    note("writes_per_object", sum(&phases, "writes")? / objects);
    for measure in ["without_effect", "conflicts", "duplicates", "failures"] {
        note(measure, sum(&phases, measure)?);
    }
    if !program.is_operator() {
        return end(stage, server);
    }
    let counts = counts.context("it printed no counts")?;
    for measure in ["runs", "stale", "errors"] {
        note(measure, number(&counts, measure)?);
    }
    for (phase, prefix) in phases.iter().zip(["", "update_"]) {
        for measure in ["p50_ms", "p99_ms"] {
            note(&format!("{prefix}{measure}"), number(phase, measure)?);
        }
    }

    stage.ask("begin", within, None)?;
    let begun = Instant::now();
    let mut operator = programs.start(program, &kubeconfig.path().join(KUBECONFIG), &load)?;
    let ready = operator.line(within)?;
    let cold = begun.elapsed();
    if ready["ready"].is_null() {
        bail!("it printed {ready} instead of that it is ready");
    }
    note("cold_ms", cold.as_secs_f64() * 1e3);
    note("cold_cpu_ms", operator.usage()?.cpu_ms);
    let phase = stage.ask("converged", within, Some(&mut operator))?;
    note("cold_writes", number(&phase, "writes")?);
    operator.end()?;
    end(stage, server)
}

fn end(stage: Process, server: Process) -> Result<()> {
    stage.end()?;
    server.end()?;
    Ok(())
}

fn number(value: &Value, name: &str) -> Result<f64> {
    value[name].as_f64().with_context(|| format!("no {name} in {value}"))
}

fn sum(phases: &[Value], name: &str) -> Result<f64> {
    phases.iter().map(|phase| number(phase, name)).sum()
}
