//! Threads for handlers that block.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use tokio::runtime::Handle;
use tokio::sync::oneshot;

use crate::sync::{Mutex, MutexGuard};

/// The largest number of handlers of the process on threads of the runtime's blocking pool. The pool has 512
/// threads by default and also serves name lookups, token files and certificates: handlers that block forever
/// must not use it up.
const POOLED: usize = 128;

/// The current number.
static IN_POOL: AtomicUsize = AtomicUsize::new(0);

/// The threads of the handlers of one informer.
///
/// An event makes all handlers ready at once, and waking a thread costs more than most calls of a handler. So the
/// ready handlers wait in one queue, and a thread takes one after the other. A handler may block for as long as it
/// wants, and must not delay the others: whenever handlers wait, one further thread is starting. It either finds the
/// queue empty and ends, or takes a handler and, if more of them wait, starts the next thread.
#[derive(Default)]
pub(crate) struct Threads {
    queue: Mutex<Queue>,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Job>,
    /// Whether a thread has been started and has not looked at the queue yet. Always true while jobs wait, except
    /// under the lock.
    starting: bool,
}

/// Delivers the notifications of one handler.
struct Job {
    function: Box<dyn FnOnce() -> bool + Send>,
    /// Dropped without a result if the function panics.
    result: oneshot::Sender<bool>,
}

impl Threads {
    /// Runs a function on a thread of the blocking pool, or on a thread of its own while many handlers use the pool.
    /// `None` if the runtime shuts down first or the function panics.
    ///
    /// Boxed, so that it is compiled once, and not for each type of objects.
    pub(super) fn run(
        self: &Arc<Self>,
        function: Box<dyn FnOnce() -> bool + Send>,
    ) -> Pin<Box<dyn Future<Output = Option<bool>> + Send>> {
        let (result, done) = oneshot::channel();
        let mut queue = self.lock();
        queue.jobs.push_back(Job { function, result });
        let starts = !std::mem::replace(&mut queue.starting, true);
        drop(queue);
        if starts {
            self.start(&Handle::current());
        }
        Box::pin(async { done.await.ok() })
    }

    /// Starts a thread. The caller has set `starting`.
    fn start(self: &Arc<Self>, runtime: &Handle) {
        let start = Start(Some(self.clone()));
        if let Some(place) = Place::take() {
            runtime.spawn_blocking(move || {
                let _place = place;
                start.work();
            });
            return;
        }
        let inside = runtime.clone();
        let run = move || {
            // A handler may use the runtime, as on a thread of the pool.
            let _inside = inside.enter();
            start.work();
        };
        if let Err(error) = std::thread::Builder::new().name("event-handler".to_owned()).spawn(run) {
            tracing::error!(%error, "no thread for event handlers, those that wait get no further notifications");
        }
    }

    /// Runs what waits, until nothing does.
    fn work(self: &Arc<Self>) {
        let runtime = Handle::current();
        let mut queue = self.lock();
        queue.starting = false;
        while let Some(Job { function, result }) = queue.jobs.pop_front() {
            let starts = !queue.jobs.is_empty() && !std::mem::replace(&mut queue.starting, true);
            drop(queue);
            if starts {
                self.start(&runtime);
            }
            if let Ok(calm) = catch_unwind(AssertUnwindSafe(function)) {
                let _ = result.send(calm);
            }
            queue = self.lock();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        // No user code runs under the lock.
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A thread that has been started. If it never runs, because the runtime shuts down or the system has no thread, the
/// handlers that wait for it end.
struct Start(Option<Arc<Threads>>);

impl Start {
    fn work(mut self) {
        if let Some(threads) = self.0.take() {
            threads.work();
        }
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        if let Some(threads) = self.0.take() {
            let mut queue = threads.lock();
            queue.starting = false;
            let jobs = std::mem::take(&mut queue.jobs);
            drop(queue);
            drop(jobs);
        }
    }
}

/// A place in the pool, until it is dropped.
struct Place;

impl Place {
    fn take() -> Option<Self> {
        let more = |count| (count < POOLED).then_some(count + 1);
        IN_POOL.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Self)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        IN_POOL.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn handlers_that_block_leave_threads_for_others() {
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(POOLED + 1).build().unwrap();
        runtime.block_on(async {
            // All of them block until all of them and one more task run.
            let blocked = POOLED + 10;
            let barrier = Arc::new(Barrier::new(blocked + 1));
            let threads = Arc::<Threads>::default();
            let mut running = tokio::task::JoinSet::new();
            for _ in 0..blocked {
                let barrier = barrier.clone();
                running.spawn(threads.run(Box::new(move || {
                    barrier.wait();
                    tokio::runtime::Handle::try_current().is_ok()
                })));
            }
            let other = barrier.clone();
            tokio::task::spawn_blocking(move || other.wait()).await.unwrap();
            while let Some(ended) = running.join_next().await {
                assert_eq!(ended.unwrap(), Some(true));
            }
        });
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_own_job() {
        let threads = Arc::<Threads>::default();
        let panics = threads.run(Box::new(|| panic!("of a test")));
        let runs = threads.run(Box::new(|| true));
        assert_eq!((panics.await, runs.await), (None, Some(true)));
    }

    #[test]
    fn jobs_end_without_a_result_after_the_runtime_has_shut_down() {
        let threads = Arc::<Threads>::default();
        let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
        let over = runtime();
        let handle = over.handle().clone();
        over.shutdown_background();
        let inside = handle.enter();
        let waits = threads.run(Box::new(|| true));
        drop(inside);
        let next = runtime();
        assert_eq!(next.block_on(waits), None);
        // Others can still start.
        assert_eq!(next.block_on(async { threads.run(Box::new(|| true)).await }), Some(true));
    }
}
