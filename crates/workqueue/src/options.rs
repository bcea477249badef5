//! What a queue can be asked to do, and each add.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use crate::limiter::{MaxOf, RateLimiter};
use crate::metrics::QueueMetrics;

/// The priority for what is known from an initial list: below live events, which have zero.
pub const INITIAL_LIST_PRIORITY: i32 = -100;

/// What a [`WorkQueue`](crate::WorkQueue) does beyond first in, first out.
///
/// Everything here composes, and what is off costs nothing. The default is a plain queue with the limiter
/// that controllers use.
#[non_exhaustive]
pub struct QueueOptions<K> {
    /// Highest priority first. Default: off, and every add has the same priority.
    pub priority: Option<Priority>,
    /// Turns among tenants; inside each priority when both are on. Default: off.
    pub fairness: Option<Fairness<K>>,
    /// How long `add_rate_limited` waits. Default: [`MaxOf::controller_default`], client-go's. It holds
    /// nothing until the first rate-limited add.
    pub limiter: Arc<dyn RateLimiter<K>>,
    /// Where the queue's seven metrics go. Default: nowhere, and no times are taken.
    pub metrics: Option<Arc<dyn QueueMetrics>>,
    /// How often unfinished work and the longest run are reported. Default: 500 ms. Needs a tokio runtime
    /// where the queue is made; without one, call
    /// [`refresh_metrics`](crate::WorkQueue::refresh_metrics). Zero turns it off.
    pub metrics_period: Duration,
}

impl<K> QueueOptions<K> {
    /// Sets [`priority`](Self::priority).
    #[must_use]
    pub fn with_priority(mut self, priority: Priority) -> Self {
        self.priority = Some(priority);
        self
    }

    /// Sets [`fairness`](Self::fairness).
    #[must_use]
    pub fn with_fairness(mut self, fairness: Fairness<K>) -> Self {
        self.fairness = Some(fairness);
        self
    }

    /// Sets [`limiter`](Self::limiter).
    #[must_use]
    pub fn with_limiter(mut self, limiter: Arc<dyn RateLimiter<K>>) -> Self {
        self.limiter = limiter;
        self
    }

    /// Sets [`metrics`](Self::metrics).
    #[must_use]
    pub fn with_metrics(mut self, metrics: Arc<dyn QueueMetrics>) -> Self {
        self.metrics = Some(metrics);
        self
    }

    /// Sets [`metrics_period`](Self::metrics_period).
    #[must_use]
    pub fn with_metrics_period(mut self, metrics_period: Duration) -> Self {
        self.metrics_period = metrics_period;
        self
    }
}

impl<K: Hash + Eq + Clone + Send + 'static> Default for QueueOptions<K> {
    fn default() -> Self {
        Self {
            priority: None,
            fairness: None,
            limiter: Arc::new(MaxOf::controller_default()),
            metrics: None,
            metrics_period: Duration::from_millis(500),
        }
    }
}

impl<K> fmt::Debug for QueueOptions<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueOptions")
            .field("priority", &self.priority)
            .field("fairness", &self.fairness)
            .field("metrics", &self.metrics.is_some())
            .field("metrics_period", &self.metrics_period)
            .finish_non_exhaustive()
    }
}

/// Priority: a whole `i32`, higher first, first in first out among equals.
///
/// # Contract
/// - A key added again while queued takes the higher of its priorities.
/// - A retry (`add_after`, `add_rate_limited` with no priority of its own) keeps the priority of the run in
///   progress; `add` is an event and asks for zero.
/// - With ageing on, a level with keys is served at least once in `(ageing + 1) * L` handouts, `L` being the
///   number of priorities queued at the time. Without it, low priorities may starve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Priority {
    /// How many handouts in a row may pass over a level before it gets one. Default: 16. `None` or
    /// `Some(0)`: strict priority, and what is low may wait for ever.
    pub ageing: Option<u32>,
}

impl Priority {
    /// Sets [`ageing`](Self::ageing).
    #[must_use]
    pub fn with_ageing(mut self, ageing: impl Into<Option<u32>>) -> Self {
        self.ageing = ageing.into();
        self
    }
}

impl Default for Priority {
    fn default() -> Self {
        Self { ageing: Some(16) }
    }
}

type TenantOf<K> = dyn Fn(&K) -> Cow<'_, str> + Send + Sync;
type WeightOf = dyn Fn(&str) -> u32 + Send + Sync;

/// Fairness: tenants take turns, each getting handouts by its weight for as long as it has keys queued.
///
/// # Contract
/// - However many keys one tenant adds, another's next key waits for at most one turn of each other tenant
///   (weights equal), not for that tenant's backlog.
/// - Keys of one tenant stay first in, first out. Idling saves up no turns.
/// - Turns count handouts, not time: a tenant whose keys take long holds workers for as long as they take.
/// - A tenant costs memory only while a key of it is in the queue.
pub struct Fairness<K> {
    tenant: Box<TenantOf<K>>,
    weight: Option<Box<WeightOf>>,
}

impl<K> Fairness<K> {
    /// Fair by this tenant name: a namespace, a cluster, an owner. Must give the same name for equal keys. It
    /// is called by the adding thread, under no lock; a panic in it goes to whoever adds.
    pub fn by(tenant: impl Fn(&K) -> Cow<'_, str> + Send + Sync + 'static) -> Self {
        Self { tenant: Box::new(tenant), weight: None }
    }

    /// Weighs tenants: one of weight 3 gets three turns for each turn of one of weight 1. Asked when a tenant
    /// comes to have its first key; zero counts as 1, and above about a million all weigh the same.
    #[must_use]
    pub fn weigh(mut self, weight: impl Fn(&str) -> u32 + Send + Sync + 'static) -> Self {
        self.weight = Some(Box::new(weight));
        self
    }

    pub(crate) fn tenant<'k>(&self, key: &'k K) -> (Cow<'k, str>, u32) {
        let name = (self.tenant)(key);
        let weight = self.weight.as_ref().map_or(1, |weight| weight(&name));
        (name, weight)
    }
}

impl<K> fmt::Debug for Fairness<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fairness").field("weighted", &self.weight.is_some()).finish_non_exhaustive()
    }
}

/// How one key is added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AddOptions {
    /// Its priority, if the queue has priorities. Default: that of the key's run in progress, or what it is
    /// queued or waiting with; zero for a key that the queue does not hold.
    pub priority: Option<i32>,
    /// Not before this has passed. Default: zero, at once. More than 584 years is never.
    pub after: Duration,
    /// Not before the limiter allows it, either. Default: false.
    pub rate_limited: bool,
}

impl AddOptions {
    /// Sets [`priority`](Self::priority).
    #[must_use]
    pub fn with_priority(mut self, priority: impl Into<Option<i32>>) -> Self {
        self.priority = priority.into();
        self
    }

    /// Sets [`after`](Self::after).
    #[must_use]
    pub fn with_after(mut self, after: Duration) -> Self {
        self.after = after;
        self
    }

    /// Sets [`rate_limited`](Self::rate_limited).
    #[must_use]
    pub fn with_rate_limited(mut self, rate_limited: bool) -> Self {
        self.rate_limited = rate_limited;
        self
    }
}
