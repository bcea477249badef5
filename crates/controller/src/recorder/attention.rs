//! [`Attention`]: wakes the task that runs the detectors.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether the task that runs the detectors sleeps until something happens. Then the controller costs it no time.
#[derive(Debug, Default)]
pub(crate) struct Attention {
    asleep: AtomicBool,
    wanted: Notify,
}

impl Attention {
    /// Something happens: an event, a run, a record. Costs one load while the task is awake.
    #[inline]
    pub(crate) fn active(&self) {
        if self.asleep.load(Ordering::Relaxed) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        if self.asleep.swap(false, Ordering::Relaxed) {
            self.wanted.notify_one();
        }
    }

    /// There is something to report at once.
    pub(crate) fn now(&self) {
        self.wanted.notify_one();
    }

    /// From now on [`active`](Self::active) ends [`wanted`](Self::wanted). Called before the look that decides to sleep, so that
    /// nothing happens unnoticed in between.
    pub(crate) fn sleep(&self) {
        self.asleep.store(true, Ordering::Relaxed);
    }

    /// The task looks again by itself.
    pub(crate) fn stay_awake(&self) {
        self.asleep.store(false, Ordering::Relaxed);
    }

    /// Waits until something happens. It may return although nothing did.
    pub(crate) async fn wanted(&self) {
        self.wanted.notified().await;
    }
}
