//! `cargo xtask bench`: ours and the peers, measured in the same run.

mod apiserver;
mod indexer;
mod informer;
mod list;
mod objects;
mod queue;
mod streams;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures ours against its peers: a table of ratios and `RESULT {json}`.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench", about, disable_help_subcommand = true)]
struct Args {
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// The embedded server: its start, and many watchers of many creates
    Apiserver(apiserver::Args),
    /// The indexed store against client-go's
    Indexer(indexer::Args),
    /// The informer against client-go's and kube-rs's reflector
    Informer(informer::Args),
    /// A long list from a real server, beside curl
    List(list::Args),
    /// Live heap of a pod and the time to decode one
    Objects(objects::Args),
    /// The work queue against client-go's
    Queue(queue::Args),
    /// Exec and port-forward, beside kubectl
    Streams(streams::Args),
}

fn main() -> ExitCode {
    let outcome = match &Args::parse().bench {
        Bench::Apiserver(args) => apiserver::run(args),
        Bench::Indexer(args) => indexer::run(args),
        Bench::Informer(args) => informer::run(args),
        Bench::List(args) => list::run(args),
        Bench::Objects(args) => objects::run(args),
        Bench::Queue(args) => queue::run(args),
        Bench::Streams(args) => streams::run(args),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}
