//! A pool of workers that processes the keys of a queue.

use std::fmt;
use std::future::{Future, pending, poll_fn};
use std::hash::Hash;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;
use std::time::Duration;

use tokio::task::JoinSet;

use crate::get::Get;
use crate::item::Item;
use crate::panics;
use crate::queue::WorkQueue;

/// The delay before a key is retried whose limiter panicked.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// The options of a [`WorkerPool`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerPoolOptions {
    /// How many keys are processed at once. Default: 1, as in client-go's controllers. Zero counts as one.
    pub workers: usize,
}

impl WorkerPoolOptions {
    /// Sets [`workers`](Self::workers).
    #[must_use]
    pub fn with_workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }
}

impl Default for WorkerPoolOptions {
    fn default() -> Self {
        Self { workers: 1 }
    }
}

/// The result of processing a key: what the pool does with the key next.
///
/// A handler may also return `()`, which is [`Done`](Outcome::Done), or a `Result`: an error is logged and is
/// [`Retry`](Outcome::Retry).
///
///
/// ```
/// # use client_rs_workqueue::Outcome;
/// assert_eq!(Outcome::from(()), Outcome::Done);
/// assert_eq!(Outcome::from(Ok::<(), String>(())), Outcome::Done);
/// assert_eq!(Outcome::from(Err::<(), _>("conflict")), Outcome::Retry);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// Success: the limiter forgets the failures of the key.
    Done,
    /// Failure: the key comes back after the wait that the limiter chooses.
    Retry,
    /// Success for now: the limiter forgets the failures of the key, and the key comes back after this delay.
    RetryAfter(Duration),
    /// Not processed: the limiter keeps the failures of the key, and the key comes back only if it is added again.
    Skip,
}

impl From<()> for Outcome {
    fn from((): ()) -> Self {
        Self::Done
    }
}

/// Logs an error and requests a retry.
impl<T: Into<Outcome>, E: fmt::Display> From<Result<T, E>> for Outcome {
    fn from(result: Result<T, E>) -> Self {
        match result {
            Ok(outcome) => outcome.into(),
            Err(error) => {
                tracing::warn!(%error, "processing a key failed; it will be retried");
                Self::Retry
            }
        }
    }
}

/// The counts of a pool so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorkerPoolStats {
    /// The number of runs that ended, successfully or not.
    pub processed: u64,
    /// The number of runs that panicked.
    pub panicked: u64,
}

/// Workers over a [`WorkQueue`]: a bounded number of tasks, each processing one key at a time.
///
/// Use it for async handlers. For blocking work, run threads with [`WorkQueue::get_blocking`]. The queue stays
/// usable by others, and several pools may share one.
///
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use client_rs_workqueue::{Outcome, WorkQueue, WorkerPool, WorkerPoolOptions};
///
/// let queue = WorkQueue::new();
/// queue.add("default/web");
/// let options = WorkerPoolOptions::default().with_workers(2);
/// let pool = WorkerPool::start(queue, options, |key: &str| async move {
///     if key.contains('/') { Outcome::Done } else { Outcome::Retry }
/// });
/// let stats = pool.drain().await;
/// assert_eq!((stats.processed, stats.panicked), (1, 0));
/// # }
/// ```
///
/// # Contract
/// - At most [`WorkerPoolOptions::workers`] keys are processed at once, and never one key twice at once.
/// - When a handler panics, the pool logs and counts it, releases the key and retries it like a failed one; the
///   worker continues. The worker also survives a panic of the queue's limiter; that key comes back one second
///   later.
/// - [`drain`](WorkerPool::drain) is the graceful end of queue and workers. Workers that
///   [stop](WorkerPool::start_until) leave the queue unchanged for other workers.
/// - Dropping the pool aborts the workers at their next await point. Their keys are released; they stay in the
///   queue if they were added in the meantime. [`abort`](WorkerPool::abort) does the same and waits until no
///   worker runs.
#[must_use = "the workers are aborted when this is dropped: end with `drain` or `abort`"]
pub struct WorkerPool<K> {
    queue: WorkQueue<K>,
    workers: JoinSet<()>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    processed: AtomicU64,
    panicked: AtomicU64,
}

impl<K: Hash + Eq + Clone + Send + Sync + 'static> WorkerPool<K> {
    /// Starts the workers as tasks of the current tokio runtime.
    ///
    /// The handler returns an [`Outcome`], `()`, or a `Result` of either.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use std::time::Duration;
    /// # use client_rs_workqueue::{Outcome, WorkQueue, WorkerPool, WorkerPoolOptions};
    /// let queue = WorkQueue::new();
    /// queue.add("default/web");
    /// let pool = WorkerPool::start(queue, WorkerPoolOptions::default(), |_key| async {
    ///     Ok::<_, std::io::Error>(Outcome::RetryAfter(Duration::from_secs(600)))
    /// });
    /// assert_eq!(pool.drain().await.processed, 1);
    /// # }
    /// ```
    pub fn start<H, F>(queue: WorkQueue<K>, options: WorkerPoolOptions, handler: H) -> Self
    where
        H: Fn(K) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: Into<Outcome>,
    {
        Self::start_until(queue, options, pending, handler)
    }

    /// Starts the workers like [`start`](WorkerPool::start), with a signal to stop: `stop` makes one future per
    /// worker, and a worker whose future completes takes no further key. It finishes the key that it is
    /// processing.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_workqueue::{WorkQueue, WorkerPool, WorkerPoolOptions};
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// let stop_now = || std::future::ready(());
    /// let mut pool =
    ///     WorkerPool::start_until(queue.clone(), WorkerPoolOptions::default(), stop_now, |_| async {});
    /// pool.ended().await;
    /// assert_eq!((pool.stats().processed, queue.len()), (0, 1), "the key stays queued");
    /// # }
    /// ```
    pub fn start_until<H, F, S>(
        queue: WorkQueue<K>,
        options: WorkerPoolOptions,
        stop: impl Fn() -> S,
        handler: H,
    ) -> Self
    where
        H: Fn(K) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: Into<Outcome>,
        S: Future<Output = ()> + Send + 'static,
    {
        Self::start_items_until(queue, options, stop, move |item: &Item<K>| handler(item.key().clone()))
    }

    /// Starts the workers like [`start_until`](WorkerPool::start_until), for a handler that gets the whole
    /// [`Item`]: its priority, and how long it has [waited](Item::waited). The pool keeps the item until the future
    /// of the handler has ended.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use std::future::pending;
    /// use client_rs_workqueue::{Item, Outcome, WorkQueue, WorkerPool, WorkerPoolOptions};
    ///
    /// let queue = WorkQueue::new();
    /// queue.add("web");
    /// let handler = |item: &Item<&'static str>| {
    ///     assert_eq!((*item.key(), item.priority()), ("web", 0));
    ///     async { Outcome::Done }
    /// };
    /// let pool = WorkerPool::start_items_until(queue, WorkerPoolOptions::default(), pending, handler);
    /// assert_eq!(pool.drain().await.processed, 1);
    /// # }
    /// ```
    pub fn start_items_until<H, F, S>(
        queue: WorkQueue<K>,
        options: WorkerPoolOptions,
        stop: impl Fn() -> S,
        handler: H,
    ) -> Self
    where
        H: Fn(&Item<K>) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: Into<Outcome>,
        S: Future<Output = ()> + Send + 'static,
    {
        let (handler, counts) = (Arc::new(handler), Arc::<Counts>::default());
        let mut workers = JoinSet::new();
        for _ in 0..options.workers.max(1) {
            workers.spawn(work(queue.clone(), stop(), Arc::clone(&handler), Arc::clone(&counts)));
        }
        Self { queue, workers, counts }
    }

    /// Returns the queue.
    pub fn queue(&self) -> &WorkQueue<K> {
        &self.queue
    }

    /// Returns the counts so far.
    pub fn stats(&self) -> WorkerPoolStats {
        WorkerPoolStats {
            processed: self.counts.processed.load(Ordering::Relaxed),
            panicked: self.counts.panicked.load(Ordering::Relaxed),
        }
    }

    /// Shuts the queue down and waits until the workers have processed everything in it.
    ///
    /// Drops retries that are not due. If the future is dropped, the workers are aborted, as when the pool is
    /// dropped.
    pub async fn drain(mut self) -> WorkerPoolStats {
        // Not `shutdown`: that would end the drain of another caller.
        drop(self.queue.shutdown_with_drain());
        self.ended().await;
        self.stats()
    }

    /// Waits until all workers have ended, because they were stopped or because the queue was shut down.
    /// Cancel-safe.
    pub async fn ended(&mut self) {
        while self.workers.join_next().await.is_some() {}
    }

    /// Aborts the workers at their next await point, and returns when none of them runs. Their keys are
    /// released.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # use client_rs_workqueue::{WorkQueue, WorkerPool, WorkerPoolOptions};
    /// let queue = WorkQueue::new();
    /// queue.add("stuck");
    /// let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions::default(), |_| {
    ///     std::future::pending::<()>()
    /// });
    /// tokio::task::yield_now().await;
    /// assert_eq!(pool.abort().await.processed, 0);
    /// assert_eq!(queue.processing(), 0);
    /// # }
    /// ```
    pub async fn abort(mut self) -> WorkerPoolStats {
        self.workers.shutdown().await;
        self.stats()
    }
}

impl<K> fmt::Debug for WorkerPool<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WorkerPool").field("workers", &self.workers.len()).finish_non_exhaustive()
    }
}

async fn work<K, H, F, S>(queue: WorkQueue<K>, stop: S, handler: Arc<H>, counts: Arc<Counts>)
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    H: Fn(&Item<K>) -> F + Send + Sync + 'static,
    F: Future + Send + 'static,
    F::Output: Into<Outcome>,
    S: Future<Output = ()>,
{
    let mut stop = pin!(stop);
    let mut next = unless(stop.as_mut(), queue.get()).await;
    while let Some(item) = next {
        let outcome = process(&item, &*handler, &counts).await;
        if outcome != Outcome::Skip {
            counts.processed.fetch_add(1, Ordering::Relaxed);
        }
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| settle(&item, outcome))) {
            tracing::error!(
                panic = panics::panic_message(&*panic),
                "the limiter of a queue panicked; the key is retried"
            );
            queue.add_after(item.key().clone(), AFTER_PANIC);
        }
        next = unless(stop.as_mut(), item.next()).await;
    }
}

/// Waits for the next item, or for the signal to stop.
async fn unless<K: Hash + Eq + Clone>(
    mut stop: Pin<&mut impl Future<Output = ()>>,
    mut next: Get<K>,
) -> Option<Item<K>> {
    poll_fn(|context| match stop.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(None),
        Poll::Pending => Pin::new(&mut next).poll(context),
    })
    .await
}

/// Applies the outcome: when the key comes back. The key is not released yet.
fn settle<K: Hash + Eq + Clone>(item: &Item<K>, outcome: Outcome) {
    match outcome {
        Outcome::Done => item.forget(),
        Outcome::Retry => item.add_again(None),
        Outcome::Skip => {}
        Outcome::RetryAfter(delay) => {
            item.forget();
            item.add_again(Some(delay));
        }
    }
}

async fn process<K, H, F>(item: &Item<K>, handler: &H, counts: &Counts) -> Outcome
where
    K: Hash + Eq + Clone,
    H: Fn(&Item<K>) -> F,
    F: Future,
    F::Output: Into<Outcome>,
{
    match panics::caught(AssertUnwindSafe(|| handler(item))).await {
        Ok(outcome) => outcome.into(),
        Err(panic) => {
            counts.panicked.fetch_add(1, Ordering::Relaxed);
            tracing::error!(
                panic = panics::panic_message(&*panic),
                "processing a key panicked; it will be retried"
            );
            Outcome::Retry
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::convert::Infallible;
    use std::sync::Mutex;
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_panic_is_logged_counted_and_its_key_retried() {
        let tries = Arc::new(Mutex::new(HashMap::<u32, u32>::new()));
        let seen = Arc::clone(&tries);
        let queue = WorkQueue::default();
        let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions::default(), move |key| {
            let run = *seen.lock().unwrap().entry(key).and_modify(|runs| *runs += 1).or_insert(1);
            assert!(key != 0 || run > 1, "while the future is made");
            async move { assert!(key != 1 || run > 2, "while it runs") }
        });
        (0..4).for_each(|key| queue.add(key));
        while queue.len() + queue.processing() + queue.waiting() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(queue.num_requeues(&1), 0, "forgotten on success");
        assert_eq!(pool.drain().await, WorkerPoolStats { processed: 7, panicked: 3 });
        let tries = tries.lock().unwrap();
        assert_eq!([tries[&0], tries[&1], tries[&2], tries[&3]], [2, 3, 1, 1]);
    }

    #[tokio::test(start_paused = true)]
    async fn the_outcome_decides_when_a_key_comes_back() {
        let queue = WorkQueue::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        let start = tokio::time::Instant::now();
        let seen = Arc::clone(&log);
        let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions { workers: 0 }, move |key: &str| {
            let mut log = seen.lock().unwrap();
            log.push((key, start.elapsed().as_millis()));
            let runs = log.iter().filter(|(other, _)| *other == key).count();
            let outcome: Result<Outcome, String> = match (key, runs) {
                ("later", 1) => Ok(Outcome::RetryAfter(Duration::from_mins(1))),
                ("fails", 1..=3) => Err("not yet".into()),
                _ => Ok(Outcome::Done),
            };
            async move { outcome }
        });
        queue.add("later");
        queue.add("fails");
        tokio::time::sleep(Duration::from_secs(100)).await;
        pool.drain().await;
        let mut fails = log.lock().unwrap().clone();
        fails.retain(|(key, _)| *key == "fails");
        let waits: Vec<u128> = fails.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
        for (wait, least) in waits.iter().zip([5, 10, 20]) {
            assert!((least..least + 3).contains(wait), "{waits:?}");
        }
        assert_eq!(fails.len(), 4);
        let later = log
            .lock()
            .unwrap()
            .iter()
            .filter(|(key, _)| *key == "later")
            .map(|(_, at)| *at)
            .collect::<Vec<_>>();
        assert!((60_000..60_003).contains(&(later[1] - later[0])) && later.len() == 2, "{later:?}");
    }

    #[tokio::test]
    async fn a_drain_processes_all_that_was_queued_within_bounds() {
        let queue = WorkQueue::default();
        (0..1000).for_each(|key| queue.add(key));
        let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let seen = Arc::clone(&most);
        let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions { workers: 4 }, move |_| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok::<(), Infallible>(())
            }
        });
        assert_eq!(pool.drain().await, WorkerPoolStats { processed: 1000, panicked: 0 });
        assert_eq!(seen.load(Ordering::SeqCst), 4);
        assert!(queue.is_shutting_down() && queue.is_empty());
    }

    #[tokio::test]
    async fn dropping_the_pool_releases_the_keys() {
        let queue = WorkQueue::default();
        queue.add("stuck");
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let begun = Mutex::new(Some(begun));
        let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions::default(), move |_| {
            begun.lock().unwrap().take().map(|begun| begun.send(()));
            std::future::pending::<()>()
        });
        has_begun.await.unwrap();
        assert_eq!(queue.processing(), 1);
        queue.add("stuck");
        drop(pool);
        assert_eq!(*queue.get().await.unwrap(), "stuck");
    }

    #[tokio::test]
    async fn workers_that_stop_finish_their_key_and_leave_the_rest_in_the_queue() {
        let queue = WorkQueue::default();
        (0..3).for_each(|key| queue.add(key));
        let (stop, stopped) = tokio::sync::watch::channel(false);
        let until = move || {
            let mut stopped = stopped.clone();
            async move {
                let _ = stopped.wait_for(|stopped| *stopped).await;
            }
        };
        let stop = Arc::new(stop);
        let stopping = Arc::clone(&stop);
        let mut pool =
            WorkerPool::start_until(queue.clone(), WorkerPoolOptions::default(), until, move |_| {
                let stopping = Arc::clone(&stopping);
                async move {
                    stopping.send_replace(true);
                    tokio::task::yield_now().await;
                }
            });
        pool.ended().await;
        assert_eq!((pool.stats().processed, queue.len(), queue.processing()), (1, 2, 0));
        assert!(!queue.is_shutting_down());
        // Workers that wait for a key stop too.
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stopped = Mutex::new(Some(stopped));
        let until = move || {
            let stopped = stopped.lock().unwrap().take();
            async move {
                if let Some(stopped) = stopped {
                    let _ = stopped.await;
                }
            }
        };
        let mut idle = WorkerPool::start_until(
            WorkQueue::<u32>::default(),
            WorkerPoolOptions::default(),
            until,
            |_| async {},
        );
        tokio::task::yield_now().await;
        drop(stop);
        idle.ended().await;
    }

    #[tokio::test(start_paused = true)]
    async fn after_a_panic_of_the_limiter_the_worker_continues_and_the_key_is_retried_after_a_second() {
        struct Panics;
        impl crate::RateLimiter<u32> for Panics {
            fn when(&self, _: &u32) -> Duration {
                panic!("on purpose")
            }
            fn forget(&self, _: &u32) {}
            fn num_requeues(&self, _: &u32) -> u32 {
                0
            }
        }
        let queue = WorkQueue::with_options(crate::QueueOptions {
            limiter: Arc::new(Panics),
            ..crate::QueueOptions::default()
        });
        let runs = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&runs);
        let pool = WorkerPool::start(queue.clone(), WorkerPoolOptions::default(), move |_| {
            let first = seen.fetch_add(1, Ordering::SeqCst) == 0;
            async move { if first { Outcome::Retry } else { Outcome::Done } }
        });
        queue.add(1);
        tokio::time::sleep(Duration::from_millis(900)).await;
        assert_eq!(runs.load(Ordering::SeqCst), 1);
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(pool.drain().await, WorkerPoolStats { processed: 2, panicked: 0 });
    }
}
