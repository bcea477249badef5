//! Cleaning up before an object goes.

use std::future::Future;
use std::sync::Arc;

use client_rs_client::Error;
use client_rs_client::api::{Api, ByName};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, json, verbs};

use crate::options::WRITE_TIMEOUT;
use crate::{Action, Result};

/// What is to be done with an object that a finalizer guards.
#[derive(Clone, Debug)]
pub enum Finalizing<K> {
    /// The object is wanted and has the finalizer: bring the world into line with it.
    Apply(Arc<K>),
    /// The object is being deleted: undo what was done for it.
    ///
    /// [`Action::done`] says that the clean-up is complete: the finalizer is removed and the object goes. Any other action
    /// ([`requeue_after`](Action::requeue_after), [`requeue`](Action::requeue)) says "not yet": the finalizer stays, and the
    /// object is reconciled again as the action asks.
    CleanUp(Arc<K>),
}

/// Reconciles an object under a finalizer: it is never removed before what was done for it is undone.
///
/// - An object without the finalizer gets it first. Then `step` runs in the same reconcile, with the object as the server
///   returned it: no second event is needed, so it works with [`generation_changed`](crate::generation_changed), which
///   drops the event of that write.
/// - While the object is being deleted, `step` gets [`CleanUp`](Finalizing::CleanUp). **The object is released only when
///   that returns [`Action::done`].** A clean-up that takes time, such as a backup by a Job, returns
///   [`Action::requeue_after`]: the finalizer stays and the object is reconciled again. So does an error, which also
///   counts as a failure and backs off.
/// - `step` may get `CleanUp` more than once: it must not matter which part of it is done already.
/// - An object that is being deleted and no longer has the finalizer is left alone: `step` is not called.
/// - Both writes are for the version of the object that was read; a conflict is an error, so the reconcile is tried again
///   with a newer object. Each write may take one minute, unless the client's own timeout is shorter.
///
/// The name is qualified, such as `example.com/cleanup`. The object comes from a cache, and may be old: that is harmless
/// for the reasons above. To be reconciled when others change the finalizers, see
/// [`finalizers_changed`](crate::finalizers_changed).
///
/// ```
/// # use std::sync::Arc;
/// # use std::time::Duration;
/// # use client_rs_client::{api::Api, RestClient};
/// # use client_rs_controller::{Action, Finalizing, Result, finalizer};
/// # use client_rs_api::core::v1::ConfigMap;
/// # async fn provision(_: &ConfigMap) -> Result<()> { Ok(()) }
/// # async fn backup_is_done(_: &ConfigMap) -> Result<bool> { Ok(true) }
/// async fn reconcile(rest: &RestClient, map: Arc<ConfigMap>) -> Result<Action> {
///     let maps = Api::<ConfigMap>::namespaced(rest, map.metadata.namespace.clone());
///     finalizer(&maps, "example.com/cleanup", &map, |step| async move {
///         match step {
///             Finalizing::Apply(map) => provision(&map).await?,
///             // Not yet: the object stays, and is looked at again in ten seconds.
///             Finalizing::CleanUp(map) if !backup_is_done(&map).await? => {
///                 return Ok(Action::requeue_after(Duration::from_secs(10)));
///             }
///             Finalizing::CleanUp(_) => {}
///         }
///         Ok(Action::done())
///     })
///     .await
/// }
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
                // It went without us: there is nothing left to release.
                Err(error) if !error.is_not_found() => Err(error.into()),
                _ => Ok(action),
            }
        }
        (true, false) => Ok(Action::done()),
    }
}

async fn write<K, S>(api: &Api<K, S>, object: &Arc<K>, finalizers: Vec<String>) -> Result<K, Error>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let patch = Patch::Merge(json!({
        "metadata": {"resourceVersion": object.resource_version(), "uid": object.uid(), "finalizers": finalizers},
    }));
    api.patch(object.name(), &patch).timeout(WRITE_TIMEOUT).await
}
