//! Work queues: keys to process, each by one worker at a time.
//!
//! Made for controllers, where events name objects that need looking at and a worker looks at the newest
//! state of each; of use to anyone with keys to process. Knows nothing of Kubernetes.
//!
//! There is one type, [`WorkQueue`]. It always deduplicates, delays ([`WorkQueue::add_after`]) and limits
//! retries ([`WorkQueue::add_rate_limited`]); [`QueueOptions`] add priority, fairness among tenants and metrics,
//! in any combination. [`WorkerPool`] keeps workers on it.
//!
//! ```
//! use client_rs_workqueue::{WorkerPool, WorkerPoolOptions, WorkQueue};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let queue = WorkQueue::default();
//! queue.add("default/web");
//! queue.add("default/db");
//! queue.add("default/web");
//!
//! let pool = WorkerPool::start(queue, WorkerPoolOptions { workers: 4 }, |key| async move {
//!     println!("{key} is in order");
//!     Ok::<(), String>(())
//! });
//! assert_eq!(pool.drain().await.processed, 2);
//! # }
//! ```
//!
//! Without a pool, a worker is a loop. An [`Item`] releases its key when dropped, whatever happens:
//!
//! ```
//! # use client_rs_workqueue::WorkQueue;
//! # fn process(_: &str) -> Result<(), String> { Ok(()) }
//! # let queue = WorkQueue::default();
//! # queue.add("default/web");
//! # queue.shutdown();
//! let mut next = queue.get_blocking();
//! while let Some(item) = next {
//!     match process(&item) {
//!         Ok(()) => item.forget(),
//!         Err(_) => queue.add_rate_limited(*item),
//!     }
//!     next = item.next_blocking();
//! }
//! ```
//!
//! For those who come from client-go: `Get`/`Done` are [`WorkQueue::get`] and dropping the item, the typed,
//! delaying and rate-limiting interfaces are all [`WorkQueue`], `TypedRateLimiter` is [`RateLimiter`],
//! `MetricsProvider` is [`QueueMetrics`], `ParallelizeUntil` is [`parallelize_until`]. What differs on purpose:
//! failures of runs that an event brought early do not inflate the backoff
//! ([`WorkQueue::add_rate_limited`]), and a panic takes nobody else down.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod clock;
mod core;
#[cfg(feature = "metrics")]
mod facade;
mod get;
mod item;
mod later;
mod limiter;
mod lock;
mod metrics;
mod options;
mod panics;
mod parallelize;
mod pool;
mod queue;
mod shared;
mod sync;
mod waiters;

#[cfg(feature = "metrics")]
pub use self::facade::FacadeMetrics;
pub use self::get::{Drain, Get};
pub use self::item::Item;
pub use self::limiter::{
    BucketRateLimiter, ExponentialFailure, FastSlow, MaxOf, MaxWait, RateLimiter, TokenBucket,
};
pub use self::metrics::{DURATION_BUCKETS, QueueMetrics};
pub use self::options::{AddOptions, Fairness, INITIAL_LIST_PRIORITY, Priority, QueueOptions};
pub use self::panics::panic_message;
pub use self::parallelize::{ParallelizeOptions, Parallelized, parallelize_until};
pub use self::pool::{Outcome, WorkerPool, WorkerPoolOptions, WorkerPoolStats};
pub use self::queue::WorkQueue;
