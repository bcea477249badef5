//! The wish that the process ends.

/// Waits for Ctrl-C or SIGTERM.
#[cfg(unix)]
pub(super) async fn end() {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = match signal(SignalKind::terminate()) {
        Ok(signal) => signal,
        Err(error) => {
            tracing::warn!(%error, "SIGTERM can't be listened for");
            return interrupt().await;
        }
    };
    tokio::select! {
        _ = terminate.recv() => {}
        () = interrupt() => {}
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub(super) async fn end() {
    interrupt().await;
}

async fn interrupt() {
    if let Err(error) = tokio::signal::ctrl_c().await {
        tracing::warn!(%error, "Ctrl-C can't be listened for");
        std::future::pending::<()>().await;
    }
}
