//! Workers that keep a queue empty.

use std::fmt;
use std::future::Future;
use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::task::JoinSet;

use crate::item::Item;
use crate::panics;
use crate::queue::WorkQueue;

/// How a [`Pool`] works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolOptions {
    /// How many keys at once. Default: 1, as controllers have. Zero counts as one.
    pub workers: usize,
}

impl Default for PoolOptions {
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
pub struct PoolStats {
    /// Keys processed, failed or not.
    pub processed: u64,
    /// Those whose processing panicked.
    pub panicked: u64,
}

/// Workers over a [`WorkQueue`]: a bounded number of tasks, each processing one key at a time.
///
/// # Contract
/// - At most [`PoolOptions::workers`] keys are processed at once, none of them twice.
/// - A handler that panics is logged and counted; its key is released and retried as a failed one is, and the
///   worker goes on.
/// - [`drain`](Pool::drain) is the graceful end. Dropping the pool aborts the workers where they next wait;
///   their keys are released, and stay in the queue if they were added meanwhile.
/// - The queue may be used by others at the same time; several pools may share one.
pub struct Pool<K> {
    queue: WorkQueue<K>,
    workers: JoinSet<()>,
    counts: Arc<Counts>,
}

#[derive(Default)]
struct Counts {
    processed: AtomicU64,
    panicked: AtomicU64,
}

impl<K: Hash + Eq + Clone + Send + Sync + 'static> Pool<K> {
    /// Starts the workers as tasks of the current tokio runtime.
    ///
    /// The handler returns an [`Outcome`], `()`, or a `Result` of either.
    pub fn start<H, F>(queue: WorkQueue<K>, options: PoolOptions, handler: H) -> Self
    where
        H: Fn(K) -> F + Send + Sync + 'static,
        F: Future + Send + 'static,
        F::Output: Into<Outcome>,
    {
        let (handler, counts) = (Arc::new(handler), Arc::<Counts>::default());
        let mut workers = JoinSet::new();
        for _ in 0..options.workers.max(1) {
            workers.spawn(work(queue.clone(), Arc::clone(&handler), Arc::clone(&counts)));
        }
        Self { queue, workers, counts }
    }

    /// The queue.
    pub fn queue(&self) -> &WorkQueue<K> {
        &self.queue
    }

    /// What was done so far.
    pub fn stats(&self) -> PoolStats {
        PoolStats {
            processed: self.counts.processed.load(Ordering::Relaxed),
            panicked: self.counts.panicked.load(Ordering::Relaxed),
        }
    }

    /// Shuts the queue down and waits until the workers have processed everything in it.
    ///
    /// Retries that are not due are dropped. Cancelled, it aborts the workers, as dropping the pool does.
    pub async fn drain(mut self) -> PoolStats {
        // Not `shutdown`: that would end the drain of somebody else.
        drop(self.queue.shutdown_with_drain());
        while self.workers.join_next().await.is_some() {}
        self.stats()
    }
}

impl<K> fmt::Debug for Pool<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("workers", &self.workers.len()).finish_non_exhaustive()
    }
}

async fn work<K, H, F>(queue: WorkQueue<K>, handler: Arc<H>, counts: Arc<Counts>)
where
    K: Hash + Eq + Clone + Send + Sync + 'static,
    H: Fn(K) -> F + Send + Sync + 'static,
    F: Future + Send + 'static,
    F::Output: Into<Outcome>,
{
    let mut next = queue.get().await;
    while let Some(item) = next {
        let outcome = process(&item, &*handler, &counts).await;
        counts.processed.fetch_add(1, Ordering::Relaxed);
        match outcome {
            Outcome::Done => item.forget(),
            Outcome::Retry => item.add_again(None),
            Outcome::RetryAfter(delay) => {
                item.forget();
                item.add_again(Some(delay));
            }
        }
        next = item.next().await;
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
            tracing::error!(panic = panics::text(&*panic), "processing a key panicked; it will be retried");
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
        let pool = Pool::start(queue.clone(), PoolOptions::default(), move |key| {
            let run = *seen.lock().unwrap().entry(key).and_modify(|runs| *runs += 1).or_insert(1);
            assert!(key != 0 || run > 1, "while the future is made");
            async move { assert!(key != 1 || run > 2, "while it runs") }
        });
        (0..4).for_each(|key| queue.add(key));
        while queue.len() + queue.processing() + queue.waiting() > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(queue.num_requeues(&1), 0, "forgotten on success");
        assert_eq!(pool.drain().await, PoolStats { processed: 7, panicked: 3 });
        let tries = tries.lock().unwrap();
        assert_eq!([tries[&0], tries[&1], tries[&2], tries[&3]], [2, 3, 1, 1]);
    }

    #[tokio::test(start_paused = true)]
    async fn outcomes_decide_when_a_key_comes_again() {
        let queue = WorkQueue::default();
        let log = Arc::new(Mutex::new(Vec::new()));
        let start = tokio::time::Instant::now();
        let seen = Arc::clone(&log);
        let pool = Pool::start(queue.clone(), PoolOptions { workers: 0 }, move |key: &str| {
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
        let pool = Pool::start(queue.clone(), PoolOptions { workers: 4 }, move |_| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            async move {
                most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Ordering::SeqCst);
                Ok::<(), Infallible>(())
            }
        });
        assert_eq!(pool.drain().await, PoolStats { processed: 1000, panicked: 0 });
        assert_eq!(seen.load(Ordering::SeqCst), 4);
        assert!(queue.is_shutting_down() && queue.is_empty());
    }

    #[tokio::test]
    async fn dropping_the_pool_releases_the_keys() {
        let queue = WorkQueue::default();
        queue.add("stuck");
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let begun = Mutex::new(Some(begun));
        let pool = Pool::start(queue.clone(), PoolOptions::default(), move |_| {
            begun.lock().unwrap().take().map(|begun| begun.send(()));
            std::future::pending::<()>()
        });
        has_begun.await.unwrap();
        assert_eq!(queue.processing(), 1);
        queue.add("stuck");
        drop(pool);
        assert_eq!(*queue.get().await.unwrap(), "stuck");
    }
}
