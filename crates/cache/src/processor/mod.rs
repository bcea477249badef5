//! Notifies handlers of changes: each at its own pace. Handlers that may block do not delay the others.
//!
//! ```text
//!                      ┌─▶ Pending ─▶ turn of the informer ─▶ handler
//!   changes ─▶ Processor ─▶ Pending ─▶ thread ─▶ handler that may block
//!                      └─▶ Pending ─▶ thread ─▶ handler that may block
//! ```

mod handler;
mod inline;
mod listener;
mod notification;
mod pending;
mod registration;
mod resync;
mod subscription;
mod threads;

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use client_rs_machinery::{Object, canary};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio_util::task::TaskTracker;

use crate::store::{Change, Stored};
use crate::transform::panic_message;

pub use handler::{
    AsyncEventHandler, Delivery, EventHandler, Execution, Filtered, HandlerFns, HandlerOptions,
};
pub(crate) use inline::run_in_turn;
pub(crate) use listener::{Listener, Progress, caught};
pub use notification::Notification;
pub use registration::Registration;
pub(crate) use resync::Resync;
use resync::Schedule;
pub use subscription::Subscription;
pub(crate) use threads::Job;
use threads::Threads;

/// Serves the queue of a handler; started with the processor.
pub(crate) type Runner<K> =
    Box<dyn FnOnce(Arc<Listener<K>>, Arc<Threads>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// All handlers of an informer.
///
/// It is not shared: its owner makes a change of the store and the notification one step, so that a handler
/// that is added in between misses nothing and gets nothing twice.
pub(crate) struct Processor<K: Object> {
    members: Vec<Member<K>>,
    resync: Resync,
    phase: Phase,
    tasks: TaskTracker,
    /// The runtime of the handlers: handlers may be added from threads outside it.
    runtime: Option<Handle>,
    /// For the handlers that may block.
    threads: Arc<Threads>,
    upstream_synced: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Created,
    Running,
    Stopped,
}

/// A handler of an informer.
#[must_use = "a handler that was removed is ended once the lock of its informer is released"]
pub(crate) struct Member<K: Object> {
    id: u64,
    name: String,
    listener: Arc<Listener<K>>,
    schedule: Schedule,
    /// Set until the processor starts.
    runner: Option<Runner<K>>,
    over: Arc<Over>,
}

/// The progress of a handler.
#[derive(Clone, Debug)]
pub(crate) struct HandlerProgress {
    pub(crate) name: String,
    pub(crate) resync_period: Duration,
    pub(crate) progress: Progress,
}

impl<K: Object> Processor<K> {
    pub(crate) fn new(resync: Duration) -> Self {
        Self {
            members: Vec::new(),
            resync: Resync::new(resync),
            phase: Phase::Created,
            tasks: TaskTracker::new(),
            runtime: None,
            threads: Arc::default(),
            upstream_synced: false,
        }
    }

    /// Adds a handler, which is first notified of `existing`. Without a runner the caller reads the listener.
    pub(crate) fn add(
        &mut self,
        options: HandlerOptions,
        runner: Option<Runner<K>>,
        existing: impl IntoIterator<Item = Stored<K>>,
        now: Instant,
    ) -> (Arc<Listener<K>>, Registration) {
        // Unique in the process, so that an informer does not accept the registration of another.
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let running = self.phase == Phase::Running;
        let (schedule, shortened) = self.resync.join(options.resync_period, running, now);
        if shortened {
            for member in &mut self.members {
                member.schedule.fit(self.resync.check, now);
            }
        }
        let listener = Arc::new(Listener::new(options.delivery));
        let initial = |object| Change::Added { object, is_initial: true };
        let most = if canary!(14) { 1 } else { usize::MAX };
        // No thread is ready for it yet.
        let mut displaced = Vec::new();
        let _ = listener.push(existing.into_iter().take(most).map(initial), now, &mut displaced);
        debug_assert!(displaced.is_empty(), "nothing is merged: each object exists once");
        if self.upstream_synced {
            listener.set_upstream_synced();
        }
        let name = options.name.unwrap_or_else(|| format!("handler-{id}"));
        let over = Arc::new(Over(Arc::new(Semaphore::new(0))));
        let registration = Registration::new(id, name.clone(), listener.synced(), over.0.clone());
        let mut member = Member { id, name, listener: listener.clone(), schedule, runner, over };
        if let Some(runtime) = self.runtime.as_ref().filter(|_| running) {
            member.start(&self.tasks, &self.threads, runtime);
        }
        self.members.push(member);
        (listener, registration)
    }

    /// Removes a handler: it is notified of nothing that comes from now on. The caller [ends](Member::end) it. `None` if it was
    /// already removed.
    pub(crate) fn remove(&mut self, id: u64) -> Option<Member<K>> {
        let at = self.members.iter().position(|member| member.id == id)?;
        Some(self.members.remove(at))
    }

    /// Starts the handlers, on this runtime.
    pub(crate) fn start(&mut self, runtime: Handle) {
        if self.phase == Phase::Created {
            self.phase = Phase::Running;
            self.members.iter_mut().for_each(|member| member.start(&self.tasks, &self.threads, &runtime));
            self.runtime = Some(runtime);
        }
    }

    /// Removes all handlers. The caller ends them; each task ends when its handler returns.
    pub(crate) fn stop(&mut self) -> (Vec<Member<K>>, TaskTracker) {
        self.phase = Phase::Stopped;
        self.tasks.close();
        (std::mem::take(&mut self.members), self.tasks.clone())
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.phase == Phase::Stopped
    }

    /// Queues changes for all handlers; unchanged objects only for those that are due for a resync. Adds the handlers that the
    /// informer must run to `inline`, and objects that are dropped without a lock, as the changes, to `displaced`. Returns whether a handler
    /// lags and the informer must wait for it.
    pub(crate) fn distribute(
        &self,
        changes: &[Change<K>],
        now: Instant,
        inline: &mut Vec<Arc<dyn Job>>,
        displaced: &mut Vec<Stored<K>>,
    ) -> bool {
        let resyncs = changes.iter().any(Change::is_resync);
        let mut behind = false;
        let mut ready: Vec<Arc<dyn Job>> = Vec::new();
        for member in &self.members {
            let queued = if member.schedule.syncing() || !resyncs {
                member.listener.push(changes.iter().cloned(), now, displaced)
            } else {
                let same =
                    |change: &Change<K>| change.is_resync() || (canary!(13) && change.is_same_version());
                let news = changes.iter().filter(|change| !same(change));
                member.listener.push(news.cloned(), now, displaced)
            };
            behind |= queued.behind;
            match queued.runs {
                None => {}
                Some(Execution::Inline) => inline.push(member.listener.clone()),
                Some(Execution::Blocking) => ready.push(member.listener.clone()),
            }
        }
        // All at once: the threads that take them do not compete with this loop for the lock of their queue.
        if let Some(runtime) = self.runtime.as_ref().filter(|_| !ready.is_empty()) {
            self.threads.run(ready, runtime);
        }
        behind
    }

    /// Returns the names and queues of the handlers that the informer may have to wait for.
    pub(crate) fn paced(&self) -> Vec<(String, Arc<Listener<K>>)> {
        let paced = self.members.iter().filter(|member| member.listener.is_paced());
        paced.map(|member| (member.name.clone(), member.listener.clone())).collect()
    }

    /// Determines which handlers are due for a resync. Returns whether one is.
    pub(crate) fn should_resync(&mut self, now: Instant) -> bool {
        // Every handler is checked, because the check sets its next time.
        self.members.iter_mut().fold(false, |any, member| member.schedule.is_due(now) | any)
    }

    /// Returns the period of [`should_resync`](Self::should_resync); `None` for never.
    pub(crate) fn check_period(&self) -> Option<Duration> {
        (!self.resync.check.is_zero()).then_some(self.resync.check)
    }

    /// Notes that the cache has its first list.
    pub(crate) fn set_upstream_synced(&mut self) {
        self.upstream_synced = true;
        self.members.iter().for_each(|member| member.listener.set_upstream_synced());
    }

    pub(crate) fn progress(&self) -> Vec<HandlerProgress> {
        let progress = |member: &Member<K>| HandlerProgress {
            name: member.name.clone(),
            resync_period: member.schedule.period(),
            progress: member.listener.progress(),
        };
        self.members.iter().map(progress).collect()
    }
}

impl<K: Object> Member<K> {
    fn start(&mut self, tasks: &TaskTracker, threads: &Arc<Threads>, runtime: &Handle) {
        if let Some(runner) = self.runner.take() {
            spawn(runner(self.listener.clone(), threads.clone()), self.over.clone(), tasks, runtime);
        }
    }

    /// Drops the waiting notifications and, unless it is being called, the handler. Not under a lock: a handler is the user's, and what
    /// it owns may use the informer when it is dropped. A panic there goes no further.
    pub(crate) fn end(self) {
        let (name, _over) = (self.name.clone(), self.over.clone());
        let dropped = catch_unwind(AssertUnwindSafe(|| {
            self.listener.close();
            drop(self);
        }));
        if let Err(panic) = dropped {
            tracing::error!(
                handler = name,
                panic = panic_message(&*panic),
                "event handler panicked when it was dropped"
            );
        }
    }
}

/// The task of a handler. The fields are dropped in their order, also if the runtime drops the task.
struct Running {
    run: Pin<Box<dyn Future<Output = ()> + Send>>,
    _over: Arc<Over>,
}

/// Wakes the tasks that wait for the end of a handler when it is dropped: when the task of the handler has ended, and its member too.
struct Over(Arc<Semaphore>);

impl Drop for Over {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Runs a handler as a task. Without a type parameter, so that it is compiled once.
fn spawn(
    run: Pin<Box<dyn Future<Output = ()> + Send>>,
    over: Arc<Over>,
    tasks: &TaskTracker,
    runtime: &Handle,
) {
    let task = Running { run, _over: over };
    let task = async move {
        let mut task = task;
        // A panic of a call is caught where it is called. An async handler is dropped here.
        if let Err(panic) = caught(&mut task.run).await {
            let panic = panic_message(&*panic);
            tracing::error!(panic, "event handler panicked when it was dropped");
        }
    };
    tasks.spawn_on(task, runtime);
}

/// Runs a handler.
pub(crate) fn blocking<K: Object>(handler: Arc<dyn EventHandler<K>>, execution: Execution) -> Runner<K> {
    Box::new(move |listener, threads| match execution {
        Execution::Inline => Box::pin(listener.run_inline(handler)),
        Execution::Blocking => Box::pin(listener.run_on_threads(handler, threads)),
    })
}

/// Runs an async handler.
pub(crate) fn asynchronous<K: Object>(handler: impl AsyncEventHandler<K>) -> Runner<K> {
    Box::new(move |listener, _| Box::pin(listener.run_async(handler)))
}
