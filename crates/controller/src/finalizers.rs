//! [`Finalizers`]: several finalizers of one kind.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use client_rs_cache::BoxFuture;
use client_rs_client::api::{Api, ByName};
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Resource, verbs};

use crate::finalizer::write;
use crate::{Action, ReconcileError, Result, has_finalizer};

type CleanUp<K> = Box<dyn Fn(Arc<K>) -> BoxFuture<'static, Result> + Send + Sync>;

/// The finalizers of a kind, each with its clean-up. For one finalizer use [`finalizer()`](crate::finalizer()).
///
/// Use it if an object needs several things cleaned up that fail independently: a bucket, a DNS record.
///
/// - An object that is not being deleted gets all finalizers in one write. Then `apply` runs, with the object as the server returned it.
/// - While it is being deleted, the clean-ups of the finalizers that it still has run one after the other, in the order of registration.
///   One that fails or is not done does not keep the others from running. One write removes the finalizers whose clean-ups returned
///   [`Action::done`].
/// - Each clean-up may run more than once: make it idempotent. Finalizers of others are left alone.
/// - A name that is registered twice keeps both clean-ups: its finalizer is removed when both are done.
/// - Cancellation: a run that is dropped before the write leaves all finalizers in place.
///
/// ```
/// use std::sync::Arc;
///
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_client::Api;
/// use client_rs_controller::{Action, Finalizers, Result};
/// # use client_rs_machinery::json;
///
/// fn finalizers() -> Finalizers<ConfigMap> {
///     Finalizers::new()
///         .register("example.com/bucket", |map: Arc<ConfigMap>| async move {
///             println!("remove the bucket of {}", map.metadata.name);
///             Ok(Action::done())
///         })
///         .register("example.com/dns", |_| async { Ok(Action::done()) })
/// }
///
/// async fn reconcile(api: &Api<ConfigMap>, map: &Arc<ConfigMap>) -> Result<Action> {
///     finalizers().reconcile(api, map, |_| async { Ok(Action::done()) }).await
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), client_rs_controller::ReconcileError> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let api = Api::<ConfigMap>::namespaced(&server.rest_client()?, "default");
/// # let map = Arc::new(api.apply(json!({"metadata": {"name": "photos"}}), "user").await?);
/// reconcile(&api, &map).await?;
/// assert_eq!(api.get("photos").await?.metadata.finalizers.len(), 2);
/// api.delete("photos").await?;
/// reconcile(&api, &Arc::new(api.get("photos").await?)).await?;
/// assert!(api.get_opt("photos").await?.is_none());
/// # Ok(())
/// # }
/// ```
pub struct Finalizers<K> {
    known: Vec<(String, CleanUp<K>)>,
}

impl<K> Finalizers<K> {
    /// No finalizers.
    pub fn new() -> Self {
        Self { known: Vec::new() }
    }

    /// Adds a finalizer with a qualified name, such as `example.com/bucket`. The clean-up is complete when it returns
    /// [`Action::done`]; any other action means "not yet".
    #[must_use]
    pub fn register<F, Fut>(mut self, name: impl Into<String>, clean_up: F) -> Self
    where
        F: Fn(Arc<K>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result> + Send + 'static,
    {
        self.known.push((name.into(), Box::new(move |object| Box::pin(clean_up(object)))));
        self
    }

    /// The names, in the order of registration.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(|(name, _)| name.as_str())
    }

    /// Adds the finalizers and runs `apply`, or runs the clean-ups and removes the finalizers.
    ///
    /// # Errors
    ///
    /// The error of `apply`, those of the clean-ups, or that of the write. If several clean-ups fail, the error has all of their
    /// texts, and is terminal if each of them is. If one is not done, the action is the earliest of theirs; terminal errors of others are
    /// logged then.
    pub async fn reconcile<S, F, Fut>(&self, api: &Api<K, S>, object: &Arc<K>, apply: F) -> Result
    where
        K: Resource + Payload + verbs::Patch,
        S: ByName,
        F: FnOnce(Arc<K>) -> Fut,
        Fut: Future<Output = Result>,
    {
        if object.is_being_deleted() {
            return self.clean_up(api, object).await;
        }
        let mut all: Vec<String> = object.meta().finalizers().map(str::to_owned).collect();
        let before = all.len();
        for name in self.names() {
            if !all.iter().any(|known| known == name) {
                all.push(name.to_owned());
            }
        }
        let object =
            if all.len() == before { Arc::clone(object) } else { Arc::new(write(api, object, all).await?) };
        apply(object).await
    }

    async fn clean_up<S>(&self, api: &Api<K, S>, object: &Arc<K>) -> Result
    where
        K: Resource + Payload + verbs::Patch,
        S: ByName,
    {
        let (mut left, mut errors) = (Vec::new(), Vec::<(&str, ReconcileError)>::new());
        let mut again: Option<Action> = None;
        let present = self.known.iter().filter(|(name, _)| has_finalizer(&**object, name));
        let present: Vec<_> = present.collect();
        for (name, clean_up) in &present {
            match clean_up(Arc::clone(object)).await {
                Ok(action) if action == Action::done() => {}
                Ok(action) => {
                    left.push(name.as_str());
                    again = Some(again.map_or(action, |known| known.earlier(action)));
                }
                Err(error) => {
                    left.push(name.as_str());
                    errors.push((name.as_str(), error));
                }
            }
        }
        let done = |name: &str| present.iter().any(|(own, _)| own == name) && !left.contains(&name);
        let kept: Vec<String> =
            object.meta().finalizers().filter(|name| !done(name)).map(str::to_owned).collect();
        if kept.len() < object.meta().finalizers().count() {
            match write(api, object, kept).await {
                // The object is already gone: there is no finalizer left to remove.
                Err(error) if !error.is_not_found() => return Err(error.into()),
                _ => {}
            }
        }
        match (errors.len(), again) {
            (0, again) => Ok(again.unwrap_or_default()),
            // The others go on: a terminal error would end the retries of all.
            (_, Some(again)) if errors.iter().all(|(_, error)| error.is_terminal()) => {
                for (name, error) in &errors {
                    tracing::error!(object = %object.key(), finalizer = name, %error, "a clean-up failed and is not the last one");
                }
                Ok(again)
            }
            (1, _) => Err(errors.remove(0).1),
            _ => {
                let texts: Vec<String> =
                    errors.iter().map(|(name, error)| format!("{name}: {error}")).collect();
                let texts = texts.join("; ");
                // A retry helps if it helps one of them.
                if errors.iter().all(|(_, error)| error.is_terminal()) {
                    return Err(ReconcileError::terminal(texts));
                }
                Err(ReconcileError::message(texts))
            }
        }
    }
}

impl<K> Default for Finalizers<K> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for Finalizers<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
