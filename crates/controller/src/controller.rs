//! A controller, put together and running.

use std::fmt;
use std::sync::Arc;

use client_rs_cache::{InformerError, Registration, SharedInformer, wait_for_cache_sync};
use client_rs_leaderelection::sharding::Shards;
use client_rs_machinery::{GroupKind, Object, ObjectKey, Resource, Scope};
use client_rs_workqueue::WorkQueue;
use tokio_util::sync::CancellationToken;

use crate::enqueue::{self, Enqueue, Keys};
use crate::sharded::Sharding;
use crate::worker::{Core, Phase};
use crate::{ControllerOptions, ControllerState, Notification, Predicate, Reconciler, Term};

/// A controller that is being put together.
///
/// Events of its informers become keys in its queue from the moment that a source is named, so that the queue is ready
/// when the workers begin. The informers are the caller's to run, or a [`Manager`](crate::Manager)'s; one informer may
/// serve any number of controllers.
///
/// ```
/// use std::time::Duration;
///
/// use client_rs_api::core::v1::{ConfigMap, Pod};
/// use client_rs_cache::SharedInformer;
/// use client_rs_controller::{
///     Action, Context, Controller, ControllerOptions, RunnableController, ReconcileError, generation_changed,
/// };
/// use client_rs_machinery::{Object, ObjectKey};
///
/// /// Config maps, the pods that they own, and the pods that name one in a label.
/// fn controller(maps: SharedInformer<ConfigMap>, pods: SharedInformer<Pod>) -> RunnableController {
///     let store = maps.indexer().clone();
///     Controller::with_options("settings", maps, ControllerOptions::default().with_workers(4))
///         .when(generation_changed())
///         .owns(&pods)
///         .watches(&pods, |pod| {
///             let named = pod.metadata.labels.get("settings");
///             named.map(|name| ObjectKey::new(pod.namespace(), name.clone()))
///         })
///         .reconcile(move |key: ObjectKey, context: Context| {
///             let map = store.get(&key);
///             async move {
///                 match map {
///                     None => Ok(Action::done()),
///                     Some(map) if map.data.is_empty() => Err(ReconcileError::terminal("no settings")),
///                     // In an hour, or when something changes.
///                     Some(_) => Ok(Action::requeue_after(Duration::from_hours(1))),
///                 }
///             }
///         })
/// }
/// ```
#[must_use = "nothing is reconciled without `reconcile`"]
pub struct Controller<K: Object> {
    name: Arc<str>,
    primary: SharedInformer<K>,
    options: ControllerOptions,
    queue: WorkQueue<ObjectKey>,
    predicate: Option<Box<dyn Predicate<K>>>,
    sources: Sources,
    sharding: Option<Sharding>,
    /// What was set a second time.
    duplicate: Option<&'static str>,
}

/// A controller with its reconcile function: it only needs to [run](Self::run), by itself or in a
/// [`Manager`](crate::Manager).
#[must_use = "nothing is reconciled until it runs"]
pub struct RunnableController {
    core: Arc<Core>,
    sources: Sources,
    duplicate: Option<&'static str>,
}

/// Why a controller does not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// A source could not be listened to.
    #[error("controller {controller}: can't listen to its informer: {error}")]
    Source {
        /// The controller.
        controller: String,
        /// Why.
        error: InformerError,
    },
    /// Something was set twice that there is one of.
    #[error("controller {controller}: {what} was set twice")]
    Duplicate {
        /// The controller.
        controller: String,
        /// What.
        what: &'static str,
    },
    /// The caches did not have their first list in time. Are the informers running, and may they list and watch?
    #[error(
        "controller {controller}: its informers have no first list after {after:?}: {}",
        cause.as_deref().unwrap_or("none has failed: are they running?")
    )]
    NotSynced {
        /// The controller.
        controller: String,
        /// How long it waited.
        after: std::time::Duration,
        /// Why the last list or watch of one of them failed, if one did.
        cause: Option<String>,
    },
}

/// The handlers by which a controller listens.
#[derive(Default)]
struct Sources {
    registrations: Vec<Registration>,
    /// Ends the listening.
    detach: Vec<Box<dyn Fn() + Send + Sync>>,
    /// Why an informer has no first list, if it has none and a list or watch of it failed.
    causes: Vec<Box<dyn Fn() -> Option<String> + Send + Sync>>,
    error: Option<InformerError>,
}

impl<K: Object> Controller<K> {
    /// A controller of the objects of an informer, under a name for logs and metrics.
    pub fn new(name: impl Into<Arc<str>>, primary: SharedInformer<K>) -> Self {
        Self::with_options(name, primary, ControllerOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        name: impl Into<Arc<str>>,
        primary: SharedInformer<K>,
        mut options: ControllerOptions,
    ) -> Self {
        let queue = WorkQueue::with_options(std::mem::take(&mut options.queue));
        Self {
            name: name.into(),
            primary,
            options,
            queue,
            predicate: None,
            sources: Sources::default(),
            sharding: None,
            duplicate: None,
        }
    }

    /// Only events of the primary objects that a predicate lets through. Of several predicates, all must let an event
    /// through; for either of two see [`Predicate::or`].
    pub fn when(mut self, predicate: impl Predicate<K>) -> Self {
        self.predicate = Some(match self.predicate.take() {
            None => Box::new(predicate),
            Some(before) => {
                Box::new(move |event: &Notification<K>| before.admits(event) && predicate.admits(event))
            }
        });
        self
    }

    /// Also what the primary objects own: a change of an object is one of the primary object that its owner references name
    /// as its controller.
    pub fn owns<C: Object>(self, informer: &SharedInformer<C>) -> Self
    where
        K: Resource,
    {
        self.owns_when(informer, |_: &Notification<C>| true)
    }

    /// As [`owns`](Self::owns), for events that a predicate lets through.
    pub fn owns_when<C: Object>(self, informer: &SharedInformer<C>, predicate: impl Predicate<C>) -> Self
    where
        K: Resource,
    {
        let kind = GroupKind::new(K::INFO.group, K::INFO.kind);
        self.owns_as(kind, <K::Scope as Scope>::NAMESPACED, informer, predicate)
    }

    /// As [`owns_when`](Self::owns_when), for primary objects whose kind is only known at run time.
    pub fn owns_as<C: Object>(
        self,
        kind: GroupKind,
        namespaced: bool,
        informer: &SharedInformer<C>,
        predicate: impl Predicate<C>,
    ) -> Self {
        self.listen(informer, Box::new(predicate), enqueue::owners(kind, namespaced, true))
    }

    /// Also other objects: a change of one is a change of the primary objects whose keys `map` gives, for its state before
    /// and for its state after. The function must not block: its informer waits for it. If it panics, every primary
    /// object is queued, since nobody knows which ones are concerned.
    pub fn watches<W, F, I>(self, informer: &SharedInformer<W>, map: F) -> Self
    where
        W: Object,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        self.watches_when(informer, |_: &Notification<W>| true, map)
    }

    /// As [`watches`](Self::watches), for events that a predicate lets through.
    pub fn watches_when<W, F, I>(
        self,
        informer: &SharedInformer<W>,
        predicate: impl Predicate<W>,
        map: F,
    ) -> Self
    where
        W: Object,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        self.listen(informer, Box::new(predicate), enqueue::mapped(map))
    }

    /// Only keys whose shard is here, for a controller that runs in several replicas at once
    /// ([`Replica::shards`](client_rs_leaderelection::sharding::Replica::shards)).
    ///
    /// - A key is reconciled only under a claim of its shard; the run is dropped, as by a timeout, when the shard is lost.
    ///   [`Context::fencing_token`](crate::Context::fencing_token) is the shard's.
    /// - Keys of other shards are passed over without a run. When a shard comes, every key of it that the primary
    ///   informer's store has is queued: a change while the shard was with nobody is not missed. The end of an object in
    ///   that time is; where it matters, a [`finalizer`](crate::finalizer()) keeps the object until it was seen.
    /// - Such a controller is for every replica
    ///   ([`Manager::controller_without_election`](crate::Manager::controller_without_election)); the replica is stopped after it.
    pub fn sharded(mut self, shards: Shards) -> Self {
        let store = self.primary.indexer().clone();
        let sharding = Sharding::new(shards, move || store.list_keys());
        if self.sharding.replace(sharding).is_some() {
            self.duplicate = Some("sharding");
        }
        self
    }

    /// Its queue: a reason to reconcile that no informer sees is a key that you add here.
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.queue
    }

    /// With the function that does the work.
    pub fn reconcile(mut self, reconciler: impl Reconciler) -> RunnableController {
        let predicate = self.predicate.take().unwrap_or_else(|| Box::new(|_: &Notification<K>| true));
        let primary = self.primary.clone();
        let this = self.listen(&primary, predicate, enqueue::own());
        let core = Core::new(this.name, this.queue, this.options, this.sharding, reconciler);
        RunnableController { core: Arc::new(core), sources: this.sources, duplicate: this.duplicate }
    }

    fn listen<W: Object>(
        mut self,
        informer: &SharedInformer<W>,
        predicate: Box<dyn Predicate<W>>,
        keys: Keys<W>,
    ) -> Self {
        let store = self.primary.indexer().clone();
        let handler = Enqueue {
            queue: self.queue.clone(),
            predicate,
            keys,
            primary: Box::new(move || store.list_keys()),
            controller: Arc::clone(&self.name),
        };
        match informer.add_handler_with(handler, enqueue::handler_options(&self.name)) {
            Ok(registration) => {
                let (informer, own, asked) = (informer.clone(), registration.clone(), informer.clone());
                self.sources.causes.push(Box::new(move || {
                    let state = asked.state();
                    let cause = state.last_error().filter(|_| !state.synced)?;
                    Some(format!("{}: {cause}", state.name))
                }));
                self.sources.detach.push(Box::new(move || {
                    informer.remove_handler(&own);
                }));
                self.sources.registrations.push(registration);
            }
            Err(error) => {
                self.sources.error.get_or_insert(error);
            }
        }
        self
    }
}

impl RunnableController {
    /// The name.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// Its queue.
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.core.queue
    }

    /// How it is doing.
    pub fn state(&self) -> ControllerState {
        self.core.state()
    }

    /// Waits until the caches have their first list and the queue has the keys of it, then works until `stop` is
    /// cancelled, and returns when the last run has ended.
    ///
    /// It may be run again, after a stop: keys that came meanwhile, and those whose runs were dropped, are in the queue.
    /// Two at once share the keys between them, each key still with one worker at a time.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), ControllerError> {
        self.run_in(Term::until(&stop)).await
    }

    /// The same in a [`Term`]: runs drain when it is given up, and are dropped at once when it is lost. Returns when none is
    /// left.
    pub async fn run_in(&self, term: Term) -> Result<(), ControllerError> {
        let controller = || self.core.name.to_string();
        if let Some(what) = self.duplicate {
            return Err(ControllerError::Duplicate { controller: controller(), what });
        }
        if let Some(error) = &self.sources.error {
            return Err(ControllerError::Source { controller: controller(), error: error.clone() });
        }
        self.core.enter(Phase::Syncing);
        let late = CancellationToken::new();
        let caches = self.sources.registrations.iter().map(|one| one as &dyn client_rs_cache::HasSynced);
        let after = self.core.options.sync_timeout;
        let synced = tokio::select! {
            () = term.stopping().cancelled() => None,
            synced = async {
                let waiting = wait_for_cache_sync(&late, caches);
                tokio::pin!(waiting);
                tokio::select! {
                    synced = &mut waiting => synced,
                    () = tokio::time::sleep(after) => {
                        late.cancel();
                        waiting.await
                    }
                }
            } => Some(synced),
        };
        match synced {
            None => {}
            Some(Ok(())) => self.core.work(&term).await,
            Some(Err(_)) => {
                self.core.enter(Phase::Stopped);
                let cause = self.sources.causes.iter().find_map(|cause| cause());
                return Err(ControllerError::NotSynced { controller: controller(), after, cause });
            }
        }
        self.core.enter(Phase::Stopped);
        Ok(())
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        for detach in &self.detach {
            detach();
        }
    }
}

impl<K: Object> fmt::Debug for Controller<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller")
            .field("name", &self.name)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RunnableController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnableController").field("state", &self.state()).finish()
    }
}
