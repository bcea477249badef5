//! One door to every suite of this workspace.
//!
//! Each command has `--help`, shows progress on long work and ends in one summary line. A suite prints
//! `NAME: N passed, N failed`, a benchmark a table of ratios and `RESULT {json}`. Exit codes: 0 when all
//! held, 1 when something failed or fell short, 2 for a command line that makes no sense.

mod apply_corpus;
mod bench;
mod ci;
mod cluster;
mod codegen;
mod compare_kubectl;
mod compat;
mod conformance;
mod corpus;
mod crds;
mod events_corpus;
mod layers;
mod memory;
mod report;
mod rules_corpus;
mod scaffold;
mod schema;
mod strangers;
mod validation_corpus;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Builds, checks and measures client-rs.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Record what the real server answers to server-side apply
    ApplyCorpus(apply_corpus::Args),
    /// Measurements against the peers
    Bench(bench::Args),
    /// Everything that a change must pass, with the minutes of each step
    Ci(ci::Args),
    /// krs beside kubectl: the same output for the same command lines
    CompareKubectl(compare_kubectl::Args),
    /// Read every published API fixture in its three forms and write it back
    Compat(compat::Args),
    /// Real control planes: up, down, status, kubeconfig, logs
    Cluster(cluster::Args),
    /// Write every Kubernetes type from the committed schema
    Codegen(codegen::Args),
    /// What must hold on a server, scenario by scenario
    Conformance(conformance::Args),
    /// Definitions that others publish, made into Rust types
    Crds(crds::Args),
    /// Record what client-go makes of events
    EventsCorpus(events_corpus::Args),
    /// Check that imports and dependencies follow the declared layers
    Layers(layers::Args),
    /// Run the tests of all `unsafe` code under a tool that sees every access
    Memory(memory::Args),
    /// Record what the real server makes of validation rules
    RulesCorpus(rules_corpus::Args),
    /// A project of `krs new operator`: its own tests, and its operator on a real control plane
    Scaffold(scaffold::Args),
    /// Refresh the code generator's inputs from the pinned Go modules and a running server
    Schema(schema::Args),
    /// Clients that are not ours, against the embedded server
    Strangers(strangers::Args),
    /// Record what the real server makes of good and bad objects
    ValidationCorpus(validation_corpus::Args),
}

fn main() -> ExitCode {
    let outcome = match Args::parse().command {
        Command::ApplyCorpus(args) => apply_corpus::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Ci(args) => ci::run(&args),
        Command::CompareKubectl(args) => compare_kubectl::run(&args),
        Command::Compat(args) => compat::run(&args),
        Command::Cluster(args) => cluster::run(&args),
        Command::Codegen(args) => codegen::run(&args),
        Command::Conformance(args) => conformance::run(&args),
        Command::Crds(args) => crds::run(&args),
        Command::EventsCorpus(args) => events_corpus::run(&args),
        Command::Layers(args) => layers::run(&args),
        Command::Memory(args) => memory::run(&args),
        Command::Scaffold(args) => scaffold::run(&args),
        Command::Schema(args) => schema::run(&args),
        Command::Strangers(args) => strangers::run(&args),
        Command::RulesCorpus(args) => rules_corpus::run(&args),
        Command::ValidationCorpus(args) => validation_corpus::run(&args),
    };
    match outcome {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
