//! Runs many independent pieces of work, a few at a time.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;

use tokio::task::JoinSet;

use crate::panics;

/// The options of [`parallelize_until`]: how it divides the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ParallelizeOptions {
    /// How many pieces run at once. Default: 16. Zero counts as one; a number above the number of chunks counts
    /// as that number.
    pub workers: usize,
    /// How many consecutive pieces a worker takes at a time: a larger chunk costs less if the pieces are short.
    /// Default: 1. Zero counts as one.
    pub chunk: usize,
}

impl ParallelizeOptions {
    /// Sets [`workers`](Self::workers).
    #[must_use]
    pub fn with_workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// Sets [`chunk`](Self::chunk).
    #[must_use]
    pub fn with_chunk(mut self, chunk: usize) -> Self {
        self.chunk = chunk;
        self
    }
}

impl Default for ParallelizeOptions {
    fn default() -> Self {
        Self { workers: 16, chunk: 1 }
    }
}

/// The result of [`parallelize_until`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Parallelized {
    /// The number of pieces that ended, including those that panicked.
    pub finished: usize,
    /// The number of pieces that panicked; each was logged.
    pub panicked: usize,
    /// Whether it stopped before all pieces had started.
    pub stopped: bool,
}

/// Runs the pieces `0..pieces`, each once, some at a time, until all are done or `stop` completes.
///
/// Use it for a fixed amount of work that is known at the start, such as deleting a list of objects. For keys
/// that keep coming, use a [`WorkQueue`](crate::WorkQueue). Pass [`std::future::pending`] to never stop early.
///
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicUsize, Ordering};
/// use client_rs_workqueue::{ParallelizeOptions, parallelize_until};
///
/// let sum = Arc::new(AtomicUsize::new(0));
/// let total = sum.clone();
/// let never = std::future::pending::<()>();
/// let options = ParallelizeOptions::default().with_workers(4);
/// let result = parallelize_until(never, 10, options, move |piece| {
///     total.fetch_add(piece, Ordering::Relaxed);
///     std::future::ready(())
/// })
/// .await;
/// assert_eq!((result.finished, sum.load(Ordering::Relaxed)), (10, 45));
/// # }
/// ```
///
/// # Contract
/// - Once `stop` has completed, no further piece starts. The call waits for the pieces that have started.
/// - A piece that panics is logged and counted, and the others continue.
/// - Pieces run as tasks of the current tokio runtime: `work` should not block. Dropping the future aborts them
///   at their next await point.
pub async fn parallelize_until<W, F>(
    stop: impl Future,
    pieces: usize,
    options: ParallelizeOptions,
    work: W,
) -> Parallelized
where
    W: Fn(usize) -> F + Send + Sync + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let chunk = options.chunk.max(1);
    let chunks = pieces.div_ceil(chunk);
    let plan = Arc::new(Plan { pieces, chunk, ..Plan::default() });
    let work = Arc::new(work);
    let mut workers = JoinSet::new();
    for _ in 0..options.workers.clamp(1, chunks.max(1)).min(chunks) {
        workers.spawn(Arc::clone(&plan).run(Arc::clone(&work)));
    }
    let mut stop = pin!(stop);
    let mut stopped = false;
    std::future::poll_fn(|context| {
        if !stopped && stop.as_mut().poll(context).is_ready() {
            stopped = true;
            plan.stopped.store(true, Ordering::Relaxed);
        }
        loop {
            match workers.poll_join_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(()),
                Poll::Ready(Some(_)) => {}
            }
        }
    })
    .await;
    let finished = plan.finished.load(Ordering::Relaxed);
    Parallelized { finished, panicked: plan.panicked.load(Ordering::Relaxed), stopped: finished < pieces }
}

#[derive(Default)]
struct Plan {
    pieces: usize,
    chunk: usize,
    /// Where the next chunk begins.
    next: AtomicUsize,
    stopped: AtomicBool,
    finished: AtomicUsize,
    panicked: AtomicUsize,
}

impl Plan {
    async fn run<W, F>(self: Arc<Self>, work: Arc<W>)
    where
        W: Fn(usize) -> F + Send + Sync + 'static,
        F: Future<Output = ()> + Send + 'static,
    {
        while let Some(chunk) = self.take() {
            for piece in chunk {
                if self.stopped.load(Ordering::Relaxed) {
                    return;
                }
                let outcome = panics::caught(AssertUnwindSafe(|| work(piece))).await;
                if let Err(panic) = outcome {
                    tracing::error!(
                        piece,
                        panic = panics::panic_message(&*panic),
                        "a piece of parallel work panicked"
                    );
                    self.panicked.fetch_add(1, Ordering::Relaxed);
                }
                self.finished.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    fn take(&self) -> Option<std::ops::Range<usize>> {
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < self.pieces).then(|| next.saturating_add(self.chunk))
        });
        taken.ok().map(|start| start..start.saturating_add(self.chunk).min(self.pieces))
    }
}

#[cfg(test)]
mod tests {
    use std::future::{pending, ready};
    use std::sync::Mutex;

    use super::*;

    #[tokio::test]
    async fn t2_5_01_every_piece_runs_once_for_all_numbers_of_workers_and_chunks() {
        for pieces in [0, 1, 2, 999, 1000] {
            for workers in [0, 1, 2, 10, 2000] {
                for chunk in [0, 1, 3, 10, 1000, usize::MAX] {
                    let seen = Arc::new(Mutex::new(vec![0; pieces]));
                    let counted = Arc::clone(&seen);
                    let done = parallelize_until(
                        pending::<()>(),
                        pieces,
                        ParallelizeOptions { workers, chunk },
                        move |piece| {
                            counted.lock().unwrap()[piece] += 1;
                            ready(())
                        },
                    )
                    .await;
                    assert_eq!(done, Parallelized { finished: pieces, panicked: 0, stopped: false });
                    assert!(
                        seen.lock().unwrap().iter().all(|&times| times == 1),
                        "{pieces} {workers} {chunk}"
                    );
                }
            }
        }
    }

    #[tokio::test]
    async fn after_the_stop_no_further_piece_starts() {
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let stop = Mutex::new(Some(stop));
        let options = ParallelizeOptions { workers: 1, chunk: 100 };
        let done = parallelize_until(stopped, 100, options, move |_| {
            drop(stop.lock().unwrap().take());
            tokio::task::yield_now()
        })
        .await;
        assert!(done.stopped && done.finished >= 1 && done.finished < 100, "{done:?}");
    }

    #[tokio::test]
    async fn a_panic_of_one_piece_leaves_the_others_running() {
        let done =
            parallelize_until(pending::<()>(), 10, ParallelizeOptions::default(), |piece| async move {
                assert!(piece % 3 != 0, "piece {piece}");
            })
            .await;
        assert_eq!(done, Parallelized { finished: 10, panicked: 4, stopped: false });
    }

    #[tokio::test]
    async fn no_more_pieces_run_at_once_than_there_are_workers() {
        let running = Arc::new(AtomicUsize::new(0));
        let most = Arc::new(AtomicUsize::new(0));
        let seen = Arc::clone(&most);
        let options = ParallelizeOptions { workers: 3, chunk: 1 };
        parallelize_until(pending::<()>(), 50, options, move |_| {
            let (running, most) = (Arc::clone(&running), Arc::clone(&most));
            async move {
                most.fetch_max(running.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
                tokio::task::yield_now().await;
                running.fetch_sub(1, Ordering::Relaxed);
            }
        })
        .await;
        assert_eq!(seen.load(Ordering::Relaxed), 3);
    }
}
