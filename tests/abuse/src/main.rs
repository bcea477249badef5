//! `cargo xtask abuse`: our servers under hostile clients, and our client with a hostile server.
//!
//! Each server runs in a process of its own, whose memory is read while clients attack it and honest clients keep sending requests. Each
//! attack states its bounds: how much memory the server may add, and how long an honest request may take meanwhile. The
//! program ends with a table and fails when a bound was not held.

mod attacks;
mod client;
mod memory;
mod servers;
mod table;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

use self::servers::Served;

/// Drive our servers with hostile clients, and our client with a hostile server.
#[derive(Parser)]
#[command(name = "cargo xtask abuse", bin_name = "cargo xtask abuse")]
struct Args {
    /// Only attacks whose name contains this text
    #[arg(long, default_value = "")]
    only: String,
    /// Write the table to docs/design/abuse.md
    #[arg(long)]
    write: bool,
    /// Run this server until the standard input ends
    #[arg(long, hide = true)]
    serve: Option<Served>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn run(args: Args) -> Result<ExitCode> {
    if let Some(served) = args.serve {
        servers::serve(served).await?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = table::Table::default();
    attacks::all(&args.only, &mut table).await?;
    client::all(&args.only, &mut table).await;
    if args.write {
        table.write()?;
    }
    Ok(table.finish())
}
