//! The options of a queue, and of each add.

use std::borrow::Cow;
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use crate::limiter::{MaxOf, RateLimiter};
use crate::metrics::QueueMetrics;

/// The priority for keys from an initial list: below that of live events, which have zero. So a controller that
/// starts with 10,000 objects still reacts to new events at once.
pub const INITIAL_LIST_PRIORITY: i32 = -100;

/// The options of a [`WorkQueue`](crate::WorkQueue). They combine freely, and an option that is off costs
/// nothing.
///
/// The default is a first-in, first-out queue with the rate limiter of client-go's controllers. Turn
/// [`priority`](Self::priority) on when some keys are more urgent than others, and [`fairness`](Self::fairness)
/// when one tenant's backlog must not delay the others.
///
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use client_rs_workqueue::{ExponentialFailure, Priority, QueueOptions, WorkQueue};
///
/// let limiter = ExponentialFailure::new(Duration::from_millis(100), Duration::from_secs(60));
/// let options = QueueOptions::default()
///     .with_priority(Priority::default())
///     .with_limiter(Arc::new(limiter));
/// let queue = WorkQueue::with_options(options);
/// assert_eq!(queue.when(&"web"), Duration::from_millis(100));
/// ```
#[non_exhaustive]
pub struct QueueOptions<K> {
    /// Highest priority first. Default: off, and every add has the same priority.
    pub priority: Option<Priority>,
    /// Tenants take turns; within each priority when both are on. Default: off.
    pub fairness: Option<Fairness<K>>,
    /// Chooses how long `add_rate_limited` waits. Default: [`MaxOf::controller_default`], which has client-go's
    /// constants. It takes no memory until the first rate-limited add.
    pub limiter: Arc<dyn RateLimiter<K>>,
    /// Receives the queue's seven metrics. Default: unset, and the queue reads no clock for them.
    pub metrics: Option<Arc<dyn QueueMetrics>>,
    /// The period between reports of unfinished work and the longest run. Default: 500 ms. Zero turns the
    /// reports off. They need a tokio runtime where the queue is made; without one, call
    /// [`refresh_metrics`](crate::WorkQueue::refresh_metrics).
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

    /// Sets [`metrics`](Self::metrics); see [`QueueMetrics`] for an example.
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

/// Turns priorities on: any `i32`, higher first, first in, first out among equals.
///
/// Use it when some keys are more urgent, such as live events compared with an initial list
/// ([`INITIAL_LIST_PRIORITY`]). Set the priority of an add with [`AddOptions::priority`].
///
///
/// ```
/// use client_rs_workqueue::{AddOptions, INITIAL_LIST_PRIORITY, Priority, QueueOptions, WorkQueue};
///
/// let queue = WorkQueue::with_options(QueueOptions::default().with_priority(Priority::default()));
/// let listed = AddOptions::default().with_priority(INITIAL_LIST_PRIORITY);
/// queue.add_with("a", listed);
/// queue.add_with("b", listed);
/// queue.add("b");
/// assert_eq!(*queue.try_get().unwrap(), "b", "the event raised it");
/// ```
///
/// # Contract
/// - A key that is added again while it is queued takes the higher of its priorities.
/// - A retry (`add_after` or `add_rate_limited`, without a priority of its own) keeps the priority of the run
///   in progress. `add` is an event and has priority zero.
/// - With ageing on, each level with keys gets at least one of every `(ageing + 1) * L` handouts, where `L` is
///   the number of priorities queued at the time. Without ageing, low priorities may starve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Priority {
    /// How many handouts in a row may skip a level before it gets one. Default: 16. `None` or `Some(0)`: strict
    /// priority, and keys of a low priority may wait forever.
    pub ageing: Option<u32>,
}

impl Priority {
    /// Sets [`ageing`](Self::ageing).
    ///
    /// ```
    /// # use client_rs_workqueue::Priority;
    /// assert_eq!(Priority::default().ageing, Some(16));
    /// assert_eq!(Priority::default().with_ageing(None).ageing, None);
    /// ```
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

/// Turns fairness on: tenants take turns, each in proportion to its weight, for as long as it has keys queued.
///
/// Use it in a controller that serves many namespaces, clusters or customers, so that a mass change by one of
/// them does not delay the others.
///
///
/// ```
/// use std::borrow::Cow;
/// use client_rs_workqueue::{Fairness, QueueOptions, WorkQueue};
///
/// let by_namespace = Fairness::by(|key: &(&str, u32)| Cow::Borrowed(key.0));
/// let queue = WorkQueue::with_options(QueueOptions::default().with_fairness(by_namespace));
/// (0..1000).for_each(|key| queue.add(("noisy", key)));
/// queue.add(("quiet", 0));
/// let first_two: Vec<_> = (0..2).map(|_| queue.try_get().unwrap().0).collect();
/// assert_eq!(first_two, ["noisy", "quiet"]);
/// ```
///
/// # Contract
/// - However many keys one tenant adds, the next key of another waits for at most one turn of each other tenant
///   (with equal weights), not for that backlog.
/// - Keys of one tenant stay first in, first out. An idle tenant saves up no turns.
/// - Turns count handouts, not time: a tenant whose keys take long occupies workers for that long.
/// - A tenant takes memory only while one of its keys is in the queue.
pub struct Fairness<K> {
    tenant: Box<TenantOf<K>>,
    weight: Option<Box<WeightOf>>,
}

impl<K> Fairness<K> {
    /// Makes queues fair by the name that this function returns for a key: a namespace, a cluster, an owner.
    /// Equal keys must have equal names. The adding thread calls it, outside the locks of the queue; a panic in
    /// it reaches the caller that adds.
    pub fn by(tenant: impl Fn(&K) -> Cow<'_, str> + Send + Sync + 'static) -> Self {
        Self { tenant: Box::new(tenant), weight: None }
    }

    /// Weighs tenants: a tenant of weight 3 gets three turns for each turn of a tenant of weight 1. The queue
    /// calls the function when the first key of a tenant enters it. Zero counts as 1. Weights above about a
    /// million count the same.
    ///
    /// ```
    /// # use std::borrow::Cow;
    /// # use client_rs_workqueue::{Fairness, QueueOptions, WorkQueue};
    /// let weights = Fairness::by(|key: &(&str, u32)| Cow::Borrowed(key.0))
    ///     .weigh(|tenant| if tenant == "gold" { 3 } else { 1 });
    /// let queue = WorkQueue::with_options(QueueOptions::default().with_fairness(weights));
    /// for key in 0..100 {
    ///     queue.add(("gold", key));
    ///     queue.add(("free", key));
    /// }
    /// let gold = (0..40).filter(|_| queue.try_get().unwrap().0 == "gold").count();
    /// assert_eq!(gold, 30);
    /// ```
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

/// The options of one add; see [`WorkQueue::add_with`](crate::WorkQueue::add_with).
///
/// ```
/// # use std::time::Duration;
/// # use client_rs_workqueue::{AddOptions, WorkQueue};
/// let options = AddOptions::default().with_after(Duration::from_secs(1)).with_rate_limited(true);
/// let queue = WorkQueue::new();
/// queue.add_with("web", options);
/// assert_eq!((queue.waiting(), queue.num_requeues(&"web")), (1, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct AddOptions {
    /// The priority, if the queue has priorities. Default: the priority of the key's run in progress, or the
    /// one with which it is queued or waits; zero for a key that the queue does not hold.
    pub priority: Option<i32>,
    /// The delay. Default: zero, at once. More than 584 years never ends.
    pub after: Duration,
    /// Whether the key also waits until the limiter allows it. Default: false.
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
