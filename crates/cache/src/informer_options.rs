//! How a shared informer is made.

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

/// How a [`SharedInformer`](crate::SharedInformer) is made.
pub struct InformerOptions<K> {
    /// What it is called in logs, metrics and the state dump. Default: the kind.
    pub name: Option<String>,
    /// How often handlers that don't say otherwise get everything again, and how often it is looked
    /// whether one is due. Zero: never, and then no handler can have it otherwise. Default: zero.
    pub resync_period: Duration,
    /// What objects are found by, besides their key and namespace. Default: nothing more.
    pub indexes: Vec<IndexFunction<K>>,
    /// How objects are kept in the cache. Default: decoded.
    pub layout: Layout<K>,
    /// What every object passes before anyone sees it. Default: nothing.
    pub transform: Option<Transform<K>>,
    /// Keep `metadata.managedFields`, often a third of an object. Default: false.
    pub keep_managed_fields: bool,
    /// Shares what objects have in common; one pool an informer, since a decode locks it. Default: a pool of its
    /// own.
    pub pool: Option<Arc<Pool>>,
    /// Gets errors of lists and watches. Default: logs them.
    pub on_error: Option<WatchErrorHandler>,
    /// See [`ReflectorOptions::watch_list`].
    pub watch_list: bool,
    /// See [`ReflectorOptions::page_size`]. Default: 0.
    pub page_size: i64,
    /// See [`ReflectorOptions::min_watch_timeout`]. Default: 5 min.
    pub min_watch_timeout: Duration,
    /// See [`ReflectorOptions::max_internal_error_retry`]. Default: zero.
    pub max_internal_error_retry: Duration,
    /// Makes the backoff of each reflector. Default: [`ExponentialBackoff`].
    pub backoff: Arc<dyn Fn() -> Box<dyn RetryBackoff> + Send + Sync>,
    /// See [`ReflectorOptions::expected_kind`]. Default: `None`.
    pub expected_kind: Option<GroupVersionKind>,
    /// See [`ReflectorOptions::consistency_check`].
    pub consistency_check: Option<ConsistencyCheck<K>>,
    /// Default: none.
    pub metrics: Option<Arc<dyn InformerMetrics>>,
    /// How long the end of [`SharedInformer::run`](crate::SharedInformer::run) waits for handlers that are in the middle of something.
    /// One that takes longer is left to itself. Default: 30 s.
    pub handler_grace: Duration,
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
