//! [`Reflector`]: keeps a queue, and the cache behind it, in step with the server.

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

/// Keeps a queue in step with one collection of a server: lists, then watches, for ever.
///
/// - **Nothing is lost**: a watch goes on behind the last version seen; where the server no longer has that
///   version, a new list makes up for what was missed.
/// - **All or nothing**: a list reaches the queue when it is complete. One that is cut in the middle changes
///   nothing.
/// - **Unchanged objects are shared**: what the cache has at the listed version is not kept a second time.
/// - **What does not decode is never a deletion**: the object's last good version stays in the cache, marked.
/// - **Errors**: are waited out; it never gives up. A list without progress for five minutes is an error, and a
///   watch that the server does not end in time is opened again.
/// - **Cancellation**: dropping the future of [`run`](Self::run), or cancelling its token, ends all requests.
#[must_use = "nothing is listed or watched until `run`"]
pub struct Reflector<K: Object, Q> {
    source: Arc<dyn ListWatch<K>>,
    core: Core<K, Q>,
}

/// All but the source.
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

/// A handle on a reflector that runs elsewhere.
#[derive(Clone, Debug)]
pub struct ReflectorHandle {
    status: Arc<StatusCell>,
}

impl ReflectorHandle {
    /// How it is doing.
    pub fn status(&self) -> Status {
        self.status.get()
    }

    /// The version that the cache was last brought to; empty before the first list.
    pub fn last_sync_resource_version(&self) -> Str {
        self.status.get().resource_version
    }
}

/// What came of waiting.
enum Waited<T> {
    Done(T),
    /// Time has passed, and something else is to be done.
    Redirected(Actions),
}

/// What has happened: an input of the machine, or an event of the watch with its object.
enum Happened<K> {
    Input(Event),
    Received(WatchEvent<Incoming<K>, ApiError>),
}

/// After how many events that were there already another task gets its turn.
const AT_ONCE: u32 = 256;

impl<K: Object, Q: Queue<K>> Reflector<K, Q> {
    /// A reflector that does nothing yet.
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

    /// A handle to look at it from elsewhere.
    pub fn handle(&self) -> ReflectorHandle {
        ReflectorHandle { status: self.core.status.clone() }
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.core.name
    }

    /// Lists and watches until cancelled.
    pub async fn run(mut self, cancel: CancellationToken) {
        // However it ends: cancelled, dropped, or with a panic of the source.
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
                    // What has arrived is read at once, so that the process loop has it as one batch; but not
                    // for ever.
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
    /// Lets the machine decide, and does what it says except for the last.
    fn step(&mut self, event: Event) -> Actions {
        let now = Instant::now().into_std();
        let mut actions = self.machine.step(event, now);
        if let Some(error) = actions.report.take() {
            self.report(&error);
        }
        if let Some(note) = actions.note.take() {
            self.log(&note);
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

    /// How objects are fetched: shared with the cache, unless its versions mean nothing to the server.
    fn fetch_now(&self) -> FetchContext<K> {
        let fetch = self.fetch.clone();
        if self.machine.trusts_versions() { fetch } else { fetch.unshared() }
    }

    /// Waits for something, while the machine sees time pass.
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

    /// The watch's next event, once the consumer keeps up.
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
            // The server ends the watch.
            WatchEvent::Error(error) => return self.step(Event::Broken(error.into())),
        };
        self.note_event();
        let resource_version = match self.version_of(&incoming) {
            Ok(version) => version,
            Err(Unfit::Passed(why)) => {
                tracing::error!(reflector = self.name, %kind, why, "an event is passed over");
                return self.step(Event::PassedOver);
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
            // The cache has it already.
            (_, Incoming::Cached(_)) => Ok(()),
            (_, Incoming::Undecodable(bad)) => {
                self.note_undecodable(1);
                tracing::error!(reflector = self.name, key = %bad.key, error = %bad.error, "an object does not decode");
                self.queue.stale(bad.key, bad.resource_version);
                Ok(())
            }
        };
        if let Err(error) = done {
            self.note_undecodable(1);
            tracing::error!(reflector = self.name, %error, "an object can't be transformed");
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
        // What can't be staged was sorted out before.
        let shared = self.machine.trusts_versions().then_some(&self.fetch);
        let _ = stage(incoming, staging, &*self.queue, shared, None, &mut undecodable);
        self.note_undecodable(undecodable);
    }

    /// Gives the staged list to the queue.
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
            tracing::info!(reflector = self.name, items, ?took, "a list took long");
        }
        Event::Committed
    }

    /// The version of an object, or why it is none that the cache wants.
    fn version_of(&self, incoming: &Incoming<K>) -> Result<Str, Unfit> {
        match incoming {
            Incoming::Object(object) => match unfit(object, self.expected_kind.as_ref()) {
                Some(why) => Err(Unfit::Passed(why)),
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
        self.status.edit(|status| {
            status.errors += 1;
            status.last_error = Some(error.to_string());
        });
        if let Some(metrics) = &self.metrics {
            metrics.failed(error);
        }
        let name = &self.name;
        match &self.on_error {
            Some(handler) => {
                let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| handler(error)));
                if called.is_err() {
                    tracing::error!(reflector = name, "the watch error handler panicked");
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

    fn log(&self, note: &Note) {
        let name = &self.name;
        match note {
            Note::FallsBack(error) => {
                tracing::debug!(reflector = name, %error, "no streamed list; a plain one follows");
            }
            Note::Waits(wait, error) => tracing::debug!(reflector = name, %error, ?wait, "tries again"),
            Note::WatchEnded(error) => {
                tracing::warn!(reflector = name, %error, "watch ended; a list follows");
            }
            Note::Quiet { events: 0, idle } => {
                tracing::warn!(reflector = name, ?idle, "a streamed list has not begun");
            }
            Note::Quiet { events, idle } => {
                tracing::warn!(reflector = name, events, ?idle, "a streamed list does not go on");
            }
            Note::Rewound => {
                tracing::warn!(
                    reflector = name,
                    "the server is behind the cache: it was restored from a backup, or lags; \
                     the list that follows is taken as all new"
                );
            }
            Note::Overdue => {
                tracing::warn!(reflector = name, "the server does not end its watch; it is dropped");
            }
        }
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

/// Says when it ends that a reflector has stopped.
struct Stopped(Arc<StatusCell>);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.edit(|status| status.phase = "stopped");
    }
}

/// How long a list may go without an item before it counts as lost. Servers end a list after a minute by default; the
/// client may wait for its rate limit, or because the server said so, before it asks.
const LIST_STALLS: Duration = Duration::from_mins(5);
const STALLED: &str = "the list has stalled: no item, error or end for 5 minutes";

/// Ends when no item has come for [`LIST_STALLS`], at the latest when none has come for twice as long.
async fn stalled(items: &AtomicU64) {
    loop {
        let before = items.load(Ordering::Relaxed);
        tokio::time::sleep(LIST_STALLS).await;
        if items.load(Ordering::Relaxed) == before {
            return;
        }
    }
}

/// From when on the time of a list is worth a word.
const SLOW_LIST: Duration = Duration::from_secs(10);

/// Why the cache does not want an object.
enum Unfit {
    /// It is of no use; the next may be.
    Passed(&'static str),
    /// It means something, but nobody can say what: only a new list helps.
    Fatal(FetchError),
}

/// Puts an item into the staging table: as the cache has it, if it has it at that version.
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
                    tracing::error!(%error, "an object of a list can't be transformed");
                    staging.put_undecodable(error.key, resource_version);
                }
            }
        }
        Incoming::Undecodable(bad) => {
            *undecodable += 1;
            // Absence from the list would be taken for a deletion, and of whom nobody can say.
            if bad.key.name.is_empty() {
                return Err(FetchError::other(bad.error));
            }
            tracing::error!(key = %bad.key, error = %bad.error, "an object of a list does not decode");
            staging.put_undecodable(bad.key, bad.resource_version);
        }
    }
    Ok(())
}

const IS_TABLE: &str = "it is a Table";

/// Why an object is none that the cache wants.
fn unfit<K: Object>(object: &K, expected: Option<&GroupVersionKind>) -> Option<&'static str> {
    if is_table(object.api_version(), object.kind()) {
        return Some(IS_TABLE);
    }
    if object.name().is_empty() {
        return Some("it has no name");
    }
    let expected = expected?;
    let group_version = expected.group_version().to_string();
    let fits = object.kind() == expected.kind && object.api_version() == group_version;
    (!fits).then_some("it is of another kind")
}

/// Is it what a server renders for people?
fn is_table(api_version: &str, kind: &str) -> bool {
    kind == "Table" && matches!(api_version, "meta.k8s.io/v1" | "meta.k8s.io/v1beta1")
}

impl<K: Object, Q> fmt::Debug for Reflector<K, Q> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reflector").field("name", &self.core.name).finish_non_exhaustive()
    }
}
