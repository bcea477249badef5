//! Cleaning up before an object goes.

use std::future::Future;
use std::sync::Arc;

use client_rs_client::api::{Api, ByName};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, json, verbs};

use crate::{Action, ReconcileError, Result};

/// What is to be done with an object that a finalizer guards.
#[derive(Clone, Debug)]
pub enum Finalizing<K> {
    /// The object is wanted, and can't go without us: bring the world into line with it.
    Apply(Arc<K>),
    /// The object is to go: undo what was done for it. When that returns without an error, the object is let go.
    CleanUp(Arc<K>),
}

/// Reconciles an object under a finalizer: it never goes before what was done for it is undone.
///
/// - An object without the finalizer is given it, and `step` waits for the change that this is: nothing is done for an
///   object that could vanish meanwhile.
/// - `step` may be told to clean up more than once: it must not matter what of it is done already.
/// - Both writes are for the version of the object that was seen; a conflict is an error, and so tried again with the
///   newer one.
/// - An object that is going and no longer has the finalizer is none of our business: `step` is not called.
///
/// The name is qualified, such as `example.com/cleanup`. The object comes from a cache, and may be old: that is harmless
/// for the reasons above.
///
/// ```
/// # use std::sync::Arc;
/// # use client_rs_client::{api::Api, RestClient};
/// # use client_rs_controller::{Action, Finalizing, Result, finalizer};
/// # use client_rs_api::core::v1::ConfigMap;
/// # async fn provision(_: &ConfigMap) -> Result<()> { Ok(()) }
/// # async fn remove(_: &ConfigMap) -> Result<()> { Ok(()) }
/// async fn reconcile(rest: &RestClient, map: Arc<ConfigMap>) -> Result<Action> {
///     let maps = Api::<ConfigMap>::namespaced(rest, map.metadata.namespace.clone());
///     finalizer(&maps, "example.com/cleanup", &map, |step| async move {
///         match step {
///             Finalizing::Apply(map) => provision(&map).await?,
///             Finalizing::CleanUp(map) => remove(&map).await?,
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
            write(api, object, all.map(str::to_owned).collect()).await?;
            Ok(Action::done())
        }
        (true, true) => {
            let action = step(Finalizing::CleanUp(Arc::clone(object))).await?;
            let left = object.meta().finalizers().filter(|own| *own != name);
            write(api, object, left.map(str::to_owned).collect()).await?;
            Ok(action)
        }
        (true, false) => Ok(Action::done()),
    }
}

async fn write<K, S>(api: &Api<K, S>, object: &Arc<K>, finalizers: Vec<String>) -> Result<()>
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let patch = Patch::Merge(json!({
        "metadata": {"resourceVersion": object.resource_version(), "uid": object.uid(), "finalizers": finalizers},
    }));
    match api.patch(object.name(), &patch).await {
        Ok(_) => Ok(()),
        // It went without us: then there is nothing to hold or to let go.
        Err(error) if error.is_not_found() && object.is_being_deleted() => Ok(()),
        Err(error) => Err(ReconcileError::from(error)),
    }
}
