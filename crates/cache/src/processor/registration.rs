//! [`Registration`]: the handle of an added handler.

use std::fmt;
use std::sync::Arc;

use tokio::sync::{Semaphore, watch};

/// The handle of a handler that was added to an informer. Dropping it changes nothing: the handler stays.
///
/// Use it to wait until the handler has seen all existing objects, and to
/// [remove](crate::SharedInformer::remove_handler) the handler.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_cache::{HandlerFns, MemoryListWatch, SharedInformer};
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let informer = SharedInformer::new(source);
/// let registration = informer.add_handler(HandlerFns::new())?;
/// assert!(!registration.has_synced());
/// let running = informer.spawn();
/// assert!(registration.synced().await);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Registration {
    id: u64,
    name: Arc<str>,
    synced: watch::Receiver<SyncState>,
    /// Closed when the handler was removed, its task has ended, and both have dropped it.
    over: Arc<Semaphore>,
}

/// Whether a handler has handled the objects that existed when it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncState {
    Waiting,
    Synced,
    /// The handler ended first.
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

    /// Returns the name of the handler.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the cache has its first list and the handler has handled every object that existed when
    /// it was added. Once true, it stays true.
    pub fn has_synced(&self) -> bool {
        *self.synced.borrow() == SyncState::Synced
    }

    /// Waits for [`has_synced`](Self::has_synced). Returns false if the handler or its informer ends first.
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

    /// Waits until the handler was removed or its informer has stopped, and no part of the informer refers to the handler any more.
    pub(crate) async fn over(&self) {
        // There is never a permit: the call returns when the semaphore is closed.
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
