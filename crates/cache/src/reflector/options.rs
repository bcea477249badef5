//! How a reflector is made.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::{GroupVersionKind, Object};

use super::{ConsistencyCheck, ExponentialBackoff, RetryBackoff};
use crate::metrics::InformerMetrics;
use crate::{Coverage, FetchContext, FetchError, Random};

/// Gets errors of lists and watches that end a round; must be quick.
pub type WatchErrorHandler = Arc<dyn Fn(&FetchError) + Send + Sync>;

/// Says whether it is time to resync; asked once a period.
pub type ShouldResync = Box<dyn FnMut(std::time::Instant) -> bool + Send>;

/// How a [`Reflector`](super::Reflector) is made.
pub struct ReflectorOptions<K> {
    /// What it is called in logs. Default: the kind.
    pub name: Option<String>,
    /// The part of the collection that is listed and watched. Default: all of it.
    pub coverage: Coverage,
    /// Try to have the list as a stream of watch events, where source and server can. Default: as the feature
    /// gate `WatchListClient` says, which is on.
    pub watch_list: bool,
    /// Items a page of a list. 0: 500 where the list can't come from the server's watch cache, else all at
    /// once. Default: 0.
    pub page_size: i64,
    /// The least time that is asked for a watch; up to twice as long at random. What is below five minutes is
    /// five minutes. Default: 5 min.
    pub min_watch_timeout: Duration,
    /// For how long watches that end with an internal error are opened again at once, without a new list.
    /// Default: zero, never.
    pub max_internal_error_retry: Duration,
    /// How often the queue is asked to hand out everything again. Default: `None`, never.
    pub resync_period: Option<Duration>,
    /// Asked each time whether to. Default: yes.
    pub should_resync: Option<ShouldResync>,
    /// The waits between attempts. Default: 800 ms to 30 s, doubling, plus up to as much at random.
    pub backoff: Box<dyn RetryBackoff>,
    /// For watch timeouts. Default: the process's own.
    pub random: Random,
    /// Events and objects of another kind are passed over: for dynamic objects. Default: `None`, any.
    pub expected_kind: Option<GroupVersionKind>,
    /// Gets errors that end a round. Default: logs them.
    pub on_error: Option<WatchErrorHandler>,
    /// Compares streamed lists with plain ones. Default: none, unless the environment asks for it (see
    /// [`ConsistencyCheck::is_in_environment`]).
    pub consistency_check: Option<ConsistencyCheck<K>>,
    /// How objects are decoded.
    pub fetch: FetchContext<K>,
    /// Default: none.
    pub metrics: Option<Arc<dyn InformerMetrics>>,
}

impl<K: Object> Default for ReflectorOptions<K> {
    fn default() -> Self {
        use client_rs_machinery::features::{Feature, FeatureGates};
        Self {
            name: None,
            coverage: Coverage::All,
            watch_list: FeatureGates::global().enabled(Feature::WatchListClient),
            page_size: 0,
            min_watch_timeout: Duration::from_mins(5),
            max_internal_error_retry: Duration::ZERO,
            resync_period: None,
            should_resync: None,
            backoff: Box::new(ExponentialBackoff::default()),
            random: Random::default(),
            expected_kind: None,
            on_error: None,
            consistency_check: ConsistencyCheck::<K>::is_in_environment().then(ConsistencyCheck::of_versions),
            fetch: FetchContext::default(),
            metrics: None,
        }
    }
}

impl<K> fmt::Debug for ReflectorOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReflectorOptions")
            .field("name", &self.name)
            .field("coverage", &self.coverage)
            .field("watch_list", &self.watch_list)
            .field("page_size", &self.page_size)
            .field("resync_period", &self.resync_period)
            .finish_non_exhaustive()
    }
}
