//! Work queues: keys to process, each by one worker at a time.
//!
//! A controller receives events that name objects. It must look at the current state of each named object, but
//! it must not look at one object from two workers at once, and a hundred events for one object should cost one
//! look, not a hundred. A work queue holds the names (the *keys*) between the events and the workers. Nothing
//! here depends on Kubernetes: use it wherever workers process keys.
//!
//! Use something else to move values that must each arrive, in order: a work queue deduplicates, so it is not a
//! channel. A key says *that* something changed, never *what*.
//!
//! # The life of a key
//!
//! 1. A producer [adds](WorkQueue::add) a key. Adding never blocks. A key that is already queued stays queued
//!    once.
//! 2. A worker [gets](WorkQueue::get) the key as an [`Item`]. No other worker gets this key until the item is
//!    dropped. If somebody adds the key in the meantime, the queue hands it out once more afterwards.
//! 3. The worker drops the item, or [retries](Item::retry) it: the key comes back after a wait that the
//!    [`RateLimiter`] chooses. [`forget`](Item::forget) ends the history of failures.
//!
//! # Start here
//!
//! [`WorkerPool`] runs an async handler with a bounded number of workers. It retries keys whose handler fails
//! or panics, and [drains](WorkerPool::drain) the queue at the end:
//!
//! ```
//! use client_rs_workqueue::{WorkQueue, WorkerPool, WorkerPoolOptions};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! let queue = WorkQueue::default();
//! queue.add("default/web");
//! queue.add("default/db");
//! queue.add("default/web");
//!
//! let pool = WorkerPool::start(queue, WorkerPoolOptions::default().with_workers(4), |key| async move {
//!     println!("reconciling {key}");
//!     Ok::<(), String>(())
//! });
//! assert_eq!(pool.drain().await.processed, 2);
//! # }
//! ```
//!
//! Without a pool, a worker is a loop. An [`Item`] releases its key when it is dropped, also by a panic:
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
//! # assert_eq!((queue.len(), queue.processing()), (0, 0));
//! ```
//!
//! # Where to go next
//!
//! - [`WorkQueue`]: the contract (order, deduplication, memory, cancellation, shut-down) and every operation.
//! - [`QueueOptions`]: [`Priority`] with ageing, [`Fairness`] among tenants, the limiter, metrics. They combine
//!   freely.
//! - [`RateLimiter`] and its implementations: [`ExponentialFailure`], [`FastSlow`], [`BucketRateLimiter`],
//!   [`MaxOf`], [`MaxWait`].
//! - [`QueueMetrics`]: the metrics of a queue. The feature `metrics` has an implementation for the `metrics`
//!   crate.
//! - [`parallelize_until`]: a fixed number of independent pieces of work, without a queue.
//!
//! # For users of client-go
//!
//! `Get` and `Done` are [`WorkQueue::get`] and dropping the item. The typed, delaying and rate-limiting
//! interfaces are all [`WorkQueue`]. `TypedRateLimiter` is [`RateLimiter`], `MetricsProvider` is
//! [`QueueMetrics`] and `ParallelizeUntil` is [`parallelize_until`].
//!
//! Two differences are deliberate. A failure of a run that an event brought forward does not inflate the
//! backoff (see [`WorkQueue::add_rate_limited`]). A panic of one handler does not end the process or its
//! worker.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod canary;
mod clock;
mod core;
#[cfg(feature = "metrics")]
mod facade;
mod get;
mod item;
mod key_state;
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
#[cfg(feature = "sim")]
#[doc(hidden)]
pub mod sim;
mod sync;
mod waiters;

#[cfg(feature = "metrics")]
pub use self::facade::FacadeMetrics;
pub use self::get::{Drain, Get};
pub use self::item::Item;
pub use self::key_state::KeyState;
pub use self::limiter::{
    BucketRateLimiter, ExponentialFailure, FastSlow, MaxOf, MaxWait, RateLimiter, TokenBucket,
};
pub use self::metrics::{DURATION_BUCKETS, QueueMetrics};
pub use self::options::{AddOptions, Fairness, INITIAL_LIST_PRIORITY, Priority, QueueOptions};
pub use self::panics::panic_message;
pub use self::parallelize::{ParallelizeOptions, Parallelized, parallelize_until};
pub use self::pool::{Outcome, WorkerPool, WorkerPoolOptions, WorkerPoolStats};
pub use self::queue::WorkQueue;
