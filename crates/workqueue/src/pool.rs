//! Workers that keep a queue empty.

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

/// When a key is tried again whose limiter panicked.
const AFTER_PANIC: Duration = Duration::from_secs(1);

/// How a [`WorkerPool`] works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorkerPoolOptions {
    /// How many keys at once. Default: 1, as controllers have. Zero counts as one.
    pub workers: usize,
}

impl Default for WorkerPoolOptions {
    fn default() -> Self {
        Self { workers: 1 }
    }
}

/// What became of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is in order: its failures are forgotten.
    Done,
    /// It failed: again after the limiter's wait.
    Retry,
    /// In order for now: its failures are forgotten, and it comes again after this.
    RetryAfter(Duration),
}

impl From<()> for Outcome {
    fn from((): ()) -> Self {
        Self::Done
    }
}

/// An error is logged and retried.
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

/// What a pool has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerPoolStats {
    /// Keys processed, failed or not.
    pub processed: u64,
    /// Those whose processing panicked.
    pub panicked: u64,
}

/// Workers over a [`WorkQueue`]: a bounded number of tasks, each processing one key at a time.
///
/// # Contract
/// - At most [`WorkerPoolOptions::workers`] keys are processed at once, none of them twice.
/// - A handler that panics is logged and counted; its key is released and retried as a failed one is, and the
///   worker goes on. So it does after a panic of the queue's limiter; then the key comes again a second later.
/// - [`drain`](WorkerPool::drain) is the graceful end of queue and workers. Workers that [stop](WorkerPool::start_until) leave the
///   queue as it is, for those who work on it next.
/// - Dropping the pool aborts the workers where they next wait; their keys are released, and stay in the queue if they
///   were added meanwhile. [`abort`](WorkerPool::abort) does so too, and waits until none of them runs.
/// - The queue may be used by others at the same time; several pools may share one.
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
    pub fn start<H, F>(queue: WorkQueue<K>, options: WorkerPoolOptions, handler: H) -> Self
    where
        H: Fn(K) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: Into<Outcome>,
    {
        Self::start_until(queue, options, pending, handler)
    }

    /// As [`start`](WorkerPool::start). The workers take no further key once `stop` has ended, of which each worker gets one;
    /// what they process then, they process to the end.
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
        let (handler, counts) = (Arc::new(handler), Arc::<Counts>::default());
        let mut workers = JoinSet::new();
        for _ in 0..options.workers.max(1) {
            workers.spawn(work(queue.clone(), stop(), Arc::clone(&handler), Arc::clone(&counts)));
        }
        Self { queue, workers, counts }
    }

    /// The queue.
    pub fn queue(&self) -> &WorkQueue<K> {
        &self.queue
    }

    /// What was done so far.
    pub fn stats(&self) -> WorkerPoolStats {
        WorkerPoolStats {
            processed: self.counts.processed.load(Ordering::Relaxed),
            panicked: self.counts.panicked.load(Ordering::Relaxed),
        }
    }

    /// Shuts the queue down and waits until the workers have processed everything in it.
    ///
    /// Retries that are not due are dropped. Cancelled, it aborts the workers, as dropping the pool does.
    pub async fn drain(mut self) -> WorkerPoolStats {
        // Not `shutdown`: that would end the drain of somebody else.
        drop(self.queue.shutdown_with_drain());
        self.ended().await;
        self.stats()
    }

    /// Waits until all workers have ended: because they were to stop, or the queue is shut down. Cancel-safe.
    pub async fn ended(&mut self) {
        while self.workers.join_next().await.is_some() {}
    }

    /// Aborts the workers where they next wait, and returns when none of them runs. Their keys are released.
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
    H: Fn(K) -> F + Send + Sync + 'static,
    F: Future + Send + 'static,
    F::Output: Into<Outcome>,
    S: Future<Output = ()>,
{
    let mut stop = pin!(stop);
    let mut next = unless(stop.as_mut(), queue.get()).await;
    while let Some(item) = next {
        let outcome = process(&item, &*handler, &counts).await;
        counts.processed.fetch_add(1, Ordering::Relaxed);
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

/// The next item, unless the worker is to stop.
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

/// Decides when the key comes again; it is not released yet.
fn settle<K: Hash + Eq + Clone>(item: &Item<K>, outcome: Outcome) {
    match outcome {
        Outcome::Done => item.forget(),
        Outcome::Retry => item.add_again(None),
        Outcome::RetryAfter(delay) => {
            item.forget();
            item.add_again(Some(delay));
        }
    }
}

async fn process<K, H, F>(item: &Item<K>, handler: &H, counts: &Counts) -> Outcome
where
    K: Hash + Eq + Clone,
    H: Fn(K) -> F,
    F: Future,
    F::Output: Into<Outcome>,
{
    match panics::caught(AssertUnwindSafe(|| handler(item.key().clone()))).await {
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
    async fn outcomes_decide_when_a_key_comes_again() {
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
    async fn workers_that_stop_end_what_they_do_and_leave_the_rest_in_the_queue() {
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
        // Those who wait for a key stop as well.
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
    async fn a_limiter_that_panics_costs_its_key_a_second_and_no_worker() {
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
        let queue = WorkQueue::new(crate::QueueOptions {
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
