//! Finalizers: clean-up before the server removes an object.

use std::future::Future;
use std::sync::Arc;

use client_rs_client::Error;
use client_rs_client::api::{Api, ByName};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, json, verbs};

use crate::options::WRITE_TIMEOUT;
use crate::{Action, Result};

/// The step that [`finalizer`] asks for.
#[derive(Clone, Debug)]
pub enum Finalizing<K> {
    /// The object is not being deleted and has the finalizer: create or update the things that it asks for.
    Apply(Arc<K>),
    /// The object is being deleted: remove the things that were made for it.
    ///
    /// [`Action::done`] means that the clean-up is complete: the finalizer is removed, and the server removes the object.
    /// Any other action ([`requeue_after`](Action::requeue_after), [`requeue`](Action::requeue)) means "not yet": the
    /// finalizer stays, and the object is reconciled again as the action asks.
    CleanUp(Arc<K>),
}

/// Reconciles an object under a finalizer: the server does not remove the object before the clean-up is complete.
///
/// Use it for things outside of the cluster, or in other namespaces: a bucket, a DNS record. Objects in the same namespace
/// do not need it: give them an owner reference ([`Owned`](crate::Owned)), and the garbage collector removes them.
///
/// - An object without the finalizer gets it first. Then `step` runs in the same reconcile, with the object as the server
///   returned it. No second event is needed, so it works with [`generation_changed`](crate::generation_changed), which
///   drops the event of that write.
/// - While the object is being deleted, `step` gets [`CleanUp`](Finalizing::CleanUp). **The finalizer is removed only when
///   that returns [`Action::done`].** A clean-up that takes time, such as a backup by a Job, returns
///   [`Action::requeue_after`]: the finalizer stays, and the object is reconciled again. After an error the finalizer stays
///   too; the error counts as a failure and the key backs off.
/// - `step` may get `CleanUp` more than once: make it idempotent.
/// - If the object is being deleted and no longer has the finalizer, `step` is not called.
/// - Cancellation: a run that is dropped between two writes leaves the finalizer in place, and the next run continues.
///
/// The name is qualified, such as `example.com/cleanup`. The object may come from a cache that is behind: each write carries
/// the version that was read. To be reconciled when others change the finalizers, see
/// [`finalizers_changed`](crate::finalizers_changed).
///
/// # Errors
///
/// The errors of `step`, and those of the two writes. A conflict means that the object has changed: the reconcile is retried
/// with a newer object. Each write times out after one minute, or earlier if the client's own timeout is shorter.
///
/// ```
/// # use std::sync::Arc;
/// # use client_rs_client::{Api, Error};
/// # use client_rs_api::core::v1::ConfigMap;
/// # use client_rs_machinery::json;
/// use client_rs_controller::{Action, Finalizing, ReconcileError, Result, finalizer};
///
/// const NAME: &str = "example.com/cleanup";
///
/// async fn reconcile(maps: &Api<ConfigMap>, map: ConfigMap) -> Result<Action> {
///     finalizer(maps, NAME, &Arc::new(map), |step| async move {
///         match step {
///             Finalizing::Apply(map) => println!("create the bucket of {}", map.metadata.name),
///             Finalizing::CleanUp(map) => println!("remove the bucket of {}", map.metadata.name),
///         }
///         Ok(Action::done())
///     })
///     .await
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), ReconcileError> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let maps = Api::<ConfigMap>::namespaced(&server.rest_client()?, "default");
/// # let map = maps.apply(json!({"metadata": {"name": "photos"}}), "user").await?;
/// reconcile(&maps, map).await?;
/// // A delete marks the object; the finalizer keeps it until the clean-up is done.
/// maps.delete("photos").await?;
/// let marked = maps.get("photos").await?;
/// assert_eq!(marked.metadata.finalizers.first().map(|name| name.as_str()), Some(NAME));
/// reconcile(&maps, marked).await?;
/// assert!(maps.get("photos").await.is_err_and(|error| error.is_not_found()));
/// # Ok(())
/// # }
/// ```
pub async fn finalizer<K, S, F, Fut>(api: &Api<K, S>, name: &str, object: &Arc<K>, step: F) -> Result
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
    F: FnOnce(Finalizing<K>) -> Fut,
    Fut: Future<Output = Result>,
{
    let guarded = object.meta().finalizers().any(|own| own == name);
    match (object.is_being_deleted(), guarded) {
        (false, true) => step(Finalizing::Apply(Arc::clone(object))).await,
        (false, false) => {
            let all = object.meta().finalizers().chain([name]);
            let written = write(api, object, all.map(str::to_owned).collect()).await?;
            step(Finalizing::Apply(Arc::new(written))).await
        }
        (true, true) => {
            let action = step(Finalizing::CleanUp(Arc::clone(object))).await?;
            if action != Action::done() {
                return Ok(action);
            }
            let left = object.meta().finalizers().filter(|own| *own != name);
            match write(api, object, left.map(str::to_owned).collect()).await {
                // The object is already gone: there is no finalizer left to remove.
                Err(error) if !error.is_not_found() => Err(error.into()),
                _ => Ok(action),
            }
        }
        (true, false) => Ok(Action::done()),
    }
}

pub(crate) async fn write<K, S>(api: &Api<K, S>, object: &Arc<K>, finalizers: Vec<String>) -> Result<K, Error>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let patch = Patch::Merge(json!({
        "metadata": {"resourceVersion": object.resource_version(), "uid": object.uid(), "finalizers": finalizers},
    }));
    api.patch(object.name(), &patch).timeout(WRITE_TIMEOUT).await
}
