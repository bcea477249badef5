//! Threads for handlers that block.

use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The largest number of handlers of the process on threads of the runtime's blocking pool. The pool has 512
/// threads by default and also serves name lookups, token files and certificates: handlers that block forever
/// must not use it up.
const POOLED: usize = 128;

/// The current number.
static IN_POOL: AtomicUsize = AtomicUsize::new(0);

/// Runs a function on a thread of the blocking pool, or on a thread of its own while many handlers use the
/// pool. `None` if the runtime shuts down first or the function panics.
///
/// Boxed, so that it is compiled once, and not for each type of objects.
pub(super) fn run(
    function: Box<dyn FnOnce() -> bool + Send>,
) -> Pin<Box<dyn Future<Output = Option<bool>> + Send>> {
    Box::pin(run_on_thread(function))
}

async fn run_on_thread(function: Box<dyn FnOnce() -> bool + Send>) -> Option<bool> {
    if let Some(place) = Place::take() {
        let run = move || {
            let _place = place;
            function()
        };
        return tokio::task::spawn_blocking(run).await.ok();
    }
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    let run = move || {
        // A handler may use the runtime, as on a thread of the pool.
        let _inside = runtime.enter();
        let _ = sender.send(function());
    };
    match std::thread::Builder::new().name("event-handler".to_owned()).spawn(run) {
        Ok(_) => receiver.await.ok(),
        Err(error) => {
            tracing::error!(%error, "no thread for an event handler, it gets no further notifications");
            None
        }
    }
}

/// A place in the pool, until it is dropped.
struct Place;

impl Place {
    fn take() -> Option<Self> {
        let more = |count| (count < POOLED).then_some(count + 1);
        IN_POOL.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        IN_POOL.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Barrier};

    use super::*;

    #[test]
    fn handlers_that_block_leave_threads_for_others() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(POOLED + 1).build().unwrap();
        runtime.block_on(async {
            // All of them block until all of them and one more task run.
            let blocked = POOLED + 10;
            let barrier = Arc::new(Barrier::new(blocked + 1));
            let mut running = tokio::task::JoinSet::new();
            for _ in 0..blocked {
                let barrier = barrier.clone();
                running.spawn(run(Box::new(move || {
                    barrier.wait();
                    tokio::runtime::Handle::try_current().is_ok()
                })));
            }
            let other = barrier.clone();
            tokio::task::spawn_blocking(move || other.wait()).await.unwrap();
            while let Some(ended) = running.join_next().await {
                assert_eq!(ended.unwrap(), Some(true));
            }
        });
    }
}
