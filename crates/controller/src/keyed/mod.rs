//! [`KeyedController`]: a controller whose keys are the user's.

mod own_writes;
mod shards;
mod why;

use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::{
    BoxFuture, EventHandler, HandlerOptions, HasSynced, InformerError, Notification, Registration,
    SharedInformer, wait_for_cache_sync,
};
use client_rs_client::observe_writes;
use client_rs_leaderelection::LeadershipScope;
use client_rs_leaderelection::sharding::Claim;
use client_rs_machinery::{Object, collections::sort_by_key};
use client_rs_workqueue as workqueue;
use client_rs_workqueue::{
    AddOptions, INITIAL_LIST_PRIORITY, Item, Outcome, WorkQueue, WorkerPool, WorkerPoolOptions, panic_message,
};
use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use self::own_writes::{KeyedWrites, RunWrites};
pub use self::shards::KeyShards;
use self::why::LastRuns;
pub use self::why::{KeyedRun, KeyedWhy};
use crate::action::Again;
use crate::enqueue::Keys;
use crate::own_writes::{Cache, SourceCache};
#[cfg(feature = "recording")]
use crate::recording::{self, Tape};
use crate::run_token::RunToken;
use crate::task::spawn;
use crate::{
    AnyController, Context, ControllerError, ControllerState, Counts, InFlight, ReconcileMetrics,
    ReconcileOutcome, Reconciler, Result, Term,
};

/// A key of a [`KeyedController`]. Every type with these traits is one.
pub trait ReconcileKey: Hash + Eq + Clone + fmt::Display + Send + Sync + 'static {}

impl<Q: Hash + Eq + Clone + fmt::Display + Send + Sync + 'static> ReconcileKey for Q {}

client_rs_machinery::options! {
    /// The options of a [`KeyedController`].
    pub struct KeyedOptions<Q> {
        /// How many keys are reconciled in parallel. Default: 1; zero counts as 1.
        pub workers: usize => with_workers,
        /// How long one run may take. Then it is dropped, and the key is retried as after an error. Default: no limit.
        pub reconcile_timeout: Option<Duration> => with_reconcile_timeout,
        /// How long a stop waits for runs in progress before it drops them. Default: 30 seconds.
        pub drain_timeout: Duration => with_drain_timeout,
        /// How long a start waits for the first lists of the watches that it has then. Default: 2 minutes.
        pub sync_timeout: Duration => with_sync_timeout,
        /// Whether a start waits for these first lists. Without it, keys run as soon as their own informer has them, even if another
        /// informer is late, such as that of a cluster that is down. Default: true.
        pub wait_for_sync: bool => with_wait_for_sync,
        /// The options of the queue. Default: those of the `workqueue` crate, with priorities on.
        pub queue: workqueue::QueueOptions<Q> => with_queue,
        /// The receiver of the controller's metrics. Default: none.
        pub metrics: Option<Arc<dyn ReconcileMetrics>> => with_metrics,
        /// Whether a run of a key waits until the watched caches show what earlier runs of the key have written. Default: true.
        pub read_own_writes: bool => with_read_own_writes,
        /// How long a run waits for a cache; then it starts with what the cache has. Default: 10 seconds.
        pub own_writes_timeout: Duration => with_own_writes_timeout,
        /// The shards of the keys, if replicas share them. Default: none, and every key is worked on here.
        pub shards: Option<KeyShards<Q>> => with_shards,
    }
}

impl<Q: ReconcileKey> Default for KeyedOptions<Q> {
    fn default() -> Self {
        Self {
            workers: 1,
            reconcile_timeout: None,
            drain_timeout: Duration::from_secs(30),
            sync_timeout: Duration::from_mins(2),
            wait_for_sync: true,
            queue: workqueue::QueueOptions::default().with_priority(workqueue::Priority::default()),
            metrics: None,
            read_own_writes: true,
            own_writes_timeout: Duration::from_secs(10),
            shards: None,
        }
    }
}

impl<Q> fmt::Debug for KeyedOptions<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedOptions")
            .field("workers", &self.workers)
            .field("reconcile_timeout", &self.reconcile_timeout)
            .field("drain_timeout", &self.drain_timeout)
            .field("sync_timeout", &self.sync_timeout)
            .finish_non_exhaustive()
    }
}

/// A controller whose keys have a type of yours, such as an object in one of several clusters, a host name, or a
/// pair of objects: controller-runtime's `TypedController`.
///
/// Use a [`Controller`](crate::Controller) for keys of objects in one cluster. This one has no primary kind: every source maps its
/// objects to keys. Watches can be added and removed while it runs.
///
/// ```
/// use client_rs_api::core::v1::{ConfigMap, Secret};
/// use client_rs_controller::{Action, CancellationToken, Context, KeyedController};
/// # use client_rs_apiserver::{Server, ServerOptions};
/// # use client_rs_client::Api;
/// # use client_rs_informers::SharedInformerFactory;
/// # use client_rs_machinery::json;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let server = Server::start_with(ServerOptions::default().with_listen(None)).await?;
/// # let rest = server.rest_client()?;
/// # let factory = SharedInformerFactory::new(rest.clone());
/// # let map = json!({"metadata": {"name": "a", "annotations": {"host": "shop.example.com"}}});
/// # Api::<ConfigMap>::namespaced(&rest, "default").apply(map, "user").await?;
/// let stop = CancellationToken::new();
/// let stopping = stop.clone();
/// // One run for all objects that name a host.
/// let hosts = KeyedController::new("hosts", move |host: String, _: Context| {
///     assert_eq!(host, "shop.example.com");
///     stopping.cancel();
///     async { Ok(Action::done()) }
/// });
/// let host = |map: &ConfigMap| map.metadata.annotations.get("host").map(ToString::to_string);
/// let watch = hosts.watch(&factory.informer_for::<ConfigMap>(), move |map| host(map))?;
/// factory.start();
/// hosts.run(stop).await?;
/// drop(watch); // Ends this watch.
/// # Ok(())
/// # }
/// ```
///
/// - **One run per key** at a time; different keys run in parallel, up to [`workers`](KeyedOptions::workers). Errors, panics, timeouts
///   and cancellation are as for [`Reconciler`].
/// - **Start**: it works when the watches that it has then have their first lists. A watch that is added later enqueues its existing
///   objects as soon as its informer has them.
/// - **Terms**: in a later term of leadership the keys of all cached objects of its watches are enqueued again.
/// - A cheap handle; clones are the same controller. Give one to a [`Manager`](crate::Manager), and keep one to add watches.
/// - **Own writes**: a run of a key starts when the caches of the watches show what earlier runs of the same key have written, or after
///   [`own_writes_timeout`](KeyedOptions::own_writes_timeout). Not promised, unlike for `Controller`: that it sees writes of other keys and of other
///   tasks. Writes with a `resourceVersion` fail with a conflict when it does not.
/// - **Shards**: with [`KeyedOptions::shards`], each key is worked on by one of several replicas.
/// - [`why`](Self::why) has the state of a key.
/// - **Recordings** have its runs if one of its watches exists when it starts. A replay takes the keys from its watches and its queue, by
///   their texts (`Display`), so different keys need different texts.
pub struct KeyedController<Q: ReconcileKey>(Arc<Core<Q>>);

/// A watch that was added to a [`KeyedController`], or to a [controller that runs](crate::RunnableController::watch). Dropping it ends the
/// watch: no more keys are enqueued. Keys in the queue stay.
#[must_use = "the watch ends when this is dropped"]
pub struct AddedWatch {
    end: Option<Box<dyn FnOnce() + Send + Sync>>,
    registration: Registration,
}

type BoxReconciler<Q> = Box<dyn Fn(Q, Context) -> BoxFuture<'static, Result> + Send + Sync>;

struct Core<Q: ReconcileKey> {
    name: Arc<str>,
    queue: WorkQueue<Q>,
    options: KeyedOptions<Q>,
    reconcile: BoxReconciler<Q>,
    phase: Mutex<&'static str>,
    runs: Mutex<Runs<Q>>,
    watches: Mutex<HashMap<u64, Watch<Q>>>,
    last_watch: AtomicU64,
    own_writes: KeyedWrites<Q>,
    /// The recording that it belongs to, once it is known.
    #[cfg(feature = "recording")]
    tape: std::sync::OnceLock<Arc<dyn Tape>>,
}

struct Runs<Q> {
    in_flight: HashMap<Q, Instant>,
    counts: Counts,
    /// The time of all runs.
    spent: Duration,
    last_error: Option<(String, String)>,
    last: LastRuns<Q>,
}

/// A watch, as the controller knows it.
struct Watch<Q> {
    registration: Registration,
    cache: Arc<dyn Cache>,
    replay: Arc<Replay<Q>>,
}

/// Enqueues the keys of all cached objects that a filter admits.
type Replay<Q> = dyn Fn(&dyn Fn(&Q) -> bool) + Send + Sync;

impl<Q: ReconcileKey> KeyedController<Q> {
    /// A controller without watches. The name appears in logs, metrics and states; choose a unique one.
    pub fn new(name: impl Into<Arc<str>>, reconciler: impl Reconciler<Q>) -> Self {
        Self::with_options(name, reconciler, KeyedOptions::default())
    }

    /// As [`new`](Self::new), with options.
    pub fn with_options(
        name: impl Into<Arc<str>>,
        reconciler: impl Reconciler<Q>,
        mut options: KeyedOptions<Q>,
    ) -> Self {
        let reconciler = Arc::new(reconciler);
        let reconcile: BoxReconciler<Q> = Box::new(move |key, context| {
            let reconciler = Arc::clone(&reconciler);
            Box::pin(async move { reconciler.reconcile(key, context).await })
        });
        let queue = WorkQueue::with_options(std::mem::take(&mut options.queue));
        Self(Arc::new(Core {
            name: name.into(),
            own_writes: KeyedWrites::new(queue.clone(), options.own_writes_timeout),
            queue,
            options,
            reconcile,
            phase: Mutex::new("waiting"),
            runs: Mutex::new(Runs {
                in_flight: HashMap::new(),
                counts: Counts::default(),
                spent: Duration::ZERO,
                last_error: None,
                last: LastRuns::new(),
            }),
            watches: Mutex::default(),
            last_watch: AtomicU64::new(0),
            #[cfg(feature = "recording")]
            tape: std::sync::OnceLock::new(),
        }))
    }

    /// Watches the objects of an informer, now or while the controller runs: a change enqueues the keys that `map` returns for the old
    /// and for the new state. The controller does not run the informer.
    ///
    /// The function must not block: its informer waits for it. If it panics, that is logged, and this change enqueues nothing.
    ///
    /// # Errors
    ///
    /// [`InformerError`] if the informer has stopped.
    pub fn watch<W, F, I>(&self, informer: &SharedInformer<W>, map: F) -> Result<AddedWatch, InformerError>
    where
        W: Object,
        F: Fn(&Arc<W>) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = Q>,
    {
        let map: Arc<MapToKeys<W, Q>> = Arc::new(move |object| map(object).into_iter().collect());
        let handler = EnqueueKeys {
            queue: self.0.queue.clone(),
            map: Arc::clone(&map),
            controller: Arc::clone(&self.0.name),
        };
        let options = HandlerOptions::enqueueing().with_name(format!("controller {}", self.0.name));
        let registration = informer.add_handler_with(handler, options)?;
        let (store, queue) = (informer.indexer().clone(), self.0.queue.clone());
        let replay = Arc::new(move |admits: &dyn Fn(&Q) -> bool| {
            for object in store.list() {
                let keys = catch_unwind(AssertUnwindSafe(|| map(&object))).unwrap_or_default();
                for key in keys.into_iter().filter(admits) {
                    queue.add_with(key, AddOptions::default().with_priority(INITIAL_LIST_PRIORITY));
                }
            }
        });
        let (keys, collections) = (Arc::new(Keys::None), informer.collections());
        let cache: Arc<dyn Cache> = Arc::new(SourceCache { informer: informer.clone(), collections, keys });
        let id = self.0.last_watch.fetch_add(1, Ordering::Relaxed);
        let watch = Watch { registration: registration.clone(), cache: Arc::clone(&cache), replay };
        lock(&self.0.watches).insert(id, watch);
        let core = Arc::downgrade(&self.0);
        Ok(AddedWatch::new(informer, registration, move || {
            if let Some(core) = core.upgrade() {
                // Dropped without the lock: it has functions of the user.
                let watch = lock(&core.watches).remove(&id);
                drop(watch);
                core.own_writes.forget(&cache);
            }
        }))
    }

    /// The controller's queue. Add a key here when something outside of the caches changes.
    pub fn queue(&self) -> &WorkQueue<Q> {
        &self.0.queue
    }

    /// The name of the controller.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// A snapshot of the queue, the runs and the counts.
    pub fn state(&self) -> ControllerState {
        self.0.state()
    }

    /// Works until `stop` is cancelled, and returns when the last run has ended. See
    /// [`RunnableController::run`](crate::RunnableController::run).
    ///
    /// # Errors
    ///
    /// [`ControllerError`], before any key was reconciled.
    pub async fn run(&self, stop: CancellationToken) -> Result<(), ControllerError> {
        self.run_in(Term::until(&stop)).await
    }

    /// Like [`run`](Self::run), in a [`Term`].
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub async fn run_in(&self, term: Term) -> Result<(), ControllerError> {
        let core = &self.0;
        core.enter("syncing");
        if let Some(synced) = term.stopping().run_until_cancelled(core.synced()).await {
            if let Err(error) = synced {
                core.enter("stopped");
                return Err(error);
            }
            if term.is_later() {
                core.replay(&|_| true);
            }
            core.work(&term).await;
        }
        core.enter(if term.may_return() { "waiting" } else { "stopped" });
        Ok(())
    }
}

impl<Q: ReconcileKey> Core<Q> {
    fn enter(&self, phase: &'static str) {
        *lock(&self.phase) = phase;
    }

    /// Enqueues the keys of all cached objects of the watches that a filter admits.
    fn replay(&self, admits: &dyn Fn(&Q) -> bool) {
        let replays: Vec<_> = lock(&self.watches).values().map(|watch| Arc::clone(&watch.replay)).collect();
        for replay in replays {
            replay(admits);
        }
    }

    /// The caches of the watches.
    fn caches(&self) -> Vec<Arc<dyn Cache>> {
        lock(&self.watches).values().map(|watch| Arc::clone(&watch.cache)).collect()
    }

    async fn synced(&self) -> Result<(), ControllerError> {
        if !self.options.wait_for_sync {
            return Ok(());
        }
        let watches: Vec<Registration> =
            lock(&self.watches).values().map(|watch| watch.registration.clone()).collect();
        let late = CancellationToken::new();
        let waiting = wait_for_cache_sync(&late, watches.iter().map(|watch| watch as &dyn HasSynced));
        let after = self.options.sync_timeout;
        // A watch that ended in the meantime has nothing to wait for.
        if tokio::time::timeout(after, waiting).await.is_ok() {
            return Ok(());
        }
        let names = watches.iter().filter(|watch| !watch.has_synced()).map(HasSynced::sync_name);
        let cause = Some(names.collect::<Vec<_>>().join(", ")).filter(|names| !names.is_empty());
        Err(ControllerError::NotSynced { controller: self.name.to_string(), after, cause })
    }

    async fn work(self: &Arc<Self>, term: &Term) {
        let stop = term.stopping();
        self.enter("running");
        let workers = self.options.workers.max(1);
        self.report(|metrics| metrics.workers(workers));
        #[cfg(feature = "recording")]
        if let Some(directions) = self.tape().and_then(|tape| tape.directions(&self.name)) {
            self.make_directed_runs(directions, term).await;
            self.enter("stopping");
            return;
        }
        let (core, stopping, scope) = (Arc::clone(self), stop.clone(), term.scope().cloned());
        let mut pool = WorkerPool::start_items_until(
            self.queue.clone(),
            WorkerPoolOptions::default().with_workers(workers),
            || stop.clone().cancelled_owned(),
            move |item: &Item<Q>| {
                Arc::clone(&core).run(item.key().clone(), RunToken::new(&stopping), scope.clone())
            },
        );
        match &self.options.shards {
            Some(shards) => self.follow(shards, stop).await,
            None => stop.cancelled().await,
        }
        self.enter("stopping");
        let why = tokio::select! {
            biased;
            () = term.lost().cancelled() => "leadership was lost",
            drained = tokio::time::timeout(self.options.drain_timeout, pool.ended()) => match drained {
                Ok(()) => return,
                Err(_) => "the drain timed out",
            },
        };
        tracing::warn!(
            controller = &*self.name,
            runs = self.runs().in_flight.len(),
            why,
            "dropping runs in progress"
        );
        pool.abort().await;
    }

    async fn run(self: Arc<Self>, key: Q, stopping: RunToken, scope: Option<LeadershipScope>) -> Outcome {
        let claim = match self.options.shards.as_ref().map(|shards| shards.claim(&key)) {
            // Another replica works on it. The key is enqueued again when its shard arrives here.
            Some(None) => return Outcome::Done,
            Some(Some(claim)) => Some(claim),
            None => None,
        };
        if self.is_held(&key, stopping.term()) {
            return Outcome::Skip;
        }
        let begin = Begin { failures: self.queue.num_requeues(&key), direction: None };
        let scope = claim.as_ref().map(|claim| claim.scope().clone()).or(scope);
        self.run_now(key, begin, stopping, scope, claim).await
    }

    /// Reconciles a key.
    async fn run_now(
        self: Arc<Self>,
        key: Q,
        begin: Begin,
        stopping: RunToken,
        scope: Option<LeadershipScope>,
        claim: Option<Claim>,
    ) -> Outcome {
        let failures = begin.failures;
        let context = Context { controller: Arc::clone(&self.name), failures, stopping, scope };
        let run = Run::begin(&self, key.clone(), begin);
        let call = async {
            let work = (self.reconcile)(key.clone(), context);
            #[cfg(feature = "recording")]
            let work = self.recorded(run.recorded, work);
            let work: BoxFuture<'static, Result> = if self.options.read_own_writes {
                let observer = Arc::new(RunWrites { core: Arc::clone(&self), key: key.clone() });
                Box::pin(observe_writes(observer, work))
            } else {
                work
            };
            match &claim {
                None => Some(work.await),
                Some(claim) => claim.run(work).await.ok(),
            }
        };
        let call = AssertUnwindSafe(call).catch_unwind();
        let ended = match self.options.reconcile_timeout {
            None => Ok(call.await),
            Some(limit) => tokio::time::timeout(limit, call).await,
        };
        let (outcome, next, error) = match ended {
            Ok(Ok(Some(Ok(action)))) => match action.again {
                Again::OnChange => (ReconcileOutcome::Success, Outcome::Done, None),
                Again::After(delay) => (ReconcileOutcome::RequeueAfter, Outcome::RetryAfter(delay), None),
                Again::RateLimited => (ReconcileOutcome::Requeue, Outcome::Retry, None),
            },
            Ok(Ok(Some(Err(error)))) if error.is_terminal() => {
                (ReconcileOutcome::TerminalError, Outcome::Done, Some(error.to_string()))
            }
            Ok(Ok(Some(Err(error)))) => (ReconcileOutcome::Error, Outcome::Retry, Some(error.to_string())),
            // Another replica may work on the key now.
            Ok(Ok(None)) => (ReconcileOutcome::Cancelled, Outcome::Retry, None),
            Ok(Err(panic)) => (
                ReconcileOutcome::Panic,
                Outcome::Retry,
                Some(format!("panicked: {}", panic_message(&*panic))),
            ),
            Err(_) => {
                let limit = self.options.reconcile_timeout.unwrap_or_default();
                (ReconcileOutcome::Timeout, Outcome::Retry, Some(format!("took longer than {limit:?}")))
            }
        };
        if let Some(error) = &error {
            tracing::warn!(controller = &*self.name, %key, failures, ?outcome, error, "reconcile failed");
        }
        run.end(outcome, error);
        next
    }

    /// The recording that it belongs to.
    #[cfg(feature = "recording")]
    fn tape(&self) -> Option<&Arc<dyn Tape>> {
        if self.tape.get().is_none() && recording::is_connected() {
            let logs: Vec<_> = self.caches().iter().flat_map(|cache| cache.logs()).collect();
            if let Some(tape) = recording::tape_of(&logs) {
                // Another thread may have found it at the same time.
                let _ = self.tape.set(tape);
            }
        }
        self.tape.get()
    }

    /// Returns the versions that a run sees: those of the caches that the recording fills.
    #[cfg(feature = "recording")]
    fn see(&self, tape: &Arc<dyn Tape>) -> Box<dyn Fn() -> recording::Seen + Send + Sync> {
        let mut caches = self.caches();
        caches.retain(|cache| {
            let of_cache = recording::tape_of(&cache.logs());
            of_cache.is_some_and(|of_cache| std::ptr::addr_eq(Arc::as_ptr(&of_cache), Arc::as_ptr(tape)))
        });
        Box::new(move || recording::Seen {
            versions: caches.iter().flat_map(|cache| cache.versions()).collect(),
            ..recording::Seen::default()
        })
    }

    /// The work of a run whose steps are recorded.
    #[cfg(feature = "recording")]
    fn recorded(&self, run: Option<u64>, work: BoxFuture<'static, Result>) -> BoxFuture<'static, Result> {
        match (run, self.tape()) {
            (Some(number), Some(tape)) => {
                Box::pin(recording::CurrentRun::scope(number, self.see(tape), tape, work))
            }
            _ => work,
        }
    }

    /// Makes the runs of a replay, instead of those of the queue. The queue shows which key has which text.
    #[cfg(feature = "recording")]
    async fn make_directed_runs(
        self: &Arc<Self>,
        mut directions: tokio::sync::mpsc::UnboundedReceiver<recording::Direction>,
        term: &Term,
    ) {
        let (stop, mut runs) = (term.stopping(), tokio::task::JoinSet::new());
        let (mut keys, mut waiting) = (HashMap::new(), Vec::new());
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => break,
                item = self.queue.get() => match item {
                    Some(item) => drop(keys.insert(item.key().to_string(), item.key().clone())),
                    None => break,
                },
                Some(direction) = directions.recv() => waiting.push(direction),
            }
            waiting.retain(|direction: &recording::Direction| {
                let Some(key) = keys.get(&*direction.key.name) else { return true };
                let claim = self.options.shards.as_ref().and_then(|shards| shards.claim(key));
                let scope = claim.as_ref().map(|claim| claim.scope().clone());
                let scope = scope.or_else(|| term.scope().cloned());
                let begin = Begin { failures: direction.failures, direction: Some(direction.run) };
                let run = Arc::clone(self).run_now(key.clone(), begin, RunToken::new(stop), scope, claim);
                crate::task::spawn_in(&mut runs, run);
                false
            });
        }
        runs.shutdown().await;
    }

    /// Whether a key must wait for a cache before it runs. The wait needs no worker, and ends with the key in the queue.
    fn is_held(self: &Arc<Self>, key: &Q, stopping: &CancellationToken) -> bool {
        match self.own_writes.hold(key) {
            Some(false) => return false,
            None => return true,
            Some(true) => {}
        }
        let (core, key, stopping) = (Arc::clone(self), key.clone(), stopping.clone());
        spawn(async move {
            let wait = core.own_writes.wait(key);
            // At a stop the key goes back to the queue, for the next workers.
            if let Some((waited, caught_up)) = stopping.run_until_cancelled_owned(wait).await {
                core.report(|metrics| metrics.waited_for_caches(waited, caught_up));
            }
        });
        true
    }

    fn state(&self) -> ControllerState {
        let runs = self.runs();
        let mut in_flight: Vec<_> = runs.in_flight.iter().collect();
        sort_by_key(&mut in_flight, |(_, since)| **since);
        let in_flight = in_flight
            .into_iter()
            .map(|(key, since)| InFlight { key: key.to_string(), seconds: since.elapsed().as_secs_f64() });
        ControllerState {
            name: self.name.to_string(),
            phase: *lock(&self.phase),
            workers: self.options.workers.max(1),
            ready: self.queue.len(),
            delayed: self.queue.waiting(),
            in_flight: in_flight.collect(),
            stale_waits: self.own_writes.state(),
            suppressed_writes: 0,
            counts: runs.counts,
            run_seconds: runs.spent.as_secs_f64(),
            busiest: Vec::new(),
            shards: self.options.shards.as_ref().map(KeyShards::held),
            findings: Vec::new(),
            last_error: runs.last_error.clone(),
        }
    }

    /// Calls the metrics. A panic in them is logged and changes nothing else.
    fn report(&self, report: impl FnOnce(&dyn ReconcileMetrics)) {
        if let Some(metrics) = &self.options.metrics
            && catch_unwind(AssertUnwindSafe(|| report(&**metrics))).is_err()
        {
            tracing::error!(controller = &*self.name, "metrics of the controller panicked");
        }
    }

    fn runs(&self) -> MutexGuard<'_, Runs<Q>> {
        lock(&self.runs)
    }
}

/// How a run begins.
#[derive(Clone, Copy)]
struct Begin {
    failures: u32,
    /// The number that a replay has given it.
    #[cfg_attr(not(feature = "recording"), expect(dead_code, reason = "there are no replays"))]
    direction: Option<u64>,
}

/// A run in progress. A run that is dropped is counted as well.
struct Run<'c, Q: ReconcileKey> {
    core: &'c Core<Q>,
    key: Q,
    began: Instant,
    ended: bool,
    /// Its number in a recording.
    #[cfg(feature = "recording")]
    recorded: Option<u64>,
}

impl<'c, Q: ReconcileKey> Run<'c, Q> {
    #[cfg_attr(not(feature = "recording"), expect(unused_variables, reason = "nothing is recorded"))]
    fn begin(core: &'c Core<Q>, key: Q, how: Begin) -> Self {
        let began = Instant::now();
        core.runs().in_flight.insert(key.clone(), began);
        core.report(|metrics| metrics.began());
        #[cfg(feature = "recording")]
        let recorded = core.tape().and_then(|tape| {
            let (text, seen) = (key.to_string(), core.see(tape)());
            let start = recording::RunStart::new(&core.name, ("", &text), how.failures, seen);
            tape.began(&start, how.direction)
        });
        Self {
            core,
            key,
            began,
            ended: false,
            #[cfg(feature = "recording")]
            recorded,
        }
    }

    fn end(mut self, outcome: ReconcileOutcome, error: Option<String>) {
        self.close(outcome, error);
    }

    fn close(&mut self, outcome: ReconcileOutcome, error: Option<String>) {
        self.ended = true;
        #[cfg(feature = "recording")]
        if let (Some(tape), Some(number)) = (self.core.tape(), self.recorded) {
            tape.ended(number, outcome);
        }
        let mut runs = self.core.runs();
        runs.in_flight.remove(&self.key);
        runs.counts.count(outcome);
        runs.spent = runs.spent.saturating_add(self.began.elapsed());
        runs.last.add(&self.key, self.began, outcome, error.as_deref());
        if let Some(error) = error {
            runs.last_error = Some((self.key.to_string(), error));
        }
        drop(runs);
        self.core.report(|metrics| metrics.ended(outcome, self.began.elapsed()));
    }
}

impl<Q: ReconcileKey> Drop for Run<'_, Q> {
    fn drop(&mut self) {
        if !self.ended {
            // The queue's item is dropped after this; the key is enqueued again then.
            self.core.queue.add(self.key.clone());
            self.close(ReconcileOutcome::Cancelled, None);
        }
    }
}

type MapToKeys<W, Q> = dyn Fn(&Arc<W>) -> Vec<Q> + Send + Sync;

/// A handler that enqueues keys of any type.
pub(crate) struct EnqueueKeys<W, Q: ReconcileKey> {
    pub(crate) queue: WorkQueue<Q>,
    pub(crate) map: Arc<MapToKeys<W, Q>>,
    pub(crate) controller: Arc<str>,
}

impl<W: Object, Q: ReconcileKey> EventHandler<W> for EnqueueKeys<W, Q> {
    fn handle(&self, event: &Notification<W>) {
        let priority = if event.is_replay() { INITIAL_LIST_PRIORITY } else { 0 };
        for object in event.objects() {
            let Ok(keys) = catch_unwind(AssertUnwindSafe(|| (self.map)(object))) else {
                tracing::error!(
                    controller = &*self.controller, key = %event.key(),
                    "the function that maps a watched object to keys panicked; the change enqueues nothing"
                );
                continue;
            };
            for key in keys {
                self.queue.add_with(key, AddOptions::default().with_priority(priority));
            }
        }
    }
}

impl<Q: ReconcileKey> AnyController for KeyedController<Q> {
    fn name_any(&self) -> &str {
        self.name()
    }

    fn run_any(&self, term: Term) -> BoxFuture<'_, Result<(), ControllerError>> {
        Box::pin(self.run_in(term))
    }

    fn state_any(&self) -> ControllerState {
        self.state()
    }
}

impl AddedWatch {
    pub(crate) fn new<W: Object>(
        informer: &SharedInformer<W>,
        registration: Registration,
        end: impl FnOnce() + Send + Sync + 'static,
    ) -> Self {
        let (informer, own) = (informer.clone(), registration.clone());
        let end = Box::new(move || {
            informer.remove_handler(&own);
            end();
        });
        Self { end: Some(end), registration }
    }

    /// Lets the watch continue as long as its informer.
    pub fn keep(mut self) {
        self.end = None;
    }

    /// The handler of the watch; it has synced when the keys of all objects of the first list are in the queue.
    pub fn registration(&self) -> &Registration {
        &self.registration
    }
}

impl Drop for AddedWatch {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}

impl<Q: ReconcileKey> Clone for KeyedController<Q> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<Q: ReconcileKey> fmt::Debug for KeyedController<Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedController").field("state", &self.state()).finish()
    }
}

impl fmt::Debug for AddedWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AddedWatch").field(&self.registration).finish()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
