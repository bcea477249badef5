//! `cargo xtask bench`: side by side with the peers, in the same run.

mod apiserver;
mod indexer;
mod informer;
mod list;
mod objects;
mod queue;
mod streams;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

/// Measures ours against its peers: a table of ratios and `RESULT {json}`.
#[derive(clap::Args)]
pub(crate) struct Args {
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

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    match &args.bench {
        Bench::Apiserver(args) => apiserver::run(args),
        Bench::Indexer(args) => indexer::run(args),
        Bench::Informer(args) => informer::run(args),
        Bench::List(args) => list::run(args),
        Bench::Objects(args) => objects::run(args),
        Bench::Queue(args) => queue::run(args),
        Bench::Streams(args) => streams::run(args),
    }
}
