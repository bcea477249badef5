//! What must hold on a server, scenario by scenario: the same scenarios on the embedded server and on a real control
//! plane. Run by `cargo xtask conformance`.
//!
//! Printed is a line a scenario and a summary a suite. The exit code is 1 if anything failed.
//!
//! A suite is a file in `suites/` that exports `SCENARIOS`; it is named in `suites.rs` and nowhere else.

// A scenario's failed expectation is its report, and a panic is caught as one.
#![allow(clippy::unwrap_used, reason = "scenarios are tests")]

mod suites;

use std::process::ExitCode;

use clap::Parser;
use client_rs_tests::Backend;

/// Runs the suites; all of them on both servers unless told otherwise.
#[derive(Parser)]
struct Args {
    /// The server to run against; both by default
    #[arg(long, value_enum)]
    backend: Option<Backend>,
    /// The suites to run, by name; all by default
    #[arg(long, value_delimiter = ',')]
    suite: Vec<String>,
    /// Only scenarios whose name contains this text
    #[arg(long, default_value = "")]
    filter: String,
}

#[tokio::main]
async fn main() -> ExitCode {
    // Some scenarios are played by several processes: this program, called by itself.
    if let Some(ended) = suites::controllers::child::asked().await {
        return ended;
    }
    if suites::streams::krs::asked() {
        return client_rs_cli::main().await;
    }
    let args = Args::parse();
    let known: Vec<_> = suites::SUITES.iter().map(|suite| suite.name).collect();
    if let Some(unknown) = args.suite.iter().find(|name| !known.contains(&name.as_str())) {
        eprintln!("error: there is no suite {unknown}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let backends = args.backend.map_or(vec![Backend::Embedded, Backend::Real], |backend| vec![backend]);
    let (mut failed, mut played) = (0, 0);
    for backend in backends {
        for suite in suites::SUITES {
            if args.suite.is_empty() || args.suite.iter().any(|name| name == suite.name) {
                let tally = client_rs_tests::run(suite, backend, &args.filter).await;
                failed += tally.failed;
                played += tally.passed + tally.failed;
            }
        }
    }
    if played == 0 {
        eprintln!("error: no scenario was chosen");
    }
    if failed == 0 && played > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
