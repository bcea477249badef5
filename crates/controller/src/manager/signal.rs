//! SIGINT and SIGTERM.

use std::io;

use tokio_util::sync::CancellationToken;

use crate::task::spawn;

/// Listens for SIGINT (Ctrl-C) and SIGTERM from now on, and returns a token that the first signal cancels:
/// controller-runtime's `SetupSignalHandler`.
///
/// Call it once, at the start of `main`: before the program reports that it is ready, and before it starts anything that
/// needs a graceful shutdown. A signal that arrives before any task waits for the token is not lost: the token stays
/// cancelled. Before this call a signal ends the process, which is the system's default. After it no signal does so by
/// itself, for the life of the process. Only during the few instructions that replace the system's handler can a signal go
/// unnoticed.
///
/// **A second signal ends the process with code 1** at once, so that work that does not stop can be interrupted. So does the
/// first signal if the program has already cancelled the token. If you need something else, use [`tokio::signal`] and
/// [`Manager::run`](super::Manager::run).
///
/// Call it within a tokio runtime; it works as long as that runtime runs. On systems other than Unix it listens for Ctrl-C.
///
/// # Errors
///
/// If the handlers can't be installed.
///
/// ```
/// use client_rs_cache::InformerFactory;
/// use client_rs_controller::{Manager, setup_signal_handler};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let stop = setup_signal_handler()?;
/// assert!(!stop.is_cancelled());
/// # stop.cancel(); // No signal arrives in this example.
/// Manager::new(InformerFactory::new()).run(stop).await?;
/// # Ok(())
/// # }
/// ```
pub fn setup_signal_handler() -> io::Result<CancellationToken> {
    let mut signals = Signals::new()?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    spawn(async move {
        loop {
            let signal = signals.next().await;
            if token.is_cancelled() {
                tracing::warn!(signal, "second signal: ending the process");
                std::process::exit(1);
            }
            tracing::info!(signal, "stopping; a second signal ends the process at once");
            token.cancel();
        }
    });
    Ok(stop)
}

/// The listeners. Each is registered when it is created, and keeps a signal until `recv` returns it.
#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "SIGINT",
            _ = self.terminate.recv() => "SIGTERM",
        }
    }
}

#[cfg(not(unix))]
struct Signals {
    interrupt: tokio::signal::windows::CtrlC,
}

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    async fn next(&mut self) -> &'static str {
        let _ = self.interrupt.recv().await;
        "Ctrl-C"
    }
}
