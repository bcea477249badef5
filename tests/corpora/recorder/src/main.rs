//! `cargo xtask record NAME`: results of real servers, kubectl and the Go libraries, to compare ours with.
//!
//! A corpus is a file of `tests/corpora`. Tests of our crates read it and compare.

mod apply;
mod corpus;
mod custom_resources;
mod go;
mod kubeconfigs;
mod rules;
mod validation;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, ValueEnum};

/// Record corpora: run the requests again on a real server, kubectl or a Go library, and keep the results.
#[derive(Parser)]
#[command(name = "cargo xtask record", bin_name = "cargo xtask record")]
struct Args {
    /// The corpora to record
    #[arg(required = true)]
    names: Vec<Name>,
    #[command(flatten)]
    how: corpus::How,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Server-side apply and its bookkeeping, by a real server
    Apply,
    /// Correlated events, by client-go
    Correlator,
    /// Definitions and custom objects, by a real server
    CustomResources,
    /// Events of broadcasters, by client-go
    Events,
    /// Expressions over JSON, by client-go
    Jsonpath,
    /// Odd kubeconfigs, by kubectl
    Kubeconfigs,
    /// Label selectors, by apimachinery
    Labels,
    /// Names and other texts that are checked, by apimachinery
    Names,
    /// JSON, merge and strategic merge patches, by Go's libraries
    #[value(alias = "patch")]
    Patches,
    /// Quantities, by apimachinery
    Quantity,
    /// Validation rules of custom resources, by a real server
    Rules,
    /// Good and bad objects of many kinds, by a real server
    Validation,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let mut all_held = true;
    for name in &args.names {
        match record(*name, &args.how) {
            Ok(code) => all_held &= code == ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("error: {error:#}");
                all_held = false;
            }
        }
    }
    if all_held { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn record(name: Name, how: &corpus::How) -> Result<ExitCode> {
    match name {
        Name::Apply => apply::run(how),
        Name::Correlator => go::run("correlator", how),
        Name::CustomResources => custom_resources::run(how),
        Name::Events => go::run("events", how),
        Name::Jsonpath => go::run("jsonpath", how),
        Name::Kubeconfigs => kubeconfigs::run(how),
        Name::Labels => go::run("labels", how),
        Name::Names => go::run("names", how),
        Name::Patches => go::run("patches", how),
        Name::Quantity => go::run("quantity", how),
        Name::Rules => rules::run(how),
        Name::Validation => validation::run(how),
    }
}
