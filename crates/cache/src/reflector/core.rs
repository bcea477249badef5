//! The reflector without requests and clock: everything between the machine and the queue.
//!
//! The shell sends the requests, and passes in the responses and the time. A simulation does the same without a runtime.

use std::sync::Arc;
use std::time::{Duration, Instant};

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{ListSummary, WatchEvent, WatchEventType};
use client_rs_machinery::{ApiError, GroupVersionKind, Object, Str, canary};

use super::ReflectorOptions;
use super::consistency::ConsistencyCheck;
use super::machine::{Actions, Disposal, Event, Machine, MachineOptions, Next, Note};
use super::options::{ShouldResync, WatchErrorHandler};
use super::staging::{Staged, Staging};
use super::status::StatusCell;
use crate::metrics::InformerMetrics;
use crate::{Bookmark, Coverage, FetchContext, FetchError, Incoming, Queue, Replacement};

/// A reflector without its source.
pub(crate) struct Core<K: Object, Q> {
    pub(super) queue: Arc<Q>,
    pub(crate) machine: Machine,
    pub(super) name: String,
    coverage: Coverage,
    pub(super) fetch: FetchContext<K>,
    should_resync: Option<ShouldResync>,
    expected_kind: Option<GroupVersionKind>,
    on_error: Option<WatchErrorHandler>,
    pub(super) consistency_check: Option<ConsistencyCheck<K>>,
    metrics: Option<Arc<dyn InformerMetrics>>,
    pub(super) status: Arc<StatusCell>,
    /// The list that is not complete yet.
    staging: Staging<K>,
    /// The request of a streamed list.
    pub(super) request: Box<ListOptions>,
    /// When the list began.
    began: Option<Instant>,
    /// Whether the queue may have a list of a server that has reused its versions, so that the cache still has the objects of
    /// before.
    was_rewound: bool,
}

/// A page of a list that is arriving.
pub(crate) struct ArrivingPage<K, Q> {
    queue: Arc<Q>,
    fetch: FetchContext<K>,
    expected: Option<GroupVersionKind>,
    staging: Staging<K>,
    undecodable: u64,
    problem: Option<FetchError>,
}

impl<K: Object, Q: Queue<K>> ArrivingPage<K, Q> {
    /// Adds an item.
    pub(crate) fn put(&mut self, item: Incoming<K>) {
        let Self { queue, fetch, expected, staging, undecodable, problem } = self;
        if let Err(error) = stage(item, staging, &**queue, Some(fetch), expected.as_ref(), undecodable) {
            problem.get_or_insert(error);
        }
    }
}

impl<K: Object, Q: Queue<K>> Core<K, Q> {
    pub(crate) fn new(queue: Arc<Q>, options: ReflectorOptions<K>) -> Self {
        let machine = Machine::new(MachineOptions {
            watch_list: options.watch_list,
            page_size: options.page_size,
            min_watch_timeout: options.min_watch_timeout,
            max_internal_error_retry: options.max_internal_error_retry,
            resync_period: options.resync_period.filter(|period| !period.is_zero()),
            check_consistency: options.consistency_check.is_some(),
            backoff: options.backoff,
            random: options.random,
        });
        let kind = options.expected_kind.as_ref().map(ToString::to_string);
        Self {
            queue,
            machine,
            name: options.name.or(kind).unwrap_or_else(|| std::any::type_name::<K>().to_owned()),
            coverage: options.coverage,
            fetch: options.fetch,
            should_resync: options.should_resync,
            expected_kind: options.expected_kind,
            on_error: options.on_error,
            consistency_check: options.consistency_check,
            metrics: options.metrics,
            status: Arc::default(),
            staging: Staging::default(),
            request: Box::new(ListOptions::EMPTY),
            began: None,
            was_rewound: false,
        }
    }

    /// Passes an event to the machine and performs its actions, except the next step.
    pub(crate) fn step(&mut self, event: Event, now: Instant) -> Actions {
        let mut actions = self.machine.step(event, now);
        if let Some(error) = actions.report.take() {
            self.report(&error);
        }
        if let Some(note) = actions.note.take() {
            log(&self.name, &note);
        }
        if std::mem::take(&mut actions.resync) && self.should_resync.as_mut().is_none_or(|ask| ask(now)) {
            self.queue.resync(self.coverage.clone());
        }
        let reached = actions.resource_version.take();
        let phase = self.machine.phase();
        self.status.edit(|status| {
            status.phase = phase;
            if let Some(reached) = reached {
                status.resource_version = reached;
            }
        });
        actions
    }

    /// Prepares the next step: a new list begins with an empty staging table.
    pub(crate) fn prepare(&mut self, next: &Next, now: impl FnOnce() -> Instant) {
        let (Next::List { options, first_page: true } | Next::Watch { options, stream: true }) = next else {
            return;
        };
        if !canary!(6) {
            self.staging = Staging::default();
        }
        self.began = Some(now());
        self.request.clone_from(options);
    }

    /// Returns the fetch context: shared with the cache, unless the server may have reused its versions.
    pub(crate) fn fetch_now(&self) -> FetchContext<K> {
        let fetch = self.fetch.clone();
        if self.shares() { fetch } else { fetch.unshared() }
    }

    /// Returns whether cached objects can be compared with those of the server by their version. After a restore of the
    /// server they can't until the store has applied a new list.
    fn shares(&self) -> bool {
        self.machine.trusts_versions() && (!self.was_rewound || self.queue.is_idle())
    }

    /// Begins a page of a list.
    pub(crate) fn page(&mut self) -> ArrivingPage<K, Q> {
        ArrivingPage {
            queue: self.queue.clone(),
            fetch: self.fetch_now(),
            expected: self.expected_kind.clone(),
            staging: std::mem::take(&mut self.staging),
            undecodable: 0,
            problem: None,
        }
    }

    /// Ends a page, and returns the event for the machine.
    pub(crate) fn listed(
        &mut self,
        page: ArrivingPage<K, Q>,
        outcome: Result<ListSummary, FetchError>,
    ) -> Event {
        let problem = self.put_back(page);
        match (outcome, problem) {
            (Ok(list), _) if is_table(&list.api_version, &list.kind) => Event::ListFailed(FetchError::Table),
            (Err(error), _) | (Ok(_), Some(error)) => Event::ListFailed(error),
            (Ok(list), None) => {
                Event::Listed { resource_version: list.resource_version, continue_token: list.continue_token }
            }
        }
    }

    /// Keeps the items of a page. Returns why the page is of no use, if it is not.
    pub(crate) fn put_back(&mut self, page: ArrivingPage<K, Q>) -> Option<FetchError> {
        self.staging = page.staging;
        self.note_undecodable(page.undecodable);
        page.problem
    }

    /// Handles an event of the watch.
    pub(crate) fn receive(&mut self, event: WatchEvent<Incoming<K>, ApiError>, now: Instant) -> Actions {
        let (kind, incoming) = match event {
            WatchEvent::Added(incoming) => (WatchEventType::Added, incoming),
            WatchEvent::Modified(incoming) => (WatchEventType::Modified, incoming),
            WatchEvent::Deleted(incoming) => (WatchEventType::Deleted, incoming),
            WatchEvent::Bookmark { resource_version, initial_events_end } => {
                return self.receive_bookmark(resource_version, initial_events_end, now);
            }
            // The server ended the watch.
            WatchEvent::Error(error) => return self.step(Event::Broken(error.into()), now),
        };
        self.note_event(now);
        let resource_version = match self.version_of(&incoming) {
            Ok(version) => version,
            Err(Unfit::Skipped(why)) => {
                tracing::error!(reflector = self.name, %kind, why, "event skipped");
                return self.step(Event::Skipped, now);
            }
            Err(Unfit::Fatal(error)) => return self.step(Event::Broken(error), now),
        };
        let actions = self.step(Event::Object { kind: kind.clone(), resource_version }, now);
        match actions.object {
            Disposal::Apply => self.apply(&kind, incoming),
            Disposal::Stage => self.stage(&kind, incoming),
            Disposal::None => (),
        }
        actions
    }

    fn receive_bookmark(&mut self, resource_version: Str, initial_events_end: bool, now: Instant) -> Actions {
        self.note_event(now);
        let before = self.machine.last_resource_version().clone();
        let reached = resource_version.clone();
        let actions = self.step(Event::Bookmark { resource_version, initial_events_end }, now);
        if actions.next == Next::Read && self.machine.last_resource_version() != &before {
            self.queue.bookmark(Bookmark { coverage: self.coverage.clone(), resource_version: reached });
        }
        actions
    }

    fn apply(&mut self, kind: &WatchEventType, incoming: Incoming<K>) {
        let done = match (kind, incoming) {
            (WatchEventType::Deleted, Incoming::Object(object)) => self.queue.delete(object),
            (WatchEventType::Deleted, Incoming::Cached(object)) => {
                self.queue.delete_key(object.key(), object.resource_version().into());
                Ok(())
            }
            (WatchEventType::Deleted, Incoming::Undecodable(bad)) => {
                self.note_undecodable(1);
                let version = if canary!(27) { Str::EMPTY } else { bad.resource_version };
                self.queue.delete_key(bad.key, version);
                Ok(())
            }
            (WatchEventType::Added, Incoming::Object(object)) => self.queue.add(object),
            (_, Incoming::Object(object)) => self.queue.update(object),
            // The cache already has it.
            (_, Incoming::Cached(_)) => Ok(()),
            (_, Incoming::Undecodable(bad)) => {
                self.note_undecodable(1);
                tracing::error!(reflector = self.name, key = %bad.key, error = %bad.error, "object does not decode");
                if !canary!(28) {
                    self.queue.stale(bad.key, bad.resource_version);
                }
                Ok(())
            }
        };
        if let Err(error) = done {
            self.note_undecodable(1);
            tracing::error!(reflector = self.name, %error, "object can't be transformed");
        }
    }

    fn stage(&mut self, kind: &WatchEventType, incoming: Incoming<K>) {
        if kind == &WatchEventType::Deleted {
            if canary!(5) {
                return;
            }
            match incoming {
                Incoming::Object(object) => self.staging.remove(&object.key()),
                Incoming::Cached(object) => self.staging.remove(&object.key()),
                Incoming::Undecodable(bad) => self.staging.remove(&bad.key),
            }
            return;
        }
        let mut undecodable = 0;
        // `version_of` has already rejected what cannot be staged.
        let shared = self.shares().then_some(&self.fetch);
        let _ = stage(incoming, &mut self.staging, &*self.queue, shared, None, &mut undecodable);
        self.note_undecodable(undecodable);
    }

    /// Returns the list that is complete.
    pub(crate) fn staged(&mut self) -> Staged<K> {
        std::mem::take(&mut self.staging).finish()
    }

    /// Passes a complete list to the queue.
    pub(crate) fn commit(&mut self, staged: Staged<K>, resource_version: Str, now: Instant) -> Event {
        // The store has applied all earlier lists if the queue is idle.
        self.was_rewound = !self.machine.trusts_versions() || (self.was_rewound && !self.queue.is_idle());
        let items = staged.objects.len();
        let took = self.began.map(|began| now.saturating_duration_since(began)).unwrap_or_default();
        self.queue.replace(Replacement {
            coverage: self.coverage.clone(),
            objects: staged.objects,
            stale: staged.stale,
            resource_version,
            rewound: !self.machine.trusts_versions(),
        });
        self.status.edit(|status| {
            status.lists += 1;
            status.last_list_duration = Some(took);
            status.last_event = Some(now);
        });
        self.status.fetched();
        if let Some(metrics) = &self.metrics {
            metrics.listed(items, took);
        }
        if took >= SLOW_LIST {
            tracing::info!(reflector = self.name, items, ?took, "slow list");
        }
        Event::Committed
    }

    /// Returns the version of an object, or why the cache does not accept it.
    fn version_of(&self, incoming: &Incoming<K>) -> Result<Str, Unfit> {
        match incoming {
            Incoming::Object(object) => match unfit(object, self.expected_kind.as_ref()) {
                Some(why) => Err(Unfit::Skipped(why)),
                None => Ok(object.resource_version().into()),
            },
            Incoming::Cached(object) => Ok(object.resource_version().into()),
            Incoming::Undecodable(bad) if bad.key.name.is_empty() => {
                Err(Unfit::Fatal(FetchError::other(bad.error.clone())))
            }
            Incoming::Undecodable(bad) => Ok(bad.resource_version.clone()),
        }
    }

    fn report(&self, error: &FetchError) {
        report(&self.name, error, &self.status, self.metrics.as_deref(), self.on_error.as_ref());
    }

    fn note_event(&self, now: Instant) {
        self.status.edit(|status| status.last_event = Some(now));
    }

    pub(crate) fn note_watch(&self) {
        self.status.edit(|status| status.watches += 1);
        if let Some(metrics) = &self.metrics {
            metrics.watch_opened();
        }
    }

    fn note_undecodable(&self, count: u64) {
        if count > 0 {
            self.status.edit(|status| status.undecodable += count);
            if let Some(metrics) = &self.metrics {
                metrics.undecodable(count);
            }
        }
    }
}

/// Reports an error. Without a type parameter, as [`log`], so that it is compiled once.
fn report(
    name: &str,
    error: &FetchError,
    cell: &StatusCell,
    metrics: Option<&dyn InformerMetrics>,
    on_error: Option<&WatchErrorHandler>,
) {
    cell.edit(|status| {
        status.errors += 1;
        status.last_error = Some(error.to_string());
    });
    cell.fetched();
    if let Some(metrics) = metrics {
        metrics.failed(error);
    }
    match on_error {
        Some(handler) => {
            let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| handler(error)));
            if called.is_err() {
                tracing::error!(reflector = name, "watch error handler panicked");
            }
        }
        None if error.is_expired() => tracing::debug!(reflector = name, %error, "list or watch expired"),
        None => match error {
            FetchError::Eof => (),
            FetchError::Disconnected(_) => {
                tracing::info!(reflector = name, %error, "list or watch failed");
            }
            _ => tracing::error!(reflector = name, %error, "list or watch failed"),
        },
    }
}

fn log(name: &str, note: &Note) {
    match note {
        Note::FallsBack(error) => {
            tracing::debug!(reflector = name, %error, "streamed list not available, falling back to a plain list");
        }
        Note::Waits(wait, error) => tracing::debug!(reflector = name, %error, ?wait, "retrying"),
        Note::WatchEnded(error) => {
            tracing::warn!(reflector = name, %error, "watch ended, relisting");
        }
        Note::Quiet { events: 0, idle } => {
            tracing::warn!(reflector = name, ?idle, "streamed list has not started");
        }
        Note::Quiet { events, idle } => {
            tracing::warn!(reflector = name, events, ?idle, "streamed list makes no progress");
        }
        Note::Rewound => {
            tracing::warn!(
                reflector = name,
                "server is behind the cache, it was restored from a backup or lags; \
                 every object of the next list counts as new"
            );
        }
        Note::Overdue => {
            tracing::warn!(reflector = name, "server did not end the watch in time, reopening");
        }
    }
}

/// The duration from which on a list is logged as slow.
const SLOW_LIST: Duration = Duration::from_secs(10);

/// The reason why the cache does not accept an object.
enum Unfit {
    /// The object is of no use; the next one may be.
    Skipped(&'static str),
    /// The event has a meaning that cannot be determined: only a relist helps.
    Fatal(FetchError),
}

/// Puts an item into the staging table. If the cache has it at that version, stages the cached object.
pub(super) fn stage<K: Object, Q: Queue<K>>(
    item: Incoming<K>,
    staging: &mut Staging<K>,
    queue: &Q,
    shared: Option<&FetchContext<K>>,
    expected: Option<&GroupVersionKind>,
    undecodable: &mut u64,
) -> Result<(), FetchError> {
    match item {
        Incoming::Cached(object) => staging.put(object),
        Incoming::Object(object) => {
            if let Some(why) = unfit(&object, expected) {
                return if why == IS_TABLE { Err(FetchError::Table) } else { Err(FetchError::other(why)) };
            }
            let version = object.resource_version();
            let cached = shared
                .and_then(|shared| shared.cached(object.namespace(), object.name(), object.uid(), version));
            if let Some(cached) = cached {
                staging.put(cached);
                return Ok(());
            }
            let resource_version = Str::from(object.resource_version());
            match queue.stage(object) {
                Ok(object) => staging.put(object),
                Err(error) => {
                    *undecodable += 1;
                    tracing::error!(%error, "object of a list can't be transformed");
                    staging.put_undecodable(error.key, resource_version);
                }
            }
        }
        Incoming::Undecodable(bad) => {
            *undecodable += 1;
            // Its absence from the list would be a deletion of an unknown object.
            if bad.key.name.is_empty() {
                return Err(FetchError::other(bad.error));
            }
            tracing::error!(key = %bad.key, error = %bad.error, "object of a list does not decode");
            staging.put_undecodable(bad.key, bad.resource_version);
        }
    }
    Ok(())
}

const IS_TABLE: &str = "the object is a Table";

/// Returns why the cache does not accept an object.
pub(super) fn unfit<K: Object>(object: &K, expected: Option<&GroupVersionKind>) -> Option<&'static str> {
    if is_table(object.api_version(), object.kind()) {
        return Some(IS_TABLE);
    }
    if object.name().is_empty() {
        return Some("the object has no name");
    }
    let expected = expected?;
    let group_version = expected.group_version().to_string();
    let fits = object.kind() == expected.kind && object.api_version() == group_version;
    (!fits).then_some("the object is of another kind")
}

/// Returns whether it is a `Table`, which a server renders for people.
fn is_table(api_version: &str, kind: &str) -> bool {
    kind == "Table" && matches!(api_version, "meta.k8s.io/v1" | "meta.k8s.io/v1beta1")
}
