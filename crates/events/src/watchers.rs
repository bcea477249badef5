//! A broadcaster of events and the tasks that read from it, for both event APIs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::broadcaster::{Broadcaster, BroadcasterOptions, FullChannel, Stopped};

/// Distributes events of one type, and ends its tasks in order. When it is dropped, each queued event is tried once.
#[derive(Debug)]
pub(crate) struct Watchers<E> {
    pub(crate) broadcaster: Broadcaster<Arc<E>>,
    flush_timeout: Duration,
    /// Cancelled when each event is tried only once.
    closing: CancellationToken,
    /// Cancelled when no event is tried any more.
    abort: CancellationToken,
    tasks: TaskTracker,
}

impl<E: Send + Sync + 'static> Watchers<E> {
    /// Starts the broadcaster on the current tokio runtime.
    pub(crate) fn new(queue: usize, full: FullChannel, flush_timeout: Duration) -> Self {
        Self {
            broadcaster: Broadcaster::new(BroadcasterOptions { incoming: queue, queue, full }),
            flush_timeout,
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// A token that is cancelled when each event is tried only once.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }

    /// Calls a function with each event from now on, one at a time.
    pub(crate) fn call(
        &self,
        mut handler: impl FnMut(Arc<E>) + Send + 'static,
    ) -> Result<EventWatcher, Stopped> {
        let mut watcher = self.broadcaster.watch()?;
        Ok(self.spawn(async move {
            while let Some(event) = watcher.next().await {
                if catch_unwind(AssertUnwindSafe(|| handler(event))).is_err() {
                    tracing::error!("event handler panicked");
                }
            }
        }))
    }

    /// Runs a task until it ends, until it is stopped, or until no event is tried any more.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) -> EventWatcher {
        let stop = self.abort.child_token();
        let stopped = stop.clone();
        self.tasks.spawn(async move {
            tokio::select! {
                biased;
                () = stopped.cancelled() => {}
                () = work => {}
            }
        });
        EventWatcher { stop }
    }

    /// Accepts no more events, and waits for the tasks until the timeout.
    pub(crate) async fn shutdown(&self) {
        self.closing.cancel();
        self.tasks.close();
        let flushed = async {
            self.broadcaster.shutdown().await;
            self.tasks.wait().await;
        };
        if tokio::time::timeout(self.flush_timeout, flushed).await.is_err() {
            tracing::error!("lost events that could not be delivered before the shutdown");
        }
        self.abort.cancel();
        self.tasks.wait().await;
        self.broadcaster.drops().flush();
    }
}

impl<E> Drop for Watchers<E> {
    fn drop(&mut self) {
        self.closing.cancel();
    }
}

/// A handle of a task that gets a broadcaster's events. Dropping it does not stop the task.
#[derive(Clone, Debug)]
pub struct EventWatcher {
    stop: CancellationToken,
}

impl EventWatcher {
    /// Stops the task at once. Events in its queue are not delivered.
    pub fn abort(&self) {
        self.stop.cancel();
    }
}
