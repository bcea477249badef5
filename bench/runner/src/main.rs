//! `cargo xtask bench`: ours and the peers, measured in the same run.

mod apiserver;
mod build;
mod collections;
mod controller;
mod envtest;
mod figures;
mod indexer;
mod informer;
mod large;
mod list;
mod objects;
mod page;
mod queue;
mod streams;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::page::Page;

/// Measures ours against its peers: a table of ratios and `RESULT {json}`.
#[derive(Parser)]
#[command(name = "cargo xtask bench", bin_name = "cargo xtask bench", about, disable_help_subcommand = true)]
struct Args {
    /// Write the figures to docs/benchmarks.md
    #[arg(long, global = true)]
    write: bool,
    #[command(subcommand)]
    bench: Bench,
}

#[derive(Subcommand)]
enum Bench {
    /// The embedded server: its start, and many watchers of many creates
    Apiserver(apiserver::Args),
    /// Measure builds, compared with kube-rs and client-go
    Build(build::Args),
    /// Derived collections compared with an index that is written by hand
    Collections(collections::Args),
    /// An operator compared with controller-runtime's and kube-rs's, with current and with late watches
    Controller(controller::Args),
    /// The programs of `krs envtest`, compared with etcd and kube-apiserver
    Envtest(envtest::Args),
    /// The indexed store against client-go's
    Indexer(indexer::Args),
    /// The informer against client-go's and kube-rs's reflector
    Informer(informer::Args),
    /// Large caches and many informers, compared with client-go's and kube-rs's
    Large(large::Args),
    /// A long list from a real server, compared with curl
    List(list::Args),
    /// Live heap of a pod and the time to decode one
    Objects(objects::Args),
    /// The work queue against client-go's
    Queue(queue::Args),
    /// The recorder of controllers: an operator with it and without it
    Recorder(controller::recorder::Args),
    /// Exec and port-forward, compared with kubectl
    Streams(streams::Args),
}

fn main() -> ExitCode {
    measured(&Args::parse()).unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn measured(args: &Args) -> Result<ExitCode> {
    let mut page = Page::default();
    let (name, code) = match &args.bench {
        Bench::Apiserver(args) => ("apiserver", apiserver::run(args, &mut page)?),
        Bench::Build(args) => ("build", build::run(args, &mut page)?),
        Bench::Collections(args) => ("collections", collections::run(args, &mut page)?),
        Bench::Controller(args) => ("controller", controller::run(args, &mut page)?),
        Bench::Envtest(args) => ("envtest", envtest::run(args, &mut page)?),
        Bench::Indexer(args) => ("indexer", indexer::run(args, &mut page)?),
        Bench::Informer(args) => ("informer", informer::run(args, &mut page)?),
        Bench::Large(args) => ("large", large::run(args, &mut page)?),
        Bench::List(args) => ("list", list::run(args, &mut page)?),
        Bench::Objects(args) => ("objects", objects::run(args, &mut page)?),
        Bench::Queue(args) => ("queue", queue::run(args, &mut page)?),
        Bench::Recorder(args) => ("recorder", controller::recorder::run(args, &mut page)?),
        Bench::Streams(args) => ("streams", streams::run(args, &mut page)?),
    };
    if args.write {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        page.write(name, &arguments)?;
    }
    Ok(code)
}
