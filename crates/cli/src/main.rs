//! `krs`: a Kubernetes command-line tool.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    // Locked for a line each: a pipe that closes early ends the command, as with other tools.
    let (mut out, mut err) = (std::io::BufWriter::new(std::io::stdout()), std::io::stderr());
    let streams = client_rs_cli::Streams {
        out: &mut out,
        err: &mut err,
        out_is_terminal: std::io::stdout().is_terminal(),
        err_is_terminal: std::io::stderr().is_terminal(),
    };
    let code = client_rs_cli::run(std::env::args_os(), streams).await;
    match out.flush() {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}
