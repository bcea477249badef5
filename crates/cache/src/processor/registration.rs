//! What the one who adds a handler gets.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

/// A handler that was added to an informer. Dropping it changes nothing: the handler stays.
#[derive(Clone)]
pub struct Registration {
    id: u64,
    name: Arc<str>,
    synced: watch::Receiver<SyncState>,
    /// Closed when the handler's task has ended.
    over: Arc<Semaphore>,
}

/// How far a handler is with what was there when it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncState {
    Waiting,
    Synced,
    /// The handler ended before.
    Over,
}

impl Registration {
    pub(crate) fn new(
        id: u64,
        name: String,
        synced: watch::Receiver<SyncState>,
        over: Arc<Semaphore>,
    ) -> Self {
        Self { id, name: name.into(), synced, over }
    }

    /// What the handler is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Has the cache had its first list, and has the handler returned from everything that was there when it
    /// began? Once true, for ever.
    pub fn has_synced(&self) -> bool {
        *self.synced.borrow() == SyncState::Synced
    }

    /// Waits for [`has_synced`](Self::has_synced); false if the handler ends before, or its informer does.
    pub async fn synced(&self) -> bool {
        let mut synced = self.synced.clone();
        synced
            .wait_for(|synced| *synced != SyncState::Waiting)
            .await
            .is_ok_and(|synced| *synced == SyncState::Synced)
    }

    pub(crate) fn id(&self) -> u64 {
        self.id
    }

    /// Waits until the handler's task has ended.
    pub(crate) async fn over(&self) {
        // No permit is ever given: the only way out is the end.
        let _ = self.over.acquire().await;
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration")
            .field("name", &self.name)
            .field("synced", &self.has_synced())
            .finish_non_exhaustive()
    }
}
