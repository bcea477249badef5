//! Bytes through exec and through a forwarded port: a client as small as it can be, and what measures it or kubectl.
//!
//! `exec` and `forward` are the client, called as kubectl is. `drive` starts one client, sends a file through it and prints
//! one line of JSON; it is a process of its own, and small, so that the memory that is measured is the client's.

mod client;
mod drive;
mod usage;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
struct Args {
    #[command(subcommand)]
    part: Part,
}

#[derive(Subcommand)]
enum Part {
    /// Runs a command in a container, with its input and output
    Exec(client::Exec),
    /// Forwards a local port to a pod's, until it is killed
    PortForward(client::PortForward),
    /// Measures a client
    Drive(drive::Args),
}

fn main() -> Result<ExitCode> {
    match Args::parse().part {
        Part::Exec(args) => client::exec(args),
        Part::PortForward(args) => client::port_forward(args),
        Part::Drive(args) => drive::run(&args),
    }
}
