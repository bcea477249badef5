//! [`ListWatch`]: where objects come from.

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

use crate::FetchError;
use crate::store::Stored;

/// An open watch. Its end without an error is the server's clean end; an error ends it too. Dropping it ends
/// the request.
///
/// An event of a type that is not known is an error: who decodes it can't say what it means for the collection.
pub type WatchStream<K> =
    Pin<Box<dyn Stream<Item = Result<WatchEvent<Incoming<K>, ApiError>, FetchError>> + Send>>;

/// Takes a list's items, in order, as they arrive.
pub type ItemSink<'a, K> = &'a mut (dyn FnMut(Incoming<K>) + Send);

/// Lists objects and watches them change: what a reflector needs of a client.
///
/// - Order: a list's items and a watch's events are given in the order of the wire.
/// - Cancellation: dropping a future or a stream ends the request behind it, at once.
/// - Retries: none of a watch or a list that failed; the reflector decides on those. (A client's own wait for
///   `Retry-After` before it answers is fine.)
/// - Memory: items go to the sink one by one, so that a list is never in memory as a whole next to the objects
///   made from it.
pub trait ListWatch<K: Object>: Send + Sync + 'static {
    /// Lists one page, item by item; the items before an error count for nothing.
    fn list<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
        items: ItemSink<'a, K>,
    ) -> BoxFuture<'a, Result<ListSummary, FetchError>>;

    /// Opens a watch. `options.watch` is set already.
    fn watch<'a>(
        &'a self,
        options: ListOptions,
        cx: &'a FetchContext<K>,
    ) -> BoxFuture<'a, Result<WatchStream<K>, FetchError>>;

    /// Can the list come as a stream of watch events? What answers no is spared the attempt; a server that
    /// can't is found out by itself. Default: yes.
    fn supports_watch_list(&self) -> bool {
        true
    }
}

/// An object on its way in.
#[derive(Clone, Debug)]
pub enum Incoming<K> {
    /// Decoded just now.
    Object(K),
    /// The cached object: it has the version that was sent, so it was not decoded again.
    Cached(Stored<K>),
    /// There, but it doesn't decode.
    Undecodable(Undecodable),
}

/// An object that doesn't decode: all that is known of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecodable {
    /// Namespace and name; the name is empty where even that can't be read.
    pub key: ObjectKey,
    /// Its version, where one can be read.
    pub resource_version: Str,
    /// Why it doesn't decode.
    pub error: DecodeError,
}

/// Finds cached objects, so that what is unchanged need not be decoded.
pub trait Cached<K>: Send + Sync {
    /// The cached object of this name, if it has this UID and this very version. A server that was restored from a
    /// backup uses versions again, and another object may have come under the name.
    fn at_version(&self, namespace: &str, name: &str, uid: &str, resource_version: &str)
    -> Option<Stored<K>>;
}

/// How objects are to be decoded, and what is there already.
pub struct FetchContext<K> {
    /// Leave out `metadata.managedFields`. Default: true.
    pub strip_managed_fields: bool,
    /// Shares what objects have in common. Default: none.
    pub pool: Option<Arc<Pool>>,
    cached: Option<Arc<dyn Cached<K>>>,
}

impl<K> FetchContext<K> {
    /// The same, with this cache to share objects with.
    #[must_use]
    pub fn sharing(self, cached: Arc<dyn Cached<K>>) -> Self {
        Self { cached: Some(cached), ..self }
    }

    /// The same, without a cache: every object is decoded.
    #[must_use]
    pub(crate) fn unshared(self) -> Self {
        Self { cached: None, ..self }
    }

    /// The cached object of this name, if it has this UID and this very version: to be given as
    /// [`Incoming::Cached`]. Ask with what [`Peek`](client_rs_machinery::wire::Peek) sees.
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
}

/// A whole page of a list, for sources that have it at hand.
#[derive(Clone, Debug)]
pub struct Page<K> {
    /// The items.
    pub items: Vec<K>,
    /// The list's version.
    pub resource_version: Str,
    /// The token of the next page; empty on the last.
    pub continue_token: Str,
}

/// A [`ListWatch`] from two closures.
///
/// Watch-lists are tried unless [`without_watch_list`](Self::without_watch_list) says that the source can't.
#[derive(Clone, Debug)]
pub struct ListWatchFns<L, W> {
    list: L,
    watch: W,
    watch_list: bool,
}

/// A [`ListWatch`] from two async closures: one gives a page, the other opens a watch.
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
    /// Says that lists can't come as a stream of watch events.
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

/// A [`ListWatch`] whose requests a function adjusts first: selectors, a shard, whatever the server takes.
#[derive(Clone, Debug)]
pub struct Tweaked<L, F> {
    inner: L,
    tweak: F,
}

impl<L, F> Tweaked<L, F> {
    /// Adjusts every request of `inner`. The function runs last, so it can overwrite anything; on a watch
    /// `options.watch` is true.
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
}
