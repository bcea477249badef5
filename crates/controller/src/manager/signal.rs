//! Signals that ask the process to end.

use std::io;

use tokio_util::sync::CancellationToken;

/// Listens for SIGINT (Ctrl-C) and SIGTERM from now on, and gives the token that the first one cancels: controller-runtime's
/// `SetupSignalHandler`.
///
/// Call it once, at the start of `main`, before the program says that it is ready and before anything starts that has to be
/// stopped in order. A signal that arrives when nobody waits for the token yet is not lost: the token stays cancelled. Before
/// this call a signal ends the process, as the system does by default; afterwards it never does so by itself, for the life of
/// the process. The few instructions in which the system's handler is replaced are the only ones in which a signal can go
/// unnoticed.
///
/// **A second signal ends the process with code 1**, at once: work that does not stop can be interrupted. So does the first one
/// if the token was cancelled by the program itself. Programs that need something else use [`tokio::signal`] and
/// [`Manager::run`](super::Manager::run).
///
/// Must be called within a tokio runtime, and works as long as that runs. On other systems than Unix it listens for Ctrl-C.
pub fn setup_signal_handler() -> io::Result<CancellationToken> {
    let mut signals = Signals::new()?;
    let stop = CancellationToken::new();
    let token = stop.clone();
    tokio::spawn(async move {
        loop {
            let signal = signals.next().await;
            if token.is_cancelled() {
                tracing::warn!(signal, "a second signal: ending at once");
                std::process::exit(1);
            }
            tracing::info!(signal, "stopping; a second signal ends the process at once");
            token.cancel();
        }
    });
    Ok(stop)
}

/// The listeners. Each is registered when it is made, and remembers a signal until it is asked.
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
