//! `krs`: a Kubernetes command-line tool.

use std::io::Write as _;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    // Locked for a line each: a pipe that closes early ends the command, as with other tools.
    let (mut out, mut err) = (std::io::BufWriter::new(std::io::stdout()), std::io::stderr());
    let code = client_rs_cli::run(std::env::args_os(), &mut out, &mut err).await;
    match out.flush() {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::FAILURE,
    }
}
