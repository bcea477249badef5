//! The state of a keyed queue behind a lock, with notifications for waiting tasks.

use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;

use crate::PopError;

/// The state of a queue. Its consumer takes a batch, processes it and calls `done`.
pub(super) trait Core {
    type Batch;
    /// Removes the next batch; `None` if the queue is empty.
    fn take(&mut self) -> Option<Self::Batch>;
    /// Notes that a batch was processed. `failed` has the batch if processing failed.
    fn done(&mut self, failed: Option<Self::Batch>);
    /// Returns the number of queued keys.
    fn len(&self) -> usize;
    /// Returns whether every entry of the first list was processed.
    fn has_synced(&self) -> bool;
    /// Returns whether nothing is queued or in progress.
    fn is_idle(&self) -> bool;
}

pub(super) struct Shell<C> {
    state: Mutex<State<C>>,
    /// Notified when an entry is queued or the queue is closed.
    filled: Notify,
    /// Notified when the queue may have synced, or never will.
    synced: Notify,
}

struct State<C> {
    core: C,
    closed: bool,
}

impl<C: Core> Shell<C> {
    pub(super) fn new(core: C) -> Self {
        let state = Mutex::new(State { core, closed: false });
        Self { state, filled: Notify::new(), synced: Notify::new() }
    }

    /// Changes the queue, and wakes a consumer.
    pub(super) fn put<R>(&self, change: impl FnOnce(&mut C) -> R) -> R {
        let changed = self.with(|state| change(&mut state.core));
        self.filled.notify_one();
        self.synced.notify_waiters();
        changed
    }

    pub(super) fn look<R>(&self, look: impl FnOnce(&C) -> R) -> R {
        self.with(|state| look(&state.core))
    }

    pub(super) async fn pop<E>(
        &self,
        mut process: impl FnMut(&C::Batch) -> Result<(), E>,
    ) -> Result<(), PopError<E>> {
        loop {
            // Registered before the check, so that an entry between the two is not missed.
            let filled = self.filled.notified();
            if let Some(outcome) = self.try_pop(&mut process) {
                return outcome;
            }
            filled.await;
        }
    }

    pub(super) fn try_pop<E>(
        &self,
        process: impl FnOnce(&C::Batch) -> Result<(), E>,
    ) -> Option<Result<(), PopError<E>>> {
        let (batch, more, closed) = self.with(|state| {
            let batch = state.core.take();
            (batch, state.core.len() > 0, state.closed)
        });
        let Some(batch) = batch else {
            // A skipped key may have been the last one of the first list.
            self.synced.notify_waiters();
            return closed.then_some(Err(PopError::Closed));
        };
        if more {
            // Others may wait, and one notification may stand for several entries.
            self.filled.notify_one();
        }
        // Also if processing panics: a removed batch is no longer queued.
        let mut taken = Taken { shell: self, failed: None };
        let outcome = process(&batch);
        if outcome.is_err() {
            taken.failed = Some(batch);
        }
        drop(taken);
        Some(outcome.map_err(PopError::Process))
    }

    /// Waits for the sync. Returns false if the queue is closed and empty before it.
    pub(super) async fn synced(&self) -> bool {
        loop {
            let synced = self.synced.notified();
            let (has_synced, over) =
                self.with(|state| (state.core.has_synced(), state.closed && state.core.is_idle()));
            if has_synced || over {
                return has_synced;
            }
            synced.await;
        }
    }

    pub(super) fn close(&self) {
        self.with(|state| state.closed = true);
        // The tasks that wait now, and those that are about to wait.
        self.filled.notify_waiters();
        self.filled.notify_one();
        self.synced.notify_waiters();
    }

    pub(super) fn is_closed(&self) -> bool {
        self.with(|state| state.closed)
    }

    fn with<R>(&self, f: impl FnOnce(&mut State<C>) -> R) -> R {
        f(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A batch that is being processed.
struct Taken<'a, C: Core> {
    shell: &'a Shell<C>,
    failed: Option<C::Batch>,
}

impl<C: Core> Drop for Taken<'_, C> {
    fn drop(&mut self) {
        let failed = self.failed.take();
        self.shell.put(|core| core.done(failed));
    }
}
