//! The workers of a controller.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::BoxFuture;
use client_rs_client::observe_writes;
use client_rs_leaderelection::LeadershipScope;
use client_rs_machinery::{ApiError, ObjectKey};
use client_rs_workqueue::{Item, Outcome, WorkQueue, WorkerPool, WorkerPoolOptions, panic_message};
use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::action::Again;
use crate::own_writes::{Hold, OwnWrites};
use crate::settle::Settle;
use crate::sharded::Sharding;
use crate::span::RunSpan;
use crate::{
    Context, ControllerOptions, ControllerState, Counts, InFlight, ReconcileMetrics, ReconcileOutcome,
    Reconciler, Result, Term,
};

type BoxReconciler = Box<dyn Fn(ObjectKey, Context) -> BoxFuture<'static, Result> + Send + Sync>;

/// The state that the workers of one controller share.
pub(crate) struct Core {
    pub(crate) name: Arc<str>,
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) options: ControllerOptions,
    sharding: Option<Sharding>,
    own_writes: Arc<OwnWrites>,
    settle: Option<Settle>,
    reconcile: BoxReconciler,
    phase: AtomicU8,
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    in_flight: HashMap<ObjectKey, Instant>,
    counts: Counts,
    last_error: Option<(ObjectKey, String)>,
}

/// The phase of a controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Phase {
    Waiting,
    Syncing,
    Running,
    Stopping,
    Stopped,
}

const PHASES: [&str; 5] = ["waiting", "syncing", "running", "stopping", "stopped"];

impl Core {
    pub(crate) fn new<R: Reconciler>(
        name: Arc<str>,
        queue: WorkQueue<ObjectKey>,
        options: ControllerOptions,
        sharding: Option<Sharding>,
        own_writes: Arc<OwnWrites>,
        reconciler: R,
    ) -> Self {
        let reconciler = Arc::new(reconciler);
        let reconcile: BoxReconciler = Box::new(move |key, context| {
            let reconciler = Arc::clone(&reconciler);
            Box::pin(async move { reconciler.reconcile(key, context).await })
        });
        let phase = AtomicU8::new(Phase::Waiting as u8);
        let settle = options.settle_window.filter(|window| !window.is_zero()).map(Settle::new);
        Self { name, queue, options, sharding, own_writes, settle, reconcile, phase, runs: Mutex::default() }
    }

    pub(crate) fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Relaxed);
    }

    pub(crate) fn state(&self) -> ControllerState {
        let runs = self.runs();
        let now = Instant::now();
        let mut in_flight: Vec<_> = runs.in_flight.iter().map(|(key, since)| (*since, key)).collect();
        in_flight.sort_unstable();
        let in_flight = in_flight.into_iter().map(|(since, key)| InFlight {
            key: key.to_string(),
            seconds: now.duration_since(since).as_secs_f64(),
        });
        ControllerState {
            name: self.name.to_string(),
            phase: PHASES[usize::from(self.phase.load(Ordering::Relaxed)).min(PHASES.len() - 1)],
            workers: self.workers(),
            ready: self.queue.len(),
            delayed: self.queue.waiting(),
            in_flight: in_flight.collect(),
            stale_waits: self.own_writes.state(),
            suppressed_writes: self.own_writes.suppressed(),
            counts: runs.counts,
            last_error: runs.last_error.as_ref().map(|(key, error)| (key.to_string(), error.clone())),
        }
    }

    /// Works until the term is given up. Then waits until the runs in progress have ended, until the drain times out, or
    /// until the term is lost. Returns when no run is left.
    pub(crate) async fn work(self: &Arc<Self>, term: &Term) {
        let stop = term.stopping();
        self.enter(Phase::Running);
        self.report(|metrics| metrics.workers(self.workers()));
        let (core, stopping, scope) = (Arc::clone(self), stop.clone(), term.scope().cloned());
        let mut pool = WorkerPool::start_items_until(
            self.queue.clone(),
            WorkerPoolOptions::default().with_workers(self.workers()),
            || stop.clone().cancelled_owned(),
            move |item: &Item<ObjectKey>| {
                let (key, waited) = (item.key().clone(), item.waited());
                Arc::clone(&core).run(key, waited, stopping.child_token(), scope.clone())
            },
        );
        let stopped = async {
            if let Some(sharding) = &self.sharding {
                sharding.take_over(&self.queue, stop).await;
            }
            // The replica may leave first: then no key can be claimed until the stop.
            stop.cancelled().await;
        };
        tokio::select! {
            biased;
            () = stopped => {}
            () = self.own_writes.follow_lists() => {}
        }
        self.enter(Phase::Stopping);
        let why = tokio::select! {
            biased;
            // Another replica may work now: do not wait for the drain.
            () = term.lost().cancelled() => "leadership was lost",
            drained = tokio::time::timeout(self.options.drain_timeout, pool.ended()) => match drained {
                Ok(()) => return,
                Err(_) => "the drain timed out",
            },
        };
        let left = self.runs().in_flight.len();
        tracing::warn!(controller = &*self.name, runs = left, why, "dropping runs in progress");
        // Their keys are enqueued again for the next workers of this queue. When this returns, none of them runs.
        pool.abort().await;
    }

    /// Reconciles a key and decides when to do so again.
    async fn run(
        self: Arc<Self>,
        key: ObjectKey,
        waited: Option<Duration>,
        stopping: CancellationToken,
        scope: Option<LeadershipScope>,
    ) -> Outcome {
        let claim = match self.sharding.as_ref().map(|sharding| sharding.claim(&key)) {
            // Another replica works on it. The key is enqueued again when its shard arrives here.
            Some(None) => return Outcome::Done,
            Some(Some(claim)) => Some(claim),
            None => None,
        };
        if let Some(left) = self.settle.as_ref().and_then(|settle| settle.left(&key, Instant::now())) {
            self.queue.add_after(key, left);
            return Outcome::Skip;
        }
        if self.is_held(&key, &stopping) {
            return Outcome::Skip;
        }
        let failures = self.queue.num_requeues(&key);
        let scope = claim.as_ref().map(|claim| claim.scope().clone()).or(scope);
        let context = Context { controller: Arc::clone(&self.name), failures, stopping, scope };
        let span = RunSpan::new(&self.name, &key, failures, waited);
        let run = Run::begin(&self, key.clone(), span);
        let call = async {
            let work = (self.reconcile)(key.clone(), context);
            let work = observe_writes(self.own_writes.of_run(key.clone()), work);
            match &claim {
                None => Some(work.await),
                Some(claim) => claim.run(work).await.ok(),
            }
        };
        let call = run.span.around(AssertUnwindSafe(call).catch_unwind());
        let ended = match self.options.reconcile_timeout {
            None => Ok(call.await),
            Some(limit) => tokio::time::timeout(limit, call).await,
        };
        // A conflict because the cache was behind: the change that it lacks enqueues the key again in any case.
        let mut expected = false;
        let (outcome, next, error) = match ended {
            Ok(Ok(Some(Ok(action)))) => match action.again {
                Again::OnChange => (ReconcileOutcome::Success, Outcome::Done, None),
                Again::After(delay) => (ReconcileOutcome::RequeueAfter, Outcome::RetryAfter(delay), None),
                Again::RateLimited => (ReconcileOutcome::Requeue, Outcome::Retry, None),
            },
            Ok(Ok(Some(Err(error)))) if error.is_terminal() => {
                (ReconcileOutcome::TerminalError, Outcome::Done, Some(error.to_string()))
            }
            Ok(Ok(Some(Err(error)))) => {
                expected = failures == 0 && ApiError::find(error.source()).is_some_and(ApiError::is_conflict);
                (ReconcileOutcome::Error, Outcome::Retry, Some(error.to_string()))
            }
            // Another replica may work on the key now.
            Ok(Ok(None)) => (ReconcileOutcome::Cancelled, Outcome::Retry, None),
            Ok(Err(panic)) => (
                ReconcileOutcome::Panic,
                Outcome::Retry,
                Some(format!("panicked: {}", panic_message(&*panic))),
            ),
            Err(_) => {
                let limit = self.options.reconcile_timeout.unwrap_or_default();
                (ReconcileOutcome::Timeout, Outcome::Retry, Some(format!("took longer than {limit:?}")))
            }
        };
        run.span.within(|| match &error {
            None => {}
            Some(error) if expected => {
                tracing::debug!(controller = &*self.name, %key, error, "reconcile met a conflict");
            }
            Some(error) => {
                tracing::warn!(controller = &*self.name, %key, failures, ?outcome, error, "reconcile failed");
            }
        });
        if let Some(settle) = &self.settle {
            settle.ended(&key, Instant::now());
        }
        run.end(outcome, error);
        next
    }

    /// Whether a key must wait for a cache before it runs. The wait needs no worker, and ends with the key in the queue.
    fn is_held(self: &Arc<Self>, key: &ObjectKey, stopping: &CancellationToken) -> bool {
        match self.own_writes.hold(key) {
            Hold::Ready => return false,
            Hold::Held => return true,
            Hold::Begin => {}
        }
        let core = Arc::clone(self);
        let (key, stopping) = (key.clone(), stopping.clone());
        tokio::spawn(async move {
            let wait = core.own_writes.wait(key);
            // At a stop the key goes back to the queue, for the next workers.
            if let Some((waited, caught_up)) = stopping.run_until_cancelled_owned(wait).await {
                core.report(|metrics| metrics.waited_for_caches(waited, caught_up));
            }
        });
        true
    }

    /// Calls the metrics. A panic in them is logged and changes nothing else.
    fn report(&self, report: impl FnOnce(&dyn ReconcileMetrics)) {
        if let Some(metrics) = &self.options.metrics
            && catch_unwind(AssertUnwindSafe(|| report(&**metrics))).is_err()
        {
            tracing::error!(controller = &*self.name, "metrics of the controller panicked");
        }
    }

    fn workers(&self) -> usize {
        self.options.workers.max(1)
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A run in progress. A run that is dropped is counted as well.
struct Run<'c> {
    core: &'c Core,
    key: ObjectKey,
    began: Instant,
    span: RunSpan,
    ended: bool,
}

impl<'c> Run<'c> {
    fn begin(core: &'c Core, key: ObjectKey, span: RunSpan) -> Self {
        let began = Instant::now();
        core.runs().in_flight.insert(key.clone(), began);
        core.report(|metrics| metrics.began());
        Self { core, key, began, span, ended: false }
    }

    fn end(mut self, outcome: ReconcileOutcome, error: Option<String>) {
        self.close(outcome, error);
    }

    fn close(&mut self, outcome: ReconcileOutcome, error: Option<String>) {
        self.ended = true;
        let mut runs = self.core.runs();
        runs.in_flight.remove(&self.key);
        let counts = &mut runs.counts;
        *match outcome {
            ReconcileOutcome::Success => &mut counts.success,
            ReconcileOutcome::Requeue | ReconcileOutcome::RequeueAfter => &mut counts.requeue,
            ReconcileOutcome::Error => &mut counts.errors,
            ReconcileOutcome::TerminalError => &mut counts.terminal_errors,
            ReconcileOutcome::Panic => &mut counts.panics,
            ReconcileOutcome::Timeout => &mut counts.timeouts,
            ReconcileOutcome::Cancelled => &mut counts.cancelled,
        } += 1;
        if let Some(error) = error {
            runs.last_error = Some((self.key.clone(), error));
        }
        drop(runs);
        let took = self.began.elapsed();
        self.span.end(outcome, took);
        self.core.report(|metrics| metrics.ended(outcome, took));
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if !self.ended {
            // The queue's item is dropped after this; the key is enqueued again then.
            self.core.queue.add(self.key.clone());
            self.close(ReconcileOutcome::Cancelled, None);
        }
    }
}
