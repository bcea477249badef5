//! The options of a reflector.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use client_rs_machinery::{GroupVersionKind, Object};

use super::{ConsistencyCheck, ExponentialBackoff, RetryBackoff};
use crate::metrics::InformerMetrics;
use crate::{Coverage, FetchContext, FetchError, Random};

/// Called with the errors of lists and watches. It must be quick.
pub type WatchErrorHandler = Arc<dyn Fn(&FetchError) + Send + Sync>;

/// Returns whether to resync; called once per period.
pub type ShouldResync = Box<dyn FnMut(std::time::Instant) -> bool + Send>;

client_rs_machinery::options! {
    /// The options of a [`Reflector`](super::Reflector).
    ///
    /// ```
    /// use std::time::Duration;
    /// use client_rs_cache::Coverage;
    /// use client_rs_cache::reflector::ReflectorOptions;
    /// use client_rs_machinery::Unstructured;
    ///
    /// let options = ReflectorOptions::<Unstructured>::default()
    ///     .with_name("widgets of shop")
    ///     .with_coverage(Coverage::Namespace("shop".into()))
    ///     .with_page_size(500);
    /// assert_eq!(options.min_watch_timeout, Duration::from_secs(300));
    /// assert!(options.resync_period.is_none());
    /// ```
    pub struct ReflectorOptions<K> {
        /// The name in logs. Default: the kind.
        pub name: Option<String> => with_name,
        /// The part of the collection to list and watch. Default: all.
        pub coverage: Coverage => with_coverage,
        /// Try to get the list as a stream of watch events, if source and server support it. Default: the
        /// feature gate `WatchListClient`, which is on.
        pub watch_list: bool => with_watch_list,
        /// The number of items per page of a list. Zero: 500 if the server cannot serve the list from its watch
        /// cache, else all items at once. Default: 0.
        pub page_size: i64 => with_page_size,
        /// The minimum duration to request for a watch; up to twice as long at random. Values below five
        /// minutes count as five minutes. Default: 5 min.
        pub min_watch_timeout: Duration => with_min_watch_timeout,
        /// How long watches that end with an internal error are reopened at once, without a relist. Default:
        /// zero, never.
        pub max_internal_error_retry: Duration => with_max_internal_error_retry,
        /// The resync period: how often the queue hands out all objects again. Default: `None`, never.
        pub resync_period: Option<Duration> => with_resync_period,
        /// Called before each resync; false skips it. Default: unset, never skipped.
        pub should_resync: Option<ShouldResync> => with_should_resync,
        /// The waits between attempts. Default: 800 ms doubling to 30 s, plus up to the same at random.
        pub backoff: Box<dyn RetryBackoff> => with_backoff,
        /// The randomness for watch timeouts. Default: differs from process to process.
        pub random: Random => with_random,
        /// The expected kind: objects of another kind are skipped. For dynamic objects. Default: `None`, any.
        pub expected_kind: Option<GroupVersionKind> => with_expected_kind,
        /// Called with the errors of lists and watches. Default: logs them.
        pub on_error: Option<WatchErrorHandler> => with_on_error,
        /// Compares streamed lists with plain ones. Default: unset, unless the environment turns it on (see
        /// [`ConsistencyCheck::is_in_environment`]).
        pub consistency_check: Option<ConsistencyCheck<K>> => with_consistency_check,
        /// How objects are decoded.
        pub fetch: FetchContext<K> => with_fetch,
        /// Counts what the reflector does. Default: unset.
        pub metrics: Option<Arc<dyn InformerMetrics>> => with_metrics,
    }
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
