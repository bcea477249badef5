//! `krs`: a Kubernetes command-line tool.

use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    client_rs_cli::main().await
}
