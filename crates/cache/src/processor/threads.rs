//! Threads for handlers that block.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use tokio::runtime::Handle;

use crate::sync::{Mutex, MutexGuard};
use crate::transform::panic_message;

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
pub(crate) struct Threads {
    queue: Mutex<Queue>,
    in_pool: &'static AtomicUsize,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<Arc<dyn Job>>,
    /// Whether a thread has been started and has not looked at the queue yet. Always true while jobs wait, except
    /// under the lock.
    starting: bool,
}

/// A handler whose notifications wait.
pub(crate) trait Job: Send + Sync {
    /// Delivers so many of them at most, and returns the number: on a thread if the handler may block, otherwise in the turn of the
    /// informer or of the handler's task.
    fn run(&self, most: usize) -> usize;

    /// Notes that no thread will run it: the runtime shuts down, or the system has no thread.
    fn abandon(&self);
}

impl dyn Job {
    /// Runs it. A panic of a handler does not leave [`run`](Job::run); any other, such as that of an object which is dropped, ends this
    /// handler alone.
    pub(crate) fn run_or_abandon(&self, most: usize) -> usize {
        catch_unwind(AssertUnwindSafe(|| self.run(most))).unwrap_or_else(|panic| {
            tracing::error!(
                panic = panic_message(&*panic),
                "panic outside of the call of an event handler: it is not notified any more"
            );
            self.abandon();
            most
        })
    }
}

impl Default for Threads {
    fn default() -> Self {
        Self { queue: Mutex::default(), in_pool: &IN_POOL }
    }
}

impl Threads {
    /// Runs jobs on threads of the blocking pool, or on threads of their own while many handlers use the pool.
    pub(super) fn run(self: &Arc<Self>, jobs: impl IntoIterator<Item = Arc<dyn Job>>, runtime: &Handle) {
        let mut queue = self.lock();
        queue.jobs.extend(jobs);
        let starts = !queue.jobs.is_empty() && !std::mem::replace(&mut queue.starting, true);
        drop(queue);
        if starts {
            self.start(runtime);
        }
    }

    /// Starts a thread. The caller has set `starting`.
    fn start(self: &Arc<Self>, runtime: &Handle) {
        let start = Start(Some(self.clone()));
        if let Some(place) = Place::take(self.in_pool) {
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
        while let Some(job) = queue.jobs.pop_front() {
            let starts = !queue.jobs.is_empty() && !std::mem::replace(&mut queue.starting, true);
            drop(queue);
            if starts {
                self.start(&runtime);
            }
            let _ = job.run_or_abandon(usize::MAX);
            drop(job);
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
            for job in jobs {
                job.abandon();
            }
        }
    }
}

/// A place in the pool, until it is dropped.
struct Place(&'static AtomicUsize);

impl Place {
    fn take(in_pool: &'static AtomicUsize) -> Option<Self> {
        let more = |count| (count < POOLED).then_some(count + 1);
        in_pool.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more).ok().map(|_| Self(in_pool))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use tokio::sync::mpsc;

    use super::*;

    /// Runs a function, and sends its result, or `None` if it was abandoned.
    struct Function {
        function: Box<dyn Fn() -> bool + Send + Sync>,
        done: mpsc::UnboundedSender<Option<bool>>,
    }

    impl Job for Function {
        fn run(&self, _: usize) -> usize {
            let _ = self.done.send(Some((self.function)()));
            1
        }

        fn abandon(&self) {
            let _ = self.done.send(None);
        }
    }

    fn job(
        done: &mpsc::UnboundedSender<Option<bool>>,
        function: impl Fn() -> bool + Send + Sync + 'static,
    ) -> Arc<dyn Job> {
        Arc::new(Function { function: Box::new(function), done: done.clone() })
    }

    #[test]
    fn handlers_that_block_leave_threads_for_others() {
        // A count of its own. With all places of the process taken, handlers of other tests would run on threads
        // that a paused clock does not wait for.
        static IN_POOL: AtomicUsize = AtomicUsize::new(0);
        let mut runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = runtime.max_blocking_threads(POOLED + 1).build().unwrap();
        runtime.block_on(async {
            // All of them block until all of them and one more task run.
            let blocked = POOLED + 10;
            let barrier = Arc::new(Barrier::new(blocked + 1));
            let (done, mut results) = mpsc::unbounded_channel();
            let jobs: Vec<_> = (0..blocked)
                .map(|_| {
                    let barrier = barrier.clone();
                    job(&done, move || {
                        barrier.wait();
                        Handle::try_current().is_ok()
                    })
                })
                .collect();
            let threads = Threads { in_pool: &IN_POOL, ..Threads::default() };
            Arc::new(threads).run(jobs, &Handle::current());
            tokio::task::spawn_blocking(move || barrier.wait()).await.unwrap();
            for _ in 0..blocked {
                assert_eq!(results.recv().await, Some(Some(true)));
            }
        });
    }

    #[tokio::test]
    async fn a_panic_ends_only_its_own_job() {
        let threads = Arc::<Threads>::default();
        let (panics, mut panicked) = mpsc::unbounded_channel();
        let (runs, mut ran) = mpsc::unbounded_channel();
        threads.run([job(&panics, || panic!("of a test")), job(&runs, || true)], &Handle::current());
        assert_eq!((panicked.recv().await, ran.recv().await), (Some(None), Some(Some(true))));
    }

    #[test]
    fn jobs_are_abandoned_after_the_runtime_has_shut_down() {
        let threads = Arc::<Threads>::default();
        let runtime = || tokio::runtime::Builder::new_current_thread().build().unwrap();
        let over = runtime();
        let handle = over.handle().clone();
        over.shutdown_background();
        let (done, mut results) = mpsc::unbounded_channel();
        threads.run([job(&done, || true)], &handle);
        assert_eq!(results.blocking_recv(), Some(None));
        // Others can still start.
        let next = runtime();
        threads.run([job(&done, || true)], next.handle());
        assert_eq!(results.blocking_recv(), Some(Some(true)));
    }
}
