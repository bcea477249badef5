//! [`ListWatch`]: the source of objects.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::pool::Pool;
use client_rs_machinery::wire::{DecodeError, ListSummary, WatchEvent};
use client_rs_machinery::{ApiError, Object, ObjectKey, Str};
use futures_core::Stream;
pub use futures_core::future::BoxFuture;

use crate::store::Stored;
use crate::{Collection, FetchError};

/// An open watch. Its end without an error is a clean end by the server; an error also ends it. Dropping it
/// ends the request.
///
/// An event of an unknown type is an error: its meaning for the collection is unknown too.
pub type WatchStream<K> =
    Pin<Box<dyn Stream<Item = Result<WatchEvent<Incoming<K>, ApiError>, FetchError>> + Send>>;

/// Receives the items of a list, in order, as they arrive.
pub type ItemSink<'a, K> = &'a mut (dyn FnMut(Incoming<K>) + Send);

/// Lists objects and watches their changes: the part of a client that a reflector needs.
///
/// `RestListWatch` of `client-rs-informers` implements it over a client.
/// [`MemoryListWatch`](crate::MemoryListWatch) is a collection in memory for tests. [`list_watch`] makes one
/// from two closures. Implement the trait yourself to feed informers from another source:
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
/// use client_rs_cache::{BoxFuture, FetchContext, FetchError, Incoming, ItemSink, ListWatch, SharedInformer, WatchStream};
/// use client_rs_machinery::{meta::v1::ListOptions, wire::ListSummary};
///
/// /// A collection that never changes.
/// struct Fixed(Vec<PartialObjectMetadata>);
///
/// impl ListWatch<PartialObjectMetadata> for Fixed {
///     fn list<'a>(
///         &'a self,
///         _options: ListOptions,
///         _cx: &'a FetchContext<PartialObjectMetadata>,
///         items: ItemSink<'a, PartialObjectMetadata>,
///     ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
///         self.0.iter().cloned().map(Incoming::Object).for_each(items);
///         let summary = ListSummary { resource_version: "1".into(), ..ListSummary::default() };
///         Box::pin(async { Ok(summary) })
///     }
///
///     fn watch<'a>(
///         &'a self,
///         _options: ListOptions,
///         _cx: &'a FetchContext<PartialObjectMetadata>,
///     ) -> BoxFuture<'a, Result<WatchStream<PartialObjectMetadata>, FetchError>> {
///         Box::pin(std::future::pending())
///     }
///
///     fn supports_watch_list(&self) -> bool {
///         false
///     }
/// }
///
/// let informer = SharedInformer::new(Fixed(vec![pod("web", 1)]));
/// let running = informer.spawn();
/// informer.synced().await;
/// assert_eq!(informer.indexer().len(), 1);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
///
/// - **Order**: items of a list and events of a watch come in the order of the wire.
/// - **Cancellation**: dropping a future or a stream ends its request at once.
/// - **Retries**: an implementation does not retry a list or a watch that failed; the reflector decides that.
///   (It may wait for a `Retry-After` of the server before it answers.)
/// - **Memory**: items go to the sink one by one, so that a list is never in memory as a whole in addition to
///   its objects.
pub trait ListWatch<K: Object>: Send + Sync + 'static {
    /// Lists one page, item by item. The reflector discards the items of a list that ends with an error.
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>>;

    /// Opens a watch. `options.watch` is already set.
    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>>;

    /// Returns whether the source supports a list as a stream of watch events. With `false` the reflector does
    /// not try. A server that does not support it is detected without this. Default: true.
    fn supports_watch_list(&self) -> bool {
        true
    }

    /// Returns the objects that the source lists, and their server. A controller needs it to recognize the process's own writes in
    /// its caches. Default: `None`, for a source that is not a server or has no log of writes.
    fn collection(&self) -> Option<Collection> {
        None
    }
}

/// An object from a source.
#[derive(Clone, Debug)]
pub enum Incoming<K> {
    /// A decoded object.
    Object(K),
    /// The cached object: it has the version that the server sent, so it was not decoded again.
    Cached(Stored<K>),
    /// An object that exists on the server and does not decode.
    Undecodable(Undecodable),
}

/// An object that does not decode: the fields that could be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Namespace and name. The name is empty if it could not be read.
    pub key: ObjectKey,
    /// Its version, if it could be read.
    pub resource_version: Str,
    /// The decode error.
    pub error: DecodeError,
}

/// Finds cached objects, so that a source need not decode unchanged ones.
pub trait Cached<K>: Send + Sync {
    /// Returns the cached object of this name, if it has this UID and this version. Both count: a server that
    /// was restored from a backup reuses versions, and the name may belong to another object.
    fn at_version(&self, namespace: &str, name: &str, uid: &str, resource_version: &str)
    -> Option<Stored<K>>;

    /// Returns whether there is no object at all, so that a source need not look at names and versions. Default: false.
    fn is_empty(&self) -> bool {
        false
    }
}

/// Passed to a source with each request: how to decode objects, and which of them the cache already has.
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
/// use std::sync::Arc;
/// use client_rs_cache::{FetchContext, Indexer};
///
/// let (mut writer, indexer) = Indexer::new();
/// writer.add(pod("web", 7))?;
/// let cx = FetchContext::default().sharing(Arc::new(indexer));
/// assert!(cx.strip_managed_fields);
/// assert!(cx.cached("default", "web", "", "7").is_some());
/// assert!(cx.cached("default", "web", "", "8").is_none(), "the server has a newer one: decode it");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FetchContext<K> {
    /// Leave out `metadata.managedFields`. Default: true.
    pub strip_managed_fields: bool,
    /// Shares equal parts of objects. Default: unset.
    pub pool: Option<Arc<Pool>>,
    cached: Option<Arc<dyn Cached<K>>>,
}

impl<K> FetchContext<K> {
    /// Sets the cache to share objects with.
    #[must_use]
    pub fn sharing(self, cached: Arc<dyn Cached<K>>) -> Self {
        Self { cached: Some(cached), ..self }
    }

    /// Removes the cache: every object is decoded.
    #[must_use]
    pub(crate) fn unshared(self) -> Self {
        Self { cached: None, ..self }
    }

    /// Whether [`cached`](Self::cached) may find something.
    pub fn may_be_cached(&self) -> bool {
        self.cached.as_ref().is_some_and(|cached| !cached.is_empty())
    }

    /// Returns the cached object of this name if it has this UID and this version. The source passes it on as
    /// [`Incoming::Cached`]. Call it with the fields that [`Peek`](client_rs_machinery::wire::Peek) reads.
    pub fn cached(
        &self,
        namespace: &str,
        name: &str,
        uid: &str,
        resource_version: &str,
    ) -> Option<Stored<K>> {
        if resource_version.is_empty() {
            return None;
        }
        self.cached.as_ref()?.at_version(namespace, name, uid, resource_version)
    }
}

impl<K> Default for FetchContext<K> {
    fn default() -> Self {
        Self { strip_managed_fields: true, pool: None, cached: None }
    }
}

impl<K> Clone for FetchContext<K> {
    fn clone(&self) -> Self {
        Self {
            strip_managed_fields: self.strip_managed_fields,
            pool: self.pool.clone(),
            cached: self.cached.clone(),
        }
    }
}

impl<K> fmt::Debug for FetchContext<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FetchContext")
            .field("strip_managed_fields", &self.strip_managed_fields)
            .field("pool", &self.pool.is_some())
            .finish_non_exhaustive()
    }
}

impl<K: Object, L: ListWatch<K> + ?Sized> ListWatch<K> for Arc<L> {
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        (**self).list(options, cx, items)
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        (**self).watch(options, cx)
    }

    fn supports_watch_list(&self) -> bool {
        (**self).supports_watch_list()
    }

    fn collection(&self) -> Option<Collection> {
        (**self).collection()
    }
}

/// One page of a list, for sources that have it as a whole; see [`list_watch`].
#[derive(Clone, Debug)]
pub struct Page<K> {
    /// The items.
    pub items: Vec<K>,
    /// The version of the list.
    pub resource_version: Str,
    /// The token of the next page; empty on the last page.
    pub continue_token: Str,
}

/// A [`ListWatch`] from two closures; see [`list_watch`].
///
/// The reflector tries streamed lists unless [`without_watch_list`](Self::without_watch_list) was called.
#[derive(Clone, Debug)]
pub struct ListWatchFns<L, W> {
    list: L,
    watch: W,
    watch_list: bool,
}

/// Makes a [`ListWatch`] from two async closures: one returns a page, the other opens a watch.
///
/// For tests with a collection that changes, [`MemoryListWatch`](crate::MemoryListWatch) is simpler.
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
/// use client_rs_cache::{FetchError, Page, SharedInformer, WatchStream, list_watch};
///
/// let source = list_watch(
///     |_options| async {
///         let items = vec![pod("web", 1)];
///         Ok(Page { items, resource_version: "1".into(), continue_token: "".into() })
///     },
///     |_options| std::future::pending::<Result<WatchStream<PartialObjectMetadata>, FetchError>>(),
/// )
/// .without_watch_list();
///
/// let informer = SharedInformer::new(source);
/// let running = informer.spawn();
/// assert!(informer.synced().await);
/// assert_eq!(informer.indexer().len(), 1);
/// running.shutdown().await?;
/// # Ok(())
/// # }
/// ```
pub fn list_watch<K, L, LF, W, WF>(list: L, watch: W) -> ListWatchFns<L, W>
where
    K: Object,
    L: Fn(ListOptions) -> LF + Send + Sync + 'static,
    LF: Future<Output = Result<Page<K>, FetchError>> + Send + 'static,
    W: Fn(ListOptions) -> WF + Send + Sync + 'static,
    WF: Future<Output = Result<WatchStream<K>, FetchError>> + Send + 'static,
{
    ListWatchFns { list, watch, watch_list: true }
}

impl<L, W> ListWatchFns<L, W> {
    /// Declares that the source does not support a list as a stream of watch events.
    #[must_use]
    pub fn without_watch_list(mut self) -> Self {
        self.watch_list = false;
        self
    }
}

impl<K, L, LF, W, WF> ListWatch<K> for ListWatchFns<L, W>
where
    K: Object,
    L: Fn(ListOptions) -> LF + Send + Sync + 'static,
    LF: Future<Output = Result<Page<K>, FetchError>> + Send + 'static,
    W: Fn(ListOptions) -> WF + Send + Sync + 'static,
    WF: Future<Output = Result<WatchStream<K>, FetchError>> + Send + 'static,
{
    fn list<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        let page = (self.list)(options);
        Box::pin(async move {
            let page = page.await?;
            let count = page.items.len();
            page.items.into_iter().map(Incoming::Object).for_each(items);
            Ok(ListSummary {
                resource_version: page.resource_version,
                continue_token: page.continue_token,
                items: count,
                ..ListSummary::default()
            })
        })
    }

    fn watch<'a>(
        &'a self,
        options: ListOptions,
        _: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        Box::pin((self.watch)(options))
    }

    fn supports_watch_list(&self) -> bool {
        self.watch_list
    }
}

/// A [`ListWatch`] whose requests a function adjusts first: selectors, a shard, any other option.
#[derive(Clone, Debug)]
pub struct Tweaked<L, F> {
    inner: L,
    tweak: F,
}

impl<L, F> Tweaked<L, F> {
    /// Adjusts every request of `inner`. The function runs last, so it can overwrite everything. On a watch
    /// `options.watch` is true.
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
    /// use client_rs_cache::{FetchContext, ListWatch, MemoryListWatch, Tweaked};
    /// use client_rs_machinery::meta::v1::ListOptions;
    ///
    /// let pods: MemoryListWatch<_> = [pod("web", 1)].into_iter().collect();
    /// let selected = Tweaked::new(pods, |options: &mut ListOptions| options.label_selector = "app=web".into());
    /// let mut items = 0;
    /// selected.list(ListOptions::default(), &FetchContext::default(), &mut |_| items += 1).await?;
    /// assert_eq!(items, 1, "a collection in memory ignores selectors; a server would not");
    /// # Ok(())
    /// # }
    /// ```
    pub fn new(inner: L, tweak: F) -> Self {
        Self { inner, tweak }
    }
}

impl<K, L, F> ListWatch<K> for Tweaked<L, F>
where
    K: Object,
    L: ListWatch<K>,
    F: Fn(&mut ListOptions) + Send + Sync + 'static,
{
    fn list<'a>(
        &'a self,
        mut options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>> {
        (self.tweak)(&mut options);
        self.inner.list(options, cx, items)
    }

    fn watch<'a>(
        &'a self,
        mut options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>> {
        (self.tweak)(&mut options);
        self.inner.watch(options, cx)
    }

    fn supports_watch_list(&self) -> bool {
        self.inner.supports_watch_list()
    }

    fn collection(&self) -> Option<Collection> {
        Some(self.inner.collection()?.tweaked(&self.tweak))
    }
}
