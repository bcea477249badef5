//! The options of a shared informer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::pool::Pool;
use client_rs_machinery::{GroupVersionKind, Object};

use crate::Transform;
use crate::metrics::InformerMetrics;
use crate::reflector::{
    ConsistencyCheck, ExponentialBackoff, ReflectorOptions, RetryBackoff, WatchErrorHandler,
};
use crate::store::{IndexFunction, Layout};

client_rs_machinery::options! {
    /// The options of a [`SharedInformer`](crate::SharedInformer).
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_cache::{InformerOptions, Transform};
    /// use client_rs_machinery::meta::v1::PartialObjectMetadata;
    ///
    /// let options = InformerOptions::<PartialObjectMetadata>::default()
    ///     .with_name("pods")
    ///     .with_resync_period(Duration::from_secs(600))
    ///     .with_transform(Transform::edit(|pod: &mut PartialObjectMetadata| {
    ///         pod.metadata.annotations = Default::default();
    ///     }));
    /// assert_eq!(options.name.as_deref(), Some("pods"));
    /// assert!(!options.keep_managed_fields);
    /// ```
    pub struct InformerOptions<K> {
        /// The name in logs, metrics and the state dump. Default: the kind.
        pub name: Option<String> => with_name,
        /// The resync period of handlers without one of their own: how often they get all objects again. It is
        /// also the period of the checks whether a handler is due. Zero: never, for all handlers. Default:
        /// zero.
        pub resync_period: Duration => with_resync_period,
        /// The indexes, in addition to key and namespace. Default: empty.
        pub indexes: Vec<IndexFunction<K>> => with_indexes,
        /// How the cache keeps objects. Default: decoded.
        pub layout: Layout<K> => with_layout,
        /// Applied to every object before it reaches the cache. Default: unset.
        pub transform: Option<Transform<K>> => with_transform,
        /// Keep `metadata.managedFields`, often a third of an object. Default: false.
        pub keep_managed_fields: bool => with_keep_managed_fields,
        /// Shares equal parts of objects. Use one pool per informer, because decoding locks it; or one for the informers of a kind in several
        /// clusters, which have much in common ([`Pools`](crate::Pools)). Default: a pool of its own.
        pub pool: Option<Arc<Pool>> => with_pool,
        /// Called with errors of lists and watches. Default: logs them.
        pub on_error: Option<WatchErrorHandler> => with_on_error,
        /// See [`ReflectorOptions::watch_list`].
        pub watch_list: bool => with_watch_list,
        /// See [`ReflectorOptions::page_size`]. Default: 0.
        pub page_size: i64 => with_page_size,
        /// See [`ReflectorOptions::min_watch_timeout`]. Default: 5 min.
        pub min_watch_timeout: Duration => with_min_watch_timeout,
        /// See [`ReflectorOptions::max_internal_error_retry`]. Default: zero.
        pub max_internal_error_retry: Duration => with_max_internal_error_retry,
        /// Makes the backoff of each reflector. Default: [`ExponentialBackoff`].
        pub backoff: Arc<dyn Fn() -> Box<dyn RetryBackoff> + Send + Sync> => with_backoff,
        /// See [`ReflectorOptions::expected_kind`]. Default: `None`.
        pub expected_kind: Option<GroupVersionKind> => with_expected_kind,
        /// See [`ReflectorOptions::consistency_check`].
        pub consistency_check: Option<ConsistencyCheck<K>> => with_consistency_check,
        /// Counts what the informer does. Default: unset.
        pub metrics: Option<Arc<dyn InformerMetrics>> => with_metrics,
        /// How long the end of [`SharedInformer::run`](crate::SharedInformer::run) waits for handlers that are
        /// in a call. After that it ends without them. Default: 30 s.
        pub handler_grace: Duration => with_handler_grace,
    }
}

impl<K: Object> Default for InformerOptions<K> {
    fn default() -> Self {
        let reflector = ReflectorOptions::default();
        Self {
            name: None,
            resync_period: Duration::ZERO,
            indexes: Vec::new(),
            layout: Layout::default(),
            transform: None,
            keep_managed_fields: false,
            pool: Some(Arc::default()),
            on_error: None,
            watch_list: reflector.watch_list,
            page_size: reflector.page_size,
            min_watch_timeout: reflector.min_watch_timeout,
            max_internal_error_retry: reflector.max_internal_error_retry,
            backoff: Arc::new(|| Box::new(ExponentialBackoff::default())),
            expected_kind: None,
            consistency_check: reflector.consistency_check,
            metrics: None,
            handler_grace: Duration::from_secs(30),
        }
    }
}

impl<K> fmt::Debug for InformerOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerOptions")
            .field("name", &self.name)
            .field("resync_period", &self.resync_period)
            .finish_non_exhaustive()
    }
}
