//! [`Controller`], the builder, and [`RunnableController`], which runs.

use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use client_rs_cache::{HasSynced, InformerError, SharedInformer, wait_for_cache_sync};
use client_rs_leaderelection::sharding::Shards;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{GroupKind, Object, ObjectKey, Resource, Scope};
use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, WorkQueue, panic_message};
use futures_util::FutureExt;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::enqueue::{self, Enqueue, Keys};
use crate::keyed::{AddedWatch, EnqueueKeys};
use crate::own_writes::{Cache, OwnWrites, SourceCache};
use crate::predicate::All;
use crate::recorder::{Cause, Log, Role, Source, What};
use crate::sharded::Sharding;
use crate::source_look::SourceLook;
use crate::task::spawn;
use crate::why::Why;
use crate::worker::{Core, CoreParts, Phase};
use crate::{ControllerOptions, ControllerState, Notification, Predicate, Reconciler, Term};

/// The builder of a controller: its informers, its predicates, and at the end its reconcile function.
///
/// Use it if something must happen again and again until the cluster is as an object asks. If you only want to observe
/// changes, an informer with a handler is enough. For a queue of your own work items use the `workqueue` crate.
///
/// Each source starts to enqueue keys as soon as it is added, so the queue is ready when the workers begin. The controller
/// does not run its informers: run them yourself, or let a [`Manager`](crate::Manager) do it. One informer may serve any
/// number of controllers.
///
/// ```
/// use std::time::Duration;
///
/// use client_rs_api::core::v1::{ConfigMap, Pod};
/// use client_rs_controller::{
///     Action, Context, Controller, ControllerOptions, ReconcileError, resource_version_changed,
/// };
/// # use client_rs_informers::SharedInformerFactory;
/// use client_rs_machinery::{Object, ObjectKey};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let options = client_rs_apiserver::ServerOptions::default().with_listen(None);
/// # let server = client_rs_apiserver::Server::start_with(options).await?;
/// # let factory = SharedInformerFactory::new(server.rest_client()?);
/// // Config maps, the pods that they own, and the pods that name a config map in a label.
/// let (maps, pods) = (factory.of::<ConfigMap>(), factory.informer_for::<Pod>());
/// let lister = maps.lister();
/// let options = ControllerOptions::default().with_workers(4);
/// let controller = Controller::with_options("settings", maps.informer(), options)
///     .when(resource_version_changed())
///     .owns(&pods)
///     .watches(&pods, |pod| {
///         let label = pod.metadata.labels.get("settings");
///         label.map(|name| ObjectKey::new(pod.namespace(), name.clone()))
///     })
///     .reconcile(move |key: ObjectKey, _: Context| {
///         let map = lister.get(&key);
///         async move {
///             match map {
///                 Err(_) => Ok(Action::done()), // Deleted.
///                 Ok(map) if map.data.is_empty() => Err(ReconcileError::terminal("no settings")),
///                 // In an hour, or when something changes.
///                 Ok(_) => Ok(Action::requeue_after(Duration::from_hours(1))),
///             }
///         }
///     });
/// assert_eq!((controller.name(), controller.state().phase), ("settings", "waiting"));
/// # Ok(())
/// # }
/// ```
///
/// # Own writes
///
/// A run sees what this process has written, without any code:
///
/// - A run of a key starts when the caches of the controller show all writes that earlier runs of the key have made: creates,
///   updates, patches, applies, status and other subresources, deletions, with any client for the same server.
/// - The same holds for every other write of this process to an object that maps to the key (the object itself, an object that
///   it owns, an object for which the function of [`watches`](Self::watches) returns the key), if it was made with a clone of
///   the client that fills the cache: by a detached task, by another key, or by another controller.
/// - **Waiting.** The key leaves the queue until the store has caught up; no worker waits, and other keys are not delayed. The
///   store itself wakes it. Writes that arrive during the wait delay the run after it, not this one.
/// - **Not waited for**: objects outside the selectors and namespaces of a cache, caches whose source does not name its
///   [collection](client_rs_cache::ListWatch::collection), writes
///   with `dryRun`, deletions of a whole collection, versions that are not numbers.
/// - **Lost responses.** If the response to a write was lost, or its run was dropped, one list request shows the state
///   to wait for. A create with `generateName` whose response was lost can't be found.
/// - **Limit.** If a cache has not caught up after
///   [`own_writes_timeout`](crate::ControllerOptions::own_writes_timeout), the server is asked for the object, because it may have
///   been restored from a backup. After the same time again the run starts with a warning.
/// - **Nothing is missed in a gap.** While a watch is interrupted, others may change or delete an object that this process has written.
///   The list that follows does not show the state that was written, and an object that was created and deleted in the gap is
///   in no cache at all: no handler is notified. Then the keys of the write are enqueued: that of its run, and those to which the
///   written object maps. Predicates do not apply to this. The list wakes it, not a timer. A run that the gap did not need is possible.
/// - **No writes without a change.** In a run, an update or apply that would change nothing is not sent: an update to exactly the
///   object that the cache has, or the last apply of the same field manager once more, while the cache has the version that it
///   returned, for an hour. The result is then the object from the cache. [`send_unchanged`](client_rs_client::api::ApiRequest::send_unchanged)
///   sends it nevertheless.
/// - Waits and timeouts are in [`ControllerState`], in `/debug/state` and in the metrics. Memory: about 300 bytes for each written
///   object, until the cache shows it; 65,536 objects at most.
/// - **Not promised**: that the cache has the writes of other processes. Writes with a `resourceVersion` fail with a conflict
///   when it has not.
///
/// Turn off waits and suppressed writes with
/// [`ControllerOptions::read_own_writes`](crate::ControllerOptions::read_own_writes). Gaps are closed in any case, except for writes whose
/// response was lost.
///
/// Next: [`RunnableController::run`], or [`Manager::controller`](crate::Manager::controller).
#[must_use = "nothing is reconciled without `reconcile`"]
pub struct Controller<K: Object> {
    parts: Parts,
    primary: SharedInformer<K>,
    predicates: Vec<Box<dyn Predicate<K>>>,
}

/// The parts of a controller that do not depend on the kind of its primary objects.
pub(crate) struct Parts {
    pub(crate) name: Arc<str>,
    options: ControllerOptions,
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) sources: Sources,
    log: Log,
    /// The informers of the sources, for `why`.
    observed: Vec<Arc<Source>>,
    /// The caches of the sources.
    caches: Vec<Box<dyn Cache>>,
    /// Set when the controller is complete.
    own_writes: Arc<OnceLock<Arc<OwnWrites>>>,
    sharding: Option<Sharding>,
    /// The first setting that was set twice.
    duplicate: Option<&'static str>,
    primary_keys: PrimaryKeys,
    #[cfg(feature = "recording")]
    pub(crate) derived: crate::recording::Derived,
}

/// Returns the keys of all primary objects.
pub(crate) type PrimaryKeys = Arc<dyn Fn() -> Vec<ObjectKey> + Send + Sync>;

/// A controller with its reconcile function. [Run](Self::run) it, or give it to a [`Manager`](crate::Manager), which also
/// runs its informers and leader election.
#[must_use = "nothing is reconciled until it runs"]
pub struct RunnableController {
    core: Arc<Core>,
    sources: Sources,
    primary_keys: PrimaryKeys,
    duplicate: Option<&'static str>,
}

/// The reason why a controller did not run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// An informer refused the controller's handler: it has already stopped.
    #[error("controller {controller}: can't add its handler to an informer: {error}")]
    Source {
        /// The controller.
        controller: String,
        /// The cause.
        error: InformerError,
    },
    /// A setting that may be set once was set twice.
    #[error("controller {controller}: {what} was set twice")]
    Duplicate {
        /// The controller.
        controller: String,
        /// The setting.
        what: &'static str,
    },
    /// The caches did not have their first list in time. Check that the informers run, and that the program's account may
    /// list and watch.
    #[error(
        "controller {controller}: its informers have no first list after {after:?}: {}",
        cause.as_deref().unwrap_or("no list has failed; check that the informers are running")
    )]
    NotSynced {
        /// The controller.
        controller: String,
        /// How long the controller waited.
        after: std::time::Duration,
        /// The error of the last list or watch of one of them, if one failed.
        cause: Option<String>,
    },
}

/// The sources of a controller's keys.
#[derive(Default)]
pub(crate) struct Sources {
    /// The caches and graphs that must have their first content before the controller works.
    pub(crate) waits_for: Vec<Box<dyn HasSynced>>,
    /// Functions that begin to enqueue keys; called at the begin of each run.
    pub(crate) start: Vec<Box<dyn Fn() + Send + Sync>>,
    /// Functions that remove the handlers.
    detach: Vec<Box<dyn Fn() + Send + Sync>>,
    /// Functions that return why an informer has no first list, if a list or watch of it failed.
    pub(crate) causes: Vec<Box<dyn Fn() -> Option<String> + Send + Sync>>,
    error: Option<InformerError>,
}

impl<K: Object> Controller<K> {
    /// A controller of the objects of an informer. The name appears in logs, metrics and states; choose a unique one.
    pub fn new(name: impl Into<Arc<str>>, primary: SharedInformer<K>) -> Self {
        Self::with_options(name, primary, ControllerOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        name: impl Into<Arc<str>>,
        primary: SharedInformer<K>,
        options: ControllerOptions,
    ) -> Self {
        let store = primary.indexer().clone();
        let parts = Parts::new(name.into(), options, Arc::new(move || store.list_keys()));
        Self { parts, primary, predicates: Vec::new() }
    }

    /// Limits the events of the primary objects to those that a predicate admits. If called several times, all predicates
    /// must admit an event; for one of two see [`Predicate::or`].
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_cache::SharedInformer;
    /// use client_rs_controller::{Controller, Predicate, generation_changed, labels_changed};
    ///
    /// fn of_pods(pods: SharedInformer<Pod>) -> Controller<Pod> {
    ///     // Updates of the status alone do not lead to a reconcile.
    ///     Controller::new("pods", pods).when(generation_changed().or(labels_changed()))
    /// }
    /// ```
    pub fn when(mut self, predicate: impl Predicate<K>) -> Self {
        self.predicates.push(Box::new(predicate));
        self
    }

    /// Also watches objects that the primary objects own. A change of such an object enqueues its owner: the primary object
    /// that its owner references name as controller.
    ///
    /// Use it for children that this controller creates with [`Owned`](crate::Owned), so that it notices when somebody
    /// changes or deletes one. For other relations use [`watches`](Self::watches).
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_api::core::v1::{ConfigMap, Secret};
    /// use client_rs_client::Api;
    /// use client_rs_controller::{Action, CancellationToken, Context, Controller, Owned};
    /// use client_rs_machinery::{ObjectKey, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let rest = server.rest_client()?;
    /// # let factory = SharedInformerFactory::new(rest.clone());
    /// let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    /// let owner = maps.apply(json!({"metadata": {"name": "app"}}), "user").await?;
    /// let secrets = Api::<Secret>::namespaced(&rest, "default");
    /// Owned::by(&owner, "app")?.apply(&secrets, json!({"metadata": {"name": "app-password"}}), None).await?;
    ///
    /// let stop = CancellationToken::new();
    /// let stopping = stop.clone();
    /// let controller = Controller::new("apps", factory.informer_for::<ConfigMap>())
    ///     .when(|_: &_| false) // In this example only the secret brings the key.
    ///     .owns(&factory.informer_for::<Secret>())
    ///     .reconcile(move |key: ObjectKey, _: Context| {
    ///         assert_eq!(key, ObjectKey::new("default", "app"));
    ///         stopping.cancel();
    ///         async { Ok(Action::done()) }
    ///     });
    /// factory.start();
    /// controller.run(stop).await?;
    /// assert_eq!(controller.state().counts.success, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn owns<C: Object>(self, informer: &SharedInformer<C>) -> Self
    where
        K: Resource,
    {
        self.owns_when(informer, |_: &Notification<C>| true)
    }

    /// Like [`owns`](Self::owns), for events that a predicate admits.
    pub fn owns_when<C: Object>(self, informer: &SharedInformer<C>, predicate: impl Predicate<C>) -> Self
    where
        K: Resource,
    {
        let kind = GroupKind::new(K::INFO.group, K::INFO.kind);
        self.owns_as(kind, <K::Scope as Scope>::NAMESPACED, informer, predicate)
    }

    /// Like [`owns_when`](Self::owns_when), for primary objects whose kind is known only at run time.
    pub fn owns_as<C: Object>(
        self,
        kind: GroupKind,
        namespaced: bool,
        informer: &SharedInformer<C>,
        predicate: impl Predicate<C>,
    ) -> Self {
        let keys = Keys::Owners { kind, namespaced, controllers_only: true };
        Self { parts: self.parts.listen(informer, Box::new(predicate), keys), ..self }
    }

    /// Also watches other objects. A change of one enqueues the keys that `map` returns for its old state and for its new
    /// state.
    ///
    /// Use it for objects that the primary objects refer to, such as a Secret that many of them mount. An index over the
    /// primary informer makes `map` fast.
    ///
    /// The function must not block: its informer waits for it. If it panics, every primary object is enqueued, because the
    /// controller can't know which ones are affected.
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_client::Api;
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_api::core::v1::{ConfigMap, Secret};
    /// use client_rs_controller::{Action, CancellationToken, Context, Controller};
    /// use client_rs_machinery::{ObjectKey, json};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let rest = server.rest_client()?;
    /// # let factory = SharedInformerFactory::new(rest.clone());
    /// # let secret = json!({"metadata": {"name": "password", "labels": {"used-by": "app"}}});
    /// # Api::<Secret>::namespaced(&rest, "default").apply(secret, "user").await?;
    /// let stop = CancellationToken::new();
    /// let stopping = stop.clone();
    /// let controller = Controller::new("apps", factory.informer_for::<ConfigMap>())
    ///     .when(|_: &_| false) // In this example only the secret brings the key.
    ///     .watches(&factory.informer_for::<Secret>(), |secret| {
    ///         let user = secret.metadata.labels.get("used-by");
    ///         user.map(|name| ObjectKey::new(secret.metadata.namespace.clone(), name.clone()))
    ///     })
    ///     .reconcile(move |key: ObjectKey, _: Context| {
    ///         assert_eq!(key, ObjectKey::new("default", "app"));
    ///         stopping.cancel();
    ///         async { Ok(Action::done()) }
    ///     });
    /// factory.start();
    /// controller.run(stop).await?;
    /// # assert_eq!(controller.state().counts.success, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn watches<W, F, I>(self, informer: &SharedInformer<W>, map: F) -> Self
    where
        W: Object + Payload,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        self.watches_when(informer, |_: &Notification<W>| true, map)
    }

    /// Like [`watches`](Self::watches), for events that a predicate admits.
    pub fn watches_when<W, F, I>(
        self,
        informer: &SharedInformer<W>,
        predicate: impl Predicate<W>,
        map: F,
    ) -> Self
    where
        W: Object + Payload,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        Self { parts: self.parts.listen(informer, Box::new(predicate), Keys::mapped(map)), ..self }
    }

    /// Names a cache that the reconcile function reads although none of its events leads to a run.
    ///
    /// The controller starts when the informer has its first list. A run starts when the cache shows what earlier runs of the
    /// same key have written to its objects; see "Own writes" in the [contract](Self#own-writes).
    pub fn reads<W: Object>(self, informer: &SharedInformer<W>) -> Self {
        let never = Box::new(|_: &Notification<W>| false);
        Self { parts: self.parts.listen(informer, never, Keys::None), ..self }
    }

    /// Adds a source of keys that is not an informer: a channel. Each key that arrives is enqueued. controller-runtime's
    /// `source.Channel`.
    ///
    /// The controller reads the channel from its first start until it is dropped, or until all senders are. Until then the channel has
    /// what its bound allows: a full channel slows its senders. Keys are deduplicated.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_cache::SharedInformer;
    /// use client_rs_controller::Controller;
    /// use client_rs_machinery::ObjectKey;
    /// use tokio::sync::mpsc;
    ///
    /// fn of_zones(maps: SharedInformer<ConfigMap>) -> (Controller<ConfigMap>, mpsc::Sender<ObjectKey>) {
    ///     let (changed, changes) = mpsc::channel(100);
    ///     (Controller::new("zones", maps).channel(changes), changed)
    /// }
    /// ```
    pub fn channel(self, mut keys: mpsc::Receiver<ObjectKey>) -> Self {
        self.source(move |queue, _| async move {
            while let Some(key) = keys.recv().await {
                queue.add(key);
            }
        })
    }

    /// Adds a source of keys that is a function: it gets the queue and runs until the token is cancelled, such as a loop that polls
    /// another system. controller-runtime's `source.Func`.
    ///
    /// - It is called at the first start of the controller, as a task of its own, and once: it continues through later terms of
    ///   leadership. It ends when the controller is dropped; then the token is cancelled and the task is dropped.
    /// - It handles its own errors. If it returns, the source has no more keys. A panic is logged, and ends the source.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_cache::SharedInformer;
    /// use client_rs_controller::Controller;
    /// use client_rs_machinery::ObjectKey;
    ///
    /// fn of_zones(maps: SharedInformer<ConfigMap>) -> Controller<ConfigMap> {
    ///     Controller::new("zones", maps).source(|queue, _stop| async move {
    ///         loop {
    ///             tokio::time::sleep(Duration::from_mins(1)).await;
    ///             for zone in changed_zones().await {
    ///                 queue.add(ObjectKey::new("dns", zone));
    ///             }
    ///         }
    ///     })
    /// }
    /// # async fn changed_zones() -> Vec<String> { Vec::new() }
    /// ```
    pub fn source<F, Fut>(mut self, run: F) -> Self
    where
        F: FnOnce(WorkQueue<ObjectKey>, CancellationToken) -> Fut + Send + 'static,
        Fut: Future<Output = ()> + Send + 'static,
    {
        let (name, queue, ended) =
            (Arc::clone(&self.parts.name), self.parts.queue.clone(), CancellationToken::new());
        let (end, run) = (ended.clone(), Mutex::new(Some(run)));
        self.parts.sources.start.push(Box::new(move || {
            let Some(run) = run.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
            let (name, running) = (Arc::clone(&name), run(queue.clone(), ended.clone()));
            let ended = ended.clone();
            spawn(async move {
                let running = AssertUnwindSafe(running).catch_unwind();
                if let Some(Err(panic)) = ended.run_until_cancelled(running).await {
                    let error = panic_message(&*panic);
                    tracing::error!(controller = &*name, error, "a source of keys panicked");
                }
            });
        }));
        self.parts.sources.detach.push(Box::new(move || end.cancel()));
        self
    }

    /// Limits the controller to keys whose shard this replica holds, so that several replicas share the work
    /// ([`Replica::shards`](client_rs_leaderelection::sharding::Replica::shards)).
    ///
    /// Use it when one process is not enough. Otherwise leader election is simpler
    /// ([`Manager::election`](crate::Manager::election)).
    ///
    /// - A key is reconciled only under a claim of its shard. If the shard is lost, the run is dropped, as after a timeout.
    ///   [`Context::fencing_token`](crate::Context::fencing_token) returns the shard's token.
    /// - Keys of other shards are skipped without a run. When a shard arrives, all of its keys that are in the primary
    ///   informer's store are enqueued, so a change while no replica held the shard is not missed. The deletion of an object
    ///   in that time is missed; if that matters, use a [`finalizer`](crate::finalizer()), which keeps the object.
    /// - Run such a controller in every replica
    ///   ([`Manager::controller_without_election`](crate::Manager::controller_without_election)), and stop the
    ///   [`Replica`](client_rs_leaderelection::sharding::Replica) after it.
    /// - A second call is an error when the controller runs ([`ControllerError::Duplicate`]).
    /// - **Memory**: each replica caches the objects of all shards. To listers, an object that the cache does not have is a deleted one, and a
    ///   run sees its own writes to any object: a cache of the held shards can promise neither. If memory is the limit, use a
    ///   [`KeyedController`](crate::KeyedController) with `ShardedInformers` (feature `cluster`), which caches the held shards where the server
    ///   filters (KEP-5866) and whose reads fail for objects that have not arrived.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_cache::SharedInformer;
    /// use client_rs_controller::Controller;
    /// use client_rs_leaderelection::sharding::Replica;
    ///
    /// fn sharded(maps: SharedInformer<ConfigMap>, replica: &Replica) -> Controller<ConfigMap> {
    ///     Controller::new("maps", maps).sharded(replica.shards().clone())
    /// }
    /// ```
    pub fn sharded(mut self, shards: Shards) -> Self {
        self.parts.shard(shards);
        self
    }

    /// The controller's queue. Add a key here when something outside of the cluster changes.
    ///
    /// ```
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_api::core::v1::ConfigMap;
    /// use client_rs_controller::{Action, CancellationToken, Context, Controller};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let factory = SharedInformerFactory::new(server.rest_client()?);
    /// let stop = CancellationToken::new();
    /// let stopping = stop.clone();
    /// let controller = Controller::new("dns", factory.informer_for::<ConfigMap>()).when(|_: &_| false);
    /// let queue = controller.queue().clone();
    /// let controller = controller.reconcile(move |key: ObjectKey, _: Context| {
    ///     assert_eq!(key.name, "zone");
    ///     stopping.cancel();
    ///     async { Ok(Action::done()) }
    /// });
    /// factory.start();
    /// // A DNS server, for example, calls this from its webhook.
    /// queue.add(ObjectKey::new("default", "zone"));
    /// controller.run(stop).await?;
    /// assert_eq!(controller.state().counts.success, 1);
    /// # Ok(())
    /// # }
    /// ```
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.parts.queue
    }

    /// Sets the function that does the work, and returns the finished controller. See [`Reconciler`] for its contract.
    pub fn reconcile(mut self, reconciler: impl Reconciler) -> RunnableController {
        let predicate = Box::new(All(std::mem::take(&mut self.predicates)));
        self.parts.listen(&self.primary, predicate, Keys::Own).reconcile(reconciler)
    }
}

impl Parts {
    pub(crate) fn new(name: Arc<str>, mut options: ControllerOptions, primary_keys: PrimaryKeys) -> Self {
        let queue = WorkQueue::with_options(std::mem::take(&mut options.queue));
        let log = Log::new(options.recorder.clone(), &name);
        Self {
            name,
            options,
            queue,
            sources: Sources::default(),
            log,
            observed: Vec::new(),
            caches: Vec::new(),
            own_writes: Arc::default(),
            sharding: None,
            duplicate: None,
            primary_keys,
            #[cfg(feature = "recording")]
            derived: crate::recording::Derived::default(),
        }
    }

    fn shard(&mut self, shards: Shards) {
        let keys = Arc::clone(&self.primary_keys);
        if self.sharding.replace(Sharding::new(shards, move || keys())).is_some() {
            self.duplicate = Some("sharding");
        }
    }

    pub(crate) fn reconcile(self, reconciler: impl Reconciler) -> RunnableController {
        let own_writes = OwnWrites::new(self.caches, self.queue.clone(), self.log.clone(), &self.options);
        let _ = self.own_writes.set(Arc::clone(&own_writes));
        let parts = CoreParts {
            name: self.name,
            queue: self.queue,
            options: self.options,
            sharding: self.sharding,
            own_writes,
            log: self.log,
            sources: self.observed,
            #[cfg(feature = "recording")]
            derived: self.derived,
        };
        let core = Core::new(parts, reconciler);
        let (sources, primary_keys, duplicate) = (self.sources, self.primary_keys, self.duplicate);
        RunnableController { core: Arc::new(core), sources, primary_keys, duplicate }
    }

    pub(crate) fn listen<W: Object>(
        mut self,
        informer: &SharedInformer<W>,
        predicate: Box<dyn Predicate<W>>,
        keys: Keys<W>,
    ) -> Self {
        let keys = Arc::new(keys);
        let source = Arc::new(Source {
            name: informer.name().to_owned(),
            role: match *keys {
                Keys::Own => Role::Primary,
                Keys::Owners { .. } => Role::Owned,
                Keys::Mapped { .. } => Role::Watched,
                Keys::None => Role::Read,
            },
            parts: predicate.parts(),
            seen: AtomicU64::new(0),
            look: Box::new(SourceLook { informer: informer.clone(), keys: Arc::clone(&keys) }),
        });
        self.observed.push(Arc::clone(&source));
        let handler = Enqueue {
            queue: self.queue.clone(),
            predicate,
            keys: Arc::clone(&keys),
            own_writes: Arc::clone(&self.own_writes),
            cache: self.caches.len(),
            primary: Arc::clone(&self.primary_keys),
            debounce: self.options.debounce.unwrap_or_default(),
            controller: Arc::clone(&self.name),
            log: self.log.clone(),
            source,
        };
        let (informer_of_cache, collections) = (informer.clone(), informer.collections());
        self.caches.push(Box::new(SourceCache { informer: informer_of_cache, collections, keys }));
        match informer.add_handler_with(handler, enqueue::handler_options(&self.name)) {
            Ok(registration) => {
                let (informer, own, observed) = (informer.clone(), registration.clone(), informer.clone());
                self.sources.causes.push(Box::new(move || {
                    let state = observed.state();
                    let cause = state.last_error().filter(|_| !state.synced)?;
                    Some(format!("{}: {cause}", state.name))
                }));
                self.sources.detach.push(Box::new(move || {
                    informer.remove_handler(&own);
                }));
                self.sources.waits_for.push(Box::new(registration));
            }
            Err(error) => {
                self.sources.error.get_or_insert(error);
            }
        }
        self
    }
}

impl RunnableController {
    /// The name of the controller.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// The controller's queue, as [`Controller::queue`].
    pub fn queue(&self) -> &WorkQueue<ObjectKey> {
        &self.core.queue
    }

    /// Watches the objects of one more informer, also while the controller runs: a change enqueues the keys that `map` returns for the
    /// old and for the new state. The existing objects come first. For informers of kinds that are known only later, such as those of
    /// a custom resource that is installed while the program runs.
    ///
    /// - The controller does not run the informer, and does not wait for its first list.
    /// - It ends when the returned guard is dropped.
    /// - The function must not block. If it panics, that is logged, and this change enqueues nothing.
    /// - Not promised: a run does not wait until this informer shows the writes of this process.
    ///
    /// # Errors
    ///
    /// [`InformerError`] if the informer has stopped.
    ///
    /// ```
    /// # use client_rs_api::core::v1::{ConfigMap, Secret};
    /// use client_rs_controller::RunnableController;
    /// use client_rs_informers::SharedInformerFactory;
    /// use client_rs_machinery::ObjectKey;
    ///
    /// fn also_secrets(controller: &RunnableController, factory: &SharedInformerFactory) {
    ///     let secrets = factory.informer_for::<Secret>();
    ///     let watch = controller.watch(&secrets, |secret| {
    ///         let user = secret.metadata.labels.get("used-by");
    ///         user.map(|name| ObjectKey::new(secret.metadata.namespace.clone(), name.clone()))
    ///     });
    ///     factory.start(); // Starts the new informer.
    /// #   drop(watch);
    /// }
    /// ```
    pub fn watch<W, F, I>(&self, informer: &SharedInformer<W>, map: F) -> Result<AddedWatch, InformerError>
    where
        W: Object,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = ObjectKey>,
    {
        let handler = EnqueueKeys {
            queue: self.core.queue.clone(),
            map: Arc::new(move |object: &Arc<W>| map(object).into_iter().collect()),
            controller: Arc::clone(&self.core.name),
        };
        let registration = informer.add_handler_with(handler, enqueue::handler_options(&self.core.name))?;
        Ok(AddedWatch::new(informer, registration, || {}))
    }

    /// A snapshot of the queue, the runs and the counts.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_controller::{Action, Context, Controller};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let factory = SharedInformerFactory::new(server.rest_client()?);
    /// let controller = Controller::new("maps", factory.informer_for::<ConfigMap>())
    ///     .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    /// controller.queue().add(ObjectKey::new("shop", "cart"));
    /// controller.queue().add(ObjectKey::new("shop", "cart")); // The same key: it waits once.
    /// let state = controller.state();
    /// assert_eq!((state.phase, state.ready, state.counts.total()), ("waiting", 1, 0));
    /// # Ok(())
    /// # }
    /// ```
    pub fn state(&self) -> ControllerState {
        self.core.state()
    }

    /// Explains a key: the last runs with their causes, back to the object and the change that began them; or why it does not run.
    ///
    /// The state (progress, queue, backoff, shard, phase) is that of this moment. The history comes from the
    /// [`Recorder`](crate::Recorder); the answer says where it begins, and claims nothing about the time before.
    ///
    /// It reads the whole recorder, which takes some milliseconds per MiB: for people, not for each run.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_informers::SharedInformerFactory;
    /// use client_rs_controller::{Action, Context, Controller};
    /// use client_rs_machinery::ObjectKey;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let factory = SharedInformerFactory::new(server.rest_client()?);
    /// let controller = Controller::new("maps", factory.informer_for::<ConfigMap>())
    ///     .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    /// controller.queue().add(ObjectKey::new("shop", "cart"));
    /// let why = controller.why(&ObjectKey::new("shop", "cart"));
    /// assert_eq!(why.now.state, "notStarted");
    /// println!("{why}");
    /// # Ok(())
    /// # }
    /// ```
    pub fn why(&self, key: &ObjectKey) -> Why {
        self.core.why(key, None)
    }

    /// How often the detectors have looked at the controller.
    #[cfg(test)]
    pub(crate) fn looks(&self) -> u64 {
        self.core.detectors().looks
    }

    /// As [`why`](Self::why), in a manager.
    pub(crate) fn why_in(&self, key: &ObjectKey, leading: bool) -> Why {
        self.core.why(key, Some(leading))
    }

    /// Waits until the caches have their first list and the queue has its keys. Then works until `stop` is cancelled, and
    /// returns when the last run has ended.
    ///
    /// It may be called again after a stop: keys that arrived in the meantime, and keys whose runs were dropped, are in the
    /// queue. Two calls at the same time share the keys; each key still has one worker at a time.
    ///
    /// Cancellation: dropping the future drops the runs in progress. Prefer to cancel `stop`, which drains them.
    ///
    /// # Errors
    ///
    /// [`ControllerError`], before any key was reconciled. Errors of the reconcile function do not end the controller.
    ///
    /// ```
    /// # use client_rs_api::core::v1::ConfigMap;
    /// # use client_rs_apiserver::{Server, ServerOptions};
    /// # use client_rs_informers::SharedInformerFactory;
    /// use std::time::Duration;
    ///
    /// use client_rs_controller::{
    ///     Action, CancellationToken, Context, Controller, ControllerError, ControllerOptions,
    /// };
    /// use client_rs_machinery::ObjectKey;
    ///
    /// # #[tokio::main(flavor = "current_thread", start_paused = true)]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
    /// # let factory = SharedInformerFactory::new(server.rest_client()?);
    /// let options = ControllerOptions::default().with_sync_timeout(Duration::from_secs(5));
    /// let controller = Controller::with_options("maps", factory.informer_for::<ConfigMap>(), options)
    ///     .reconcile(|_: ObjectKey, _: Context| async { Ok(Action::done()) });
    /// // A common mistake: nobody has started the informers.
    /// let error = controller.run(CancellationToken::new()).await.unwrap_err();
    /// assert!(matches!(error, ControllerError::NotSynced { .. }));
    /// assert!(error.to_string().contains("check that the informers are running"));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run(&self, stop: CancellationToken) -> Result<(), ControllerError> {
        self.run_in(Term::until(&stop)).await
    }

    /// Like [`run`](Self::run), in a [`Term`]: runs drain when the term is given up, and are dropped at once when it is
    /// lost. Returns when no run is left. In a [later](Term::is_later) term all primary objects are enqueued first.
    pub async fn run_in(&self, term: Term) -> Result<(), ControllerError> {
        let controller = || self.core.name.to_string();
        if let Some(what) = self.duplicate {
            return Err(ControllerError::Duplicate { controller: controller(), what });
        }
        if let Some(error) = &self.sources.error {
            return Err(ControllerError::Source { controller: controller(), error: error.clone() });
        }
        for start in &self.sources.start {
            start();
        }
        self.core.enter(Phase::Syncing);
        let late = CancellationToken::new();
        let caches = self.sources.waits_for.iter().map(|one| &**one);
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
            Some(Ok(())) => {
                if term.is_later() {
                    self.enqueue_all();
                }
                self.core.work(&term).await;
            }
            Some(Err(_)) => {
                self.core.enter(Phase::Stopped);
                let cause = self.sources.causes.iter().find_map(|cause| cause());
                return Err(ControllerError::NotSynced { controller: controller(), after, cause });
            }
        }
        self.core.enter(if term.may_return() { Phase::Waiting } else { Phase::Stopped });
        Ok(())
    }

    /// Enqueues all primary objects. Another replica may have worked on them, and it had retries of its own.
    fn enqueue_all(&self) {
        let keys = (self.primary_keys)();
        self.core.log.write(What::EnqueuedAll { cause: Cause::LaterTerm, count: keys.len() as u64 });
        for key in keys {
            self.core.queue.add_with(key, AddOptions::default().with_priority(INITIAL_LIST_PRIORITY));
        }
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
            .field("name", &self.parts.name)
            .field("options", &self.parts.options)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for RunnableController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunnableController").field("state", &self.state()).finish()
    }
}
