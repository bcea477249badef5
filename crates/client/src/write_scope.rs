//! [`observe_writes`]: the writes of one task.

use std::future::Future;
use std::sync::Arc;

use client_rs_machinery::{WriteObserver, in_scope};

use crate::task_observers::TaskObservers;

/// Runs a future and notifies an observer of every write that it makes, with any client.
///
/// The observer is notified when the response to a write arrives, before the future gets it. A write whose response is lost,
/// or that is cancelled, is reported as [`Unknown`](client_rs_machinery::WriteOutcome::Unknown). Requests with `dryRun` are not
/// reported, and neither is a write that was refused or not sent.
///
/// Only writes that the future itself polls are reported. A task that it spawns is another future: subscribe to the client's
/// [`write_log`](crate::RestClient::write_log) to see its writes too.
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// # use client_rs_api::core::v1::ConfigMap;
/// use client_rs_client::{Api, observe_writes};
/// # use client_rs_client::testing::Canned;
/// use client_rs_machinery::{Write, WriteObserver, WriteOutcome};
///
/// #[derive(Default)]
/// struct Versions(Mutex<Vec<String>>);
///
/// impl WriteObserver for Versions {
///     fn written(&self, write: &Write<'_>) {
///         if let WriteOutcome::Object(object) = write.outcome {
///             self.0.lock().unwrap().push(object.metadata.resource_version().to_owned());
///         }
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let answer = r#"{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "a", "namespace": "b", "resourceVersion": "7"}}"#;
/// # let server = Canned::new().on("POST /api/v1/namespaces/b/configmaps", answer);
/// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "b");
/// # let mut map = ConfigMap::EMPTY;
/// # map.metadata.name = "a".into();
/// let versions = Arc::new(Versions::default());
/// observe_writes(versions.clone(), async { maps.create(map).await }).await?;
/// assert_eq!(*versions.0.lock().unwrap(), ["7"]);
/// # Ok(())
/// # }
/// ```
pub fn observe_writes<F: Future>(
    observer: Arc<dyn WriteObserver>,
    future: F,
) -> impl Future<Output = F::Output> {
    let exchange = |observer: &mut _| _ = TaskObservers::with(|current| current.writes.exchange(observer));
    in_scope(Some(observer), exchange, future)
}

/// The observer of the current task.
pub(crate) fn current() -> Option<Arc<dyn WriteObserver>> {
    TaskObservers::with(|current| current.writes.get()).flatten()
}
