//! [`InformerMetrics`]: counts the work of an informer.

use std::sync::Arc;
use std::time::Duration;

use crate::FetchError;
use crate::state::{HandlerState, ReflectorState};

/// Receives the events of an informer, to count them: one per informer, set in its options.
///
/// All functions do nothing by default. They must not block and must not panic. Some are called for every
/// event.
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
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use std::time::Duration;
/// use client_rs_cache::{InformerMetrics, InformerOptions, MemoryListWatch, SharedInformer};
///
/// #[derive(Default)]
/// struct Listed(AtomicUsize);
///
/// impl InformerMetrics for Listed {
///     fn listed(&self, items: usize, _took: Duration) {
///         self.0.fetch_add(items, Ordering::Relaxed);
///     }
/// }
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let metrics = Arc::new(Listed::default());
/// let options = InformerOptions::default().with_metrics(metrics.clone());
/// let informer = SharedInformer::with_options(source, options);
/// let running = informer.spawn();
/// informer.synced().await;
/// assert_eq!(metrics.0.load(Ordering::Relaxed), 1);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
pub trait InformerMetrics: Send + Sync + 'static {
    /// The informer was made. The function returns the counts of its reflectors and handlers, for metrics that are read
    /// when they are exported; `None` once the informer is gone.
    fn observe(&self, activity: ActivityOf) {
        let _ = activity;
    }

    /// A list, streamed or plain, is complete: the number of its items, and its duration.
    fn listed(&self, items: usize, took: Duration) {
        let _ = (items, took);
    }

    /// A watch was opened.
    fn watch_opened(&self) {}

    /// A list or watch failed, and the watch error handler was called.
    fn failed(&self, error: &FetchError) {
        let _ = error;
    }

    /// Objects could not be decoded or transformed.
    fn undecodable(&self, count: u64) {
        let _ = count;
    }

    /// A batch was applied to the store and to the queues of the handlers: the number of its deltas, the
    /// duration, and the number of deltas that still wait.
    fn processed(&self, deltas: usize, took: Duration, queued: usize) {
        let _ = (deltas, took, queued);
    }

    /// The version of the store: only its last 15 digits, as in client-go. Not called for a version that is not
    /// a number.
    fn store_resource_version(&self, version: u64) {
        let _ = version;
    }
}

/// Returns the activity of an informer; `None` once the informer is gone. It is quick, and holds a lock of the informer only
/// for a moment.
pub type ActivityOf = Arc<dyn Fn() -> Option<InformerActivity> + Send + Sync>;

/// The counts of an informer's reflectors and handlers: a part of its [state](crate::InformerState).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct InformerActivity {
    /// Its reflectors: one, or one per namespace.
    pub reflectors: Vec<ReflectorState>,
    /// Its handlers.
    pub handlers: Vec<HandlerState>,
}

/// Returns the last 15 digits of a version that is a number.
pub(crate) fn numeric(version: &str) -> Option<u64> {
    if version.is_empty() || !version.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    version[version.len().saturating_sub(15)..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_cut_to_fifteen_digits() {
        assert_eq!(numeric("42"), Some(42));
        assert_eq!(numeric("1123456789012345"), Some(123_456_789_012_345));
        for odd in ["", "a", "1a", "-1", "٣"] {
            assert_eq!(numeric(odd), None, "{odd}");
        }
    }
}
