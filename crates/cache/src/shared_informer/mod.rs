//! [`SharedInformer`]: one cache of a collection, shared by all of its users.

pub(crate) mod core;
mod server_version;

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
use tokio_util::task::TaskTracker;

use self::core::{Core, Processed};
pub use self::server_version::ServerVersion;
use crate::join::join;
use crate::metrics::{InformerActivity, InformerMetrics, numeric};
use crate::processor::{HandlerProgress, Listener, Member, asynchronous, blocking, caught, run_in_turn};
use crate::reflector::{Reflector, ReflectorOptions, ShouldResync, Status};
use crate::state::{HandlerState, InformerState, ReflectorState};
use crate::store::{IndexError, IndexFunction};
use crate::transform::panic_message;
use crate::{
    AsyncEventHandler, Batch, BoxFuture, Coverage, EventHandler, FetchContext, HandlerOptions, InOrderFifo,
    InOrderFifoOptions, Index, Indexer, IndexerOptions, InformerOptions, ListWatch, Lister, PopError, Queue,
    Random, Registration, Subscription,
};

/// The error of an operation on an informer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InformerError {
    /// It runs or has run: it cannot be started again.
    #[error("the informer was already started")]
    AlreadyStarted,
    /// It has stopped.
    #[error("the informer has stopped")]
    Stopped,
    /// An index cannot be added.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// One of its namespaces has an empty name. To cover all namespaces, leave the list empty.
    #[error(
        "informer {informer} has an empty namespace name: to watch all namespaces, leave the list of namespaces empty"
    )]
    EmptyNamespace {
        /// The informer.
        informer: String,
    },
    /// A part of it panicked: its source of lists and watches, its metrics, or this library. It has stopped,
    /// and its cache is no longer updated.
    #[error("informer {informer} panicked and has stopped: {message}")]
    Panicked {
        /// The informer.
        informer: String,
        /// The message of the panic.
        message: String,
    },
}

/// One cache of a collection, and any number of handlers that are notified of its changes.
///
/// A cheap handle; clones are the same informer. It does nothing before [`spawn`](Self::spawn) or
/// [`run`](Self::run). Use an [`InformerFactory`](crate::InformerFactory) to share informers between the parts
/// of a program, and [`watch_tools`](crate::watch_tools) to wait for one event without a cache.
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
/// use client_rs_cache::{MemoryListWatch, Notification, SharedInformer};
/// use client_rs_machinery::Object;
///
/// let pods: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
/// let informer = SharedInformer::new(pods.clone());
/// let mut changes = informer.subscribe()?;
/// let running = informer.spawn();
///
/// assert!(matches!(changes.next().await, Some(Notification::Added { is_initial: true, .. })));
/// pods.put(pod("web", 2));
/// let Some(Notification::Updated { old, new }) = changes.next().await else { panic!("it was updated") };
/// assert_eq!((old.resource_version(), new.resource_version()), ("1", "2"));
/// assert_eq!(informer.indexer().find("default", "web").unwrap().resource_version(), "2");
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// - **One watch** for all handlers; one more for each further namespace if it covers several.
/// - **Eventually consistent**: the cache is some state that the server had, and later a newer one. When the
///   server is reachable and nothing changes, the cache equals the server.
/// - **Store first**: when a handler is notified of a change, the [`indexer`](Self::indexer) already shows that
///   state or a later one.
/// - **Handlers** can be added and removed at any time. Each is first notified of every existing object and
///   then of every change, at its own pace: see [`EventHandler`] and [`Delivery`](crate::Delivery).
/// - **Errors** of lists and watches do not end it: it retries with backoff forever. See
///   [`InformerOptions::on_error`] and [`state`](Self::state).
/// - **Cancellation**: cancelling the token of [`run`](Self::run), dropping its future, or dropping the
///   [`RunningInformer`] stops it. It cannot be started again.
/// - **Memory**: the objects, some 25 bytes each for the store, and at most a few words per object for each
///   handler that lags.
/// - **Objects are shared and cannot be changed**: `Arc<K>` makes the mutation detector of client-go
///   unnecessary.
pub struct SharedInformer<K: Object> {
    inner: Arc<Inner<K>>,
}

struct Inner<K: Object> {
    name: String,
    queue: Arc<InOrderFifo<K>>,
    indexer: Indexer<K>,
    sources: Vec<(Coverage, Arc<dyn ListWatch<K>>)>,
    transformed: bool,
    core: Mutex<Core<K>>,
    synced: watch::Sender<bool>,
    run: watch::Sender<Run>,
    /// The number of lists and errors of its reflectors.
    fetches: Arc<watch::Sender<u64>>,
    /// The reason why it stopped without being cancelled.
    failure: OnceLock<InformerError>,
    metrics: Option<Arc<dyn InformerMetrics>>,
    handler_grace: Duration,
}

/// The period between two log messages that the informer waits for a handler.
const WAITS_LONG: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    Created,
    Running,
    Stopped,
}

impl<K: Object> SharedInformer<K> {
    /// Makes an informer of everything that a source lists.
    pub fn new(source: impl ListWatch<K>) -> Self {
        Self::with_options(source, InformerOptions::default())
    }

    /// Makes an informer like [`new`](Self::new), with options.
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
    /// # use client_rs_cache::{Index, InformerOptions, MemoryListWatch, SharedInformer};
    /// let source = MemoryListWatch::<PartialObjectMetadata>::new();
    /// let by_name = Index::new("name", |pod: &PartialObjectMetadata| [pod.metadata.name.clone()]);
    /// let options = InformerOptions::default().with_name("pods").with_indexes([by_name.into()]);
    /// let informer = SharedInformer::with_options(source, options);
    /// assert_eq!(informer.name(), "pods");
    /// assert!(informer.indexer().index_names().contains(&"name".into()));
    /// ```
    pub fn with_options(source: impl ListWatch<K>, options: InformerOptions<K>) -> Self {
        Self::of_parts(vec![(Coverage::All, Arc::new(source) as Arc<dyn ListWatch<K>>)], options)
    }

    /// Makes an informer of several namespaces, each with a source of its own. If two sources have the same
    /// namespace, the first counts. An empty name is an error when the informer [runs](Self::run). A list of
    /// one namespace never affects the objects of another.
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
    /// use client_rs_cache::{InformerOptions, ListWatch, MemoryListWatch, SharedInformer};
    /// use client_rs_machinery::Str;
    ///
    /// let mut other = pod("web", 1);
    /// other.metadata.namespace = "other".into();
    /// let one: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
    /// let two: MemoryListWatch<_> = [other].into_iter().collect();
    /// let sources: [(Str, Arc<dyn ListWatch<PartialObjectMetadata>>); 2] =
    ///     [("default".into(), Arc::new(one)), ("other".into(), Arc::new(two))];
    ///
    /// let informer = SharedInformer::of_namespaces(sources, InformerOptions::default());
    /// let running = informer.spawn();
    /// informer.synced().await;
    /// assert_eq!(informer.indexer().len(), 2);
    /// assert_eq!(informer.state().reflectors.len(), 2);
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
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
        let (writer, indexer) = Indexer::with_options(IndexerOptions {
            indexes: std::mem::take(&mut options.indexes),
            transform: None,
            in_order: true,
            layout: options.layout.clone(),
        });
        if let Some(pool) = options.pool.clone().filter(|_| options.layout.is_packed()) {
            // Packed objects share nothing, so the pool can drop what only they used.
            indexer.on_packed(move || pool.sweep());
        }
        let kind = options.expected_kind.as_ref().map(ToString::to_string);
        let name = options.name.clone().or(kind);
        let (transformed, resync_period) = (options.transform.is_some(), options.resync_period);
        let fifo = InOrderFifoOptions {
            transform: options.transform.take(),
            parts: sources.len(),
            ..InOrderFifoOptions::default()
        };
        let name = name.unwrap_or_else(|| short_type_name::<K>().to_owned());
        indexer.await_first_list(&name);
        let inner = Inner {
            name,
            queue: Arc::new(InOrderFifo::new(fifo)),
            indexer,
            transformed,
            synced: watch::Sender::new(false),
            run: watch::Sender::new(Run::Created),
            fetches: Arc::new(watch::Sender::new(0)),
            failure: OnceLock::new(),
            metrics: options.metrics.clone(),
            handler_grace: options.handler_grace,
            core: Mutex::new({
                let parts = sources.iter().map(|(coverage, _)| coverage.clone());
                Core { options: Some(options), ..Core::new(writer, resync_period, parts) }
            }),
            sources,
        };
        let inner = Arc::new(inner);
        if let Some(metrics) = &inner.metrics {
            let own = Arc::downgrade(&inner);
            metrics.observe(Arc::new(move || own.upgrade().map(|inner| inner.activity())));
        }
        Self { inner }
    }

    /// Returns the name, for logs, metrics and the state dump.
    pub fn name(&self) -> &str {
        &self.inner.name
    }

    /// Returns the cache, to read.
    pub fn indexer(&self) -> &Indexer<K> {
        &self.inner.indexer
    }

    /// Whether a [transform](InformerOptions::transform) changes the objects before they are stored.
    pub fn is_transformed(&self) -> bool {
        self.inner.transformed
    }

    /// Returns a [`Lister`] of the cache. Its errors name `resource`.
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
    /// # use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// # use client_rs_machinery::{GroupResource, ObjectKey};
    /// # let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// let pods = informer.lister(GroupResource::new("", "pods"));
    /// let error = pods.get(&ObjectKey::new("default", "web")).unwrap_err();
    /// assert_eq!(error.message(), "pods \"web\" not found");
    /// ```
    pub fn lister(&self, resource: GroupResource) -> Lister<K> {
        Lister::new(self.inner.indexer.clone(), resource)
    }

    /// Adds a handler. It is first notified of every object in the cache, then of every change. An error if the
    /// informer has stopped.
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
    /// use client_rs_cache::{MemoryListWatch, Notification, SharedInformer};
    ///
    /// let source: MemoryListWatch<_> = [pod("web", 1), pod("db", 2)].into_iter().collect();
    /// let informer = SharedInformer::new(source);
    /// let seen = Arc::new(AtomicUsize::new(0));
    /// let count = seen.clone();
    /// let registration = informer.add_handler(move |_: &Notification<PartialObjectMetadata>| {
    ///     count.fetch_add(1, Ordering::Relaxed);
    /// })?;
    /// let running = informer.spawn();
    /// assert!(registration.synced().await, "the handler has seen all existing objects");
    /// assert_eq!(seen.load(Ordering::Relaxed), 2);
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_handler(&self, handler: impl EventHandler<K>) -> Result<Registration, InformerError> {
        self.add_handler_with(handler, HandlerOptions::default())
    }

    /// Adds a handler like [`add_handler`](Self::add_handler), with options.
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
    /// use client_rs_cache::{HandlerFns, HandlerOptions, MemoryListWatch, SharedInformer};
    /// # let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    ///
    /// let options = HandlerOptions::enqueueing().with_name("enqueue pods");
    /// let registration = informer.add_handler_with(HandlerFns::new(), options)?;
    /// assert_eq!(registration.name(), "enqueue pods");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add_handler_with(
        &self,
        handler: impl EventHandler<K>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        let runner = blocking(Arc::new(handler), options.execution);
        self.add(options, Some(runner)).map(|(_, registration)| registration)
    }

    /// Adds an async handler.
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
    /// use client_rs_cache::{MemoryListWatch, Notification, SharedInformer};
    /// use tokio::sync::mpsc;
    ///
    /// let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
    /// let informer = SharedInformer::new(source);
    /// let (sender, mut received) = mpsc::channel(1);
    /// informer.add_async_handler(move |notification: Notification<PartialObjectMetadata>| {
    ///     let sender = sender.clone();
    ///     async move {
    ///         let _ = sender.send(notification.key()).await;
    ///     }
    /// })?;
    /// let running = informer.spawn();
    /// assert_eq!(received.recv().await.unwrap().to_string(), "default/web");
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn add_async_handler(
        &self,
        handler: impl AsyncEventHandler<K>,
    ) -> Result<Registration, InformerError> {
        self.add_async_handler_with(handler, HandlerOptions::default())
    }

    /// Adds a handler like [`add_async_handler`](Self::add_async_handler), with options.
    pub fn add_async_handler_with(
        &self,
        handler: impl AsyncEventHandler<K>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        self.add(options, Some(asynchronous(handler))).map(|(_, registration)| registration)
    }

    /// Adds a handler in the form of a stream of notifications; see [`Subscription`].
    pub fn subscribe(&self) -> Result<Subscription<K>, InformerError> {
        self.subscribe_with(HandlerOptions::default())
    }

    /// Adds a stream like [`subscribe`](Self::subscribe), with options.
    pub fn subscribe_with(&self, options: HandlerOptions) -> Result<Subscription<K>, InformerError> {
        let (listener, registration) = self.add(options, None)?;
        let (inner, id) = (Arc::downgrade(&self.inner), registration.id());
        let end = move || {
            if let Some(inner) = Weak::upgrade(&inner) {
                inner.remove(id);
            }
        };
        Ok(Subscription::new(listener, registration, end))
    }

    /// Removes a handler. Notifications that wait for it are dropped; a call in progress runs to its end.
    /// Returns false, and does nothing, if the handler was already removed or belongs to another informer.
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
    /// # use client_rs_cache::{HandlerFns, MemoryListWatch, SharedInformer};
    /// # let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// let registration = informer.add_handler(HandlerFns::new())?;
    /// assert!(informer.remove_handler(&registration));
    /// assert!(!informer.remove_handler(&registration));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove_handler(&self, registration: &Registration) -> bool {
        self.inner.remove(registration.id())
    }

    /// Removes a handler and waits until a call in progress has ended and the informer has dropped the handler. A handler that waits for
    /// this in its own call waits forever.
    pub async fn shutdown_handler(&self, registration: &Registration) {
        self.remove_handler(registration);
        registration.over().await;
    }

    /// Adds indexes, also while it runs. Adds all or none; an error if a name exists or the informer has
    /// stopped.
    pub fn add_indexes<I: Into<IndexFunction<K>>>(
        &self,
        indexes: impl IntoIterator<Item = I>,
    ) -> Result<(), InformerError> {
        if self.is_stopped() {
            return Err(InformerError::Stopped);
        }
        Ok(self.inner.indexer.add_indexes(indexes)?)
    }

    /// Returns whether every object of the first list has reached the cache. Once true, it stays true. It does
    /// not cover the handlers: each has its own [`Registration::has_synced`].
    pub fn has_synced(&self) -> bool {
        *self.inner.synced.borrow()
    }

    /// Waits for [`has_synced`](Self::has_synced). Returns false if the informer stops first.
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
    /// # use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// assert!(!informer.has_synced());
    /// let running = informer.spawn();
    /// assert!(informer.synced().await);
    /// running.shutdown().await?;
    /// # Ok(())
    /// # }
    /// ```
    pub async fn synced(&self) -> bool {
        let (mut synced, mut run) = (self.inner.synced.subscribe(), self.inner.run.subscribe());
        tokio::select! {
            biased;
            _ = synced.wait_for(|synced| *synced) => true,
            _ = run.wait_for(|run| *run == Run::Stopped) => self.has_synced(),
        }
    }

    /// Returns the version that its reflector has reached. Empty before the first list, and for an informer of
    /// several namespaces, whose versions are in the [`state`](Self::state).
    pub fn last_sync_resource_version(&self) -> Str {
        match &self.inner.lock().reflectors[..] {
            [(_, reflector)] => reflector.last_sync_resource_version(),
            _ => Str::EMPTY,
        }
    }

    /// Returns whether it was started.
    pub fn has_started(&self) -> bool {
        *self.inner.run.borrow() != Run::Created
    }

    /// Returns whether it has stopped.
    pub fn is_stopped(&self) -> bool {
        *self.inner.run.borrow() == Run::Stopped
    }

    /// Waits until it has stopped.
    pub async fn stopped(&self) {
        // The sender lives as long as `self`.
        let _ = self.inner.run.subscribe().wait_for(|run| *run == Run::Stopped).await;
    }

    /// Returns the reason why it stopped without being cancelled: a part of it
    /// [panicked](InformerError::Panicked), or one of its namespaces is [empty](InformerError::EmptyNamespace).
    pub fn failure(&self) -> Option<InformerError> {
        self.inner.failure.get().cloned()
    }

    /// Lists, watches and notifies handlers until the token is cancelled. Then it waits for the handlers that
    /// are in a call, and drops the notifications that they have not received.
    ///
    /// It ends earlier only if a part of it panics; then it returns an error, because a cache that is partly
    /// updated is of no use. Dropping the future also stops it, without waiting. A second call is an error.
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
    /// use client_rs_cache::{CancellationToken, InformerError, MemoryListWatch, SharedInformer};
    ///
    /// let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// let cancel = CancellationToken::new();
    /// let (ended, ()) = tokio::join!(informer.run(cancel.clone()), async {
    ///     informer.synced().await;
    ///     cancel.cancel();
    /// });
    /// assert_eq!(ended, Ok(()));
    /// assert!(informer.is_stopped());
    /// assert_eq!(informer.run(cancel).await, Err(InformerError::AlreadyStarted));
    /// # Ok(())
    /// # }
    /// ```
    pub async fn run(&self, cancel: CancellationToken) -> Result<(), InformerError> {
        self.clone().run_boxed(cancel).await
    }

    /// One future for all ways to run an informer, so that it is compiled once per type.
    pub(crate) fn run_boxed(
        self,
        cancel: CancellationToken,
    ) -> BoxFuture<'static, Result<(), InformerError>> {
        Box::pin(async move {
            let inner = &self.inner;
            let Starting { reflectors, resync } = inner.start()?;
            let stop = StopOnDrop(inner);
            if inner.lock().unsynced.contains(&Coverage::Namespace(Str::EMPTY)) {
                let error = InformerError::EmptyNamespace { informer: inner.name.clone() };
                tracing::error!(informer = inner.name, %error, "informer not started");
                let _ = inner.failure.set(error.clone());
                return Err(error);
            }
            // Cancelled with the caller's token, or by the first part that panics.
            let ending = cancel.child_token();
            let close = || inner.queue.close();
            let parts = Parts {
                reflect: Box::pin(reflect(reflectors, &ending)),
                process: Box::pin(inner.process_all(&ending)),
                resync: Box::pin(inner.keep_time(resync)),
                close: &close,
            };
            let ended = parts.run(&inner.name, &ending).await;
            if let Err(error) = &ended {
                let _ = inner.failure.set(error.clone());
            }
            await_handlers(&inner.name, stop.now(), inner.handler_grace).await;
            ended
        })
    }

    /// [Runs](Self::run) the informer as a task, until [`RunningInformer::shutdown`] or until the returned
    /// guard is dropped.
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
    /// # use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// let running = informer.spawn();
    /// informer.synced().await;
    /// drop(running);
    /// informer.stopped().await;
    /// assert!(informer.is_stopped());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// Outside a tokio runtime.
    pub fn spawn(&self) -> RunningInformer {
        let (informer, cancel) = (self.clone(), CancellationToken::new());
        let token = cancel.clone();
        RunningInformer { cancel: cancel.drop_guard(), task: tokio::spawn(informer.run_boxed(token)) }
    }

    /// Returns the state of the informer, its reflectors and its handlers: for debugging, and for a debug endpoint as JSON.
    pub fn state(&self) -> InformerState {
        self.inner.state()
    }

    /// Returns the counts of its reflectors and handlers: the part of its [`state`](Self::state) that is quick to read.
    pub fn activity(&self) -> InformerActivity {
        self.inner.activity()
    }

    /// Returns a number that changes with every list and with every error of a list or watch, when its
    /// [`activity`](Self::activity) shows them. A program that waits for a change needs no timer.
    ///
    /// ```
    /// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # use client_rs_cache::{MemoryListWatch, SharedInformer};
    /// let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
    /// let mut fetches = informer.fetches();
    /// let _running = informer.spawn();
    /// fetches.changed().await?;
    /// assert_eq!(informer.activity().reflectors[0].errors, 0);
    /// # Ok(())
    /// # }
    /// ```
    pub fn fetches(&self) -> watch::Receiver<u64> {
        self.inner.fetches.subscribe()
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
        Ok(core.add(&self.inner.indexer, options, runner, Instant::now().into_std()))
    }
}

/// An informer that runs as a task; see [`SharedInformer::spawn`]. Dropping it stops the informer without
/// waiting.
///
/// Keep it for as long as the informer must run, and end with [`shutdown`](Self::shutdown).
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
/// use client_rs_cache::{MemoryListWatch, RunningInformer, SharedInformer};
///
/// let informer = SharedInformer::new(MemoryListWatch::<PartialObjectMetadata>::new());
/// let running: RunningInformer = informer.spawn();
/// informer.synced().await;
/// running.shutdown().await?;
/// assert!(informer.is_stopped());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
#[must_use = "the informer stops when this is dropped: keep it, and end with `shutdown`"]
pub struct RunningInformer {
    cancel: DropGuard,
    task: JoinHandle<Result<(), InformerError>>,
}

impl RunningInformer {
    /// Stops the informer and waits until it has ended, as [`SharedInformer::run`] does. Returns an error if it
    /// was already running when this task began, or if it panicked.
    ///
    /// # Panics
    ///
    /// If ending the informer panics. No cause of that is known.
    pub async fn shutdown(self) -> Result<(), InformerError> {
        drop(self.cancel);
        match self.task.await {
            Ok(result) => result,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // The runtime is shutting down, which also stops the informer.
            Err(_) => Ok(()),
        }
    }
}

/// The parts that a start makes.
struct Starting<K: Object> {
    reflectors: Vec<Reflector<K, InOrderFifo<K>>>,
    /// The period of the checks whether a handler is due for a resync, and the parts that then resync. `None`
    /// if a reflector does the checks.
    resync: Option<(Duration, Vec<Coverage>)>,
}

/// The parts of an informer that runs. They have no type parameter, so that the code that runs them is compiled once.
struct Parts<'a> {
    reflect: BoxFuture<'a, ()>,
    process: BoxFuture<'a, ()>,
    resync: BoxFuture<'a, ()>,
    /// Closes the queue between the reflectors and the process loop.
    close: &'a (dyn Fn() + Sync),
}

impl<'a> Parts<'a> {
    /// Runs the parts until `ending` is cancelled, or until one of them panics. Boxed, so that this crate compiles it.
    fn run(self, name: &'a str, ending: &'a CancellationToken) -> BoxFuture<'a, Result<(), InformerError>> {
        Box::pin(async move {
            let reflect = async {
                let ended = caught(self.reflect).await;
                ending.cancel();
                (self.close)();
                ended
            };
            let process = async {
                let ended = caught(self.process).await;
                ending.cancel();
                ended
            };
            let resync = async {
                ending.run_until_cancelled(self.resync).await;
                Ok(())
            };
            // The reflector comes first: what it has read is processed in the same turn.
            let ended = join([Box::pin(reflect), Box::pin(process), Box::pin(resync)]).await;
            let ended =
                ended.into_iter().collect::<Result<(), _>>().map_err(|panic| InformerError::Panicked {
                    informer: name.to_owned(),
                    message: panic_message(&*panic).to_owned(),
                });
            if let Err(error) = &ended {
                tracing::error!(informer = name, %error, "informer stopped, its cache is no longer updated");
            }
            ended
        })
    }
}

/// Waits until the handlers have returned, for a limited time.
fn await_handlers(name: &str, handlers: TaskTracker, patience: Duration) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        if tokio::time::timeout(patience, handlers.wait()).await.is_err() {
            tracing::warn!(informer = name, "handlers did not return in time, no longer waiting for them");
        }
    })
}

/// Runs reflectors until `ending` is cancelled. A panic of one of them is passed on.
async fn reflect<K: Object>(mut reflectors: Vec<Reflector<K, InOrderFifo<K>>>, ending: &CancellationToken) {
    let run =
        |reflector: Reflector<K, _>| -> BoxFuture<'static, ()> { Box::pin(reflector.run(ending.clone())) };
    if reflectors.len() == 1
        && let Some(reflector) = reflectors.pop()
    {
        // On this task: the events that it reads at once form one batch, without waking another task.
        return run(reflector).await;
    }
    reflect_all(reflectors.into_iter().map(run).collect(), ending).await;
}

/// Runs the futures of several reflectors.
async fn reflect_all(reflectors: Vec<BoxFuture<'static, ()>>, ending: &CancellationToken) {
    let mut tasks: JoinSet<()> = reflectors.into_iter().collect();
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
            // It covers no part, so there is nothing to wait for.
            core.processor.set_upstream_synced();
            self.mark_synced();
        }
        let coverages: Vec<_> = self.sources.iter().map(|(coverage, _)| coverage.clone()).collect();
        let period = core.processor.check_period();
        // With several reflectors none of them checks: a check sets the next time of the handlers, and a
        // reflector that cannot list does not check.
        let alone = coverages.len() == 1;
        let mut reflectors = Vec::new();
        for (coverage, source) in self.sources.iter().cloned() {
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
            let handle = reflector.handle();
            handle.count_fetches(self.fetches.clone());
            core.reflectors.push((coverage, handle));
            reflectors.push(reflector);
        }
        Ok(Starting { reflectors, resync: period.filter(|_| !alone).map(|period| (period, coverages)) })
    }

    /// Returns a function that checks whether a handler is due.
    fn should_resync(self: &Arc<Self>) -> ShouldResync {
        let inner = Arc::downgrade(self);
        Box::new(move |now| inner.upgrade().is_some_and(|inner| inner.lock().processor.should_resync(now)))
    }

    /// Resyncs all parts whenever a handler is due.
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

    /// Processes batches until the queue is closed and empty. After each batch it waits for the handlers that
    /// require it, unless the informer is ending.
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
                // Other tasks get their turn, regardless of how fast the queue fills.
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
            tracing::warn!(informer = self.name, handler, ?waited, "cache waits for a handler that lags");
        }
    }

    /// Applies a batch. Returns the handlers to wait for.
    fn process(&self, batch: &mut Batch<K>) -> Vec<(String, Arc<Listener<K>>)> {
        let began = Instant::now();
        let deltas = batch.deltas.len();
        let Processed { behind, inline, synced, released } = self.lock().process(batch, began.into_std());
        // Before the handlers run: a caller that waits for them may check the reference counts of objects.
        drop(released);
        if synced {
            self.mark_synced();
        }
        let took = began.elapsed();
        run_in_turn(inline);
        if let Some(metrics) = &self.metrics {
            metrics.processed(deltas, took, self.queue.len());
            if let Some(version) = numeric(&self.indexer.resource_version()) {
                metrics.store_resource_version(version);
            }
        }
        behind
    }

    /// Removes a handler. Returns whether there was one.
    fn remove(&self, id: u64) -> bool {
        let member = self.lock().processor.remove(id);
        let is_removed = member.is_some();
        member.into_iter().for_each(Member::end);
        is_removed
    }

    fn mark_synced(&self) {
        self.indexer.first_list_arrived();
        self.synced.send_replace(true);
    }

    fn activity(&self) -> InformerActivity {
        let now = Instant::now().into_std();
        let (handlers, reflectors) = {
            let core = self.lock();
            (core.processor.progress(), core.reflectors.clone())
        };
        InformerActivity {
            reflectors: reflectors
                .iter()
                .map(|(coverage, handle)| reflector_state(coverage, handle.status(), now))
                .collect(),
            handlers: handlers.into_iter().map(|handler| handler_state(handler, now)).collect(),
        }
    }

    fn state(&self) -> InformerState {
        let InformerActivity { reflectors, handlers } = self.activity();
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
            reflectors,
            handlers,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Core<K>> {
        // A panic of an index function or a transform is caught where it is called. Any other panic under the
        // lock is a bug of this crate, and leaves the store unchanged.
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops the informer when its run ends, also by a panic or a drop.
struct StopOnDrop<'a, K: Object>(&'a Inner<K>);

impl<K: Object> StopOnDrop<'_, K> {
    fn now(self) -> TaskTracker {
        self.stop()
    }

    fn stop(&self) -> TaskTracker {
        let mut core = self.0.lock();
        self.0.queue.close();
        core.writer = None;
        let (members, tasks) = core.processor.stop();
        drop(core);
        members.into_iter().for_each(Member::end);
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

/// Returns the name of the type without its path.
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
