//! [`SharedInformer`]: one cache of a collection for all who are interested.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::fmt;
use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

use client_rs_machinery::{GroupResource, Object, Str};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, DropGuard};

use crate::metrics::{InformerMetrics, numeric};
use crate::processor::{HandlerProgress, Listener, Processor, asynchronous, blocking, caught};
use crate::reflector::{Reflector, ReflectorHandle, ReflectorOptions, ShouldResync, Status};
use crate::state::{HandlerState, InformerState, ReflectorState};
use crate::store::{IndexError, IndexFunction};
use crate::transform::panic_message;
use crate::{
    AsyncEventHandler, Batch, Change, Coverage, Delta, EventHandler, FetchContext, HandlerOptions,
    InOrderFifo, InOrderFifoOptions, Index, Indexer, IndexerOptions, InformerOptions, ListWatch, Lister,
    PopError, Queue, Random, Registration, Subscription, Writer,
};

/// Why an informer does not do what it is asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InformerError {
    /// It runs or has run: it can't be started again.
    #[error("the informer was started already")]
    AlreadyStarted,
    /// It has stopped.
    #[error("the informer has stopped")]
    Stopped,
    /// An index can't be added.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// One of its namespaces has an empty name. An informer of all namespaces names none.
    #[error("informer {informer} has an empty namespace: to watch all namespaces, name none")]
    EmptyNamespace {
        /// The informer.
        informer: String,
    },
    /// A part of it panicked: its source of lists and watches, its metrics, or this library. It has stopped, and its
    /// cache is no longer updated.
    #[error("informer {informer} has stopped, since it panicked: {message}")]
    Panicked {
        /// The informer.
        informer: String,
        /// What the panic said.
        message: String,
    },
}

/// One cache of a collection, and any number of handlers that are notified of its changes.
///
/// A cheap handle; clones are the same informer. It does nothing before [`run`](Self::run).
///
/// - **One watch** for all, however many handlers there are; one more for each further namespace where it
///   covers several.
/// - **Eventually consistent**: the cache is some state that the server had, and with time a later one. When
///   the server is quiet and can be reached, it is the server's.
/// - **Store first**: when a handler is notified of a change, the [`indexer`](Self::indexer) shows it, or something
///   later.
/// - **Handlers** can be added and removed at any time. Each is notified first of every object that is there, then
///   of every change, in a task of its own: see [`EventHandler`] and [`Delivery`](crate::Delivery).
/// - **Memory**: the objects, some 25 bytes each for the store, and for each handler that lags at most a few
///   words an object.
/// - **Objects are shared and can't be changed**: `Arc<K>` makes client-go's mutation detector superfluous.
pub struct SharedInformer<K: Object> {
    inner: Arc<Inner<K>>,
}

struct Inner<K: Object> {
    name: String,
    queue: Arc<InOrderFifo<K>>,
    indexer: Indexer<K>,
    core: Mutex<Core<K>>,
    synced: watch::Sender<bool>,
    run: watch::Sender<Run>,
    /// Why it has stopped, if nobody stopped it.
    failure: OnceLock<InformerError>,
    metrics: Option<Arc<dyn InformerMetrics>>,
    handler_grace: Duration,
}

/// How often it is logged that the informer waits for a handler.
const WAITS_LONG: Duration = Duration::from_secs(10);

/// How many changes are queued for one handler before the next handler's turn: the first ones begin early, however
/// large a list is.
const AT_ONCE: usize = 256;

/// What changes as one: the store, and the handlers' queues.
struct Core<K: Object> {
    /// Gone when the informer has stopped, so that nobody waits for what won't come.
    writer: Option<Writer<K>>,
    processor: Processor<K>,
    /// Parts of the collection whose first list has not been processed.
    unsynced: BTreeSet<Coverage>,
    /// Not started yet.
    plans: Vec<(Coverage, Arc<dyn ListWatch<K>>)>,
    options: Option<InformerOptions<K>>,
    reflectors: Vec<(Coverage, ReflectorHandle)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Created,
    Running,
    Stopped,
}

impl<K: Object> SharedInformer<K> {
    /// An informer of all that a source lists.
    pub fn new(source: impl ListWatch<K>, options: InformerOptions<K>) -> Self {
        Self::of_parts(vec![(Coverage::All, Arc::new(source) as Arc<dyn ListWatch<K>>)], options)
    }

    /// An informer of several namespaces, each with its source; of two sources for one namespace the first counts. An empty
    /// name is an error when it [runs](Self::run).
    /// What one of them lists says nothing of the others' objects.
    pub fn of_namespaces(
        sources: impl IntoIterator<Item = (Str, Arc<dyn ListWatch<K>>)>,
        options: InformerOptions<K>,
    ) -> Self {
        let mut parts: Vec<(Coverage, _)> = Vec::new();
        for (namespace, source) in sources {
            let coverage = Coverage::Namespace(namespace);
            if parts.iter().all(|(known, _)| *known != coverage) {
                parts.push((coverage, source));
            }
        }
        Self::of_parts(parts, options)
    }

    fn of_parts(sources: Vec<(Coverage, Arc<dyn ListWatch<K>>)>, mut options: InformerOptions<K>) -> Self {
        let namespace = Index::<K>::namespace();
        if options.indexes.iter().all(|index| index.name() != namespace.name()) {
            options.indexes.push(namespace.into());
        }
        let (writer, indexer) = Indexer::new(IndexerOptions {
            indexes: std::mem::take(&mut options.indexes),
            transform: None,
            in_order: true,
            layout: options.layout.clone(),
        });
        if let Some(pool) = options.pool.clone().filter(|_| options.layout.is_packed()) {
            // What objects shared is of no use once they are packed.
            indexer.on_packed(move || pool.sweep());
        }
        let kind = options.expected_kind.as_ref().map(ToString::to_string);
        let name = options.name.clone().or(kind);
        let fifo = InOrderFifoOptions {
            transform: options.transform.take(),
            parts: sources.len(),
            ..InOrderFifoOptions::default()
        };
        let inner = Inner {
            name: name.unwrap_or_else(|| short_type_name::<K>().to_owned()),
            queue: Arc::new(InOrderFifo::new(fifo)),
            indexer,
            synced: watch::Sender::new(false),
            run: watch::Sender::new(Run::Created),
            failure: OnceLock::new(),
            metrics: options.metrics.clone(),
            handler_grace: options.handler_grace,
            core: Mutex::new(Core {
                writer: Some(writer),
                processor: Processor::new(options.resync_period),
                unsynced: sources.iter().map(|(coverage, _)| coverage.clone()).collect(),
                plans: sources,
                options: Some(options),
                reflectors: Vec::new(),
            }),
        };
        Self { inner: Arc::new(inner) }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// The cache, to read.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.inner.indexer
    }

    /// The cache as a lister has it; `resource` is what its errors name.
    pub fn lister(&self, resource: GroupResource) -> Lister<K> {
        Lister::new(self.inner.indexer.clone(), resource)
    }

    /// Adds a handler. It is notified of everything that is in the cache, then of every change.
    pub fn add_handler(
        &self,
        handler: impl EventHandler<K>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        let runner = blocking(Arc::new(handler), options.execution);
        self.add(options, Some(runner)).map(|(_, registration)| registration)
    }

    /// Adds a handler that may wait.
    pub fn add_async_handler(
        &self,
        handler: impl AsyncEventHandler<K>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        self.add(options, Some(asynchronous(handler))).map(|(_, registration)| registration)
    }

    /// Adds a handler that is a stream.
    pub fn subscribe(&self, options: HandlerOptions) -> Result<Subscription<K>, InformerError> {
        let (listener, registration) = self.add(options, None)?;
        let (inner, id) = (Arc::downgrade(&self.inner), registration.id());
        let end = move || {
            if let Some(inner) = Weak::upgrade(&inner) {
                inner.lock().processor.remove(id);
            }
        };
        Ok(Subscription::new(listener, registration, end))
    }

    /// Removes a handler: what waits for it is dropped, a call in progress may end. False, and nothing
    /// happens, if it is none of this informer's handlers or was removed before.
    pub fn remove_handler(&self, registration: &Registration) -> bool {
        self.inner.lock().processor.remove(registration.id())
    }

    /// Removes a handler and waits until a call in progress has ended.
    pub async fn shutdown_handler(&self, registration: &Registration) {
        self.remove_handler(registration);
        registration.over().await;
    }

    /// Adds indexes, also while it runs; all or none.
    pub fn add_indexes<I: Into<IndexFunction<K>>>(
        &self,
        indexes: impl IntoIterator<Item = I>,
    ) -> Result<(), InformerError> {
        if self.is_stopped() {
            return Err(InformerError::Stopped);
        }
        Ok(self.inner.indexer.add_indexes(indexes)?)
    }

    /// Has everything that the first list brought reached the cache? Once true, for ever. It says nothing of
    /// handlers: each has a [`Registration::has_synced`] of its own.
    pub fn has_synced(&self) -> bool {
        *self.inner.synced.borrow()
    }

    /// Waits for [`has_synced`](Self::has_synced); false if it stops before.
    pub async fn synced(&self) -> bool {
        let (mut synced, mut run) = (self.inner.synced.subscribe(), self.inner.run.subscribe());
        tokio::select! {
            biased;
            _ = synced.wait_for(|synced| *synced) => true,
            _ = run.wait_for(|run| *run == Run::Stopped) => self.has_synced(),
        }
    }

    /// The version that its reflector has last brought in; empty before the first list, and where it covers
    /// several namespaces, whose versions are in the [`state`](Self::state).
    pub fn last_sync_resource_version(&self) -> Str {
        match &self.inner.lock().reflectors[..] {
            [(_, reflector)] => reflector.last_sync_resource_version(),
            _ => Str::EMPTY,
        }
    }

    /// Was it started?
    pub fn has_started(&self) -> bool {
        *self.inner.run.borrow() != Run::Created
    }

    /// Has it stopped?
    pub fn is_stopped(&self) -> bool {
        *self.inner.run.borrow() == Run::Stopped
    }

    /// Waits until it has stopped.
    pub async fn stopped(&self) {
        // The sender lives as long as `self`.
        let _ = self.inner.run.subscribe().wait_for(|run| *run == Run::Stopped).await;
    }

    /// Why it has stopped, if nobody stopped it: a part of it [panicked](InformerError::Panicked), or one of its namespaces
    /// is [empty](InformerError::EmptyNamespace).
    pub fn failure(&self) -> Option<InformerError> {
        self.inner.failure.get().cloned()
    }

    /// Lists, watches and notifies handlers, until cancelled; then waits for handlers that are in the middle of
    /// something. What they have not been notified of by then is dropped.
    ///
    /// It ends before that only if a part of it panics, with an error: a cache of which a part is no longer updated
    /// is of no use.
    ///
    /// Dropping the future stops it too, without waiting.
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), InformerError> {
        let inner = &self.inner;
        let Starting { reflectors, resync } = inner.start()?;
        let stop = StopOnDrop(inner);
        if inner.lock().unsynced.contains(&Coverage::Namespace(Str::EMPTY)) {
            let error = InformerError::EmptyNamespace { informer: inner.name.clone() };
            tracing::error!(informer = inner.name, %error, "the informer does not start");
            let _ = inner.failure.set(error.clone());
            return Err(error);
        }
        // Ends with the caller's token, or with the first part that panics.
        let ending = cancel.child_token();
        let reflect = async {
            let ended = caught(Box::pin(reflect(reflectors, &ending))).await;
            ending.cancel();
            inner.queue.close();
            ended
        };
        let process = async {
            let ended = caught(Box::pin(inner.process_all(&ending))).await;
            ending.cancel();
            ended
        };
        let resync = ending.run_until_cancelled(inner.keep_time(resync));
        let (reflected, processed, _) = tokio::join!(reflect, process, resync);
        let ended = reflected.and(processed).map_err(|panic| InformerError::Panicked {
            informer: inner.name.clone(),
            message: panic_message(&*panic).to_owned(),
        });
        if let Err(error) = &ended {
            tracing::error!(informer = inner.name, %error, "the cache is no longer updated");
            let _ = inner.failure.set(error.clone());
        }
        let handlers = stop.now();
        if tokio::time::timeout(inner.handler_grace, handlers.wait()).await.is_err() {
            tracing::warn!(informer = inner.name, "handlers do not return; they are left to themselves");
        }
        ended
    }

    /// [Runs](Self::run) it as a task, until [`RunningInformer::shutdown`] or until the returned guard is dropped.
    ///
    /// # Panics
    ///
    /// Outside of a tokio runtime.
    pub fn spawn(&self) -> RunningInformer {
        let (informer, cancel) = (self.clone(), CancellationToken::new());
        let token = cancel.clone();
        let task = tokio::spawn(async move { informer.run(token).await });
        RunningInformer { cancel: cancel.drop_guard(), task }
    }

    /// How it is doing.
    pub fn state(&self) -> InformerState {
        self.inner.state()
    }

    fn add(
        &self,
        options: HandlerOptions,
        runner: Option<crate::processor::Runner<K>>,
    ) -> Result<(Arc<crate::processor::Listener<K>>, Registration), InformerError> {
        let mut core = self.inner.lock();
        if core.processor.is_stopped() {
            return Err(InformerError::Stopped);
        }
        // Under the lock nothing changes: what is there now comes first, and nothing comes twice.
        let existing = self.inner.indexer.snapshot();
        Ok(core.processor.add(options, runner, existing.stored(), Instant::now().into_std()))
    }
}

/// An informer that runs as a task. Dropping this stops it, without waiting.
#[derive(Debug)]
#[must_use = "the informer stops when this is dropped: keep it, and end with `shutdown`"]
pub struct RunningInformer {
    cancel: DropGuard,
    task: JoinHandle<Result<(), InformerError>>,
}

impl RunningInformer {
    /// Stops the informer and waits until it has, as [`SharedInformer::run`] does. An error if it was running
    /// already when it was to be started, or has panicked.
    ///
    /// # Panics
    ///
    /// If the end of the informer does; nothing is known that makes it.
    pub async fn shutdown(self) -> Result<(), InformerError> {
        drop(self.cancel);
        match self.task.await {
            Ok(result) => result,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // The runtime is shutting down, and stops it anyway.
            Err(_) => Ok(()),
        }
    }
}

/// What a start has made.
struct Starting<K: Object> {
    reflectors: Vec<Reflector<K, InOrderFifo<K>>>,
    /// How often handlers are asked whether they are due for a resync, and the parts that then resync; where a
    /// reflector does not keep that time.
    resync: Option<(Duration, Vec<Coverage>)>,
}

/// Runs reflectors until `ending` is cancelled; ends with the panic of the first that panics.
async fn reflect<K: Object>(mut reflectors: Vec<Reflector<K, InOrderFifo<K>>>, ending: &CancellationToken) {
    if reflectors.len() == 1
        && let Some(reflector) = reflectors.pop()
    {
        // On this task: what it reads at once is one batch, and nobody is woken for it.
        return reflector.run(ending.clone()).await;
    }
    let run = |reflector: Reflector<K, _>| reflector.run(ending.clone());
    let mut tasks: JoinSet<()> = reflectors.into_iter().map(run).collect();
    while let Some(ended) = tasks.join_next().await {
        if let Err(error) = ended
            && error.is_panic()
        {
            // The others are aborted when `tasks` is dropped.
            std::panic::resume_unwind(error.into_panic());
        }
    }
    ending.cancelled().await;
}

impl<K: Object> Inner<K> {
    fn start(self: &Arc<Self>) -> Result<Starting<K>, InformerError> {
        let mut core = self.lock();
        let options = match core.options.take() {
            Some(options) if !core.processor.is_stopped() => options,
            _ => return Err(InformerError::AlreadyStarted),
        };
        core.processor.start(Handle::current());
        self.run.send_replace(Run::Running);
        if core.unsynced.is_empty() {
            // It covers nothing, so there is nothing to wait for.
            core.processor.set_upstream_synced();
            self.synced.send_replace(true);
        }
        let plans = std::mem::take(&mut core.plans);
        let coverages: Vec<_> = plans.iter().map(|(coverage, _)| coverage.clone()).collect();
        let period = core.processor.check_period();
        // Of several reflectors none keeps the time: asking which handlers are due sets their next time, and a
        // reflector that can't list does not ask.
        let alone = coverages.len() == 1;
        let mut reflectors = Vec::new();
        for (coverage, source) in plans {
            let mut fetch = FetchContext::default().sharing(Arc::new(self.indexer.clone()));
            fetch.strip_managed_fields = !options.keep_managed_fields;
            fetch.pool.clone_from(&options.pool);
            let reflector = ReflectorOptions {
                name: Some(self.name.clone()),
                coverage: coverage.clone(),
                watch_list: options.watch_list,
                page_size: options.page_size,
                min_watch_timeout: options.min_watch_timeout,
                max_internal_error_retry: options.max_internal_error_retry,
                resync_period: period.filter(|_| alone),
                should_resync: Some(self.should_resync()),
                backoff: (options.backoff)(),
                random: Random::default(),
                expected_kind: options.expected_kind.clone(),
                on_error: options.on_error.clone(),
                consistency_check: options.consistency_check.clone(),
                fetch,
                metrics: options.metrics.clone(),
            };
            let reflector = Reflector::new(source, self.queue.clone(), reflector);
            core.reflectors.push((coverage, reflector.handle()));
            reflectors.push(reflector);
        }
        Ok(Starting { reflectors, resync: period.filter(|_| !alone).map(|period| (period, coverages)) })
    }

    /// Asks the handlers whether one is due.
    fn should_resync(self: &Arc<Self>) -> ShouldResync {
        let inner = Arc::downgrade(self);
        Box::new(move |now| inner.upgrade().is_some_and(|inner| inner.lock().processor.should_resync(now)))
    }

    /// Has all parts resync whenever a handler is due.
    async fn keep_time(&self, resync: Option<(Duration, Vec<Coverage>)>) {
        let Some((period, parts)) = resync else { return };
        loop {
            tokio::time::sleep(period).await;
            if self.lock().processor.should_resync(Instant::now().into_std()) {
                for part in &parts {
                    self.queue.resync(part.clone());
                }
            }
        }
    }

    /// Processes batches until the queue is closed and empty. After each it waits for the handlers that ask for it,
    /// unless all is ending.
    async fn process_all(&self, ending: &CancellationToken) {
        loop {
            let mut behind = Vec::new();
            let process = |batch: &mut Batch<K>| {
                behind = self.process(batch);
                Ok::<_, Infallible>(())
            };
            match self.queue.pop(process).await {
                Ok(()) => (),
                Err(PopError::Closed) => return,
                Err(PopError::Process(never)) => match never {},
            }
            for (handler, listener) in behind {
                ending.run_until_cancelled(self.wait_for(&handler, &listener)).await;
            }
            if !self.queue.is_empty() {
                // Other tasks get their turn, however fast the queue is filled.
                tokio::task::yield_now().await;
            }
        }
    }

    /// Waits until a handler has caught up.
    async fn wait_for(&self, handler: &str, listener: &Listener<K>) {
        let mut waited = Duration::ZERO;
        loop {
            let caught_up = poll_fn(|cx| listener.poll_caught_up(cx));
            if tokio::time::timeout(WAITS_LONG, caught_up).await.is_ok() {
                return;
            }
            waited += WAITS_LONG;
            tracing::warn!(
                informer = self.name,
                handler,
                ?waited,
                "the cache waits for a handler that is behind"
            );
        }
    }

    /// Brings a batch into the store and into the handlers' queues, as one step. Gives the handlers to wait for.
    fn process(&self, batch: &mut Batch<K>) -> Vec<(String, Arc<Listener<K>>)> {
        let began = Instant::now();
        let deltas = batch.deltas.len();
        let mut core = self.lock();
        let is_initial = !core.unsynced.is_empty();
        let mut listed = Vec::new();
        if is_initial {
            for delta in &batch.deltas {
                if let Delta::ReplacedAll(list) = delta {
                    listed.push(list.coverage.clone());
                }
            }
        }
        let Some(writer) = &mut core.writer else { return Vec::new() };
        let mut changes = writer.apply(batch.deltas.drain(..));
        if is_initial {
            changes.iter_mut().for_each(Change::set_initial);
        }
        let (mut rest, mut behind) = (&changes[..], false);
        loop {
            let (some, others) = rest.split_at(rest.len().min(AT_ONCE));
            behind |= core.processor.distribute(some, began.into_std());
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
        drop(changes);
        let behind = if behind { core.processor.paced() } else { Vec::new() };
        for coverage in listed {
            core.unsynced.remove(&coverage);
        }
        if is_initial && core.unsynced.is_empty() {
            core.processor.set_upstream_synced();
            self.synced.send_replace(true);
        }
        drop(core);
        if let Some(metrics) = &self.metrics {
            metrics.processed(deltas, began.elapsed(), self.queue.len());
            if let Some(version) = numeric(&self.indexer.resource_version()) {
                metrics.store_resource_version(version);
            }
        }
        behind
    }

    fn state(&self) -> InformerState {
        let now = Instant::now().into_std();
        let (handlers, reflectors) = {
            let core = self.lock();
            (core.processor.progress(), core.reflectors.clone())
        };
        let footprint = self.indexer.footprint();
        let bytes = footprint.bytes();
        InformerState {
            name: self.name.clone(),
            run: match *self.run.borrow() {
                Run::Created => "created",
                Run::Running => "running",
                Run::Stopped => "stopped",
            },
            error: self.failure.get().map(ToString::to_string),
            synced: *self.synced.borrow(),
            objects: footprint.objects,
            layout: footprint.layout,
            bytes: bytes.map(|(bytes, _)| bytes),
            bytes_of: bytes.map(|(_, of)| of),
            unpack_errors: footprint.unpack_errors,
            stale: self.indexer.snapshot().stale().len(),
            resource_version: self.indexer.resource_version().to_string(),
            queued: self.queue.len(),
            index_panics: self.indexer.index_panics(),
            reflectors: reflectors
                .iter()
                .map(|(coverage, handle)| reflector_state(coverage, handle.status(), now))
                .collect(),
            handlers: handlers.into_iter().map(|handler| handler_state(handler, now)).collect(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Core<K>> {
        // A panic under the lock is one of index functions or transforms, and those are caught where they are
        // called; what remains is ours, and leaves the store as it was.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the informer however its run ends.
struct StopOnDrop<'a, K: Object>(&'a Inner<K>);

impl<K: Object> StopOnDrop<'_, K> {
    fn now(self) -> tokio_util::task::TaskTracker {
        self.stop()
    }

    fn stop(&self) -> tokio_util::task::TaskTracker {
        let mut core = self.0.lock();
        self.0.queue.close();
        core.writer = None;
        let tasks = core.processor.stop();
        drop(core);
        self.0.run.send_replace(Run::Stopped);
        tasks
    }
}

impl<K: Object> Drop for StopOnDrop<'_, K> {
    fn drop(&mut self) {
        self.stop();
    }
}

fn reflector_state(coverage: &Coverage, status: Status, now: std::time::Instant) -> ReflectorState {
    ReflectorState {
        namespace: coverage.namespace().map(ToString::to_string),
        phase: status.phase,
        resource_version: status.resource_version.to_string(),
        relists: status.lists.saturating_sub(1),
        reconnects: status.watches.saturating_sub(1),
        undecodable: status.undecodable,
        errors: status.errors,
        last_error: status.last_error,
        last_event_age: status.last_event.map(|at| now.saturating_duration_since(at)),
        last_list_duration: status.last_list_duration,
    }
}

fn handler_state(handler: HandlerProgress, now: std::time::Instant) -> HandlerState {
    let HandlerProgress { name, resync_period, progress } = handler;
    HandlerState {
        name,
        synced: progress.synced,
        pending: progress.pending,
        lag: progress.oldest.map(|since| now.saturating_duration_since(since)),
        delivered: progress.delivered,
        coalesced: progress.merged,
        panics: progress.panics,
        resync_period: (!resync_period.is_zero()).then_some(resync_period),
    }
}

/// The type's name without its path.
pub(crate) fn short_type_name<K>() -> &'static str {
    let name = std::any::type_name::<K>();
    name.rsplit("::").next().unwrap_or(name)
}

impl<K: Object> Clone for SharedInformer<K> {
    fn clone(&self) -> Self {
        Self { inner: self.inner.clone() }
    }
}

impl<K: Object> fmt::Debug for SharedInformer<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedInformer({}, {:?})", self.inner.name, *self.inner.run.borrow())
    }
}

#[cfg(test)]
mod tests;
