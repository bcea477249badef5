//! [`Signal`]: wakes an observer that waits for changes.

use std::sync::atomic::Ordering;

use tokio::sync::Notify;

use crate::sync::AtomicBool;

/// Whether an observer has changes to take, and a way to wait for them. One task waits at a time.
#[derive(Debug, Default)]
pub(crate) struct Signal {
    raised: AtomicBool,
    notify: Notify,
}

impl Signal {
    /// There are changes. Called with the graph locked.
    pub(crate) fn raise(&self) {
        self.raised.store(true, Ordering::Release);
        self.notify.notify_one();
    }

    /// There are none any more. Called with the graph locked.
    pub(crate) fn lower(&self) {
        self.raised.store(false, Ordering::Release);
    }

    /// Whether there are changes. An epoch that is over when this is called is seen.
    pub(crate) fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Acquire)
    }

    /// Waits until it was raised since the last call. It may return without that.
    pub(crate) async fn raised(&self) {
        self.notify.notified().await;
    }
}
