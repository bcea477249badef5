//! Many independent pieces of work, a few at a time.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::Poll;

use tokio::task::JoinSet;

use crate::panics;

/// How [`parallelize_until`] divides the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParallelizeOptions {
    /// How many pieces at once. Default: 16. Zero counts as one; more than there are chunks is as many.
    pub workers: usize,
    /// How many pieces in a row a worker takes at a time: more is cheaper if each is short. Default: 1. Zero
    /// counts as one.
    pub chunk: usize,
}

impl Default for ParallelizeOptions {
    fn default() -> Self {
        Self { workers: 16, chunk: 1 }
    }
}

/// What [`parallelize_until`] did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parallelized {
    /// Pieces that ended, panicked or not.
    pub finished: usize,
    /// Those that panicked; each was logged.
    pub panicked: usize,
    /// Whether it was stopped before all pieces were begun.
    pub stopped: bool,
}

/// Does the pieces `0..pieces`, each once, some at a time, until all are done or `stop` completes.
///
/// Pass [`std::future::pending`] to never stop early.
///
/// # Contract
/// - Once `stop` has completed no further piece is begun; those begun are finished, and waited for.
/// - A piece that panics is logged and counted, and the others go on.
/// - Pieces run as tasks of the current tokio runtime: `work` should not block. Dropping the future aborts
///   them where they next wait.
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
    async fn t2_5_01_every_piece_once_whatever_the_shape() {
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
    async fn stopped_before_it_began_it_does_at_most_what_was_begun() {
        let (tell, told) = tokio::sync::oneshot::channel::<()>();
        let tell = Mutex::new(Some(tell));
        let options = ParallelizeOptions { workers: 1, chunk: 100 };
        let done = parallelize_until(told, 100, options, move |_| {
            drop(tell.lock().unwrap().take());
            tokio::task::yield_now()
        })
        .await;
        assert!(done.stopped && done.finished >= 1 && done.finished < 100, "{done:?}");
    }

    #[tokio::test]
    async fn a_panic_is_one_pieces_own() {
        let done =
            parallelize_until(pending::<()>(), 10, ParallelizeOptions::default(), |piece| async move {
                assert!(piece % 3 != 0, "piece {piece}");
            })
            .await;
        assert_eq!(done, Parallelized { finished: 10, panicked: 4, stopped: false });
    }

    #[tokio::test]
    async fn no_more_at_once_than_asked() {
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
