//! A broadcaster of events, and the tasks that read from it: what both APIs of events share.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::broadcaster::{Broadcaster, BroadcasterOptions, FullChannel, Stopped};

/// Distributes events of one type, and ends its tasks in order. Dropping it lets each queued event be tried once.
#[derive(Debug)]
pub(crate) struct Watchers<E> {
    pub(crate) broadcaster: Broadcaster<Arc<E>>,
    flush_timeout: Duration,
    /// From now on everything is tried once only.
    closing: CancellationToken,
    /// From now on nothing is tried.
    abort: CancellationToken,
    tasks: TaskTracker,
}

impl<E: Send + Sync + 'static> Watchers<E> {
    /// Starts on the current tokio runtime.
    pub(crate) fn new(queue: usize, full: FullChannel, flush_timeout: Duration) -> Self {
        Self {
            broadcaster: Broadcaster::new(BroadcasterOptions { incoming: queue, queue, full }),
            flush_timeout,
            closing: CancellationToken::new(),
            abort: CancellationToken::new(),
            tasks: TaskTracker::new(),
        }
    }

    /// Cancelled when everything is to be tried once only.
    pub(crate) fn closing(&self) -> CancellationToken {
        self.closing.clone()
    }

    /// Calls a function with each event from now on, one after the other.
    pub(crate) fn call(
        &self,
        mut handler: impl FnMut(Arc<E>) + Send + 'static,
    ) -> Result<EventWatcher, Stopped> {
        let mut watcher = self.broadcaster.watch()?;
        Ok(self.spawn(async move {
            while let Some(event) = watcher.next().await {
                if catch_unwind(AssertUnwindSafe(|| handler(event))).is_err() {
                    tracing::error!("an event handler panicked");
                }
            }
        }))
    }

    /// Runs until it ends, it is stopped, or nothing is to be tried any more.
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

    /// Takes no more events, and waits for the tasks as long as the time for it lasts.
    pub(crate) async fn shutdown(&self) {
        self.closing.cancel();
        self.tasks.close();
        let flushed = async {
            self.broadcaster.shutdown().await;
            self.tasks.wait().await;
        };
        if tokio::time::timeout(self.flush_timeout, flushed).await.is_err() {
            tracing::error!("events are lost: they could not be delivered before the shutdown");
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

/// Something that gets a broadcaster's events. Dropping it changes nothing.
#[derive(Clone, Debug)]
pub struct EventWatcher {
    stop: CancellationToken,
}

impl EventWatcher {
    /// Ends it at once; what is queued for it is not delivered.
    pub fn abort(&self) {
        self.stop.cancel();
    }
}
