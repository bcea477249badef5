//! Waits until caches have their first list.

use std::fmt;

use tokio_util::sync::CancellationToken;

use client_rs_machinery::Object;

use crate::{BoxFuture, Registration, SharedInformer};

/// Something that syncs once, such as an informer whose cache has its first list, or a handler that has handled
/// it.
pub trait HasSynced: Send + Sync {
    /// Returns its name, for the error of [`wait_for_cache_sync`].
    fn sync_name(&self) -> &str;

    /// Returns whether it has synced.
    fn has_synced(&self) -> bool;

    /// Waits until it has synced. Returns false if it never will.
    fn wait_synced(&self) -> BoxFuture<'_, bool>;
}

/// The error of [`wait_for_cache_sync`]: caches that have not synced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotSynced {
    /// Their names, sorted.
    pub names: Vec<String>,
}

impl fmt::Display for NotSynced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "caches not synced: {}", self.names.join(", "))
    }
}

impl std::error::Error for NotSynced {}

/// Waits until all caches have synced.
///
/// The error names those that have not. It is returned when the token is cancelled, or when one of them has
/// stopped and never will sync. A cache that has synced by then counts, even if the token is cancelled. For a
/// deadline, cancel the token or wrap the future in `tokio::time::timeout`.
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
/// use client_rs_cache::{CancellationToken, HasSynced, MemoryListWatch, SharedInformer, wait_for_cache_sync};
///
/// let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
/// let informer = SharedInformer::new(source);
/// let running = informer.spawn();
/// wait_for_cache_sync(&CancellationToken::new(), [&informer as &dyn HasSynced]).await?;
/// assert!(informer.has_synced());
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
pub async fn wait_for_cache_sync(
    cancel: &CancellationToken,
    caches: impl IntoIterator<Item = &dyn HasSynced>,
) -> Result<(), NotSynced> {
    let caches: Vec<_> = caches.into_iter().collect();
    for cache in &caches {
        // A cache that has synced counts, even if the token is cancelled at the same time.
        if !cache.has_synced() {
            cancel.run_until_cancelled(cache.wait_synced()).await;
        }
    }
    let late = caches.iter().filter(|cache| !cache.has_synced());
    let mut names: Vec<_> = late.map(|cache| cache.sync_name().to_owned()).collect();
    if names.is_empty() {
        return Ok(());
    }
    names.sort();
    tracing::warn!(?names, "gave up waiting for caches");
    Err(NotSynced { names })
}

impl<K: Object> HasSynced for SharedInformer<K> {
    fn sync_name(&self) -> &str {
        self.name()
    }

    fn has_synced(&self) -> bool {
        Self::has_synced(self)
    }

    fn wait_synced(&self) -> BoxFuture<'_, bool> {
        Box::pin(self.synced())
    }
}

impl HasSynced for Registration {
    fn sync_name(&self) -> &str {
        self.name()
    }

    fn has_synced(&self) -> bool {
        Self::has_synced(self)
    }

    fn wait_synced(&self) -> BoxFuture<'_, bool> {
        Box::pin(self.synced())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::sync::watch;

    use super::*;

    struct Cache(&'static str, watch::Sender<bool>);

    impl HasSynced for Cache {
        fn sync_name(&self) -> &str {
            self.0
        }

        fn has_synced(&self) -> bool {
            *self.1.borrow()
        }

        fn wait_synced(&self) -> BoxFuture<'_, bool> {
            let mut synced = self.1.subscribe();
            Box::pin(async move { synced.wait_for(|synced| *synced).await.is_ok() })
        }
    }

    #[tokio::test(start_paused = true)]
    async fn t1_11_24_waits_for_all_and_names_those_that_have_not_synced() {
        let cache = |name, synced| Cache(name, watch::Sender::new(synced));
        let names = |result: Result<(), NotSynced>| result.map_err(|error| error.to_string());
        let cancel = CancellationToken::new();
        let (done, z, a) = (cache("done", true), cache("z", false), cache("a", false));
        // Already done.
        assert_eq!(names(wait_for_cache_sync(&cancel, [&done as &dyn HasSynced]).await), Ok(()));
        assert_eq!(names(wait_for_cache_sync(&cancel, []).await), Ok(()));
        // Done later.
        let later = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            z.1.send_replace(true);
        };
        let caches: [&dyn HasSynced; 2] = [&z, &done];
        let (result, ()) = tokio::join!(wait_for_cache_sync(&cancel, caches), later);
        assert_eq!(names(result), Ok(()));
        // Cancelled: mixed.
        z.1.send_replace(false);
        let stop = async {
            tokio::time::sleep(Duration::from_secs(5)).await;
            cancel.cancel();
        };
        let caches: [&dyn HasSynced; 3] = [&z, &done, &a];
        let (result, ()) = tokio::join!(wait_for_cache_sync(&cancel, caches), stop);
        assert_eq!(names(result), Err("caches not synced: a, z".into()));
        // Done and cancelled: done counts.
        assert_eq!(names(wait_for_cache_sync(&cancel, [&done as &dyn HasSynced]).await), Ok(()));
    }
}
