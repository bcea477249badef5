//! [`Reflector`]: keeps a queue, and the cache behind it, in sync with the server.
//!
//! Informers have a reflector inside; most programs only meet its options ([`ReflectorOptions`]) and its
//! [`Status`].

mod backoff;
mod consistency;
mod machine;
mod options;
mod staging;
mod status;
mod steps;
#[cfg(test)]
mod tests;

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{WatchEvent, WatchEventType};
use client_rs_machinery::{ApiError, GroupVersionKind, Object, Str};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

pub use self::backoff::{BackoffOptions, ExponentialBackoff, RetryBackoff};
pub use self::consistency::ConsistencyCheck;
use self::machine::{Actions, Disposal, Event, Machine, MachineOptions, Next, Note};
pub use self::options::{ReflectorOptions, ShouldResync, WatchErrorHandler};
use self::staging::Staging;
pub use self::status::Status;
use self::status::StatusCell;
use crate::metrics::InformerMetrics;
use crate::{
    Bookmark, Coverage, FetchContext, FetchError, Incoming, ListWatch, Queue, Replacement, WatchStream,
};

/// Keeps a queue in sync with one collection of a server: it lists, then watches, forever.
///
/// Use it directly to build an informer of your own; [`SharedInformer`](crate::SharedInformer) has one inside.
///
///
/// ```
/// # use client_rs_machinery::meta::v1::PartialObjectMetadata;
/// # fn pod(name: &str, version: u64) -> PartialObjectMetadata {
/// #     let mut pod = PartialObjectMetadata::default();
/// #     pod.metadata.namespace = "default".into();
/// #     pod.metadata.name = name.into();
/// #     pod.metadata.resource_version = version.to_string().into();
/// #     pod
/// # }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use std::sync::Arc;
/// use client_rs_cache::reflector::{Reflector, ReflectorOptions};
/// use client_rs_cache::{CancellationToken, InOrderFifo, InOrderFifoOptions, Indexer, MemoryListWatch, Queue, process_loop};
///
/// let source: MemoryListWatch<_> = [pod("web", 1), pod("db", 2)].into_iter().collect();
/// let queue = Arc::new(InOrderFifo::new(InOrderFifoOptions::default()));
/// let reflector = Reflector::new(Arc::new(source), queue.clone(), ReflectorOptions::default());
/// let (handle, cancel) = (reflector.handle(), CancellationToken::new());
///
/// let (mut writer, indexer) = Indexer::new();
/// tokio::join!(
///     reflector.run(cancel.clone()),
///     process_loop(&*queue, |batch| drop(writer.apply(batch.deltas.drain(..)))),
///     async {
///         queue.synced().await;
///         cancel.cancel();
///         queue.close();
///     },
/// );
/// assert_eq!((indexer.len(), handle.status().lists), (2, 1));
/// # Ok(())
/// # }
/// ```
///
/// - **Nothing is lost**: a watch resumes after the last version seen. If the server no longer has that
///   version, the reflector relists.
/// - **All or nothing**: a list reaches the queue when it is complete. A list that breaks off changes nothing.
/// - **Unchanged objects are shared**: an object that the cache has at the listed version is not stored a
///   second time.
/// - **An object that does not decode is never a deletion**: its last good version stays in the cache, marked
///   as stale.
/// - **Errors**: it retries with backoff and never gives up. A list without progress for five minutes is an
///   error, and a watch that the server does not end in time is reopened.
/// - **Cancellation**: dropping the future of [`run`](Self::run), or cancelling its token, ends all requests.
#[must_use = "nothing is listed or watched until `run`"]
pub struct Reflector<K: Object, Q> {
    source: Arc<dyn ListWatch<K>>,
    core: Core<K, Q>,
}

/// Everything except the source.
struct Core<K: Object, Q> {
    queue: Arc<Q>,
    machine: Machine,
    name: String,
    coverage: Coverage,
    fetch: FetchContext<K>,
    should_resync: Option<ShouldResync>,
    expected_kind: Option<GroupVersionKind>,
    on_error: Option<WatchErrorHandler>,
    consistency_check: Option<ConsistencyCheck<K>>,
    metrics: Option<Arc<dyn InformerMetrics>>,
    status: Arc<StatusCell>,
}

/// A handle to observe a reflector that runs elsewhere; see [`Reflector::handle`].
#[derive(Clone, Debug)]
pub struct ReflectorHandle {
    status: Arc<StatusCell>,
}

impl ReflectorHandle {
    /// Returns the status.
    pub fn status(&self) -> Status {
        self.status.get()
    }

    /// Returns the version that the queue has reached; empty before the first list.
    pub fn last_sync_resource_version(&self) -> Str {
        self.status.get().resource_version
    }
}

/// The result of a wait.
enum Waited<T> {
    Done(T),
    /// A deadline has passed, and other actions are due.
    Redirected(Actions),
}

/// An input of the machine, or an event of the watch with its object.
enum Happened<K> {
    Input(Event),
    Received(WatchEvent<Incoming<K>, ApiError>),
}

/// The number of events to read without waiting before other tasks get their turn.
const AT_ONCE: u32 = 256;

impl<K: Object, Q: Queue<K>> Reflector<K, Q> {
    /// Makes a reflector. It does nothing before [`run`](Self::run).
    pub fn new(source: Arc<dyn ListWatch<K>>, queue: Arc<Q>, options: ReflectorOptions<K>) -> Self {
        let machine = Machine::new(MachineOptions {
            watch_list: options.watch_list && source.supports_watch_list(),
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
            source,
            core: Core {
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
            },
        }
    }

    /// Returns a handle to observe it while it runs.
    pub fn handle(&self) -> ReflectorHandle {
        ReflectorHandle { status: self.core.status.clone() }
    }

    /// Returns the name, for logs.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// Lists and watches until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        // For every way to end: cancelled, dropped, or by a panic of the source.
        let _stopped = Stopped(self.core.status.clone());
        cancel.run_until_cancelled_owned(async move { self.run_forever().await }).await;
    }

    async fn run_forever(&mut self) {
        let Self { source, core } = self;
        let mut watch: Option<WatchStream<K>> = None;
        let mut staging = Staging::default();
        let mut request = Box::new(ListOptions::EMPTY);
        let mut began = Instant::now();
        let mut read = 0_u32;
        let mut actions = core.step(Event::Start);
        loop {
            let waited = match std::mem::replace(&mut actions.next, Next::Continue) {
                Next::Continue | Next::Rest => {
                    watch = None;
                    core.wait(std::future::pending::<Happened<K>>()).await
                }
                Next::List { options, first_page } => {
                    watch = None;
                    if first_page {
                        staging = Staging::default();
                        began = Instant::now();
                    }
                    core.list(&**source, *options, &mut staging).await
                }
                Next::Watch { options, stream } => {
                    watch = None;
                    if stream {
                        staging = Staging::default();
                        began = Instant::now();
                        request.clone_from(&options);
                    }
                    let fetch = core.fetch_now();
                    match core.wait(source.watch(*options, &fetch)).await {
                        Waited::Done(Ok(stream)) => {
                            watch = Some(stream);
                            core.note_watch();
                            Waited::Done(Happened::Input(Event::Opened))
                        }
                        Waited::Done(Err(error)) => Waited::Done(Happened::Input(Event::OpenFailed(error))),
                        Waited::Redirected(actions) => Waited::Redirected(actions),
                    }
                }
                Next::Read => {
                    // Events that have arrived are read at once, so that the process loop gets them as one
                    // batch; but not forever.
                    read = read.wrapping_add(1);
                    if read.is_multiple_of(AT_ONCE) {
                        tokio::task::yield_now().await;
                    }
                    core.read(watch.as_mut()).await
                }
                Next::Commit { resource_version, check } => {
                    let staging = std::mem::take(&mut staging);
                    let request = check.then_some(&*request);
                    let event = core.commit(&**source, request, staging, resource_version, began).await;
                    Waited::Done(Happened::Input(event))
                }
            };
            actions = match waited {
                Waited::Done(Happened::Input(event)) => core.step(event),
                Waited::Done(Happened::Received(event)) => core.receive(event, &mut staging),
                Waited::Redirected(actions) => actions,
            };
        }
    }
}

impl<K: Object, Q: Queue<K>> Core<K, Q> {
    /// Passes an event to the machine and performs its actions, except the next step.
    fn step(&mut self, event: Event) -> Actions {
        let now = Instant::now().into_std();
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

    /// Returns the fetch context: shared with the cache, unless the server may have reused its versions.
    fn fetch_now(&self) -> FetchContext<K> {
        let fetch = self.fetch.clone();
        if self.machine.trusts_versions() { fetch } else { fetch.unshared() }
    }

    /// Waits for a future while the machine handles deadlines.
    async fn wait<T>(&mut self, what: impl Future<Output = T>) -> Waited<T> {
        let mut what = pin!(what);
        loop {
            let deadline = self.machine.deadline();
            let tick = async {
                match deadline {
                    Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                done = &mut what => return Waited::Done(done),
                () = tick => {
                    let actions = self.step(Event::Tick);
                    if actions.next != Next::Continue {
                        return Waited::Redirected(actions);
                    }
                }
            }
        }
    }

    /// Lists a page into the staging table.
    async fn list(
        &mut self,
        source: &dyn ListWatch<K>,
        options: ListOptions,
        staging: &mut Staging<K>,
    ) -> Waited<Happened<K>> {
        let (queue, fetch) = (self.queue.clone(), self.fetch_now());
        let expected = self.expected_kind.clone();
        let (mut undecodable, mut problem) = (0, None);
        let items = AtomicU64::new(0);
        let mut sink = |item| {
            items.fetch_add(1, Ordering::Relaxed);
            let staged = stage(item, staging, &*queue, Some(&fetch), expected.as_ref(), &mut undecodable);
            if let Err(error) = staged {
                problem.get_or_insert(error);
            }
        };
        let list = async {
            tokio::select! {
                biased;
                listed = source.list(options, &fetch, &mut sink) => listed,
                () = stalled(&items) => Err(FetchError::other(STALLED)),
            }
        };
        let waited = self.wait(list).await;
        self.note_undecodable(undecodable);
        let event = match waited {
            Waited::Redirected(actions) => return Waited::Redirected(actions),
            Waited::Done(Err(error)) => Event::ListFailed(error),
            Waited::Done(Ok(list)) if is_table(&list.api_version, &list.kind) => {
                Event::ListFailed(FetchError::Table)
            }
            Waited::Done(Ok(list)) => match problem {
                Some(error) => Event::ListFailed(error),
                None => Event::Listed {
                    resource_version: list.resource_version,
                    continue_token: list.continue_token,
                },
            },
        };
        Waited::Done(Happened::Input(event))
    }

    /// Reads the next event of the watch, once the consumer keeps up.
    async fn read(&mut self, watch: Option<&mut WatchStream<K>>) -> Waited<Happened<K>> {
        let Some(watch) = watch else { return Waited::Done(Happened::Input(Event::Closed)) };
        let queue = self.queue.clone();
        let next = async {
            queue.ready().await;
            poll_fn(|cx| watch.as_mut().poll_next(cx)).await
        };
        match self.wait(next).await {
            Waited::Redirected(actions) => Waited::Redirected(actions),
            Waited::Done(None) => Waited::Done(Happened::Input(Event::Closed)),
            Waited::Done(Some(Err(error))) => Waited::Done(Happened::Input(Event::Broken(error))),
            Waited::Done(Some(Ok(event))) => Waited::Done(Happened::Received(event)),
        }
    }

    /// Handles an event of the watch.
    fn receive(&mut self, event: WatchEvent<Incoming<K>, ApiError>, staging: &mut Staging<K>) -> Actions {
        let (kind, incoming) = match event {
            WatchEvent::Added(incoming) => (WatchEventType::Added, incoming),
            WatchEvent::Modified(incoming) => (WatchEventType::Modified, incoming),
            WatchEvent::Deleted(incoming) => (WatchEventType::Deleted, incoming),
            WatchEvent::Bookmark { resource_version, initial_events_end } => {
                return self.receive_bookmark(resource_version, initial_events_end);
            }
            // The server ended the watch.
            WatchEvent::Error(error) => return self.step(Event::Broken(error.into())),
        };
        self.note_event();
        let resource_version = match self.version_of(&incoming) {
            Ok(version) => version,
            Err(Unfit::Skipped(why)) => {
                tracing::error!(reflector = self.name, %kind, why, "event skipped");
                return self.step(Event::Skipped);
            }
            Err(Unfit::Fatal(error)) => return self.step(Event::Broken(error)),
        };
        let actions = self.step(Event::Object { kind: kind.clone(), resource_version });
        match actions.object {
            Disposal::Apply => self.apply(&kind, incoming),
            Disposal::Stage => self.stage(&kind, incoming, staging),
            Disposal::None => (),
        }
        actions
    }

    fn receive_bookmark(&mut self, resource_version: Str, initial_events_end: bool) -> Actions {
        self.note_event();
        let before = self.machine.last_resource_version().clone();
        let reached = resource_version.clone();
        let actions = self.step(Event::Bookmark { resource_version, initial_events_end });
        if actions.next == Next::Read && self.machine.last_resource_version() != &before {
            self.queue.bookmark(Bookmark { coverage: self.coverage.clone(), resource_version: reached });
        }
        actions
    }

    fn apply(&mut self, kind: &WatchEventType, incoming: Incoming<K>) {
        let done = match (kind, incoming) {
            (WatchEventType::Deleted, Incoming::Object(object)) => self.queue.delete(object),
            (WatchEventType::Deleted, Incoming::Cached(object)) => {
                self.queue.delete_key(object.key());
                Ok(())
            }
            (WatchEventType::Deleted, Incoming::Undecodable(bad)) => {
                self.note_undecodable(1);
                self.queue.delete_key(bad.key);
                Ok(())
            }
            (WatchEventType::Added, Incoming::Object(object)) => self.queue.add(object),
            (_, Incoming::Object(object)) => self.queue.update(object),
            // The cache already has it.
            (_, Incoming::Cached(_)) => Ok(()),
            (_, Incoming::Undecodable(bad)) => {
                self.note_undecodable(1);
                tracing::error!(reflector = self.name, key = %bad.key, error = %bad.error, "object does not decode");
                self.queue.stale(bad.key, bad.resource_version);
                Ok(())
            }
        };
        if let Err(error) = done {
            self.note_undecodable(1);
            tracing::error!(reflector = self.name, %error, "object can't be transformed");
        }
    }

    fn stage(&mut self, kind: &WatchEventType, incoming: Incoming<K>, staging: &mut Staging<K>) {
        if kind == &WatchEventType::Deleted {
            match incoming {
                Incoming::Object(object) => staging.remove(&object.key()),
                Incoming::Cached(object) => staging.remove(&object.key()),
                Incoming::Undecodable(bad) => staging.remove(&bad.key),
            }
            return;
        }
        let mut undecodable = 0;
        // `version_of` has already rejected what cannot be staged.
        let shared = self.machine.trusts_versions().then_some(&self.fetch);
        let _ = stage(incoming, staging, &*self.queue, shared, None, &mut undecodable);
        self.note_undecodable(undecodable);
    }

    /// Passes the staged list to the queue.
    async fn commit(
        &mut self,
        source: &dyn ListWatch<K>,
        check_against: Option<&ListOptions>,
        staging: Staging<K>,
        resource_version: Str,
        began: Instant,
    ) -> Event {
        let staged = staging.finish();
        if let (Some(request), Some(check)) = (check_against, &self.consistency_check) {
            let transform = |object| self.queue.stage(object).ok();
            let objects = &staged.objects;
            let checked =
                check.check(source, &self.fetch, transform, request, &resource_version, objects).await;
            if let Err(error) = checked {
                return Event::CommitFailed(error);
            }
        }
        let (items, took) = (staged.objects.len(), began.elapsed());
        self.queue.replace(Replacement {
            coverage: self.coverage.clone(),
            objects: staged.objects,
            stale: staged.stale,
            resource_version,
            rewound: !self.machine.trusts_versions(),
        });
        let now = Instant::now().into_std();
        self.status.edit(|status| {
            status.lists += 1;
            status.last_list_duration = Some(took);
            status.last_event = Some(now);
        });
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

    fn note_event(&self) {
        let now = Instant::now().into_std();
        self.status.edit(|status| status.last_event = Some(now));
    }

    fn note_watch(&self) {
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
    status: &StatusCell,
    metrics: Option<&dyn InformerMetrics>,
    on_error: Option<&WatchErrorHandler>,
) {
    status.edit(|status| {
        status.errors += 1;
        status.last_error = Some(error.to_string());
    });
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

/// Sets the status of a reflector to stopped when dropped.
struct Stopped(Arc<StatusCell>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.edit(|status| status.phase = "stopped");
    }
}

/// How long a list may go without an item before it counts as lost. Servers end a list after a minute by default; the
/// client may first wait for its rate limit, or for a `Retry-After` of the server.
const LIST_STALLS: Duration = Duration::from_mins(5);
const STALLED: &str = "the list has stalled: no item, error or end for 5 minutes";

/// Returns when no item has arrived for [`LIST_STALLS`], at the latest after twice that time.
async fn stalled(items: &AtomicU64) {
    loop {
        let before = items.load(Ordering::Relaxed);
        tokio::time::sleep(LIST_STALLS).await;
        if items.load(Ordering::Relaxed) == before {
            return;
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
fn stage<K: Object, Q: Queue<K>>(
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
fn unfit<K: Object>(object: &K, expected: Option<&GroupVersionKind>) -> Option<&'static str> {
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

impl<K: Object, Q> fmt::Debug for Reflector<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflector").field("name", &self.core.name).finish_non_exhaustive()
    }
}
