//! Conformance scenarios: the same scenarios on the embedded server and on a real control plane. Run by `cargo xtask
//! conformance`.
//!
//! Prints one line per scenario and one summary per suite. The exit code is 1 if anything failed.
//!
//! A suite is a library in `suites/` that exports `SCENARIOS`; only this file names it.

use std::process::ExitCode;

use clap::Parser;
use client_rs_conformance_admission as admission;
use client_rs_conformance_clients as clients;
use client_rs_conformance_controllers as controllers;
use client_rs_conformance_custom_resources as custom_resources;
use client_rs_conformance_informers as informers;
use client_rs_conformance_policies as policies;
use client_rs_conformance_rest as rest;
use client_rs_conformance_server as server;
use client_rs_conformance_streams as streams;
use client_rs_tests::{Backend, Suite};

/// The suites, by name.
static SUITES: &[Suite] = &[
    Suite { name: "rest", scenarios: rest::SCENARIOS },
    Suite { name: "admission", scenarios: admission::SCENARIOS },
    Suite { name: "policies", scenarios: policies::SCENARIOS },
    Suite { name: "server", scenarios: server::SCENARIOS },
    Suite { name: "clients", scenarios: clients::SCENARIOS },
    Suite { name: "controllers", scenarios: controllers::SCENARIOS },
    Suite { name: "custom-resources", scenarios: custom_resources::SCENARIOS },
    Suite { name: "informers", scenarios: informers::SCENARIOS },
    Suite { name: "streams", scenarios: streams::SCENARIOS },
];

/// Run the suites; by default all of them, on both servers.
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
    if let Some(role) = controllers::child::asked() {
        return role.await;
    }
    if streams::krs::asked() {
        return client_rs_cli::main().await;
    }
    let args = Args::parse();
    let known: Vec<_> = SUITES.iter().map(|suite| suite.name).collect();
    if let Some(unknown) = args.suite.iter().find(|name| !known.contains(&name.as_str())) {
        eprintln!("error: there is no suite {unknown}; there are {}", known.join(", "));
        return ExitCode::from(2);
    }
    let backends = args.backend.map_or(vec![Backend::Embedded, Backend::Real], |backend| vec![backend]);
    if let Err(error) = client_rs_tests::build_binaries() {
        eprintln!("warning: scenarios with kubectl will fail: {error:#}");
    }
    let (mut failed, mut played) = (0, 0);
    for backend in backends {
        for suite in SUITES {
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
