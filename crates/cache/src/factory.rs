//! [`InformerFactory`]: one informer per type or resource.

use std::any::{Any, TypeId};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{ApiError, GroupResource, GroupVersionResource, Object, ObjectKey, Str};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cache_sync::{HasSynced, NotSynced, wait_for_cache_sync};
use crate::metrics::InformerMetrics;
use crate::reflector::WatchErrorHandler;
use crate::shared_informer::short_type_name;
use crate::store::Layout;
use crate::{
    BoxFuture, Coverage, EventHandler, FetchError, HandlerOptions, InformerError, InformerOptions,
    InformerState, KindOptions, Kinds, ListWatch, Notification, Pools, Registration, SharedInformer,
    Transform, Tweaked,
};

client_rs_machinery::options! {
    /// The options of an [`InformerFactory`] and of its informers.
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_cache::FactoryOptions;
    ///
    /// let options = FactoryOptions::default()
    ///     .with_namespaces(["shop", "billing"])
    ///     .with_resync_period(Duration::from_secs(600));
    /// assert_eq!(options.namespaces, ["shop", "billing"]);
    /// ```
    #[derive(Clone, Default)]
    pub struct FactoryOptions {
        /// The resync period of the informers. Default: zero, never.
        pub resync_period: Duration => with_resync_period,
        /// The resync periods of certain types, by [`TypeId::of`]. Default: empty.
        pub resync_periods: HashMap<TypeId, Duration> => with_resync_periods,
        /// The namespaces to cache, each with a list and a watch of its own. Default: empty, which means all
        /// namespaces with one list and one watch. An empty name is an error of the informers. Cluster-scoped
        /// objects are not affected.
        pub namespaces: Vec<Str> => with_namespaces,
        /// Adjusts every list and watch, for example with selectors. Default: unset.
        pub tweak: Option<Tweak> => with_tweak,
        /// How the caches keep objects, per type. Default: all decoded.
        pub layouts: Layouts => with_layouts,
        /// The transforms of objects before they reach the cache, per type. Default: empty.
        pub transforms: Transforms => with_transforms,
        /// Options per type: namespaces, selectors, transform, layout, indexes. [`with_kind`](Self::with_kind) sets those of one
        /// type. Default: empty.
        pub kinds: Kinds => with_kinds,
        /// Keep `metadata.managedFields`. Default: false.
        pub keep_managed_fields: bool => with_keep_managed_fields,
        /// Called with errors of lists and watches. Default: logs them.
        pub on_error: Option<WatchErrorHandler> => with_on_error,
        /// Makes the metrics of each informer, by its name. Default: unset.
        pub metrics: Option<MetricsFor> => with_metrics,
        /// Decode pools that the informers share with those of other factories. Default: unset, a pool per informer.
        pub pools: Option<Pools> => with_pools,
    }
}

/// Makes the metrics of an informer. The argument is the name of the type, or of the resource for types that
/// serve many resources.
pub type MetricsFor = Arc<dyn Fn(&str) -> Arc<dyn InformerMetrics> + Send + Sync>;

/// Adjusts the options of a list or watch.
pub type Tweak = Arc<dyn Fn(&mut ListOptions) + Send + Sync>;

/// [Transforms](Transform) of several types.
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # use client_rs_cache::{Transform, Transforms};
/// # use client_rs_machinery::Unstructured;
/// let strip = Transform::edit(|pod: &mut PartialObjectMetadata| pod.metadata.annotations = Default::default());
/// let transforms = Transforms::default().with(strip);
/// assert!(transforms.get::<PartialObjectMetadata>().is_some());
/// assert!(transforms.get::<Unstructured>().is_none());
/// ```
#[derive(Clone, Default)]
pub struct Transforms(HashMap<TypeId, Arc<dyn Any + Send + Sync>>);

impl Transforms {
    /// Sets the transform of a type, replacing an earlier one.
    #[must_use]
    pub fn with<K: Object>(mut self, transform: Transform<K>) -> Self {
        self.0.insert(TypeId::of::<K>(), Arc::new(transform));
        self
    }

    /// Returns the transform of a type.
    pub fn get<K: Object>(&self) -> Option<Transform<K>> {
        self.0.get(&TypeId::of::<K>())?.downcast_ref().cloned()
    }
}

/// [Layouts](Layout) of several types. The packed ones need the feature `packed`.
///
/// ```
/// use client_rs_cache::{FactoryOptions, Layouts};
/// use client_rs_machinery::meta::v1::PartialObjectMetadata;
///
/// let layouts = Layouts::default().packed::<PartialObjectMetadata>();
/// let options = FactoryOptions::default().with_layouts(layouts);
/// # assert!(options.informer_options::<PartialObjectMetadata>().layout.is_packed());
/// ```
#[derive(Clone, Default)]
pub struct Layouts {
    by_type: HashMap<TypeId, Arc<dyn Any + Send + Sync>>,
    #[cfg(feature = "packed")]
    all_packed: bool,
}

impl Layouts {
    /// Packs every type that is not set otherwise and whose informers are made over a client.
    #[cfg(feature = "packed")]
    pub fn all_packed() -> Self {
        Self { all_packed: true, ..Self::default() }
    }

    /// Packs the objects of a type.
    #[cfg(feature = "packed")]
    #[must_use]
    pub fn packed<K: Object + Payload>(self) -> Self {
        self.with(Layout::<K>::packed())
    }

    /// Sets the layout of a type, replacing an earlier one.
    #[must_use]
    pub fn with<K: Object>(mut self, layout: Layout<K>) -> Self {
        self.by_type.insert(TypeId::of::<K>(), Arc::new(layout));
        self
    }

    /// Returns the layout that was set for a type, or the default.
    pub fn get<K: Object>(&self) -> Layout<K> {
        self.named().unwrap_or_default()
    }

    /// Returns the layout of a type whose wire format is known.
    pub fn of<K: Object + Payload>(&self) -> Layout<K> {
        self.named().unwrap_or_else(|| self.unnamed())
    }

    #[cfg(feature = "packed")]
    fn unnamed<K: Object + Payload>(&self) -> Layout<K> {
        if self.all_packed { Layout::packed() } else { Layout::decoded() }
    }

    #[cfg(not(feature = "packed"))]
    #[allow(clippy::unused_self, reason = "the feature `packed` uses it")]
    fn unnamed<K: Object + Payload>(&self) -> Layout<K> {
        Layout::decoded()
    }

    fn named<K: Object>(&self) -> Option<Layout<K>> {
        self.by_type.get(&TypeId::of::<K>())?.downcast_ref().cloned()
    }
}

impl FactoryOptions {
    /// Returns the options of an informer of a type.
    ///
    /// ```
    /// # use std::any::TypeId;
    /// # use std::time::Duration;
    /// # use client_rs_cache::FactoryOptions;
    /// # use client_rs_machinery::{Unstructured, meta::v1::PartialObjectMetadata};
    /// let options = FactoryOptions::default()
    ///     .with_resync_period(Duration::from_secs(600))
    ///     .with_resync_periods([(TypeId::of::<Unstructured>(), Duration::from_secs(30))]);
    /// assert_eq!(options.informer_options::<Unstructured>().resync_period.as_secs(), 30);
    /// assert_eq!(options.informer_options::<PartialObjectMetadata>().resync_period.as_secs(), 600);
    /// ```
    pub fn informer_options<K: Object>(&self) -> InformerOptions<K> {
        let own = self.kind::<K>();
        let period = || self.resync_periods.get(&TypeId::of::<K>()).copied().unwrap_or(self.resync_period);
        let defaults = InformerOptions::default();
        InformerOptions {
            pool: self.pools.as_ref().map(|pools| pools.of_type(TypeId::of::<K>())).or(defaults.pool),
            resync_period: own.resync_period.unwrap_or_else(period),
            layout: own.layout.unwrap_or_else(|| self.layouts.get()),
            transform: own.transform.or_else(|| self.transforms.get()),
            indexes: own.indexes,
            keep_managed_fields: own.keep_managed_fields.unwrap_or(self.keep_managed_fields),
            on_error: self.on_error.clone(),
            ..defaults
        }
    }

    /// Sets the options of one type, replacing earlier ones of that type.
    #[must_use]
    pub fn with_kind<K: Object>(mut self, options: KindOptions<K>) -> Self {
        self.kinds = std::mem::take(&mut self.kinds).with(options);
        self
    }

    /// Returns the options of a type; the default if it has none.
    pub fn kind<K: Object>(&self) -> KindOptions<K> {
        self.kinds.get()
    }

    /// Returns the layout of a type whose wire format is known.
    pub fn layout<K: Object + Payload>(&self) -> Layout<K> {
        self.kind::<K>().layout.unwrap_or_else(|| self.layouts.of())
    }

    /// The namespaces of a type; empty for all.
    fn namespaces_of<K: Object>(&self) -> Vec<Str> {
        let own = self.kind::<K>();
        if own.namespaces.is_empty() && !own.all_namespaces {
            self.namespaces.clone()
        } else {
            own.namespaces
        }
    }

    fn tweaked<K: Object>(&self, source: Arc<dyn ListWatch<K>>) -> Arc<dyn ListWatch<K>> {
        let (own, tweak) = (self.kind::<K>(), self.tweak.clone());
        if !own.selects() && tweak.is_none() {
            return source;
        }
        Arc::new(Tweaked::new(source, move |options: &mut ListOptions| {
            own.select(options);
            if let Some(tweak) = &tweak {
                tweak(options);
            }
        }))
    }
}

impl fmt::Debug for FactoryOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FactoryOptions")
            .field("resync_period", &self.resync_period)
            .field("namespaces", &self.namespaces)
            .field("keep_managed_fields", &self.keep_managed_fields)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Layouts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layouts(of {} types", self.by_type.len())?;
        #[cfg(feature = "packed")]
        if self.all_packed {
            f.write_str(", all packed")?;
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Transforms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Transforms(of {} types)", self.0.len())
    }
}

/// The informers of a program, one per type or resource, started and stopped together.
///
/// Use it so that two controllers that need the same objects share one watch and one cache. Over a client, use
/// `SharedInformerFactory` of `client-rs-informers`, which is built on this type: it makes the informers by
/// itself, and has accessors such as `factory.core().v1().pods()`.
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
/// use client_rs_cache::{InformerFactory, MemoryListWatch, SharedInformer};
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let factory = InformerFactory::new();
/// let pods = factory.informer_for(|options| SharedInformer::with_options(source, options));
/// factory.start();
/// let synced = factory.wait_for_cache_sync().await;
/// assert!(synced.values().all(|synced| *synced));
/// assert_eq!(pods.indexer().len(), 1);
///
/// let again = factory.informer_for::<PartialObjectMetadata>(|_| unreachable!("it exists"));
/// assert_eq!(again.indexer().len(), 1);
/// factory.shutdown().await;
/// # Ok(())
/// # }
/// ```
///
/// - A cheap handle; clones are the same factory.
/// - **Cancellation**: dropping the last handle stops its informers without waiting.
///   [`shutdown`](Self::shutdown) waits.
/// - **Errors**: an informer that stops before the factory is a [`failure`](Self::failure).
#[derive(Clone)]
pub struct InformerFactory {
    inner: Arc<Inner>,
}

struct Inner {
    options: FactoryOptions,
    state: Mutex<State>,
    cancel: CancellationToken,
    tasks: TaskTracker,
    /// Notified when an informer ends before the factory.
    ended: Arc<watch::Sender<()>>,
}

/// The error of an informer that stopped although its factory was not shut down: its cache is no longer
/// updated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cache of informer {name} is no longer updated: {error}")]
#[non_exhaustive]
pub struct InformerFailed {
    /// The informer.
    pub name: String,
    /// The reason: it panicked, or the code that started it has stopped it.
    pub error: InformerError,
}

#[derive(Default)]
struct State {
    informers: HashMap<Key, Entry>,
    /// In the order of their first requests.
    order: Vec<Key>,
    shut_down: bool,
}

impl State {
    fn known<K: Object>(&self, key: &Key) -> Option<SharedInformer<K>> {
        self.informers.get(key)?.typed.downcast_ref::<SharedInformer<K>>().cloned()
    }
}

/// The identity of an informer: a type, or a type and a resource for types that serve many resources.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    kind: TypeId,
    resource: Option<GroupVersionResource>,
}

struct Entry {
    informer: Arc<dyn AnyInformer>,
    typed: Box<dyn Any + Send + Sync>,
    started: bool,
    /// Stops this informer; cancelled with that of the factory.
    cancel: CancellationToken,
    /// The task that runs it, once it is started.
    task: Option<JoinHandle<()>>,
}

/// An informer of any type, for code that handles informers of several types together. [`SharedInformer`]
/// implements it.
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
/// use std::sync::Arc;
/// use client_rs_cache::{AnyInformer, MemoryListWatch, SharedInformer};
/// # let source: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
///
/// let informer = SharedInformer::new(source);
/// let running = informer.spawn();
/// informer.synced().await;
/// let informers: Vec<Arc<dyn AnyInformer>> = vec![Arc::new(informer)];
/// let objects: usize = informers.iter().map(|informer| informer.list_any().len()).sum();
/// assert_eq!(objects, 1);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
pub trait AnyInformer: HasSynced {
    /// Runs it; see [`SharedInformer::run`].
    fn run_any(&self, cancel: CancellationToken) -> BoxFuture<'static, Result<(), InformerError>>;
    /// Waits until it has stopped; see [`SharedInformer::stopped`].
    fn stopped_any(&self) -> BoxFuture<'_, ()>;
    /// Returns whether it has stopped.
    fn is_stopped(&self) -> bool;
    /// Returns the reason why it stopped without being cancelled.
    fn failure(&self) -> Option<InformerError>;
    /// Returns its state.
    fn state(&self) -> InformerState;
    /// Returns the version of the newest list or change of each part of its cache; see
    /// [`Indexer::changed_versions`](crate::Indexer::changed_versions).
    /// Default: none.
    fn changed_versions(&self) -> Vec<(Coverage, Str)> {
        Vec::new()
    }
    /// Waits until its cache has everything of a part up to a version; see
    /// [`Indexer::reaches`](crate::Indexer::reaches). Default: false,
    /// it can't be known.
    fn reaches<'a>(&'a self, part: &'a Coverage, resource_version: &'a str) -> BoxFuture<'a, bool> {
        let _ = (part, resource_version);
        Box::pin(std::future::ready(false))
    }
    /// Returns the version of a part on the server; see [`SharedInformer::part_version_on_server`]. Default: none.
    fn part_version_on_server<'a>(
        &'a self,
        part: &'a Coverage,
    ) -> BoxFuture<'a, Result<Option<Str>, FetchError>> {
        let _ = part;
        Box::pin(std::future::ready(Ok(None)))
    }
    /// Returns a cached object; see [`Lister::get`](crate::Lister::get). Errors name the resource.
    fn get_any(&self, key: &ObjectKey, resource: &GroupResource) -> Result<Arc<dyn Object>, ApiError>;
    /// Returns all cached objects, in no particular order.
    fn list_any(&self) -> Vec<Arc<dyn Object>>;
    /// Adds a handler, such as a [`HandlerFns<dyn Object>`](crate::HandlerFns); see [`SharedInformer::add_handler`].
    fn add_any_handler(
        &self,
        handler: Arc<dyn EventHandler<dyn Object>>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError>;
}

/// Adapts a handler of objects of any type to an informer of one type.
struct ErasedHandler(Arc<dyn EventHandler<dyn Object>>);

impl<K: Object> EventHandler<K> for ErasedHandler {
    fn handle(&self, notification: &Notification<K>) {
        self.0.handle(&notification.to_dyn());
    }
}

impl<K: Object> AnyInformer for SharedInformer<K> {
    fn run_any(&self, cancel: CancellationToken) -> BoxFuture<'static, Result<(), InformerError>> {
        self.clone().run_boxed(cancel)
    }

    fn stopped_any(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.stopped())
    }

    fn is_stopped(&self) -> bool {
        Self::is_stopped(self)
    }

    fn failure(&self) -> Option<InformerError> {
        Self::failure(self)
    }

    fn state(&self) -> InformerState {
        Self::state(self)
    }

    fn changed_versions(&self) -> Vec<(Coverage, Str)> {
        self.indexer().changed_versions()
    }

    fn reaches<'a>(&'a self, part: &'a Coverage, resource_version: &'a str) -> BoxFuture<'a, bool> {
        Box::pin(self.indexer().reaches(part, resource_version))
    }

    fn part_version_on_server<'a>(
        &'a self,
        part: &'a Coverage,
    ) -> BoxFuture<'a, Result<Option<Str>, FetchError>> {
        Box::pin(Self::part_version_on_server(self, part))
    }

    fn get_any(&self, key: &ObjectKey, resource: &GroupResource) -> Result<Arc<dyn Object>, ApiError> {
        self.lister(resource.clone()).get(key).map(|object| object as Arc<dyn Object>)
    }

    fn list_any(&self) -> Vec<Arc<dyn Object>> {
        self.indexer().list().into_iter().map(|object| object as Arc<dyn Object>).collect()
    }

    fn add_any_handler(
        &self,
        handler: Arc<dyn EventHandler<dyn Object>>,
        options: HandlerOptions,
    ) -> Result<Registration, InformerError> {
        self.add_handler_with(ErasedHandler(handler), options)
    }
}

impl InformerFactory {
    /// Makes a factory without informers.
    pub fn new() -> Self {
        Self::with_options(FactoryOptions::default())
    }

    /// Makes a factory like [`new`](Self::new), with options.
    pub fn with_options(options: FactoryOptions) -> Self {
        Self {
            inner: Arc::new(Inner {
                options,
                state: Mutex::default(),
                cancel: CancellationToken::new(),
                tasks: TaskTracker::new(),
                ended: Arc::new(watch::Sender::new(())),
            }),
        }
    }

    /// Returns the informer of a type. The first call makes it, with the options of the factory.
    ///
    /// A call registers the informer: [`start`](Self::start) starts the registered informers.
    pub fn informer_for<K: Object>(
        &self,
        make: impl FnOnce(InformerOptions<K>) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        self.informer(Key { kind: TypeId::of::<K>(), resource: None }, make)
    }

    /// Returns the informer of a resource, for types that serve many resources, such as dynamic objects and
    /// bare metadata.
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
    /// use client_rs_cache::{InformerFactory, MemoryListWatch, SharedInformer};
    /// use client_rs_machinery::GroupVersionResource;
    /// # let source = MemoryListWatch::<PartialObjectMetadata>::new();
    ///
    /// let factory = InformerFactory::new();
    /// let pods = GroupVersionResource::new("", "v1", "pods");
    /// let informer = factory.for_resource(pods, |options| {
    ///     SharedInformer::with_options(source, options.with_name("pods.v1"))
    /// });
    /// assert_eq!(informer.name(), "pods.v1");
    /// assert!(factory.find("pods.v1").is_some());
    /// ```
    pub fn for_resource<K: Object>(
        &self,
        resource: GroupVersionResource,
        make: impl FnOnce(InformerOptions<K>) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        self.informer(Key { kind: TypeId::of::<K>(), resource: Some(resource) }, make)
    }

    /// Makes an informer with the namespaces and the tweak of the factory's options. `source` returns the
    /// source of one namespace, or with `None` that of all namespaces. Objects that are not `namespaced` use
    /// the latter.
    ///
    /// For the `make` of [`informer_for`](Self::informer_for) and [`for_resource`](Self::for_resource).
    pub fn make<K: Object>(
        &self,
        options: InformerOptions<K>,
        namespaced: bool,
        source: impl Fn(Option<&str>) -> Arc<dyn ListWatch<K>>,
    ) -> SharedInformer<K> {
        let own = &self.inner.options;
        let selected = own.namespaces_of::<K>();
        if !namespaced || selected.is_empty() {
            return SharedInformer::with_options(own.tweaked(source(None)), options);
        }
        let part = |namespace: &Str| (namespace.clone(), own.tweaked(source(Some(namespace))));
        SharedInformer::of_namespaces(selected.iter().map(part), options)
    }

    /// Returns the options of the factory.
    pub fn options(&self) -> &FactoryOptions {
        &self.inner.options
    }

    /// Starts the registered informers that have not started yet, on the current runtime. Call it again after
    /// more were requested. Does nothing once the factory is shut down.
    pub fn start(&self) {
        let mut state = self.lock();
        if state.shut_down {
            return;
        }
        for entry in state.informers.values_mut().filter(|entry| !entry.started) {
            entry.started = true;
            let (cancel, ended) = (entry.cancel.clone(), self.inner.ended.clone());
            entry.task = Some(self.inner.tasks.spawn(run(entry.informer.clone(), cancel, ended)));
        }
    }

    /// Returns an informer that was started and has stopped although the factory was not shut down, if there is
    /// one.
    pub fn failure(&self) -> Option<InformerFailed> {
        if self.inner.cancel.is_cancelled() {
            return None;
        }
        let state = self.lock();
        let started = state.order.iter().map(|key| &state.informers[key]).filter(|entry| entry.started);
        let ended = started.map(|entry| &entry.informer).find(|informer| informer.is_stopped())?;
        let error = ended.failure().unwrap_or(InformerError::Stopped);
        Some(InformerFailed { name: ended.sync_name().to_owned(), error })
    }

    /// Waits for a [`failure`](Self::failure), forever if none happens. Use it as a branch of `tokio::select!` in `main`.
    pub async fn failed(&self) -> InformerFailed {
        let mut ended = self.inner.ended.subscribe();
        loop {
            if let Some(failure) = self.failure() {
                return failure;
            }
            if ended.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits until every started informer has synced. Returns for each name whether it has. If the factory is
    /// shut down, it returns early.
    pub async fn wait_for_cache_sync(&self) -> BTreeMap<String, bool> {
        let started: Vec<_> = {
            let state = self.lock();
            let entries = state.order.iter().map(|key| &state.informers[key]);
            entries.filter(|entry| entry.started).map(|entry| entry.informer.clone()).collect()
        };
        let caches = started.iter().map(|informer| &**informer as &dyn HasSynced);
        let late = match wait_for_cache_sync(&self.inner.cancel, caches).await {
            Ok(()) => Vec::new(),
            Err(NotSynced { names }) => names,
        };
        let synced = |informer: &Arc<dyn AnyInformer>| {
            let name = informer.sync_name().to_owned();
            let synced = !late.contains(&name);
            (name, synced)
        };
        started.iter().map(synced).collect()
    }

    /// Stops all informers and waits until each has ended. No task of theirs remains, except handlers that do
    /// not return (see [`InformerOptions::handler_grace`](crate::InformerOptions::handler_grace)).
    pub async fn shutdown(&self) {
        self.lock().shut_down = true;
        self.inner.cancel.cancel();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    /// Returns the informer of a type if it was requested before.
    pub fn existing<K: Object>(&self) -> Option<SharedInformer<K>> {
        self.lock().known(&Key { kind: TypeId::of::<K>(), resource: None })
    }

    /// Removes the informer of a type: stops it, and waits until it has ended. Returns whether there was one.
    ///
    /// - The next request of the type makes a new informer with an empty cache.
    /// - Handles of the old one keep the last content of its cache, which is no longer updated; its handlers get nothing more.
    ///   So remove it after the controllers that use it have ended.
    /// - It is not a [`failure`](Self::failure) of the factory.
    /// - An informer that other code has started continues: that code stops it.
    /// - Cancellation: dropping the future does not change that the informer stops.
    pub async fn remove<K: Object>(&self) -> bool {
        self.remove_key(Key { kind: TypeId::of::<K>(), resource: None }).await
    }

    /// Removes the informer of a resource, as [`remove`](Self::remove) does that of a type.
    pub async fn remove_resource<K: Object>(&self, resource: GroupVersionResource) -> bool {
        self.remove_key(Key { kind: TypeId::of::<K>(), resource: Some(resource) }).await
    }

    async fn remove_key(&self, key: Key) -> bool {
        let removed = {
            let mut state = self.lock();
            state.order.retain(|known| *known != key);
            state.informers.remove(&key)
        };
        let Some(entry) = removed else { return false };
        entry.cancel.cancel();
        if let Some(task) = entry.task {
            // It catches panics of the informer; an error means that the runtime ends.
            let _ = task.await;
        }
        true
    }

    /// Returns the informer of this name if it was requested before; the first if there are several.
    pub fn find(&self, name: &str) -> Option<Arc<dyn AnyInformer>> {
        let state = self.lock();
        let mut informers = state.order.iter().map(|key| &state.informers[key].informer);
        informers.find(|informer| informer.sync_name() == name).cloned()
    }

    /// Returns the states of all informers, in the order of their first requests.
    pub fn state(&self) -> Vec<InformerState> {
        self.informers().iter().map(|informer| informer.state()).collect()
    }

    /// Returns all informers, in the order of their first requests.
    pub fn informers(&self) -> Vec<Arc<dyn AnyInformer>> {
        let state = self.lock();
        state.order.iter().map(|key| state.informers[key].informer.clone()).collect()
    }

    fn informer<K: Object>(
        &self,
        key: Key,
        make: impl FnOnce(InformerOptions<K>) -> SharedInformer<K>,
    ) -> SharedInformer<K> {
        if let Some(known) = self.lock().known(&key) {
            return known;
        }
        // Outside the lock: `make` may request other informers.
        let mut options = self.inner.options.informer_options();
        if let Some(metrics) = &self.inner.options.metrics {
            let resource = key.resource.as_ref().map(|resource| resource.resource.to_string());
            options.metrics = Some(metrics(resource.as_deref().unwrap_or(short_type_name::<K>())));
        }
        let informer = make(options);
        let mut state = self.lock();
        if let Some(known) = state.known(&key) {
            return known;
        }
        let entry = Entry {
            informer: Arc::new(informer.clone()),
            typed: Box::new(informer.clone()),
            started: false,
            cancel: self.inner.cancel.child_token(),
            task: None,
        };
        state.informers.insert(key.clone(), entry);
        state.order.push(key);
        informer
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs an informer until the factory is shut down, and notifies `ended` if it ends before.
async fn run(informer: Arc<dyn AnyInformer>, cancel: CancellationToken, ended: Arc<watch::Sender<()>>) {
    let running = async {
        if informer.run_any(cancel.clone()).await == Err(InformerError::AlreadyStarted) {
            // Other code started it, so that code stops it.
            tracing::warn!(
                informer = informer.sync_name(),
                "informer already runs, not started by the factory"
            );
        }
    };
    let watching = async {
        if cancel.run_until_cancelled(informer.stopped_any()).await.is_some() {
            ended.send_replace(());
        }
    };
    tokio::join!(running, watching);
}

impl Default for InformerFactory {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl fmt::Debug for InformerFactory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "InformerFactory({} informers)", self.lock().order.len())
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::meta::v1::PartialObjectMetadata;

    use super::*;
    use crate::fake_server::{FakeServer, ListFault};
    use crate::fixtures::TestObject;
    use crate::{HandlerFns, HandlerOptions};

    fn made(server: &FakeServer, name: &str) -> SharedInformer<TestObject> {
        let options =
            InformerOptions { name: Some(name.into()), watch_list: false, ..InformerOptions::default() };
        SharedInformer::with_options(server.clone(), options)
    }

    fn resource(plural: &str) -> GroupVersionResource {
        GroupVersionResource::new("test", "v1", plural)
    }

    #[tokio::test(start_paused = true)]
    async fn there_is_one_informer_per_type_for_any_number_of_requests() {
        let server = FakeServer::with(&["a"]);
        let options = FactoryOptions {
            resync_period: Duration::from_secs(30),
            resync_periods: HashMap::from([(TypeId::of::<PartialObjectMetadata>(), Duration::from_secs(5))]),
            ..FactoryOptions::default()
        };
        let factory = InformerFactory::with_options(options);
        let first = factory.informer_for(|options| {
            assert_eq!(options.resync_period, Duration::from_secs(30));
            made(&server, "first")
        });
        let second = factory.informer_for::<TestObject>(|_| unreachable!("there is one"));
        assert_eq!(second.name(), first.name());
        let source: Arc<dyn ListWatch<PartialObjectMetadata>> = Arc::new(crate::list_watch(
            |_| std::future::pending::<Result<crate::Page<PartialObjectMetadata>, _>>(),
            |_| std::future::pending::<Result<crate::WatchStream<PartialObjectMetadata>, _>>(),
        ));
        factory.informer_for(|options| {
            assert_eq!(options.resync_period, Duration::from_secs(5));
            SharedInformer::with_options(source, options)
        });
        let things = factory.for_resource(resource("things"), |_| made(&server, "things"));
        let others = factory.for_resource(resource("others"), |_| made(&server, "others"));
        factory.for_resource::<TestObject>(resource("things"), |_| unreachable!("there is one"));
        assert_ne!(things.name(), others.name());
        let names: Vec<_> = factory.state().into_iter().map(|state| state.name).collect();
        assert_eq!(names, ["first", "PartialObjectMetadata", "things", "others"]);
    }

    #[tokio::test(start_paused = true)]
    async fn starts_the_requested_informers_and_leaves_no_task_behind() {
        let tasks = || tokio::runtime::Handle::current().metrics().num_alive_tasks();
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        let one = factory.for_resource(resource("one"), |_| made(&server, "one"));
        one.add_handler(HandlerFns::new()).unwrap();
        factory.start();
        factory.start();
        assert_eq!(factory.wait_for_cache_sync().await, BTreeMap::from([("one".into(), true)]));
        let two = factory.for_resource(resource("two"), |_| made(&server, "two"));
        assert_eq!(factory.wait_for_cache_sync().await.len(), 1, "waits only for started informers");
        assert!(!two.has_started());
        factory.start();
        assert!(factory.wait_for_cache_sync().await.values().all(|synced| *synced));
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(server.requests().len(), 4, "each was started once");
        factory.shutdown().await;
        assert!(one.is_stopped() && two.is_stopped());
        assert_eq!((tasks(), server.open_watches()), (0, 0));
        let late = factory.for_resource(resource("late"), |_| made(&server, "late"));
        factory.start();
        factory.shutdown().await;
        assert!(!late.has_started());
    }

    #[tokio::test(start_paused = true)]
    async fn a_handler_of_any_type_gets_the_notifications_of_an_informer_of_one() {
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        factory.for_resource(resource("one"), |_| made(&server, "one"));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let log = seen.clone();
        let note = move |notification: &Notification<dyn Object>| {
            log.lock().unwrap().push(format!("{notification:?}"));
        };
        let informer = factory.find("one").unwrap();
        informer.add_any_handler(Arc::new(note), HandlerOptions::default()).unwrap();
        let names = Arc::new(Mutex::new(Vec::new()));
        let log = names.clone();
        let add = move |object: &Arc<dyn Object>, _| log.lock().unwrap().push(object.name().to_owned());
        let familiar = HandlerFns::<dyn Object>::new().on_add(add);
        informer.add_any_handler(Arc::new(familiar), HandlerOptions::default()).unwrap();
        factory.start();
        factory.wait_for_cache_sync().await;
        server.put("a", "new");
        server.delete("a");
        tokio::time::sleep(Duration::from_millis(1)).await;
        let expected = ["Added(ns/a@1, initial)", "Updated(ns/a@1→2)", "Deleted(ns/a@3)"];
        assert_eq!(*seen.lock().unwrap(), expected);
        assert_eq!(*names.lock().unwrap(), ["a"]);
        factory.shutdown().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_cache_that_never_syncs_is_reported_as_not_synced() {
        let server = FakeServer::with(&["a"]);
        server.list_fault(ListFault::Hangs);
        let factory = InformerFactory::default();
        factory.for_resource(resource("one"), |_| made(&server, "one"));
        factory.start();
        tokio::task::yield_now().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        factory.for_resource(resource("two"), |_| made(&server, "two"));
        factory.start();
        let stopping = factory.clone();
        let stop = async {
            tokio::time::sleep(Duration::from_mins(1)).await;
            stopping.shutdown().await;
        };
        let (synced, ()) = tokio::join!(factory.wait_for_cache_sync(), stop);
        assert_eq!(synced, BTreeMap::from([("one".into(), false), ("two".into(), true)]));
    }

    #[tokio::test(start_paused = true)]
    async fn namespaces_tweaks_and_transforms_apply_to_the_informers() {
        let server = FakeServer::default();
        for namespace in ["one", "two", "three", ""] {
            server.put_in(namespace, "a", "x");
        }
        let transform = Transform::edit(|object: &mut TestObject| object.data.push('!'));
        let factory = InformerFactory::with_options(FactoryOptions {
            namespaces: vec!["one".into(), "two".into()],
            tweak: Some(Arc::new(|options| options.label_selector = "app=web".into())),
            transforms: Transforms::default().with(transform),
            ..FactoryOptions::default()
        });
        let sources = |namespace: Option<&str>| -> Arc<dyn ListWatch<TestObject>> {
            Arc::new(namespace.map_or_else(|| server.clone(), |namespace| server.in_namespace(namespace)))
        };
        let some = factory.informer_for(|options| factory.make(options, true, sources));
        let all = factory.for_resource(resource("all"), |options| {
            factory.informer_for::<TestObject>(|_| unreachable!("another is requested while one is made"));
            factory.make(options, false, sources)
        });
        factory.start();
        factory.wait_for_cache_sync().await;
        let mut keys: Vec<_> = some.indexer().list_keys().iter().map(ToString::to_string).collect();
        keys.sort();
        assert_eq!(keys, ["one/a", "two/a"]);
        assert_eq!(all.indexer().len(), 4);
        assert!(all.indexer().list().iter().all(|object| object.data == "x!"));
        let selectors = server.selectors();
        assert!(!selectors.is_empty() && selectors.iter().all(|selector| selector == "app=web"));
        factory.shutdown().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_type_has_namespaces_selectors_transforms_and_indexes_of_its_own() {
        let server = FakeServer::default();
        for namespace in ["one", "two", "three"] {
            server.put_in(namespace, "a", "x");
        }
        let by_data = crate::Index::new("data", |object: &TestObject| Some(Str::from(object.data.as_str())));
        let own = KindOptions::<TestObject>::default()
            .with_namespaces(["three"])
            .with_label_selector("app=web")
            .with_field_selector("data=x")
            .with_transform(Transform::edit(|object: &mut TestObject| object.data.push('!')))
            .with_indexes([by_data.clone().into()])
            .with_resync_period(Duration::from_secs(7))
            .with_keep_managed_fields(true);
        let options = FactoryOptions::default()
            .with_namespaces(["one"])
            .with_resync_period(Duration::from_secs(30))
            .with_kind(own);
        let informer = options.informer_options::<TestObject>();
        assert_eq!((informer.resync_period.as_secs(), informer.keep_managed_fields), (7, true));
        let other = options.informer_options::<PartialObjectMetadata>();
        assert_eq!((other.resync_period.as_secs(), other.keep_managed_fields), (30, false));
        assert_eq!(options.namespaces_of::<PartialObjectMetadata>(), ["one"]);
        let everywhere = KindOptions::<PartialObjectMetadata>::default().with_all_namespaces(true);
        assert!(options.clone().with_kind(everywhere).namespaces_of::<PartialObjectMetadata>().is_empty());

        let factory = InformerFactory::with_options(options);
        let sources = |namespace: Option<&str>| -> Arc<dyn ListWatch<TestObject>> {
            Arc::new(namespace.map_or_else(|| server.clone(), |namespace| server.in_namespace(namespace)))
        };
        let informer = factory.informer_for(|options| factory.make(options, true, sources));
        factory.start();
        factory.wait_for_cache_sync().await;
        let keys: Vec<_> = informer.indexer().list_keys().iter().map(ToString::to_string).collect();
        assert_eq!(keys, ["three/a"]);
        assert_eq!(informer.indexer().by(&by_data, &"x!".into()).unwrap().len(), 1);
        let selectors = server.selectors();
        assert!(!selectors.is_empty() && selectors.iter().all(|selector| selector == "app=web"));
        factory.shutdown().await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_removed_informer_has_ended_and_is_made_again_by_the_next_request() {
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        let first = factory.informer_for(|_| made(&server, "first"));
        let other = factory.for_resource(resource("other"), |_| made(&server, "other"));
        assert!(factory.existing::<TestObject>().is_some());
        factory.start();
        factory.wait_for_cache_sync().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(factory.remove::<TestObject>().await);
        assert!(first.is_stopped() && !other.is_stopped());
        assert_eq!(first.indexer().len(), 1, "the last content stays readable");
        assert!(factory.existing::<TestObject>().is_none() && factory.find("first").is_none());
        assert_eq!((factory.failure(), server.open_watches()), (None, 1));
        assert!(!factory.remove::<TestObject>().await, "it is removed once");
        let again = factory.informer_for(|_| made(&server, "again"));
        factory.start();
        factory.wait_for_cache_sync().await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!((again.indexer().len(), server.open_watches()), (1, 2));
        assert!(factory.remove_resource::<TestObject>(resource("other")).await);
        // One that was requested and not started.
        factory.for_resource(resource("late"), |_| made(&server, "late"));
        assert!(factory.remove_resource::<TestObject>(resource("late")).await);
        assert_eq!(server.open_watches(), 1);
        factory.shutdown().await;
    }

    #[tokio::test(start_paused = true)]
    async fn dropping_the_factory_stops_its_informers() {
        let server = FakeServer::with(&["a"]);
        let factory = InformerFactory::default();
        let informer = factory.informer_for(|_| made(&server, "one"));
        factory.start();
        factory.wait_for_cache_sync().await;
        drop(factory);
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert!(informer.is_stopped());
    }
}
