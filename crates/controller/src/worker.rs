//! The workers of a controller.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::{BoxFuture, observe_reads};
use client_rs_client::{observe_task, observe_writes};
use client_rs_leaderelection::LeadershipScope;
use client_rs_leaderelection::sharding::Claim;
use client_rs_machinery::hash::HashMap;
use client_rs_machinery::{ApiError, ObjectKey, WriteObserver, collections::sort_by_key};
use client_rs_workqueue::{Item, Outcome, WorkQueue, WorkerPool, WorkerPoolOptions, panic_message};
use futures_util::FutureExt;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::action::Again;
use crate::detect::{Detectors, Finding, InformerFacts, LOOK, look_after};
use crate::ended_runs::EndedRuns;
use crate::own_writes::{Hold, OwnWrites};
use crate::recorder::{Cause, EndedRun, Informers, Log, Name, RunLog, Skip, Source, What, hash_of, micros};
use crate::run_token::RunToken;
use crate::settle::Settle;
use crate::sharded::Sharding;
use crate::slots::Slots;
use crate::span::RunSpan;
use crate::task::spawn;
use crate::{
    BusyKey, Context, ControllerOptions, ControllerState, Counts, InFlight, ReconcileMetrics,
    ReconcileOutcome, Reconciler, Result, Term,
};

type BoxReconciler = Box<dyn Fn(ObjectKey, Context) -> BoxFuture<'static, Result> + Send + Sync>;

/// The state that the workers of one controller share.
pub(crate) struct Core {
    pub(crate) name: Arc<str>,
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) options: ControllerOptions,
    pub(crate) log: Log,
    pub(crate) sources: Vec<Arc<Source>>,
    pub(crate) sharding: Option<Sharding>,
    pub(crate) own_writes: Arc<OwnWrites>,
    pub(crate) settle: Option<Settle>,
    reconcile: BoxReconciler,
    phase: AtomicU8,
    runs: Mutex<Runs>,
    ended_runs: Arc<EndedRuns>,
    #[cfg(feature = "recording")]
    derived: crate::recording::Derived,
    /// The recording that it belongs to, once it works.
    #[cfg(feature = "recording")]
    tape: std::sync::OnceLock<Option<Arc<dyn crate::recording::Tape>>>,
}

/// The parts of a controller, without its reconcile function.
pub(crate) struct CoreParts {
    pub(crate) name: Arc<str>,
    pub(crate) queue: WorkQueue<ObjectKey>,
    pub(crate) options: ControllerOptions,
    pub(crate) sharding: Option<Sharding>,
    pub(crate) own_writes: Arc<OwnWrites>,
    pub(crate) log: Log,
    pub(crate) sources: Vec<Arc<Source>>,
    #[cfg(feature = "recording")]
    pub(crate) derived: crate::recording::Derived,
}

#[derive(Default)]
pub(crate) struct Runs {
    pub(crate) in_flight: HashMap<ObjectKey, Arc<RunLog>>,
    counts: Counts,
    /// The sum of their durations.
    spent: Duration,
    last_error: Option<(ObjectKey, String)>,
    /// The last errors of keys that fail, at most [`MOST_ERRORS`].
    pub(crate) errors: HashMap<ObjectKey, String>,
}

/// For how many failing keys the text of the error is kept.
const MOST_ERRORS: usize = 1024;
/// The most bytes of such a text.
const MOST_ERROR_BYTES: usize = 1024;

/// The error of a run.
struct Failure {
    text: String,
    /// The status code of the server's response, or zero.
    code: u16,
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

pub(crate) const PHASES: [&str; 5] = ["waiting", "syncing", "running", "stopping", "stopped"];

impl Core {
    pub(crate) fn new<R: Reconciler>(parts: CoreParts, reconciler: R) -> Self {
        let reconciler = Arc::new(reconciler);
        let slots = Arc::new(Slots::default());
        let reconcile: BoxReconciler = Box::new(move |key, context| {
            let reconciler = Arc::clone(&reconciler);
            slots.boxed(async move { reconciler.reconcile(key, context).await })
        });
        #[cfg(feature = "recording")]
        let derived = parts.derived;
        let CoreParts { name, queue, options, sharding, own_writes, log, sources, .. } = parts;
        let ended_runs = EndedRuns::new(Arc::clone(&log.attention));
        let settle = options.settle_window.filter(|window| !window.is_zero()).map(Settle::new);
        Self {
            name,
            queue,
            options,
            log,
            sources,
            sharding,
            own_writes,
            settle,
            reconcile,
            phase: AtomicU8::new(Phase::Waiting as u8),
            runs: Mutex::default(),
            ended_runs,
            #[cfg(feature = "recording")]
            derived,
            #[cfg(feature = "recording")]
            tape: std::sync::OnceLock::new(),
        }
    }

    #[cfg(feature = "recording")]
    fn tape(&self) -> Option<&Arc<dyn crate::recording::Tape>> {
        self.tape.get_or_init(|| crate::recording::tape_of(&self.own_writes.logs())).as_ref()
    }

    pub(crate) fn enter(&self, phase: Phase) {
        if self.phase.swap(phase as u8, Ordering::Relaxed) != phase as u8 {
            self.log.write(What::Phase(phase as u8));
        }
    }

    pub(crate) fn phase(&self) -> &'static str {
        PHASES[usize::from(self.phase.load(Ordering::Relaxed)).min(PHASES.len() - 1)]
    }

    pub(crate) fn state(&self) -> ControllerState {
        let runs = self.runs();
        let now = Instant::now();
        let mut in_flight: Vec<_> = runs.in_flight.iter().map(|(key, run)| (run.began, key)).collect();
        sort_by_key(&mut in_flight, |run| *run);
        let in_flight = in_flight.into_iter().map(|(since, key)| InFlight {
            key: key.to_string(),
            seconds: now.duration_since(since).as_secs_f64(),
        });
        let time = |at| self.log.recorder.time(at);
        let at = self.log.recorder.at(now);
        let (findings, busiest) = {
            self.log.recorder.flush();
            let detectors = self.detectors();
            (detectors.findings(at), detectors.busiest(at))
        };
        let findings = findings.into_iter().map(|found| Finding {
            kind: found.kind,
            subject: found.subject,
            text: found.text,
            since: time(found.since),
            last: time(found.last),
        });
        ControllerState {
            findings: findings.collect(),
            name: self.name.to_string(),
            phase: self.phase(),
            workers: self.workers(),
            ready: self.queue.len(),
            delayed: self.queue.waiting(),
            in_flight: in_flight.collect(),
            stale_waits: self.own_writes.state(),
            suppressed_writes: self.own_writes.suppressed(),
            counts: runs.counts,
            run_seconds: runs.spent.as_secs_f64(),
            busiest: busiest.into_iter().map(|(key, runs)| BusyKey { key: key.to_string(), runs }).collect(),
            shards: self.sharding.as_ref().map(Sharding::held),
            last_error: runs.last_error.as_ref().map(|(key, error)| (key.to_string(), error.clone())),
        }
    }

    /// Works until the term is given up. Then waits until the runs in progress have ended, until the drain times out, or
    /// until the term is lost. Returns when no run is left.
    pub(crate) async fn work(self: &Arc<Self>, term: &Term) {
        let stop = term.stopping();
        self.enter(Phase::Running);
        self.report(|metrics| metrics.workers(self.workers()));
        #[cfg(feature = "recording")]
        if let Some(tape) = self.tape() {
            if let Some(directions) = tape.directions(&self.name) {
                if let Some(graph) = self.derived.hold() {
                    tape.derives(&self.name, graph);
                }
                self.follow(directions, term).await;
                self.enter(Phase::Stopping);
                return;
            }
            self.derived.note();
        }
        let (core, stopping, scope) = (Arc::clone(self), stop.clone(), term.scope().cloned());
        let mut pool = WorkerPool::start_items_until(
            self.queue.clone(),
            WorkerPoolOptions::default().with_workers(self.workers()),
            || stop.clone().cancelled_owned(),
            move |item: &Item<ObjectKey>| {
                let (key, waited) = (item.key().clone(), item.waited());
                Arc::clone(&core).run(key, waited, RunToken::new(&stopping), scope.clone())
            },
        );
        let until_stop = async {
            if let Some(sharding) = &self.sharding {
                sharding.take_over(&self.queue, &self.log, stop).await;
            }
            // The replica may leave first: then no key can be claimed until the stop.
            stop.cancelled().await;
        };
        tokio::select! {
            biased;
            () = until_stop => {}
            () = self.own_writes.follow(|key| self.wait_for_caches(key, stop)) => {}
            () = self.observe() => {}
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
        stopping: RunToken,
        scope: Option<LeadershipScope>,
    ) -> Outcome {
        let claim = match self.sharding.as_ref().map(|sharding| sharding.claim(&key)) {
            // Another replica works on it. The key is enqueued again when its shard arrives here.
            Some(None) => {
                let shard = self.sharding.as_ref().map_or(0, |sharding| sharding.of(&key));
                self.log.write(What::Skipped { key: Name::of(&key), why: Skip::OtherShard(shard) });
                return Outcome::Done;
            }
            Some(Some(claim)) => Some(claim),
            None => None,
        };
        if let Some(left) = self.settle.as_ref().and_then(|settle| settle.left(&key, Instant::now())) {
            let why = Skip::Settling(u64::try_from(left.as_millis()).unwrap_or(u64::MAX));
            self.log.write(What::Skipped { key: Name::of(&key), why });
            self.queue.add_after(key, left);
            return Outcome::Skip;
        }
        if self.is_held(&key, stopping.term()) {
            return Outcome::Skip;
        }
        let failures = self.queue.num_requeues(&key);
        let scope = claim.as_ref().map(|claim| claim.scope().clone()).or(scope);
        self.run_now(key, Begin { waited, failures, direction: None }, stopping, scope, claim).await
    }

    /// Makes the runs of a replay, instead of those of the queue.
    #[cfg(feature = "recording")]
    async fn follow(
        self: &Arc<Self>,
        mut directions: tokio::sync::mpsc::UnboundedReceiver<crate::recording::Direction>,
        term: &Term,
    ) {
        let stop = term.stopping();
        let mut runs = tokio::task::JoinSet::new();
        let directed = async {
            while let Some(direction) = directions.recv().await {
                let crate::recording::Direction { run, key, failures } = direction;
                let claim = self.sharding.as_ref().and_then(|sharding| sharding.claim(&key));
                let scope =
                    claim.as_ref().map(|claim| claim.scope().clone()).or_else(|| term.scope().cloned());
                let begin = Begin { waited: None, failures, direction: Some(run) };
                crate::task::spawn_in(
                    &mut runs,
                    Arc::clone(self).run_now(key, begin, RunToken::new(stop), scope, claim),
                );
            }
            stop.cancelled().await;
        };
        tokio::select! {
            biased;
            () = stop.cancelled() => {}
            () = directed => {}
            () = self.own_writes.follow_lists() => {}
        }
        runs.shutdown().await;
    }

    /// Reconciles a key.
    async fn run_now(
        self: Arc<Self>,
        key: ObjectKey,
        begin: Begin,
        stopping: RunToken,
        scope: Option<LeadershipScope>,
        claim: Option<Claim>,
    ) -> Outcome {
        let Begin { waited, failures, .. } = begin;
        let context = Context { controller: Arc::clone(&self.name), failures, stopping, scope };
        let span = RunSpan::new(&self.name, &key, failures, waited);
        let own_writes = self.own_writes.of_run(key.clone());
        let run = Run::begin(&self, key.clone(), span, begin, own_writes.clone());
        let call = async {
            let work = (self.reconcile)(key.clone(), context);
            #[cfg(feature = "recording")]
            let work: BoxFuture<'static, _> = match (run.recorded, self.tape()) {
                (Some(number), Some(tape)) => {
                    let core = Arc::clone(&self);
                    let see = Box::new(move || crate::recording::seen(&core.sources, &core.derived));
                    Box::pin(crate::recording::CurrentRun::scope(number, see, tape, work))
                }
                _ => work,
            };
            let work: BoxFuture<'static, _> = if self.log.is_off() {
                Box::pin(observe_writes(own_writes, work))
            } else {
                Box::pin(observe_task(run.log.clone(), observe_reads(run.log.clone(), work)))
            };
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
        let mut code = 0;
        let (outcome, next, error) = match ended {
            Ok(Ok(Some(Ok(action)))) => match action.again {
                Again::OnChange => (ReconcileOutcome::Success, Outcome::Done, None),
                Again::After(delay) => (ReconcileOutcome::RequeueAfter, Outcome::RetryAfter(delay), None),
                Again::RateLimited => (ReconcileOutcome::Requeue, Outcome::Retry, None),
            },
            Ok(Ok(Some(Err(error)))) if error.is_terminal() => {
                code = code_of(&error);
                (ReconcileOutcome::TerminalError, Outcome::Done, Some(error.to_string()))
            }
            Ok(Ok(Some(Err(error)))) => {
                code = code_of(&error);
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
        let again = match next {
            Outcome::RetryAfter(delay) => Some(delay),
            _ => None,
        };
        run.end(outcome, error.map(|text| Failure { text, code }), again);
        next
    }

    /// Records what the informers do, and runs the detectors: every few seconds while there is work, otherwise when something
    /// happens, or when a watch may have become silent. Never returns.
    async fn observe(self: &Arc<Self>) {
        if self.log.is_off() {
            return std::future::pending().await;
        }
        let mut informers = Informers::new(&self.sources);
        let attention = &self.log.attention;
        let mut woken = true;
        loop {
            attention.sleep();
            let mut wait = self.detect().await;
            // The event that woke it may not be visible yet.
            if std::mem::take(&mut woken) {
                wait = wait.min(LOOK);
            }
            if wait <= LOOK {
                attention.stay_awake();
            }
            let timer = tokio::time::sleep(Duration::from_micros(wait.unsigned_abs()));
            tokio::pin!(timer);
            loop {
                tokio::select! {
                    biased;
                    () = informers.changed() => informers.look(&self.log),
                    () = attention.wanted() => {
                        woken = true;
                        break;
                    }
                    () = &mut timer => break,
                }
            }
        }
    }

    /// Runs the detectors, and reports what they have found. Returns after how many microseconds they have to run again if nothing
    /// happens.
    async fn detect(self: &Arc<Self>) -> i64 {
        self.log.recorder.flush();
        let suspects = self.detectors().suspects();
        for key in suspects {
            let (core, of) = (Arc::clone(self), key.clone());
            // Reading the recorder takes milliseconds.
            let own = tokio::task::spawn_blocking(move || core.why(&of, None).own_write_runs()).await;
            let at = self.log.recorder.at(Instant::now());
            self.detectors().looked_at(at, &key, own.unwrap_or_default());
        }
        let handler = format!("controller {}", self.name);
        let facts: Vec<InformerFacts> = self.sources.iter().map(|source| source.facts(&handler)).collect();
        let (ready, at) = (self.queue.len(), self.log.recorder.at(Instant::now()));
        let busy = ready > 0 || !self.runs().in_flight.is_empty();
        let news = {
            let mut detectors = self.detectors();
            detectors.look(at, ready, &facts);
            detectors.news()
        };
        for found in news {
            tracing::warn!(
                controller = &*self.name,
                kind = found.kind,
                subject = found.subject,
                "{}",
                found.text
            );
            self.report(|metrics| metrics.found(found.kind));
        }
        look_after(busy, &facts)
    }

    pub(crate) fn detectors(&self) -> MutexGuard<'_, Detectors> {
        self.ended_runs.detectors()
    }

    /// Whether a key must wait for a cache before it runs. The wait needs no worker, and ends with the key in the queue.
    fn is_held(self: &Arc<Self>, key: &ObjectKey, stopping: &CancellationToken) -> bool {
        match self.own_writes.hold(key) {
            Hold::Ready => return false,
            Hold::Held => {}
            Hold::Begin => self.wait_for_caches(key.clone(), stopping),
        }
        true
    }

    /// Starts a task that waits for the caches of a key that is held back. At a stop the key goes back to the queue, for the next workers.
    fn wait_for_caches(self: &Arc<Self>, key: ObjectKey, stopping: &CancellationToken) {
        let (core, stopping) = (Arc::clone(self), stopping.clone());
        spawn(async move {
            let wait = core.own_writes.wait(key.clone());
            if let Some((waited, caught_up)) = stopping.run_until_cancelled_owned(wait).await {
                core.own_writes.waited(&key, waited, caught_up);
            }
        });
    }

    /// Calls the metrics. A panic in them is logged and changes nothing else.
    fn report(&self, report: impl FnOnce(&dyn ReconcileMetrics)) {
        if let Some(metrics) = &self.options.metrics
            && catch_unwind(AssertUnwindSafe(|| report(&**metrics))).is_err()
        {
            tracing::error!(controller = &*self.name, "metrics of the controller panicked");
        }
    }

    pub(crate) fn workers(&self) -> usize {
        self.options.workers.max(1)
    }

    pub(crate) fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The status code in an error, or zero.
fn code_of(error: &crate::ReconcileError) -> u16 {
    ApiError::find(error.source()).map_or(0, |error| u16::try_from(error.code()).unwrap_or_default())
}

/// How a run begins.
#[derive(Clone, Copy)]
struct Begin {
    waited: Option<Duration>,
    failures: u32,
    /// The number that a replay has given it.
    #[cfg_attr(not(feature = "recording"), expect(dead_code, reason = "there are no replays"))]
    direction: Option<u64>,
}

/// A run in progress. A run that is dropped is counted as well.
struct Run<'c> {
    core: &'c Core,
    key: ObjectKey,
    log: Arc<RunLog>,
    waited: Option<Duration>,
    failures: u32,
    span: RunSpan,
    ended: bool,
    /// Its number in a recording.
    #[cfg(feature = "recording")]
    recorded: Option<u64>,
}

impl<'c> Run<'c> {
    fn begin(
        core: &'c Core,
        key: ObjectKey,
        span: RunSpan,
        begin: Begin,
        own_writes: Arc<dyn WriteObserver>,
    ) -> Self {
        let sources: &[Arc<Source>] = if core.log.is_off() {
            &[]
        } else {
            core.log.attention.active();
            &core.sources
        };
        let versions = sources.iter().map(|source| source.version());
        let list = core.ended_runs.list();
        let mut runs = core.runs();
        let log = Arc::new(RunLog::new(key.clone(), versions, own_writes, list));
        runs.in_flight.insert(key.clone(), Arc::clone(&log));
        drop(runs);
        core.report(|metrics| metrics.began());
        let Begin { waited, failures, .. } = begin;
        #[cfg(feature = "recording")]
        let recorded = core.tape().and_then(|tape| {
            let seen = crate::recording::seen(&core.sources, &core.derived);
            let names = (&*key.namespace, &*key.name);
            let start = crate::recording::RunStart::new(&core.name, names, failures, seen);
            tape.began(&start, begin.direction)
        });
        Self {
            core,
            key,
            log,
            waited,
            failures,
            span,
            ended: false,
            #[cfg(feature = "recording")]
            recorded,
        }
    }

    fn end(mut self, outcome: ReconcileOutcome, failure: Option<Failure>, again: Option<Duration>) {
        self.close(outcome, failure, again);
    }

    fn close(&mut self, outcome: ReconcileOutcome, failure: Option<Failure>, again: Option<Duration>) {
        self.ended = true;
        #[cfg(feature = "recording")]
        if let (Some(tape), Some(number)) = (self.core.tape(), self.recorded) {
            tape.ended(number, outcome);
        }
        let now = Instant::now();
        let took = now.saturating_duration_since(self.log.began);
        if !self.core.log.is_off() {
            self.record(now, took, outcome, failure.as_ref(), again);
        }
        let mut runs = self.core.runs();
        drop(runs.in_flight.remove(&self.key));
        runs.spent = runs.spent.saturating_add(took);
        runs.counts.count(outcome);
        if let Some(Failure { text, .. }) = failure {
            if runs.errors.len() < MOST_ERRORS || runs.errors.contains_key(&self.key) {
                let cut = text.floor_char_boundary(MOST_ERROR_BYTES);
                runs.errors.insert(self.key.clone(), text[..cut].to_owned());
            }
            runs.last_error = Some((self.key.clone(), text));
        } else if outcome != ReconcileOutcome::Cancelled && !runs.errors.is_empty() {
            runs.errors.remove(&self.key);
        }
        drop(runs);
        self.span.end(outcome, took);
        self.core.report(|metrics| metrics.ended(outcome, took));
    }

    /// Records the run.
    fn record(
        &self,
        now: Instant,
        took: Duration,
        outcome: ReconcileOutcome,
        failure: Option<&Failure>,
        again: Option<Duration>,
    ) {
        let log = &self.core.log;
        log.record_run(EndedRun {
            at: log.recorder.at(now),
            controller: log.controller,
            key: self.key.clone(),
            outcome,
            took: micros(took),
            waited: self.waited.map(micros),
            failures: self.failures,
            again: again.map(|delay| u64::try_from(delay.as_millis()).unwrap_or(u64::MAX)),
            code: failure.map_or(0, |failure| failure.code),
            error: failure.map_or(0, |failure| hash_of(&failure.text)),
            versions: self.log.versions().clone(),
            requests: self.log.take_requests(),
            sink: Arc::clone(&self.core.ended_runs) as _,
        });
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        if !self.ended {
            // The queue's item is dropped after this; the key is enqueued again then.
            self.core.queue.add(self.key.clone());
            self.close(ReconcileOutcome::Cancelled, None, None);
            self.core.log.write(What::Enqueued { key: Name::of(&self.key), cause: Cause::Dropped });
        }
    }
}
