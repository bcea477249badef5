//! Ours and others' programs together. Each suite is a command of `cargo xtask`, which builds and runs this program.

mod compare_kubectl;
mod crds;
mod package;
mod running;
mod scaffold;
mod strangers;
mod worked;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Checks that our programs and others' understand each other.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", about, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    suite: Suite,
}

#[derive(Subcommand)]
enum Suite {
    /// krs compared with kubectl: the same output for the same command lines
    CompareKubectl(compare_kubectl::Args),
    /// Definitions that others publish, made into Rust types
    Crds(crds::Args),
    /// The packages of all published crates, and a new project that depends on them
    Package(package::Args),
    /// A project of `krs new operator` and the worked operators: their tests, their roles, and on a real control plane
    Scaffold(scaffold::Args),
    /// kubectl, client-go and kube-rs against the embedded server
    Strangers(strangers::Args),
}

fn main() -> ExitCode {
    let outcome = match &Args::parse().suite {
        Suite::CompareKubectl(args) => compare_kubectl::run(args),
        Suite::Crds(args) => crds::run(args),
        Suite::Package(args) => package::run(args),
        Suite::Scaffold(args) => scaffold::run(args),
        Suite::Strangers(args) => strangers::run(args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
