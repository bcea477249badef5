//! The entry point to every task of this workspace.
//!
//! Code generation, control planes and CI are here. Suites, recorders and benchmarks are programs of their own, under
//! `tests/` and `bench/`: a command of their name builds and runs them with the arguments that follow it.
//!
//! Each command has `--help`, shows progress on long work and ends in one summary line. A suite prints
//! `NAME: N passed, N failed`, a benchmark a table of ratios and `RESULT {json}`. Exit codes: 0 when all
//! held, 1 when something failed or fell short, 2 for invalid arguments.

mod ci;
mod cluster;
mod codegen;
mod compat;
mod conformance;
mod deny;
mod features;
mod fuzz;
mod layers;
mod limits;
mod memory;
mod msrv;
mod picture;
mod published;
mod schema;
mod semver;
mod sim;
mod site;
mod targets;
mod toolchain;
mod words;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use client_rs_tests_tools::workspace::{self, cargo, delegate, program};

/// Builds, checks and measures client-rs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Drive our servers with hostile clients, and our client with a hostile server
    Abuse(Rest),
    /// The same as `record apply`
    #[command(hide = true)]
    ApplyCorpus(Rest),
    /// Run benchmarks against client-go, kube-rs and kubectl
    Bench(Rest),
    /// Run every check that a change must pass, with the time of each step
    Ci(ci::Args),
    /// Compare the output of krs with kubectl's for the same command lines
    CompareKubectl(Rest),
    /// Read every published API fixture in its three forms and write it back
    Compat(compat::Args),
    /// Manage real control planes: up, down, status, kubeconfig, logs
    Cluster(cluster::Args),
    /// Generate the Kubernetes types from the committed schema
    Codegen(codegen::Args),
    /// Run the conformance suites on the embedded server and a real control plane
    Conformance(conformance::Args),
    /// Generate Rust types from published third-party CRDs and test them
    Crds(Rest),
    /// Check licences, sources and versions of the dependencies against deny.toml
    Deny(deny::Args),
    /// The same as `record events correlator`
    #[command(hide = true)]
    EventsCorpus(Rest),
    /// Check that every cargo feature builds alone, none and all of them
    Features(features::Args),
    /// Run the fuzz targets on stable Rust, or with libFuzzer
    Fuzz(fuzz::Args),
    /// Check that imports and dependencies follow the declared layers
    Layers(layers::Args),
    /// Hold instructions, heap and sizes to the committed limits
    Limits(limits::Args),
    /// Run the tests of `unsafe` code under a memory checker
    Memory(memory::Args),
    /// Compile what is published with the oldest Rust that it supports
    Msrv(msrv::Args),
    /// The packages of all published crates, and a new project that depends on them
    Package(Rest),
    /// Look at the page of the debug listener with a headless Chromium
    Page(Rest),
    /// Record the demo as the picture that README.md shows
    Picture(picture::Args),
    /// Record a corpus of responses of real servers, kubectl and the Go libraries
    Record(Rest),
    /// The same as `record rules`
    #[command(hide = true)]
    RulesCorpus(Rest),
    /// Test a project made by `krs new operator` and the worked operators, including on a real control plane
    Scaffold(Rest),
    /// Refresh the code generator's inputs from the pinned Go modules and a running server
    Schema(schema::Args),
    /// Compare the public API with that of the last release
    Semver(semver::Args),
    /// Run fault histories against the state machines of the library, and measure which seeded faults they find
    Sim(Rest),
    /// Build the documentation as a site: guide, reference pages, rustdoc and charts
    Site(site::Args),
    /// Run kubectl, client-go and kube-rs against the embedded server
    Strangers(Rest),
    /// Compile the library for other systems
    Targets(targets::Args),
    /// The same as `record validation`
    #[command(hide = true)]
    ValidationCorpus(Rest),
    /// Find phrases that the vocabulary in CONTRIBUTING.md replaces
    Words(words::Args),
}

/// The arguments that are passed to a command's program, including `--help`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
struct Rest {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<OsString>,
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::Abuse(args) => delegate(program("client-rs-abuse", "abuse").args(&args.arguments)),
        Command::ApplyCorpus(args) => record(&["apply"], &args),
        Command::Bench(args) => bench(&args),
        Command::Ci(args) => ci::run(&args),
        Command::CompareKubectl(args) => interop("compare-kubectl", &args),
        Command::Compat(args) => compat::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Codegen(args) => codegen::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Crds(args) => interop("crds", &args),
        Command::Deny(args) => deny::run(&args),
        Command::EventsCorpus(args) => record(&["events", "correlator"], &args),
        Command::Features(args) => features::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Layers(args) => layers::run(&args),
        Command::Limits(args) => limits::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Msrv(args) => msrv::run(&args),
        Command::Package(args) => interop("package", &args),
        Command::Page(args) => page(&args),
        Command::Picture(args) => picture::run(&args),
        Command::Record(args) => record(&[], &args),
        Command::RulesCorpus(args) => record(&["rules"], &args),
        Command::Scaffold(args) => interop("scaffold", &args),
        Command::Schema(args) => schema::run(&args),
        Command::Semver(args) => semver::run(&args),
        Command::Sim(args) => sim::run(&args.arguments),
        Command::Site(args) => site::run(&args),
        Command::Strangers(args) => interop("strangers", &args),
        Command::Targets(args) => targets::run(&args),
        Command::ValidationCorpus(args) => record(&["validation"], &args),
        Command::Words(args) => words::run(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn record(corpora: &[&str], args: &Rest) -> anyhow::Result<ExitCode> {
    delegate(program("client-rs-recorder", "record").args(corpora).args(&args.arguments))
}

fn interop(suite: &str, args: &Rest) -> anyhow::Result<ExitCode> {
    delegate(program("client-rs-interop", "interop").arg(suite).args(&args.arguments))
}

/// The page of all replicas is that of `krs debug`.
fn page(args: &Rest) -> anyhow::Result<ExitCode> {
    workspace::run(cargo().args([
        "build",
        "--quiet",
        "--locked",
        "--package",
        "client-rs-cli",
        "--bin",
        "krs",
    ]))?;
    delegate(program("client-rs-page-tests", "page").args(&args.arguments))
}

/// The runner is in the benchmarks' own workspace, which keeps their peers out of this one.
fn bench(args: &Rest) -> anyhow::Result<ExitCode> {
    let mut command = cargo();
    command.args(["run", "--quiet", "--locked", "--package", "bench-runner", "--manifest-path"]);
    command.arg(workspace::root().join("bench/Cargo.toml")).arg("--");
    delegate(command.args(&args.arguments))
}
