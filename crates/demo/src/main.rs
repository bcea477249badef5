//! The demo on an embedded API server, without arguments.

use std::io::IsTerminal;
use std::process::ExitCode;

#[tokio::main]
async fn main() -> ExitCode {
    let mut out = std::io::stdout();
    // See <https://no-color.org>.
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colours = out.is_terminal() && !plain;
    match client_rs_demo::embedded(client_rs_demo::START_DELAY, &mut out, colours).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
